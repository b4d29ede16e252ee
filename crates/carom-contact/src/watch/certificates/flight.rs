//! A vertex on its way, seen from the frame: looked up once, however often it is asked for.

use carom_math::Vec3;
use carom_time::{Quantum, Tick};

/// A vertex that flies from an instant on.
#[derive(Clone, Copy)]
pub(super) struct VertexMotion {
    /// Since when.
    pub tick: Tick,
    /// Where it is then, in the frame, in m.
    pub here: Vec3,
    /// In the frame, in m/s.
    pub velocity: Vec3,
    /// In the frame, in m/s.
    pub speed: f64,
    /// Length of a tick.
    pub quantum: Quantum,
}

impl VertexMotion {
    /// How far from `anchor` it is when it begins, in m.
    #[inline(always)]
    pub fn used(&self, anchor: Vec3) -> f64 {
        (self.here - anchor).length()
    }

    /// How far from `anchor` it is at a later tick, in m.
    #[inline(always)]
    pub fn used_at(&self, anchor: Vec3, later: Tick) -> f64 {
        let there = self.here + self.velocity * self.quantum.seconds_between(self.tick, later);
        (there - anchor).length()
    }
}
