//! A solid, St. Venant–Kirchhoff: one tetrahedron of constant strain.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = v [ ½λ tr(ε)² + μ tr(ε²) ]`, `ε = ½(FᵀF − I)`, `v` the rest volume; +∞ for `J = det F ≤ 0` |
//! | Gradient | `∂V/∂xₖ = Σ P·volume R⁻ᵀ`, `P = F (λ tr(ε) I + 2μ ε)` |
//! | Stable step | `h < 2/ω`, `ω²` the largest eigenvalue of the stiffness at the start over the shares of mass |
//! | Degenerate case | the polynomial does not resist inversion: strong compression (below 0.58 in length) softens and can press a tetrahedron flat. For `J ≤ 0` the energy is infinite and the gradient is not finite, so that the run stops instead of going on inside out: take neo-Hookean there |
//!
//! About 175 flops, no division.

use carom_math::{Real, Vec3};
use carom_model::Element;

use crate::material::{Lame, SolidMaterial};
use crate::registry::{Descriptor, Role, Solid};
use crate::tetrahedron::{RestTetrahedron, deformation, forces, twice_green, viscous_forces};

/// A tetrahedron that resists a change of its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetStvk {
    /// Inverse of the rest edges in a frame of their own, upper triangle `[00, 01, 02, 11, 12, 22]`, in 1/m.
    pub rest_inverse: [f64; 6],
    /// Rest volume times `λ`, in J.
    pub dilation: f64,
    /// Rest volume times `μ`, in J.
    pub shear: f64,
}

impl TetStvk {
    /// A tetrahedron without strain in the shape `rest`.
    #[must_use]
    pub fn from_rest(rest: &[Vec3; 4], material: &SolidMaterial) -> Self {
        let RestTetrahedron { inverse, volume } = RestTetrahedron::new(rest);
        let Lame { dilation, shear } = material.lame();
        Self { rest_inverse: inverse, dilation: volume * dilation, shear: volume * shear }
    }
}

/// `value`, or infinity for a tetrahedron that is flat or inside out.
#[inline(always)]
fn unless_inverted<S: Real>(value: S, [f0, f1, f2]: &[Vec3<S>; 3]) -> S {
    let jacobian = f0.dot(f1.cross(*f2));
    value.where_nonzero(jacobian.where_above(S::zero(), S::zero()), S::constant(f64::INFINITY))
}

impl Element<4, 8> for TetStvk {
    const KIND: &'static str = "tet-stvk";
    const ORDER: u32 = 200;
    const DAMPS: bool = true;

    fn params(&self) -> [f64; 8] {
        let [a, b, c, d, e, f] = self.rest_inverse;
        [a, b, c, d, e, f, self.dilation, self.shear]
    }

    #[inline(always)]
    fn energy<S: Real>(&[a, b, c, d, e, f, dilation, shear]: &[S; 8], x: &[Vec3<S>; 4]) -> S {
        let f = deformation(&[a, b, c, d, e, f], x);
        let [g0, g1, g2, g12, g20, g01] = twice_green(&f);
        let diagonal = g0.squared() + g1.squared() + g2.squared();
        let off_diagonal = g12.squared() + g20.squared() + g01.squared();
        let energy =
            dilation * (g0 + g1 + g2).squared() * 0.125 + shear * (diagonal + off_diagonal * 2.0) * 0.25;
        unless_inverted(energy, &f)
    }

    #[inline(always)]
    fn gradient<S: Real>(&[a, b, c, d, e, f, dilation, shear]: &[S; 8], x: &[Vec3<S>; 4]) -> [Vec3<S>; 4] {
        let inverse = [a, b, c, d, e, f];
        let [f0, f1, f2] = deformation(&inverse, x);
        let [g0, g1, g2, g12, g20, g01] = twice_green(&[f0, f1, f2]);
        let pressure = unless_inverted(dilation * (g0 + g1 + g2) * 0.5, &[f0, f1, f2]);
        let (s12, s20, s01) = (shear * g12, shear * g20, shear * g01);
        let stress = [
            f0 * (pressure + shear * g0) + f1 * s01 + f2 * s20,
            f0 * s01 + f1 * (pressure + shear * g1) + f2 * s12,
            f0 * s20 + f1 * s12 + f2 * (pressure + shear * g2),
        ];
        forces(&inverse, &stress)
    }

    #[inline(always)]
    fn resistance<S: Real>(
        &[a, b, c, d, e, f, dilation, shear]: &[S; 8],
        x: &[Vec3<S>; 4],
        v: &[Vec3<S>; 4],
    ) -> [Vec3<S>; 4] {
        viscous_forces(&[a, b, c, d, e, f], [dilation, shear], x, v)
    }
}

impl TetStvk {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: "solid",
        order: Self::ORDER,
        about: "A tetrahedron of a solid (St. Venant–Kirchhoff).",
        parameters: crate::material::SOLID_PARAMETERS,
        page: "tetrahedron",
        damps: Self::DAMPS,
        role: Role::Solid(Solid {
            name: "stvk",
            about: "St. Venant–Kirchhoff: linear in the Green strain. It does not resist inversion, which stops the run.",
            add: |builder, site, material| site.add(builder, Self::from_rest(&site.rest, material)),
            modulus: |material| material.young,
            negative_poisson: None,
        }),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const REST: [Vec3; 4] = [
        Vec3::new(0.1, 0.0, 0.2),
        Vec3::new(1.2, 0.1, 0.1),
        Vec3::new(0.3, 0.9, 0.4),
        Vec3::new(0.4, 0.3, 1.1),
    ];
    const RUBBER: SolidMaterial = SolidMaterial { young: 70.0, poisson: 0.3 };

    #[test]
    fn it_is_a_sound_potential_far_from_rest() {
        check::near(REST, 0.12, |x| {
            check::internal_element(&TetStvk::from_rest(&REST, &RUBBER), x);
        });
    }

    #[test]
    fn it_is_a_sound_potential_near_rest() {
        check::near(REST, 0.02, |x| {
            check::internal_element(&TetStvk::from_rest(&REST, &RUBBER), x);
        });
    }

    #[test]
    fn at_rest_there_is_neither_energy_nor_force() {
        check::nothing_at_rest(&TetStvk::from_rest(&REST, &RUBBER), &REST, 1e-15);
    }

    #[test]
    fn a_bar_pulled_with_free_sides_stores_half_youngs_modulus_times_strain_squared() {
        let strain = 1e-5;
        let side = 1.0 - RUBBER.poisson * strain;
        let pulled = REST.map(|p| Vec3::new(p.x * (1.0 + strain), p.y * side, p.z * side));
        let energy = TetStvk::energy(&TetStvk::from_rest(&REST, &RUBBER).params(), &pulled);
        let volume = RestTetrahedron::new(&REST).volume;
        assert!((energy / (0.5 * RUBBER.young * strain * strain * volume) - 1.0).abs() < 3.0 * strain);
    }

    #[test]
    fn a_tetrahedron_pressed_flat_or_turned_inside_out_has_no_finite_energy_and_no_finite_force() {
        let params = TetStvk::from_rest(&REST, &RUBBER).params();
        for x in [[Vec3::X; 4], REST.map(|p| Vec3::new(p.x, p.y, 0.0)), REST.map(|p| -p)] {
            assert!(!TetStvk::energy(&params, &x).is_finite());
            assert!(TetStvk::gradient(&params, &x).iter().any(|g| !g.is_finite()));
        }
        let nearly_flat = REST.map(|p| Vec3::new(p.x, p.y, 1e-9 * p.z));
        assert!(TetStvk::energy(&params, &nearly_flat).is_finite());
        assert!(TetStvk::gradient(&params, &nearly_flat).iter().all(|g| g.is_finite()));
    }

    #[test]
    fn its_stable_step_is_the_edge_of_stability() {
        check::stable_step_is_the_edge(&TetStvk::from_rest(&REST, &RUBBER), &REST, &[0.3, 0.2, 0.5, 0.4]);
    }

    #[test]
    fn it_resists_the_rate_of_its_strain_and_nothing_else() {
        check::damped_element(
            &TetStvk::from_rest(&REST, &RUBBER),
            &REST,
            &[REST[0] * 1.2, REST[1], REST[2] * 0.8, REST[3]],
        );
    }
}
