//! What a run promises: momentum, energy, and that looking changes nothing.

use std::sync::Arc;

use crate::common::{NEVER, network};
use carom_elastic::{SolidMaterial, Spring, TetNeoHookean, TetStvk};
use carom_engine::{MethodKind, Observer, Plan, Reader, Reading, Snapshot, run};
use carom_math::Vec3;
use carom_model::{ClockOptions, Fault, Owner, Part, State, System, SystemBuilder};
use carom_time::Clocks;
use proptest::prelude::*;

/// Keeps what it sees.
#[derive(Default)]
struct Notebook(Vec<Reading>);

impl Observer for Notebook {
    fn observe(&mut self, _snapshot: &Snapshot, reading: &Reading) -> std::io::Result<()> {
        self.0.push(reading.clone());
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn momentum_is_kept_to_round_off_counting_what_the_pins_put_in(network in network(0.05)) {
        let (system, state) = network.build();
        let plan = Plan { end: system.line.tick_at(3.0).unwrap(), rows: 37, zoom: None, threads: 1 };
        let mut notes = Notebook::default();
        let mut method = MethodKind::Carom.start(&system, state);
        run(method.as_mut(), &Reader::new(&system), &plan, &mut notes, &NEVER).unwrap();
        let first = &notes.0[0];
        let (p0, l0) = (first.momentum - first.from_outside.linear, first.angular_momentum - first.from_outside.angular);
        for reading in &notes.0 {
            let p = reading.momentum - reading.from_outside.linear - p0;
            let l = reading.angular_momentum - reading.from_outside.angular - l0;
            prop_assert!(p.length() < 1e-12 * (1.0 + reading.momentum_scale), "{p:?} at {:?}", reading.tick);
            prop_assert!(l.length() < 1e-12 * (1.0 + reading.angular_momentum_scale), "{l:?} at {:?}", reading.tick);
        }
    }

    #[test]
    fn looking_more_often_or_from_another_thread_changes_no_bit(network in network(0.1), rows in 1_u64..50) {
        let (system, state) = network.build();
        let end = system.line.tick_at(1.0).unwrap();
        let look = |rows, threads| {
            let mut method = MethodKind::Carom.start(&system, state.clone());
            let reader = Reader::new(&system);
            let plan = Plan { end, rows, zoom: None, threads };
            let mut notes = Notebook::default();
            run(method.as_mut(), &reader, &plan, &mut notes, &NEVER).unwrap();
            let energies: Vec<f64> = notes.0.iter().map(Reading::total_j).collect();
            (method.state().fingerprint(), energies)
        };
        prop_assert_eq!(look(rows, 1), look(rows, 2));
        prop_assert_eq!(look(rows, 1).0, look(1, 1).0);
    }
}

/// Two springs on one mass, steps in no simple ratio: the case of the synchronised velocity.
fn two_springs(clocks: Clocks, steps: [f64; 2]) -> Vec<Reading> {
    let mut builder = SystemBuilder::new();
    let a = builder.vertex(Vec3::ZERO, Vec3::ZERO, 1.0);
    let b = builder.vertex(Vec3::X, Vec3::new(0.1, 0.0, 0.0), 1.0);
    for (i, step) in steps.into_iter().enumerate() {
        let spring = Spring { stiffness: 40.0 / (1.0 + 3.0 * i as f64), rest_length: 1.0 };
        let owner = Owner { body: 0, part: Part::Edge(i as u32) };
        let added = builder.add(spring, [a, b], owner, 1.0);
        builder.give_step(added, step);
    }
    let (system, state) = builder.build(&ClockOptions { clocks, ..ClockOptions::default() }).unwrap();
    let system = Arc::new(system);
    let plan = Plan { end: system.line.tick_at(20.0).unwrap(), rows: 997, zoom: None, threads: 1 };
    let mut notes = Notebook::default();
    let mut method = MethodKind::Carom.start(&system, state);
    run(method.as_mut(), &Reader::new(&system), &plan, &mut notes, &NEVER).unwrap();
    notes.0
}

fn band(readings: &[Reading]) -> f64 {
    let start = readings[0].total_j();
    readings.iter().map(|r| (r.total_j() - start).abs()).fold(0.0, f64::max) / start
}

#[test]
fn halving_every_step_shrinks_the_energy_band_by_four() {
    for clocks in [Clocks::Dyadic, Clocks::Exact] {
        let (coarse, fine) = (two_springs(clocks, [0.01, 0.027]), two_springs(clocks, [0.005, 0.0135]));
        let ratio = band(&coarse) / band(&fine);
        assert!((3.3..5.0).contains(&ratio), "{clocks:?}: {ratio}");
    }
}

/// A tetrahedron whose last corner is shot at the face opposite, at `speed` in m/s.
fn shot_at_itself(is_neo_hookean: bool, speed: f64) -> (Arc<System>, State) {
    let rest = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let material = SolidMaterial { young: 1e3, poisson: 0.3 };
    let mut builder = SystemBuilder::new();
    builder.body("jelly");
    for (i, x) in rest.into_iter().enumerate() {
        let velocity = if i == 3 { Vec3::Z * -speed } else { Vec3::ZERO };
        builder.vertex(x, velocity, 1.0);
    }
    let owner = Owner { body: 0, part: Part::Cell(7) };
    if is_neo_hookean {
        builder.add(TetNeoHookean::from_rest(&rest, &material), [0, 1, 2, 3], owner, 1.0);
    } else {
        builder.add(TetStvk::from_rest(&rest, &material), [0, 1, 2, 3], owner, 1.0);
    }
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    (Arc::new(system), state)
}

#[test]
fn a_tetrahedron_thrown_inside_out_is_named_in_the_fault() {
    // The first two far too fast for the step to notice; the last slowly, since its energy does not resist it.
    let cases = [("tet-neo-hookean", true, 1e4), ("tet-stvk", false, 1e4), ("tet-stvk", false, 30.0)];
    for (law, is_neo_hookean, speed) in cases {
        let (system, state) = shot_at_itself(is_neo_hookean, speed);
        let end = system.line.tick_at(1.0).unwrap();
        let faults = [MethodKind::Carom, MethodKind::Reference]
            .map(|kind| kind.start(&system, state.clone()).advance_to(end, &NEVER).unwrap_err());
        assert_eq!(faults[0], faults[1]);
        let Fault::Collapsed { kind, body, part, .. } = &faults[0] else { panic!("{}", faults[0]) };
        assert_eq!((kind.as_str(), body.as_str(), *part), (law, "jelly", Part::Cell(7)));
    }
}

#[test]
fn a_tetrahedron_that_is_stiff_enough_for_its_speed_goes_on() {
    for is_neo_hookean in [true, false] {
        let (system, state) = shot_at_itself(is_neo_hookean, 3.0);
        let end = system.line.tick_at(1.0).unwrap();
        MethodKind::Carom.start(&system, state).advance_to(end, &NEVER).unwrap();
    }
}
