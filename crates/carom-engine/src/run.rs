//! Driving a method to the end, with an observer.
//!
//! Observers see readings at evenly spaced ticks, closer together in a zoom, and between two of these at most one more: where contact was
//! deepest. What a run with a tolerance may take back is shown once it is sure (`rows`). What they get was copied: looking changes nothing,
//! and a run without observers ends in the same bits. With more than one thread, reading and
//! writing happen beside the integration.

mod rows;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use carom_contact::Touch;
use carom_model::{ExternalLedger, Fault, PairId, State, System};
use carom_time::Tick;

use crate::{Inspector, Method, Progress, Reader, Reading, drive};
use rows::{Rows, most_waiting};

/// How many rows the integration may be ahead of the observer, at most: many are confirmed at once.
const MOST_ROWS_AHEAD: usize = 1024;

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
    #[must_use]
    pub fn observed_ticks(&self) -> Vec<(Tick, Option<u64>)> {
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
#[derive(Clone)]
pub struct Snapshot {
    /// Number of the row, among those that are evenly spaced.
    pub row: Option<u64>,
    /// Every instant up to this tick has happened.
    pub tick: Tick,
    /// The system, with the steps it had then.
    pub system: Arc<System>,
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
    /// How often steps were shortened before this tick.
    pub refinements: u64,
    /// Whether the run ends here, before its time.
    pub is_end: bool,
}

/// Someone who is shown a run, row by row: a table that is written, a plot that grows. The run waits until it returns, or until it is some rows behind.
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
    run_inspected((method, &mut []), reader, plan, observer, stop)
}

/// Runs `method` as planned, with inspectors that go along.
pub fn run_inspected(
    (method, inspectors): (&mut dyn Method, &mut [&mut dyn Inspector]),
    reader: &Reader,
    plan: &Plan,
    observer: &mut (dyn Observer + Send),
    stop: &AtomicBool,
) -> std::io::Result<Outcome> {
    let mut observer_time = Duration::ZERO;
    let has_failed = AtomicBool::new(false);
    let mut of_other_steps: Option<Reader> = None;
    let mut show = |snapshot: Snapshot| {
        let started = Instant::now();
        let reads = |reader: &Reader| Arc::ptr_eq(reader.system(), &snapshot.system);
        let reader = if reads(reader) {
            reader
        } else {
            match of_other_steps.take().filter(reads) {
                Some(fitting) => of_other_steps.insert(fitting),
                None => of_other_steps.insert(Reader::new(&snapshot.system)),
            }
        };
        let reading = reader.read(&snapshot.state, &snapshot.external, &snapshot.pairs, snapshot.tick);
        let observed = observer.observe(&snapshot, &reading);
        observer_time += started.elapsed();
        observed
    };
    let mut outcome = if plan.threads < 2 {
        let mut result = Ok(());
        let mut show = |snapshot: Snapshot| {
            if result.is_ok() {
                result = show(snapshot);
            }
            has_failed.store(result.is_err(), Ordering::Relaxed);
            result.is_ok()
        };
        let outcome = integrate(method, inspectors, plan, (stop, &has_failed), &mut show);
        result.map(|()| outcome)
    } else {
        std::thread::scope(|scope| {
            let (send, receive) = sync_channel(most_waiting(method.state().len()).min(MOST_ROWS_AHEAD));
            let showing = scope.spawn(move || receive.into_iter().try_for_each(&mut show));
            let mut hand_over = |snapshot: Snapshot| {
                let is_taken = send.send(snapshot).is_ok();
                has_failed.store(!is_taken, Ordering::Relaxed);
                is_taken
            };
            let outcome = integrate(method, inspectors, plan, (stop, &has_failed), &mut hand_over);
            drop(send);
            showing.join().expect("observers report errors, they do not panic").map(|()| outcome)
        })
    }?;
    outcome.observer_time = observer_time;
    Ok(outcome)
}

/// Takes a snapshot and hands it on; false ends the run.
type Show<'a> = dyn FnMut(Snapshot) -> bool + Send + 'a;

/// Advances to the last row and hands every row to `show`.
fn integrate(
    method: &mut dyn Method,
    inspectors: &mut [&mut dyn Inspector],
    plan: &Plan,
    (stop, has_failed): (&AtomicBool, &AtomicBool),
    show: &mut Show<'_>,
) -> Outcome {
    let mut ticks = plan.observed_ticks();
    // What is past cannot be shown any more.
    ticks.retain(|(tick, _)| *tick >= method.tick());
    let end = ticks.last().map_or(method.tick(), |(tick, _)| *tick);
    let mut rows = Rows::new(ticks, most_waiting(method.state().len()), show);
    let mut everyone: Vec<&mut dyn Inspector> = vec![&mut rows];
    everyone.extend(inspectors.iter_mut().map(|inspector| &mut **inspector as &mut dyn Inspector));
    let started = Instant::now();
    let progress = drive_and_confirm(method, end, (stop, has_failed), &mut everyone);
    let elapsed = started.elapsed();
    let mut outcome = Outcome {
        reached: match &progress {
            Ok(Progress::Paused(at) | Progress::Stopped(at)) => *at,
            Ok(_) => end,
            Err(_) => rows.reached,
        },
        integrating: elapsed.saturating_sub(rows.time),
        interrupted: matches!(progress, Ok(Progress::Stopped(_))),
        ..Outcome::default()
    };
    let ends_early_at = match progress {
        Ok(Progress::Stopped(at)) => {
            rows.keep_deepest(at);
            Some(at)
        }
        Ok(_) => None,
        Err(fault) => {
            rows.keep_deepest(fault.tick());
            // What has no finite state cannot be shown.
            let shown = fault.last_tick();
            outcome.fault = Some(fault);
            shown
        }
    };
    rows.show_confirmed(method, Tick::LAST);
    if let Some(at) = ends_early_at {
        outcome.reached = at;
        rows.show(Snapshot { is_end: true, ..snapshot(method, at, None) });
    }
    outcome
}

/// Drives a method to `end`, and on until nothing up to there is taken back.
fn drive_and_confirm(
    method: &mut dyn Method,
    end: Tick,
    (stop, has_failed): (&AtomicBool, &AtomicBool),
    inspectors: &mut [&mut dyn Inspector],
) -> Result<Progress, Fault> {
    loop {
        let progress = drive(method, end, stop, inspectors)?;
        // Whoever does not want to see more does not care what is taken back.
        if matches!(progress, Progress::Stopped(_)) || has_failed.load(Ordering::Relaxed) {
            return Ok(progress);
        }
        match method.confirm(method.tick(), stop)? {
            Progress::WentBack(to) => inspectors.iter_mut().for_each(|inspector| inspector.went_back(to)),
            Progress::Stopped(at) => return Ok(Progress::Stopped(at)),
            _ => return Ok(progress),
        }
    }
}

/// A run as it is at `tick`.
fn snapshot(method: &dyn Method, tick: Tick, row: Option<u64>) -> Snapshot {
    Snapshot {
        row,
        tick,
        system: Arc::clone(method.system()),
        state: method.state(),
        external: method.external(),
        pairs: method.pairs(),
        evaluations: method.summary().evaluations,
        touches: method.touches(tick),
        refinements: refinements_before(method, tick),
        is_end: false,
    }
}

/// How often steps were shortened before `tick`. What comes later never changes that: a run goes back to where it is confirmed, and what is shown is not after that.
fn refinements_before(method: &dyn Method, tick: Tick) -> u64 {
    method.refinements().iter().filter(|refinement| refinement.from < tick).count() as u64
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
