//! Letting a system come to rest.
//!
//! It moves freely for a short while, then every velocity is cut by the same share, and so on: a drag near the critical damping of the slowest
//! mode. (Kinetic damping, which sets velocities to zero whenever the kinetic energy passes a maximum, stopped at 2e-3 of the load here: once
//! the slow mode is nearly at rest, the maxima are those of the fast ones, and stop it on its way.) Equilibrium is where the net
//! force on what can move is nothing beside the load. All potentials share one clock, so that forces that cancel do so at every kick.

use core::f64::consts::TAU;
use std::sync::Arc;

use carom::Simulation;
use carom_engine::{MethodKind, Reading};
use carom_math::Vec3;
use carom_model::{ClockOptions, State, System, SystemBuilder};
use carom_time::Tick;

/// How a system is brought to rest.
#[derive(Clone, Copy, Debug)]
pub struct Settle {
    /// Period of the slowest mode, in s.
    pub slowest_s: f64,
    /// The largest net force that counts as none, in N.
    pub residual_n: f64,
}

/// Number of times that velocities are reduced in one period of the slowest mode.
const CUTS_IN_A_PERIOD: f64 = 400.0;

/// Times between cuts differ by so many steps.
const UNEVEN: u64 = 7;

/// Largest number of such periods.
const PERIODS: u32 = 60;

/// Positions at rest, in m.
///
/// # Panics
/// If the system is unsound or does not come to rest: the problems here are known to.
pub fn settle(builder: SystemBuilder, how: &Settle) -> Vec<Vec3> {
    let (system, start) = builder.build(&ClockOptions::default()).expect("a sound system");
    let synchronous = MethodKind::Synchronous(None);
    let system = synchronous.system(&Arc::new(system));
    // A whole number of steps: there, synchronised velocities are those of Störmer and Verlet, and starting anew changes nothing.
    let step = system.spans()[0];
    let every = system.line.tick_at(how.slowest_s / CUTS_IN_A_PERIOD).expect("a cut on the time line");
    let every = every.floor(step).max(Tick::START.after(step));
    // A mode of frequency ω is critically damped by a drag of 2ω.
    let keep = (-2.0 * TAU / CUTS_IN_A_PERIOD).exp();
    let mut state = start;
    let mut residual = f64::INFINITY;
    for cut in 0..u64::from(PERIODS) * CUTS_IN_A_PERIOD as u64 {
        // At even intervals a fast mode may show no velocity at every cut, and never come to rest.
        let now = Tick(every.0 + cut % UNEVEN * step.quanta());
        let simulation = Simulation::of_system(Arc::clone(&system), state, synchronous);
        let mut simulation = simulation.expect("a sound start");
        simulation.advance_to_tick(now).expect("a gentle motion does not fault");
        let reading = simulation.reading();
        residual = net_force(&system, &reading);
        if residual < how.residual_n {
            return reading.positions.clone();
        }
        let slower = reading.velocities.iter().map(|v| *v * keep).collect();
        state = State::new(reading.positions.clone(), slower, system.line.quantum);
    }
    panic!("a net force of {residual:e} N is left, more than {:e} N", how.residual_n);
}

/// The largest force on a vertex that can move, in N.
fn net_force(system: &System, reading: &Reading) -> f64 {
    let free = |w: f64| if w == 0.0 { 0.0 } else { 1.0 };
    let forces = reading.forces.iter().zip(&system.inverse_masses);
    let sizes = forces.map(|(f, w)| f.scaled_by(Vec3::new(free(w.x), free(w.y), free(w.z))).length());
    sizes.fold(0.0, f64::max)
}
