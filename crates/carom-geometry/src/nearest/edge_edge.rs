//! Edge against edge: the closed segments from `a` to `b` and from `c` to `d`.
//!
//! | Separation | `(1−s) a + s b − (1−t) c − t d` with `s, t ∈ [0, 1]`, shortest; weights (1−s, s, t−1, −t) |
//! | Method | nearest points of the two lines; if one is outside its edge, the nearest end: `a`, `b` against the second edge, then `c`, `d` against the first, the first one on a tie |
//! | Degenerate case | one edge of zero length, or both: the nearest end |
//! | Degenerate case | parallel and collinear edges: the nearest end in the order above, one of many nearest points |
//! | Degenerate case | nearly parallel edges: the distance is as good as ever, the points are of no meaning |
//! | Degenerate case | edges that cross or overlap: separation 0, no direction |

use carom_math::Vec3;

use super::vertex_edge::{EdgeRegion, Foot};
use super::{Nearest, Scalar, TINY, plane};

/// The separation of two segments; vertices `a, b, c, d`.
#[inline]
pub fn edge_edge<S: Scalar>(&[a, b, c, d]: &[Vec3<S>; 4]) -> Nearest<4, [EdgeRegion; 2], S> {
    let one = S::constant(1.0);
    // The foot of c − a on the plane of b − a and c − d: (c − a) − s(b − a) − t(c − d) is the negative separation.
    if let Some(plane::Foot { s, t, separation }) = plane::foot(c - a, b - a, c - d) {
        let inside = |w: S| w.plain() >= 0.0 && w.plain() <= 1.0;
        if inside(s) && inside(t) {
            return Nearest {
                weights: [one - s, s, t - one, -t],
                separation: -separation,
                region: [EdgeRegion::Interior; 2],
            };
        }
    }
    nearest_end(&[a, b, c, d])
}

#[inline]
fn nearest_end<S: Scalar>(&[a, b, c, d]: &[Vec3<S>; 4]) -> Nearest<4, [EdgeRegion; 2], S> {
    let mut best = (0, Foot::of(a, c, d));
    let mut best_sq = best.1.separation.length_sq().plain();
    for (end, p, from, to) in [(1, b, c, d), (2, c, a, b), (3, d, a, b)] {
        let foot = Foot::of(p, from, to);
        let distance_sq = foot.separation.length_sq().plain();
        if distance_sq < best_sq {
            (best, best_sq) = ((end, foot), distance_sq);
        }
    }
    let (end, Foot { t, separation, region }) = best;
    let (zero, one) = (S::zero(), S::constant(1.0));
    let at = if end % 2 == 0 { EdgeRegion::Start } else { EdgeRegion::End };
    let (own, other) = if end % 2 == 0 { ([one, zero], [t - one, -t]) } else { ([zero, one], [t - one, -t]) };
    if end < 2 {
        Nearest { weights: [own[0], own[1], other[0], other[1]], separation, region: [at, region] }
    } else {
        Nearest {
            weights: [-other[0], -other[1], -own[0], -own[1]],
            separation: -separation,
            region: [region, at],
        }
    }
}

/// A bound on |computed − true| of the distance of two segments, in m.
///
/// The proof is at `plane::ERROR`: the patch is the parallelogram `s, t ∈ [0, 1]`, its border the
/// four pairs of an end and an edge.
#[must_use]
pub fn error_bound(scale: f64) -> f64 {
    plane::ERROR * f64::EPSILON * scale + TINY
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::EdgeRegion::{End, Interior, Start};
    use super::*;

    const A: Vec3 = Vec3::new(-1.0, 0.0, 0.0);
    const B: Vec3 = Vec3::new(1.0, 0.0, 0.0);

    #[test]
    fn each_kind_of_region_is_found() {
        let up = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
        for (c, d, region, distance_sq) in [
            (up(0.0, -1.0, 2.0), up(0.0, 1.0, 2.0), [Interior, Interior], 4.0),
            (up(0.0, 1.0, 1.0), up(0.5, 3.0, 1.0), [Interior, Start], 2.0),
            (up(0.5, 3.0, 1.0), up(0.0, 1.0, 1.0), [Interior, End], 2.0),
            (up(-2.0, -1.0, 0.0), up(-2.0, 2.0, 0.0), [Start, Interior], 1.0),
            (up(3.0, -1.0, 0.0), up(3.0, 2.0, 0.0), [End, Interior], 4.0),
            (up(3.0, 3.0, 0.0), up(3.0, 2.0, 0.0), [End, End], 8.0),
        ] {
            let nearest = edge_edge(&[A, B, c, d]);
            assert_eq!(nearest.region, region);
            assert!((nearest.distance_sq() - distance_sq).abs() < 1e-14);
        }
    }

    #[test]
    fn derivatives_agree_with_differences_in_every_region() {
        for (c, d) in [
            (Vec3::new(0.2, -1.0, 2.0), Vec3::new(0.1, 1.3, 1.5)),
            (Vec3::new(0.2, 1.0, 1.0), Vec3::new(0.5, 3.0, 1.2)),
            (Vec3::new(3.0, -1.0, 0.1), Vec3::new(3.2, 2.0, 0.0)),
            (Vec3::new(3.0, 3.0, 0.0), Vec3::new(3.0, 2.0, 0.4)),
        ] {
            check::derivatives(edge_edge, edge_edge, &[A, B, c, d]);
        }
    }

    #[test]
    fn parallel_and_collinear_edges_have_the_distance_of_their_lines_or_ends() {
        let shifted = |dx: f64, dy: f64| [A, B, A + Vec3::new(dx, dy, 0.0), B + Vec3::new(dx, dy, 0.0)];
        assert_eq!(edge_edge(&shifted(0.5, 3.0)).distance(), 3.0);
        assert_eq!(edge_edge(&shifted(5.0, 4.0)).distance(), 5.0);
        assert_eq!(edge_edge(&shifted(3.0, 0.0)).distance(), 1.0);
        assert_eq!(edge_edge(&shifted(1.0, 0.0)).distance(), 0.0);
        assert_eq!(edge_edge(&shifted(2.0, 0.0)).distance(), 0.0);
        let against = edge_edge(&[A, B, B + Vec3::Y, A + Vec3::Y]);
        assert_eq!((against.distance(), against.region), (1.0, [Start, End]));
    }

    #[test]
    fn nearly_parallel_edges_keep_their_accuracy() {
        for tilt in [1e-3, 1e-7, 1e-8, 1e-12, 1e-15, 1e-16, 1e-30, 1e-300] {
            let x = [A, B, Vec3::new(-1.0, -tilt, 1e-3), Vec3::new(1.0, tilt, 1e-3)];
            assert!((edge_edge(&x).distance() - 1e-3).abs() < error_bound(2.0), "{tilt:e}");
        }
    }

    #[test]
    fn an_edge_without_length_is_a_point() {
        let p = Vec3::new(0.5, 3.0, 4.0);
        assert_eq!(edge_edge(&[A, B, p, p]).distance(), 5.0);
        assert_eq!(edge_edge(&[p, p, A, B]).distance(), 5.0);
        assert_eq!(edge_edge(&[p, p, B, B]).distance_sq(), 25.25);
    }

    #[test]
    fn edges_that_cross_or_share_an_end_touch() {
        for (c, d) in [(Vec3::Y, -Vec3::Y), (Vec3::Y, Vec3::ZERO), (B, Vec3::Y), (Vec3::Y, A)] {
            let nearest = edge_edge(&[A, B, c, d]);
            assert_eq!(nearest.distance(), 0.0);
            assert!(nearest.gradient().iter().all(|g| g.is_zero()));
        }
    }
}
