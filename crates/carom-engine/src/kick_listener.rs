//! Someone who is told of every kick.
//!
//! An [`Observer`](crate::Observer) is shown a run now and then; a kick listener hears of every straight piece of every vertex's
//! motion. A run without one pays a comparison an instant.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use carom_contact::Touch;
use carom_math::Vec3;
use carom_model::{ExternalLedger, Fault, PairId, State};
use carom_time::Tick;

use crate::{ContactSummary, Method, Progress};

/// Someone who is told of every kick.
pub trait KickListener: Send {
    /// A vertex was stored at `position`, leaving with `velocity`. Ticks never go back. A vertex may be told of twice
    /// at a tick, and at tick 0 without a kick.
    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3);
}

/// A method whose kicks a listener is told of, for code that drives methods.
pub struct WithKickListener<'a> {
    /// The method that moves.
    pub method: &'a mut dyn Method,
    /// The listener that is told.
    pub listener: &'a mut dyn KickListener,
}

impl Method for WithKickListener<'_> {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        listener: Option<&mut dyn KickListener>,
    ) -> Result<Progress, Fault> {
        assert!(listener.is_none(), "there is one listener, and it is known");
        self.method.advance(end, stop, Some(self.listener))
    }

    fn state(&self) -> State {
        self.method.state()
    }

    fn external(&self) -> ExternalLedger {
        self.method.external()
    }

    fn evaluations(&self) -> &[u64] {
        self.method.evaluations()
    }

    fn element_time(&self) -> Option<Duration> {
        self.method.element_time()
    }

    fn instants(&self) -> u64 {
        self.method.instants()
    }

    fn pairs(&self) -> Vec<PairId> {
        self.method.pairs()
    }

    fn touches(&self) -> Vec<Touch> {
        self.method.touches()
    }

    fn contact(&self) -> Option<ContactSummary> {
        self.method.contact()
    }
}
