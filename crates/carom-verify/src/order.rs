//! The scheme is of second order: halving every step divides the error by four.
//!
//! | | |
//! | --- | --- |
//! | Runs | the steps divided by 1, 2, 4 … 2^[`FINEST`], the clocks keeping their pattern, over a whole number of periods: positions at the same time, velocities synchronised, half-kick start |
//! | Reference | the two finest runs, extrapolated: `y + (y − y')/3` |
//! | Error | `√Σ m│δx│²` and `√Σ m│δv│²`, each against its own slope |
//! | Residual | `│slope − 2│` of the least-squares line through the finest [`FITTED`] errors that are no round-off; the larger of positions and velocities |
//! | Slow scenes | where fewer errors are surely above round-off, nothing is claimed |
//!
//! The end is a multiple of every step. Elsewhere the straight motion inside a step adds
//! `s (h − s) F/2m` to the error, which depends on the place `s` of the end inside each step, and that
//! place changes as the steps are halved.

use std::sync::Arc;

use carom_engine::{Reader, Reading};
use carom_math::{Sum, Vec3};
use carom_model::{Start, State, System};
use carom_time::{Span, Tick};

use crate::clocks::{commensurable, end_of_periods, starting};
use crate::report::{Measurement, NoMeasurement, Property, Worst};
use crate::scale::{fastest_step_s, round_off, size};
use crate::{NEVER, Options};

/// log₂ of the largest divisor.
const FINEST: u32 = 6;

/// Number of levels that the slope is fitted to.
const FITTED: usize = 3;

/// Tolerance of the slope: 2 ± 0.1.
const BOUND: f64 = 0.1;

pub(crate) fn claim() -> Property {
    Property {
        name: "order",
        what: "Positions and synchronised velocities converge with slope 2 when all steps are halved.",
        bound: BOUND,
    }
}

pub(crate) fn check(system: &System, state: &State, options: &Options) -> Result<Measurement, NoMeasurement> {
    let (system, period) = commensurable(system)
        .ok_or_else(|| NoMeasurement::Skipped("the clocks have no short common period".into()))?;
    measure(&starting(&system, Start::HalfKick), period, state, options)
}

fn measure(
    system: &System,
    period: Span,
    state: &State,
    options: &Options,
) -> Result<Measurement, NoMeasurement> {
    let mut runs = Vec::new();
    for level in 0..=FINEST {
        runs.push(solution(system, period, state, options, level)?);
    }
    let size = size(&state.positions);
    let speed = size / fastest_step_s(system);
    let positions: Vec<&[Vec3]> = runs.iter().map(|r| r.positions.as_slice()).collect();
    let velocities: Vec<&[Vec3]> = runs.iter().map(|r| r.velocities.as_slice()).collect();
    let mut details = Vec::new();
    let mut worst = Worst::default();
    for (name, numbers, values) in [("positions", size, positions), ("velocities", speed, velocities)] {
        let errors = errors(system, &values);
        let floor = round_off(norm(system, |_| Vec3::X * numbers));
        let slope = finest_slope(&errors, floor).ok_or_else(|| {
            NoMeasurement::Skipped(format!("the error of the {name} is round-off at any step"))
        })?;
        worst.see((slope - 2.0).abs());
        let listed: Vec<String> = errors.iter().map(|e| format!("{:.2e}", e / errors[0])).collect();
        details.push(format!("{name}: slope {slope:.3}, errors {}", listed.join(" ")));
    }
    Ok(Measurement { residual: worst.0, details })
}

/// The reading after the same time with steps divided by 2^`level`.
fn solution(
    system: &System,
    period: Span,
    state: &State,
    options: &Options,
    level: u32,
) -> Result<Reading, NoMeasurement> {
    let finer = Arc::new(system.with_steps_divided_by(1 << level));
    let end = Tick(end_of_periods(system, period, options.periods).0 << level);
    let mut method = options.launch(&finer, state);
    method.advance_to(end, &NEVER).map_err(|fault| NoMeasurement::Failed(fault.to_string()))?;
    if method.summary().contact.is_some_and(|contact| contact.smallest_distance_m.is_finite()) {
        return Err(NoMeasurement::Skipped("layers push, and they are smooth only piece by piece".into()));
    }
    Ok(Reader::new(&finer).read(&method.state(), &method.external(), &method.pairs(), end))
}

/// The error of each level but the two finest, against these two extrapolated.
fn errors(system: &System, values: &[&[Vec3]]) -> Vec<f64> {
    let (fine, finest) = (values[values.len() - 2], values[values.len() - 1]);
    let limit = |v: usize| finest[v] + (finest[v] - fine[v]) * (1.0 / 3.0);
    values[..values.len() - 2].iter().map(|level| norm(system, |v| level[v] - limit(v))).collect()
}

/// `√Σ m│d│²`.
fn norm(system: &System, d: impl Fn(usize) -> Vec3) -> f64 {
    let of = |(v, m): (usize, &f64)| m * d(v).length_sq();
    system.masses.iter().enumerate().map(of).collect::<Sum>().value().sqrt()
}

/// The slope through the finest errors above `floor`; `None` where there are too few of them.
fn finest_slope(errors: &[f64], floor: f64) -> Option<f64> {
    let clean = errors.iter().take_while(|error| **error > floor).count();
    (clean >= FITTED).then(|| slope(&errors[clean - FITTED..clean]))
}

/// Slope of log₂ of the errors against the level, downwards, by least squares.
fn slope(errors: &[f64]) -> f64 {
    let n = errors.len() as f64;
    let mean = (n - 1.0) / 2.0;
    let (mut above, mut below) = (0.0, 0.0);
    for (level, error) in errors.iter().enumerate() {
        let d = level as f64 - mean;
        above -= d * error.log2();
        below += d * d;
    }
    above / below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ladder, pinned_ladder, without_half_kick};
    use carom_time::Clocks;

    #[test]
    fn springs_converge_with_second_order_whatever_the_clocks() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            for (system, state) in [ladder(clocks), pinned_ladder(clocks)] {
                let found = check(&system, &state, &Options::default()).unwrap();
                assert!(found.residual < 0.02, "{found:?}");
            }
        }
    }

    #[test]
    fn without_the_half_kick_the_order_is_one() {
        let (system, state) = ladder(Clocks::Dyadic);
        let found = check(&system, &state, &without_half_kick()).unwrap();
        assert!((found.residual - 1.0).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn noise_below_the_floor_has_no_slope_and_above_it_decides() {
        let (falling, noise) = ([1.0, 0.25, 0.0625, 0.0156], [1.0, 0.7, 1.2, 0.9]);
        assert!((finest_slope(&falling, 1e-9).unwrap() - 2.0).abs() < 0.01);
        assert_eq!(finest_slope(&falling, 0.5), None);
        assert_eq!(finest_slope(&noise, 2.0), None);
        assert!(finest_slope(&noise, 0.1).unwrap() < 1.0);
    }

    #[test]
    fn a_slope_is_that_of_a_straight_line() {
        assert!((slope(&[3.0, 0.75, 0.1875]) - 2.0).abs() < 1e-14);
        assert!((slope(&[1.0, 0.5, 0.25]) - 1.0).abs() < 1e-14);
    }

    #[test]
    fn without_force_there_is_no_error_to_halve() {
        let (system, state) = ladder(Clocks::Dyadic);
        let idle = System { families: vec![], schedules: vec![], ..(*system).clone() };
        assert!(matches!(check(&idle, &state, &Options::default()), Err(NoMeasurement::Skipped(_))));
    }
}
