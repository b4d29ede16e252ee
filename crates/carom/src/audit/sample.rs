//! Sampled instants, recomputed exactly as the contract says.
//!
//! Instants are taken from all clocks alternately, evenly over the run: slow clocks fire seldom, and random instants would hardly include
//! them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use carom_engine::Reference;
use carom_math::Vec3;
use carom_model::{PairId, State, System};
use carom_time::Tick;

/// Instants that are repeated in a run.
const SAMPLES: u64 = 64;

/// An instant that left something otherwise than the contract does: one of the [`Findings`](super::Findings).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Tick of the instant.
    pub tick: Tick,
    /// What.
    pub difference: Difference,
}

/// What an instant left otherwise than the contract does, by at least one bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The position or velocity of this vertex, or the tick of its last kick.
    Vertex(u32),
    /// What friction of this pair may still take of normal impulses already given.
    UnspentFriction(PairId),
    /// The contract gives a Fault.
    Fault,
}

impl core::fmt::Display for Breach {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.difference {
            Difference::Vertex(v) => write!(f, "the kick of vertex {v}")?,
            Difference::UnspentFriction(pair) => write!(f, "the unspent friction of {pair}")?,
            Difference::Fault => write!(f, "a fault")?,
        }
        write!(f, " at tick {}", self.tick.0)
    }
}

/// The instants to repeat, and what came of it.
#[derive(Clone)]
pub(super) struct Samples {
    /// Ticks to sample, in falling order.
    ahead: Vec<Tick>,
    repeated: u64,
    breaches: Vec<Breach>,
}

impl Samples {
    pub fn between(system: &System, from: Tick, to: Tick) -> Self {
        let mut spans = system.spans();
        spans.extend(
            system.contact.iter().flat_map(|contact| contact.layers.iter().map(|layers| layers.span)),
        );
        let place =
            |i: u64| Tick(from.0 + (u128::from(to.0 - from.0) * u128::from(i) / u128::from(SAMPLES)) as u64);
        let mut ahead: Vec<Tick> = (1..=SAMPLES)
            .zip(spans.iter().cycle())
            .map(|(i, &span)| place(i).floor(span))
            // The first instant is another matter: half a kick, or none.
            .filter(|tick| *tick > from && *tick > Tick::START)
            .collect();
        ahead.sort_unstable_by(|a, b| b.cmp(a));
        ahead.dedup();
        Self { ahead, repeated: 0, breaches: Vec::new() }
    }

    /// The next instant to repeat; it stays the next until it is compared.
    pub fn next(&self) -> Option<Tick> {
        self.ahead.last().copied()
    }

    /// Holds what an instant did against the contract.
    pub fn compare(&mut self, system: &Arc<System>, before: State, after: &State, tick: Tick) {
        self.ahead.pop_if(|next| *next == tick);
        self.repeated += 1;
        let differences = match Reference::instant(system, before, tick) {
            Err(_) => vec![Difference::Fault],
            Ok(expected) => differences(&expected, after),
        };
        self.breaches.extend(differences.into_iter().map(|difference| Breach { tick, difference }));
    }

    pub fn found(self) -> (u64, Vec<Breach>) {
        (self.repeated, self.breaches)
    }
}

/// All differences between two states of one system, bit by bit: a zero of the other sign is another velocity.
fn differences(expected: &State, found: &State) -> Vec<Difference> {
    let bits = |x: Vec3| x.to_array().map(f64::to_bits);
    let vertex =
        |state: &State, v: usize| (bits(state.positions[v]), bits(state.velocities[v]), state.kicked_at[v]);
    let vertices = (0..found.len())
        .filter(|v| vertex(expected, *v) != vertex(found, *v))
        .map(|v| Difference::Vertex(v as u32));

    let unspent = |state: &State| -> BTreeMap<PairId, (u64, Tick)> {
        state.unspent.iter().map(|(pair, left)| (*pair, (left.impulse.to_bits(), left.until))).collect()
    };
    let [expected, found] = [unspent(expected), unspent(found)];
    let pairs: BTreeSet<PairId> = expected.keys().chain(found.keys()).copied().collect();
    let pairs = pairs.into_iter().filter(|pair| expected.get(pair) != found.get(pair));
    vertices.chain(pairs.map(Difference::UnspentFriction)).collect()
}

#[cfg(test)]
mod tests {
    use carom_model::{PairKind, Unspent};
    use carom_time::Quantum;

    use super::*;

    const PAIR: PairId = PairId { kind: PairKind::VertexFace, a: 1, b: 0 };

    fn state() -> State {
        let mut state = State::new(vec![Vec3::X; 2], vec![Vec3::ZERO; 2], Quantum::new(1e-3));
        state.unspent = vec![(PAIR, Unspent { impulse: 0.0, until: Tick(5) })];
        state
    }

    /// What differs once `change` is made.
    fn found(change: impl Fn(&mut State)) -> Vec<Difference> {
        let mut other = state();
        change(&mut other);
        let [there, back] = [differences(&state(), &other), differences(&other, &state())];
        assert_eq!(there, back, "a difference is one from both sides");
        there
    }

    #[test]
    fn every_bit_of_a_vertex_is_compared() {
        assert_eq!(found(|_| {}), []);
        assert_eq!(found(|s| s.velocities[1].y = -0.0), [Difference::Vertex(1)]);
        assert_eq!(found(|s| s.positions[0].z = -0.0), [Difference::Vertex(0)]);
        assert_eq!(found(|s| s.positions[0].x = 1.0_f64.next_up()), [Difference::Vertex(0)]);
        assert_eq!(found(|s| s.kicked_at[1] = Tick(1)), [Difference::Vertex(1)]);
    }

    #[test]
    fn unspent_friction_is_compared() {
        let other = PairId { a: 2, ..PAIR };
        assert_eq!(found(|s| s.unspent.clear()), [Difference::UnspentFriction(PAIR)]);
        assert_eq!(found(|s| s.unspent[0].1.impulse = -0.0), [Difference::UnspentFriction(PAIR)]);
        assert_eq!(found(|s| s.unspent[0].1.until = Tick(6)), [Difference::UnspentFriction(PAIR)]);
        assert_eq!(found(|s| s.unspent[0].0 = other), [PAIR, other].map(Difference::UnspentFriction));
    }
}
