//! The membrane of a shell, St. Venant–Kirchhoff: one triangle of constant strain.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = (t/4) A [ ½α tr(M)² + β tr(M²) ]`, `M = ā⁻¹(a − ā)`, `a` the first fundamental form, `A` the rest area; as a quadratic form, `V = ¼ uᵀKu` with `uᵢ = ℓᵢ² − Lᵢ²` |
//! | Gradient | a force along each edge, `tᵢ eᵢ` with `t = K u` |
//! | Stable step | `h < 2/ω`, `ω²` the largest eigenvalue of the stiffness at the start over the shares of mass |
//! | Degenerate case | none: the energy is a polynomial of the positions. It is finite at zero area and cannot tell a triangle from its mirror image, so strong compression (below 0.58 in length) softens and can fold it flat: take neo-Hookean there |
//!
//! `K = t A [ (½α + β) ccᵀ + β/(2 det ā) (2I − 11ᵀ) ]`, `cᵢ = p̄ᵢ/det ā` (see `triangle.rs`), by
//! `tr(M) = Σ cᵢuᵢ` and `tr(M²) = tr(M)² − 2 det M`. About 60 flops, no division.

use carom_math::{Real, Vec3};
use carom_model::Element;

use crate::material::{Lame, ShellMaterial};
use crate::registry::{Descriptor, Membrane, Role};
use crate::triangle::{RestTriangle, edges, pull, stretch_rates, stretches, symmetric_times};

/// A triangle that resists stretching and shearing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MembraneStvk {
    /// Squares of the rest lengths of the edges, each opposite the corner of its number, in m².
    pub rest_edges_sq: [f64; 3],
    /// The matrix `K`, as `[00, 11, 22, 12, 20, 01]`, in N/m³.
    pub stiffness: [f64; 6],
}

impl MembraneStvk {
    /// A membrane without strain in the shape `rest`.
    #[must_use]
    pub fn from_rest(rest: &[Vec3; 3], material: &ShellMaterial) -> Self {
        let RestTriangle { edges_sq, corners, det, area } = RestTriangle::new(rest);
        let Lame { dilation, shear } = material.lame();
        let volume = material.thickness * area;
        let stiffness = RestTriangle::symmetric(|i, j| {
            let traces = (0.5 * dilation + shear) * (corners[i] / det) * (corners[j] / det);
            let determinant = 0.5 * shear / det * if i == j { 1.0 } else { -1.0 };
            volume * (traces + determinant)
        });
        Self { rest_edges_sq: edges_sq, stiffness }
    }
}

impl Element<3, 9> for MembraneStvk {
    const KIND: &'static str = "membrane-stvk";
    const ORDER: u32 = 130;
    const DAMPS: bool = true;

    fn params(&self) -> [f64; 9] {
        let ([a, b, c], [k0, k1, k2, k3, k4, k5]) = (self.rest_edges_sq, self.stiffness);
        [a, b, c, k0, k1, k2, k3, k4, k5]
    }

    #[inline(always)]
    fn energy<S: Real>(&[a, b, c, k0, k1, k2, k3, k4, k5]: &[S; 9], x: &[Vec3<S>; 3]) -> S {
        let u = stretches(&edges(x), &[a, b, c]);
        let t = symmetric_times(&[k0, k1, k2, k3, k4, k5], &u);
        (u[0] * t[0] + u[1] * t[1] + u[2] * t[2]) * 0.25
    }

    #[inline(always)]
    fn gradient<S: Real>(&[a, b, c, k0, k1, k2, k3, k4, k5]: &[S; 9], x: &[Vec3<S>; 3]) -> [Vec3<S>; 3] {
        let e = edges(x);
        pull(&e, &symmetric_times(&[k0, k1, k2, k3, k4, k5], &stretches(&e, &[a, b, c])))
    }

    #[inline(always)]
    fn resistance<S: Real>(
        &[_, _, _, k0, k1, k2, k3, k4, k5]: &[S; 9],
        x: &[Vec3<S>; 3],
        v: &[Vec3<S>; 3],
    ) -> [Vec3<S>; 3] {
        let e = edges(x);
        pull(&e, &symmetric_times(&[k0, k1, k2, k3, k4, k5], &stretch_rates(&e, v)))
    }
}

impl MembraneStvk {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: "membrane",
        order: Self::ORDER,
        about: "Stretch and shear of a shell in a triangle (St. Venant–Kirchhoff).",
        parameters: crate::material::SHELL_PARAMETERS,
        page: "membrane",
        damps: Self::DAMPS,
        role: Role::Membrane(Membrane {
            name: "stvk",
            about: "St. Venant–Kirchhoff: linear in the Green strain.",
            add: |builder, site, material| site.add(builder, Self::from_rest(&site.rest, material)),
            modulus: |material| material.young,
        }),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const REST: [Vec3; 3] = [Vec3::new(0.1, 0.0, 0.2), Vec3::new(1.2, 0.1, 0.1), Vec3::new(0.3, 0.9, 0.4)];
    const RUBBER: ShellMaterial = ShellMaterial { young: 70.0, poisson: 0.3, thickness: 0.1 };

    fn membrane() -> MembraneStvk {
        MembraneStvk::from_rest(&REST, &RUBBER)
    }

    #[test]
    fn it_is_a_sound_potential_far_from_rest() {
        check::near(REST, 0.4, |x| {
            check::internal_element(&membrane(), x);
        });
    }

    #[test]
    fn it_is_a_sound_potential_near_rest() {
        check::near(REST, 0.02, |x| {
            check::internal_element(&membrane(), x);
        });
    }

    #[test]
    fn at_rest_there_is_neither_energy_nor_force_to_the_last_bit() {
        check::nothing_at_rest(&membrane(), &REST, 0.0);
    }

    #[test]
    fn a_strip_pulled_with_free_sides_stores_half_youngs_modulus_times_strain_squared() {
        let strain = 1e-5;
        let stretch = |v: Vec3| Vec3::new(v.x * (1.0 + strain), v.y * (1.0 - RUBBER.poisson * strain), v.z);
        let rest = [Vec3::ZERO, Vec3::new(0.7, 0.2, 0.0), Vec3::new(-0.1, 0.5, 0.0)];
        let energy =
            MembraneStvk::energy(&MembraneStvk::from_rest(&rest, &RUBBER).params(), &rest.map(stretch));
        let volume = RUBBER.thickness * 0.5 * rest[1].cross(rest[2]).length();
        assert!((energy / (0.5 * RUBBER.young * strain * strain * volume) - 1.0).abs() < 3.0 * strain);
    }

    #[test]
    fn a_triangle_without_area_is_finite_and_feels_finite_forces() {
        let params = membrane().params();
        for x in [[Vec3::ZERO; 3], [Vec3::ZERO, Vec3::X, Vec3::X * 2.0]] {
            assert!(MembraneStvk::energy(&params, &x).is_finite());
            assert!(MembraneStvk::gradient(&params, &x).iter().all(|g| g.is_finite()));
        }
    }

    #[test]
    fn a_rest_shape_without_area_proposes_no_step() {
        let flat = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        assert!(MembraneStvk::from_rest(&flat, &RUBBER).stable_step(&REST, &[1.0; 3]).is_nan());
    }

    #[test]
    fn its_stable_step_is_the_edge_of_stability() {
        check::stable_step_is_the_edge(&membrane(), &REST, &[0.3, 0.2, 0.5]);
    }

    #[test]
    fn it_resists_the_rate_of_its_strain_and_nothing_else() {
        check::damped_element(&membrane(), &REST, &[REST[0] * 1.2, REST[2], REST[1] * 0.8]);
    }
}
