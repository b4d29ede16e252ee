//! Restitution and friction: what a pair does beside its normal force.
//!
//! After the conservative kicks of an instant, u is the velocity of the pair's first nearest point against the second, `u_n` along
//! the normal n that points to the first, `u_t` the rest, `J_n` the normal impulse just given, and `kᵢ` the number of pairs that
//! answer at its vertex i.
//!
//! | restitution | if `u_n > 0`, `(1 − e²) min(J_n, m u_n)` against n: of what it was given while it separates, the pair keeps `e²` |
//! | friction | `min(μ J, m‖u_t‖)` against `u_t`, J what is left of `J_n`, and of earlier ones that friction has not used since the last multiple of the loads' clock |
//!
//! Loads push once in their step, contact pushes back in several smaller kicks: were friction limited by the normal impulse of one
//! tick alone, a load would always win for a moment, and what should stick would creep.
//!
//! `1/m = Σ kᵢ wᵢ²/mᵢ`, `wᵢ` the weights of the nearest points. However many pairs share a vertex, all of them together cannot add
//! energy: at a vertex with k of them, the square of a sum is at most k times the sum of the squares. A vertex that nothing moves
//! counts nowhere, so many pairs may share that of an obstacle. A grain that spins moves at its surface, and friction turns it: across the
//! normal its arm squared over its moment of inertia is added to `1/m`.

use carom_math::Vec3;
use carom_model::{ContactImpulse, Law, Touch};
use carom_time::Span;

use crate::pair_forces::PairEvaluation;
use crate::{Pair, PairRules};

/// A pair that pushed at an instant and has a law beside its normal force.
#[derive(Clone, Copy, Debug)]
pub struct DissipativeContact {
    /// The index of the pair among the candidates of this instant.
    pub candidate: u32,
    /// Its vertices; the first `count` are used.
    pub vertices: [u32; 4],
    /// How many vertices it has.
    pub count: usize,
    /// Weights of the vertices in the separation.
    pub weights: [f64; 4],
    /// Unit vector from the second primitive to the first.
    pub normal: Vec3,
    /// From the nearest point of the second primitive to that of the first, in m.
    pub separation: Vec3,
    /// By how much the nearest image is away from the second primitive, in m: zero but across the border of a periodic box.
    pub image: Vec3,
    /// For each primitive that spins, its spin, and the way from its centre to the contact, in m.
    pub arms: [Option<(u32, Vec3)>; 2],
    /// The normal impulse of this instant, in N·s.
    pub normal_impulse: f64,
    /// Restitution and friction.
    pub law: Law,
    /// Within multiples of this, normal impulses pay for friction.
    pub friction_window: Span,
}

impl DissipativeContact {
    /// A pair that pushes with these impulses in all on its first primitive, in N·s; `image` says how far the nearest image is away, in m, if the box is periodic.
    pub(crate) fn new(
        rules: &PairRules,
        (candidate, pair): (u32, &Pair),
        evaluation: &PairEvaluation,
        on_first: Vec3,
        image: impl Fn() -> Vec3,
    ) -> Self {
        let spec = rules.layers_of(pair).spec();
        let (spins, share) = rules.spins(pair.id);
        let separation = evaluation.separation();
        let arm = |spin: Option<u32>, share: f64| spin.map(|spin| (spin, separation * share));
        let normal = separation * (1.0 / evaluation.separation_length());
        Self {
            candidate,
            vertices: pair.vertices,
            count: pair.stencil().len(),
            weights: evaluation.weights.to_array(),
            normal,
            separation,
            image: if pair.period.is_zero() { Vec3::ZERO } else { image() },
            arms: [arm(spins[0], -share), arm(spins[1], 1.0 - share)],
            normal_impulse: on_first.dot(normal),
            law: spec.law,
            friction_window: spec.friction_window,
        }
    }

    /// The vertices of the pair.
    #[must_use]
    pub fn stencil(&self) -> &[u32] {
        &self.vertices[..self.count]
    }

    /// The vertices of the pair, and the spins of its primitives.
    pub fn touched(&self) -> impl Iterator<Item = u32> {
        let spins = self.arms.iter().flatten().map(|(spin, _)| *spin);
        self.stencil().iter().copied().chain(spins)
    }

    /// The velocity of the first nearest point against the second, in m/s, if vertex v moves at `velocity(v)`.
    #[must_use]
    pub fn relative(&self, velocity: impl Fn(u32) -> Vec3) -> Vec3 {
        let vertices = self.stencil().iter().zip(self.weights);
        let mut u = vertices.fold(Vec3::ZERO, |sum, (&v, w)| sum + velocity(v) * w);
        for ((spin, arm), sign) in self.arms_and_signs() {
            u += velocity(spin).cross(arm) * sign;
        }
        u
    }

    /// `1/m` along the normal and across it, in 1/kg, where each vertex has so many pairs: no less than what any direction feels,
    /// where pins hold some axes.
    #[must_use]
    pub fn lightness(&self, inverse_masses: &[Vec3], counts: &[u32]) -> [f64; 2] {
        let of = |v: u32, weight: f64| {
            let Vec3 { x, y, z } = inverse_masses[v as usize];
            f64::from(counts[v as usize]) * (weight * x.max(y).max(z))
        };
        let places: f64 = self.stencil().iter().zip(self.weights).map(|(&v, w)| of(v, w * w)).sum();
        let spins: f64 = self.arms.iter().flatten().map(|(spin, arm)| of(*spin, arm.length_sq())).sum();
        [places, places + spins]
    }

    /// What an answer does to each of its vertices and spins, in N·s and N·m·s.
    pub fn impulses(&self, impulse_at: &ContactImpulse) -> impl Iterator<Item = (u32, Vec3)> {
        let (both, friction) = (impulse_at.restitution + impulse_at.friction, impulse_at.friction);
        let places = self.stencil().iter().zip(self.weights).map(move |(&v, w)| (v, both * w));
        let spins = self.arms_and_signs().map(move |((spin, arm), sign)| (spin, arm.cross(friction) * sign));
        places.chain(spins)
    }

    /// The couple of an answer that nothing spins with, in N·m·s: it pushes at two points, and at an image of the second.
    #[must_use]
    pub fn couple(&self, impulse_at: &ContactImpulse) -> Vec3 {
        let mut across = self.separation;
        for ((_, arm), sign) in self.arms_and_signs() {
            across += arm * sign;
        }
        across.cross(impulse_at.friction) + self.image.cross(impulse_at.restitution + impulse_at.friction)
    }

    fn arms_and_signs(&self) -> impl Iterator<Item = ((u32, Vec3), f64)> {
        self.arms.into_iter().zip([1.0, -1.0]).filter_map(|(arm, sign)| Some((arm?, sign)))
    }

    /// What it answers to moving at `u`, with `1/m`, if friction has not used `unspent` in N·s before.
    #[must_use]
    pub fn impulse_at(&self, u: Vec3, lightness: [f64; 2], unspent: f64) -> ContactImpulse {
        let masses = lightness.map(f64::recip);
        Touch::new(self.normal, u, masses, [self.normal_impulse, unspent]).answer(self.law)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from)
    }

    /// A vertex on a triangle, at the middle of it.
    fn pair(
        candidate: u32,
        vertices: [u32; 4],
        normal: Vec3,
        normal_impulse: f64,
        law: Law,
    ) -> DissipativeContact {
        DissipativeContact {
            candidate,
            vertices,
            count: 4,
            weights: [1.0, -0.5, -0.3, -0.2],
            normal,
            separation: normal * 0.1,
            image: Vec3::ZERO,
            arms: [None, None],
            normal_impulse,
            law,
            friction_window: Span::ONE,
        }
    }

    proptest! {
        #[test]
        fn answers_of_pairs_that_share_vertices_never_add_energy(
            velocities in prop::collection::vec(vector(), 6),
            masses in prop::collection::vec(0.01..10.0f64, 6),
            normals in prop::collection::vec(vector().prop_filter("a direction", |n| n.length() > 0.1), 3),
            pushed in prop::collection::vec(0.0..2.0f64, 3),
            unspent in 0.0..1.0f64, restitution in 0.0..1.0f64, friction in 0.0..1.0f64,
        ) {
            let law = Law::new(restitution, friction);
            let stencils = [[0, 1, 2, 3], [1, 2, 3, 4], [5, 2, 0, 4]];
            let pairs: Vec<DissipativeContact> = (0..3)
                .map(|i| pair(i as u32, stencils[i], normals[i] * (1.0 / normals[i].length()), pushed[i], law))
                .collect();
            let mut counts = vec![0; 6];
            pairs.iter().flat_map(DissipativeContact::touched).for_each(|v| counts[v as usize] += 1);
            let inverse_masses: Vec<Vec3> = masses.iter().map(|m| Vec3::splat(1.0 / m)).collect();
            let mut after = velocities.clone();
            for pair in &pairs {
                let u = pair.relative(|v| velocities[v as usize]);
                let answer = pair.impulse_at(u, pair.lightness(&inverse_masses, &counts), unspent);
                prop_assert!(answer.unspent >= 0.0);
                prop_assert!(answer.friction.length() <= (unspent + friction * pair.normal_impulse) * (1.0 + 1e-12));
                prop_assert!(answer.friction.dot(pair.normal).abs() <= 1e-9);
                prop_assert!(answer.restitution.length() <= pair.normal_impulse * (1.0 + 1e-12));
                for (v, impulse) in pair.impulses(&answer) {
                    after[v as usize] += impulse.scaled_by(inverse_masses[v as usize]);
                }
            }
            let energy = |velocities: &[Vec3]| -> f64 {
                velocities.iter().zip(&masses).map(|(v, m)| 0.5 * m * v.length_sq()).sum()
            };
            prop_assert!(energy(&after) <= energy(&velocities) * (1.0 + 1e-12));
        }
    }

    #[test]
    fn a_pair_that_closes_gives_nothing_back_and_one_that_separates_all_but_the_square_of_its_ratio() {
        let law = Law::new(0.5, 0.0);
        let pair = pair(0, [0, 1, 2, 3], Vec3::Z, 2.0, law);
        let given_back = |speed: f64| pair.impulse_at(Vec3::Z * speed, [1.0; 2], 0.0).restitution;
        assert_eq!(given_back(-1.0), Vec3::ZERO);
        assert_eq!(given_back(1.0), Vec3::Z * -0.75);
        // No more than it was given.
        assert_eq!(given_back(9.0), Vec3::Z * -1.5);
    }
}
