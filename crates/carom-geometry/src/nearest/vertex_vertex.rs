//! Vertex against vertex.
//!
//! | Separation | `s = x₀ − x₁`, weights (1, −1) |
//! | Degenerate case | coincident points: separation 0, no direction |

use carom_math::Vec3;

use super::{Nearest, Scalar, TINY};

/// The separation of two points.
#[inline]
pub fn vertex_vertex<S: Scalar>(&[p, a]: &[Vec3<S>; 2]) -> Nearest<2, (), S> {
    Nearest { weights: [S::constant(1.0), S::constant(-1.0)], separation: p - a, region: () }
}

/// A bound on |computed − true| of the distance of two points, in m.
///
/// With `u` the unit round-off: the components of the separation are off by a factor `1 + u`, the
/// sum of three squares by `(1 + u)³`, the root halves that and adds one rounding, in all 3.5 u,
/// and the distance is at most √3 `scale`: 6.1 u `scale`, below 4 ε `scale` with ε = 2u.
#[must_use]
pub fn error_bound(scale: f64) -> f64 {
    4.0 * f64::EPSILON * scale + TINY
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    #[test]
    fn the_gradient_pulls_the_points_apart() {
        let x = [Vec3::new(1.0, 2.0, 2.0), Vec3::ZERO];
        let nearest = vertex_vertex(&x);
        assert_eq!(nearest.distance(), 3.0);
        assert_eq!(nearest.gradient()[1], nearest.gradient()[0] * -1.0);
        check::derivatives(vertex_vertex, vertex_vertex, &x);
    }

    #[test]
    fn coincident_points_have_distance_zero_and_no_direction() {
        let nearest = vertex_vertex(&[Vec3::X, Vec3::X]);
        assert_eq!(nearest.distance(), 0.0);
        assert!(nearest.gradient().iter().all(|g| g.is_zero()));
    }
}
