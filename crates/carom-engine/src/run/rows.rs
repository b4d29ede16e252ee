//! The rows of a run, and the deepest gap minimum between each two.
//!
//! Which minimum is deepest is known at the second of two rows, so a copy of the deepest so far is kept. And what a run with a tolerance may take back waits until it
//! is sure: a stretch between two checks may have many rows, and rows are as large as the system. So only some wait as copies, in [`MOST_BYTES`]; the tick of any more is noted, and
//! once they are sure the run goes the same way again from the check before, to the same bits.

use core::ops::ControlFlow;
use std::collections::VecDeque;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use carom_math::Vec3;
use carom_time::Tick;

use super::{Show, Snapshot, refinements_before, snapshot};
use crate::{Inspector, InstantListener, InstantReport, Method, Progress};

/// So much memory do copies take that wait, in bytes, unless a few are larger; as many again may be on their way to the observer.
const MOST_BYTES: usize = 1 << 29;

/// So many copies may wait, however large.
const FEWEST: usize = 8;

/// How many copies of a system with so many vertices may wait.
pub(super) fn most_waiting(vertices: usize) -> usize {
    let of_vertex = 2 * size_of::<Vec3>() + size_of::<Tick>();
    (MOST_BYTES / (of_vertex * vertices.max(1))).max(FEWEST)
}

/// What waits until it is sure.
enum Waiting {
    /// A copy.
    Kept(Box<Snapshot>),
    /// A tick to which the run goes again, and the number of its row.
    Again(Tick, Option<u64>),
}

/// The rows of a run, and the deepest gap minimum between each two.
pub(super) struct Rows<'a, 'b> {
    /// All ticks to observe, and the rows of those that are evenly spaced.
    planned: Vec<(Tick, Option<u64>)>,
    /// All ticks to observe that are still to come.
    ahead: VecDeque<(Tick, Option<u64>)>,
    /// What may still be taken back, each with the tick of the row that made it known.
    unconfirmed: Vec<(Tick, Waiting)>,
    /// How many copies may wait.
    most_waiting: usize,
    /// The deepest gap minimum since the last of them, in m, and the run there.
    deepest: Option<(f64, Snapshot)>,
    /// The same, where the run was last confirmed.
    confirmed_deepest: Option<(f64, Snapshot)>,
    /// A deeper one, in m, at the instant that has just happened.
    is_deeper: Option<f64>,
    /// The last tick that was shown.
    pub reached: Tick,
    show: &'a mut Show<'b>,
    /// Time spent on showing.
    pub time: Duration,
}

impl<'a, 'b> Rows<'a, 'b> {
    /// Those at the ticks `planned`; of these `most_waiting` wait as copies.
    pub fn new(planned: Vec<(Tick, Option<u64>)>, most_waiting: usize, show: &'a mut Show<'b>) -> Self {
        Self {
            ahead: planned.iter().copied().collect(),
            planned,
            unconfirmed: Vec::new(),
            most_waiting,
            deepest: None,
            confirmed_deepest: None,
            is_deeper: None,
            reached: Tick::START,
            show,
            time: Duration::ZERO,
        }
    }

    /// Lets the deepest gap minimum since the last row, if there was one, be shown, now that it is known at `tick`.
    pub fn keep_deepest(&mut self, tick: Tick) {
        if let Some((_, snapshot)) = self.deepest.take() {
            let waiting = if self.is_full() {
                Waiting::Again(snapshot.tick, None)
            } else {
                Waiting::Kept(Box::new(snapshot))
            };
            self.unconfirmed.push((tick, waiting));
        }
    }

    fn is_full(&self) -> bool {
        self.unconfirmed.len() >= self.most_waiting
    }

    /// Shows what is never taken back, up to `tick`; false ends the run.
    pub fn show_confirmed(&mut self, method: &dyn Method, tick: Tick) -> bool {
        let count = self.unconfirmed.partition_point(|(known_at, _)| *known_at <= tick);
        let mut again: Option<Box<dyn Method>> = None;
        for (_, waiting) in self.unconfirmed.drain(..count) {
            let snapshot = match waiting {
                Waiting::Kept(snapshot) => *snapshot,
                Waiting::Again(tick, row) => {
                    let again = again.get_or_insert_with(|| method.again_before(tick));
                    let progress = again.advance_to(tick, &AtomicBool::new(false));
                    assert!(
                        progress == Ok(Progress::Reached),
                        "what went well goes well again: {progress:?}"
                    );
                    let refinements = refinements_before(method, tick);
                    Snapshot { refinements, ..snapshot(again.as_ref(), tick, row) }
                }
            };
            if !(self.show)(snapshot) {
                return false;
            }
        }
        true
    }

    /// Shows the run as it is; false ends it.
    pub fn show(&mut self, snapshot: Snapshot) -> bool {
        (self.show)(snapshot)
    }
}

impl InstantListener for Rows<'_, '_> {
    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        // At the tick of a row, the row says it.
        let is_row = self.next_tick() == Some(report.tick);
        let is_deeper =
            |distance_m: &f64| self.deepest.as_ref().is_none_or(|(so_far, _)| distance_m < so_far);
        self.is_deeper = report.gap_minimum_m.filter(|_| !is_row).filter(is_deeper);
        if self.is_deeper.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Inspector for Rows<'_, '_> {
    fn next_tick(&self) -> Option<Tick> {
        self.ahead.front().map(|(tick, _)| *tick)
    }

    fn inspect(&mut self, method: &dyn Method, tick: Tick) -> ControlFlow<()> {
        let started = Instant::now();
        let planned = self.ahead.pop_front_if(|(next, _)| *next == tick);
        let confirmed = method.confirmed_until();
        let is_sure = confirmed.is_some_and(|until| tick <= until);
        if let Some((_, row)) = planned {
            self.reached = tick;
            self.keep_deepest(tick);
            let waiting = if self.is_full() && !is_sure {
                Waiting::Again(tick, row)
            } else {
                Waiting::Kept(Box::new(snapshot(method, tick, row)))
            };
            self.unconfirmed.push((tick, waiting));
            if is_sure {
                self.confirmed_deepest = None;
            }
        } else if let Some(distance_m) = self.is_deeper.take() {
            self.deepest = Some((distance_m, snapshot(method, tick, None)));
        }
        let goes_on = confirmed.is_none_or(|until| self.show_confirmed(method, until));
        self.time += started.elapsed();
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn confirmed(&mut self, method: &dyn Method, tick: Tick) -> ControlFlow<()> {
        let started = Instant::now();
        self.confirmed_deepest.clone_from(&self.deepest);
        let goes_on = self.show_confirmed(method, tick);
        self.time += started.elapsed();
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn went_back(&mut self, confirmed: Option<Tick>) {
        self.unconfirmed.clear();
        self.deepest.clone_from(&self.confirmed_deepest);
        self.reached = self.reached.min(confirmed.unwrap_or(Tick::START));
        let is_ahead = |tick: Tick| confirmed.is_none_or(|until| tick > until);
        self.ahead = self.planned.iter().copied().filter(|(tick, _)| is_ahead(*tick)).collect();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use carom_elastic::Spring;
    use carom_model::{ClockOptions, Owner, Part, System, SystemBuilder};

    use super::*;
    use crate::{EnergyController, EnergyTolerance, MethodKind, drive};

    #[test]
    fn between_two_rows_there_is_at_most_one_more_where_contact_was_deepest() {
        let mut builder = SystemBuilder::new();
        builder.body("point");
        builder.vertex(Vec3::ZERO, Vec3::X, 1.0);
        let (system, state) = builder.build(&ClockOptions::default()).unwrap();
        let method = MethodKind::Carom.start(&Arc::new(system), state);
        let mut shown = Vec::new();
        let mut show = |snapshot: Snapshot| {
            shown.push((snapshot.tick.0, snapshot.row));
            true
        };
        let planned = (1..4).map(|row| (Tick(100 * row), Some(row)));
        let mut rows = Rows::new(planned.collect(), 99, &mut show);
        let mut minimum = |tick: u64, gap_minimum_m: Option<f64>| {
            let report = InstantReport { tick: Tick(tick), nearest_push_m: 9.0, gap_minimum_m };
            let asks = rows.after_instant(&report).is_break();
            if asks || tick.is_multiple_of(100) {
                assert!(rows.inspect(method.as_ref(), Tick(tick)).is_continue());
            }
        };
        for (tick, metres) in [(10, 4.0), (20, 3.0), (30, 2.0), (40, 2.0), (50, 2.5), (100, 1.0), (110, 8.0)]
        {
            minimum(tick, Some(metres));
        }
        minimum(120, None);
        minimum(200, None);
        minimum(250, None);
        minimum(300, None);
        assert_eq!(shown, [(30, None), (100, Some(1)), (110, None), (200, Some(2)), (300, Some(3))]);
    }

    /// A swing of two masses whose energy is held to a tolerance that its steps miss at first, shown in 300 rows of which so many wait as copies: tick, row, state and reading of
    /// each, with how often steps were shortened before it, and how often they were in all.
    fn shown(most_waiting: usize, end_s: f64) -> (Vec<String>, usize) {
        let mut builder = SystemBuilder::new();
        let body = builder.body("masses");
        let ends = [Vec3::ZERO, Vec3::X * 1.3].map(|x| builder.vertex(x, Vec3::ZERO, 1.0));
        builder.add(
            Spring { stiffness: 40.0, rest_length: 1.0 },
            ends,
            Owner { body, part: Part::Edge(0) },
            1.0,
        );
        let (system, state) = builder.build(&ClockOptions::default()).unwrap();
        let tolerance = EnergyTolerance { relative: 2e-3, contact_step_is_given: false };
        let system: Arc<System> = Arc::new(system);
        let on = (MethodKind::Carom, 1.into());
        let mut method = EnergyController::start(on, &system, state, tolerance);
        let end = system.line.tick_at(end_s).unwrap();
        let mut shown = Vec::new();
        let mut show = |seen: Snapshot| {
            let fingerprint = seen.state.fingerprint();
            shown.push(format!(
                "{} {:?} {fingerprint} {:?} {:?} {}",
                seen.tick.0, seen.row, seen.external, seen.evaluations, seen.refinements
            ));
            true
        };
        let planned = (0..=300).map(|row| (Tick(end.0 * row / 300), Some(row)));
        let mut rows = Rows::new(planned.collect(), most_waiting, &mut show);
        let progress = drive(method.as_mut(), end, &AtomicBool::new(false), &mut [&mut rows]);
        assert_eq!(progress, Ok(Progress::Reached));
        assert!(
            rows.unconfirmed.iter().filter(|(_, w)| matches!(w, Waiting::Kept(_))).count() <= most_waiting
        );
        rows.show_confirmed(method.as_ref(), Tick::LAST);
        (shown, method.summary().refinements.len())
    }

    #[test]
    fn what_does_not_wait_as_a_copy_is_shown_with_the_same_bits() {
        for end_s in [1.0, 30.0] {
            let (all, refinements) = shown(usize::MAX, end_s);
            assert_eq!(all.len(), 301);
            let counted = |row: &String| row.rsplit(' ').next().unwrap().parse::<usize>().unwrap();
            assert!(all.iter().map(counted).is_sorted() && counted(&all[0]) == 0);
            assert_eq!(counted(&all[300]), refinements);
            assert!(end_s < 2.0 || refinements > 0, "the tolerance is exceeded at first");
            for most_waiting in [1, 8] {
                assert_eq!(
                    shown(most_waiting, end_s),
                    (all.clone(), refinements),
                    "{most_waiting} copies, {end_s} s"
                );
            }
        }
    }

    #[test]
    fn copies_that_wait_take_half_a_gigabyte_at_most_or_are_eight() {
        assert_eq!(most_waiting(1_000_000_000), 8);
        let many = most_waiting(100_000);
        assert!((75..125).contains(&many), "{many}");
    }
}
