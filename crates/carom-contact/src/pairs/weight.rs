//! How much of the surface a pair stands for.
//!
//! Contact stiffness is a property of the surface: force per area per depth. A pair's weight is the area it
//! stands for, divided among the partners that its primitives can expect in reach, so that neither the force per
//! area nor the stable step depends on the mesh. The expected number of partners is Steiner's formula for the area within
//! reach of a triangle or a segment, each place weighted by how strongly it pushes:
//!
//! | `α` | `∫ F(√(d²+s²))/F(d) · d/√(d²+s²) ds`, in units of `η₁`: the effective width of a border |
//! | `β` | `∫ 2πs ·` the same `ds`, in units of `η₁²`: the effective area of a corner |
//!
//! taken at a typical gap d. Half of the weight goes to vertices against faces, half to edges against edges.
//!
//! **Never here:** the present configuration: weights are constants of the rest mesh, so that each pair stays a potential.

use carom_model::{LayerFamily, SurfaceEdge, SurfaceFace, SurfaceVertex};

/// The reach of a layer family along the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Width of a border, in units of `η₁`.
    pub alpha: f64,
    /// Area of a corner, in units of `η₁²`.
    pub beta: f64,
}

/// How much larger than a face the share of a vertex may count: a coarse vertex must not push light, fine ones.
const COARSEST_VERTEX: f64 = 4.0;

impl Spread {
    /// The spread of a family; `None` for `acm`, whose pairs are unweighted.
    ///
    /// `nested` at d = 0.6 η₁, `window` at d = 0.5 η₁: between the widest spread, at 0.7 η₁, and the narrow ones of deep and of
    /// shallow contacts, so that the force per area of fine and coarse meshes agrees within a quarter from 0.5 to 0.8 η₁.
    #[must_use]
    pub const fn of(family: LayerFamily) -> Option<Self> {
        match family {
            LayerFamily::Acm | LayerFamily::Hertz => None,
            LayerFamily::Nested => Some(Self { alpha: 0.291, beta: 0.340 }),
            LayerFamily::Window => Some(Self { alpha: 0.239, beta: 0.238 }),
        }
    }

    /// Weight of a vertex against a face, in m².
    #[must_use]
    pub fn vertex_face(self, thickness: f64, v: &SurfaceVertex, f: &SurfaceFace) -> f64 {
        let reach = f.area + self.alpha * f.perimeter * thickness + self.beta * thickness * thickness;
        0.5 * v.area.min(COARSEST_VERTEX * f.area) * f.area / reach
    }

    /// Weight of two edges, in m².
    #[must_use]
    pub fn edge_edge(self, thickness: f64, e: &SurfaceEdge, f: &SurfaceEdge) -> f64 {
        let crossing = core::f64::consts::FRAC_2_PI * e.length * f.length;
        let border = 2.0 * self.alpha * (e.length + f.length) * thickness;
        let reach = crossing + border + self.beta * thickness * thickness;
        0.5 * e.area * f.area / reach
    }

    /// Weight of a vertex against the edge of a rod, in m².
    #[must_use]
    pub fn vertex_edge(self, thickness: f64, v: &SurfaceVertex, e: &SurfaceEdge) -> f64 {
        let reach = e.length + 2.0 * self.alpha * thickness;
        0.5 * v.area.min(COARSEST_VERTEX * e.area) * e.length / reach
    }

    /// Weight of two points, in m²: there is no other pair to share with.
    #[must_use]
    pub fn vertex_vertex(self, v: &SurfaceVertex, w: &SurfaceVertex) -> f64 {
        v.area.min(w.area)
    }
}

/// `4/3 √R*` of two soft spheres, in √m: times `E* δ^(3/2)` this is the force of Hertz [Johnson1985, eq. 4.22].
pub(crate) fn hertz_weight(v: &SurfaceVertex, w: &SurfaceVertex) -> f64 {
    let (r, s) = (v.soft_radius, w.soft_radius);
    4.0 / 3.0 * (r * s / (r + s)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Layers;
    use carom_model::{Law, LayerSpec};
    use carom_time::{Quantum, Span};

    #[test]
    fn the_spreads_are_the_integrals_they_stand_for() {
        for (family, gap) in [(LayerFamily::Nested, 0.6_f64), (LayerFamily::Window, 0.5)] {
            let spec = LayerSpec {
                family,
                thickness: 1.0,
                stiffness: 1.0,
                span: Span::new(1 << 20).unwrap(),
                one_clock: false,
                law: Law::IDEAL,
                friction_window: Span::ONE,
            };
            let layers = Layers::new(&spec, 20, Quantum::new(1e-9));
            let force = |d: f64| layers.sums(1, d, |_, _| 1.0)[0];
            let end = (1.0 - gap * gap).sqrt();
            let steps = 20_000;
            let ds = end / f64::from(steps);
            let (mut alpha, mut beta) = (0.0, 0.0);
            for i in 0..steps {
                let s = (f64::from(i) + 0.5) * ds;
                let d = gap.hypot(s);
                let share = force(d) / force(gap) * gap / d * ds;
                alpha += share;
                beta += core::f64::consts::TAU * s * share;
            }
            let spread = Spread::of(family).unwrap();
            assert!(
                (spread.alpha - alpha).abs() < 1e-3 && (spread.beta - beta).abs() < 1e-3,
                "{alpha} {beta}"
            );
        }
    }
}
