//! Crossings put there on purpose, and near misses.

use carom_audit::{Kind, Pair, Surface, Verdict};
use carom_math::Vec3;

use super::{Film, Polyline};

fn still(x: f64, y: f64, z: f64) -> Polyline {
    vec![(0, Vec3::new(x, y, z))]
}

fn line(from: [f64; 3], to: [f64; 3], ticks: u64) -> Polyline {
    vec![(0, from.into()), (ticks, to.into())]
}

/// A triangle in the plane z = 0 (vertices 0, 1, 2) and a free point (vertex 3).
fn point_and_triangle(point: Polyline) -> Film {
    let surface = Surface {
        faces: vec![[0, 1, 2]],
        edges: vec![[0, 1], [1, 2], [0, 2]],
        free_points: vec![3],
        hard_radii_m: vec![0.0; 4],
        ..Surface::default()
    };
    let polylines = vec![still(0.0, 0.0, 0.0), still(1.0, 0.0, 0.0), still(0.0, 1.0, 0.0), point];
    Film { surface, polylines, end: 100 }
}

fn crossing_tick(verdict: &Verdict) -> Option<f64> {
    assert!(verdict.crossings.len() < 2, "{verdict:?}");
    assert_eq!(verdict.bends, 0);
    verdict.crossings.first().map(|c| c.tick)
}

#[test]
fn a_point_through_a_triangle_is_found_and_one_that_turns_back_in_time_is_not() {
    let through = point_and_triangle(line([0.25, 0.25, 1.0], [0.25, 0.25, -1.0], 100)).judged(1.0);
    assert_eq!(crossing_tick(&through), Some(50.0));
    assert_eq!(through.crossings[0].pair, Pair::new(&[3], &[0, 1, 2]));
    assert_eq!(through.closest.unwrap().distance_m, 0.0);

    let mut back = line([0.25, 0.25, 1.0], [0.25, 0.25, 0.125], 50);
    back.push((100, Vec3::new(0.25, 0.25, 1.0)));
    let turned = point_and_triangle(back).judged(1.0);
    assert_eq!(crossing_tick(&turned), None);
    let closest = turned.closest.unwrap();
    assert!((closest.distance_m - 0.125).abs() < 1e-12 && closest.time_s == 50.0, "{closest:?}");
    assert!(closest.at_least_m > 0.125 * (1.0 - 2e-6));
}

#[test]
fn what_keeps_its_place_in_a_group_is_no_pair_and_all_else_is() {
    let judged = |groups: [Option<u32>; 4]| {
        let mut film = point_and_triangle(line([0.25, 0.25, 1.0], [0.25, 0.25, -1.0], 100));
        film.surface.moves_with = groups.to_vec();
        film.judged(1.0).crossings.len()
    };
    assert_eq!(judged([Some(7); 4]), 0);
    // A free point, a free triangle, a point of another group, a corner of another group, a corner that moves on its own.
    let [a, b] = [Some(0), Some(1)];
    for groups in
        [[a, a, a, None], [None, None, None, a], [a, a, a, b], [a, b, a, a], [a, None, a, a], [None; 4]]
    {
        assert_eq!(judged(groups), 1, "{groups:?}");
    }
}

#[test]
fn a_crossing_between_two_frames_that_both_look_sound_is_found() {
    // Through and back again within one tick of a hundred.
    let mut dash = line([0.25, 0.25, 0.5], [0.25, 0.25, 0.5], 50);
    dash.extend([(51, Vec3::new(0.25, 0.25, -0.5)), (52, Vec3::new(0.25, 0.25, 0.5))]);
    assert_eq!(crossing_tick(&point_and_triangle(dash).judged(1.0)), Some(50.5));
}

#[test]
fn a_touch_at_one_instant_is_a_crossing_and_a_miss_by_the_last_bit_is_none() {
    for bottom in [0.0, 5e-324, -5e-324, 1e-300] {
        let mut touch = line([0.25, 0.25, 1.0], [0.25, 0.25, bottom], 50);
        touch.push((100, Vec3::new(0.25, 0.25, 1.0)));
        let verdict = point_and_triangle(touch).judged(1.0);
        assert_eq!(crossing_tick(&verdict).is_some(), bottom <= 0.0, "{bottom:e}: {verdict:?}");
        assert!(verdict.work.exact_decisions > 0);
    }
}

#[test]
fn passing_the_rim_of_a_triangle_is_decided_to_the_last_bit() {
    // The edge from (1, 0) to (0, 1): on it, and one unit in the last place beyond it.
    for (x, hit) in [(0.5, true), (0.5_f64.next_up(), false), (0.5_f64.next_down(), true)] {
        let verdict = point_and_triangle(line([x, 0.5, 1.0], [x, 0.5, -1.0], 100)).judged(1.0);
        assert_eq!(crossing_tick(&verdict), hit.then_some(50.0), "{x}");
    }
    for (x, hit) in [(0.0, true), (-5e-324, false), (5e-324, true)] {
        let verdict = point_and_triangle(line([x, 0.25, 1.0], [x, 0.25, -1.0], 100)).judged(1.0);
        assert_eq!(crossing_tick(&verdict), hit.then_some(50.0), "{x:e}");
    }
}

#[test]
fn sliding_in_the_plane_of_a_triangle_crosses_where_it_enters() {
    let slide = |z: f64| point_and_triangle(line([-1.0, 0.25, z], [1.0, 0.25, z], 100)).judged(1.0);
    assert_eq!(crossing_tick(&slide(0.0)), Some(50.0));
    assert_eq!(crossing_tick(&slide(1e-200)), None);
    let above = slide(1e-9);
    assert_eq!(crossing_tick(&above), None);
    assert!((above.closest.unwrap().distance_m / 1e-9 - 1.0).abs() < 1e-5, "{above:?}");
}

#[test]
fn what_starts_in_contact_is_reported_at_once_even_if_nothing_ever_moves() {
    let mut film = point_and_triangle(still(0.25, 0.25, 0.0));
    assert_eq!(crossing_tick(&film.judged(1.0)), Some(0.0));
    film.end = 0;
    assert_eq!(crossing_tick(&film.judged(1.0)), Some(0.0));
    film = point_and_triangle(still(0.25, 0.25, 1e-3));
    film.end = 0;
    assert_eq!(crossing_tick(&film.judged(1.0)), None);
}

#[test]
fn duplicates_at_rest_are_crossings_of_every_pair_they_make() {
    let surface = Surface {
        faces: vec![[0, 1, 2], [3, 4, 5]],
        edges: vec![[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5]],
        hard_radii_m: vec![0.0; 6],
        ..Surface::default()
    };
    let corners = [still(0.0, 0.0, 0.0), still(1.0, 0.0, 0.0), still(0.0, 1.0, 0.0)];
    let film = Film { surface, polylines: [corners.clone(), corners].concat(), end: 1 };
    let verdict = film.judged(1.0);
    // Three vertices each on the other face, and all nine pairs of edges share at least a corner.
    let count = |kind| verdict.crossings.iter().filter(|c| c.pair.kind() == kind).count();
    assert_eq!((count(Kind::VertexFace), count(Kind::EdgeEdge)), (6, 9));
}

/// Two rods: the first along x through the origin at height 0, the second as given.
fn two_rods(second: [Polyline; 2], radius: f64) -> Film {
    let surface =
        Surface { edges: vec![[0, 1], [2, 3]], hard_radii_m: vec![radius; 4], ..Surface::default() };
    let [c, d] = second;
    Film { surface, polylines: vec![still(-1.0, 0.0, 0.0), still(1.0, 0.0, 0.0), c, d], end: 100 }
}

#[test]
fn parallel_rods_meet_along_their_length_and_cross_at_the_sum_of_their_radii() {
    let falling =
        |y: f64| [line([-0.5, y, 1.0], [-0.5, y, -1.0], 100), line([0.75, y, 1.0], [0.75, y, -1.0], 100)];
    let verdict = two_rods(falling(0.0), 0.0).judged(1.0);
    // Edge on edge, and each end of the upper one on the lower.
    assert_eq!(verdict.crossings.len(), 3, "{verdict:?}");
    assert!(verdict.crossings.iter().all(|c| c.tick == 50.0));
    assert!(two_rods(falling(5e-324), 0.0).judged(1.0).crossings.is_empty());

    let thick = two_rods(falling(0.0), 0.25).judged(1.0);
    // The ends of the lower rod reach the upper one later: they lie beyond its ends.
    let ticks: Vec<f64> = thick.crossings.iter().map(|c| c.tick).collect();
    assert!(ticks.len() == 5 && ticks[..3] == [25.0; 3] && ticks[3] > 25.0, "{thick:?}");
    // Beside each other at exactly the sum of the radii they touch; a hair farther out they do not.
    assert!(!two_rods(falling(0.5), 0.25).judged(1.0).crossings.is_empty());
    assert!(two_rods(falling(0.5_f64.next_up()), 0.25).judged(1.0).crossings.is_empty());
}

#[test]
fn rods_that_swing_past_each_other_cross_at_a_point() {
    let swinging = |height: f64| {
        [line([0.0, -1.0, height], [0.0, -1.0, -height], 100), line([0.0, 1.0, 0.0], [0.0, 1.0, 0.0], 100)]
    };
    let verdict = two_rods(swinging(1.0), 0.0).judged(1.0);
    assert_eq!(verdict.crossings.iter().map(|c| c.tick).collect::<Vec<_>>(), [50.0]);
    assert_eq!(verdict.crossings[0].pair.kind(), Kind::EdgeEdge);
}

#[test]
fn grains_meet_at_the_sum_of_their_radii_and_not_before() {
    let grains = |offset: f64, radius: f64| {
        let surface =
            Surface { free_points: vec![0, 1], hard_radii_m: vec![radius, 0.25], ..Surface::default() };
        let polylines = vec![still(0.0, 0.0, 0.0), line([-2.0, offset, 0.0], [2.0, offset, 0.0], 64)];
        Film { surface, polylines, end: 64 }.judged(4.0)
    };
    assert_eq!(crossing_tick(&grains(0.0, 0.25)), Some(24.0));
    assert_eq!(crossing_tick(&grains(0.5, 0.25)), Some(32.0));
    assert_eq!(crossing_tick(&grains(0.5_f64.next_up(), 0.25)), None);
    // 0.1 + 0.25 is rounded as a double; the decision is not.
    let exactly_between = 0.1 + 0.25;
    assert_eq!(crossing_tick(&grains(exactly_between, 0.1)).is_some(), exactly_between - 0.25 <= 0.1);
}

#[test]
fn a_grain_on_a_face_and_a_pair_left_out_are_judged_by_what_was_said() {
    let mut film = point_and_triangle(line([0.25, 0.25, 1.0], [0.25, 0.25, 0.5], 100));
    film.surface.hard_radii_m[3] = 0.75;
    // Its edge and corners are out of reach: the ball of 0.75 comes down on the face alone.
    assert_eq!(crossing_tick(&film.judged(1.0)), Some(50.0));
    film.surface.left_out.insert(Pair::new(&[3], &[0, 1, 2]));
    assert_eq!(crossing_tick(&film.judged(1.0)), None);
}

#[test]
fn a_vertex_off_its_line_is_a_bend() {
    let mut film = point_and_triangle(line([0.25, 0.25, 1.0], [0.25, 0.25, 0.5], 100));
    film.polylines[3].push((150, Vec3::new(0.25, 0.25, 1.0)));
    film.end = 200;
    assert_eq!(film.judged(1.0).bends, 0);
    assert!(film.judged(1.0).is_clean());
    let beginning = carom_audit::Beginning {
        tick: carom_time::Tick(0),
        positions: &[Vec3::ZERO],
        velocities: &[Vec3::X],
        stored_at: &[carom_time::Tick(0)],
        quantum: carom_time::Quantum::new(0.5),
    };
    let surface = Surface { hard_radii_m: vec![0.0], ..Surface::default() };
    let mut judge = carom_audit::Judge::new(surface, &beginning, 1.0);
    judge.moved(0, carom_time::Tick(2), Vec3::X, Vec3::ZERO);
    judge.moved(0, carom_time::Tick(3), Vec3::new(1.0, 1e-12, 0.0), Vec3::ZERO);
    judge.moved(0, carom_time::Tick(4), Vec3::new(1.0, 1e-12, 0.0), Vec3::ZERO);
    let verdict = judge.close(carom_time::Tick(5));
    assert_eq!((verdict.bends, verdict.first_bend.map(|b| (b.vertex, b.tick))), (1, Some((0, 3))));
}
