//! First variations are derivatives of the engine's own trajectories: compared with central differences.
//!
//! | | |
//! | --- | --- |
//! | Start | [`ASIDE`] of the size of the system off, at random: a symmetric scene may lie exactly on the border of two features, where there are two tangents |
//! | Runs | the engine from `q ± εδq`, `v ± εδv`, for a few random variations |
//! | Reach | ε moves no vertex by more than [`NUDGE`] of the size of the system |
//! | Residual | the largest `‖(y₊ − y₋)/2ε − Ju‖ / ‖Ju‖`, in the scaled coordinates of `symplectic` |
//!
//! No form can tell a tangent of the wrong sign from the right one: a symmetric Hessian of any sign makes a symplectic map. This
//! check can. Being a difference quotient it is good to [`BOUND`] and no better.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{State, System};
use carom_time::Tick;

use crate::clocks::{end_of_periods, slowest};
use crate::random::Random;
use crate::report::{Measurement, NoMeasurement, Property, Worst};
use crate::scale::{rate, size};
use crate::symplectic::norm;
use crate::tangent_integrator::{Tangent, TangentIntegrator};
use crate::{NEVER, Options};

/// Number of random variations.
const VARIATIONS: usize = 3;

/// Far against ε, near against anything else.
const ASIDE: f64 = 1e-6;

/// Of the size of the system: half the digits for the difference, half for its straightness.
const NUDGE: f64 = 1e-8;

/// Rounding leaves 1e-16/1e-8 of a difference; a hundred times that for what the run makes of it.
const BOUND: f64 = 1e-6;

pub(crate) fn claim() -> Property {
    Property {
        name: "first variations",
        what: "The tangents are those of the engine's trajectories, by differences.",
        bound: BOUND,
    }
}

pub(crate) fn check(
    system: &Arc<System>,
    state: &State,
    options: &Options,
) -> Result<Measurement, NoMeasurement> {
    let end = end_of_periods(system, slowest(system)?, options.periods);
    let rate = rate(system);
    let mut random = Random::new(options.seed);
    let aside = Tangent::random(system, rate, &mut random);
    let state = &moved(system, state, &aside, reach(state, &aside, ASIDE));
    let tangents: Vec<Tangent> =
        (0..VARIATIONS).map(|_| Tangent::random(system, rate, &mut random)).collect();
    let mut integrator = TangentIntegrator::new(system, state, &tangents);
    integrator.advance_to(end)?;
    let mut worst = Worst::default();
    for (tangent, image) in tangents.iter().zip(integrator.tangents_at(end)) {
        let epsilon = reach(state, tangent, NUDGE);
        let forth = run(system, &moved(system, state, tangent, epsilon), end, options)?;
        let back = run(system, &moved(system, state, tangent, -epsilon), end, options)?;
        let apart = |a: &[Vec3], b: &[Vec3], image: &[Vec3]| {
            let of = |((a, b), i): ((&Vec3, &Vec3), &Vec3)| (*a - *b) * (0.5 / epsilon) - *i;
            a.iter().zip(b).zip(image).map(of).collect::<Vec<Vec3>>()
        };
        let missed =
            Tangent { dq: apart(&forth.dq, &back.dq, &image.dq), dv: apart(&forth.dv, &back.dv, &image.dv) };
        worst.see(norm(system, rate, &missed) / norm(system, rate, &image));
    }
    let mut details = vec![format!("{VARIATIONS} variations")];
    details.extend(integrator.encounters().map(ToString::to_string));
    Ok(Measurement { residual: worst.0, details })
}

/// How much of a tangent moves no vertex by more than `part` of the size of the system.
fn reach(state: &State, tangent: &Tangent, part: f64) -> f64 {
    let largest = tangent.dq.iter().map(|d| d.length()).fold(0.0, f64::max);
    part * size(&state.positions) / largest
}

/// A start that is off by so much of a tangent.
fn moved(system: &System, state: &State, tangent: &Tangent, amount: f64) -> State {
    let off = |x: &[Vec3], d: &[Vec3]| x.iter().zip(d).map(|(x, d)| *x + *d * amount).collect();
    let (x, v) = (off(&state.positions, &tangent.dq), off(&state.velocities, &tangent.dv));
    State::new(x, v, system.line.quantum)
}

/// State that the engine reaches at `end`.
fn run(system: &Arc<System>, state: &State, end: Tick, options: &Options) -> Result<Tangent, NoMeasurement> {
    let mut engine = options.launch(system, state);
    engine.advance_to(end, &NEVER).map_err(|fault| NoMeasurement::Failed(fault.to_string()))?;
    let state = engine.state();
    let dq = (0..state.len()).map(|v| state.position_at(v, end)).collect();
    Ok(Tangent { dq, dv: state.velocities })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impact::{KINDS, THICKNESS, sheets, with_pulling_layers, with_stiff_layers};
    use crate::testing::{kicking_too_hard, ladder};
    use carom_time::Clocks;

    fn residual(system: &Arc<System>, state: &State, options: &Options) -> f64 {
        check(system, state, options).unwrap().residual
    }

    #[test]
    fn tangents_are_those_of_the_engine_in_springs_and_in_contact() {
        let (system, state) = ladder(Clocks::Exact);
        assert!(residual(&system, &state, &Options::default()) < 1e-7);
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.8 * THICKNESS);
            assert!(residual(&system, &state, &Options::default()) < 1e-7, "{kind:?}");
        }
    }

    #[test]
    fn tangents_of_layers_with_the_wrong_sign_or_a_thousandth_off_are_refused() {
        for kind in KINDS {
            let (system, state) = sheets(kind, 0.8 * THICKNESS);
            let pulling = check(&system, &state, &with_pulling_layers());
            // A method whose layers pull may not come to the end.
            assert!(!pulling.is_ok_and(|found| found.residual < 1e-3), "{kind:?}");
            assert!(residual(&system, &state, &with_stiff_layers()) > BOUND, "{kind:?}");
        }
        let (system, state) = ladder(Clocks::Dyadic);
        assert!(residual(&system, &state, &kicking_too_hard()) > BOUND);
    }
}
