//! The bending of a rod at a joint of two edges, the same in all directions.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = B/(2ℓ̄) (κ − κ̄)²`, `κ = 2 tan(φ/2)` with `φ` the turning angle, `ℓ̄ = ½(L₁ + L₂)` |
//! | Gradient | with `e = x₁ − x₀`, `f = x₂ − x₁`, `χ = ‖e‖‖f‖ + e·f` and the curvature binormal `b = 2 e×f/χ`, `κ = ‖b‖`: `∂V/∂e = −λ c b×e/e²`, `∂V/∂f = λ c b×f/f²`, `c = 2‖e‖‖f‖/χ`, `λ = (B/ℓ̄)(1 − κ̄/κ)` |
//! | Stable step | `h < 2/ω`, `ω²` the largest eigenvalue of the stiffness at the start over the shares of mass |
//! | Degenerate case | folded back onto itself (`φ = π`) the energy is infinite and the run stops; an edge without length does not bend; a naturally bent rod held straight (`κ = 0 < κ̄`) has no direction to bend to: the gradient is zero there |
//!
//! As in Discrete Elastic Rods. `κ̄` is a size without a direction: a rod with natural curvature may
//! curl to any side. For a straight rod (`κ̄ = 0`) nothing is singular at `φ = 0`.

use carom_math::{Real, Vec3};
use carom_model::Element;

use crate::registry::{Descriptor, Role};

/// A joint between two edges of a rod that resists bending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RodBend {
    /// Bending stiffness over length `B/ℓ̄`, in N·m.
    pub stiffness: f64,
    /// Natural curvature of the joint `κ̄ = 2 tan(φ̄/2)`, without unit.
    pub rest_curvature: f64,
}

impl RodBend {
    /// A joint without moment in the shape `rest`; `bending_stiffness` is `B = E I`, in N·m².
    #[must_use]
    pub fn from_rest(rest: &[Vec3; 3], bending_stiffness: f64) -> Self {
        let lengths = (rest[1] - rest[0]).length() + (rest[2] - rest[1]).length();
        let rest_curvature = Joint::new(rest).curvature();
        Self { rest_curvature, ..Self::straight(0.5 * lengths, bending_stiffness) }
    }

    /// A joint that is straight at rest; `length` is half the two edges together, in m.
    #[must_use]
    pub fn straight(length: f64, bending_stiffness: f64) -> Self {
        Self { stiffness: bending_stiffness / length, rest_curvature: 0.0 }
    }

    /// Bending stiffness `E I` of a round rod, in N·m², from Young's modulus in Pa and its radius in m.
    #[must_use]
    pub fn stiffness_of_round(young: f64, radius: f64) -> f64 {
        0.25 * core::f64::consts::PI * young * radius * radius * radius * radius
    }
}

/// Two edges and how they turn.
struct Joint<S> {
    first: Vec3<S>,
    second: Vec3<S>,
    /// Curvature binormal `b`.
    binormal: Vec3<S>,
    /// `c/e²` and `c/f²`; zero where an edge has no length.
    over_first_sq: S,
    over_second_sq: S,
}

impl<S: Real> Joint<S> {
    #[inline(always)]
    fn new(&[x0, x1, x2]: &[Vec3<S>; 3]) -> Self {
        let (first, second) = (x1 - x0, x2 - x1);
        let (first_sq, second_sq) = (first.length_sq(), second.length_sq());
        let lengths_sq = first_sq * second_sq;
        let lengths = lengths_sq.sqrt();
        let chi = lengths + first.dot(second);
        // One division for 2/χ, c/e² and c/f².
        let inverse = (S::constant(2.0) / (chi * lengths)).where_nonzero(lengths_sq, S::zero());
        Self {
            first,
            second,
            binormal: first.cross(second) * (inverse * lengths),
            over_first_sq: inverse * second_sq,
            over_second_sq: inverse * first_sq,
        }
    }

    /// `κ`; without a tangent where it is zero, for the root has none there.
    #[inline(always)]
    fn curvature(&self) -> S {
        let sq = self.binormal.length_sq();
        sq.sqrt().where_nonzero(sq, S::zero())
    }

    /// The gradient of the curvature along `moment`, times its size.
    #[inline(always)]
    fn push(&self, moment: Vec3<S>) -> [Vec3<S>; 3] {
        let on_first = self.first.cross(moment) * self.over_first_sq;
        let on_second = moment.cross(self.second) * self.over_second_sq;
        [-on_first, on_first - on_second, on_second]
    }
}

impl Element<3, 2> for RodBend {
    const KIND: &'static str = "rod-bend";
    const ORDER: u32 = 160;
    const DAMPS: bool = true;

    fn params(&self) -> [f64; 2] {
        [self.stiffness, self.rest_curvature]
    }

    #[inline(always)]
    fn energy<S: Real>(&[stiffness, rest_curvature]: &[S; 2], x: &[Vec3<S>; 3]) -> S {
        stiffness * (Joint::new(x).curvature() - rest_curvature).squared() * 0.5
    }

    #[inline(always)]
    fn gradient<S: Real>(&[stiffness, rest_curvature]: &[S; 2], x: &[Vec3<S>; 3]) -> [Vec3<S>; 3] {
        let joint = Joint::new(x);
        let excess = S::constant(1.0) - rest_curvature * joint.curvature().recip_or_zero();
        joint.push(joint.binormal * (stiffness * excess))
    }

    /// A joint of three points has one strain, its curvature: whirling at constant curvature is not resisted. Straight, it
    /// resists the direction in which it begins to bend.
    #[inline(always)]
    fn resistance<S: Real>(&[stiffness, _]: &[S; 2], x: &[Vec3<S>; 3], v: &[Vec3<S>; 3]) -> [Vec3<S>; 3] {
        let joint = Joint::new(x);
        let begins = (v[1] - v[0]).cross(joint.second) + joint.first.cross(v[2] - v[1]);
        let along = joint.binormal.where_nonzero(joint.curvature(), begins);
        let along = along * along.length().recip_or_zero();
        let [a, b, c] = joint.push(along);
        let rate = a.dot(v[0]) + b.dot(v[1]) + c.dot(v[2]);
        joint.push(along * (stiffness * rate))
    }
}

impl RodBend {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: "bending",
        order: Self::ORDER,
        about: "Bending of a rod at a joint of two edges, the same in all directions.",
        parameters: crate::material::ROD_PARAMETERS,
        page: "rod-bend",
        damps: Self::DAMPS,
        role: Role::Fixed("`material.rod`"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const STRAIGHT: [Vec3; 3] =
        [Vec3::new(0.1, 0.2, 0.0), Vec3::new(1.1, 0.6, 0.2), Vec3::new(2.1, 1.0, 0.4)];
    const BENT: [Vec3; 3] = [Vec3::new(0.1, 0.2, 0.0), Vec3::new(1.1, 0.3, 0.2), Vec3::new(1.4, 1.2, -0.1)];

    #[test]
    fn a_straight_rod_is_a_sound_potential() {
        check::near(BENT, 0.2, |x| {
            check::internal_element(&RodBend::from_rest(&STRAIGHT, 3.0), x);
        });
    }

    #[test]
    fn a_straight_rod_is_a_sound_potential_near_rest() {
        check::near(STRAIGHT, 0.02, |x| {
            check::internal_element(&RodBend::from_rest(&STRAIGHT, 3.0), x);
        });
    }

    #[test]
    fn a_bent_rod_is_a_sound_potential_near_rest() {
        check::near(BENT, 0.02, |x| {
            check::internal_element(&RodBend::from_rest(&BENT, 3.0), x);
        });
    }

    #[test]
    fn at_rest_straight_or_bent_there_is_neither_energy_nor_force() {
        let straight = [Vec3::ZERO, Vec3::new(1.0, 0.5, 0.25), Vec3::new(2.0, 1.0, 0.5)];
        check::nothing_at_rest(&RodBend::from_rest(&straight, 3.0), &straight, 0.0);
        check::nothing_at_rest(&RodBend::from_rest(&BENT, 3.0), &BENT, 1e-15);
    }

    #[test]
    fn the_curvature_of_a_right_angle_is_two() {
        let corner = [Vec3::ZERO, Vec3::X * 3.0, Vec3::new(3.0, 0.5, 0.0)];
        assert!((RodBend::from_rest(&corner, 1.0).rest_curvature - 2.0).abs() < 1e-15);
    }

    #[test]
    fn a_ring_stores_bending_stiffness_times_pi_over_radius() {
        let energy = |n: u32| -> f64 {
            let at = |i: u32| {
                let (s, c) = (core::f64::consts::TAU * f64::from(i) / f64::from(n)).sin_cos();
                Vec3::new(c, s, 0.0) * 2.0
            };
            let length = (at(1) - at(0)).length();
            let params = RodBend::straight(length, 5.0).params();
            (0..n).map(|i| RodBend::energy(&params, &[at(i), at(i + 1), at(i + 2)])).sum()
        };
        let exact = 5.0 * core::f64::consts::PI / 2.0;
        let (coarse, fine) = (energy(40) / exact - 1.0, energy(80) / exact - 1.0);
        assert!(coarse.abs() < 1e-2 && (coarse / fine - 4.0).abs() < 0.05, "{coarse} and {fine}");
    }

    #[test]
    fn edges_without_length_and_a_curl_without_direction_push_nowhere_and_a_fold_is_not_finite() {
        let params = RodBend::from_rest(&BENT, 3.0).params();
        let aligned = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        for x in [[Vec3::X; 3], [Vec3::ZERO, Vec3::ZERO, Vec3::X], aligned] {
            assert!(RodBend::gradient(&params, &x).iter().all(|g| g.is_zero()));
            assert!(RodBend::energy(&params, &x).is_finite());
        }
        let folded = [Vec3::ZERO, Vec3::X, Vec3::ZERO];
        assert!(!RodBend::gradient(&params, &folded).iter().any(|g| g.is_finite()));
        assert!(!RodBend::energy(&params, &folded).is_finite());
    }

    #[test]
    fn a_round_rod_has_a_quarter_pi_of_its_radius_to_the_fourth() {
        assert!((RodBend::stiffness_of_round(2e9, 0.1) - 2e9 * core::f64::consts::PI * 2.5e-5).abs() < 1e-7);
    }

    #[test]
    fn its_stable_step_is_the_edge_of_stability() {
        check::stable_step_is_the_edge(&RodBend::from_rest(&STRAIGHT, 3.0), &STRAIGHT, &[0.3, 0.2, 0.5]);
    }

    #[test]
    fn it_resists_the_rate_of_its_strain_and_nothing_else() {
        check::damped_element(&RodBend::from_rest(&BENT, 3.0), &BENT, &[BENT[0], BENT[1], BENT[2] * 1.3]);
    }
}
