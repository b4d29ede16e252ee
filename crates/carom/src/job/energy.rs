//! Was the energy kept? By the bound that the scene has for its band, or else by `clocks.energy_tolerance`.

use carom_engine::GivenUp;
use carom_output::EnergyStatistics;
use carom_output::summary::{Decider, EnergyVerdict};
use carom_scene::Expectations;

/// What is said of the energy of a run that reached its end; `given_up` is what failed where no step was left to shorten. A method that promises
/// nothing is held to no tolerance.
pub fn judge(
    expected: &Expectations,
    energy: &EnergyStatistics,
    given_up: Option<&GivenUp>,
    keeps_the_contract: bool,
) -> EnergyVerdict {
    let off = off(expected, energy, given_up);
    let tolerance = expected.energy_tolerance.filter(|_| keeps_the_contract);
    let decided_by = match tolerance {
        _ if expected.energy_band.is_some() => Decider::Scene,
        Some(_) => Decider::Tolerance,
        None => Decider::Nobody,
    };
    // What is no number keeps nothing.
    let kept = tolerance.map_or(!off.is_nan(), |tolerance| off <= tolerance);
    EnergyVerdict { tolerance, off, kept, decided_by }
}

/// The largest error; NaN if one is no finite number.
fn off(expected: &Expectations, energy: &EnergyStatistics, given_up: Option<&GivenUp>) -> f64 {
    let given_up_j = given_up.map_or(0.0, |given_up| given_up.off_j);
    let given_up = if given_up_j == 0.0 { 0.0 } else { given_up_j / energy.scale };
    if ![energy.band, energy.drift, given_up].into_iter().all(f64::is_finite) {
        return f64::NAN;
    }
    let drift =
        if expected.energy_drift.is_none() && energy.is_drift_significant() { energy.drift } else { 0.0 };
    energy.band.max(drift.abs()).max(given_up)
}

#[cfg(test)]
mod tests {
    use carom_engine::RefinementCause;
    use carom_time::Tick;

    use super::*;

    fn energy(band: f64, drift: f64) -> EnergyStatistics {
        EnergyStatistics { band, drift, drift_stderr: 1e-4, ..EnergyStatistics::of_rest(1.0) }
    }

    fn at_most(energy_tolerance: Option<f64>) -> Expectations {
        Expectations { energy_tolerance, ..Expectations::default() }
    }

    #[test]
    fn the_tolerance_decides_where_the_scene_has_no_bound() {
        let of = |band| judge(&at_most(Some(1e-3)), &energy(band, 0.0), None, true);
        assert!(of(0.03).is_off() && !of(9e-4).is_off());
        assert_eq!((of(0.03).off, of(0.03).decided_by), (0.03, Decider::Tolerance));
        let asked = Expectations { energy_band: Some(0.1), ..at_most(Some(1e-3)) };
        let taken = judge(&asked, &energy(0.03, 0.0), None, true);
        assert!(!taken.is_off() && !taken.kept && taken.decided_by == Decider::Scene);
    }

    #[test]
    fn a_drift_counts_if_chance_does_not_explain_it_and_the_scene_has_no_bound_for_it() {
        let of = |drift, expected: &Expectations| judge(expected, &energy(1e-4, drift), None, true).off;
        let asked = Expectations { energy_drift: Some(1.0), ..at_most(Some(1e-3)) };
        assert_eq!(of(-2e-3, &at_most(Some(1e-3))), 2e-3);
        assert_eq!((of(2e-4, &at_most(Some(1e-3))), of(2e-3, &asked)), (1e-4, 1e-4));
    }

    #[test]
    fn what_a_run_gave_up_at_counts() {
        let of = |off_j, scale| {
            let given_up = GivenUp { cause: RefinementCause::AtCheck(-0.02), failed_at: Tick(9), off_j };
            let energy = EnergyStatistics { scale, ..energy(1e-4, 0.0) };
            judge(&at_most(Some(1e-3)), &energy, Some(&given_up), true).off
        };
        assert_eq!(of(0.02, 1.0), 0.02);
        assert_eq!(of(0.02, 1e4), 1e-4, "next to all that was turned over later it is nothing");
        assert!(of(f64::NAN, 1.0).is_nan());
    }

    #[test]
    fn nobody_decides_without_a_promise_or_a_tolerance_but_no_number_is_never_good() {
        for (tolerance, keeps_the_contract) in [(None, true), (Some(1e-3), false)] {
            let of = |band| judge(&at_most(tolerance), &energy(band, 0.0), None, keeps_the_contract);
            assert!(!of(0.5).is_off() && of(0.5).decided_by == Decider::Nobody);
            assert!(of(f64::NAN).is_off() && of(f64::INFINITY).is_off() && !of(f64::NAN).kept);
        }
    }
}
