//! Grains in a periodic box: images are judged like the grains themselves.

use carom_audit::Surface;
use carom_math::Vec3;
use proptest::prelude::*;

use super::{Film, Polyline};

const LENGTH: f64 = 16.0;
const TICKS: u64 = 24;

/// Three grains on a lattice of eighths, each moved by whole periods: all their places are exact doubles.
fn side_by_side(radius: f64) -> impl Strategy<Value = Film> {
    let start = prop::array::uniform3(-8..=8_i32);
    let steps = prop::collection::vec(prop::array::uniform3(-2..=2_i32), TICKS as usize);
    prop::collection::vec((start, steps), 3).prop_map(move |grains| {
        let polyline = |(start, steps): ([i32; 3], Vec<[i32; 3]>)| -> Polyline {
            let mut at = start;
            let place = |at: [i32; 3]| Vec3::from(at.map(|x| f64::from(x) * 0.125));
            let mut line = vec![(0, place(at))];
            for (tick, step) in (1..).zip(steps) {
                at = core::array::from_fn(|k| (at[k] + step[k]).clamp(-12, 12));
                line.push((tick, place(at)));
            }
            line
        };
        Film {
            surface: Surface {
                free_points: vec![0, 1, 2],
                hard_radii_m: vec![radius; 3],
                ..Surface::default()
            },
            polylines: grains.into_iter().map(polyline).collect(),
            end: TICKS,
        }
    })
}

/// The same grains, each so many periods away along the axes that are periodic.
fn scattered(film: &Film, period: [f64; 3], periods: &[[i32; 3]]) -> Film {
    let polylines = film.polylines.iter().zip(periods).map(|(line, by)| {
        let shift = Vec3::from(core::array::from_fn(|k| period[k] * f64::from(by[k])));
        line.iter().map(|(tick, x)| (*tick, *x + shift)).collect()
    });
    Film {
        surface: Surface { period_m: Vec3::from(period), ..film.surface.clone() },
        polylines: polylines.collect(),
        end: film.end,
    }
}

proptest! {
    #[test]
    fn images_are_judged_like_grains_side_by_side(
        film in side_by_side(0.15), periods in prop::collection::vec(prop::array::uniform3(-1000..1000_i32), 3),
        is_periodic in prop::array::uniform3(any::<bool>()),
    ) {
        let period = is_periodic.map(|yes| if yes { LENGTH } else { 0.0 });
        let expected = film.judged(0.5);
        let found = scattered(&film, period, &periods).judged(0.5);
        let brief = |verdict: &carom_audit::Verdict| -> Vec<_> {
            verdict.crossings.iter().map(|c| (c.pair.first()[0], c.pair.second()[0], c.tick)).collect()
        };
        prop_assert_eq!(brief(&found), brief(&expected));
        let distance = |verdict: &carom_audit::Verdict| verdict.closest.map(|c| (c.distance_m * 1e6).round());
        prop_assert_eq!(distance(&found), distance(&expected));
    }
}

#[test]
fn a_grain_that_passes_through_the_image_of_another_is_found_through_the_border() {
    // One stands at the left border; the other comes in through the right one, thrice around the box.
    let polylines = vec![vec![(0, Vec3::X * 0.5)], vec![(0, Vec3::X * 46.0), (8, Vec3::X * 50.0)]];
    let surface = Surface {
        free_points: vec![0, 1],
        hard_radii_m: vec![0.25; 2],
        period_m: Vec3::X * LENGTH,
        ..Surface::default()
    };
    let film = Film { surface, polylines, end: 8 };
    let verdict = film.judged(0.1);
    let [crossing] = &verdict.crossings[..] else { panic!("{verdict:?}") };
    // It touches at 48, half a metre before 48.5, after four ticks.
    assert_eq!(crossing.tick, 4.0);
    assert_eq!(crossing.pair.image(), [-3, 0, 0]);
}
