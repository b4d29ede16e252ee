//! The moment of a run at which the checks begin: where many pairs are inside layers.
//!
//! The run is examined at intervals, at common multiples of all clocks where there are such. There the synchronised velocities with a
//! half kick are the velocities of the run, so a run that starts anew from them continues the old one.

use std::sync::Arc;

use carom_engine::{Method, Reader};
use carom_model::{State, System};
use carom_time::Tick;

use crate::clocks::{common_period, slowest};
use crate::pairs::Pairs;
use crate::report::{Measurement, NoMeasurement, Property};
use crate::{NEVER, Options};

/// Number of pairs inside layers that is enough.
const ENOUGH: usize = 20;

/// The search ends with so many: some may leave while the checks last.
const PLENTY: usize = 2 * ENOUGH;

/// Largest number of times at which the run is examined.
const LOOKS: u64 = 1024;

/// The search gives up after so many evaluations: less than a minute.
const MOST_EVALUATIONS: u64 = 500_000_000;

pub(crate) fn claim() -> Property {
    Property {
        name: "contact where the checks begin",
        what: "At least 20 pairs are inside layers.",
        bound: 0.0,
    }
}

/// A moment of a run.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// State to start the checks from, at tick 0.
    pub state: State,
    time_s: f64,
    pairs: usize,
    searched_s: f64,
}

impl Moment {
    /// The first moment of the run from `state` with [`PLENTY`] of pairs inside layers, or the richest.
    pub fn richest(system: &Arc<System>, state: &State, options: &Options) -> Self {
        let mut best = Self { state: state.clone(), time_s: 0.0, pairs: 0, searched_s: 0.0 };
        let (Some(pairs), Ok(slowest)) = (Pairs::new(system), slowest(system)) else { return best };
        let period = common_period(system).unwrap_or(slowest).quanta();
        let stride = options.until.0.div_ceil(LOOKS).div_ceil(period).max(1) * period;
        let mut method = options.launch(system, state);
        let reader = Reader::new(system);
        let mut tick = Tick::START;
        while method.advance_to(tick, &NEVER).is_ok() {
            let found = inside(&pairs, method.as_ref(), tick);
            best.searched_s = system.line.quantum.time(tick);
            if found > best.pairs {
                let time_s = best.searched_s;
                let state = if tick == Tick::START {
                    state.clone()
                } else {
                    let read = reader.read(&method.state(), &method.external(), &method.pairs(), tick);
                    State::new(read.positions, read.velocities, system.line.quantum)
                };
                best = Self { state, time_s, pairs: found, searched_s: time_s };
            }
            let is_past = best.pairs >= ENOUGH && found < best.pairs;
            let evaluations: u64 = method.summary().evaluations.iter().sum();
            tick = Tick(tick.0 + stride);
            if best.pairs >= PLENTY || is_past || evaluations > MOST_EVALUATIONS || tick > options.until {
                break;
            }
        }
        best
    }

    pub fn found(&self, system: &System) -> Result<Measurement, NoMeasurement> {
        if system.contact.is_none() {
            return Err(NoMeasurement::Skipped("nothing can touch".into()));
        }
        let Self { time_s, pairs, searched_s, .. } = self;
        if *pairs < ENOUGH {
            return Err(NoMeasurement::Skipped(format!(
                "{pairs} pairs at most in the first {searched_s:.3e} s; the checks begin at {time_s:.3e} s"
            )));
        }
        let details = vec![format!("{pairs} pairs are, at {time_s:.3e} s: the checks begin there")];
        Ok(Measurement { residual: 0.0, details })
    }
}

/// Number of pairs inside layers.
fn inside(pairs: &Pairs, method: &dyn Method, tick: Tick) -> usize {
    let state = method.state();
    let is_inside = |id: &carom_model::PairId| pairs.depth(*id, |v| state.position_at(v as usize, tick)) > 0;
    method.pairs().iter().filter(|id| is_inside(id)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::end_of_periods;
    use crate::impact::{KINDS, THICKNESS, sheets};
    use carom_model::LayerFamily;

    fn searching(system: &System) -> Options {
        let until = end_of_periods(system, slowest(system).unwrap(), 64);
        Options { until, ..Options::default() }
    }

    #[test]
    fn the_checks_begin_where_many_pairs_are_inside_layers() {
        for kind in KINDS {
            let (system, state) = sheets(kind, 1.2 * THICKNESS);
            let moment = Moment::richest(&system, &state, &searching(&system));
            assert!(moment.pairs >= ENOUGH && moment.time_s > 0.0, "{kind:?} {moment:?}");
            assert!(moment.found(&system).is_ok());
        }
    }

    #[test]
    fn a_run_that_starts_anew_at_the_moment_goes_on_as_the_old_one() {
        let (system, state) = sheets(KINDS[0], 1.2 * THICKNESS);
        let options = searching(&system);
        let moment = Moment::richest(&system, &state, &options);
        let begins = Tick((moment.time_s / system.line.quantum.seconds()).round() as u64);
        let [mut old, mut new] = [&state, &moment.state].map(|state| options.launch(&system, state));
        let later = end_of_periods(&system, slowest(&system).unwrap(), 2);
        old.advance_to(Tick(begins.0 + later.0), &NEVER).unwrap();
        new.advance_to(later, &NEVER).unwrap();
        for v in 0..state.len() {
            let [was, is] =
                [old.state().position_at(v, Tick(begins.0 + later.0)), new.state().position_at(v, later)];
            assert!((was - is).length() < 1e-13, "{was:?} {is:?}");
        }
    }

    #[test]
    fn where_few_pairs_meet_the_report_says_so() {
        let (system, state) = sheets((LayerFamily::Window, carom_time::Clocks::Dyadic), 5.0 * THICKNESS);
        let found = Moment::richest(&system, &state, &Options::default()).found(&system);
        assert!(matches!(found, Err(NoMeasurement::Skipped(why)) if why.starts_with("0 pairs at most")));
    }
}
