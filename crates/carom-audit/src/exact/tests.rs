//! Contacts whose times are known by construction.

use super::*;
use proptest::prelude::*;

/// A whole position, for flights whose contacts are whole-number geometry.
fn at(x: i64, y: i64, z: i64) -> [IBig; 3] {
    [x, y, z].map(IBig::from)
}

fn still(x: [IBig; 3]) -> WholeFlight {
    WholeFlight { start: x.clone(), end: x }
}

fn first(kind: Kind, flights: &[WholeFlight], reach: i64) -> Option<Times> {
    first_contact(kind, flights, &IBig::from(reach))
}

fn exactly(time: f64) -> Times {
    Times { low: time, high: time }
}

#[test]
fn a_ball_meets_vertex_edge_and_face_when_its_radius_says_so() {
    let falls = |x: i64, y: i64| WholeFlight { start: at(x, y, 16), end: at(x, y, 0) };
    let corners = [at(0, 0, 0), at(40, 0, 0), at(0, 40, 0)].map(still);
    let face = |x, y| [&[falls(x, y)][..], &corners[..]].concat();
    // From a height of 16 to 4 is three quarters of the way.
    assert_eq!(first(Kind::VertexFace, &face(5, 5), 4), Some(exactly(0.75)));
    assert_eq!(first(Kind::VertexEdge, &face(5, 0)[..3], 4), Some(exactly(0.75)));
    assert_eq!(first(Kind::VertexVertex, &face(0, 0)[..2], 4), Some(exactly(0.75)));
    // Beside an edge or a corner a ball of radius 5 that passes at 3 touches at a height of 4.
    assert_eq!(first(Kind::VertexFace, &face(5, -3), 5), Some(exactly(0.75)));
    assert_eq!(first(Kind::VertexFace, &face(-3, 0), 5), Some(exactly(0.75)));
    assert_eq!(first(Kind::VertexFace, &face(5, -5), 5), Some(exactly(1.0)));
    assert_eq!(first(Kind::VertexFace, &face(5, -6), 5), None);
}

#[test]
fn two_rods_meet_across_and_side_by_side() {
    let bar = |height_from, height_to, y: i64| {
        let end = |x| WholeFlight { start: at(x, y, height_from), end: at(x, y, height_to) };
        [end(-10), end(10)]
    };
    let across = [still(at(0, -10, 0)), still(at(0, 10, 0))];
    let along = [still(at(-30, 0, 0)), still(at(30, 0, 0))];
    assert_eq!(first(Kind::EdgeEdge, &[bar(16, 0, 0), across.clone()].concat(), 4), Some(exactly(0.75)));
    assert_eq!(first(Kind::EdgeEdge, &[bar(16, 0, 0), along.clone()].concat(), 4), Some(exactly(0.75)));
    assert_eq!(first(Kind::EdgeEdge, &[bar(16, 0, 3), along.clone()].concat(), 5), Some(exactly(0.75)));
    assert_eq!(first(Kind::EdgeEdge, &[bar(16, 0, 0), along].concat(), 0), Some(exactly(1.0)));
    assert_eq!(first(Kind::EdgeEdge, &[bar(16, 1, 0), across].concat(), 0), None);
}

#[test]
fn sliding_along_a_plane_at_constant_distance_is_contact_once_above_the_face() {
    let corners = [at(0, 0, 0), at(40, 0, 0), at(0, 40, 0)].map(still);
    let slide = |height| WholeFlight { start: at(-16, 8, height), end: at(16, 8, height) };
    let pair = |height| [&[slide(height)][..], &corners[..]].concat();
    // At height 5 a ball of radius 5 touches when it is above the edge x = 0; in the plane likewise.
    assert_eq!(first(Kind::VertexFace, &pair(5), 5), Some(exactly(0.5)));
    assert_eq!(first(Kind::VertexFace, &pair(0), 0), Some(exactly(0.5)));
    assert_eq!(first(Kind::VertexFace, &pair(6), 5), None);
    assert_eq!(first(Kind::VertexFace, &pair(1), 0), None);
}

#[test]
fn a_face_without_area_is_its_edges_and_an_edge_without_length_its_ends() {
    let needle = [at(0, 0, 0), at(20, 0, 0), at(40, 0, 0)].map(still);
    let speck = [at(7, 0, 0), at(7, 0, 0)].map(still);
    let falls = WholeFlight { start: at(7, 0, 8), end: at(7, 0, -8) };
    assert_eq!(first(Kind::VertexFace, &[&[falls.clone()][..], &needle].concat(), 0), Some(exactly(0.5)));
    assert_eq!(first(Kind::VertexEdge, &[&[falls.clone()][..], &speck].concat(), 0), Some(exactly(0.5)));
    assert_eq!(first(Kind::VertexEdge, &[&[falls.clone()][..], &speck].concat(), 4), Some(exactly(0.25)));
    let twice = [falls.clone(), falls];
    assert_eq!(first(Kind::EdgeEdge, &[twice, speck].concat(), 0), Some(exactly(0.5)));
}

#[test]
fn what_rests_in_contact_is_in_contact_from_the_start() {
    let p = Vec3::new(0.25, 0.25, 0.0);
    let face = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let pair = [p, face[0], face[1], face[2]];
    assert_eq!(exact_first_contact(Kind::VertexFace, &pair, &pair), Some(exactly(0.0)));
    let above = [Vec3::new(0.25, 0.25, f64::from_bits(1)), face[0], face[1], face[2]];
    assert_eq!(exact_first_contact(Kind::VertexFace, &above, &above), None);
}

fn small_point() -> impl Strategy<Value = [i64; 3]> {
    prop::array::uniform3(-4..5_i64)
}

fn squared_length(x: [i64; 3]) -> i64 {
    x.iter().map(|x| x * x).sum()
}

proptest! {
    /// Everything below is a question of distance at 65 instants: the contact found is there, and nothing is nearer before.
    #[test]
    fn a_reported_time_is_in_reach_and_earlier_instants_are_not(
        starts in prop::array::uniform4(small_point()), ends in prop::array::uniform4(small_point()),
        reach in 0..3_i64, kind in 0..4_usize,
    ) {
        let kind = [Kind::VertexFace, Kind::EdgeEdge, Kind::VertexEdge, Kind::VertexVertex][kind];
        let flights: Vec<WholeFlight> = (0..kind.vertices())
            .map(|i| WholeFlight { start: starts[i].map(IBig::from), end: ends[i].map(IBig::from) })
            .collect();
        let found = first(kind, &flights, reach);
        for instant in 0..=64 {
            let s = f64::from(instant) / 64.0;
            let x: [Vec3; 4] = core::array::from_fn(|i| {
                let at = |k: usize| starts[i][k] as f64 + (ends[i][k] - starts[i][k]) as f64 * s;
                Vec3::new(at(0), at(1), at(2))
            });
            // Sampling the primitives densely is slow and needs no thought.
            let sampled = sampled_distance(kind, &x);
            if sampled < reach as f64 {
                prop_assert!(found.is_some_and(|t| t.low <= s), "{sampled} at {s}, but {found:?}");
            }
        }
        if let Some(times) = found {
            let x: [Vec3; 4] = core::array::from_fn(|i| {
                let at = |k: usize| starts[i][k] as f64 + (ends[i][k] - starts[i][k]) as f64 * times.low;
                Vec3::new(at(0), at(1), at(2))
            });
            // Samples are at most an eighth of the longest possible edge, 14, apart in each direction.
            prop_assert!(sampled_distance(kind, &x) <= reach as f64 + 14.0 / 8.0);
        }
    }

    #[test]
    fn two_balls_meet_where_the_quadratic_says(
        p in small_point(), q in small_point(), v in small_point(), radius in 0..4_i64,
    ) {
        let d: [i64; 3] = core::array::from_fn(|k| p[k] - q[k]);
        let (a, b, c) = (
            squared_length(v), d.iter().zip(&v).map(|(d, v)| d * v).sum::<i64>(), squared_length(d) - radius * radius,
        );
        let end: [i64; 3] = core::array::from_fn(|k| p[k] + v[k]);
        let flights = [
            WholeFlight { start: p.map(IBig::from), end: end.map(IBig::from) }, still(q.map(IBig::from)),
        ];
        let found = first(Kind::VertexVertex, &flights, radius);
        let expected = if c <= 0 { Some(0.0) } else {
            let root = ((b * b - a * c) >= 0 && b < 0).then(|| (-(b as f64) - ((b * b - a * c) as f64).sqrt()) / a as f64);
            root.filter(|t| *t <= 1.0 + 1e-12)
        };
        match (found, expected) {
            (None, None) => {}
            (Some(times), Some(time)) => prop_assert!((times.low - time).abs() < 1e-12),
            (found, Some(time)) => prop_assert!((time - 1.0).abs() < 1e-12, "{found:?}, {time}"),
            other => prop_assert!(false, "{other:?}"),
        }
    }
}

/// The smallest distance between samples of both primitives, at eighths of their edges: never below the distance.
fn sampled_distance(kind: Kind, x: &[Vec3; 4]) -> f64 {
    let samples = |corners: &[Vec3]| -> Vec<Vec3> {
        let mut out = Vec::new();
        for i in 0..=8 {
            for j in 0..=(8 - i) {
                let (s, t) = (f64::from(i) / 8.0, f64::from(j) / 8.0);
                match corners {
                    [a] => out.push(*a),
                    [a, b] => out.push(*a + (*b - *a) * s),
                    [a, b, c] => out.push(*a + (*b - *a) * s + (*c - *a) * t),
                    _ => unreachable!("primitives have one to three corners"),
                }
            }
        }
        out
    };
    let (a, b) = x[..kind.vertices()].split_at(kind.first_has());
    let (a, b) = (samples(a), samples(b));
    a.iter().flat_map(|p| b.iter().map(|q| (*p - *q).length())).fold(f64::INFINITY, f64::min)
}
