//! Vertex against face: the point `p` and the closed triangle `a, b, c`.
//!
//! | Separation | `s = p − λ₀ a − λ₁ b − λ₂ c` with `λ ≥ 0`, `Σλ = 1` and `‖s‖` least; weights (1, −λ) |
//! | Method | foot on the plane; if a `λ` is negative, the nearest of the three edges, the first one on a tie |
//! | Degenerate case | zero area (two or three corners coincide, or all on a line): the nearest of the edges |
//! | Degenerate case | needle and obtuse triangles: nothing special; a foot rejected by rounding is near an edge |
//! | Degenerate case | `p` in the triangle: separation 0, no direction |

use carom_math::Vec3;

use super::vertex_edge::{EdgeRegion, Foot};
use super::{Nearest, Scalar, TINY, plane};

/// Where on a triangle the nearest point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaceRegion {
    /// Inside the triangle (its border too, when the foot on the plane falls there).
    Interior,
    /// On the edge from corner `k` to corner `k + 1 mod 3`.
    Edge(u8),
    /// At corner `k`.
    Corner(u8),
}

/// The separation of a point from a triangle; vertices `p, a, b, c`.
#[inline]
pub fn vertex_face<S: Scalar>(&[p, a, b, c]: &[Vec3<S>; 4]) -> Nearest<4, FaceRegion, S> {
    let one = S::constant(1.0);
    if let Some(plane::Foot { s, t, separation }) = plane::foot(p - a, b - a, c - a) {
        let first = one - (s + t);
        if first.plain() >= 0.0 && s.plain() >= 0.0 && t.plain() >= 0.0 {
            return Nearest { weights: [one, -first, -s, -t], separation, region: FaceRegion::Interior };
        }
    }
    nearest_edge(p, [a, b, c])
}

#[inline]
fn nearest_edge<S: Scalar>(p: Vec3<S>, corners: [Vec3<S>; 3]) -> Nearest<4, FaceRegion, S> {
    let mut best = (0, Foot::of(p, corners[0], corners[1]));
    let mut best_sq = best.1.separation.length_sq().plain();
    for k in 1..3 {
        let foot = Foot::of(p, corners[k], corners[(k + 1) % 3]);
        let distance_sq = foot.separation.length_sq().plain();
        if distance_sq < best_sq {
            (best, best_sq) = ((k, foot), distance_sq);
        }
    }
    let (k, Foot { t, separation, region }) = best;
    let one = S::constant(1.0);
    let next = (k + 1) % 3;
    let mut weights = [one, S::zero(), S::zero(), S::zero()];
    weights[1 + k] = t - one;
    weights[1 + next] = -t;
    let region = match region {
        EdgeRegion::Interior => FaceRegion::Edge(k as u8),
        EdgeRegion::Start => FaceRegion::Corner(k as u8),
        EdgeRegion::End => FaceRegion::Corner(next as u8),
    };
    Nearest { weights, separation, region }
}

/// A bound on |computed − true| of the distance of a point and a triangle, in m.
///
/// The proof is at `plane::ERROR`: the triangle is the patch `s, t ≥ 0`, `s + t ≤ 1`. The test on
/// the first weight is `1 − (s + t) ≥ 0` with rounded sum: rejected means that the exact sum is
/// above 1, accepted that it is at most 1 + u.
#[must_use]
pub fn error_bound(scale: f64) -> f64 {
    plane::ERROR * f64::EPSILON * scale + TINY
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    const A: Vec3 = Vec3::new(0.0, 0.0, 0.0);
    const B: Vec3 = Vec3::new(4.0, 0.0, 0.0);
    const C: Vec3 = Vec3::new(0.0, 4.0, 0.0);

    #[test]
    fn each_of_the_seven_regions_is_found() {
        for (p, region, distance_sq) in [
            (Vec3::new(1.0, 1.0, -2.0), FaceRegion::Interior, 4.0),
            (Vec3::new(1.0, -1.0, 2.0), FaceRegion::Edge(0), 5.0),
            (Vec3::new(4.0, 2.0, 1.0), FaceRegion::Edge(1), 3.0),
            (Vec3::new(-3.0, 3.0, 0.0), FaceRegion::Edge(2), 9.0),
            (Vec3::new(-1.0, -1.0, 1.0), FaceRegion::Corner(0), 3.0),
            (Vec3::new(6.0, 0.0, 0.0), FaceRegion::Corner(1), 4.0),
            (Vec3::new(0.0, 5.0, 1.0), FaceRegion::Corner(2), 2.0),
        ] {
            let nearest = vertex_face(&[p, A, B, C]);
            assert_eq!(nearest.region, region);
            assert!((nearest.distance_sq() - distance_sq).abs() < 1e-14);
        }
    }

    #[test]
    fn derivatives_agree_with_differences_in_every_region() {
        let c = Vec3::new(0.3, 3.0, 0.5);
        for p in [
            Vec3::new(1.0, 0.8, -2.0),
            Vec3::new(1.0, -1.0, 2.0),
            Vec3::new(-1.0, -1.2, 1.0),
            Vec3::new(3.0, 4.0, 1.0),
        ] {
            check::derivatives(vertex_face, vertex_face, &[p, A, B, c]);
        }
    }

    #[test]
    fn a_triangle_without_area_is_its_edges() {
        let p = Vec3::new(1.0, 3.0, 0.0);
        assert_eq!(vertex_face(&[p, A, B, B]).distance(), 3.0);
        assert_eq!(vertex_face(&[p, B, A, B]).distance(), 3.0);
        assert_eq!(vertex_face(&[p, A, A, B]).distance(), 3.0);
        assert_eq!(vertex_face(&[p, A, A, A]).distance_sq(), 10.0);
        let on_a_line = vertex_face(&[p, A, Vec3::new(0.5, 0.0, 0.0), B]);
        assert_eq!((on_a_line.distance(), on_a_line.region), (3.0, FaceRegion::Edge(1)));
    }

    #[test]
    fn the_point_beyond_an_obtuse_corner_is_nearest_to_the_corner() {
        let obtuse = [Vec3::new(-1.0, 1.0, 0.0), Vec3::new(9.0, 2.0, 0.0), Vec3::new(-9.0, -1.0, 0.0)];
        let nearest = vertex_face(&[Vec3::new(-4.0, 31.0, 0.0), obtuse[0], obtuse[1], obtuse[2]]);
        assert_eq!(nearest.region, FaceRegion::Corner(0));
    }

    #[test]
    fn a_needle_as_thin_as_the_rounding_unit_keeps_its_accuracy() {
        for thin in [1e-3, 1e-8, 1e-12, 1e-15, 1e-16, 1e-20, 1e-150, 1e-300] {
            let x = [Vec3::new(0.7, 0.0, 1e-3), A, Vec3::X, Vec3::new(0.6, thin, 0.0)];
            assert!((vertex_face(&x).distance() - 1e-3).abs() < error_bound(1.0), "{thin:e}");
        }
    }

    #[test]
    fn a_point_in_the_triangle_touches() {
        for p in [A, B, C, Vec3::new(1.0, 1.0, 0.0), Vec3::new(2.0, 2.0, 0.0)] {
            let nearest = vertex_face(&[p, A, B, C]);
            assert_eq!(nearest.distance(), 0.0);
            assert!(nearest.gradient().iter().all(|g| g.is_zero()));
        }
    }
}
