//! The bending of a sheet that is flat at rest, edge by edge, quadratic in the positions.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = ½‖q‖²`, `q = s_b (b − a) + s_c (c − a) + s_d (d − a)`; with `h̄` the distances of `c` and `d` from the edge at rest and `f̄` the feet of these altitudes, as fractions of the edge from `a`: `s_c = σ‖ē‖/h̄_c`, `s_d = σ‖ē‖/h̄_d`, `s_b = −(f̄_c s_c + f̄_d s_d)`, `σ² = D/(Ā₁ + Ā₂)` |
//! | Gradient | `s_b q`, `s_c q`, `s_d q`, and on `a` the negative of their sum |
//! | Stable step | `h < 2/ω`, `ω² = Σ sᵢ²/mᵢ` over the shares of mass, `s_a = −(s_b + s_c + s_d)`: the stiffness is the same everywhere |
//! | Degenerate case | none: the energy is a quadratic form of the positions. Two triangles folded onto each other store `2D‖ē‖²/(Ā₁ + Ā₂)` and feel no push: contact must keep them apart |
//!
//! The stencil is `[a, b, c, d]`: the edge, then the corner opposite it on either side. The numbers
//! `s/σ` are the cotangent weights of [Bergou2006, isometric bending model]: `q = 0` wherever the stencil is an affine image
//! of its flat rest shape. Where lengths stay, `‖q‖ = 2σ‖ē‖ sin(θ/2)`, so `V = ½ k (2 sin(θ/2))²` with the stiffness
//! `k` of the hinge (see `bending_hinge.rs`), and the two agree to second order in the angle.
//! About 40 flops, no division, no root.
//!
//! Limits: the rest shape must be flat across the edge, or there is energy and force at rest; where a bent sheet is stretched
//! too, its bending grows with the stretch. Otherwise those of the hinge: not quantitative but for a cylinder on equilateral
//! and on axis-aligned right-angled meshes.
//!
//! It cannot be damped: the strain `q` is a vector that turns with the sheet, so what resists its rate would resist rigid
//! rotation.

use carom_math::{Real, Vec3};
use carom_model::Element;

use crate::material::ShellMaterial;
use crate::registry::{AddBending, Bending, Descriptor, Role};

/// An edge between two triangles, coplanar at rest, that resists folding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendingQuadratic {
    /// Weights `s_b`, `s_c` and `s_d`, in √(N/m).
    pub weights: [f64; 3],
}

impl BendingQuadratic {
    /// Without moment in the flat shape `rest`, given as edge, edge, opposite, opposite.
    #[must_use]
    pub fn from_rest(rest: &[Vec3; 4], material: &ShellMaterial) -> Self {
        Self::with_rigidity(rest, material.bending_rigidity())
    }

    /// The element at this rest shape, for a sheet with this bending rigidity `D`, in N·m.
    #[must_use]
    pub fn with_rigidity(&[a, b, c, d]: &[Vec3; 4], rigidity: f64) -> Self {
        let (edge, to_first, to_second) = (b - a, c - a, d - a);
        // Twice the areas: the length of the edge times the altitudes.
        let (first, second) = (edge.cross(to_first).length(), edge.cross(to_second).length());
        let scale = (2.0 * rigidity / (first + second)).sqrt();
        let on_b = -(edge.dot(to_first) / first + edge.dot(to_second) / second);
        let weights = [on_b, edge.length_sq() / first, edge.length_sq() / second];
        Self { weights: weights.map(|w| scale * w) }
    }
}

/// The vector `q`, in √J.
#[inline(always)]
fn strain<S: Real>(&[s_b, s_c, s_d]: &[S; 3], &[a, b, c, d]: &[Vec3<S>; 4]) -> Vec3<S> {
    (b - a) * s_b + (c - a) * s_c + (d - a) * s_d
}

impl Element<4, 3> for BendingQuadratic {
    const KIND: &'static str = "bending-quadratic";
    const ORDER: u32 = 30;
    const AXES_APART: bool = true;

    fn params(&self) -> [f64; 3] {
        self.weights
    }

    #[inline(always)]
    fn energy<S: Real>(weights: &[S; 3], x: &[Vec3<S>; 4]) -> S {
        strain(weights, x).length_sq() * 0.5
    }

    #[inline(always)]
    fn gradient<S: Real>(weights: &[S; 3], x: &[Vec3<S>; 4]) -> [Vec3<S>; 4] {
        let q = strain(weights, x);
        let &[s_b, s_c, s_d] = weights;
        let (on_b, on_c, on_d) = (q * s_b, q * s_c, q * s_d);
        [-(on_b + on_c + on_d), on_b, on_c, on_d]
    }

    /// The largest eigenvalue in closed form: the default bounds it, and is a few hundredths short.
    fn stable_step(&self, _: &[Vec3; 4], masses: &[f64; 4]) -> f64 {
        let [s_b, s_c, s_d] = self.weights;
        let weights = [-(s_b + s_c + s_d), s_b, s_c, s_d];
        let rate_sq: f64 = weights.iter().zip(masses).map(|(s, m)| s * s / m).sum();
        2.0 / rate_sq.sqrt()
    }
}

impl BendingQuadratic {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: "bending",
        order: Self::ORDER,
        about: "Bending of a sheet that is flat at rest, at an edge between two triangles, quadratic in the positions.",
        parameters: crate::material::SHELL_PARAMETERS,
        page: "quadratic-bending",
        damps: Self::DAMPS,
        role: Role::Bending(Bending {
            name: "quadratic",
            about: "Quadratic in the positions, for sheets that are flat at rest (isometric bending): as hinges where a sheet bends without \
                    stretching, and cheaper: there is no angle to compute. It cannot be damped.",
            add: AddBending::ToInnerEdges(|builder, site, rigidity| {
                site.add(builder, Self::with_rigidity(&site.rest, rigidity))
            }),
            is_for_flat_sheets: true,
            errs_on_alternating_diagonals: false,
        }),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BendingHinge, check};
    use carom_math::Mat3;

    const FLAT: [Vec3; 4] = [
        Vec3::new(0.0, 0.0, 0.0),
        Vec3::new(1.0, 0.1, 0.0),
        Vec3::new(0.3, 0.8, 0.0),
        Vec3::new(0.6, -0.7, 0.0),
    ];
    const BENT: [Vec3; 4] = [
        Vec3::new(0.0, 0.0, 0.1),
        Vec3::new(1.0, 0.1, 0.0),
        Vec3::new(0.3, 0.7, -0.4),
        Vec3::new(0.6, -0.6, -0.5),
    ];
    const SHEET: ShellMaterial = ShellMaterial { young: 900.0, poisson: 0.3, thickness: 0.2 };

    /// The flat stencil, its second triangle turned about the edge.
    fn folded(angle: f64) -> [Vec3; 4] {
        let [a, b, c, d] = FLAT;
        [a, b, c, a + Mat3::rotation(b - a, angle).apply(d - a)]
    }

    #[test]
    fn it_is_a_sound_potential_far_from_flat() {
        check::near(BENT, 0.15, |x| {
            check::internal_element(&BendingQuadratic::from_rest(&FLAT, &SHEET), x);
        });
    }

    #[test]
    fn it_is_a_sound_potential_near_its_flat_rest_shape() {
        check::near(FLAT, 0.03, |x| {
            check::internal_element(&BendingQuadratic::from_rest(&FLAT, &SHEET), x);
        });
    }

    #[test]
    fn flat_there_is_neither_energy_nor_force_whatever_the_strain_in_the_plane() {
        let element = BendingQuadratic::from_rest(&FLAT, &SHEET);
        let sheared = FLAT.map(|p| Vec3::new(1.3 * p.x + 0.2 * p.y, 0.7 * p.y - 0.1 * p.x, 0.4 * p.x));
        // q is a sum of three products of about the size of the stencil.
        check::nothing_at_rest(&element, &FLAT, 4.0 * f64::EPSILON);
        check::nothing_at_rest(&element, &sheared, 4.0 * f64::EPSILON);
    }

    #[test]
    fn its_weights_are_the_cotangents_of_the_angles_on_the_edge() {
        let cotangent = |u: Vec3, v: Vec3| u.dot(v) / u.cross(v).length();
        let [a, b, c, d] = FLAT;
        let (at_a_first, at_a_second) = (cotangent(b - a, c - a), cotangent(b - a, d - a));
        let (at_b_first, at_b_second) = (cotangent(a - b, c - b), cotangent(a - b, d - b));
        let areas = 0.5 * ((b - a).cross(c - a).length() + (b - a).cross(d - a).length());
        let scale = (SHEET.bending_rigidity() / areas).sqrt();
        let expected = [-at_a_first - at_a_second, at_a_first + at_b_first, at_a_second + at_b_second];
        let weights = BendingQuadratic::from_rest(&FLAT, &SHEET).weights;
        for (ours, exact) in weights.into_iter().zip(expected.map(|w| scale * w)) {
            assert!((ours - exact).abs() < 1e-14 * scale, "{ours} against {exact}");
        }
        let on_a = -scale * (at_b_first + at_b_second);
        assert!((-weights.iter().sum::<f64>() - on_a).abs() < 1e-14 * scale);
    }

    #[test]
    fn folded_without_stretch_it_stores_what_a_hinge_would_at_twice_the_sine_of_half_the_angle() {
        let hinge = BendingHinge::from_rest(&FLAT, &SHEET);
        let params = BendingQuadratic::from_rest(&FLAT, &SHEET).params();
        for angle in [0.01, -0.4, 1.5, -2.8, core::f64::consts::PI] {
            let exact = 0.5 * hinge.stiffness * (2.0 * (0.5 * angle).sin()).powi(2);
            let energy = BendingQuadratic::energy(&params, &folded(angle));
            assert!((energy / exact - 1.0).abs() < 1e-12, "{angle}: {energy} against {exact}");
        }
    }

    #[test]
    fn at_small_angles_it_pushes_as_a_hinge_does() {
        let hinge = BendingHinge::from_rest(&FLAT, &SHEET).params();
        let params = BendingQuadratic::from_rest(&FLAT, &SHEET).params();
        // The directions differ by half the angle, so the error halves with it.
        let error = |angle: f64| {
            let x = folded(angle);
            let (ours, exact) = (BendingQuadratic::gradient(&params, &x), BendingHinge::gradient(&hinge, &x));
            let scale = exact.iter().map(|g| g.length()).fold(0.0, f64::max);
            ours.iter().zip(exact).map(|(u, v)| (*u - v).length() / scale).fold(0.0, f64::max)
        };
        assert!(error(1e-4) < 1e-4 && error(1e-4) < 0.51 * error(2e-4), "{:e}", error(1e-4));
    }

    #[test]
    fn a_gentle_cylinder_on_an_equilateral_mesh_stores_what_a_plate_does() {
        // Each vertex of the lattice carries one edge along each of three directions.
        let (amplitude, height) = (1e-5, 0.75_f64.sqrt());
        for direction in [0.0_f64, 0.4, 1.3] {
            let (s, c) = direction.sin_cos();
            let lift = |p: Vec3| p + Vec3::Z * (0.5 * amplitude * (c * p.x + s * p.y).powi(2));
            let mut energy = 0.0;
            for turn in 0..3 {
                let turned = Mat3::rotation(Vec3::Z, f64::from(turn) * core::f64::consts::FRAC_PI_3);
                let rest = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, height, 0.0), Vec3::new(0.5, -height, 0.0)]
                    .map(|p| turned.apply(p));
                let params = BendingQuadratic::from_rest(&rest, &SHEET).params();
                energy += BendingQuadratic::energy(&params, &rest.map(lift));
            }
            let density = energy / height / (SHEET.bending_rigidity() * amplitude * amplitude);
            assert!((density - 0.5).abs() < 1e-8, "{direction}: {density}");
        }
    }

    #[test]
    fn its_stable_step_is_the_edge_of_stability() {
        let element = BendingQuadratic::from_rest(&FLAT, &SHEET);
        check::stable_step_is_the_edge(&element, &FLAT, &[0.3, 0.2, 0.5, 0.1]);
    }
}
