//! Sampled instants, recomputed exactly as the contract says.
//!
//! Instants are taken from all clocks alternately, evenly over the run: slow clocks fire seldom, and random instants would hardly include
//! them.

use std::sync::Arc;

use carom_engine::Reference;
use carom_model::{State, System};
use carom_time::Tick;

/// Instants that are repeated in a run.
const SAMPLES: u64 = 64;

/// A vertex that an instant left elsewhere than the contract does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Tick of the instant.
    pub tick: Tick,
    /// Number of the vertex; none if the contract gives a fault.
    pub vertex: Option<u32>,
}

/// The instants to repeat, and what came of it.
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

    /// The next instant to repeat that is not after `end`; it stays the next until it is compared.
    pub fn next_until(&self, end: Tick) -> Option<Tick> {
        self.ahead.last().copied().filter(|tick| *tick <= end)
    }

    /// Holds what an instant did against the contract.
    pub fn compare(&mut self, system: &Arc<System>, before: State, after: &State, tick: Tick) {
        self.ahead.pop_if(|next| *next == tick);
        self.repeated += 1;
        match Reference::instant(system, before, tick) {
            Err(_) => self.breaches.push(Breach { tick, vertex: None }),
            Ok(expected) => {
                let differs = |v: &usize| {
                    expected.positions[*v] != after.positions[*v]
                        || expected.velocities[*v] != after.velocities[*v]
                        || expected.kicked_at[*v] != after.kicked_at[*v]
                };
                let wrong = (0..after.len()).filter(differs);
                self.breaches.extend(wrong.map(|v| Breach { tick, vertex: Some(v as u32) }));
            }
        }
    }

    pub fn found(self) -> (u64, Vec<Breach>) {
        (self.repeated, self.breaches)
    }
}
