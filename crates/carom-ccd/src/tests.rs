//! Degenerate cases by name, planted contacts and planted misses by the thousand.

use super::Kind::{EdgeEdge, VertexFace};
use super::*;
use proptest::prelude::*;

const fn v(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3::new(x, y, z)
}

const FACE: [Vec3; 3] = [v(0.0, 0.0, 0.0), v(4.0, 0.0, 0.0), v(0.0, 4.0, 0.0)];

fn vertex_at_face(from: Vec3, to: Vec3) -> Option<f64> {
    let [a, b, c] = FACE;
    contact(VertexFace, [from, a, b, c], [to, a, b, c])
}

/// The first contact, the same by both ways.
fn contact(kind: Kind, start: [Vec3; 4], end: [Vec3; 4]) -> Option<f64> {
    let time = first_contact(kind, &start, &end);
    let exact = first_contact_exact(kind, &start, &end);
    match (time, exact) {
        (None, None) => {}
        (Some(t), Some(e)) => assert!(t <= e.high && e.high - t <= EARLY, "{t} against {e:?}"),
        _ => panic!("{time:?} against {exact:?}"),
    }
    time
}

fn close_to(time: Option<f64>, want: f64) -> bool {
    time.is_some_and(|t| t <= want && want - t <= EARLY)
}

#[test]
fn a_vertex_through_the_inside_an_edge_and_a_corner_is_seen() {
    for (x, y) in [(1.0, 1.0), (2.0, 2.0), (2.0, 0.0), (0.0, 0.0), (4.0, 0.0), (0.0, 4.0)] {
        assert!(close_to(vertex_at_face(v(x, y, 1.0), v(x, y, -3.0)), 0.25));
    }
    for (x, y) in [(-1e-15, 1.0), (2.0, 2.0 + 1e-15), (-1e-300, 0.0)] {
        assert_eq!(vertex_at_face(v(x, y, 1.0), v(x, y, -3.0)), None);
    }
}

#[test]
fn the_ends_of_the_interval_count() {
    assert_eq!(vertex_at_face(v(1.0, 1.0, 0.0), v(1.0, 1.0, 5.0)), Some(0.0));
    assert!(close_to(vertex_at_face(v(1.0, 1.0, 1.0), v(1.0, 1.0, 0.0)), 1.0));
    assert_eq!(vertex_at_face(v(1.0, 1.0, 1.0), v(1.0, 1.0, 1e-300)), None);
}

#[test]
fn without_motion_contact_is_at_once_or_never() {
    for p in [v(1.0, 1.0, 0.0), FACE[1], v(2.0, 2.0, 0.0)] {
        assert_eq!(vertex_at_face(p, p), Some(0.0));
    }
    for p in [v(1.0, 1.0, 1e-200), v(5.0, 0.0, 0.0)] {
        assert_eq!(vertex_at_face(p, p), None);
    }
}

#[test]
fn a_vertex_that_moves_in_the_plane_of_the_face_meets_its_border() {
    assert!(close_to(vertex_at_face(v(-1.0, 1.0, 0.0), v(3.0, 1.0, 0.0)), 0.25));
    assert!(close_to(vertex_at_face(v(-1.0, 0.0, 0.0), v(3.0, 0.0, 0.0)), 0.25));
    assert!(close_to(vertex_at_face(v(-1.0, 1.0, 0.0), v(1.0, -1.0, 0.0)), 0.5));
    assert_eq!(vertex_at_face(v(-1.0, 1.0, 0.0), v(0.5, -1.0, 0.0)), None);
}

#[test]
fn faces_without_area_are_segments_or_points() {
    let hit = |face: [Vec3; 3], from: Vec3, to: Vec3| {
        let [a, b, c] = face;
        contact(VertexFace, [from, a, b, c], [to, a, b, c])
    };
    let segment = [v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    assert!(close_to(hit(segment, v(1.5, -1.0, 1.0), v(1.5, 1.0, -1.0)), 0.5));
    assert_eq!(hit(segment, v(1.5, -1.0, 1.0), v(1.5, 1.0, -1.0 + 1e-14)), None);
    assert!(close_to(hit(segment, v(-1.0, 0.0, 0.0), v(3.0, 0.0, 0.0)), 0.25));
    let point = [Vec3::X; 3];
    assert!(close_to(hit(point, v(0.0, 1.0, 1.0), v(2.0, -1.0, -1.0)), 0.5));
    assert_eq!(hit(point, v(0.0, 1.0, 1.0), v(2.0, -1.0, -0.99)), None);
}

#[test]
fn edges_that_cross_graze_or_slide_along_each_other_are_seen() {
    let fixed = [v(-1.0, 0.0, 0.0), v(1.0, 0.0, 0.0)];
    let hit = |from: [Vec3; 2], by: Vec3| {
        let [a, b] = fixed;
        contact(EdgeEdge, [a, b, from[0], from[1]], [a, b, from[0] + by, from[1] + by])
    };
    let across = [v(0.0, -1.0, 1.0), v(0.0, 1.0, 1.0)];
    assert!(close_to(hit(across, v(0.0, 0.0, -4.0)), 0.25));
    assert!(close_to(hit(across, v(1.0, 0.0, -1.0)), 1.0));
    assert_eq!(hit(across, v(1.0 + 1e-15, 0.0, -1.0)), None);
    let parallel = [v(-1.0, 0.0, 1.0), v(1.0, 0.0, 1.0)];
    assert!(close_to(hit(parallel, v(0.0, 0.0, -2.0)), 0.5));
    assert!(close_to(hit(parallel, v(4.0, 0.0, -2.0)), 0.5));
    assert_eq!(hit(parallel, v(4.5, 0.0, -2.0)), None);
    let collinear = [v(3.0, 0.0, 0.0), v(2.0, 0.0, 0.0)];
    assert!(close_to(hit(collinear, v(-4.0, 0.0, 0.0)), 0.25));
    let points = [v(0.5, 0.0, 1.0), v(0.5, 0.0, 1.0)];
    assert!(close_to(hit(points, v(0.0, 0.0, -1.0)), 1.0));
}

#[test]
fn a_vertex_that_touches_a_turning_face_and_leaves_is_seen_and_the_last_bit_of_a_miss_too() {
    // With s = 2t − 1 the height over the face is lift − s²/2: a double root at t = 1/2 without lift.
    let placed = |s: f64, lift: f64| {
        [v(0.5 * s + 0.5, 0.2, 0.5 * s + lift), Vec3::ZERO, v(1.0, 0.0, s), v(0.0, 1.0, 0.0)]
    };
    let graze = |lift: f64| contact(VertexFace, placed(-1.0, lift), placed(1.0, lift));
    let last_bit = f64::EPSILON / 2.0;
    assert!(close_to(graze(0.0), 0.5));
    assert!(close_to(graze(last_bit), 0.5));
    assert_eq!(graze(-last_bit), None);
}

#[test]
fn what_is_not_finite_counts_as_contact() {
    let mut end = [Vec3::ZERO, v(5.0, 0.0, 0.0), v(6.0, 0.0, 0.0), v(5.0, 1.0, 0.0)];
    let start = end;
    assert_eq!(first_contact(VertexFace, &start, &end), None);
    end[2].z = f64::NAN;
    assert_eq!(first_contact(VertexFace, &start, &end), Some(0.0));
    end[2].z = f64::INFINITY;
    assert_eq!(first_contact(VertexFace, &start, &end), Some(0.0));
    assert!(first_contact_exact(VertexFace, &start, &end).is_some());
}

#[test]
fn the_largest_and_smallest_doubles_are_decided() {
    for size in [1e-300, 1e-160, 1e160, 1e300] {
        let scaled = |x: [Vec3; 4]| x.map(|p| p * size);
        let [a, b, c] = FACE;
        let from = scaled([v(1.0, 1.0, 1.0), a, b, c]);
        assert!(close_to(contact(VertexFace, from, scaled([v(1.0, 1.0, -1.0), a, b, c])), 0.5));
        assert_eq!(contact(VertexFace, from, scaled([v(1.0, 1.0, 0.5), a, b, c])), None);
    }
}

fn eighths() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-32..=32_i32).prop_map(|x| Vec3::from(x.map(|c| f64::from(c) / 8.0)))
}

fn anywhere() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-4.0..4.0_f64).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_planted_contact_is_never_missed_nor_reported_late(
        x in prop::array::uniform4(eighths()), by in prop::array::uniform4(eighths()),
        weights in (0..=4_i32, 0..=4_i32), when in 0..=8_i32, kind in prop_oneof![Just(VertexFace), Just(EdgeEdge)],
    ) {
        // Whole multiples of 1/128: the contact at `when`/8 is exact.
        let mut at = x;
        let (s, t) = (f64::from(weights.0) / 4.0, f64::from(weights.1) / 4.0);
        match kind {
            VertexFace => {
                let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
                at[0] = at[1] + (at[2] - at[1]) * s + (at[3] - at[1]) * t;
            }
            EdgeEdge => {
                let meet = at[0] + (at[1] - at[0]) * s;
                let other = at[2] + (at[3] - at[2]) * t;
                at[2] += meet - other;
                at[3] += meet - other;
            }
        }
        let time = f64::from(when) / 8.0;
        let start = core::array::from_fn(|i| at[i] - by[i] * time);
        let end = core::array::from_fn(|i| at[i] + by[i] * (1.0 - time));
        let found = contact(kind, start, end);
        prop_assert!(found.is_some_and(|t| t <= time), "{found:?} where {time} touches");
    }

    #[test]
    fn a_planted_miss_is_never_reported(
        x in prop::array::uniform4(anywhere()), y in prop::array::uniform4(anywhere()),
        decades in 0..=12_i32, kind in prop_oneof![Just(VertexFace), Just(EdgeEdge)],
    ) {
        // Both primitives on their own side of the plane x = 0 in a frame that moves with the pair.
        let gap = 10.0_f64.powi(-decades);
        let sided = |x: [Vec3; 4], drift: f64| core::array::from_fn(|i| {
            let side = if i < kind.split() { gap } else { -gap };
            let p = x[i];
            v(side.signum() * p.x.abs() + side + drift, p.y, p.z)
        });
        prop_assert_eq!(contact(kind, sided(x, 0.0), sided(y, 3.0)), None);
    }

    #[test]
    fn both_ways_agree_on_random_motion(
        x in prop::array::uniform4(anywhere()), y in prop::array::uniform4(anywhere()),
        kind in prop_oneof![Just(VertexFace), Just(EdgeEdge)],
    ) {
        contact(kind, x, y);
    }

    #[test]
    fn both_ways_agree_on_lattices(
        x in prop::array::uniform4(prop::array::uniform3(-2..=2_i8)), y in prop::array::uniform4(prop::array::uniform3(-2..=2_i8)),
        kind in prop_oneof![Just(VertexFace), Just(EdgeEdge)],
    ) {
        let place = |x: [[i8; 3]; 4]| x.map(|p| Vec3::from(p.map(f64::from)));
        contact(kind, place(x), place(y));
    }
}
