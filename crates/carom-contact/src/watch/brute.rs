//! Every pair, every layer, every tick of the fastest clock: the contract read aloud.

use std::sync::Arc;

use carom_model::{ImpulseSums, PairId, System};
use carom_time::Tick;

use super::awake::ContactStats;
use super::pair_evaluation::evaluate;
use super::{Motion, TouchedVertices, Watch};
use crate::{MinimumGapTest, Pair, PairRules, SeparationFailure};

/// Nothing sleeps.
pub struct BruteForce {
    rules: Arc<PairRules>,
    pairs: Vec<Pair>,
    floor: MinimumGapTest,
    now: Tick,
    stats: ContactStats,
}

impl BruteForce {
    /// Starts at tick 0.
    #[must_use]
    pub fn new(system: &System, rules: Arc<PairRules>) -> Self {
        let mut pairs = Vec::new();
        rules.for_each(|pair| pairs.push(pair));
        let floor = MinimumGapTest::new(system, &rules);
        let mut stats = ContactStats::of(&rules);
        stats.counters.near_pairs = pairs.len() as u64;
        Self { rules, pairs, floor, now: Tick::START, stats }
    }
}

impl Watch for BruteForce {
    fn next_tick(&self) -> Option<Tick> {
        let layers = self.rules.all_layers().iter();
        let spans = layers.flat_map(|layers| (1..=layers.deepest()).map(|l| layers.layer(l).span));
        spans.chain([self.floor.span]).map(|span| self.now.floor(span).after(span)).min()
    }

    fn kick(
        &mut self,
        tick: Tick,
        fraction: f64,
        motion: &Motion,
        kicks: &mut ImpulseSums,
        reached: &mut Vec<u32>,
    ) {
        self.stats.begin();
        let firing: Vec<u64> = self.rules.all_layers().iter().map(|l| l.firing_at(tick)).collect();
        for pair in &self.pairs {
            let firing = firing[pair.layers as usize];
            if firing != 0 {
                let when = (tick, fraction, firing);
                let evaluation = evaluate(&self.rules, pair, when, motion);
                self.stats.fire(&self.rules, pair, when, &evaluation, motion, (kicks, reached));
            }
        }
    }

    fn settle(
        &mut self,
        tick: Tick,
        motion: &Motion,
        _visited: TouchedVertices,
    ) -> Result<(), SeparationFailure> {
        self.now = tick;
        self.pairs.iter().try_for_each(|pair| self.floor.test(&self.rules, pair, tick, motion))
    }

    fn awake(&self) -> Vec<PairId> {
        self.pairs.iter().map(|pair| pair.id).collect()
    }

    fn stats(&self) -> &ContactStats {
        &self.stats
    }
}
