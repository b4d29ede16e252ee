//! Did the run keep what the scene expects, and what should the user know?

use carom_contact::{ContactTuning, StepReason};
use carom_engine::{ContactSummary, RefinementCause, Touch};
use carom_model::Fault;
use carom_output::EnergyStatistics;
use carom_output::summary::{EnergyVerdict, Expectation};
use carom_scene::Expectations;
use carom_scene::format::Statistic;

use super::Job;
use super::recorder::Recorded;

/// A contact at rest or an ordinary impact stays above this layer; below it, few kicks are left to reverse the motion.
const DEEP_LAYER: u32 = 12;

/// Half of what is good: with fewer kicks in the first layer, energy wanders visibly.
const FEW_KICKS: f64 = 3.0;

/// Bounds of the energy, as the scene names them.
const ENERGY_BAND: &str = "energy_band";
const ENERGY_DRIFT: &str = "energy_drift";

/// Every expectation of the scene, with its result.
pub fn expectations(
    expected: &Expectations,
    seen: &Recorded,
    contact: Option<&ContactSummary>,
) -> Vec<Expectation> {
    let (energy, momentum) = (seen.ledger.energy(), seen.ledger.momentum());
    let bounds = [
        (ENERGY_BAND, expected.energy_band, energy.band),
        (ENERGY_DRIFT, expected.energy_drift, energy.drift),
        ("momentum", expected.momentum, momentum.linear_error),
        ("angular_momentum", expected.angular_momentum, momentum.angular_error),
    ];
    let mut all: Vec<Expectation> = bounds
        .into_iter()
        .filter_map(|(quantity, bound, found)| {
            bound.map(|bound| Expectation {
                quantity: quantity.to_owned(),
                bound: format!("at most {bound:e}"),
                found,
                kept: found.abs() <= bound,
            })
        })
        .collect();
    if let Some(contact) = contact {
        all.extend(of_contact(expected, contact));
    }
    for probe in &expected.probes {
        let name = format!("{}.{}", probe.probe, probe.column);
        let column = seen.columns.iter().position(|c| *c == name);
        let found = column.map_or(f64::NAN, |c| statistic(probe.statistic, &seen.times_s, &seen.series[c]));
        all.push(Expectation {
            quantity: probe.quantity(),
            bound: probe.bound(),
            found,
            kept: probe.holds(found),
        });
    }
    all
}

fn of_contact(expected: &Expectations, contact: &ContactSummary) -> Vec<Expectation> {
    let distance = contact.smallest_distance_m;
    let near = expected.contact_min_distance.map(|bound| Expectation {
        quantity: "contact_min_distance".to_owned(),
        bound: format!("at least {bound:e}"),
        found: distance,
        kept: distance >= bound,
    });
    let layer = contact.deepest_layer;
    let deep = expected.contact_deepest_layer.map(|bound| Expectation {
        quantity: "contact_deepest_layer".to_owned(),
        bound: format!("at most {bound}"),
        found: f64::from(layer),
        kept: layer <= bound,
    });
    near.into_iter().chain(deep).collect()
}

/// Warnings of a run, but for those about its energy.
pub fn warnings(job: &Job, seen: &Recorded) -> Vec<String> {
    let built = &job.built;
    let mut warnings: Vec<String> = built.warnings.lines().collect();
    if !job.method.keeps_the_contract() {
        warnings.push(format!(
            "{} is outside the contract: nothing promises that surfaces stayed apart or that energy is kept",
            job.method.name()
        ));
    }
    if let Some(gives_way) = built.system.line.gives_way {
        warnings.push(format!(
            "the steps differ so much that only {} halvings are left below the fastest clock for contact layers, \
             instead of {}",
            gives_way.halvings_left,
            carom_time::LAYER_HALVINGS
        ));
    }
    if seen.ledger.rows.len() < 2000 {
        let rows = seen.ledger.rows.len();
        warnings
            .push(format!("band and drift were read from {rows} rows; 2,000 or more say more (output.rows)"));
    }
    warnings
}

/// Whether to say what may have moved the energy: not where it was kept, nor where nobody decides.
pub fn may_blame_energy(energy: Option<&EnergyVerdict>, expectations: &[Expectation]) -> bool {
    let failed = |e: &Expectation| !e.kept && [ENERGY_BAND, ENERGY_DRIFT].contains(&e.quantity.as_str());
    energy.is_none_or(EnergyVerdict::is_off) || expectations.iter().any(failed)
}

/// What may have moved the energy of a run.
pub fn warnings_of_energy(
    job: &Job,
    energy: &EnergyStatistics,
    contact: Option<&ContactSummary>,
    touches: &[Touch],
) -> Vec<String> {
    let mut warnings = Vec::new();
    let fast = || touches.iter().filter(|touch| touch.fewest_kicks < FEW_KICKS);
    if let Some(layer) = contact.map(|c| c.deepest_layer).filter(|layer| *layer > DEEP_LAYER) {
        // A layer that is crossed in less than a kick keeps energy by chance: a somewhat shorter step helps as often as not.
        let is_fast = fast().next().is_some();
        let [why, remedy] =
            if is_fast { [", since bodies met so fast", ""] } else { ["", "; shorten contact.step"] };
        warnings.push(format!(
            "contact went deep, to layer {layer}{why}: nothing passed through, but energy may wander{remedy}"
        ));
    }
    for touch in fast() {
        let [a, b] = touch.bodies.map(|body| &job.built.system.bodies[body as usize].name);
        // A step that is given does not ask for the speed.
        let remedy = if has_given_step(job, touch) {
            "shorten contact.step"
        } else {
            "say how fast they get (contact.speed)"
        };
        warnings.push(format!(
            "\"{a}\" and \"{b}\" met so fast that only {:.1} kicks cross the first layer of contact, 6 are good: \
             nothing passed through, but energy may wander; {remedy}",
            touch.fewest_kicks
        ));
    }
    let expected = &job.built.expectations;
    let bound = expected.energy_drift.unwrap_or(expected.rounding_tolerance());
    if job.method.keeps_the_contract() && energy.is_drift_significant() && energy.drift.abs() > bound {
        warnings.push(format!(
            "energy drifts by {:.1e} over the run, more than three times what chance explains: try a smaller \
             clocks.safety",
            energy.drift
        ));
    }
    warnings
}

/// Whether the scene gives the step of contact between the bodies that touched.
fn has_given_step(job: &Job, touch: &Touch) -> bool {
    let choices = job.built.contact.iter().flat_map(|contact| &contact.choices);
    let own = |choice: &&ContactTuning| choice.bodies == touch.bodies;
    choices.into_iter().find(own).is_some_and(|choice| choice.reasons.step == StepReason::Given)
}

/// Warning of a trial run that ended in a Fault before it could tell how deep layers must go.
pub fn warning_of_trial(fault: &Fault) -> String {
    format!(
        "the trial run with separate clocks, which tells `synchronous` how deep layers must go, ended in a Fault: {fault}; \
         layers go only as deep as the shortest elastic step does"
    )
}

/// What to say where no step was left to shorten.
pub fn warning_of_steps(cause: &RefinementCause) -> String {
    format!(
        "{cause}, more than clocks.energy_tolerance, and the scene gives every step that would have to be shorter: leave steps to the program, \
         or give shorter ones"
    )
}

/// A statistic of a series.
fn statistic(which: Statistic, times: &[f64], values: &[f64]) -> f64 {
    let mean = || values.iter().sum::<f64>() / values.len() as f64;
    match which {
        Statistic::Final => values.last().copied().unwrap_or(f64::NAN),
        Statistic::Min => values.iter().copied().fold(f64::NAN, f64::min),
        Statistic::Max => values.iter().copied().fold(f64::NAN, f64::max),
        Statistic::Mean => mean(),
        Statistic::Period => period(times, values, mean()),
        Statistic::Frequency => 1.0 / period(times, values, mean()),
    }
}

/// Mean time between upward crossings of `level`, in s; NaN with fewer than two.
fn period(times: &[f64], values: &[f64], level: f64) -> f64 {
    let crossings: Vec<f64> = (1..values.len())
        .filter(|&i| values[i - 1] < level && values[i] >= level)
        .map(|i| {
            let part = (level - values[i - 1]) / (values[i] - values[i - 1]);
            times[i - 1] + part * (times[i] - times[i - 1])
        })
        .collect();
    match crossings.as_slice() {
        [first, .., last] => (last - first) / (crossings.len() - 1) as f64,
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sine(n: usize) -> (Vec<f64>, Vec<f64>) {
        let times: Vec<f64> = (0..n).map(|i| i as f64 * 0.01).collect();
        let values =
            times.iter().map(|t| 3.0 + 0.5 * (2.0 * core::f64::consts::PI * 1.7 * t + 0.3).sin()).collect();
        (times, values)
    }

    #[test]
    fn the_frequency_of_a_sine_is_found_between_the_rows() {
        let (times, values) = sine(1000);
        assert!((statistic(Statistic::Frequency, &times, &values) - 1.7).abs() < 1e-3);
        assert!((statistic(Statistic::Period, &times, &values) * 1.7 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn extremes_mean_and_end_are_what_they_say() {
        let (times, values) = sine(1000);
        assert!((statistic(Statistic::Max, &times, &values) - 3.5).abs() < 1e-3);
        assert!((statistic(Statistic::Min, &times, &values) - 2.5).abs() < 1e-3);
        assert!((statistic(Statistic::Mean, &times, &values) - 3.0).abs() < 1e-2);
        assert_eq!(statistic(Statistic::Final, &times, &values), values[999]);
    }

    #[test]
    fn a_series_that_never_crosses_its_mean_twice_has_no_period() {
        assert!(statistic(Statistic::Period, &[0.0, 1.0, 2.0], &[0.0, 1.0, 2.0]).is_nan());
    }
}
