//! Every pair, every layer, every tick of the fastest clock: the contract read aloud.

use std::sync::Arc;

use carom_model::System;
use carom_time::Tick;

use super::{CertificateCounters, Certifier, Update};
use crate::active_pairs::ActivePairs;
use crate::{MinimumGapTest, Pair, PairRules, SeparationFailure};

/// Certifies nothing: all layers of all pairs are active.
pub(crate) struct BruteForce {
    rules: Arc<PairRules>,
    gap_test: MinimumGapTest,
    now: Tick,
}

impl BruteForce {
    /// Starts at `tick` with these pairs, in the order of ids.
    pub fn new(
        system: &System,
        rules: &Arc<PairRules>,
        tick: Tick,
        pairs: &[Pair],
        active: &mut ActivePairs,
    ) -> Self {
        active.replace(tick, pairs.iter());
        (0..pairs.len() as u32).for_each(|index| active.activate_all_layers(index));
        Self { rules: Arc::clone(rules), gap_test: MinimumGapTest::new(system, rules), now: tick }
    }
}

impl Certifier for BruteForce {
    fn next_tick(&self) -> Option<Tick> {
        Some(self.gap_test.next(self.now))
    }

    fn update_certificates(
        &mut self,
        active: &mut ActivePairs,
        &Update { tick, motion, .. }: &Update,
    ) -> Result<(), SeparationFailure> {
        self.now = tick;
        let test = |index: u32| self.gap_test.test(&self.rules, &active.pair(index), tick, motion);
        (0..active.candidates().len() as u32).try_for_each(test)
    }

    fn is_certified(&self, _index: u32) -> bool {
        false
    }

    fn counters(&self) -> CertificateCounters {
        CertificateCounters::default()
    }
}
