//! What is kept between two checks: the moments at which the energy is read when the next one comes.

use core::ops::ControlFlow;

use carom_math::Vec3;
use carom_model::{ExternalLedger, PairId, State};
use carom_time::Tick;

use super::checks::Checks;
use crate::{InstantListener, InstantReport};

/// A run at a tick, to be read later.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moment {
    pub tick: Tick,
    pub state: State,
    pub external: ExternalLedger,
    pub pairs: Vec<PairId>,
}

/// The moments since the last check.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SinceCheck {
    /// Where contact was deepest in each part of the stretch, the earliest first.
    pub deepest: Vec<GapMinimum>,
    /// Shortly before the next check, between kicks.
    pub between_kicks: Option<Moment>,
}

impl SinceCheck {
    /// Keeps a gap minimum, instead of the last one if that was in the same part of the stretch.
    pub fn keep(&mut self, found: GapMinimum) {
        if self.deepest.last().is_some_and(|last| last.part == found.part) {
            self.deepest.pop();
        }
        self.deepest.push(found);
    }
}

/// A run where contact was deepest in a part of a stretch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GapMinimum {
    /// The number of the part since the start.
    pub part: u64,
    pub distance_m: f64,
    pub moment: Moment,
}

/// Listens on behalf of someone, and looks out for gap minima.
pub(super) struct GapMinimumListener<'a> {
    pub listener: &'a mut dyn InstantListener,
    pub checks: Checks,
    /// The last part with a gap minimum, and the deepest there, in m.
    pub deepest: Option<(u64, f64)>,
    /// Gap minima after this tick matter; none if there is no tick.
    pub from: Option<Tick>,
    /// A deeper one, or the first of its part: the part, and the distance in m.
    pub found: Option<(u64, f64)>,
    /// Whether the listener asks to pause.
    pub asks: bool,
}

impl InstantListener for GapMinimumListener<'_> {
    fn wants_kicks(&self) -> bool {
        self.listener.wants_kicks()
    }

    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        self.listener.kicked(vertex, tick, position, velocity);
    }

    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        self.asks = self.listener.after_instant(report).is_break();
        let counts = self.from.is_some_and(|from| report.tick > from);
        let part = self.checks.part_of(report.tick);
        let is_deepest =
            |m: &f64| self.deepest.is_none_or(|(last, deepest_m)| last != part || *m < deepest_m);
        self.found = report.gap_minimum_m.filter(|m| counts && is_deepest(m)).map(|m| (part, m));
        if self.asks || self.found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
