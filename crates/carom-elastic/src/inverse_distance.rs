//! Two points whose energy goes as one over their distance: charges, masses.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = k/r`, `r = ‖x₁ − x₀‖`; `k < 0` attracts |
//! | Gradient | `∂V/∂x₁ = −(k/r³)(x₁ − x₀)`, `∂V/∂x₀ = −∂V/∂x₁` |
//! | Stable step | `h < 2/ω`, `ω² = (2│k│/r³)(1/m₀ + 1/m₁)`, `r` the shorter of the start distance and the closest approach foreseen |
//! | Degenerate case | at `r = 0` the energy is infinite and the gradient is not finite: the run stops there |

use carom_math::{Real, Vec3};
use carom_model::{Element, Parameter, Range};

use crate::registry::{Descriptor, PairLaw, Role};

/// A pair of charges or of masses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InverseDistance {
    /// Strength `k`, in J·m: positive repels, negative attracts.
    pub strength: f64,
    /// Closest approach foreseen, in m, for which the step must be short enough; infinite if the
    /// pair never comes nearer than it starts.
    pub closest: f64,
}

impl InverseDistance {
    /// Newton's constant of gravitation, in m³/(kg·s²) (CODATA 2022).
    pub const GRAVITATION: f64 = 6.674_30e-11;

    /// Coulomb's constant `1/(4πε₀)`, in N·m²/C² (CODATA 2022).
    pub const COULOMB: f64 = 8.987_551_786_2e9;

    /// The attraction of two masses, in kg.
    #[must_use]
    pub fn of_masses(masses: [f64; 2], closest: f64) -> Self {
        Self { strength: -Self::GRAVITATION * masses[0] * masses[1], closest }
    }

    /// The force between two charges, in C.
    #[must_use]
    pub fn of_charges(charges: [f64; 2], closest: f64) -> Self {
        Self { strength: Self::COULOMB * charges[0] * charges[1], closest }
    }
}

impl Element<2, 1> for InverseDistance {
    const KIND: &'static str = "pair-inverse-distance";
    const ORDER: u32 = 140;

    fn params(&self) -> [f64; 1] {
        [self.strength]
    }

    #[inline(always)]
    fn energy<S: Real>(&[strength]: &[S; 1], &[x0, x1]: &[Vec3<S>; 2]) -> S {
        strength / (x1 - x0).length()
    }

    #[inline(always)]
    fn gradient<S: Real>(&[strength]: &[S; 1], &[x0, x1]: &[Vec3<S>; 2]) -> [Vec3<S>; 2] {
        let apart = x1 - x0;
        let distance_sq = apart.length_sq();
        let push = apart * (strength / (distance_sq * distance_sq.sqrt()));
        [push, -push]
    }

    fn stable_step(&self, &[x0, x1]: &[Vec3; 2], masses: &[f64; 2]) -> f64 {
        let distance = (x1 - x0).length().min(self.closest);
        let curvature = 2.0 * self.strength.abs() / (distance * distance * distance);
        2.0 / (curvature * (1.0 / masses[0] + 1.0 / masses[1])).sqrt()
    }
}

impl InverseDistance {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: "pairs",
        order: Self::ORDER,
        about: "Two points with an energy of one over their distance: charges, masses.",
        parameters: &[
            Parameter::optional(
                "strength",
                "J·m",
                "Energy times distance of each pair, in J·m: positive repels.",
                Range::Any,
            ),
            Parameter::optional(
                "gravitation",
                "m³/(kg·s²)",
                "The constant of gravitation, in m³/(kg·s²), instead of strength: masses attract.",
                Range::AboveZero,
            ),
            Parameter::optional(
                "closest",
                "m",
                "Closest approach foreseen, in m, for which the step must be short enough; if it is not given, no pair comes nearer than \
                 it starts.",
                Range::AboveZero,
            ),
        ],
        page: "pairs",
        damps: Self::DAMPS,
        role: Role::Pair(PairLaw {
            name: "inverse-distance",
            about: "Inverse distance: strength/r, for charges, or −gravitation m m′/r, for masses.",
            one_of: &["strength", "gravitation"],
            add: |builder, site, number| {
                let [m, n] = site.masses;
                let of_masses = || number("gravitation").map_or(0.0, |g| -g * m * n);
                let strength = number("strength").unwrap_or_else(of_masses);
                let closest = number("closest").unwrap_or(f64::INFINITY);
                builder.add(Self { strength, closest }, site.stencil, site.owner, 1.0)
            },
        }),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const PAIR: InverseDistance = InverseDistance { strength: -3.0, closest: f64::INFINITY };
    const X: [Vec3; 2] = [Vec3::new(0.3, -0.1, 0.2), Vec3::new(1.9, 0.4, -0.7)];

    #[test]
    fn it_is_a_sound_potential() {
        check::near(X, 0.4, |x| {
            check::internal_element(&PAIR, x);
            check::internal_element(&InverseDistance { strength: 2.0, ..PAIR }, x);
        });
    }

    #[test]
    fn two_kilograms_a_metre_apart_attract_by_newtons_constant() {
        let pair = InverseDistance::of_masses([2.0, 0.5], f64::INFINITY);
        let g = InverseDistance::gradient(&pair.params(), &[Vec3::ZERO, Vec3::X]);
        assert!((g[1].x - InverseDistance::GRAVITATION).abs() < 1e-25);
        assert!(InverseDistance::of_charges([1e-6, -1e-6], f64::INFINITY).strength < 0.0);
    }

    #[test]
    fn the_stable_step_is_that_of_the_closest_approach() {
        let masses = [0.5, 0.2];
        let curvature =
            carom_model::hessian::<InverseDistance, 2, 1>(&PAIR.params(), &[Vec3::ZERO, Vec3::X])[0];
        let omega = (curvature.abs() * (1.0 / masses[0] + 1.0 / masses[1])).sqrt();
        let near = PAIR.stable_step(&[Vec3::ZERO, Vec3::X], &masses);
        assert!((near * omega / 2.0 - 1.0).abs() < 1e-12);
        let foreseen = InverseDistance { closest: 1.0, ..PAIR };
        assert_eq!(foreseen.stable_step(&[Vec3::ZERO, Vec3::X * 7.0], &masses), near);
    }

    #[test]
    fn on_top_of_each_other_nothing_is_finite() {
        assert!(!InverseDistance::energy(&PAIR.params(), &[Vec3::X; 2]).is_finite());
        assert!(!InverseDistance::gradient(&PAIR.params(), &[Vec3::X; 2])[0].is_finite());
    }
}
