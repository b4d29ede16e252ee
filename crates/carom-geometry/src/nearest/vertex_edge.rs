//! Vertex against edge: the point `p` and the closed segment from `a` to `b`.
//!
//! | Separation | `s = p − (1−t) a − t b`, `t = clamp((p−a)·(b−a)/‖b−a‖², 0, 1)`, weights (1, t−1, −t) |
//! | Degenerate case | zero length: `t = 0`, the distance to `a`, region [`EdgeRegion::Start`] |
//! | Degenerate case | `p` on the segment or on its end: separation 0, no direction |
//! | Degenerate case | collinear points: nothing special, an end or the point itself |

use carom_math::Vec3;

use super::{Nearest, Scalar, TINY};

/// Where on a segment the nearest point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EdgeRegion {
    /// Strictly between the ends.
    Interior,
    /// At the first vertex.
    Start,
    /// At the second vertex.
    End,
}

/// The separation of a point from a segment; vertices `p, a, b`.
#[inline]
pub fn vertex_edge<S: Scalar>(&[p, a, b]: &[Vec3<S>; 3]) -> Nearest<3, EdgeRegion, S> {
    let Foot { t, separation, region } = Foot::of(p, a, b);
    let one = S::constant(1.0);
    Nearest { weights: [one, t - one, -t], separation, region }
}

/// The foot of a point on a segment.
pub(super) struct Foot<S> {
    /// The foot is `(1−t) a + t b`.
    pub t: S,
    /// Vector from the foot to the point.
    pub separation: Vec3<S>,
    pub region: EdgeRegion,
}

impl<S: Scalar> Foot<S> {
    #[inline(always)]
    pub fn of(p: Vec3<S>, a: Vec3<S>, b: Vec3<S>) -> Self {
        let (e, q) = (b - a, p - a);
        let (along, length_sq) = (q.dot(e), e.length_sq());
        if along.plain() <= 0.0 {
            return Self { t: S::zero(), separation: q, region: EdgeRegion::Start };
        }
        if along.plain() >= length_sq.plain() {
            return Self { t: S::constant(1.0), separation: p - b, region: EdgeRegion::End };
        }
        let t = along / length_sq;
        Self { t, separation: q - e * t, region: EdgeRegion::Interior }
    }
}

/// A bound on |computed − true| of the distance of a point and a segment, in m.
///
/// Let `u` be the unit round-off and `c` stand for `scale`; every vector below is at most √3 c long.
///
/// 1. The computed `e` and `q` are exact for vertices moved by at most √3 u c, which changes the
///    distance by at most 2√3 u c = 3.5 u c. From here on they are exact data.
/// 2. `q·e` is off by at most 3u‖q‖‖e‖, `‖e‖²` by a factor of 3u, the quotient by another u: the
///    computed `t`, the ends included, is off by at most (3u‖q‖ + 4u‖e‖)/‖e‖, so its point is off
///    by at most 7√3 u c = 12.2 u c along the segment. It stays on the segment, so the distance at
///    it is between `d` and `d` + 12.2 u c.
/// 3. Rounding `q − t e`: at most 3u c a component, 5.2 u c. Rounding the length: 2.5 u √3 c = 4.4 u c.
///
/// In all 25.3 u c, below 16 ε c with ε = 2u. A segment so short that `‖e‖²` underflows is a point
/// to within [`TINY`], whatever `t`.
#[must_use]
pub fn error_bound(scale: f64) -> f64 {
    16.0 * f64::EPSILON * scale + TINY
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    const A: Vec3 = Vec3::new(1.0, 0.0, 0.0);
    const B: Vec3 = Vec3::new(3.0, 0.0, 0.0);

    #[test]
    fn the_foot_is_inside_or_at_an_end() {
        for (p, region, distance) in [
            (Vec3::new(2.0, 2.0, 0.0), EdgeRegion::Interior, 2.0),
            (Vec3::new(-2.0, 4.0, 0.0), EdgeRegion::Start, 5.0),
            (Vec3::new(3.0, 0.0, 1.0), EdgeRegion::End, 1.0),
        ] {
            let nearest = vertex_edge(&[p, A, B]);
            assert_eq!((nearest.region, nearest.distance()), (region, distance));
        }
    }

    #[test]
    fn derivatives_agree_with_differences_in_every_region() {
        for p in [Vec3::new(2.3, 0.7, -0.4), Vec3::new(-0.2, 0.4, 0.5), Vec3::new(4.0, -1.0, 0.3)] {
            check::derivatives(vertex_edge, vertex_edge, &[p, A, B]);
        }
    }

    #[test]
    fn an_edge_without_length_is_a_point() {
        let nearest = vertex_edge(&[Vec3::new(1.0, 3.0, 4.0), A, A]);
        assert_eq!((nearest.distance(), nearest.region), (5.0, EdgeRegion::Start));
        let nearest = vertex_edge(&[Vec3::new(1.0, 3.0, 4.0), A, A + Vec3::X * 1e-200]);
        assert_eq!(nearest.distance(), 5.0);
    }

    #[test]
    fn a_point_on_the_edge_or_at_its_end_touches() {
        for p in [A, B, Vec3::new(1.25, 0.0, 0.0)] {
            let nearest = vertex_edge(&[p, A, B]);
            assert_eq!(nearest.distance(), 0.0);
            assert!(nearest.gradient().iter().all(|g| g.is_zero()));
        }
    }

    #[test]
    fn a_point_on_the_line_beyond_the_edge_is_as_far_as_the_end() {
        assert_eq!(vertex_edge(&[Vec3::new(7.0, 0.0, 0.0), A, B]).distance(), 4.0);
        assert_eq!(vertex_edge(&[Vec3::new(-1.0, 0.0, 0.0), A, B]).distance(), 2.0);
    }
}
