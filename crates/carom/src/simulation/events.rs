//! What an advance can wait for.

use core::ops::ControlFlow;

use carom_engine::{Inspector, InstantListener, InstantReport, Method};
use carom_time::Tick;

/// What [`Simulation::advance_until`](crate::Simulation::advance_until) can wait for. A Fault ends any advance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The next instant, whatever fires there.
    Instant,
    /// The next instant at which a pair pushes: things touch.
    Touch,
    /// The next instant after which the nearest pair moves apart again.
    DeepestApproach,
    /// The next row that the scene asks for.
    Row,
}

/// Ends an advance where an event happens.
pub(super) struct Awaited {
    event: Event,
    next_row: Option<Tick>,
    has_happened: bool,
}

impl Awaited {
    /// Waits for an event; the next row is at `next_row`.
    pub fn new(event: Event, next_row: Option<Tick>) -> Self {
        Self { event, next_row: next_row.filter(|_| event == Event::Row), has_happened: false }
    }

    /// Whether the event has happened.
    pub fn has_happened(&self) -> bool {
        self.has_happened
    }
}

impl InstantListener for Awaited {
    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        let happens = match self.event {
            Event::Instant => true,
            Event::Touch => report.nearest_push_m.is_finite(),
            Event::DeepestApproach => report.gap_minimum_m.is_some(),
            Event::Row => false,
        };
        if happens { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Inspector for Awaited {
    fn next_tick(&self) -> Option<Tick> {
        self.next_row.filter(|_| !self.has_happened)
    }

    fn inspect(&mut self, _: &dyn Method, _: Tick) -> ControlFlow<()> {
        self.has_happened = true;
        ControlFlow::Break(())
    }
}
