//! Two points that attract from afar and repel when near: Lennard-Jones.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = 4ε (s² − s)`, `s = (σ/r)⁶`, `r = ‖x₁ − x₀‖` |
//! | Gradient | `∂V/∂x₁ = −(24ε/r²)(2s² − s)(x₁ − x₀)`, `∂V/∂x₀ = −∂V/∂x₁` |
//! | Stable step | `h < 2/ω`, `ω² = V″(σ)(1/m₀ + 1/m₁)`, `V″(σ) = 456 ε/σ²`: particles that start far apart meet later, and where the potential crosses zero it is eight times as stiff as at its minimum |
//! | Degenerate case | at `r = 0` the energy is infinite and the gradient is not finite: the run stops there |

use carom_math::{Real, Vec3};
use carom_model::{Element, Parameter, Range};

use crate::registry::{Descriptor, PairLaw, Role};

/// A pair of particles with van der Waals forces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LennardJones {
    /// Depth `ε` of the well, in J.
    pub depth: f64,
    /// Distance `σ` at which the energy crosses zero, in m; the minimum is at `2^(1/6) σ`.
    pub diameter: f64,
}

impl Element<2, 2> for LennardJones {
    const KIND: &'static str = "pair-lennard-jones";
    const ORDER: u32 = 150;

    fn params(&self) -> [f64; 2] {
        [4.0 * self.depth, self.diameter * self.diameter]
    }

    #[inline(always)]
    fn energy<S: Real>(&[depth, diameter_sq]: &[S; 2], &[x0, x1]: &[Vec3<S>; 2]) -> S {
        let ratio = diameter_sq / (x1 - x0).length_sq();
        let s = ratio * ratio * ratio;
        depth * (s * (s - S::constant(1.0)))
    }

    #[inline(always)]
    fn gradient<S: Real>(&[depth, diameter_sq]: &[S; 2], &[x0, x1]: &[Vec3<S>; 2]) -> [Vec3<S>; 2] {
        let apart = x1 - x0;
        let inverse_sq = S::constant(1.0) / apart.length_sq();
        let ratio = diameter_sq * inverse_sq;
        let s = ratio * ratio * ratio;
        let pull = apart * (depth * inverse_sq * (s * (S::constant(6.0) - s * 12.0)));
        [-pull, pull]
    }

    fn stable_step(&self, _: &[Vec3; 2], masses: &[f64; 2]) -> f64 {
        let curvature = 456.0 * self.depth.abs() / (self.diameter * self.diameter);
        2.0 / (curvature * (1.0 / masses[0] + 1.0 / masses[1])).sqrt()
    }
}

impl LennardJones {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: "pairs",
        order: Self::ORDER,
        about: "Two points that attract from afar and repel when near.",
        parameters: &[
            Parameter::required("depth", "J", "Depth of the well, in J.", Range::AboveZero),
            Parameter::required(
                "diameter",
                "m",
                "Distance at which the energy is zero, in m.",
                Range::AboveZero,
            ),
        ],
        page: "pairs",
        damps: Self::DAMPS,
        role: Role::Pair(PairLaw {
            name: "lennard-jones",
            about: "Lennard-Jones: 4 depth ((diameter/r)¹² − (diameter/r)⁶).",
            one_of: &[],
            add: |builder, site, number| {
                let [depth, diameter] =
                    ["depth", "diameter"].map(|name| number(name).expect("it must be given"));
                builder.add(Self { depth, diameter }, site.stencil, site.owner, 1.0)
            },
        }),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const ARGON: LennardJones = LennardJones { depth: 1.3, diameter: 0.9 };
    const X: [Vec3; 2] = [Vec3::new(0.3, -0.1, 0.2), Vec3::new(1.1, 0.3, -0.5)];

    #[test]
    fn it_is_a_sound_potential() {
        check::near(X, 0.15, |x| {
            check::internal_element(&ARGON, x);
        });
    }

    #[test]
    fn the_well_is_as_deep_as_it_says_and_flat_at_the_bottom() {
        let bottom = [Vec3::ZERO, Vec3::X * (ARGON.diameter * 2.0_f64.powf(1.0 / 6.0))];
        assert!((LennardJones::energy(&ARGON.params(), &bottom) + ARGON.depth).abs() < 1e-15);
        assert!(LennardJones::gradient(&ARGON.params(), &bottom)[1].length() < 1e-13);
        let crossing = [Vec3::ZERO, Vec3::X * ARGON.diameter];
        assert!(LennardJones::energy(&ARGON.params(), &crossing).abs() < 1e-15);
    }

    #[test]
    fn the_stable_step_is_that_of_a_collision_wherever_the_pair_starts() {
        let (at_diameter, far) = ([Vec3::ZERO, Vec3::X * ARGON.diameter], [Vec3::ZERO, Vec3::X * 50.0]);
        let masses = [0.5, 0.2];
        let curvature = carom_model::hessian::<LennardJones, 2, 2>(&ARGON.params(), &at_diameter)[0];
        let omega = (curvature * (1.0 / masses[0] + 1.0 / masses[1])).sqrt();
        for x in [at_diameter, far] {
            assert!((ARGON.stable_step(&x, &masses) * omega / 2.0 - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn on_top_of_each_other_nothing_is_finite() {
        assert_eq!(LennardJones::energy(&ARGON.params(), &[Vec3::X; 2]), f64::INFINITY);
        assert!(!LennardJones::gradient(&ARGON.params(), &[Vec3::X; 2])[0].is_finite());
    }
}
