//! Momentum maps: linear and angular momentum are constant.
//!
//! | | |
//! | --- | --- |
//! | Momentum | `Σ m v` and `Σ m x × v` with synchronised velocities, less what fields and pins put in (the books) |
//! | Residual | the largest change since the start, relative to the largest `Σ m│v│` and `Σ m│x││v│` of the run |
//! | Rotated scene | the same for positions and velocities turned about the origin; fields stay as they are |
//! | Rotated trajectory | `│x'(t) − R x(t)│` relative to the size of the scene, where nothing but whole pins holds the scene to the axes: the integrator has no axes of its own |

use std::sync::Arc;

use carom_engine::{Reader, Reading};
use carom_math::{Mat3, Vec3};
use carom_model::{State, System};
use carom_time::Tick;

use crate::report::{Claim, Found, Unfound, Worst};
use crate::scale::size;
use crate::{NEVER, Options};

/// How often momentum is read.
const ROWS: u64 = 32;

pub(crate) fn claim_linear(options: &Options) -> Claim {
    Claim {
        name: "linear momentum",
        what: "Linear momentum less the books is constant, also in the scene rotated.",
        bound: options.bound,
    }
}

pub(crate) fn claim_angular(options: &Options) -> Claim {
    Claim {
        name: "angular momentum",
        what: "Angular momentum less the books is constant, also in the scene rotated.",
        bound: options.bound,
    }
}

pub(crate) fn claim_rotated(options: &Options) -> Claim {
    Claim {
        name: "rotated trajectory",
        what: "The trajectory of the rotated scene is the rotated trajectory.",
        bound: options.bound,
    }
}

/// The readings of the scene and of the scene rotated.
pub(crate) struct Runs {
    turn: Mat3,
    straight: Vec<Reading>,
    turned: Vec<Reading>,
}

pub(crate) fn run(system: &Arc<System>, state: &State, options: &Options) -> Result<Runs, Unfound> {
    // About a skew axis, by an angle that is no part of a full turn.
    let turn = Mat3::rotation(Vec3::new(0.3, -0.5, 0.8), 1.2345);
    let apply = |all: &[Vec3]| all.iter().map(|v| turn.apply(*v)).collect();
    let rotated = State::new(apply(&state.positions), apply(&state.velocities), state.quantum());
    let rotated = held_still(system, rotated);
    let end = options.end(system)?;
    Ok(Runs {
        turn,
        straight: read(system, state, options, end)?,
        turned: read(system, &rotated, options, end)?,
    })
}

/// No velocity along the axes that pins hold: turning may have put some there.
fn held_still(system: &System, mut state: State) -> State {
    for (velocity, &w) in state.velocities.iter_mut().zip(&system.inverse_masses) {
        *velocity = crate::scale::free(w, *velocity);
    }
    state
}

fn read(system: &Arc<System>, state: &State, options: &Options, end: Tick) -> Result<Vec<Reading>, Unfound> {
    let reader = Reader::new(system);
    let mut method = options.launch(system, state);
    let mut readings = Vec::new();
    for row in 0..=ROWS {
        let tick = Tick((u128::from(end.0) * u128::from(row) / u128::from(ROWS)) as u64);
        method.advance_to(tick, &NEVER).map_err(|fault| Unfound::Failed(fault.to_string()))?;
        readings.push(reader.read(&method.state(), &method.books(), tick));
    }
    Ok(readings)
}

pub(crate) fn linear(runs: &Runs) -> Result<Found, Unfound> {
    both(runs, |r| r.momentum - r.momentum_in, |r| r.momentum_scale)
}

pub(crate) fn angular(runs: &Runs) -> Result<Found, Unfound> {
    both(runs, |r| r.angular_momentum - r.angular_momentum_in, |r| r.angular_momentum_scale)
}

fn both(runs: &Runs, kept: fn(&Reading) -> Vec3, scale: fn(&Reading) -> f64) -> Result<Found, Unfound> {
    let straight = change(&runs.straight, kept, scale)?;
    let turned = change(&runs.turned, kept, scale)?;
    let residual = [straight, turned].into_iter().collect::<Worst>().0;
    Ok(Found { residual, details: vec![format!("{straight:.3e} as it is, {turned:.3e} rotated")] })
}

fn change(
    readings: &[Reading],
    kept: fn(&Reading) -> Vec3,
    scale: fn(&Reading) -> f64,
) -> Result<f64, Unfound> {
    let largest = readings.iter().map(scale).fold(0.0, f64::max);
    if largest == 0.0 {
        return Err(Unfound::Skipped("nothing moves".into()));
    }
    let start = kept(&readings[0]);
    Ok(readings.iter().map(|r| (kept(r) - start).length() / largest).collect::<Worst>().0)
}

pub(crate) fn rotated(system: &System, runs: &Runs) -> Result<Found, Unfound> {
    if let Some(field) = system.families.iter().find(|f| !f.is_internal()) {
        return Err(Unfound::Skipped(format!("{} has directions of its own", field.kind())));
    }
    let is_partly_held = |w: &Vec3| *w != Vec3::ZERO && w.to_array().contains(&0.0);
    if system.inverse_masses.iter().any(is_partly_held) {
        return Err(Unfound::Skipped("pins hold single axes".into()));
    }
    let size = size(&runs.straight[0].positions);
    let apart = |(a, b): (&Reading, &Reading)| {
        let each = a.positions.iter().zip(&b.positions).map(|(x, y)| (runs.turn.apply(*x) - *y).length());
        each.collect::<Worst>().0 / size
    };
    let residual = runs.straight.iter().zip(&runs.turned).map(apart).collect::<Worst>().0;
    Ok(Found { residual, details: vec![format!("relative to a size of {size:.3e} m")] })
}
