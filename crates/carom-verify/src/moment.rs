//! The moment of a run at which the checks begin: where many pairs are inside layers.
//!
//! The run is looked at now and then, at common multiples of all clocks where there are such. There the synchronised velocities with a
//! half kick are the velocities of the run, so a run that starts anew from them goes on as the old one did.

use std::sync::Arc;

use carom_engine::{Method, Reader};
use carom_model::{State, System};
use carom_time::Tick;

use crate::clocks::{common_period, slowest};
use crate::pairs::Pairs;
use crate::report::{Claim, Found, Unfound};
use crate::{NEVER, Options};

/// So many pairs inside layers are enough.
const ENOUGH: usize = 20;

/// The search ends with so many: some may leave while the checks last.
const PLENTY: usize = 2 * ENOUGH;

/// How often the run is looked at, at most.
const LOOKS: u64 = 1024;

/// The search gives up after so many evaluations: less than a minute.
const MOST_EVALUATIONS: u64 = 500_000_000;

pub(crate) fn claim() -> Claim {
    Claim {
        name: "contact where the checks begin",
        what: "At least 20 pairs are inside layers.",
        bound: 0.0,
    }
}

/// A moment of a run.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    /// To start from, at tick 0.
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
                    let read = reader.read(&method.state(), &method.books(), &method.pairs(), tick);
                    State::new(read.positions, read.velocities, system.line.quantum)
                };
                best = Self { state, time_s, pairs: found, searched_s: time_s };
            }
            let is_past = best.pairs >= ENOUGH && found < best.pairs;
            let evaluations: u64 = method.evaluations().iter().sum();
            tick = Tick(tick.0 + stride);
            if best.pairs >= PLENTY || is_past || evaluations > MOST_EVALUATIONS || tick > options.until {
                break;
            }
        }
        best
    }

    pub fn found(&self, system: &System) -> Result<Found, Unfound> {
        if system.contact.is_none() {
            return Err(Unfound::Skipped("nothing can touch".into()));
        }
        let Self { time_s, pairs, searched_s, .. } = self;
        if *pairs < ENOUGH {
            return Err(Unfound::Skipped(format!(
                "{pairs} pairs at most in the first {searched_s:.3e} s; the checks begin at {time_s:.3e} s"
            )));
        }
        let details = vec![format!("{pairs} pairs are, at {time_s:.3e} s: the checks begin there")];
        Ok(Found { residual: 0.0, details })
    }
}

/// How many pairs are inside layers.
fn inside(pairs: &Pairs, method: &dyn Method, tick: Tick) -> usize {
    let state = method.state();
    let is_inside = |id: &carom_model::PairId| pairs.depth(*id, |v| state.position_at(v as usize, tick)) > 0;
    method.pairs().iter().filter(|id| is_inside(id)).count()
}
