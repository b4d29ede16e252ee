//! Whether a segment and a triangle share a point, decided exactly.
//!
//! | Transversal | the ends are not strictly on one side of the plane, and the line passes the three edges on one side |
//! | Degenerate case | segment in the plane: projected along an axis that keeps the triangle's area, a problem in 2-D |
//! | Degenerate case | triangle without area: its three edges, segment against segment |
//! | Degenerate case | segments on one line, or without length: their extents along each axis |
//!
//! Projections drop a coordinate, so they are exact; signs come from Shewchuk's adaptive predicates, and
//! from whole numbers for coordinates so large or small that those could overflow or lose digits.

use carom_math::Vec3;
use robust::{Coord, Coord3D};

use super::volume_sign::volume_sign;

/// Sign of the volume of the tetrahedron `a, b, c, d`.
fn side(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> i8 {
    if ![a, b, c, d].iter().all(is_ordinary) {
        return volume_sign([a, b, c, d]);
    }
    let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
    sign(robust::orient3d(a, b, c, d))
}

/// Sign of the area of the triangle `a, b, c` projected along `axis`.
fn turn(axis: usize, a: Vec3, b: Vec3, c: Vec3) -> i8 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    if ![a, b, c].iter().all(is_ordinary) {
        // For an apex behind the triangle, the volume of the tetrahedron has the sign of the projected area.
        let flat = |p: Vec3| Vec3::new(p[i], p[j], 0.0);
        let behind = flat(a) - Vec3::Z;
        return volume_sign([flat(a), flat(b), flat(c), behind]);
    }
    let [a, b, c] = [a, b, c].map(|p| Coord { x: p[i], y: p[j] });
    sign(robust::orient2d(a, b, c))
}

/// Whether products of three coordinates neither overflow nor lose digits to underflow.
fn is_ordinary(p: &Vec3) -> bool {
    p.to_array().iter().all(|x| *x == 0.0 || (1e-80..1e80).contains(&x.abs()))
}

fn sign(x: f64) -> i8 {
    i8::from(x > 0.0) - i8::from(x < 0.0)
}

/// An axis along which the projections of the three points are not collinear; `None` if the points are.
fn open_axis(a: Vec3, b: Vec3, c: Vec3) -> Option<usize> {
    (0..3).find(|axis| turn(*axis, a, b, c) != 0)
}

/// Whether the triangle has area.
pub(super) fn has_area(&[a, b, c]: &[Vec3; 3]) -> bool {
    open_axis(a, b, c).is_some()
}

/// Whether `p` and `q` lie in one plane with the edge and strictly on the same side of it.
pub(super) fn coplanar_on_one_side([s, t]: [Vec3; 2], p: Vec3, q: Vec3) -> bool {
    // Where the projection is not degenerate, its signed areas decide: they are cheaper than a volume that is zero.
    open_axis(s, t, p).is_some_and(|axis| turn(axis, s, t, p) == turn(axis, s, t, q)) && side(s, t, p, q) == 0
}

/// Whether the closed segment and the closed triangle share a point.
pub(super) fn segment_meets_triangle(&[p, q]: &[Vec3; 2], &[a, b, c]: &[Vec3; 3]) -> bool {
    let is_beside = |along: fn(&Vec3) -> f64| {
        let [p, q, a, b, c] = [along(&p), along(&q), along(&a), along(&b), along(&c)];
        p.max(q) < a.min(b).min(c) || a.max(b).max(c) < p.min(q)
    };
    if is_beside(|p| p.x) || is_beside(|p| p.y) || is_beside(|p| p.z) {
        return false;
    }
    let edges = [[a, b], [b, c], [c, a]];
    let Some(axis) = open_axis(a, b, c) else {
        return edges.iter().any(|[a, b]| segments_meet(p, q, *a, *b));
    };
    // What is disjoint in a projection is disjoint in space. Where the projected segment lies on the line of a projected edge, it can meet the
    // triangle on that edge alone.
    // Flat sheets are full of triangles in one plane, for which volumes are slow.
    let meets_as_seen = in_triangle(axis, p, [a, b, c])
        || edges.iter().any(|[a, b]| segments_meet_as_seen(axis, p, q, *a, *b));
    if !meets_as_seen {
        return false;
    }
    let (above, below) = (side(a, b, c, p), side(a, b, c, q));
    if above * below == 1 {
        return false;
    }
    if above == 0 && below == 0 {
        return true;
    }
    let passes = edges.map(|[a, b]| side(p, q, a, b));
    !(passes.contains(&1) && passes.contains(&-1))
}

/// Whether a point lies in the triangle, both projected along `axis`.
fn in_triangle(axis: usize, p: Vec3, [a, b, c]: [Vec3; 3]) -> bool {
    let turns = [turn(axis, a, b, p), turn(axis, b, c, p), turn(axis, c, a, p)];
    !(turns.contains(&1) && turns.contains(&-1))
}

/// Whether two segments share a point, anywhere in space.
fn segments_meet(p: Vec3, q: Vec3, a: Vec3, b: Vec3) -> bool {
    if side(p, q, a, b) != 0 {
        return false;
    }
    let triples = [[p, q, a], [p, q, b], [a, b, p], [a, b, q]];
    match triples.iter().find_map(|[x, y, z]| open_axis(*x, *y, *z)) {
        Some(axis) => segments_meet_as_seen(axis, p, q, a, b),
        None => extents_meet(p, q, a, b),
    }
}

/// Whether two segments, projected along `axis`, share a point; of segments whose projections are collinear, the extents along the axis count too.
/// Exact where both are in one plane that is not parallel to the axis.
fn segments_meet_as_seen(axis: usize, p: Vec3, q: Vec3, a: Vec3, b: Vec3) -> bool {
    let (pa, pb) = (turn(axis, p, q, a), turn(axis, p, q, b));
    let (ap, aq) = (turn(axis, a, b, p), turn(axis, a, b, q));
    if pa * pb > 0 || ap * aq > 0 {
        return false;
    }
    // All zero: one line, on which the extents decide. Otherwise each segment reaches the other's line.
    (pa, pb, ap, aq) != (0, 0, 0, 0) || extents_meet(p, q, a, b)
}

/// Whether the extents of two segments on one line overlap.
fn extents_meet(p: Vec3, q: Vec3, a: Vec3, b: Vec3) -> bool {
    (0..3).all(|k| p[k].min(q[k]) <= a[k].max(b[k]) && a[k].min(b[k]) <= p[k].max(q[k]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_and_adaptive_predicates_have_the_same_signs() {
        let p = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(0.3, 0.2, -0.5)];
        assert_eq!(side(p[0], p[1], p[2], p[3]), volume_sign(p));
        for axis in 0..3 {
            let [a, b, c] = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, -5.0, 6.0), Vec3::new(0.5, 1.0, -9.0)];
            for size in [1e-90, 1e90] {
                assert_eq!(turn(axis, a, b, c), turn(axis, a * size, b * size, c * size));
            }
        }
    }
}
