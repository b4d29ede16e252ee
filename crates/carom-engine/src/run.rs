//! Driving a method from tick 0 to the end, with an observer.
//!
//! Observers see readings at evenly spaced ticks, closer together in a zoom, and wherever contact was deepest between
//! two of these. What they get was copied: looking changes nothing,
//! and a run without observers ends in the same bits. With more than one thread, reading and
//! writing happen beside the integration.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use carom_contact::Touch;
use carom_model::{ExternalLedger, Fault, PairId, State};
use carom_time::Tick;

use crate::{Method, Progress, Reader, Reading};

/// How many rows the integration may be ahead of the observer.
const ROWS_AHEAD: usize = 8;

/// When an observer is shown the run, and with how many threads it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The last tick.
    pub end: Tick,
    /// How many evenly spaced rows after the first.
    pub rows: u64,
    /// A part of the run that is observed more often.
    pub zoom: Option<Zoom>,
    /// With two or more, the observer works while the integration goes on.
    pub threads: usize,
}

/// A part of the run that is observed more often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zoom {
    /// The first tick of the part.
    pub from: Tick,
    /// The last tick of the part.
    pub to: Tick,
    /// How many evenly spaced rows after the first.
    pub rows: u64,
}

impl Plan {
    /// The tick of row `row`, counted from 0.
    #[must_use]
    pub fn tick_of_row(&self, row: u64) -> Tick {
        evenly(Tick::START, self.end, self.rows, row)
    }

    /// All ticks to observe in their order, and the rows of those that are evenly spaced.
    fn observed_ticks(&self) -> Vec<(Tick, Option<u64>)> {
        let rows = (0..=self.rows).map(|row| (self.tick_of_row(row), Some(row)));
        let closely = self.zoom.iter().flat_map(|z| (0..=z.rows).map(|k| evenly(z.from, z.to, z.rows, k)));
        let mut ticks: Vec<_> = rows.chain(closely.map(|tick| (tick, None))).collect();
        ticks.retain(|(tick, _)| *tick <= self.end);
        // Of two at one tick, the evenly spaced one stays.
        ticks.sort_unstable_by_key(|(tick, row)| (*tick, row.is_none(), *row));
        ticks.dedup_by(|later, earlier| later.0 == earlier.0 && later.1.is_none());
        ticks
    }
}

fn evenly(from: Tick, to: Tick, rows: u64, row: u64) -> Tick {
    let way = u128::from(to.0 - from.0) * u128::from(row) / u128::from(rows.max(1));
    Tick(from.0 + way as u64)
}

/// A run at one tick.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Number of the row, among those that are evenly spaced.
    pub row: Option<u64>,
    /// Every instant up to this tick has happened.
    pub tick: Tick,
    /// Position, velocity and tick of the last kick of every vertex.
    pub state: State,
    /// The impulses from outside so far.
    pub external: ExternalLedger,
    /// Pairs that may store contact energy.
    pub pairs: Vec<PairId>,
    /// Gradients computed so far, by kind.
    pub evaluations: Vec<u64>,
    /// Bodies that touched so far.
    pub touches: Vec<Touch>,
    /// Whether the run ends here, before its time.
    pub is_end: bool,
}

/// Someone who is shown a run.
pub trait Observer {
    /// Called at every row; an error ends the run.
    fn observe(&mut self, snapshot: &Snapshot, reading: &Reading) -> std::io::Result<()>;
}

/// How a run ended.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The last tick up to which every instant happened.
    pub reached: Tick,
    /// Set if the run could not go on.
    pub fault: Option<Fault>,
    /// Whether the run was asked to stop before the end.
    pub interrupted: bool,
    /// Time spent integrating.
    pub integrating: Duration,
    /// Time spent reading and in observers.
    pub observer_time: Duration,
}

/// Runs `method` as planned. `stop` may be raised from another thread.
pub fn run(
    method: &mut dyn Method,
    reader: &Reader,
    plan: &Plan,
    observer: &mut (dyn Observer + Send),
    stop: &AtomicBool,
) -> std::io::Result<Outcome> {
    let mut observer_time = Duration::ZERO;
    let mut show = |snapshot: Snapshot| {
        let started = Instant::now();
        let reading = reader.read(&snapshot.state, &snapshot.external, &snapshot.pairs, snapshot.tick);
        let observed = observer.observe(&snapshot, &reading);
        observer_time += started.elapsed();
        observed
    };
    let mut outcome = if plan.threads < 2 {
        let mut result = Ok(());
        let outcome = integrate(method, plan, stop, |snapshot| {
            result = show(snapshot);
            result.is_ok()
        });
        result.map(|()| outcome)
    } else {
        std::thread::scope(|scope| {
            let (send, receive) = sync_channel(ROWS_AHEAD);
            let showing = scope.spawn(move || receive.into_iter().try_for_each(&mut show));
            let outcome = integrate(method, plan, stop, |snapshot| send.send(snapshot).is_ok());
            drop(send);
            showing.join().expect("observers report errors, they do not panic").map(|()| outcome)
        })
    }?;
    outcome.observer_time = observer_time;
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
    let mut ticks = plan.observed_ticks().into_iter().peekable();
    let mut deepest = f64::INFINITY;
    while let Some(&(tick, mut row)) = ticks.peek() {
        let started = Instant::now();
        let progress = method.advance(tick, stop, None);
        outcome.integrating += started.elapsed();
        match progress {
            Ok(Progress::Reached) => {
                outcome.reached = tick;
                deepest = f64::INFINITY;
                ticks.next();
            }
            // At the tick of a row, the row says it.
            Ok(Progress::GapMinimum { tick: at, distance }) if at == tick || distance >= deepest => continue,
            Ok(Progress::GapMinimum { tick: at, distance }) => {
                deepest = distance;
                outcome.reached = at;
                row = None;
            }
            Ok(Progress::Stopped(at)) => {
                outcome.reached = at;
                outcome.interrupted = true;
                row = None;
            }
            Err(fault) => {
                // What has no finite state cannot be shown.
                let shown = fault.last_tick();
                outcome.fault = Some(fault);
                let Some(at) = shown else { break };
                outcome.reached = at;
                row = None;
            }
        }
        let snapshot = Snapshot {
            row,
            tick: outcome.reached,
            state: method.state(),
            external: method.external(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zoom_adds_looks_between_the_rows_and_takes_none_away() {
        let plan = Plan { end: Tick(100), rows: 4, zoom: None, threads: 1 };
        let zoom = Zoom { from: Tick(50), to: Tick(60), rows: 2 };
        let row = |tick, row| (Tick(tick), Some(row));
        let rows = [row(0, 0), row(25, 1), row(50, 2), row(75, 3), row(100, 4)];
        assert_eq!(plan.observed_ticks(), rows);
        let ticks = Plan { zoom: Some(zoom), ..plan }.observed_ticks();
        assert_eq!(ticks, [rows[0], rows[1], rows[2], (Tick(55), None), (Tick(60), None), rows[3], rows[4]]);
        let beyond = Zoom { from: Tick(90), to: Tick(110), rows: 2 };
        assert_eq!(
            Plan { zoom: Some(beyond), ..plan }.observed_ticks().len(),
            6,
            "what is after the end is not observed"
        );
    }
}
