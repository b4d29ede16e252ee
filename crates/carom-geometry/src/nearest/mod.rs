//! Nearest points of two primitives, and how their distance changes.
//!
//! One file per kind of pair. Each gives the nearest points as weights of the pair's vertices, the
//! separation between them, and the feature region that is active:
//!
//! | Separation | `s = Σ wᵢ xᵢ`, from the second primitive to the first; `wᵢ ≥ 0` on the first, `≤ 0` on the second |
//! | Distance | `d = ‖s‖` |
//! | Gradient | `∂d/∂xᵢ = wᵢ s/d` (the weights are optimal, so their own change does not count) |
//! | Degenerate case | `d = 0` has no direction: the gradient is zero there |
//!
//! The kernels branch on values, so they run with any number that has one ([`Scalar`]): `f64` and
//! `Dual`, whose tangents of the gradient are the exact second derivatives inside a region. At the
//! border of two regions the distance is C¹ with a jump in the second derivative: the tangents are
//! those of the region that was chosen.
//!
//! **How wrong can a distance be.** Every file has an `error_bound(scale)` with its proof; `scale` is
//! [`scale`], the largest coordinate difference inside the pair. The bounds are absolute in the
//! distance (a multiple of the rounding unit times `scale`, whatever the shape: needles, slivers and
//! parallel edges included), because the weights come from orthogonal projections and never from a
//! determinant. They hold for differences up to 1e150; what is shorter than 1e-140 counts as zero
//! and is covered by the [`TINY`] in every bound.
//!
//! **Never here:** radii, thickness, forces, indices of vertices, time.

mod edge_edge;
mod eight;
mod plane;
mod vertex_edge;
mod vertex_face;
mod vertex_vertex;

pub use edge_edge::{edge_edge, error_bound as edge_edge_error_bound};
pub use eight::{Eight, edge_edge_eight, vertex_face_eight};
pub use vertex_edge::{EdgeRegion, error_bound as vertex_edge_error_bound, vertex_edge};
pub use vertex_face::{FaceRegion, error_bound as vertex_face_error_bound, vertex_face};
pub use vertex_vertex::{error_bound as vertex_vertex_error_bound, vertex_vertex};

use carom_math::{Dual, Real, Vec3};

/// The part of every error bound that covers underflow, in m.
pub const TINY: f64 = 1e-139;

/// A number with one plain value, on which a kernel may branch.
pub trait Scalar: Real {
    /// The plain value.
    fn plain(self) -> f64;
}

impl Scalar for f64 {
    #[inline(always)]
    fn plain(self) -> f64 {
        self
    }
}

impl<const K: usize> Scalar for Dual<K> {
    #[inline(always)]
    fn plain(self) -> f64 {
        self.value
    }
}

/// The nearest points of a pair of `N` vertices; `R` says which features they lie on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<const N: usize, R, S = f64> {
    /// Weights of the vertices in the separation: they sum to 1 on the first primitive and to −1 on
    /// the second, so over the pair to 0 (to round-off).
    pub weights: [S; N],
    /// From the nearest point of the second primitive to that of the first, in m.
    pub separation: Vec3<S>,
    /// The features that hold the nearest points.
    pub region: R,
}

impl<const N: usize, R, S: Scalar> Nearest<N, R, S> {
    /// Square of the distance, in m².
    #[inline(always)]
    pub fn distance_sq(&self) -> S {
        self.separation.length_sq()
    }

    /// Distance, in m.
    #[inline(always)]
    pub fn distance(&self) -> S {
        self.separation.length()
    }

    /// Unit vector along the separation, or zero if the primitives touch.
    #[inline(always)]
    #[must_use]
    pub fn direction(&self) -> Vec3<S> {
        let distance = self.distance();
        if distance.plain() > 0.0 { self.separation * (S::constant(1.0) / distance) } else { Vec3::zero() }
    }

    /// Derivative of the distance with respect to each vertex; zero if the primitives touch.
    #[inline(always)]
    #[must_use]
    pub fn gradient(&self) -> [Vec3<S>; N] {
        let direction = self.direction();
        self.weights.map(|w| direction * w)
    }
}

/// The largest coordinate difference inside a set of points, in m: what error bounds scale with.
#[inline]
#[must_use]
pub fn scale(points: &[Vec3]) -> f64 {
    let Some((first, rest)) = points.split_first() else {
        return 0.0;
    };
    let (mut low, mut high) = (first.to_array(), first.to_array());
    for p in rest {
        for (k, x) in p.to_array().into_iter().enumerate() {
            low[k] = low[k].min(x);
            high[k] = high[k].max(x);
        }
    }
    (high[0] - low[0]).max(high[1] - low[1]).max(high[2] - low[2])
}

#[cfg(test)]
mod check;
#[cfg(test)]
mod exact_check;
