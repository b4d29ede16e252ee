//! Approximate nearest points of two primitives, and a direction that separates them.
//!
//! Nothing here is proven, and nothing need be: the caller proves that the direction separates. The distance is that of two points of the
//! primitives, up to rounding, so it is never below their true distance.

use carom_math::Vec3;

use crate::Kind;

/// Approximate distance of two primitives, and a separating direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Apart {
    /// Distance of the nearest points found.
    pub distance: f64,
    /// From the first primitive to the second, with a length of at most 1 and hardly less; zero if there is none.
    pub towards: Vec3,
}

/// Approximate distance of the primitives with these vertices.
pub(crate) fn apart(kind: Kind, x: &[Vec3; 4]) -> Apart {
    // With two choices for the direction: where faces are slivers or edges nearly parallel, the nearest points are uncertain
    // along the primitives, and the direction across them is the better one.
    let (difference, across) = match kind {
        Kind::VertexVertex => (x[1] - x[0], Vec3::ZERO),
        Kind::VertexEdge => (to_edge(x[0], x[1], x[2]), without(x[1] - x[0], x[2] - x[1])),
        Kind::VertexFace => to_face(x[0], [x[1], x[2], x[3]]),
        Kind::EdgeEdge => between_edges([x[0], x[1]], [x[2], x[3]]),
    };
    let choices = [difference, across, -across].map(direction);
    let better = |a: &Vec3, b: &Vec3| gap(kind, x, *a).total_cmp(&gap(kind, x, *b));
    let towards = choices.into_iter().max_by(better).expect("there are three");
    Apart { distance: difference.length(), towards }
}

/// Gap along `towards` between the end of the first primitive and the beginning of the second.
fn gap(kind: Kind, x: &[Vec3; 4], towards: Vec3) -> f64 {
    let (first, second) = x[..kind.vertices()].split_at(kind.first_has());
    // From one vertex, so that far from the origin no more is lost than must be.
    let along = |p: &Vec3| (*p - x[0]).dot(towards);
    second.iter().map(along).fold(f64::INFINITY, f64::min)
        - first.iter().map(along).fold(f64::NEG_INFINITY, f64::max)
}

/// Parameter of the point of the edge nearest to `p`, from 0 to 1.
fn along_edge(p: Vec3, a: Vec3, b: Vec3) -> f64 {
    let e = b - a;
    let along = (p - a).dot(e) / e.length_sq();
    // An edge without length has no number here; its start is as near as any.
    if along.is_nan() { 0.0 } else { along.clamp(0.0, 1.0) }
}

fn to_edge(p: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    a + (b - a) * along_edge(p, a, b) - p
}

/// The part of `v` that is not along `e`.
fn without(v: Vec3, e: Vec3) -> Vec3 {
    let part = v.dot(e) / e.length_sq();
    if part.is_finite() { v - e * part } else { v }
}

fn to_face(p: Vec3, [a, b, c]: [Vec3; 3]) -> (Vec3, Vec3) {
    let (e, f, q) = (b - a, c - a, p - a);
    let n = e.cross(f);
    let at_edges = shortest([to_edge(p, a, b), to_edge(p, b, c), to_edge(p, c, a)]);
    let (weight_b, weight_c) = (q.cross(f).dot(n) / n.length_sq(), e.cross(q).dot(n) / n.length_sq());
    if weight_b >= 0.0 && weight_c >= 0.0 && weight_b + weight_c <= 1.0 {
        return (shortest([e * weight_b + f * weight_c - q, at_edges]), n);
    }
    (at_edges, n)
}

fn between_edges([a, b]: [Vec3; 2], [c, d]: [Vec3; 2]) -> (Vec3, Vec3) {
    let (u, v, w) = (b - a, d - c, c - a);
    let n = u.cross(v);
    let at_ends = shortest([to_edge(a, c, d), to_edge(b, c, d), -to_edge(c, a, b), -to_edge(d, a, b)]);
    let part = w.cross(v).dot(n) / n.length_sq();
    if part.is_nan() {
        return (at_ends, without(w, u));
    }
    let p = a + u * part.clamp(0.0, 1.0);
    let across = to_edge(p, c, d);
    (
        shortest([across, at_ends]),
        if n.length_sq() < 1e-6 * u.length_sq() * v.length_sq() { without(w, u) } else { n },
    )
}

fn shortest<const N: usize>(differences: [Vec3; N]) -> Vec3 {
    differences.into_iter().min_by(|x, y| x.length_sq().total_cmp(&y.length_sq())).expect("there are some")
}

/// The direction of `v`, with a length of at most 1 and hardly less; zero if it has none.
fn direction(v: Vec3) -> Vec3 {
    // Length, quotient and product are each off by a few halves of an epsilon at most.
    v.try_normalize().map_or(Vec3::ZERO, |n| n * (1.0 - 8.0 * f64::EPSILON))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn the_direction_separates_what_is_apart_by_its_whole_distance(x in prop::array::uniform4(point()), kind in 0..4_usize) {
            let kind = [Kind::VertexFace, Kind::EdgeEdge, Kind::VertexEdge, Kind::VertexVertex][kind];
            let Apart { distance, towards: n } = apart(kind, &x);
            prop_assert!(n.length() <= 1.0);
            let (a, b) = x[..kind.vertices()].split_at(kind.first_has());
            let top = a.iter().map(|p| p.dot(n)).fold(f64::NEG_INFINITY, f64::max);
            let bottom = b.iter().map(|p| p.dot(n)).fold(f64::INFINITY, f64::min);
            // Separation by the whole length proves both that the points found are nearest and that the direction is right.
            prop_assert!(bottom - top >= distance - 1e-9 || distance < 1e-6, "{} of {distance}", bottom - top);
        }

        #[test]
        fn nearly_parallel_edges_and_slivers_are_separated_too(
            p in point(), along in point(), off in point(), tilt in point(), exponent in -16..0_i32, kind in 0..2_usize,
        ) {
            let tilt = tilt * 10f64.powi(exponent);
            let kind = [Kind::VertexFace, Kind::EdgeEdge][kind];
            let x = match kind {
                // A triangle whose corners are nearly in line.
                Kind::VertexFace => [p + off, p, p + along, p + along * 0.5 + tilt],
                _ => [p, p + along, p + off, p + off + along + tilt],
            };
            let Apart { distance, towards } = apart(kind, &x);
            prop_assert!(gap(kind, &x, towards) >= distance * (1.0 - 1e-7) - 1e-13, "{} of {distance}", gap(kind, &x, towards));
        }
    }
}
