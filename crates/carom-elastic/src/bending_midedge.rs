//! The bending of a shell by normals at the middles of edges: one triangle and its three neighbours.
//!
//! | | |
//! | --- | --- |
//! | Energy | `V = (t³/12) A [ ½α tr(M)² + β tr(M²) ]`, `M = ā⁻¹(b − b̄)`, `b = [[s₀ + s₁, s₀], [s₀, s₀ + s₂]]`, `sᵢ = 2 hᵢ tan(θᵢ/2)` with `hᵢ` the altitude on edge `i` and `θᵢ` the signed angle across it, both of the current shape; as a quadratic form, `V = ½ κᵀQκ` with `κᵢ = sᵢ − s̄ᵢ` |
//! | Gradient | `Σ (Qκ)ᵢ ∂sᵢ`, see below |
//! | Stable step | `h < 2/ω`, `ω²` the largest eigenvalue of the stiffness at the start over the shares of mass |
//! | Degenerate case | an edge folded flat onto itself (θ = ±π) has infinite energy, and the run stops there; across a triangle without area there is no angle: it counts as unbent and pushes nowhere |
//!
//! The stencil is `[x₀, x₁, x₂, y₀, y₁, y₂]`: the triangle, then the far corner of the neighbour
//! across the edge opposite each corner. At a border the slot repeats the triangle's own corner
//! `i` and the edge counts as unbent; whatever stands in that slot is not read.
//!
//! `θ` is positive where the neighbour lies below the triangle's normal. The directions of the
//! edges drop out of `tan(θ/2) = sin θ/(1 + cos θ)`: with `N` and `n` the triangle's normal, long
//! as twice its area and of unit length, `e` the edge, `q = y − xⱼ`, `Ñ = q × e` the neighbour's
//! normal, and `ρ = ‖Ñ‖ + n·Ñ`,
//!
//! ```text
//! s = 2‖N‖ τ,   τ = tan(θ/2)/‖e‖ = −n·q/ρ
//! ∂s/∂xᵢ = 2τ n×e − (2‖Ñ‖/ρ) n              (the altitude grows; the angle shrinks)
//! ∂s/∂y  = −2‖N‖/(ρ‖Ñ‖) Ñ
//! ∂s/∂xₖ = −σ ∂s/∂xᵢ − η ∂s/∂y,   σ = (xᵢ − xⱼ)·e/e²,  η = q·e/e²
//! ∂s/∂xⱼ = −(∂s/∂xᵢ + ∂s/∂y + ∂s/∂xₖ)
//! ```
//!
//! `Qᵢⱼ = (t³/12) A [ α L̄ᵢ²L̄ⱼ² + 2β mᵢⱼ² ]/det ā²`, `mᵢᵢ = L̄ᵢ²`, `mᵢⱼ = p̄ₖ` (see `triangle.rs`).
//! About 310 flops, four divisions, four square roots, no transcendental function.
//!
//! Exact for quadratic shapes on meshes that look the same from both ends of every edge
//! (equilateral, or one diagonal throughout), 6 to 10 % too stiff on jittered ones, wrong where
//! diagonals alternate: mesh with triangles close to equilateral.

use carom_math::{Real, Vec3};
use carom_model::Element;

use crate::material::{Lame, ShellMaterial};
use crate::registry::{AddBending, Bending, Descriptor, Role};
use crate::triangle::{RestTriangle, edges, symmetric_times};

/// A triangle that resists a change of its curvature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendingMidedge {
    /// The matrix `Q`, as `[00, 11, 22, 12, 20, 01]`, in N/m.
    pub stiffness: [f64; 6],
    /// The entries `s̄ᵢ` of the second fundamental form at rest, in m.
    pub rest_forms: [f64; 3],
    /// Whether there is a neighbour across the edge opposite each corner.
    pub has_neighbour: [bool; 3],
}

impl BendingMidedge {
    /// An element without bending moment in the shape `rest`, flat or curved.
    ///
    /// Where `has_neighbour` is false, the far corner in `rest` is not read.
    #[must_use]
    pub fn from_rest(rest: &[Vec3; 6], has_neighbour: [bool; 3], material: &ShellMaterial) -> Self {
        let triangle = RestTriangle::new(&[rest[0], rest[1], rest[2]]);
        let RestTriangle { edges_sq, corners, det, area } = triangle;
        let Lame { dilation, shear } = material.lame();
        let thickness = material.thickness;
        let scale = thickness * thickness * thickness / 12.0 * area / (det * det);
        let stiffness = RestTriangle::symmetric(|i, j| {
            let mixed = if i == j { edges_sq[i] } else { corners[3 - i - j] };
            scale * (dilation * edges_sq[i] * edges_sq[j] + 2.0 * shear * mixed * mixed)
        });
        let folds = Face::new(&[rest[0], rest[1], rest[2]]).folds(&flags(has_neighbour), rest);
        Self { stiffness, rest_forms: folds.map(|f| f.form), has_neighbour }
    }

    /// The same element with borders free of moment: the form across a border, which no neighbour
    /// shows, is the one that costs least, where [`BendingMidedge::from_rest`] takes it as unbent.
    ///
    /// The stiffness becomes its Schur complement `Q − qqᵀ/Qᵢᵢ`, `q` the column of the border `i`. It
    /// makes frequencies of plates with free borders converge with the square of the edge instead of its
    /// first power.
    #[must_use]
    pub fn with_free_borders(self) -> Self {
        let mut stiffness = self.stiffness;
        for border in (0..3).filter(|&i| !self.has_neighbour[i]) {
            let pivot = stiffness[border];
            if pivot > 0.0 {
                let entry = |i: usize, j: usize| if i == j { i } else { 6 - i - j };
                let column = [0, 1, 2].map(|j| stiffness[entry(border, j)]);
                stiffness = RestTriangle::symmetric(|i, j| {
                    if i == border || j == border {
                        return 0.0;
                    }
                    stiffness[entry(i, j)] - column[i] * column[j] / pivot
                });
            }
        }
        Self { stiffness, ..self }
    }

    /// The stencil of a triangle: its corners, then the far corners, a missing one replaced by the
    /// triangle's own corner.
    #[must_use]
    pub fn stencil(corners: [u32; 3], across: [Option<u32>; 3]) -> [u32; 6] {
        let [a, b, c] = corners;
        [a, b, c, across[0].unwrap_or(a), across[1].unwrap_or(b), across[2].unwrap_or(c)]
    }
}

fn flags(has_neighbour: [bool; 3]) -> [f64; 3] {
    has_neighbour.map(|yes| if yes { 1.0 } else { 0.0 })
}

/// The triangle in the middle.
struct Face<S> {
    edges: [Vec3<S>; 3],
    /// Unit normal `n`.
    normal: Vec3<S>,
    /// `2‖N‖`: four times the area.
    twice_length: S,
}

/// What happens across one edge.
struct Fold<S> {
    /// The entry `s` of the second fundamental form; zero without a neighbour.
    form: S,
    /// `τ`.
    half_tangent: S,
    /// The neighbour's normal `Ñ` and its length.
    across: Vec3<S>,
    across_length: S,
    /// `q`: from the edge's first end to the far corner.
    far: Vec3<S>,
    /// `1/ρ`, `1/(ρ‖Ñ‖)` and `1/e²`; all zero if the neighbour has no area.
    inverse_rho: S,
    inverse_rho_length: S,
    inverse_edge_sq: S,
}

impl<S: Real> Face<S> {
    #[inline(always)]
    fn new(corners: &[Vec3<S>; 3]) -> Self {
        let edges = edges(corners);
        let normal = edges[1].cross(edges[2]);
        let length = normal.length();
        Self { edges, normal: normal * length.recip_or_zero(), twice_length: length * 2.0 }
    }

    /// The three folds. At a border the triangle's own mirror image stands in for the neighbour,
    /// so that what is computed there and then dropped is finite.
    #[inline(always)]
    fn folds(&self, has_neighbour: &[S; 3], &[x0, x1, x2, y0, y1, y2]: &[Vec3<S>; 6]) -> [Fold<S>; 3] {
        let [f0, f1, f2] = *has_neighbour;
        [
            self.fold(self.edges[0], y0.where_nonzero(f0, x1 + x2 - x0) - x1, f0),
            self.fold(self.edges[1], y1.where_nonzero(f1, x2 + x0 - x1) - x2, f1),
            self.fold(self.edges[2], y2.where_nonzero(f2, x0 + x1 - x2) - x0, f2),
        ]
    }

    #[inline(always)]
    fn fold(&self, edge: Vec3<S>, far: Vec3<S>, has_neighbour: S) -> Fold<S> {
        let across = far.cross(edge);
        let across_sq = across.length_sq();
        let across_length = across_sq.sqrt();
        let rho = across_length + self.normal.dot(across);
        // One division for three inverses.
        let (edge_sq, rho_length) = (edge.length_sq(), rho * across_length);
        let inverse = (S::constant(1.0) / (edge_sq * rho_length)).where_nonzero(across_sq, S::zero());
        let inverse_rho_length = inverse * edge_sq;
        let inverse_rho = inverse_rho_length * across_length;
        let half_tangent = -(self.normal.dot(far) * inverse_rho);
        Fold {
            form: (self.twice_length * half_tangent).where_nonzero(has_neighbour, S::zero()),
            half_tangent,
            across,
            across_length,
            far,
            inverse_rho,
            inverse_rho_length,
            inverse_edge_sq: inverse * rho_length,
        }
    }

    /// `moment` times the gradient of a fold's form: on the corner opposite the edge, on the
    /// edge's two ends, on the far corner. `to_corner` runs from the edge's first end to the corner.
    #[inline(always)]
    fn push(&self, fold: &Fold<S>, edge: Vec3<S>, to_corner: Vec3<S>, moment: S) -> [Vec3<S>; 4] {
        let twice = moment * 2.0;
        let on_corner = self.normal.cross(edge) * (twice * fold.half_tangent)
            - self.normal * (twice * (fold.across_length * fold.inverse_rho));
        let on_far = -(fold.across * (moment * (self.twice_length * fold.inverse_rho_length)));
        let along_corner = to_corner.dot(edge) * fold.inverse_edge_sq;
        let along_far = fold.far.dot(edge) * fold.inverse_edge_sq;
        let on_second = -(on_corner * along_corner + on_far * along_far);
        [on_corner, -(on_corner + on_far + on_second), on_second, on_far]
    }
}

impl Element<6, 12> for BendingMidedge {
    const KIND: &'static str = "bending-midedge";
    const ORDER: u32 = 20;
    const DAMPS: bool = true;

    fn params(&self) -> [f64; 12] {
        let [q0, q1, q2, q3, q4, q5] = self.stiffness;
        let ([r0, r1, r2], [f0, f1, f2]) = (self.rest_forms, flags(self.has_neighbour));
        [q0, q1, q2, q3, q4, q5, r0, r1, r2, f0, f1, f2]
    }

    #[inline(always)]
    fn energy<S: Real>(params: &[S; 12], x: &[Vec3<S>; 6]) -> S {
        Self::energy_and_gradient(params, x).0
    }

    #[inline(always)]
    fn gradient<S: Real>(params: &[S; 12], x: &[Vec3<S>; 6]) -> [Vec3<S>; 6] {
        Self::energy_and_gradient(params, x).1
    }

    #[inline(always)]
    fn energy_and_gradient<S: Real>(params: &[S; 12], x: &[Vec3<S>; 6]) -> (S, [Vec3<S>; 6]) {
        let [q0, q1, q2, q3, q4, q5, r0, r1, r2, f0, f1, f2] = *params;
        let face = Face::new(&[x[0], x[1], x[2]]);
        let [e0, e1, e2] = face.edges;
        let [a, b, c] = face.folds(&[f0, f1, f2], x);
        let bent = [a.form - r0, b.form - r1, c.form - r2];
        let [ma, mb, mc] = symmetric_times(&[q0, q1, q2, q3, q4, q5], &bent);
        let energy = (bent[0] * ma + bent[1] * mb + bent[2] * mc) * 0.5;

        let [a0, a1, a2, ay] = face.push(&a, e0, -e2, ma.where_nonzero(f0, S::zero()));
        let [b1, b2, b0, by] = face.push(&b, e1, -e0, mb.where_nonzero(f1, S::zero()));
        let [c2, c0, c1, cy] = face.push(&c, e2, -e1, mc.where_nonzero(f2, S::zero()));
        (energy, [a0 + b0 + c0, a1 + b1 + c1, a2 + b2 + c2, ay, by, cy])
    }

    #[inline(always)]
    fn resistance<S: Real>(params: &[S; 12], x: &[Vec3<S>; 6], v: &[Vec3<S>; 6]) -> [Vec3<S>; 6] {
        let [q0, q1, q2, q3, q4, q5, _, _, _, f0, f1, f2] = *params;
        let face = Face::new(&[x[0], x[1], x[2]]);
        let [e0, e1, e2] = face.edges;
        let [a, b, c] = face.folds(&[f0, f1, f2], x);
        let one = S::constant(1.0);
        let a = face.push(&a, e0, -e2, one.where_nonzero(f0, S::zero()));
        let b = face.push(&b, e1, -e0, one.where_nonzero(f1, S::zero()));
        let c = face.push(&c, e2, -e1, one.where_nonzero(f2, S::zero()));
        let along = |g: &[Vec3<S>; 4], corners: [usize; 4]| {
            let [p, q, r, s] = corners;
            g[0].dot(v[p]) + g[1].dot(v[q]) + g[2].dot(v[r]) + g[3].dot(v[s])
        };
        let rates = [along(&a, [0, 1, 2, 3]), along(&b, [1, 2, 0, 4]), along(&c, [2, 0, 1, 5])];
        let [ma, mb, mc] = symmetric_times(&[q0, q1, q2, q3, q4, q5], &rates);
        [
            a[0] * ma + b[2] * mb + c[1] * mc,
            a[1] * ma + b[0] * mb + c[2] * mc,
            a[2] * ma + b[1] * mb + c[0] * mc,
            a[3] * ma,
            b[3] * mb,
            c[3] * mc,
        ]
    }
}

impl BendingMidedge {
    /// The entry of this kind in the registry.
    pub const DESCRIPTOR: Descriptor = Descriptor {
        kind: Self::KIND,
        group: "bending",
        order: Self::ORDER,
        about: "Bending of a shell in a triangle, by the normals at the middles of its edges.",
        parameters: crate::material::SHELL_PARAMETERS,
        page: "mid-edge-bending",
        damps: Self::DAMPS,
        role: Role::Bending(Bending {
            name: "mid-edge",
            about: "Mid-edge normals: converges to a plate on near-equilateral meshes.",
            add: AddBending::ToTriangles(|builder, site, has_neighbour, material| {
                let element = Self::from_rest(&site.rest, has_neighbour, material).with_free_borders();
                site.add(builder, element)
            }),
            is_for_flat_sheets: false,
            errs_on_alternating_diagonals: true,
        }),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const FLAT: [Vec3; 6] = [
        Vec3::new(0.0, 0.0, 0.0),
        Vec3::new(1.0, 0.1, 0.0),
        Vec3::new(0.4, 0.9, 0.0),
        Vec3::new(1.3, 1.0, 0.0),
        Vec3::new(-0.6, 0.7, 0.0),
        Vec3::new(0.6, -0.8, 0.0),
    ];
    const CURVED: [Vec3; 6] = [
        Vec3::new(0.0, 0.0, 0.1),
        Vec3::new(1.0, 0.1, 0.0),
        Vec3::new(0.4, 0.9, 0.1),
        Vec3::new(1.3, 1.0, -0.4),
        Vec3::new(-0.6, 0.7, 0.5),
        Vec3::new(0.6, -0.8, -0.3),
    ];
    const SHEET: ShellMaterial = ShellMaterial { young: 900.0, poisson: 0.3, thickness: 0.2 };
    const ALL: [bool; 3] = [true; 3];

    #[test]
    fn it_is_a_sound_potential_far_from_flat() {
        check::near(CURVED, 0.2, |x| {
            check::internal_element(&BendingMidedge::from_rest(&FLAT, ALL, &SHEET), x);
        });
    }

    #[test]
    fn it_is_a_sound_potential_near_a_flat_rest_shape() {
        check::near(FLAT, 0.03, |x| {
            check::internal_element(&BendingMidedge::from_rest(&FLAT, ALL, &SHEET), x);
        });
    }

    #[test]
    fn it_is_a_sound_potential_near_a_curved_rest_shape() {
        check::near(CURVED, 0.03, |x| {
            check::internal_element(&BendingMidedge::from_rest(&CURVED, ALL, &SHEET), x);
        });
    }

    /// Every choice of borders but the one without any neighbour.
    fn borders() -> impl Iterator<Item = [bool; 3]> {
        (1..8).map(|bits| [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0])
    }

    /// `x` with each missing neighbour's slot on the triangle's own corner.
    fn with_borders(mut x: [Vec3; 6], has_neighbour: [bool; 3]) -> [Vec3; 6] {
        for i in 0..3 {
            if !has_neighbour[i] {
                x[3 + i] = x[i];
            }
        }
        x
    }

    #[test]
    fn it_is_a_sound_potential_with_any_borders() {
        for has_neighbour in borders() {
            let rest = with_borders(FLAT, has_neighbour);
            let x = with_borders(CURVED, has_neighbour);
            check::internal_element(&BendingMidedge::from_rest(&rest, has_neighbour, &SHEET), &x);
        }
    }

    #[test]
    fn a_border_feels_exactly_nothing_and_is_not_read() {
        for has_neighbour in borders() {
            let element =
                BendingMidedge::from_rest(&with_borders(FLAT, has_neighbour), has_neighbour, &SHEET);
            let params = element.params();
            let g = BendingMidedge::gradient(&params, &with_borders(CURVED, has_neighbour));
            let other = BendingMidedge::gradient(&params, &CURVED);
            assert_eq!(g, other);
            for i in 0..3 {
                assert!(g[i].is_finite() && g[3 + i].is_finite());
                assert_eq!(g[3 + i].is_zero(), !has_neighbour[i]);
            }
        }
    }

    #[test]
    fn a_free_border_takes_the_form_that_costs_least() {
        // Forms are put into the quadratic form directly: what a neighbour would show, varied.
        let energy = |q: &[f64; 6], v: &[f64; 3]| {
            let moments = symmetric_times(q, v);
            0.5 * (0..3).map(|i| v[i] * moments[i]).sum::<f64>()
        };
        let seen = [0.3, -0.2, 0.5];
        for has_neighbour in borders() {
            let unbent = BendingMidedge::from_rest(&FLAT, has_neighbour, &SHEET);
            let free = unbent.with_free_borders();
            let mut cheapest = seen;
            // Gauss–Seidel over the borders: each takes the form at which its moment vanishes.
            for _ in 0..200 {
                for i in (0..3).filter(|&i| !has_neighbour[i]) {
                    cheapest[i] -= symmetric_times(&unbent.stiffness, &cheapest)[i] / unbent.stiffness[i];
                }
            }
            let (least, ours) = (energy(&unbent.stiffness, &cheapest), energy(&free.stiffness, &seen));
            assert!((ours / least - 1.0).abs() < 1e-12, "{ours} against {least} for {has_neighbour:?}");
            assert_eq!(free == unbent, has_neighbour == [true; 3]);
        }
        let alone = BendingMidedge::from_rest(&FLAT, [false; 3], &SHEET).with_free_borders();
        assert_eq!(alone.stiffness, [0.0; 6]);
    }

    #[test]
    fn it_is_a_sound_potential_with_free_borders() {
        for has_neighbour in borders() {
            let rest = with_borders(FLAT, has_neighbour);
            let element = BendingMidedge::from_rest(&rest, has_neighbour, &SHEET).with_free_borders();
            check::internal_element(&element, &with_borders(CURVED, has_neighbour));
        }
    }

    #[test]
    fn a_triangle_alone_has_no_bending() {
        let params = BendingMidedge::from_rest(&with_borders(FLAT, [false; 3]), [false; 3], &SHEET).params();
        let x = with_borders(CURVED, [false; 3]);
        assert_eq!(BendingMidedge::energy(&params, &x), 0.0);
        assert!(BendingMidedge::gradient(&params, &x).iter().all(|g| g.is_zero()));
    }

    #[test]
    fn eight_elements_with_different_borders_have_the_bits_of_each_alone() {
        let all: Vec<[bool; 3]> = borders().chain([[false; 3]]).collect();
        let params =
            core::array::from_fn(|lane| BendingMidedge::from_rest(&FLAT, all[lane], &SHEET).params());
        let x = core::array::from_fn(|lane| with_borders(CURVED, all[lane]));
        check::same_bits::<BendingMidedge, 6, 12>(&params, &x);
    }

    #[test]
    fn at_rest_flat_or_curved_there_is_neither_energy_nor_force_to_the_last_bit() {
        check::nothing_at_rest(&BendingMidedge::from_rest(&FLAT, ALL, &SHEET), &FLAT, 0.0);
        check::nothing_at_rest(&BendingMidedge::from_rest(&CURVED, ALL, &SHEET), &CURVED, 0.0);
    }

    #[test]
    fn a_bowl_turned_inside_out_is_strained_twice_as_much_as_a_flat_one() {
        let bowl = FLAT.map(|p| p + Vec3::Z * (0.01 * (p.x * p.x + p.y * p.y)));
        let inverted = bowl.map(|p| Vec3::new(p.x, p.y, -p.z));
        let params = BendingMidedge::from_rest(&bowl, ALL, &SHEET).params();
        let ratio = BendingMidedge::energy(&params, &inverted) / BendingMidedge::energy(&params, &FLAT);
        assert!((ratio - 4.0).abs() < 0.02, "{ratio}");
    }

    #[test]
    fn turning_the_triangle_around_changes_nothing() {
        let turned = |x: [Vec3; 6]| [x[1], x[2], x[0], x[4], x[5], x[3]];
        let flipped = |x: [Vec3; 6]| [x[1], x[0], x[2], x[4], x[3], x[5]];
        let energy = |rest: [Vec3; 6], x: [Vec3; 6]| {
            BendingMidedge::energy(&BendingMidedge::from_rest(&rest, ALL, &SHEET).params(), &x)
        };
        let (rest, x) = (FLAT.map(|p| p + Vec3::Z * (0.1 * p.x * p.x)), CURVED);
        let plain = energy(rest, x);
        assert!((energy(turned(rest), turned(x)) / plain - 1.0).abs() < 1e-13);
        assert!((energy(flipped(rest), flipped(x)) / plain - 1.0).abs() < 1e-13);
    }

    #[test]
    fn a_triangle_without_area_pushes_nowhere_and_is_finite() {
        let params = BendingMidedge::from_rest(&FLAT, ALL, &SHEET).params();
        let mut flat_triangle = CURVED;
        flat_triangle[2] = (CURVED[0] + CURVED[1]) * 0.5;
        let mut flat_neighbour = CURVED;
        flat_neighbour[3] = CURVED[1];
        for x in [flat_triangle, flat_neighbour, [Vec3::X; 6]] {
            assert!(BendingMidedge::energy(&params, &x).is_finite());
            assert!(BendingMidedge::gradient(&params, &x).iter().all(|g| g.is_finite()));
        }
    }

    #[test]
    fn an_edge_folded_onto_itself_is_not_finite() {
        let rest = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::ZERO, Vec3::ZERO];
        let element = BendingMidedge::from_rest(&rest, [true, false, false], &SHEET);
        let mut folded = rest;
        folded[3] = rest[0];
        assert!(!BendingMidedge::energy(&element.params(), &folded).is_finite());
        assert!(!BendingMidedge::gradient(&element.params(), &folded)[3].is_finite());
    }

    /// Energy of the inner triangles of an equilateral patch with edges of `edge`, over their area,
    /// with the flat patch at rest and each vertex lifted by `lift`.
    fn patch_density(edge: f64, lift: impl Fn(f64, f64) -> Vec3) -> f64 {
        let n = 8_i32;
        let at = |i: i32, j: i32| {
            let (i, j) = (f64::from(i - n / 2), f64::from(j - n / 2));
            Vec3::new(edge * (i + 0.5 * j), edge * 0.75_f64.sqrt() * j, 0.0)
        };
        let (mut energy, mut area) = (0.0, 0.0);
        for j in 1..n - 1 {
            for i in 1..n - 1 {
                let up = [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1), (i - 1, j + 1), (i + 1, j - 1)];
                let down = [(i + 1, j + 1), (i, j + 1), (i + 1, j), (i, j), (i + 2, j), (i, j + 2)];
                for stencil in [up, down] {
                    let rest = stencil.map(|(i, j)| at(i, j));
                    let element = BendingMidedge::from_rest(&rest, ALL, &SHEET);
                    energy += BendingMidedge::energy(&element.params(), &rest.map(|p| lift(p.x, p.y)));
                    area += 0.5 * (rest[1] - rest[0]).cross(rest[2] - rest[0]).length();
                }
            }
        }
        energy / area
    }

    /// Kirchhoff and Love's energy per area for curvatures (xx, xy, yy).
    fn plate_density([a, b, c]: [f64; 3]) -> f64 {
        let gauss = a * c - b * b;
        0.5 * SHEET.bending_rigidity() * ((a + c).powi(2) - 2.0 * (1.0 - SHEET.poisson) * gauss)
    }

    #[test]
    fn gentle_cylinders_spheres_saddles_and_twists_store_what_a_plate_does() {
        let amplitude = 1e-5;
        for curvatures in [
            [1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.5, 0.5, 0.5],
            [0.5, -0.5, 0.5],
            [1.0, 0.0, 1.0],
            [1.0, 0.0, -1.0],
            [0.0, 1.0, 0.0],
            [0.3, -0.2, 0.9],
        ] {
            let [a, b, c] = curvatures.map(|k| k * amplitude);
            let ours =
                patch_density(1.0, |x, y| Vec3::new(x, y, 0.5 * (a * x * x + 2.0 * b * x * y + c * y * y)));
            let exact = plate_density([a, b, c]);
            assert!((ours / exact - 1.0).abs() < 1e-8, "{curvatures:?}: {ours:e} against {exact:e}");
        }
    }

    #[test]
    fn a_sheet_rolled_into_a_cylinder_converges_with_the_square_of_the_edge() {
        let error = |edge: f64| {
            let rolled = patch_density(edge, |x, y| Vec3::new(x.sin(), y, 1.0 - x.cos()));
            rolled / plate_density([1.0, 0.0, 0.0]) - 1.0
        };
        let (coarse, fine) = (error(0.1), error(0.05));
        assert!(coarse.abs() < 5e-3 && (coarse / fine - 4.0).abs() < 0.2, "{coarse:e} and {fine:e}");
    }

    #[test]
    fn a_rest_shape_without_area_proposes_no_step() {
        let flat = FLAT.map(|p| Vec3::X * p.x);
        assert!(BendingMidedge::from_rest(&flat, ALL, &SHEET).stable_step(&FLAT, &[1.0; 6]).is_nan());
    }

    #[test]
    fn its_stable_step_is_the_edge_of_stability() {
        let element = BendingMidedge::from_rest(&FLAT, ALL, &SHEET);
        check::stable_step_is_the_edge(&element, &FLAT, &[0.3, 0.2, 0.5, 0.1, 0.1, 0.1]);
    }

    #[test]
    fn it_resists_the_rate_of_its_strain_and_nothing_else() {
        check::damped_element(&BendingMidedge::from_rest(&CURVED, ALL, &SHEET), &CURVED, &FLAT);
    }
}
