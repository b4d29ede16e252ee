//! A spring between two points; also the stretch of a rod's edge, with `k = E·A/L`.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = ½ k (ℓ − L)²`, with `ℓ = ‖x₁ − x₀‖` |
//! | Gradient | `∂V/∂x₁ = k (ℓ − L) d`, `∂V/∂x₀ = −∂V/∂x₁`, with `d = (x₁ − x₀)/ℓ` |
//! | Stable step | `h < 2/ω`, `ω² = k (1/m₀ + 1/m₁)` |
//! | Degenerate case | `ℓ = 0` has no direction: the gradient is zero there |

use carom_math::{Real, Vec3};
use carom_model::{Element, Parameter, Range};

use crate::registry::{Descriptor, Role};

/// A linear spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// Stiffness `k`, in N/m.
    pub stiffness: f64,
    /// Length `L` at which it pulls nothing, in m.
    pub rest_length: f64,
}

impl Spring {
    /// The stretch of a rod's edge: `k = E·A/L` from Young's modulus in Pa, the area of the
    /// cross-section in m² and the rest length in m.
    #[must_use]
    pub fn of_rod(young: f64, area: f64, length: f64) -> Self {
        Self { stiffness: young * area / length, rest_length: length }
    }

    /// A spring without tension in the shape `rest`; `stiffness` in N/m.
    #[must_use]
    pub fn from_rest(rest: &[Vec3; 2], stiffness: f64) -> Self {
        Self { stiffness, rest_length: (rest[1] - rest[0]).length() }
    }
}

impl Element<2, 2> for Spring {
    const KIND: &'static str = "spring";
    const ORDER: u32 = 180;
    const DAMPS: bool = true;

    fn params(&self) -> [f64; 2] {
        [self.stiffness, self.rest_length]
    }

    #[inline(always)]
    fn energy<S: Real>(&[stiffness, rest_length]: &[S; 2], &[x0, x1]: &[Vec3<S>; 2]) -> S {
        stiffness * ((x1 - x0).length() - rest_length).squared() * 0.5
    }

    #[inline(always)]
    fn gradient<S: Real>(&[stiffness, rest_length]: &[S; 2], &[x0, x1]: &[Vec3<S>; 2]) -> [Vec3<S>; 2] {
        let edge = x1 - x0;
        let length = edge.length();
        let tension = stiffness * (length - rest_length);
        let pull = edge * (tension * length.recip_or_zero());
        [-pull, pull]
    }

    #[inline(always)]
    fn resistance<S: Real>(
        &[stiffness, _]: &[S; 2],
        &[x0, x1]: &[Vec3<S>; 2],
        &[v0, v1]: &[Vec3<S>; 2],
    ) -> [Vec3<S>; 2] {
        let edge = x1 - x0;
        let along = edge * edge.length().recip_or_zero();
        let pull = along * (stiffness * along.dot(v1 - v0));
        [-pull, pull]
    }
}

impl Spring {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: Self::KIND,
        order: Self::ORDER,
        about: "A linear spring between two points; also the stretch of a rod's edge.",
        parameters: &[
            Parameter::required("stiffness", "N/m", "Stiffness of each spring, in N/m.", Range::AboveZero),
            Parameter::optional(
                "rest_length",
                "m",
                "Length at which it pulls nothing, in m.",
                Range::ZeroOrMore,
            ),
        ],
        page: "spring",
        damps: Self::DAMPS,
        role: Role::Fixed("`[[spring]]`, `material.rod`"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const SPRING: Spring = Spring { stiffness: 40.0, rest_length: 0.8 };
    const X: [Vec3; 2] = [Vec3::new(0.3, -0.1, 0.2), Vec3::new(1.9, 0.4, -0.7)];

    #[test]
    fn it_is_a_sound_potential() {
        check::near(X, 0.5, |x| {
            check::internal_element(&SPRING, x);
        });
    }

    #[test]
    fn it_is_a_sound_potential_near_rest() {
        check::near(X, 0.02, |x| {
            check::internal_element(&Spring::from_rest(&X, 40.0), x);
        });
    }

    #[test]
    fn at_rest_there_is_neither_energy_nor_force_to_the_last_bit() {
        check::nothing_at_rest(&Spring::from_rest(&X, 40.0), &X, 0.0);
    }

    #[test]
    fn a_rod_pulled_by_a_strain_stores_half_its_stress_times_strain() {
        let (young, area, length, strain) = (2e9, 1e-4, 0.5, 1e-3);
        let params = Spring::of_rod(young, area, length).params();
        let energy = Spring::energy(&params, &[Vec3::ZERO, Vec3::X * (length * (1.0 + strain))]);
        assert!((energy / (0.5 * young * strain * strain * area * length) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_spring_without_length_pulls_nowhere() {
        assert_eq!(Spring::gradient(&SPRING.params(), &[Vec3::X; 2]), [Vec3::ZERO; 2]);
    }

    #[test]
    fn the_stable_step_is_two_over_the_frequency_at_rest() {
        let rest = [Vec3::ZERO, Vec3::X * SPRING.rest_length];
        let omega = (SPRING.stiffness * (1.0 / 0.5 + 1.0 / 0.2)).sqrt();
        assert!((SPRING.stable_step(&rest, &[0.5, 0.2]) * omega / 2.0 - 1.0).abs() < 1e-12);
        check::stable_step_is_the_edge(&SPRING, &rest, &[0.5, 0.2]);
    }

    #[test]
    fn it_resists_the_rate_of_its_strain_and_nothing_else() {
        check::damped_element(&Spring::from_rest(&X, 40.0), &X, &[X[1] * 1.3, X[0]]);
    }
}
