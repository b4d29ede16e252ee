//! Obstacles that move: nothing stops them, and what they give is on the external ledger.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_contact::{BodySurface, ContactOptions, tune_contact, with_contact};
use carom_engine::{MethodKind, Observer, Plan, Reader, Reading, Snapshot, depth_needed, run};
use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::{ClockOptions, Fault, State, System, SystemBuilder};

/// A stop flag that nobody raises.
static NEVER: AtomicBool = AtomicBool::new(false);

/// Step of the first layer, in s: some twelve kicks cross it.
const STEP: f64 = 1e-3 / 3.0;

const WALL: Vec3 = Vec3::new(0.3, 0.0, 2.0);

/// A grain at rest above a triangle that comes towards it; the first layer of contact has this step, in s.
fn wall_and_grain(step_s: f64) -> (Arc<System>, State) {
    let wall = Mesh {
        positions: vec![Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.5, -1.0, 0.0), Vec3::new(0.0, 2.0, 0.1)],
        triangles: vec![[0, 1, 2]],
        ..Mesh::default()
    };
    let grain = Mesh { positions: vec![Vec3::new(0.1, 0.2, 0.5)], ..Mesh::default() };
    let mut builder = SystemBuilder::new();
    builder.body("wall");
    for x in &wall.positions {
        let v = builder.vertex(*x, WALL, 1.0);
        builder.drive(v);
    }
    builder.body("grain");
    builder.vertex(grain.positions[0], Vec3::ZERO, 0.03);
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let surface = |mesh, first_vertex, radius| BodySurface { mesh, first_vertex, thickness: 0.05, radius };
    let surfaces = [surface(&wall, 0, 0.0), surface(&grain, 3, 0.1)];
    let options = ContactOptions {
        max_layers: 6,
        step_s: Some(step_s),
        stiffness: Some(1e5),
        ..ContactOptions::default()
    };
    let (contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
    (Arc::new(with_contact(&system, contact)), state)
}

#[derive(Default)]
struct Notebook(Vec<(Reading, Snapshot)>);

impl Observer for Notebook {
    fn observe(&mut self, snapshot: &Snapshot, reading: &Reading) -> std::io::Result<()> {
        self.0.push((reading.clone(), snapshot.clone()));
        Ok(())
    }
}

fn watched(kind: MethodKind, step_s: f64) -> Vec<(Reading, Snapshot)> {
    let (system, state) = wall_and_grain(step_s);
    let mut method = kind.start(&system, state);
    let plan = Plan { end: system.line.tick_at(0.5).unwrap(), rows: 3000, zoom: None, threads: 1 };
    let mut notes = Notebook::default();
    run(method.as_mut(), &Reader::new(&system), &plan, &mut notes, &NEVER).unwrap();
    notes.0
}

/// Largest error of the energy, counting work, over all the work.
fn energy_error(rows: &[(Reading, Snapshot)]) -> f64 {
    let work = rows.last().unwrap().0.work_j;
    rows.iter().map(|(row, _)| ((row.total_j() - row.work_j) / work).abs()).fold(0.0, f64::max)
}

#[test]
fn energy_is_kept_counting_the_work_of_the_wall_to_second_order() {
    let errors = [2, 4, 8, 16].map(|n| energy_error(&watched(MethodKind::Carom, STEP / f64::from(n))));
    for pair in errors.windows(2) {
        assert!((3.7..4.3).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
}

#[test]
fn the_deepest_instant_of_an_impact_is_seen_by_every_method_however_few_rows_there_are() {
    let (system, state) = wall_and_grain(STEP);
    let seen = |kind: MethodKind| {
        let plan = Plan { end: system.line.tick_at(0.5).unwrap(), rows: 2, zoom: None, threads: 1 };
        let mut notes = Notebook::default();
        run(kind.start(&system, state.clone()).as_mut(), &Reader::new(&system), &plan, &mut notes, &NEVER)
            .unwrap();
        notes.0
    };
    let rows = seen(MethodKind::Carom);
    let deepest: Vec<&(Reading, Snapshot)> = rows.iter().filter(|(_, s)| s.row.is_none()).collect();
    assert_eq!((rows.len(), deepest.len()), (4, 1));
    let most = watched(MethodKind::Carom, STEP).iter().map(|(r, _)| r.potential_j[0]).fold(0.0, f64::max);
    let there = deepest[0].0.potential_j[0];
    assert!(there > 0.98 * most, "{there} of {most} J");
    let reference: Vec<f64> = seen(MethodKind::Reference).iter().map(|(r, _)| r.total_j()).collect();
    assert_eq!(reference, rows.iter().map(|(r, _)| r.total_j()).collect::<Vec<_>>());
}

#[test]
fn momentum_is_kept_counting_the_push_of_the_wall() {
    let rows = watched(MethodKind::Carom, STEP);
    for (row, _) in &rows {
        assert!((row.momentum - row.from_outside.linear).length() < 1e-14 * (1.0 + row.momentum_scale));
        assert!((row.angular_momentum - row.from_outside.angular).length() < 1e-14);
    }
    let pressed = rows.iter().filter(|(row, _)| row.potential_j[0] > 0.0).count();
    assert!(pressed > 3, "some rows lie within the impact: {pressed}");
}

#[test]
fn a_grain_leaves_with_twice_the_speed_of_the_wall_and_the_wall_as_it_came() {
    let rows = watched(MethodKind::Carom, STEP);
    let (end, last) = rows.last().unwrap();
    assert!(last.state.velocities[..3].iter().all(|v| *v == WALL));
    let normal = Vec3::new(0.0, -0.1 / 3.0, 1.0).try_normalize().unwrap();
    let expected = normal * (2.0 * WALL.dot(normal));
    assert!((end.velocities[3] - expected).length() < 1e-3 * expected.length(), "{:?}", end.velocities[3]);
    let [touch] = last.touches.as_slice() else { panic!("one pair of bodies touched") };
    assert_eq!(touch.bodies, [0, 1]);
    assert!((touch.impulse + expected * 0.03).length() < 1e-3 * 0.03 * expected.length());
}

#[test]
fn the_oracle_books_the_same_bits() {
    let [fast, slow] = [MethodKind::Carom, MethodKind::Reference].map(|kind| watched(kind, STEP));
    for ((_, fast), (_, slow)) in fast.iter().zip(&slow) {
        assert_eq!((fast.state.fingerprint(), &fast.external), (slow.state.fingerprint(), &slow.external));
        assert_eq!(fast.touches, slow.touches);
    }
}

#[test]
fn on_one_clock_an_impact_needs_the_layers_that_own_clocks_need_and_fewer_are_a_fault() {
    let (system, mut state) = wall_and_grain(STEP);
    // Fast enough for several layers.
    state.velocities[3] = Vec3::new(0.0, 0.0, -8.0);
    let end = system.line.tick_at(0.05).unwrap();
    let depth = depth_needed(&system, &state, end, &NEVER).unwrap().unwrap();
    assert!(depth > 2, "{depth}");
    let at_depth = |layers: u32| {
        let kind = MethodKind::Synchronous(Some(layers));
        let system = kind.system(&system);
        let mut method = kind.start(&system, state.clone());
        let outcome = method.advance_to(end, &NEVER).map(|_| method.state().fingerprint());
        let mut oracle = MethodKind::Reference.start(&system, state.clone());
        let expected = oracle.advance_to(end, &NEVER).map(|_| oracle.state().fingerprint());
        assert_eq!(outcome, expected, "{layers} layers");
        outcome
    };
    assert!(at_depth(depth).is_ok());
    assert!(matches!(at_depth(depth - 1), Err(Fault::Squeezed { .. })));
}
