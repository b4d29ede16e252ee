//! One pair of primitives as a potential: distance, force, energy.
//!
//! | Energy | `V = W φ Σ_l V_l(d)`, `W` the pair's weight, d the distance between the surfaces |
//! | Distance | `d = ‖s‖ − ρ`, s from [`carom_geometry::nearest`], ρ the sum of the hard radii |
//! | Gradient | `∂V/∂xᵢ = −W φ Σ_l F_l wᵢ s/‖s‖ + W Σ_l V_l ∂φ/∂xᵢ` |
//! | Periodic | of points: `s = e − L round(e/L)` along each periodic axis, e the difference of positions: to the nearest image |
//! | Fade | edges: `φ = q²(3 − 2q)`, `q = sin²θ/sin²θ₀` up to 1, θ their angle: nearest points of parallel edges jump |
//!
//! Both parts depend on differences of positions only and turn with the pair: every kick keeps linear and
//! angular momentum.
//!
//! The kernel branches on values, so it runs with `f64` and with `Dual`, whose tangents are second derivatives.

use carom_geometry::nearest::{self, Scalar};
use carom_math::{Real, Vec3};
use carom_model::{PairId, PairKind};

use crate::{Layer, Layers};

/// A pair, with all that its energy needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Its identity.
    pub id: PairId,
    /// Its vertices: of the first primitive, then of the second; the rest of the four is unused.
    pub vertices: [u32; 4],
    /// The bodies of its primitives.
    pub bodies: [u32; 2],
    /// Which of the scene's layers act.
    pub layers: u32,
    /// The first layer that acts: pairs of one body that are near at rest drop outer ones.
    pub first_layer: u32,
    /// Sum of the hard radii, in m.
    pub radius: f64,
    /// The area it stands for, in m².
    pub weight: f64,
    /// `1/sin²θ₀` for edges; 0 without a fade.
    pub fade: f64,
    /// Lengths of the periodic box, in m; 0 along an axis that is not periodic.
    pub period: Vec3,
}

/// The nearest points of a pair.
#[derive(Clone, Copy, Debug)]
pub struct Measure<S = f64> {
    /// Weights of the vertices in the separation.
    pub weights: [S; 4],
    /// From the nearest point of the second primitive to that of the first, in m.
    pub separation: Vec3<S>,
    /// Distance between the surfaces, in m: negative if hard radii overlap.
    pub distance: S,
}

impl Pair {
    /// Its vertices.
    #[inline(always)]
    #[must_use]
    pub fn stencil(&self) -> &[u32] {
        &self.vertices[..vertices_of(self.id.kind)]
    }

    /// How many of its vertices belong to the first primitive.
    #[must_use]
    pub fn first_primitive(&self) -> usize {
        if self.id.kind == PairKind::EdgeEdge { 2 } else { 1 }
    }

    /// Its nearest points, with its vertices at `x`.
    #[inline]
    pub fn measure<S: Scalar>(&self, x: &[Vec3<S>; 4]) -> Measure<S> {
        let zero = S::zero();
        let (weights, separation) = match self.id.kind {
            PairKind::VertexFace => {
                let n = nearest::vertex_face(x);
                (n.weights, n.separation)
            }
            PairKind::EdgeEdge => {
                let n = nearest::edge_edge(x);
                (n.weights, n.separation)
            }
            PairKind::VertexEdge => {
                let n = nearest::vertex_edge(&[x[0], x[1], x[2]]);
                ([n.weights[0], n.weights[1], n.weights[2], zero], n.separation)
            }
            PairKind::VertexVertex | PairKind::Soft => {
                let n = nearest::vertex_vertex(&[x[0], x[1]]);
                let Vec3 { x, y, z } = n.separation;
                let shift = self.shift(Vec3::new(x.plain(), y.plain(), z.plain()));
                let to_image = Vec3::new(S::constant(shift.x), S::constant(shift.y), S::constant(shift.z));
                ([n.weights[0], n.weights[1], zero, zero], n.separation - to_image)
            }
        };
        Measure { weights, separation, distance: separation.length() - S::constant(self.radius) }
    }

    /// From the nearest image of the second of two points to the second itself, in m, if the first is `difference` from it.
    #[inline(always)]
    fn shift(&self, difference: Vec3) -> Vec3 {
        let along = |e: f64, period: f64| if period > 0.0 { period * (e / period).round() } else { 0.0 };
        let Vec3 { x, y, z } = difference;
        Vec3::new(along(x, self.period.x), along(y, self.period.y), along(z, self.period.z))
    }

    /// The angular impulse that two opposite `impulses` put in, in N·m·s: along the line to an image they are a couple.
    #[must_use]
    pub fn couple(&self, x: &[Vec3; 4], impulses: &[Vec3; 4]) -> Vec3 {
        match self.id.kind {
            PairKind::VertexVertex | PairKind::Soft => self.shift(x[0] - x[1]).cross(impulses[0]),
            _ => Vec3::ZERO,
        }
    }

    /// A bound on |computed − true| of its distance, in m, with its vertices at `x`.
    ///
    /// **Periodic boxes.** Let u be half an epsilon, e the difference of two coordinates, |e| ≤ D = `scale`, and L the period. The
    /// rounded e is off by u·D. The quotient e/L is off by its last bit, so `round` may take the other neighbour only
    /// where e is within 2u·(D + L) of the middle between two images: there both are as far, up to twice that. Of
    /// L·k, with |k·L| ≤ D + L/2, the product is off by u·(D + L), and the last difference, at most L/2 + 2u·(D + L) long, by
    /// u·L. In all less than 8u·(D + L) along an axis and √3 times that in length: 7 epsilons. Positions are never wrapped: D grows
    /// with the way that grains have gone, and the bound with it.
    #[must_use]
    pub fn distance_error(&self, x: &[Vec3; 4]) -> f64 {
        self.distance_error_at(nearest::scale(&x[..vertices_of(self.id.kind)]))
    }

    /// The same, of vertices whose coordinates differ by at most `scale`, in m.
    #[inline]
    pub(crate) fn distance_error_at(&self, scale: f64) -> f64 {
        let separation = match self.id.kind {
            PairKind::VertexFace => nearest::vertex_face_error_bound(scale),
            PairKind::EdgeEdge => nearest::edge_edge_error_bound(scale),
            PairKind::VertexEdge => nearest::vertex_edge_error_bound(scale),
            PairKind::VertexVertex | PairKind::Soft => nearest::vertex_vertex_error_bound(scale),
        };
        let longest = self.period.x.max(self.period.y).max(self.period.z);
        let images = if longest > 0.0 { 7.0 * f64::EPSILON * (scale + longest) } else { 0.0 };
        // Subtracting the radius rounds once more.
        separation + images + f64::EPSILON * (scale + self.radius.abs())
    }

    /// Energy, in J, at a measure.
    pub fn energy<S: Scalar>(&self, layers: &Layers, x: &[Vec3<S>; 4], at: &Measure<S>) -> S {
        self.energy_times(layers, x, at, |_, _| 1.0)
    }

    /// `Σ_l factor_l V_l`, in J times the unit of the factors: with steps of layers that fire, their part of an action.
    pub fn energy_times<S: Scalar>(
        &self,
        layers: &Layers,
        x: &[Vec3<S>; 4],
        at: &Measure<S>,
        factor: impl Fn(u32, &Layer) -> f64,
    ) -> S {
        let [_, energy] = layers.sums(self.first_layer, at.distance, factor);
        let [fade, _] = self.fade_at(x);
        energy * fade * S::constant(self.weight)
    }

    /// `−Σ_l factor_l ∇V_l` on each of its vertices, in N times the unit of the factors; `None` if no layer pushes.
    #[inline(always)]
    pub fn impulses<S: Scalar>(
        &self,
        layers: &Layers,
        x: &[Vec3<S>; 4],
        at: &Measure<S>,
        factor: impl Fn(u32, &Layer) -> f64,
    ) -> Option<[Vec3<S>; 4]> {
        let sums @ [force, energy] = layers.sums(self.first_layer, at.distance, factor);
        if force.plain() == 0.0 && energy.plain() == 0.0 {
            return None;
        }
        Some(self.shares(sums, self.fade_at(x), x, at))
    }

    /// Energy, in J, and what it pushes with factors of 1 and with `factor`, of each layer: [`Pair::energy`] and twice [`Pair::impulses`].
    #[must_use]
    pub fn energy_forces_and_impulses(
        &self,
        layers: &Layers,
        x: &[Vec3; 4],
        at: &Measure,
        factor: impl Fn(u32) -> f64,
    ) -> (f64, [[Vec3; 4]; 2]) {
        let sums = layers.plain_and_times(self.first_layer, at.distance, factor);
        let fade = self.fade_at(x);
        let energy = sums[0][1] * fade[0] * self.weight;
        let mut pushes = [[Vec3::ZERO; 4]; 2];
        for (pushes, sums) in pushes.iter_mut().zip(sums) {
            if sums != [0.0; 2] {
                *pushes = self.shares(sums, fade, x, at);
            }
        }
        (energy, pushes)
    }

    /// What each of its vertices gets of a force and an energy.
    #[inline(always)]
    fn shares<S: Scalar>(
        &self,
        [force, energy]: [S; 2],
        [fade, slope]: [S; 2],
        x: &[Vec3<S>; 4],
        at: &Measure<S>,
    ) -> [Vec3<S>; 4] {
        let weight = S::constant(self.weight);
        let out = pushed(at, S::constant(self.radius), weight * fade * force);
        if slope.plain() == 0.0 { out } else { turned(out, x, weight * energy * slope) }
    }

    /// `φ` and `dφ/d(sin²θ)`.
    #[inline(always)]
    fn fade_at<S: Scalar>(&self, x: &[Vec3<S>; 4]) -> [S; 2] {
        if self.fade == 0.0 { [S::constant(1.0), S::zero()] } else { fade_of(x, S::constant(self.fade)) }
    }
}

/// What a push of a strength, in N for each m of separation over its length, does to each vertex.
#[inline(always)]
pub(super) fn pushed<S: Real>(at: &Measure<S>, radius: S, strength: S) -> [Vec3<S>; 4] {
    let push = at.separation * (S::constant(1.0) / (at.distance + radius)) * strength;
    let mut out = [Vec3::zero(); 4];
    for (out, w) in out.iter_mut().zip(at.weights) {
        *out = push * w;
    }
    out
}

/// `φ` and `dφ/d(sin²θ)` of two edges, with `1/sin²θ₀`.
#[inline(always)]
pub(super) fn fade_of<S: Real>(x: &[Vec3<S>; 4], fade: S) -> [S; 2] {
    let one = S::constant(1.0);
    let (e, f) = (x[1] - x[0], x[3] - x[2]);
    let q = e.cross(f).length_sq() / (e.length_sq() * f.length_sq()) * fade;
    // An edge without length has no angle, and no fade.
    let is_faded = one.where_above(q, S::zero());
    let [faded, slope] = [q * q * (S::constant(3.0) - q * 2.0), q * (one - q) * (fade * 6.0)];
    [faded.where_nonzero(is_faded, one), slope.where_nonzero(is_faded, S::zero())]
}

/// What edges get beside, that would change their angle.
#[inline(always)]
pub(super) fn turned<S: Real>(mut out: [Vec3<S>; 4], x: &[Vec3<S>; 4], turn: S) -> [Vec3<S>; 4] {
    let [e, f] = angle_gradient(x);
    out[0] += e * turn;
    out[1] -= e * turn;
    out[2] += f * turn;
    out[3] -= f * turn;
    out
}

/// Derivatives of `sin²θ` with respect to the two edge vectors.
#[inline(always)]
fn angle_gradient<S: Real>(x: &[Vec3<S>; 4]) -> [Vec3<S>; 2] {
    let (e, f) = (x[1] - x[0], x[3] - x[2]);
    let (u, ee, ff) = (e.cross(f), e.length_sq(), f.length_sq());
    let scale = S::constant(2.0) / (ee * ff);
    let sin_sq = u.length_sq() * scale;
    [f.cross(u) * scale - e * (sin_sq / ee), u.cross(e) * scale - f * (sin_sq / ff)]
}

/// How many vertices pairs of this kind have.
#[must_use]
pub const fn vertices_of(kind: PairKind) -> usize {
    match kind {
        PairKind::VertexFace | PairKind::EdgeEdge => 4,
        PairKind::VertexEdge => 3,
        PairKind::VertexVertex | PairKind::Soft => 2,
    }
}
