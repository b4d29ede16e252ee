//! Random motions of a few primitives: an independent exact detection, pair by pair and piece by piece, finds the same.

use std::collections::BTreeMap;

use carom_audit::{Kind, Pair, Surface};
use carom_ccd as ccd;
use carom_geometry::nearest;
use carom_math::Vec3;
use proptest::prelude::*;

use super::Film;

/// Two triangles, a rod of two edges and two grains.
fn surface(radii: [f64; 3]) -> Surface {
    let [shell, rod, grain] = radii;
    Surface {
        faces: vec![[0, 1, 2], [3, 4, 5]],
        edges: vec![[0, 1], [1, 2], [0, 2], [3, 4], [4, 5], [3, 5], [6, 7], [7, 8]],
        free_points: vec![9, 10],
        hard_radii_m: [vec![shell; 6], vec![rod; 3], vec![grain; 2]].concat(),
        ..Surface::default()
    }
}

/// All pairs without a common vertex, by trying.
fn all_pairs(surface: &Surface) -> Vec<Pair> {
    let points: Vec<[u32; 1]> = (0..11).map(|v| [v]).collect();
    let mut pairs = Vec::new();
    for p in &points {
        pairs.extend(surface.faces.iter().filter(|f| !f.contains(&p[0])).map(|f| Pair::new(p, f)));
        // The last two edges are the rod's.
        pairs.extend(surface.edges[6..].iter().filter(|e| !e.contains(&p[0])).map(|e| Pair::new(p, e)));
    }
    for (i, a) in surface.edges.iter().enumerate() {
        let apart = surface.edges[..i].iter().filter(|b| !b.iter().any(|v| a.contains(v)));
        pairs.extend(apart.map(|b| Pair::new(a, b)));
    }
    pairs.push(Pair::new(&[9], &[10]));
    pairs
}

/// Motions on a lattice of eighths, with corners at random ticks: exact touches are common.
fn film(ticks: u64, radii: [f64; 3], crowded: bool) -> impl Strategy<Value = Film> {
    let reach = if crowded { 4 } else { 12 };
    let start = prop::array::uniform3(-reach..=reach);
    let steps = prop::collection::vec((prop::array::uniform3(-1..=1_i32), 0..4_u32), ticks as usize);
    prop::collection::vec((start, steps), 11).prop_map(move |vertices| {
        let polyline = |(start, steps): ([i32; 3], Vec<([i32; 3], u32)>)| {
            let mut at = start;
            let mut line = vec![(0, Vec3::from(at.map(|x| f64::from(x) * 0.125)))];
            let mut tick = 0_u64;
            for (step, doublings) in steps {
                // Flights last a power of two of ticks, so that every position at a tick is an exact double; a vertex
                // waits for a multiple of it, as dyadic clocks do.
                let span = 1_u64 << doublings;
                let take_off = tick.next_multiple_of(span);
                if take_off + span > ticks {
                    break;
                }
                let lattice = |at: [i32; 3]| Vec3::from(at.map(|x| f64::from(x) * 0.125));
                if take_off > tick {
                    line.push((take_off, lattice(at)));
                }
                tick = take_off + span;
                at = core::array::from_fn(|k| at[k] + step[k]);
                line.push((tick, lattice(at)));
            }
            line
        };
        let polylines = vertices.into_iter().map(polyline).collect();
        Film { surface: surface(radii), polylines, end: ticks }
    })
}

/// The first crossing of a pair by the other crate's exact arithmetic, a vertex as a face or edge without extent.
fn first_crossing(film: &Film, pair: &Pair) -> Option<f64> {
    let v = pair.vertices();
    let (kind, corners) = match pair.kind() {
        Kind::VertexFace => (ccd::Kind::VertexFace, [v[0], v[1], v[2], v[3]]),
        Kind::EdgeEdge => (ccd::Kind::EdgeEdge, [v[0], v[1], v[2], v[3]]),
        Kind::VertexEdge => (ccd::Kind::VertexFace, [v[0], v[1], v[2], v[2]]),
        Kind::VertexVertex => (ccd::Kind::VertexFace, [v[0], v[1], v[1], v[1]]),
    };
    (0..film.end).find_map(|tick| {
        let at = |t: u64| corners.map(|v| film.position(v as usize, t as f64));
        // The fast detection is exact in whether there is contact; its time is early by at most a millionth.
        ccd::first_contact(kind, &at(tick), &at(tick + 1))?;
        let found = ccd::first_contact_exact(kind, &at(tick), &at(tick + 1))?;
        Some(tick as f64 + found.low)
    })
}

fn distance(film: &Film, pair: &Pair, tick: f64) -> f64 {
    let x: Vec<Vec3> = pair.vertices().iter().map(|&v| film.position(v as usize, tick)).collect();
    match pair.kind() {
        Kind::VertexFace => nearest::vertex_face(&[x[0], x[1], x[2], x[3]]).distance_sq().sqrt(),
        Kind::EdgeEdge => nearest::edge_edge(&[x[0], x[1], x[2], x[3]]).distance_sq().sqrt(),
        Kind::VertexEdge => nearest::vertex_edge(&[x[0], x[1], x[2]]).distance_sq().sqrt(),
        Kind::VertexVertex => (x[1] - x[0]).length(),
    }
}

fn agrees_with_brute_force(film: &Film) -> Result<(), TestCaseError> {
    let verdict = film.judged(1e3);
    prop_assert_eq!(verdict.bends, 0);
    let found: BTreeMap<Pair, f64> = verdict.crossings.iter().map(|c| (c.pair, c.tick)).collect();
    let mut nearest_sample = f64::INFINITY;
    for pair in all_pairs(&film.surface) {
        let expected = first_crossing(film, &pair);
        match (found.get(&pair), expected) {
            (None, None) => {}
            (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-12 * film.end as f64, "{pair}: {a}, {b}"),
            other => prop_assert!(false, "{pair}: {other:?}"),
        }
        for sample in 0..=(4 * film.end) {
            nearest_sample = nearest_sample.min(distance(film, &pair, sample as f64 * 0.25));
        }
    }
    let closest = verdict.closest.expect("everything is within a thousand");
    prop_assert!(closest.at_least_m <= nearest_sample, "{closest:?}, but {nearest_sample}");
    prop_assert!(
        closest.distance_m <= nearest_sample * (1.0 + 1e-5) + 1e-12,
        "{closest:?}, but {nearest_sample}"
    );
    prop_assert!(closest.at_least_m >= closest.distance_m * (1.0 - 2e-6) - 1e-13, "{closest:?}");
    let said = distance(film, &closest.pair, closest.time_s);
    prop_assert!((said - closest.distance_m).abs() < 1e-9, "{closest:?}, but {said}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn crossings_and_distances_are_those_of_brute_force(film in film(16, [0.0; 3], true)) {
        agrees_with_brute_force(&film)?;
    }

    #[test]
    fn what_rarely_crosses_is_judged_right_too(film in film(32, [0.0; 3], false)) {
        agrees_with_brute_force(&film)?;
    }

    #[test]
    fn nothing_depends_on_where_windows_are_cut(film in film(256, [0.0; 3], false)) {
        prop_assert!(film.judged(1e3).work.windows > 2);
        agrees_with_brute_force(&film)?;
    }

    #[test]
    fn hard_radii_are_reached_when_the_judge_says_so_and_never_before(film in film(32, [0.0, 0.125, 0.25], false)) {
        let verdict = film.judged(1e3);
        let found: BTreeMap<Pair, f64> = verdict.crossings.iter().map(|c| (c.pair, c.tick)).collect();
        for pair in all_pairs(&film.surface) {
            let radius = |vertices: &[u32]| vertices.iter().map(|&v| film.surface.hard_radii_m[v as usize]).fold(0.0, f64::max);
            let reach = radius(pair.first()) + radius(pair.second());
            let until = found.get(&pair).copied().unwrap_or(f64::INFINITY);
            for sample in (0..=(4 * film.end)).map(|s| s as f64 * 0.25).filter(|s| *s < until) {
                prop_assert!(distance(&film, &pair, sample) > reach, "{pair} at {sample}, not {until}");
            }
            if until == 0.0 {
                prop_assert!(distance(&film, &pair, 0.0) <= reach + 1e-9);
            } else if until.is_finite() {
                prop_assert!((distance(&film, &pair, until) - reach).abs() < 1e-9, "{pair} at {until}");
            }
        }
    }
}
