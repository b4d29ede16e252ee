//! Knowing which layers may sleep.
//!
//! A [`Watch`] is asked, at every instant, for the impulses of the pairs that push, and told afterwards what moved. It
//! names the ticks at which it needs to be asked. Three of them, one contract: whichever watches, the bits of the
//! run are the same, because a layer only sleeps where it provably has no force.
//!
//! | [`Certificates`] | near pairs only, proofs by budgets of motion: the product |
//! | [`SpeedBound`] | every pair, layers skipped by its distance and the motion of the fastest vertex |
//! | [`BruteForce`] | every pair, every layer, every tick of the fastest clock |

mod awake;
mod broad_phase;
mod brute;
mod certificates;
mod last;
mod looking;
mod middle;
mod near;
mod order;
mod pair_evaluation;
mod periodic;
mod shape;
mod sharing;

use awake::ContactStats;
pub use brute::BruteForce;
pub use certificates::{Certificates, Claim};
pub use middle::SpeedBound;
pub use near::{CandidateDistance, near_pairs, search as near_pairs_with_skin, too_near_at_rest};
pub use sharing::Sharing;

use std::sync::Arc;
use std::time::Duration;

use carom_math::{Vec3, prefetch};
use carom_model::{ImpulseSums, PairId, State, System};
use carom_time::{Quantum, Tick};

use crate::{DissipativeContact, PairRules, SeparationFailure, Touch};

/// What moves, as contact reads it: position at the last kick, velocity since, tick of the last kick.
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

    /// Tells that the motion of vertex `v` will be needed soon.
    #[inline(always)]
    pub fn prefetch(&self, v: u32) {
        prefetch(self.positions, v as usize);
        prefetch(self.velocities, v as usize);
        prefetch(self.kicked_at, v as usize);
    }
}

/// The vertices that the engine looked at in an instant: those kicked are among them.
#[derive(Clone, Copy)]
pub struct TouchedVertices<'a> {
    /// All vertices below this number.
    pub prefix: u32,
    /// And these.
    pub others: &'a [u32],
}

/// What watching took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactCounters {
    /// Gradients of pairs computed, a pair once per instant.
    pub evaluations: u64,
    /// Distances measured beside them.
    pub measures: u64,
    /// Searches for near pairs.
    pub searches: u64,
    /// Near pairs found by the last search.
    pub near_pairs: u64,
    /// The most pairs that were awake at once.
    pub most_awake: u64,
    /// The deepest layer that pushed.
    pub deepest_layer: u32,
    /// Time spent on searches: for people, never for decisions.
    pub searching: Duration,
}

/// A way to know which layers may sleep.
pub trait Watch: Send {
    /// The next tick after the last settled one at which a layer fires or a proof runs out.
    fn next_tick(&self) -> Option<Tick>;

    /// Adds the impulses of all pairs that push at `tick`, times `fraction`, in the order of ids, and names the
    /// vertices of these pairs in `reached`; of no others.
    fn kick(
        &mut self,
        tick: Tick,
        fraction: f64,
        motion: &Motion,
        kicks: &mut ImpulseSums,
        reached: &mut Vec<u32>,
    );

    /// Told after the kicks of `tick`, at every instant of the run: renews what has run out.
    fn settle(
        &mut self,
        tick: Tick,
        motion: &Motion,
        touched: TouchedVertices,
    ) -> Result<(), SeparationFailure>;

    /// Pairs with a layer awake, in the order of ids: every pair that stores energy is among them.
    fn awake(&self) -> Vec<PairId>;

    /// What was seen while pairs fired.
    fn stats(&self) -> &ContactStats;

    /// What it took so far.
    fn counters(&self) -> ContactCounters {
        self.stats().counters
    }

    /// The smallest distance of a pair that was seen at a kick, in m; infinite if nothing came within its layers.
    fn smallest_distance(&self) -> f64 {
        self.stats().smallest_distance
    }

    /// The smallest distance of a pair that pushed at the last instant, in m; infinite if none did.
    fn nearest_push(&self) -> f64 {
        self.stats().nearest_push
    }

    /// The pairs that pushed at the last instant and have a law beside their normal force, in the order of ids.
    fn dissipative(&self) -> &[DissipativeContact] {
        &self.stats().dissipative
    }

    /// What layers that do not fire at `tick` have yet to give vertex `v`, or gave too early, in N·s; known where contact takes energy.
    fn due(&self, v: u32, tick: Tick) -> Vec3 {
        self.stats().last.due(v, tick)
    }

    /// Bodies that touched until `tick`, in the order in which they first did; no instant after it must have happened.
    fn touches(&self, tick: Tick) -> Vec<Touch> {
        self.stats().touches.at(tick)
    }
}

/// Which way to watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WatchKind {
    /// Proofs by budgets of motion.
    #[default]
    Certificates,
    /// Every pair, layers skipped by distance.
    SpeedBound,
    /// Every pair, every layer, every tick.
    BruteForce,
}

/// Starts watching `system` at tick 0; vertex `v` is called `renumbered[v]` in `motion`. If a team of threads leads, now and
/// whenever the watch is asked, certificates share their work as `sharing` says; it changes no bit.
#[must_use]
pub fn start_watch(
    kind: WatchKind,
    system: &System,
    renumbered: Vec<u32>,
    motion: &Motion,
    sharing: impl Into<Sharing>,
) -> Box<dyn Watch> {
    let rules = Arc::new(PairRules::new(system, renumbered));
    match kind {
        WatchKind::Certificates => Box::new(Certificates::with(system, rules, motion, sharing.into())),
        WatchKind::SpeedBound => Box::new(SpeedBound::new(system, rules, motion)),
        WatchKind::BruteForce => Box::new(BruteForce::new(system, rules)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FailureReason;
    use crate::testing::{points, scene};

    const WAYS: [WatchKind; 3] = [WatchKind::Certificates, WatchKind::SpeedBound, WatchKind::BruteForce];

    #[test]
    fn whoever_watches_a_pair_that_rests_below_the_floor_is_a_squeeze() {
        let things = [[0.0, 0.0, 0.0], [0.01, 0.0, 0.0]].map(|x| points(&[Vec3::from(x)], 0.0));
        let (system, state) = scene(&things, 0.1, 4);
        for kind in WAYS {
            let mut watch = start_watch(kind, &system, vec![0, 1], &Motion::of(&state), false);
            let outcome =
                watch.settle(Tick::START, &Motion::of(&state), TouchedVertices { prefix: 2, others: &[] });
            assert_eq!(outcome.unwrap_err().why, FailureReason::Deepest, "{kind:?}");
        }
    }
}
