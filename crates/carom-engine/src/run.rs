//! Driving a method from tick 0 to the end, with people looking.
//!
//! Observers see readings at evenly spaced ticks. They get references: looking changes nothing,
//! and a run without observers ends in the same bits.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use carom_model::{Fault, State};
use carom_time::Tick;

use crate::{Method, Progress, Reader, Reading};

/// When to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The last tick.
    pub end: Tick,
    /// How many evenly spaced rows after the first.
    pub rows: u64,
}

impl Plan {
    /// The tick of row `row`, counted from 0.
    #[must_use]
    pub fn tick_of_row(&self, row: u64) -> Tick {
        Tick((u128::from(self.end.0) * u128::from(row) / u128::from(self.rows.max(1))) as u64)
    }
}

/// Someone who looks at a run.
pub trait Observer {
    /// Called at every row, with its number; an error ends the run.
    fn look(&mut self, row: u64, reading: &Reading, method: &dyn Method) -> std::io::Result<()>;
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// The last tick up to which every instant happened.
    pub reached: Tick,
    /// The state then.
    pub state: State,
    /// Set if the run could not go on.
    pub fault: Option<Fault>,
    /// Whether it was asked to stop before the end.
    pub interrupted: bool,
    /// Time spent integrating.
    pub integrating: Duration,
    /// Time spent reading and in observers.
    pub looking: Duration,
}

/// Runs `method` as planned. `stop` may be raised from another thread.
pub fn run(
    method: &mut dyn Method,
    reader: &Reader,
    plan: &Plan,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> std::io::Result<Outcome> {
    let mut outcome = Outcome {
        reached: Tick::START,
        state: method.state(),
        fault: None,
        interrupted: false,
        integrating: Duration::ZERO,
        looking: Duration::ZERO,
    };
    for row in 0..=plan.rows {
        let tick = plan.tick_of_row(row);
        let started = Instant::now();
        let progress = method.advance_to(tick, stop);
        outcome.integrating += started.elapsed();
        match progress {
            Ok(Progress::Reached) => outcome.reached = tick,
            Ok(Progress::Stopped(at)) => {
                outcome.reached = at;
                outcome.interrupted = true;
            }
            Err(fault) => {
                outcome.fault = Some(fault);
                break;
            }
        }
        let started = Instant::now();
        let reading = reader.read(&method.state(), &method.books(), outcome.reached);
        observer.look(row, &reading, method)?;
        outcome.looking += started.elapsed();
        if outcome.interrupted {
            break;
        }
    }
    outcome.state = method.state();
    Ok(outcome)
}
