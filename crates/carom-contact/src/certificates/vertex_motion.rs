//! The straight motion of one vertex in the frame, from an instant on: computed once, however often it is needed.

use carom_math::Vec3;
use carom_time::{Quantum, Tick};

/// The straight motion of a vertex from an instant on.
#[derive(Clone, Copy)]
pub(super) struct VertexMotion {
    /// The instant.
    pub tick: Tick,
    /// Position then, in the frame, in m.
    pub here: Vec3,
    /// Velocity in the frame, in m/s.
    pub velocity: Vec3,
    /// Speed in the frame, in m/s.
    pub speed: f64,
    /// Length of a tick.
    pub quantum: Quantum,
}

impl VertexMotion {
    /// How far from `anchor` the vertex is at the instant, in m.
    #[inline(always)]
    pub fn used(&self, anchor: Vec3) -> f64 {
        (self.here - anchor).length()
    }

    /// How far from `anchor` the vertex is at a later tick, in m.
    #[inline(always)]
    pub fn used_at(&self, anchor: Vec3, later: Tick) -> f64 {
        let there = self.here + self.velocity * self.quantum.seconds_between(self.tick, later);
        (there - anchor).length()
    }
}
