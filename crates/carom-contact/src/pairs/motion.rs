//! Positions and velocities, as contact reads them.

use carom_math::{Vec3, prefetch};
use carom_model::State;
use carom_time::{Quantum, Tick};

/// What moves: position at the last kick, velocity since, tick of the last kick.
#[derive(Clone, Copy)]
pub struct Motion<'a> {
    /// Position of each vertex at its last kick, in m.
    pub positions: &'a [Vec3],
    /// Velocity of each vertex since, in m/s.
    pub velocities: &'a [Vec3],
    /// Tick of the last kick.
    pub kicked_at: &'a [Tick],
    /// Length of a tick.
    pub quantum: Quantum,
}

impl<'a> Motion<'a> {
    /// The motion of a state.
    #[must_use]
    pub fn of(state: &'a State) -> Self {
        let State { positions, velocities, kicked_at, .. } = state;
        Self { positions, velocities, kicked_at, quantum: state.quantum() }
    }

    /// Position of vertex `v` at `tick`: the expression of the contract.
    #[inline(always)]
    #[must_use]
    pub fn position_at(&self, v: u32, tick: Tick) -> Vec3 {
        let i = v as usize;
        self.positions[i] + self.velocities[i] * self.quantum.seconds_between(self.kicked_at[i], tick)
    }

    /// Asks the memory for the motion of vertex `v`, which will be needed soon.
    #[inline(always)]
    pub fn prefetch(&self, v: u32) {
        prefetch(self.positions, v as usize);
        prefetch(self.velocities, v as usize);
        prefetch(self.kicked_at, v as usize);
    }
}

/// The vertices that firing potentials reach at an instant: those kicked are among them.
#[derive(Clone, Copy)]
pub struct TouchedVertices<'a> {
    /// All vertices below this number are touched.
    pub prefix: u32,
    /// Touched vertices beside those.
    pub others: &'a [u32],
}
