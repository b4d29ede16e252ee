//! Driving a method from tick 0 to the end, with people looking.
//!
//! Observers see readings at evenly spaced ticks. What they get was copied: looking changes nothing,
//! and a run without observers ends in the same bits. With more than one thread, reading and
//! writing happen beside the integration.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use carom_contact::Touch;
use carom_model::{Books, Fault, PairId, State};
use carom_time::Tick;

use crate::{Method, Progress, Reader, Reading};

/// How many rows the integration may be ahead of whoever looks.
const ROWS_AHEAD: usize = 8;

/// When to look, and with how many threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The last tick.
    pub end: Tick,
    /// How many evenly spaced rows after the first.
    pub rows: u64,
    /// With two or more, observers look while the integration goes on.
    pub threads: usize,
}

impl Plan {
    /// The tick of row `row`, counted from 0.
    #[must_use]
    pub fn tick_of_row(&self, row: u64) -> Tick {
        Tick((u128::from(self.end.0) * u128::from(row) / u128::from(self.rows.max(1))) as u64)
    }
}

/// A run at one tick.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Number of the row.
    pub row: u64,
    /// Every instant up to this tick has happened.
    pub tick: Tick,
    /// Position, velocity and tick of the last kick of every vertex.
    pub state: State,
    /// The impulses from outside so far.
    pub books: Books,
    /// Pairs that may store contact energy.
    pub pairs: Vec<PairId>,
    /// Gradients computed so far, by kind.
    pub evaluations: Vec<u64>,
    /// Bodies that touched so far.
    pub touches: Vec<Touch>,
    /// Whether the run ends here, before its time.
    pub is_end: bool,
}

/// Someone who looks at a run.
pub trait Observer {
    /// Called at every row; an error ends the run.
    fn look(&mut self, snapshot: &Snapshot, reading: &Reading) -> std::io::Result<()>;
}

/// How a run ended.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The last tick up to which every instant happened.
    pub reached: Tick,
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
    observer: &mut (dyn Observer + Send),
    stop: &AtomicBool,
) -> std::io::Result<Outcome> {
    let mut looking = Duration::ZERO;
    let mut look = |snapshot: Snapshot| {
        let started = Instant::now();
        let reading = reader.read(&snapshot.state, &snapshot.books, &snapshot.pairs, snapshot.tick);
        let looked = observer.look(&snapshot, &reading);
        looking += started.elapsed();
        looked
    };
    let mut outcome = if plan.threads < 2 {
        let mut result = Ok(());
        let outcome = integrate(method, plan, stop, |snapshot| {
            result = look(snapshot);
            result.is_ok()
        });
        result.map(|()| outcome)
    } else {
        std::thread::scope(|scope| {
            let (send, receive) = sync_channel(ROWS_AHEAD);
            let looker = scope.spawn(move || receive.into_iter().try_for_each(&mut look));
            let outcome = integrate(method, plan, stop, |snapshot| send.send(snapshot).is_ok());
            drop(send);
            looker.join().expect("observers report errors, they do not panic").map(|()| outcome)
        })
    }?;
    outcome.looking = looking;
    Ok(outcome)
}

/// Advances row by row and hands each to `show`, until it returns false.
fn integrate(
    method: &mut dyn Method,
    plan: &Plan,
    stop: &AtomicBool,
    mut show: impl FnMut(Snapshot) -> bool,
) -> Outcome {
    let mut outcome = Outcome::default();
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
                // What has no finite state cannot be shown.
                let shown = fault.last_tick();
                outcome.fault = Some(fault);
                let Some(at) = shown else { break };
                outcome.reached = at;
            }
        }
        let snapshot = Snapshot {
            row,
            tick: outcome.reached,
            state: method.state(),
            books: method.books(),
            pairs: method.pairs(),
            evaluations: method.evaluations().to_vec(),
            touches: method.touches(),
            is_end: outcome.interrupted || outcome.fault.is_some(),
        };
        let ends = snapshot.is_end;
        if !show(snapshot) || ends {
            break;
        }
    }
    outcome
}
