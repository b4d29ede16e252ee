//! What moves.
//!
//! A vertex flies straight between kicks, so its state is where it was at its last kick, how fast
//! it left, and when that was. Its position at any tick is one expression from there: reading
//! it, however often, changes nothing.

use carom_math::Vec3;
use carom_time::{Quantum, Tick};

use crate::PairId;

/// Position, velocity and tick of the last kick of every vertex.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Position at the last kick, in m.
    pub positions: Vec<Vec3>,
    /// Velocity since the last kick, in m/s.
    pub velocities: Vec<Vec3>,
    /// Tick of the last kick.
    pub kicked_at: Vec<Tick>,
    /// What friction may still take of normal impulses already given, by pair, in the order of ids.
    pub unspent: Vec<(PairId, Unspent)>,
    quantum: Quantum,
}

/// Friction that a pair has not used yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unspent {
    /// In N·s.
    pub impulse: f64,
    /// The last tick at which it counts.
    pub until: Tick,
}

/// A hash of every bit of a [`State`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprint(pub u128);

impl core::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl State {
    /// Vertices at `positions` leaving with `velocities` at tick 0.
    ///
    /// # Panics
    /// If the two differ in length.
    #[must_use]
    pub fn new(positions: Vec<Vec3>, velocities: Vec<Vec3>, quantum: Quantum) -> Self {
        assert_eq!(positions.len(), velocities.len(), "every vertex has a position and a velocity");
        let kicked_at = vec![Tick::START; positions.len()];
        Self { positions, velocities, kicked_at, unspent: Vec::new(), quantum }
    }

    /// How many vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Length of a tick.
    #[must_use]
    pub fn quantum(&self) -> Quantum {
        self.quantum
    }

    /// Position of vertex `v` at `tick`, in m, without moving it: looking changes nothing.
    #[inline]
    #[must_use]
    pub fn position_at(&self, v: usize, tick: Tick) -> Vec3 {
        self.positions[v] + self.velocities[v] * self.quantum.seconds_between(self.kicked_at[v], tick)
    }

    /// Changes the velocity of vertex `v` at `tick` by `dv`, after moving it there.
    #[inline]
    pub fn kick(&mut self, v: usize, tick: Tick, dv: Vec3) {
        self.positions[v] = self.position_at(v, tick);
        self.velocities[v] += dv;
        self.kicked_at[v] = tick;
    }

    /// A hash of every bit of every vertex: equal fingerprints, equal trajectories from here on.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        // FNV-1a with 128 bits, over 64-bit words.
        const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let mut hash = OFFSET;
        let mut feed = |word: u64| hash = (hash ^ u128::from(word)).wrapping_mul(PRIME);
        for v in 0..self.len() {
            let (x, u) = (self.positions[v], self.velocities[v]);
            for component in [x.x, x.y, x.z, u.x, u.y, u.z] {
                feed(component.to_bits());
            }
            feed(self.kicked_at[v].0);
        }
        for (pair, unspent) in &self.unspent {
            feed(pair.kind as u64);
            feed(u64::from(pair.a) << 32 | u64::from(pair.b));
            feed(unspent.impulse.to_bits());
            feed(unspent.until.0);
        }
        Fingerprint(hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_vertex() -> State {
        State::new(vec![Vec3::X], vec![Vec3::new(0.1, 0.2, 0.3)], Quantum::new(1e-3))
    }

    #[test]
    fn a_position_is_one_expression_from_the_last_kick() {
        let (start, velocity) = (Vec3::X, Vec3::new(0.1, 0.2, 0.3));
        let (state, mut stopped) = (one_vertex(), one_vertex());
        let mut rounded_otherwise = 0;
        for tick in 1..1000 {
            let expected = start + velocity * (tick as f64 * 1e-3);
            assert_eq!(state.position_at(0, Tick(tick)).to_array(), expected.to_array());
            // Who moves the vertex on the way, even without a kick, rounds more often.
            stopped.kick(0, Tick(tick), Vec3::ZERO);
            rounded_otherwise += u32::from(stopped.positions[0] != expected);
        }
        assert!(rounded_otherwise > 500, "only {rounded_otherwise} positions tell one from the other");
    }

    #[test]
    fn every_bit_counts_in_the_fingerprint() {
        let state = one_vertex();
        let mut other = state.clone();
        other.velocities[0].z = other.velocities[0].z.next_up();
        assert_ne!(other.fingerprint(), state.fingerprint());
        let mut other = state.clone();
        other.kicked_at[0] = Tick(1);
        assert_ne!(other.fingerprint(), state.fingerprint());
        let mut other = state.clone();
        other.positions[0].y = -0.0;
        assert_ne!(other.fingerprint(), state.fingerprint());
    }

    #[test]
    fn a_kick_moves_the_vertex_to_the_tick_first() {
        let mut state = one_vertex();
        let there = state.position_at(0, Tick(1000));
        state.kick(0, Tick(1000), Vec3::Y);
        assert_eq!(state.positions[0], there);
        assert_eq!(state.velocities[0], Vec3::new(0.1, 1.2, 0.3));
    }
}
