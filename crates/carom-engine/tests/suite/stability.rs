//! The stability number is what it says.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_elastic::Spring;
use carom_engine::{MethodKind, stability};
use carom_math::Vec3;
use carom_model::{ClockOptions, Owner, Part, State, System, SystemBuilder};

const N: usize = 40;
const STIFFNESS: f64 = 50.0;

/// A chain of unit masses and springs, all on one step, slightly stretched at one end.
fn chain(step_s: f64) -> (Arc<System>, State) {
    let mut builder = SystemBuilder::new();
    for i in 0..N {
        let nudge = if i == 0 { 1e-3 } else { 0.0 };
        builder.vertex(Vec3::X * (i as f64 + nudge), Vec3::ZERO, 1.0);
    }
    for i in 0..N as u32 - 1 {
        let owner = Owner { body: 0, part: Part::Edge(i) };
        builder.add(Spring { stiffness: STIFFNESS, rest_length: 1.0 }, [i, i + 1], owner, 1.0);
    }
    let options = ClockOptions { step_s: Some(step_s), ..ClockOptions::default() };
    let (system, state) = builder.build(&options).unwrap();
    (Arc::new(system), state)
}

/// The largest frequency of a free chain: `2 √(k/m) cos(π/2N)`.
fn omega_exact() -> f64 {
    2.0 * STIFFNESS.sqrt() * (core::f64::consts::PI / (2.0 * N as f64)).cos()
}

#[test]
fn the_largest_frequency_of_a_chain_is_found() {
    let (system, state) = chain(0.01);
    let measured = stability::measure(&system, &state.positions).unwrap();
    assert!((measured.omega_max / omega_exact() - 1.0).abs() < 2e-3, "{measured:?}");
    assert!((measured.sigma - 0.01 * omega_exact() / 2.0).abs() < 1e-3);
}

#[test]
fn the_cheap_bound_is_above_the_number_and_not_far() {
    let (system, state) = chain(0.01);
    let measured = stability::measure(&system, &state.positions).unwrap();
    let bound = stability::bound(&system, &state.positions);
    assert!(bound >= measured.sigma && bound < 1.1 * measured.sigma, "{bound} against {measured:?}");
}

#[test]
fn a_number_below_one_stays_bounded_and_above_one_explodes() {
    let largest_speed = |sigma: f64| {
        let (system, state) = chain(sigma * 2.0 / omega_exact());
        let mut method = MethodKind::Carom.start(&system, state);
        let end = system.line.tick_at(200.0).unwrap();
        match method.advance_to(end, &AtomicBool::new(false)) {
            Ok(_) => method.state().velocities.iter().map(|v| v.length()).fold(0.0, f64::max),
            Err(_) => f64::INFINITY,
        }
    };
    assert!(largest_speed(0.98) < 0.1);
    assert!(largest_speed(1.02) > 1e3);
}
