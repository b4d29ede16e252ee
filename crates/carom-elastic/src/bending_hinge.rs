//! The bending of a shell edge by edge: the hinge of Discrete Shells.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = ½ k (θ − θ̄)²`, `k = D‖ē‖²/(Ā₁ + Ā₂)`, `θ` the signed angle between the two triangles |
//! | Gradient | `k (θ − θ̄) ∂θ`, `∂θ/∂x_c = −(‖e‖/N₁²) N₁`, `∂θ/∂x_d = −(‖e‖/N₂²) N₂`, and on the edge's ends the negatives of these, shared by the feet of the two altitudes |
//! | Stable step | `h < 2/ω`, `ω²` the largest eigenvalue of the stiffness at the start over the shares of mass |
//! | Degenerate case | a triangle or an edge of no size has no angle: the gradient is zero; at `θ = ±π`, where the two triangles have met, the energy jumps: contact must keep them apart |
//!
//! The stencil is `[a, b, c, d]`: the edge, then the corner opposite it on either side. With
//! `e = b − a`, `N₁ = e × (c − a)` and `N₂ = (d − a) × e` look to the same side of a flat sheet;
//! `θ = atan2(−‖e‖ N₁·(d − a), N₁·N₂)` is positive where `d` lies below the first triangle.
//!
//! Matches a cylinder on equilateral and on axis-aligned right-angled meshes, and is otherwise not
//! quantitative: on an equilateral mesh it is a plate with Poisson's ratio −1/3. The factor 3 that
//! some codes put in `k` is three times too stiff in cylindrical bending.

use carom_math::{Real, Vec3};
use carom_model::Element;

use crate::material::ShellMaterial;
use crate::registry::{AddBending, Bending, Descriptor, Role};

/// An edge between two triangles that resists a change of their angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendingHinge {
    /// Stiffness `k`, in N·m.
    pub stiffness: f64,
    /// Angle `θ̄` at which it does not push, in radians, in (−π, π].
    pub rest_angle: f64,
}

impl BendingHinge {
    /// A hinge without moment in the shape `rest`, given as edge, edge, opposite, opposite.
    #[must_use]
    pub fn from_rest(rest: &[Vec3; 4], material: &ShellMaterial) -> Self {
        Self::with_rigidity(rest, material.bending_rigidity())
    }

    /// The hinge at this rest shape, for a sheet with this bending rigidity `D`, in N·m.
    #[must_use]
    pub fn with_rigidity(rest: &[Vec3; 4], rigidity: f64) -> Self {
        let hinge = Hinge::new(rest);
        let twice_areas = hinge.first.length() + hinge.second.length();
        let edge_sq = (rest[1] - rest[0]).length_sq();
        let [rest_angle] = angles(&[hinge]);
        Self { stiffness: rigidity * 2.0 * edge_sq / twice_areas, rest_angle }
    }
}

/// Two triangles with a common edge `e`.
#[derive(Clone, Copy)]
struct Hinge<S> {
    /// Normals `N₁`, `N₂`, long as twice the areas.
    first: Vec3<S>,
    second: Vec3<S>,
    /// Sine and cosine of the angle, both times `‖N₁‖‖N₂‖`.
    sine: S,
    cosine: S,
    /// The gradient of the angle on the two opposite corners, along their normals: `−‖e‖/N₁²` and `−‖e‖/N₂²`.
    on_corners: [S; 2],
    /// The gradient on the edge's second end, along either normal.
    on_end: [S; 2],
}

impl<S: Real> Hinge<S> {
    #[inline(always)]
    fn new(&[a, b, c, d]: &[Vec3<S>; 4]) -> Self {
        let (edge, to_first, to_second) = (b - a, c - a, d - a);
        let edge_sq = edge.length_sq();
        let edge_length = edge_sq.sqrt();
        let (first, second) = (edge.cross(to_first), to_second.cross(edge));
        let (first_sq, second_sq) = (first.length_sq(), second.length_sq());
        // One division for three inverses.
        let inverse = (first_sq * second_sq * edge_length).recip_or_zero();
        let (over_first, over_second) = (inverse * second_sq, inverse * first_sq);
        Self {
            first,
            second,
            sine: -(edge_length * first.dot(to_second)),
            cosine: first.dot(second),
            on_corners: [-(over_first * edge_sq), -(over_second * edge_sq)],
            on_end: [over_first * to_first.dot(edge), over_second * to_second.dot(edge)],
        }
    }

    /// `moment` times the gradient of the angle.
    #[inline(always)]
    fn push(&self, moment: S) -> [Vec3<S>; 4] {
        let on_c = self.first * (moment * self.on_corners[0]);
        let on_d = self.second * (moment * self.on_corners[1]);
        let on_b = self.first * (moment * self.on_end[0]) + self.second * (moment * self.on_end[1]);
        [-(on_c + on_d + on_b), on_b, on_c, on_d]
    }
}

/// The angles of some hinges; none waits for another.
#[inline(always)]
fn angles<S: Real, const K: usize>(hinges: &[Hinge<S>; K]) -> [S; K] {
    let (mut sines, mut cosines) = ([S::zero(); K], [S::zero(); K]);
    for k in 0..K {
        (sines[k], cosines[k]) = (hinges[k].sine, hinges[k].cosine);
    }
    S::angles(sines, cosines)
}

impl Element<4, 2> for BendingHinge {
    const KIND: &'static str = "bending-hinge";
    const ORDER: u32 = 10;
    const DAMPS: bool = true;

    fn params(&self) -> [f64; 2] {
        [self.stiffness, self.rest_angle]
    }

    #[inline(always)]
    fn energy<S: Real>(&[stiffness, rest_angle]: &[S; 2], x: &[Vec3<S>; 4]) -> S {
        let [angle] = angles(&[Hinge::new(x)]);
        stiffness * (angle - rest_angle).squared() * 0.5
    }

    #[inline(always)]
    fn gradient<S: Real>(&[stiffness, rest_angle]: &[S; 2], x: &[Vec3<S>; 4]) -> [Vec3<S>; 4] {
        let hinge = Hinge::new(x);
        let [angle] = angles(&[hinge]);
        hinge.push(stiffness * (angle - rest_angle))
    }

    #[inline(always)]
    fn four_gradients<S: Real>(
        params: impl Fn(usize) -> [S; 2],
        x: impl Fn(usize) -> [Vec3<S>; 4],
        mut take: impl FnMut(usize, [Vec3<S>; 4]),
    ) {
        // An angle takes twenty operations one after the other: the longest wait of all.
        let hinges = [Hinge::new(&x(0)), Hinge::new(&x(1)), Hinge::new(&x(2)), Hinge::new(&x(3))];
        let angles = angles(&hinges);
        for k in 0..4 {
            let [stiffness, rest_angle] = params(k);
            take(k, hinges[k].push(stiffness * (angles[k] - rest_angle)));
        }
    }

    #[inline(always)]
    fn resistance<S: Real>(&[stiffness, _]: &[S; 2], x: &[Vec3<S>; 4], v: &[Vec3<S>; 4]) -> [Vec3<S>; 4] {
        let hinge = Hinge::new(x);
        let [a, b, c, d] = hinge.push(S::constant(1.0));
        let rate = a.dot(v[0]) + b.dot(v[1]) + c.dot(v[2]) + d.dot(v[3]);
        hinge.push(stiffness * rate)
    }
}

impl BendingHinge {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: "bending",
        order: Self::ORDER,
        about: "Bending of a shell at an edge between two triangles (Discrete Shells).",
        parameters: crate::material::SHELL_PARAMETERS,
        page: "hinge",
        damps: Self::DAMPS,
        role: Role::Bending(Bending {
            name: "hinge",
            about: "Hinges (Discrete Shells).",
            add: AddBending::ToInnerEdges(|builder, site, rigidity| {
                site.add(builder, Self::with_rigidity(&site.rest, rigidity))
            }),
            is_for_flat_sheets: false,
            errs_on_alternating_diagonals: false,
        }),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

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

    #[test]
    fn it_is_a_sound_potential_far_from_flat() {
        check::near(BENT, 0.15, |x| {
            check::internal_element(&BendingHinge::from_rest(&FLAT, &SHEET), x);
        });
    }

    #[test]
    fn it_is_a_sound_potential_near_a_bent_rest_shape() {
        check::near(BENT, 0.03, |x| {
            check::internal_element(&BendingHinge::from_rest(&BENT, &SHEET), x);
        });
    }

    #[test]
    fn at_rest_flat_or_bent_there_is_neither_energy_nor_force_to_the_last_bit() {
        check::nothing_at_rest(&BendingHinge::from_rest(&FLAT, &SHEET), &FLAT, 0.0);
        check::nothing_at_rest(&BendingHinge::from_rest(&BENT, &SHEET), &BENT, 0.0);
    }

    #[test]
    fn a_right_angle_is_half_pi_and_positive_where_the_far_side_hangs_down() {
        let x = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(0.0, 0.0, -1.0)];
        let angle = BendingHinge::from_rest(&x, &SHEET).rest_angle;
        assert!((angle - core::f64::consts::FRAC_PI_2).abs() < 1e-15);
    }

    #[test]
    fn a_gentle_cylinder_on_an_equilateral_mesh_stores_what_a_plate_does() {
        // Each vertex of the lattice carries one edge along each of three directions.
        let (amplitude, height) = (1e-5, 0.75_f64.sqrt());
        for (direction, exact) in [(0.0_f64, 0.5), (0.4, 0.5), (1.3, 0.5)] {
            let (s, c) = direction.sin_cos();
            let lift = |p: Vec3| p + Vec3::Z * (0.5 * amplitude * (c * p.x + s * p.y).powi(2));
            let mut energy = 0.0;
            for turn in 0..3 {
                let turned =
                    carom_math::Mat3::rotation(Vec3::Z, f64::from(turn) * core::f64::consts::FRAC_PI_3);
                let rest = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, height, 0.0), Vec3::new(0.5, -height, 0.0)]
                    .map(|p| turned.apply(p));
                let params = BendingHinge::from_rest(&rest, &SHEET).params();
                energy += BendingHinge::energy(&params, &rest.map(lift));
            }
            let density = energy / height / (SHEET.bending_rigidity() * amplitude * amplitude);
            assert!((density - exact).abs() < 1e-8, "{direction}: {density}");
        }
    }

    #[test]
    fn where_a_triangle_or_the_edge_has_no_size_nothing_is_pushed() {
        let params = BendingHinge::from_rest(&FLAT, &SHEET).params();
        let [a, b, c, d] = BENT;
        for x in [[a, b, a, d], [a, b, c, b], [a, a, c, d], [Vec3::X; 4]] {
            assert!(BendingHinge::energy(&params, &x).is_finite());
            assert!(BendingHinge::gradient(&params, &x).iter().all(|g| g.is_zero()), "{x:?}");
        }
    }

    #[test]
    fn its_stable_step_is_the_edge_of_stability() {
        check::stable_step_is_the_edge(&BendingHinge::from_rest(&FLAT, &SHEET), &FLAT, &[0.3, 0.2, 0.5, 0.1]);
    }

    #[test]
    fn it_resists_the_rate_of_its_strain_and_nothing_else() {
        check::damped_element(&BendingHinge::from_rest(&FLAT, &SHEET), &FLAT, &BENT);
    }
}
