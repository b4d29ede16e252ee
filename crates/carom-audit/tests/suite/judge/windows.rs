//! Runs of many windows: nothing depends on where they are cut.

use carom_audit::{Pair, Surface};
use carom_math::Vec3;

use super::Film;

/// A point bounces between a triangle that never moves and a height that falls by `step` a bounce; a second point
/// drifts down at x = `aside` for the whole run without a kick.
fn bouncing(bounces: u64, step: f64, aside: f64) -> Film {
    let surface = Surface {
        faces: vec![[0, 1, 2]],
        edges: vec![[0, 1], [1, 2], [0, 2]],
        free_points: vec![3, 4],
        hard_radii_m: vec![0.0; 5],
        ..Surface::default()
    };
    let still = |x: f64, y: f64, z: f64| vec![(0, Vec3::new(x, y, z))];
    let height = |i: u64| if i.is_multiple_of(2) { 1.0 } else { 0.125 - (i / 2) as f64 * step };
    let bouncing = (0..=bounces).map(|i| (4 * i, Vec3::new(0.25, 0.25, height(i)))).collect();
    let end = 4 * bounces;
    let drifting = vec![(0, Vec3::new(aside, 0.25, 64.0)), (end, Vec3::new(aside, 0.25, 0.5))];
    let polylines =
        vec![still(0.0, 0.0, 0.0), still(1.0, 0.0, 0.0), still(0.0, 1.0, 0.0), bouncing, drifting];
    Film { surface, polylines, end }
}

#[test]
fn a_crossing_in_a_late_window_is_found_when_it_happens() {
    // Bounce 2049 is the first whose lowest point is not above the triangle: 0.125 is 1024 steps of 2^-13.
    let step = 0.5_f64.powi(13);
    let sound = bouncing(2048, step, 0.75).judged(0.25);
    assert!(sound.is_clean() && sound.work.windows > 4, "{sound:?}");
    assert_eq!(sound.closest.unwrap().pair, Pair::new(&[3], &[0, 1, 2]));
    assert!((sound.closest.unwrap().distance_m - step).abs() < 1e-15);
    let crossed = bouncing(2100, step, 0.75).judged(0.25);
    assert_eq!(crossed.crossings.len(), 1);
    assert_eq!(crossed.crossings[0].tick, 4.0 * 2049.0);
}

#[test]
fn two_that_meet_head_on_between_windows_meet_once() {
    // The drifting point comes down on the bouncing one, which rises to 1 again and again.
    let mut film = bouncing(2048, 0.0, 0.25);
    film.polylines[4][1].1.z = -1.0;
    let verdict = film.judged(0.01);
    let pairs: Vec<Pair> = verdict.crossings.iter().map(|c| c.pair).collect();
    assert_eq!(pairs, [Pair::new(&[3], &[4]), Pair::new(&[4], &[0, 1, 2])]);
    let height = 64.0 - 65.0 * verdict.crossings[0].tick / film.end as f64;
    assert!((height - film.position(3, verdict.crossings[0].tick).z).abs() < 1e-9);
    assert!(height <= 1.0 && verdict.work.windows > 4);
}

#[test]
fn memory_is_bounded_and_most_windows_need_no_search() {
    let verdict = bouncing(20_000, 0.0, 0.75).judged(0.25);
    assert!(verdict.is_clean());
    assert!(
        verdict.work.windows > 100 && verdict.work.searches < verdict.work.windows / 2,
        "{:?}",
        verdict.work
    );
}
