//! Pair forces: the impulses of due pairs, added in the order of ids, and what is recorded of them.
//!
//! Written once, whichever way layers are certified: a pair comes with its firing layers, and those left out have no force. Positions of an
//! instant are the same for all pairs, so pairs may be evaluated in any order, eight at a time, or by several threads; impulses
//! are added one pair after the other.
//!
//! **Never here:** which pairs are near, which layers are certified, changing a position or a velocity.

mod evaluation;
mod last_impulses;
mod stats;

use carom_math::{F64x4, LANES, Vec3};
use carom_model::ImpulseSums;
use carom_time::Tick;
use rayon::prelude::*;

use crate::active_pairs::{Candidate, Candidates};
use crate::pairs::pairs8::Pairs8;
use crate::{DissipativeContact, Motion, Pair, PairRules, Sharing};
pub(crate) use evaluation::PairEvaluation;
use evaluation::{PositionsNow, evaluate_block};
use last_impulses::LastImpulses;
pub(crate) use stats::ContactStats;

/// The candidates of a scene with so many vertices do not fit the cache: memory is asked for before it is needed.
const LARGE: usize = 1 << 14;

/// Memory is asked for this many pairs before it is needed.
const AHEAD: usize = 8;

/// An instant at which layers fire.
#[derive(Clone, Copy)]
pub(crate) struct Firing<'a> {
    /// The instant.
    pub tick: Tick,
    /// The part of their steps that impulses are for: one half at the start.
    pub fraction: f64,
    /// Positions and velocities before the kicks.
    pub motion: &'a Motion<'a>,
}

/// Evaluates due pairs and adds their impulses.
pub(crate) struct PairForces {
    sharing: Sharing,
    positions: PositionsNow,
    /// Scratch: the evaluations of an instant, if threads share them.
    evaluations: Vec<PairEvaluation>,
    records: Records,
}

/// What is recorded of pairs that push.
pub(crate) struct Records {
    /// Counts and smallest distances.
    pub stats: ContactStats,
    /// The pairs that pushed at the last instant and have a law beside their normal force, in the order of ids.
    pub dissipative: Vec<DissipativeContact>,
    /// What layers last gave each vertex.
    pub last_impulses: LastImpulses,
}

impl PairForces {
    /// No pair has pushed yet. If a team of threads leads, now and whenever impulses are asked for, it shares the evaluations.
    pub fn new(rules: &PairRules, sharing: Sharing) -> Self {
        Self {
            sharing,
            positions: PositionsNow::new(rules.vertices()),
            evaluations: Vec::new(),
            records: Records {
                stats: ContactStats::default(),
                dissipative: Vec::new(),
                last_impulses: LastImpulses::of(rules),
            },
        }
    }

    /// What was recorded of pairs that pushed.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// What was recorded of pairs that pushed, to be taken up from an earlier run.
    pub fn records_mut(&mut self) -> &mut Records {
        &mut self.records
    }

    /// Adds the impulses of the pairs in `due` in their order, and their vertices to `reached` if they push. Tells `measured` the distance of
    /// each, in m.
    pub fn apply_impulses(
        &mut self,
        rules: &PairRules,
        (candidates, due): (&Candidates, &[(u32, u64)]),
        firing: &Firing,
        (kicks, reached): (&mut ImpulseSums, &mut Vec<u32>),
        mut measured: impl FnMut(u32, &Candidate, &Pair, f64),
    ) {
        self.records.begin_instant();
        let is_shared = self.sharing.is_shared && due.len() >= self.sharing.pairs;
        let is_large = self.positions.vertices() >= LARGE;
        if is_shared {
            self.evaluate_all(rules, (candidates, due), firing);
        }
        let mut few = [PairEvaluation::NONE; LANES];
        for (first, block) in (0..).step_by(LANES).zip(due.chunks(LANES)) {
            let evaluations = if is_shared {
                &self.evaluations[first..]
            } else {
                for (i, &(index, _)) in block.iter().enumerate() {
                    if is_large {
                        prefetch_ahead(&due[first + i..], candidates, firing.motion, kicks);
                    }
                    let candidate = candidates.row(index);
                    if Pairs8::is_for(candidate.kind()) {
                        self.positions.collect(candidate.stencil(), firing.tick, firing.motion);
                    }
                }
                evaluate_block(rules, (candidates, block), firing, &self.positions, &mut few);
                &few
            };
            for (&(index, layers), evaluation) in block.iter().zip(evaluations) {
                let candidate = candidates.row(index);
                let pair = candidate.pair(rules);
                self.records.add(rules, (index, &pair), layers, evaluation, firing, (kicks, reached));
                measured(index, candidate, &pair, evaluation.distance);
            }
        }
        self.records.last_impulses.end_recording(firing.tick);
    }

    /// Evaluates all pairs in `due`, shared by threads.
    fn evaluate_all(
        &mut self,
        rules: &PairRules,
        (candidates, due): (&Candidates, &[(u32, u64)]),
        firing: &Firing,
    ) {
        for &(index, _) in due {
            self.positions.collect(candidates.row(index).stencil(), firing.tick, firing.motion);
        }
        let positions = &self.positions;
        self.evaluations.resize(due.len(), PairEvaluation::NONE);
        let blocks = self.evaluations.par_chunks_mut(LANES).zip(due.par_chunks(LANES));
        blocks.with_min_len((self.sharing.pairs / 4 / LANES).max(1)).for_each(|(evaluations, block)| {
            evaluate_block(rules, (candidates, block), firing, positions, evaluations);
        });
    }
}

impl Records {
    /// No pair has pushed at the next instant yet.
    fn begin_instant(&mut self) {
        self.stats.begin_instant();
        self.dissipative.clear();
    }

    /// Adds the impulses of one pair and records them, if there are any.
    #[inline(always)]
    fn add(
        &mut self,
        rules: &PairRules,
        (candidate, pair): (u32, &Pair),
        layers: u64,
        evaluation: &PairEvaluation,
        firing: &Firing,
        (kicks, reached): (&mut ImpulseSums, &mut Vec<u32>),
    ) {
        self.stats.evaluations += 1;
        if !evaluation.pushes {
            return;
        }
        for (&v, impulse) in pair.stencil().iter().zip(&evaluation.impulses) {
            kicks.add(v, impulse.xyz());
        }
        reached.extend(pair.stencil());
        if self.last_impulses.is_kept() {
            self.last_impulses.record(rules, pair, (firing, layers), evaluation);
        }
        let on_first = sum(&evaluation.impulses[..pair.first_primitive()]);
        if !rules.layers_of(pair).spec().law.is_ideal() {
            let x = || PairRules::positions(pair, |v| firing.motion.position_at(v, firing.tick));
            let image = || x()[0] - x()[1] - evaluation.separation();
            let contact = DissipativeContact::new(rules, (candidate, pair), evaluation, on_first, image);
            self.dissipative.push(contact);
        }
        self.stats.record(rules, pair, evaluation, on_first, firing, kicks);
    }
}

/// The sum of the impulses on one primitive, in N·s.
#[inline(always)]
fn sum(impulses: &[F64x4]) -> Vec3 {
    impulses.iter().fold(Vec3::ZERO, |sum, j| sum + j.xyz())
}

/// Asks the memory for the pairs that are added a little later, and for their vertices.
#[inline]
fn prefetch_ahead(due: &[(u32, u64)], candidates: &Candidates, motion: &Motion, kicks: &ImpulseSums) {
    if let Some(&(index, _)) = due.get(2 * AHEAD) {
        candidates.prefetch(index);
    }
    if let Some(&(index, _)) = due.get(AHEAD) {
        for &v in candidates.row(index).stencil() {
            motion.prefetch(v);
            kicks.prefetch(v);
        }
    }
}

#[cfg(test)]
mod tests;
