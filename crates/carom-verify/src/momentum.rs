//! Momentum maps: linear and angular momentum are constant.
//!
//! | | |
//! | --- | --- |
//! | Momentum | `Σ m v` and `Σ m x × v` with synchronised velocities, less the impulses of fields and pins (the external ledger) |
//! | Residual | the largest change since the start, relative to the largest [scale](carom_engine::MomentumScale) of the run; not counting the rounding of the gross impulse |
//! | Rotated scene | the same for positions and velocities rotated about the origin; fields stay as they are |
//! | Rotated trajectory | `│x'(t) − R x(t)│` relative to how far anything moved, not counting the rounding of positions, where nothing but whole pins holds the scene to the axes: the integrator has no axes of its own |

use std::sync::Arc;

use carom_engine::{EnergyScale, MomentumScale, Reader, Reading};
use carom_math::{Mat3, Vec3};
use carom_model::{State, System};
use carom_time::Tick;

use crate::clocks::{end_of_periods, slowest};
use crate::report::{Measurement, NoMeasurement, Property, Worst};
use crate::scale::{free, gross_impulse, relative, size};
use crate::{NEVER, Options};

/// Number of times at which momentum is read.
const ROWS: u64 = 32;

pub(crate) fn claim_linear(options: &Options) -> Property {
    Property {
        name: "linear momentum",
        what: "Linear momentum less the external ledger is constant, also in the scene rotated.",
        bound: options.bound,
    }
}

pub(crate) fn claim_angular(options: &Options) -> Property {
    Property {
        name: "angular momentum",
        what: "Angular momentum less the external ledger is constant, also in the scene rotated.",
        bound: options.bound,
    }
}

pub(crate) fn claim_rotated(options: &Options) -> Property {
    Property {
        name: "rotated trajectory",
        what: "The trajectory of the rotated scene is the rotated trajectory.",
        bound: options.bound,
    }
}

/// The readings of the scene and of the scene rotated.
pub(crate) struct Runs {
    turn: Mat3,
    straight: Run,
    /// The rotated scene; `None` where elements store frames, which cannot be rotated from outside.
    turned: Option<Run>,
    /// Gross impulse, linear and angular.
    gross: (f64, f64),
    bound: f64,
}

/// A run as it was read.
struct Run {
    readings: Vec<Reading>,
    /// What errors of momentum and of angular momentum are relative to.
    scales: [f64; 2],
}

pub(crate) fn run(system: &Arc<System>, state: &State, options: &Options) -> Result<Runs, NoMeasurement> {
    // About a skew axis, by an angle that is no fraction of a full revolution.
    let turn = Mat3::rotation(Vec3::new(0.3, -0.5, 0.8), 1.2345);
    let apply = |all: &[Vec3]| all.iter().map(|v| turn.apply(*v)).collect();
    let rotated = State::new(apply(&state.positions), apply(&state.velocities), state.quantum());
    let rotated = held_still(system, rotated);
    let end = end_of_periods(system, slowest(system)?, options.periods);
    Ok(Runs {
        turn,
        gross: gross_impulse(system, &state.positions, system.line.quantum.time(end)),
        bound: options.bound,
        straight: read(system, state, options, end)?,
        turned: (!system.remembers()).then(|| read(system, &rotated, options, end)).transpose()?,
    })
}

/// The state without velocities along single axes that pins hold, which the rotation may have made. A vertex held along all axes keeps its
/// velocity: it has one only as part of a moving obstacle.
fn held_still(system: &System, mut state: State) -> State {
    for (v, velocity) in state.velocities.iter_mut().enumerate() {
        if !system.is_held(v) {
            *velocity = free(system.inverse_masses[v], *velocity);
        }
    }
    state
}

fn read(system: &Arc<System>, state: &State, options: &Options, end: Tick) -> Result<Run, NoMeasurement> {
    let reader = Reader::new(system);
    let mut method = options.launch(system, state);
    let mut readings = Vec::new();
    for row in 0..=ROWS {
        let tick = Tick((u128::from(end.0) * u128::from(row) / u128::from(ROWS)) as u64);
        method.advance_to(tick, &NEVER).map_err(|fault| NoMeasurement::Failed(fault.to_string()))?;
        readings.push(reader.read(&method.state(), &method.external(), &method.pairs(), tick));
    }
    let scale = MomentumScale::new(system, &readings[0], &EnergyScale::new(system, &readings[0]));
    let mut scales = [0.0_f64; 2];
    for reading in &readings {
        let [linear, angular] = scale.at(reading);
        scales = [scales[0].max(linear), scales[1].max(angular)];
    }
    Ok(Run { readings, scales })
}

pub(crate) fn linear(runs: &Runs) -> Result<Measurement, NoMeasurement> {
    both(runs, runs.gross.0, |r| r.momentum - r.from_outside.linear, |run| run.scales[0])
}

pub(crate) fn angular(runs: &Runs) -> Result<Measurement, NoMeasurement> {
    both(runs, runs.gross.1, |r| r.angular_momentum - r.from_outside.angular, |run| run.scales[1])
}

fn both(
    runs: &Runs,
    gross: f64,
    kept: fn(&Reading) -> Vec3,
    scale: fn(&Run) -> f64,
) -> Result<Measurement, NoMeasurement> {
    let change = |run: &Run| {
        let largest = scale(run);
        let start = kept(&run.readings[0]);
        let change = run.readings.iter().map(|r| (kept(r) - start).length()).collect::<Worst>().0;
        if largest == 0.0 {
            return Err(NoMeasurement::Skipped("nothing moves".into()));
        }
        Ok(relative(change, largest, gross, runs.bound))
    };
    let straight = change(&runs.straight)?;
    let Some(turned) = &runs.turned else {
        return Ok(Measurement { residual: straight, details: vec![format!("{straight:.3e} as it is")] });
    };
    let turned = change(turned)?;
    let residual = [straight, turned].into_iter().collect::<Worst>().0;
    Ok(Measurement { residual, details: vec![format!("{straight:.3e} as it is, {turned:.3e} rotated")] })
}

pub(crate) fn rotated(system: &System, runs: &Runs) -> Result<Measurement, NoMeasurement> {
    let Some(turned) = &runs.turned else {
        return Err(NoMeasurement::Skipped("potentials remember, and what they do was not turned".into()));
    };
    if let Some(field) = system.families.iter().find(|f| !f.properties().is_internal) {
        return Err(NoMeasurement::Skipped(format!("{} has directions of its own", field.kind())));
    }
    let is_partly_held = |w: &Vec3| *w != Vec3::ZERO && w.to_array().contains(&0.0);
    if system.inverse_masses.iter().any(is_partly_held) {
        return Err(NoMeasurement::Skipped("pins hold single axes".into()));
    }
    let farthest = |pairs: &mut dyn Iterator<Item = (Vec3, Vec3)>| {
        pairs.map(|(a, b)| (a - b).length()).collect::<Worst>().0
    };
    let start = &runs.straight.readings[0].positions;
    let (mut apart, mut moved) = (Worst::default(), Worst::default());
    for (a, b) in runs.straight.readings.iter().zip(&turned.readings) {
        let turned = a.positions.iter().map(|x| runs.turn.apply(*x));
        apart.see(farthest(&mut turned.zip(b.positions.iter().copied())));
        moved.see(farthest(&mut a.positions.iter().copied().zip(start.iter().copied())));
    }
    let residual = relative(apart.0, moved.0, size(start), runs.bound);
    let details = vec![format!("{:.3e} m apart after moving {:.3e} m", apart.0, moved.0)];
    Ok(Measurement { residual, details })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Crooked, Windy, build, kicking_too_hard, ladder, ladder_of, pinned_ladder};
    use carom_time::Clocks;

    fn residuals(system: &Arc<System>, state: &State, options: &Options) -> [f64; 2] {
        let runs = run(system, state, options).unwrap();
        [linear(&runs).unwrap().residual, angular(&runs).unwrap().residual]
    }

    #[test]
    fn springs_keep_momentum_and_pins_and_weights_are_booked() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            for (system, state) in [ladder(clocks), pinned_ladder(clocks)] {
                for residual in residuals(&system, &state, &Options::default()) {
                    assert!(residual < 1e-14);
                }
            }
        }
    }

    #[test]
    fn a_push_from_nowhere_shows_in_linear_momentum() {
        let (system, state) = build(ladder_of(Windy), Clocks::Dyadic);
        assert!(residuals(&system, &state, &Options::default())[0] > 1e-4);
    }

    #[test]
    fn a_torque_from_nowhere_shows_in_angular_momentum_alone() {
        let (system, state) = build(ladder_of(Crooked), Clocks::Dyadic);
        let [linear, angular] = residuals(&system, &state, &Options::default());
        assert!(linear < 1e-14 && angular > 1e-4, "{linear} {angular}");
    }

    #[test]
    fn kicks_that_are_a_thousandth_too_hard_show_in_both() {
        let (system, state) = ladder(Clocks::Dyadic);
        for residual in residuals(&system, &state, &kicking_too_hard()) {
            assert!(residual > 1e-5);
        }
    }

    #[test]
    fn the_rotated_scene_moves_as_the_scene_does_rotated() {
        let (system, state) = ladder(Clocks::Exact);
        let runs = run(&system, &state, &Options::default()).unwrap();
        assert!(rotated(&system, &runs).unwrap().residual < 1e-13);
    }

    #[test]
    fn an_obstacle_that_moves_turns_with_the_scene() {
        let mut builder = ladder_of(|spring| spring);
        builder.drive(0);
        let (system, state) = build(builder, Clocks::Dyadic);
        let runs = run(&system, &state, &Options::default()).unwrap();
        assert!(rotated(&system, &runs).unwrap().residual < 1e-13);
    }

    #[test]
    fn a_force_with_an_axis_of_its_own_shows_in_the_rotated_scene() {
        for builder in [ladder_of(Crooked), ladder_of(Windy)] {
            let (system, state) = build(builder, Clocks::Dyadic);
            let runs = run(&system, &state, &Options::default()).unwrap();
            assert!(rotated(&system, &runs).unwrap().residual > 1e-4);
        }
    }

    #[test]
    fn where_weights_or_pins_know_the_axes_the_rotated_trajectory_is_skipped() {
        let (system, state) = pinned_ladder(Clocks::Dyadic);
        let runs = run(&system, &state, &Options::default()).unwrap();
        assert_eq!(
            rotated(&system, &runs),
            Err(NoMeasurement::Skipped("weight has directions of its own".into()))
        );
    }
}
