//! Someone who is told of every instant.
//!
//! An [`Observer`](crate::Observer) is shown a run now and then; a listener hears of every instant as soon as it has happened and, if it
//! wants, of every straight piece of every vertex's motion. `()` is the listener for whom nothing matters: it costs a run two calls an instant.

use core::ops::ControlFlow;

use carom_math::Vec3;
use carom_time::Tick;

/// Someone who is told of every instant.
pub trait InstantListener: Send {
    /// Whether it is to be told of kicks: asked at every instant.
    fn wants_kicks(&self) -> bool {
        false
    }

    /// A vertex was stored at `position`, leaving with `velocity`. Ticks never go back. A vertex may be told of twice at a tick, and at the
    /// start without a kick.
    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        let _ = (vertex, tick, position, velocity);
    }

    /// An instant, or the start, has happened, after its kicks were told. `Break` makes the method pause.
    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        let _ = report;
        ControlFlow::Continue(())
    }
}

/// Nobody listens.
impl InstantListener for () {}

/// What a listener is told of an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InstantReport {
    /// When it happened.
    pub tick: Tick,
    /// The distance of the nearest pair that pushed, in m; infinite if none did.
    pub nearest_push_m: f64,
    /// How near the nearest pair came at the instant before, in m, if that was a gap minimum.
    pub gap_minimum_m: Option<f64>,
}
