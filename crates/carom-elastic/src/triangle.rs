//! A triangle in the numbers of its edges, shared by the energies of shells.
//!
//! Edge `i` runs opposite corner `i`: `e₀ = x₂ − x₁`, `e₁ = x₀ − x₂`, `e₂ = x₁ − x₀`, with sum zero.
//! The first fundamental form `a` in the basis (`x₁ − x₀`, `x₂ − x₀`) is known from the squares of
//! the edges, and so are its invariants:
//!
//! | | |
//! | --- | --- |
//! | corner products | `pᵢ = −eⱼ·eₖ = ½(ℓⱼ² + ℓₖ² − ℓᵢ²)` |
//! | determinant | `det a = p₀p₁ + p₁p₂ + p₂p₀ = 4·area²` |
//! | trace against a rest form | `tr(ā⁻¹a) = (p̄₀ℓ₀² + p̄₁ℓ₁² + p̄₂ℓ₂²)/det ā` |
//!
//! So a membrane is three forces along three edges: torque cancels to the last bits, and no
//! corner of the triangle is special.

use carom_math::{Real, Vec3};

/// The edges, each opposite the corner of its number.
#[inline(always)]
pub(crate) fn edges<S: Real>(&[x0, x1, x2]: &[Vec3<S>; 3]) -> [Vec3<S>; 3] {
    [x2 - x1, x0 - x2, x1 - x0]
}

/// By how much the squares of the edges exceed those at rest, in m².
#[inline(always)]
pub(crate) fn stretches<S: Real>(edges: &[Vec3<S>; 3], rest_edges_sq: &[S; 3]) -> [S; 3] {
    let [e0, e1, e2] = *edges;
    let [l0, l1, l2] = *rest_edges_sq;
    [e0.length_sq() - l0, e1.length_sq() - l1, e2.length_sq() - l2]
}

/// How fast the squares of the edges grow, in m²/s.
#[inline(always)]
pub(crate) fn stretch_rates<S: Real>(edges: &[Vec3<S>; 3], v: &[Vec3<S>; 3]) -> [S; 3] {
    let [e0, e1, e2] = *edges;
    let [w0, w1, w2] = self::edges(v);
    [e0.dot(w0) * 2.0, e1.dot(w1) * 2.0, e2.dot(w2) * 2.0]
}

/// The gradient `Σ tᵢ ∂(½ℓᵢ²)`: tension over length `tᵢ` in each edge, as forces on the corners.
#[inline(always)]
pub(crate) fn pull<S: Real>(edges: &[Vec3<S>; 3], tensions: &[S; 3]) -> [Vec3<S>; 3] {
    let [f0, f1, f2] = [edges[0] * tensions[0], edges[1] * tensions[1], edges[2] * tensions[2]];
    [f1 - f2, f2 - f0, f0 - f1]
}

/// A symmetric 3×3 matrix given as `[00, 11, 22, 12, 20, 01]`, applied to a vector.
#[inline(always)]
pub(crate) fn symmetric_times<S: Real>(q: &[S; 6], v: &[S; 3]) -> [S; 3] {
    [
        q[0] * v[0] + q[5] * v[1] + q[4] * v[2],
        q[5] * v[0] + q[1] * v[1] + q[3] * v[2],
        q[4] * v[0] + q[3] * v[1] + q[2] * v[2],
    ]
}

/// What the energies need of a triangle at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RestTriangle {
    /// Squares of the edges, in m².
    pub edges_sq: [f64; 3],
    /// Corner products `pᵢ`, in m².
    pub corners: [f64; 3],
    /// Determinant of the first fundamental form, `4·area²`, in m⁴.
    pub det: f64,
    /// Area, in m².
    pub area: f64,
}

impl RestTriangle {
    pub(crate) fn new(rest: &[Vec3; 3]) -> Self {
        let e = edges(rest);
        let det = e[1].cross(e[2]).length_sq();
        Self {
            edges_sq: e.map(Vec3::length_sq),
            corners: [-e[1].dot(e[2]), -e[2].dot(e[0]), -e[0].dot(e[1])],
            det,
            area: 0.5 * det.sqrt(),
        }
    }

    /// A symmetric matrix in the order of [`symmetric_times`], entry by entry.
    pub(crate) fn symmetric(entry: impl Fn(usize, usize) -> f64) -> [f64; 6] {
        [(0, 0), (1, 1), (2, 2), (1, 2), (2, 0), (0, 1)].map(|(i, j)| entry(i, j))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invariants_from_edges_are_those_of_the_first_fundamental_form() {
        let x = [Vec3::new(0.1, 0.2, -0.3), Vec3::new(1.4, 0.1, 0.2), Vec3::new(0.3, 1.1, 0.7)];
        let rest = [Vec3::ZERO, Vec3::X, Vec3::new(0.2, 0.9, 0.0)];
        let form = |x: &[Vec3; 3]| {
            let (u, v) = (x[1] - x[0], x[2] - x[0]);
            [u.dot(u), u.dot(v), v.dot(v)]
        };
        let [a, b, c] = form(&x);
        let [ra, rb, rc] = form(&rest);
        let (t, r) = (RestTriangle::new(&x), RestTriangle::new(&rest));
        let [p0, p1, p2] = t.corners;
        assert!((p0 * p1 + p1 * p2 + p2 * p0 - (a * c - b * b)).abs() < 1e-14);
        assert!((t.det - (a * c - b * b)).abs() < 1e-14 && (t.area - 0.5 * t.det.sqrt()).abs() < 1e-15);
        let trace = (rc * a - 2.0 * rb * b + ra * c) / (ra * rc - rb * rb);
        let ours = (0..3).map(|i| r.corners[i] * t.edges_sq[i]).sum::<f64>() / r.det;
        assert!((trace - ours).abs() < 1e-14);
    }
}
