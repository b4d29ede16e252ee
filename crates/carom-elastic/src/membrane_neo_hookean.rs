//! The membrane of a shell, neo-Hookean under plane stress: it cannot be collapsed.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = (t/2) A [ β (tr(ā⁻¹a) − 2 − 2 ln J) + α (ln J)² ]`, `ln J = ½ ln(det a/det ā)`, `A` the rest area |
//! | Gradient | a force along each edge, `tᵢ eᵢ` with `tᵢ = t A/(1 + d) · [ (β d + α ln J) cᵢ + (α ln J − β) σᵢ ]` |
//! | Stable step | `h < 2/ω`, `ω²` the largest eigenvalue of the stiffness at the start over the shares of mass |
//! | Degenerate case | at zero area the energy is infinite and the gradient not finite: the run stops there |
//!
//! With `uᵢ = ℓᵢ² − Lᵢ²` and the corner products of `triangle.rs`, `cᵢ = p̄ᵢ/det ā`,
//! `σᵢ = ½(uⱼ + uₖ − uᵢ)/det ā`: `tr(ā⁻¹a) − 2 = Σ cᵢuᵢ`, and `1 + d = det a/det ā` with
//! `d = Σ cᵢuᵢ + det ā (σ₀σ₁ + σ₁σ₂ + σ₂σ₀)`. Written in `u` and `d`, nothing cancels near rest:
//! energy and force vanish there to the last bit. About 90 flops, one division, one logarithm.
//!
//! For a negative Poisson's ratio `α < 0`, and the last term overcomes the barrier in the end: take
//! St. Venant–Kirchhoff there.

use carom_math::{Real, Vec3};
use carom_model::Element;

use crate::logarithm::{Log, log_of_one_plus};
use crate::material::{Lame, ShellMaterial};
use crate::registry::{Descriptor, Membrane, Role};
use crate::triangle::{RestTriangle, edges, pull, stretch_rates, stretches};

/// A triangle that resists stretching, shearing, and without bound the loss of its area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MembraneNeoHookean {
    /// Squares of the rest lengths of the edges, each opposite the corner of its number, in m².
    pub rest_edges_sq: [f64; 3],
    /// `cᵢ = p̄ᵢ/det ā` of the rest shape: what the edges contribute to the change of area, in 1/m².
    pub corners: [f64; 3],
    /// `1/(4 det ā)`, in 1/m⁴.
    pub quarter_inverse_det: f64,
    /// Thickness times rest area times `α`, in J.
    pub dilation: f64,
    /// Thickness times rest area times `β`, in J.
    pub shear: f64,
}

impl MembraneNeoHookean {
    /// A membrane without strain in the shape `rest`.
    #[must_use]
    pub fn from_rest(rest: &[Vec3; 3], material: &ShellMaterial) -> Self {
        let RestTriangle { edges_sq, corners, det, area } = RestTriangle::new(rest);
        let Lame { dilation, shear } = material.lame();
        let volume = material.thickness * area;
        Self {
            rest_edges_sq: edges_sq,
            corners: corners.map(|p| p / det),
            quarter_inverse_det: 0.25 / det,
            dilation: volume * dilation,
            shear: volume * shear,
        }
    }
}

/// The change of the first fundamental form against rest.
struct Strain<S> {
    /// `2 det ā σᵢ = uⱼ + uₖ − uᵢ`, in m².
    corners: [S; 3],
    /// `det M`: the part of `d` that is of second order.
    second_order: S,
    /// `det a/det ā − 1`.
    d: S,
}

impl<S: Real> Strain<S> {
    #[inline(always)]
    fn new(params: &[S; 9], edges: &[Vec3<S>; 3]) -> Self {
        let [l0, l1, l2, c0, c1, c2, quarter, _, _] = *params;
        let [u0, u1, u2] = stretches(edges, &[l0, l1, l2]);
        let [s0, s1, s2] = [u1 + u2 - u0, u2 + u0 - u1, u0 + u1 - u2];
        let second_order = (s0 * s1 + s1 * s2 + s2 * s0) * quarter;
        let d = (c0 * u0 + c1 * u1 + c2 * u2) + second_order;
        Self { corners: [s0, s1, s2], second_order, d }
    }
}

impl Element<3, 9> for MembraneNeoHookean {
    const KIND: &'static str = "membrane-neo-hookean";
    const ORDER: u32 = 120;
    const DAMPS: bool = true;

    fn params(&self) -> [f64; 9] {
        let ([a, b, c], [p, q, r]) = (self.rest_edges_sq, self.corners);
        [a, b, c, p, q, r, self.quarter_inverse_det, self.dilation, self.shear]
    }

    #[inline(always)]
    fn energy<S: Real>(params: &[S; 9], x: &[Vec3<S>; 3]) -> S {
        let [.., dilation, shear] = *params;
        let strain = Strain::new(params, &edges(x));
        let Log { log, .. } = log_of_one_plus(strain.d);
        ((strain.d - log - strain.second_order) * shear + log.squared() * dilation * 0.25) * 0.5
    }

    #[inline(always)]
    fn gradient<S: Real>(params: &[S; 9], x: &[Vec3<S>; 3]) -> [Vec3<S>; 3] {
        let [_, _, _, c0, c1, c2, quarter, dilation, shear] = *params;
        let e = edges(x);
        let Strain { corners: [s0, s1, s2], d, .. } = Strain::new(params, &e);
        let Log { log, inverse } = log_of_one_plus(d);
        let spread = dilation * log * 0.5;
        let along_rest = (shear * d + spread) * inverse;
        let along_strain = (spread - shear) * inverse * quarter * 2.0;
        let tensions = [
            along_rest * c0 + along_strain * s0,
            along_rest * c1 + along_strain * s1,
            along_rest * c2 + along_strain * s2,
        ];
        pull(&e, &tensions)
    }

    /// With the stiffness at rest, `∂tᵢ/∂uⱼ` at `u = 0`.
    #[inline(always)]
    fn resistance<S: Real>(params: &[S; 9], x: &[Vec3<S>; 3], v: &[Vec3<S>; 3]) -> [Vec3<S>; 3] {
        let [_, _, _, c0, c1, c2, quarter, dilation, shear] = *params;
        let e = edges(x);
        let [u0, u1, u2] = stretch_rates(&e, v);
        let along_rest = (shear + dilation * 0.5) * (c0 * u0 + c1 * u1 + c2 * u2);
        let along_strain = -(shear * quarter * 2.0);
        let tensions = [
            along_rest * c0 + along_strain * (u1 + u2 - u0),
            along_rest * c1 + along_strain * (u2 + u0 - u1),
            along_rest * c2 + along_strain * (u0 + u1 - u2),
        ];
        pull(&e, &tensions)
    }
}

impl MembraneNeoHookean {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: "membrane",
        order: Self::ORDER,
        about: "Stretch and shear of a shell in a triangle that cannot be collapsed.",
        parameters: crate::material::SHELL_PARAMETERS,
        page: "membrane",
        damps: Self::DAMPS,
        role: Role::Membrane(Membrane {
            name: "neo-hookean",
            about: "Neo-Hookean in plane stress: a triangle cannot be compressed to zero area.",
            add: |builder, site, material| site.add(builder, Self::from_rest(&site.rest, material)),
            modulus: |material| material.young,
        }),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MembraneStvk, check};

    const REST: [Vec3; 3] = [Vec3::new(0.1, 0.0, 0.2), Vec3::new(1.2, 0.1, 0.1), Vec3::new(0.3, 0.9, 0.4)];
    const RUBBER: ShellMaterial = ShellMaterial { young: 70.0, poisson: 0.3, thickness: 0.1 };

    fn membrane() -> MembraneNeoHookean {
        MembraneNeoHookean::from_rest(&REST, &RUBBER)
    }

    #[test]
    fn it_is_a_sound_potential_far_from_rest() {
        check::near(REST, 0.2, |x| {
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
    fn at_small_strain_it_is_st_venant_kirchhoff() {
        check::near(REST, 1e-5, |x| {
            let other = MembraneStvk::from_rest(&REST, &RUBBER).params();
            let (ours, theirs) =
                (MembraneNeoHookean::energy(&membrane().params(), x), MembraneStvk::energy(&other, x));
            assert!((ours / theirs - 1.0).abs() < 2e-3, "{ours} against {theirs}");
        });
    }

    #[test]
    fn at_rest_there_is_neither_energy_nor_force_to_the_last_bit() {
        check::nothing_at_rest(&membrane(), &REST, 0.0);
    }

    #[test]
    fn it_costs_ever_more_to_press_it_flat_and_flat_is_not_finite() {
        let params = membrane().params();
        let foot = REST[1] + (REST[2] - REST[1]) * 0.4;
        let pressed = |rest: f64| [foot + (REST[0] - foot) * rest, REST[1], REST[2]];
        let energies =
            [1e-1, 1e-2, 1e-3, 1e-4, 1e-5].map(|r| MembraneNeoHookean::energy(&params, &pressed(r)));
        assert!(energies.is_sorted() && energies[4] > 2.0 * energies[2], "{energies:?}");
        let flat = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        assert_eq!(MembraneNeoHookean::energy(&params, &flat), f64::INFINITY);
        assert!(!MembraneNeoHookean::gradient(&params, &flat).iter().any(|g| g.is_finite()));
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
