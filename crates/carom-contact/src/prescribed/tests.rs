use carom_ccd::{EARLY, Kind, first_contact};
use carom_geometry::Mesh;
use carom_math::{Mat3, Vec3};
use carom_model::{PairId, PairKind, Path, State, System};
use carom_time::Tick;
use proptest::prelude::*;

use super::{PrescribedCrossing, first_prescribed_crossing};
use crate::testing::{Thing, points, rod, scene, sheet};
use crate::{Pair, PairRules};

/// The end of all tests, in ticks.
const END: u64 = 1 << 20;

/// How a thing is led.
#[derive(Clone, Debug)]
enum Way {
    /// At a velocity, in m for the whole run.
    Straight(Vec3),
    /// Shifted to these places, in m from the start, evenly in time.
    Shifts(Vec<Vec3>),
    /// Turned about z through a point, by a degree at a time.
    Turn { centre: Vec3, pieces: u32 },
    /// Each vertex displaced on its own, in m.
    Bent(Vec<Vec3>),
}

fn solid_box(size: f64) -> Thing {
    let corner = |i: u32| Vec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)) * size;
    let sides = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    let positions = (0..8).map(corner).collect();
    Thing { mesh: Mesh { positions, triangles, ..Mesh::default() }, ..Thing::default() }
}

/// Held things, each moved to a place and led on a way.
fn held(things: &[(Thing, Vec3, Way)]) -> (System, State) {
    let moved = |(thing, place, _): &(Thing, Vec3, Way)| {
        let positions = thing.mesh.positions.iter().map(|x| *x + *place).collect();
        Thing { mesh: Mesh { positions, ..thing.mesh.clone() }, radius: thing.radius, is_held: true }
    };
    let made: Vec<Thing> = things.iter().map(moved).collect();
    let (mut system, mut state) = scene(&made, 1e-3, 4);
    let end_s = system.line.quantum.time(Tick(END));
    for (body, (_, _, way)) in system.bodies.clone().iter().zip(things) {
        let vertices: Vec<u32> = body.vertices.clone().collect();
        let start: Vec<Vec3> = vertices.iter().map(|v| state.positions[*v as usize]).collect();
        let places: Vec<Vec<Vec3>> = match way {
            Way::Straight(shift) => {
                for v in &vertices {
                    state.velocities[*v as usize] = *shift * (1.0 / end_s);
                }
                continue;
            }
            Way::Shifts(shifts) => {
                shifts.iter().map(|shift| start.iter().map(|x| *x + *shift).collect()).collect()
            }
            Way::Turn { centre, pieces } => {
                let turned = |k: u32| {
                    let turn = Mat3::rotation(Vec3::Z, f64::from(k).to_radians());
                    start.iter().map(|x| *centre + turn.apply(*x - *centre)).collect()
                };
                (1..=*pieces).map(turned).collect()
            }
            Way::Bent(shifts) => {
                vec![start.iter().zip(shifts.iter().cycle()).map(|(x, shift)| *x + *shift).collect()]
            }
        };
        let pieces = places.len() as u64;
        let ticks = (0..=pieces).map(|k| Tick(END * k / pieces)).collect();
        system.paths.push(Path { vertices, ticks, places: [vec![start], places].concat() });
    }
    (system, state)
}

fn crossing(things: &[(Thing, Vec3, Way)]) -> Option<PrescribedCrossing> {
    let (system, state) = held(things);
    first_prescribed_crossing(&system, &state, Tick(END))
}

/// Where a vertex is after a part of the run, by a text of its own.
fn at(system: &System, state: &State, v: u32, part: f64) -> Vec3 {
    for path in &system.paths {
        if let Some(i) = path.vertices.iter().position(|w| *w == v) {
            let ticks: Vec<f64> = path.ticks.iter().map(|tick| tick.0 as f64).collect();
            let now = part * END as f64;
            let k = (1..ticks.len() - 1).rev().find(|k| ticks[*k] <= now).unwrap_or(0);
            let within = (now - ticks[k]) / (ticks[k + 1] - ticks[k]);
            return path.places[k][i] * (1.0 - within) + path.places[k + 1][i] * within;
        }
    }
    let end_s = system.line.quantum.time(Tick(END));
    state.positions[v as usize] + state.velocities[v as usize] * (end_s * part)
}

fn stencil_at(system: &System, state: &State, pair: &Pair, part: f64) -> [Vec3; 4] {
    pair.vertices.map(|v| at(system, state, v, part))
}

/// Whether two bodies keep their places relative to each other.
fn are_together(ways: &[Way], [a, b]: [u32; 2]) -> bool {
    match (&ways[a as usize], &ways[b as usize]) {
        (Way::Straight(one), Way::Straight(other)) => one == other,
        (Way::Bent(_), _) => false,
        _ => a == b,
    }
}

/// All pairs that must not cross.
fn pairs_to_judge(system: &System, ways: &[Way]) -> Vec<Pair> {
    let mut pairs = Vec::new();
    PairRules::of_all(system).for_each(|pair| pairs.push(pair));
    pairs.retain(|pair| !are_together(ways, pair.bodies));
    pairs
}

/// Whether an edge pierces a face at the start.
fn is_pierced(system: &System, state: &State, ways: &[Way]) -> bool {
    let contact = system.contact.as_ref().unwrap();
    let x = |v: u32| state.positions[v as usize];
    let volume = |a: Vec3, b: Vec3, c: Vec3, d: Vec3| (b - a).cross(c - a).dot(d - a);
    contact.edges.iter().any(|edge| {
        contact.faces.iter().filter(|face| !are_together(ways, [edge.body, face.body])).any(|face| {
            let [p, q] = edge.vertices.map(x);
            let [a, b, c] = face.vertices.map(x);
            let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
            let apart = volume(a, b, c, p) * volume(a, b, c, q) < 0.0;
            apart && (sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0))
        })
    })
}

/// The first contact, as a part of the run: each piece of each pair by continuous collision detection, with hard radii by many looks.
fn first_by_brute_force(system: &System, state: &State, ways: &[Way]) -> Option<f64> {
    if is_pierced(system, state, ways) {
        return Some(0.0);
    }
    let mut parts: Vec<f64> = [0.0, 1.0].into();
    parts.extend(system.paths.iter().flat_map(|path| &path.ticks).map(|tick| tick.0 as f64 / END as f64));
    parts.sort_by(f64::total_cmp);
    parts.dedup();
    let first_of = |pair: &Pair| {
        parts.windows(2).find_map(|ends| {
            let ends @ [start, end] = [ends[0], ends[1]];
            let kind = match pair.id.kind {
                PairKind::VertexFace if pair.radius == 0.0 => Kind::VertexFace,
                PairKind::EdgeEdge if pair.radius == 0.0 => Kind::EdgeEdge,
                _ => return first_look(system, state, pair, ends),
            };
            let [from, to] = ends.map(|part| stencil_at(system, state, pair, part));
            first_contact(kind, &from, &to).map(|time| start + (end - start) * time)
        })
    };
    pairs_to_judge(system, ways).iter().filter_map(first_of).reduce(f64::min)
}

fn first_look(system: &System, state: &State, pair: &Pair, [from, to]: [f64; 2]) -> Option<f64> {
    const LOOKS: u32 = 40;
    let part = |k: u32| from + (to - from) * f64::from(k) / f64::from(LOOKS);
    let touches = |k: &u32| pair.measure(&stencil_at(system, state, pair, part(*k))).distance <= 0.0;
    (0..=LOOKS).find(touches).map(part)
}

fn vectors(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

fn ways() -> impl Strategy<Value = Way> {
    prop_oneof![
        Just(Way::Straight(Vec3::ZERO)),
        vectors(3.0).prop_map(Way::Straight),
        prop::collection::vec(vectors(1.5), 1..5).prop_map(Way::Shifts),
        (vectors(1.0), 1..90_u32).prop_map(|(centre, pieces)| Way::Turn { centre, pieces }),
        prop::collection::vec(vectors(0.5), 4).prop_map(Way::Bent),
    ]
}

fn things() -> impl Strategy<Value = Thing> {
    prop_oneof![
        (0.2..1.0f64).prop_map(sheet),
        (0.2..0.8f64).prop_map(solid_box),
        (0.1..0.4f64).prop_map(|edge| rod(3, edge, 0.1 * edge)),
        (0.02..0.2f64).prop_map(|radius| points(&[Vec3::ZERO], radius)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn what_crosses_first_is_what_collision_detection_of_every_pair_says(
        led in prop::collection::vec((things(), vectors(2.0), ways()), 2..5),
    ) {
        let ways: Vec<Way> = led.iter().map(|(_, _, way)| way.clone()).collect();
        let (system, state) = held(&led);
        let found = first_prescribed_crossing(&system, &state, Tick(END));
        let truth = first_by_brute_force(&system, &state, &ways);
        let Some(found) = found else {
            prop_assert_eq!(truth, None);
            return Ok(());
        };
        let part = found.time_s / system.line.quantum.time(Tick(END));
        prop_assert!(truth.is_none_or(|truth| part <= truth + 2.0 * EARLY), "{truth:?} {found:?}");
        let [first, second] = &found.vertices;
        // A vertex and a face, and two edges, may be of the same vertices.
        let is_found = |pair: &&Pair| {
            pair.first_primitive() == first.len() && pair.stencil() == [&first[..], second].concat()
        };
        if let Some(pair) = pairs_to_judge(&system, &ways).iter().find(is_found) {
            let distance_m = pair.measure(&stencil_at(&system, &state, pair, part)).distance;
            prop_assert!(distance_m < 1e-11, "{distance_m} {found:?}");
            let is_due = truth.is_some_and(|truth| truth < part + 2.0 * EARLY);
            prop_assert!(pair.radius > 0.0 || is_due, "{distance_m} {truth:?}");
        } else { prop_assert_eq!((part, truth), (0.0, Some(0.0))) }
    }
}

/// Two edges without hard radii.
fn two_edges() -> Pair {
    Pair {
        id: PairId { kind: PairKind::EdgeEdge, a: 0, b: 1 },
        vertices: [0, 1, 2, 3],
        bodies: [0, 0],
        layers: 0,
        first_layer: 1,
        radius: 0.0,
        weight: 1.0,
        fade: 0.0,
        period: Vec3::ZERO,
    }
}

/// The smallest shift of the second edge along `way`, up to 1e-12 m, with which two edges that meet on theirs do not.
fn just_apart(from: &[Vec3; 4], to: &[Vec3; 4], way: Vec3) -> Option<f64> {
    let meet = |shift: f64| {
        let [from, to] = [from, to].map(|x| shifted(x, way * shift));
        first_contact(Kind::EdgeEdge, &from, &to).is_some()
    };
    let (mut near, mut far) = (0.0, 4.0);
    if !meet(near) || meet(far) {
        return None;
    }
    while far - near > 1e-12 {
        let middle = 0.5 * (near + far);
        if meet(middle) { near = middle } else { far = middle }
    }
    Some(far)
}

/// The places with the last two moved.
fn shifted(x: &[Vec3; 4], by: Vec3) -> [Vec3; 4] {
    [x[0], x[1], x[2] + by, x[3] + by]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn edges_that_graze_are_told_from_edges_that_meet(
        places in prop::array::uniform8(vectors(1.0)),
        lined_up in 0.0..1.0f64,
        way in vectors(1.0),
    ) {
        let [a, b, c, d, e, f, g, h] = places;
        // The second edge may lie along the first at the end.
        let line_up = |x: Vec3, near: Vec3| near + (x - near) * (1.0 - lined_up);
        let (from, to) = ([a, b, c, d], [e, f, line_up(g, e), line_up(h, f)]);
        let way = way * (1.0 / way.length());
        let Some(shift) = just_apart(&from, &to, way) else { return Ok(()) };
        let first = |shift: f64| {
            let [from, to] = [&from, &to].map(|x| shifted(x, way * shift));
            (super::approach::first_contact(&two_edges(), &from, &to, 1e-14), from, to)
        };
        for beside in [1e-9, -1e-9] {
            let (found, from, to) = first(shift + beside);
            let truth = first_contact(Kind::EdgeEdge, &from, &to);
            let is_in_time = found.zip(truth).is_none_or(|(found, truth)| found <= truth + 2.0 * EARLY);
            prop_assert!(found.is_some() == truth.is_some() && is_in_time, "{found:?} {truth:?} {beside}");
        }
    }
}

fn still(place: [f64; 3]) -> (Thing, Vec3, Way) {
    (sheet(1.0), Vec3::from(place), Way::Straight(Vec3::ZERO))
}

#[test]
fn a_sheet_that_sinks_through_another_crosses_it_halfway() {
    let down = Vec3::Z * -1.0;
    for way in [Way::Straight(down), Way::Shifts(vec![down]), Way::Shifts(vec![down * 0.25, down])] {
        let expected = if matches!(&way, Way::Shifts(shifts) if shifts.len() == 2) { 2.0 / 3.0 } else { 0.5 };
        let found = crossing(&[still([0.0; 3]), (sheet(1.0), Vec3::new(0.3, 0.2, 0.5), way)]).unwrap();
        assert!((found.tick.0 as f64 / END as f64 - expected).abs() < 1e-5, "{found:?}");
    }
    // It stops short of the other, or has not come so far when the run ends.
    let short =
        vec![still([0.0; 3]), (sheet(1.0), Vec3::new(0.3, 0.2, 0.5), Way::Shifts(vec![down * 0.499]))];
    assert_eq!(crossing(&short), None);
    let (system, state) = held(&[still([0.0; 3]), (sheet(1.0), Vec3::Z * 0.5, Way::Straight(down))]);
    assert_eq!(first_prescribed_crossing(&system, &state, Tick(END / 2 - 1)), None);
}

#[test]
fn things_that_overlap_may_rest_or_move_together_and_not_otherwise() {
    // The second pierces the first; neither has a vertex in the other's plane, nor do two edges meet.
    let upright = || {
        let Thing { mesh, .. } = sheet(1.0);
        let positions = mesh.positions.iter().map(|x| Vec3::new(x.x, 0.0, x.y)).collect();
        Thing { mesh: Mesh { positions, ..mesh }, ..Thing::default() }
    };
    let place = Vec3::new(0.25, 0.4, -0.5);
    let both = |one: Way, other: Way| crossing(&[(sheet(1.0), Vec3::ZERO, one), (upright(), place, other)]);
    let (east, turn) = (Vec3::X, Way::Turn { centre: Vec3::new(3.0, -1.0, 0.0), pieces: 40 });
    let bow = || Way::Shifts(vec![east, east + Vec3::Z, Vec3::Y]);
    for way in [Way::Straight(Vec3::ZERO), Way::Straight(east), bow(), turn.clone()] {
        assert_eq!(both(way.clone(), way.clone()), None, "{way:?}");
    }
    for (one, other) in [
        (Way::Straight(Vec3::ZERO), Way::Straight(east)),
        (Way::Straight(Vec3::ZERO), bow()),
        (bow(), Way::Shifts(vec![east, east, Vec3::Y])),
        (turn, Way::Turn { centre: Vec3::new(3.0, -1.1, 0.0), pieces: 40 }),
    ] {
        let found = both(one, other).unwrap();
        assert_eq!((found.tick, found.time_s), (Tick::START, 0.0));
    }
}

#[test]
fn a_body_that_is_led_into_itself_is_found_and_one_that_is_turned_as_a_whole_is_not() {
    let lower = sheet(1.0).mesh;
    let upper = lower.positions.iter().map(|x| *x + Vec3::Z * 0.5);
    let positions: Vec<Vec3> = lower.positions.iter().copied().chain(upper).collect();
    let triangles = lower.triangles.iter().flat_map(|t| [*t, t.map(|v| v + 4)]).collect();
    let both = || Thing {
        mesh: Mesh { positions: positions.clone(), triangles, ..Mesh::default() },
        ..Thing::default()
    };
    let mut shifts = vec![Vec3::ZERO; 4];
    shifts.extend(vec![Vec3::new(0.1, 0.2, -1.0); 4]);
    let way = Way::Turn { centre: Vec3::ZERO, pieces: 90 };
    let beside = || still([9.0, 0.0, 0.0]);
    let thing = both();
    assert_eq!(
        crossing(&[beside(), (Thing { mesh: thing.mesh.clone(), ..Thing::default() }, Vec3::ZERO, way)]),
        None
    );
    let found = crossing(&[beside(), (thing, Vec3::ZERO, Way::Bent(shifts))]).unwrap();
    assert!((found.tick.0 as f64 / END as f64 - 0.5).abs() < 1e-5, "{found:?}");
}

#[test]
fn neighbours_along_a_led_rod_that_overlap_at_rest_do_not_cross() {
    let thick = || rod(6, 0.1, 0.2);
    let shifts = (0..6).map(|i| Vec3::new(0.0, 0.01 * f64::from(i * i), 0.0)).collect();
    assert_eq!(crossing(&[still([9.0, 0.0, 0.0]), (thick(), Vec3::ZERO, Way::Bent(shifts))]), None);
}
