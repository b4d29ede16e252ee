//! Drag on what turns: it slows, and what it takes is on the external ledger.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_elastic::{Drag, Spins, Twists};
use carom_engine::{MethodKind, Reader, Reading};
use carom_math::Vec3;
use carom_model::{ClockOptions, Owner, Part, State, System, SystemBuilder};
use carom_time::Tick;

static NEVER: AtomicBool = AtomicBool::new(false);

const RATE: f64 = 0.5;
const SPIN: Vec3 = Vec3::new(1.0, -2.0, 3.0);
const TWIST: f64 = 4.0;

/// A grain that spins and an edge that turns, each in a medium.
fn turning() -> (Arc<System>, State) {
    let mut builder = SystemBuilder::new();
    builder.body("grain");
    builder.vertex(Vec3::X, Vec3::ZERO, 1.0);
    let spin = builder.spin(SPIN, 0.3);
    let twist = builder.twist(0.0, TWIST, 0.2);
    let owner = |number: u32| Owner { body: 0, part: Part::Other(number) };
    let slowed = builder.add(Drag { inertia: 0.3, rate: RATE, on: Spins }, [spin], owner(0), 1.0);
    builder.damp(slowed, 1.0 / RATE);
    let slowed = builder.add(Drag { inertia: 0.2, rate: RATE, on: Twists }, [twist], owner(1), 1.0);
    builder.damp(slowed, 1.0 / RATE);
    let (system, state) =
        builder.build(&ClockOptions { step_s: Some(1e-3), ..ClockOptions::default() }).unwrap();
    (Arc::new(system), state)
}

/// The reading at the start and after a second.
fn readings(kind: MethodKind) -> [Reading; 2] {
    let (system, state) = turning();
    let reader = Reader::new(&system);
    let mut method = kind.start(&system, state);
    [0.0, 1.0].map(|seconds| {
        let tick = if seconds == 0.0 { Tick::START } else { system.line.tick_at(seconds).unwrap() };
        method.advance_to(tick, &NEVER).unwrap();
        reader.read(&method.state(), &method.external(), &method.pairs(), tick)
    })
}

#[test]
fn spins_and_twist_fall_at_the_rate_of_the_drag_in_both_engines() {
    for kind in [MethodKind::Carom, MethodKind::Reference] {
        let [_, end] = readings(kind);
        // Explicit steps of 1 ms: off by half of rate × step.
        let left = (-RATE).exp();
        assert!((end.velocities[1] - SPIN * left).length() < 1e-3 * SPIN.length(), "{:?}", end.velocities[1]);
        assert!((end.velocities[2].x - TWIST * left).abs() < 1e-3 * TWIST, "{:?}", end.velocities[2]);
    }
    let [carom, reference] = [MethodKind::Carom, MethodKind::Reference].map(|kind| readings(kind)[1].clone());
    assert_eq!(carom.velocities, reference.velocities);
}

#[test]
fn what_drag_takes_from_spins_and_twist_is_on_the_books() {
    let [start, end] = readings(MethodKind::Carom);
    assert!(end.dissipated_j() > 0.1 * start.total_j());
    let balance = end.total_j() + end.dissipated_j() - start.total_j() - start.dissipated_j();
    assert!(balance.abs() < 1e-12 * start.total_j(), "{balance:e}");
    let angular = |r: &Reading| r.angular_momentum - r.from_outside.angular;
    assert!((angular(&end) - angular(&start)).length() < 1e-14);
    assert!((end.angular_momentum - start.angular_momentum).length() > 0.1);
}
