//! The foot of a point on a plane given by two directions: what faces and edge pairs share.
//!
//! | Problem | `s, t` with `‖q − s e − t f‖` least |
//! | Method | Gram–Schmidt: `α = f·e/‖e‖²`, `a = f − α e`; `σ = q·e/‖e‖²`, `r = q − σ e`; `t = r·a/‖a‖²`, `s = σ − t α` |
//! | Separation | `r − t a` |
//! | Degenerate case | `e` and `a` shorter than 1e-140 (parallel directions, no area): no foot |
//!
//! Why not the formula with the normal or with the 2×2 determinant: they lose everything when the
//! two directions are nearly parallel, while here each step is a projection onto one direction and
//! the separation is as good as the directions themselves. See [`ERROR`].

use carom_math::Vec3;

use super::Scalar;

/// Squares below this have lost digits to underflow: such a direction counts as none.
pub(super) const NO_LENGTH_SQ: f64 = 1e-280;

/// The coefficients and the separation of the foot.
pub(super) struct Foot<S> {
    pub s: S,
    pub t: S,
    /// Vector from the foot to `q`.
    pub separation: Vec3<S>,
}

/// The foot of `q` on the plane through 0 along `e` and `f`, if they span one.
#[inline(always)]
pub(super) fn foot<S: Scalar>(q: Vec3<S>, e: Vec3<S>, f: Vec3<S>) -> Option<Foot<S>> {
    let e_sq = e.length_sq();
    if e_sq.plain() < NO_LENGTH_SQ {
        return None;
    }
    let alpha = f.dot(e) / e_sq;
    let across = f - e * alpha;
    let across_sq = across.length_sq();
    if across_sq.plain() < NO_LENGTH_SQ {
        return None;
    }
    let sigma = q.dot(e) / e_sq;
    let rest = q - e * sigma;
    let t = rest.dot(across) / across_sq;
    Some(Foot { s: sigma - t * alpha, t, separation: rest - across * t })
}

/// What a face and a pair of edges have in common, in multiples of ε · scale: a bound on
/// |computed − true| of the distance when the feet that lie inside the patch (triangle or
/// parallelogram) are accepted and otherwise the best of its border edges is taken.
///
/// `u = ε/2` is the unit round-off, `c` the scale; `q`, `e`, `f` are at most √3 c long. `g(s, t)` is
/// the true `‖q − s e − t f‖`, convex; the true distance `d` is its minimum over the patch.
///
/// 1. *Data.* The computed `q, e, f` are exact for vertices moved by √3 u c: 3.5 u c.
/// 2. *Projection onto e.* `α` is off by a point distance of 7u‖f‖ = 12.2 u c (three roundings in
///    each dot product, one in the quotient, and |α|‖e‖ ≤ ‖f‖), and rounding `f − α e` adds 3.5 u c:
///    `a` is off by 15.7 u c, and so is the rest `r` of `q`.
/// 3. *Projection onto a.* Against the computed `a` and `r`, `t` misses its optimum by a point
///    distance of 12.2 u c, the separation is rounded by 3.5 u c, its length by 4.4 u c.
/// 4. *Accepted, too large?* At the true optimum, `t ≤ 1` and ‖r − t a‖ ≤ d (dropping the part along
///    `e` shortens), with the computed `r` and `a` at most `d` + 31.4 u c; by 3. the computed length
///    is at most `d` + 51.5 u c, with 1. 55 u c.
/// 5. *Accepted, too small?* The computed coefficients lie in the patch up to 2u (3.5 u c). Rounding
///    `s = σ − t α` (3.5 u c), `r`, `a`, the separation (3.5 u c each) and the length (4.4 u c)
///    separate the computed length from `g` there; with 1. in all 26 u c.
/// 6. *Rejected although the true optimum lies inside.* Walk from the true optimum to the computed
///    coefficients: the walk leaves the patch at some border point, where θ of the way is done and
///    θ|t| ≤ 2, θ|s| ≤ 2 for the computed `s, t`. Across `e`, the computed ‖r − t a‖ is convex along
///    the walk, so at most `d` + 31.4 + 12.2 u c; the true one at most `d` + 75 u c. Along `e` the residual
///    is 0 at the start and at the border at most 12.2 (σ) + 24.4 (α) + 7 (rounding `s`) = 43.6 u c. So
///    the border has a point no farther than `d` + 119 u c, and the best edge, within 25.3 u c of its own
///    distance (see the vertex–edge bound), gives at most `d` + 148 u c with 1.
/// 7. *No plane.* `a` (or `e`) computed as zero means that the patch is within 15.7 u c of its border.
///
/// The largest is 148 u c < 80 ε c. A border edge never gives less than `d` − 25.3 u c.
pub(super) const ERROR: f64 = 80.0;
