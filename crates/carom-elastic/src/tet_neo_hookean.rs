//! A solid, compressible neo-Hookean: one tetrahedron that cannot be inverted.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = v [ ½μ (I₁ − 3) − μ ln J + ½λ (ln J)² ]`, `I₁ = tr(FᵀF)`, `J = det F`, `v` the rest volume; +∞ for `J ≤ 0` |
//! | Gradient | `∂V/∂xₖ = Σ P·volume R⁻ᵀ`, `P = μF + (λ ln J − μ) F⁻ᵀ`, `F⁻ᵀ = cof F/J` |
//! | Stable step | `h < 2/ω`, `ω²` the largest eigenvalue of the stiffness at the start over the shares of mass |
//! | Degenerate case | for `J ≤ 0` the energy is infinite and the gradient is not finite: a step that inverts a tetrahedron stops the run, and is never silently wrong |
//!
//! The gradient takes about 150 flops, one division, one logarithm. The energy is computed from
//! `FᵀF − I`, so that nothing cancels near rest. For a negative Poisson's ratio `λ < 0`, and the
//! last term overcomes the barrier in the end: take St. Venant–Kirchhoff there.

use carom_math::{Real, Vec3};
use carom_model::Element;

use crate::logarithm::log_of_one_plus;
use crate::material::{Lame, SolidMaterial};
use crate::registry::{Descriptor, Role, Solid};
use crate::tetrahedron::{RestTetrahedron, deformation, forces, twice_green, viscous_forces};

/// A tetrahedron that resists a change of its shape, and without bound the loss of its volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TetNeoHookean {
    /// Inverse of the rest edges in a frame of their own, upper triangle `[00, 01, 02, 11, 12, 22]`, in 1/m.
    pub rest_inverse: [f64; 6],
    /// Rest volume times `λ`, in J.
    pub dilation: f64,
    /// Rest volume times `μ`, in J.
    pub shear: f64,
}

impl TetNeoHookean {
    /// A tetrahedron without strain in the shape `rest`.
    #[must_use]
    pub fn from_rest(rest: &[Vec3; 4], material: &SolidMaterial) -> Self {
        let RestTetrahedron { inverse, volume } = RestTetrahedron::new(rest);
        let Lame { dilation, shear } = material.lame();
        Self { rest_inverse: inverse, dilation: volume * dilation, shear: volume * shear }
    }
}

impl Element<4, 8> for TetNeoHookean {
    const KIND: &'static str = "tet-neo-hookean";
    const ORDER: u32 = 190;
    const DAMPS: bool = true;

    fn params(&self) -> [f64; 8] {
        let [a, b, c, d, e, f] = self.rest_inverse;
        [a, b, c, d, e, f, self.dilation, self.shear]
    }

    #[inline(always)]
    fn energy<S: Real>(&[a, b, c, d, e, f, dilation, shear]: &[S; 8], x: &[Vec3<S>; 4]) -> S {
        let [f0, f1, f2] = deformation(&[a, b, c, d, e, f], x);
        let [g0, g1, g2, g12, g20, g01] = twice_green(&[f0, f1, f2]);
        // The invariants of FᵀF − I: J² − 1 is the sum of all three.
        let minors = (g0 * g1 - g01.squared()) + (g1 * g2 - g12.squared()) + (g2 * g0 - g20.squared());
        let det =
            g0 * (g1 * g2 - g12.squared()) - g01 * (g01 * g2 - g12 * g20) + g20 * (g01 * g12 - g1 * g20);
        let higher = minors + det;
        let d = (g0 + g1 + g2) + higher;
        let log = log_of_one_plus(d).log;
        let energy = shear * (d - log - higher) * 0.5 + dilation * log.squared() * 0.125;
        let jacobian = f0.dot(f1.cross(f2));
        energy.where_nonzero(jacobian.where_above(S::zero(), S::zero()), S::constant(f64::INFINITY))
    }

    #[inline(always)]
    fn gradient<S: Real>(&[a, b, c, d, e, f, dilation, shear]: &[S; 8], x: &[Vec3<S>; 4]) -> [Vec3<S>; 4] {
        let inverse = [a, b, c, d, e, f];
        let [f0, f1, f2] = deformation(&inverse, x);
        let (c0, c1, c2) = (f1.cross(f2), f2.cross(f0), f0.cross(f1));
        let jacobian = f0.dot(c0);
        let upright = jacobian.where_above(S::zero(), S::zero());
        let pressure = (dilation * upright.ln() - shear) / upright;
        let stress = [f0 * shear + c0 * pressure, f1 * shear + c1 * pressure, f2 * shear + c2 * pressure];
        forces(&inverse, &stress)
    }

    /// With the stiffness at rest.
    #[inline(always)]
    fn resistance<S: Real>(
        &[a, b, c, d, e, f, dilation, shear]: &[S; 8],
        x: &[Vec3<S>; 4],
        v: &[Vec3<S>; 4],
    ) -> [Vec3<S>; 4] {
        viscous_forces(&[a, b, c, d, e, f], [dilation, shear], x, v)
    }
}

impl TetNeoHookean {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: "solid",
        order: Self::ORDER,
        about: "A tetrahedron of a solid that cannot be inverted.",
        parameters: crate::material::SOLID_PARAMETERS,
        page: "tetrahedron",
        damps: Self::DAMPS,
        role: Role::Solid(Solid {
            name: "neo-hookean",
            about: "Neo-Hookean: a tetrahedron cannot be inverted.",
            add: |builder, site, material| site.add(builder, Self::from_rest(&site.rest, material)),
            modulus: |material| material.young,
            negative_poisson: Some([
                "a neo-Hookean solid with a negative Poisson's ratio can be turned inside out",
                "take law = \"stvk\" there",
            ]),
        }),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TetStvk, check};

    const REST: [Vec3; 4] = [
        Vec3::new(0.1, 0.0, 0.2),
        Vec3::new(1.2, 0.1, 0.1),
        Vec3::new(0.3, 0.9, 0.4),
        Vec3::new(0.4, 0.3, 1.1),
    ];
    const RUBBER: SolidMaterial = SolidMaterial { young: 70.0, poisson: 0.3 };

    fn tet() -> TetNeoHookean {
        TetNeoHookean::from_rest(&REST, &RUBBER)
    }

    #[test]
    fn it_is_a_sound_potential_far_from_rest() {
        check::near(REST, 0.12, |x| {
            check::internal_element(&tet(), x);
        });
    }

    #[test]
    fn it_is_a_sound_potential_near_rest() {
        check::near(REST, 0.02, |x| {
            check::internal_element(&tet(), x);
        });
    }

    #[test]
    fn at_small_strain_it_is_st_venant_kirchhoff() {
        check::near(REST, 1e-5, |x| {
            let other = TetStvk::from_rest(&REST, &RUBBER).params();
            let (ours, theirs) = (TetNeoHookean::energy(&tet().params(), x), TetStvk::energy(&other, x));
            assert!((ours / theirs - 1.0).abs() < 2e-3, "{ours} against {theirs}");
        });
    }

    #[test]
    fn at_rest_there_is_neither_energy_nor_force() {
        check::nothing_at_rest(&tet(), &REST, 1e-15);
    }

    #[test]
    fn inside_out_or_pressed_flat_the_energy_is_infinite_and_no_force_is_finite() {
        for poisson in [0.3, 0.0, -0.2] {
            let params = TetNeoHookean::from_rest(&REST, &SolidMaterial { young: 70.0, poisson }).params();
            let mirrored = REST.map(|p| Vec3::new(p.x, p.y, -p.z));
            for x in [mirrored, REST.map(|p| Vec3::new(p.x, p.y, 0.0)), [Vec3::X; 4]] {
                assert_eq!(TetNeoHookean::energy(&params, &x), f64::INFINITY);
                assert!(!TetNeoHookean::gradient(&params, &x).iter().any(|g| g.is_finite()));
            }
        }
    }

    #[test]
    fn a_rest_shape_of_the_other_orientation_is_as_good() {
        let swap = |x: [Vec3; 4]| [x[1], x[0], x[2], x[3]];
        let x = REST.map(|p| Vec3::new(p.x * 1.2 + 0.1 * p.y, p.y, 0.8 * p.z));
        let other = TetNeoHookean::from_rest(&swap(REST), &RUBBER).params();
        let (ours, theirs) =
            (TetNeoHookean::energy(&tet().params(), &x), TetNeoHookean::energy(&other, &swap(x)));
        assert!((ours / theirs - 1.0).abs() < 1e-13);
    }

    #[test]
    fn a_rest_shape_without_volume_proposes_no_step() {
        let flat = REST.map(|p| Vec3::new(p.x, p.y, 0.0));
        assert!(TetNeoHookean::from_rest(&flat, &RUBBER).stable_step(&REST, &[1.0; 4]).is_nan());
    }

    #[test]
    fn its_stable_step_is_the_edge_of_stability() {
        check::stable_step_is_the_edge(&tet(), &REST, &[0.3, 0.2, 0.5, 0.4]);
    }

    #[test]
    fn it_resists_the_rate_of_its_strain_and_nothing_else() {
        check::damped_element(&tet(), &REST, &[REST[0] * 1.2, REST[1], REST[2] * 0.8, REST[3]]);
    }
}
