//! Active pairs: the candidates with a layer that is not certified, and when these layers fire.
//!
//! A layer of a candidate is *certified* while it is known that the pair does not enter it, and *active* otherwise. Certified layers have no
//! force: leaving them out changes no bit. Of each candidate, the layers from one on are certified, and those before it are active.
//!
//! What [friction left](UnspentFriction) to a pair stands beside it, and goes along when candidates are replaced.
//!
//! **Never here:** distances, motion, why a layer is certified.

mod active_set;
mod candidates;
mod unspent;

use std::sync::Arc;

use carom_model::{PairId, Unspent};
use carom_time::Tick;

use crate::{Pair, PairRules};
use active_set::ActiveSet;
pub(crate) use candidates::{Candidate, Candidates};
pub use unspent::UnspentFriction;

/// The candidates, and which of them are active.
pub(crate) struct ActivePairs {
    rules: Arc<PairRules>,
    candidates: Candidates,
    set: ActiveSet,
    unspent: UnspentFriction,
}

impl ActivePairs {
    /// No candidates.
    pub fn new(rules: &Arc<PairRules>) -> Self {
        Self {
            rules: Arc::clone(rules),
            candidates: Candidates::default(),
            set: ActiveSet::new(rules),
            unspent: UnspentFriction::new(rules),
        }
    }

    /// Replaces all candidates after the kicks of `tick`, in the order of ids; all their layers are certified.
    pub fn replace<'a>(&mut self, tick: Tick, pairs: impl Iterator<Item = &'a Pair>) {
        self.set.clear();
        self.unspent.part(tick, &self.candidates);
        self.candidates.replace(pairs);
        self.unspent.join(&self.candidates);
    }

    /// What friction has not used yet.
    pub fn unspent_mut(&mut self) -> &mut UnspentFriction {
        &mut self.unspent
    }

    /// What friction may still take after `tick`, by pair, in the order of ids.
    pub fn unspent_after(&self, tick: Tick) -> Vec<(PairId, Unspent)> {
        self.unspent.after(tick, &self.candidates)
    }

    /// Takes up what friction may still take, in the order of ids.
    pub fn restore_unspent(&mut self, left: &[(PairId, Unspent)]) {
        self.unspent.restore(left, &self.candidates);
    }

    /// Certifies the layers of a candidate from `layer` on; those before it are active.
    #[inline]
    pub fn certify_from(&mut self, index: u32, layer: u32) {
        let candidate = self.candidates.row_mut(index);
        self.set.change(index, candidate.layers(), candidate.first_certified_layer(), layer);
        candidate.certify_from(layer);
    }

    /// Makes all layers of a candidate active.
    pub fn activate_all_layers(&mut self, index: u32) {
        let (layers, _) = self.candidates.row(index).layers();
        self.certify_from(index, self.rules.all_layers()[layers].deepest() + 1);
    }

    /// The candidates, in the order of ids.
    #[inline(always)]
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// The pair of the candidate with this index.
    #[inline(always)]
    pub fn pair(&self, index: u32) -> Pair {
        self.candidates.row(index).pair(&self.rules)
    }

    /// How many candidates are active.
    pub fn count(&self) -> u64 {
        self.set.count()
    }

    /// The ids of the active pairs, in their order.
    pub fn ids(&self) -> Vec<PairId> {
        self.set.all().into_iter().map(|index| self.candidates.row(index).id()).collect()
    }

    /// The next tick after `now` at which an active layer fires.
    pub fn next_tick(&self, now: Tick) -> Option<Tick> {
        self.set.next_tick(&self.rules, now)
    }

    /// Collects the candidates that are due at `tick`: those with an active layer that fires then.
    pub fn collect_due(&mut self, tick: Tick) {
        self.set.collect_due(&self.rules, tick);
    }

    /// The candidates last collected, in rising order, with their firing layers: layer 1 in the lowest bit.
    #[inline(always)]
    pub fn due(&self) -> &[(u32, u64)] {
        self.set.due()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points, rod, scene, sheet};
    use carom_math::Vec3;

    #[test]
    fn the_table_keeps_every_pair_and_new_candidates_are_certified_in_all_layers() {
        let things = [sheet(0.3), rod(4, 0.5, 0.05), points(&[Vec3::Z, Vec3::X], 0.1)];
        let rules = Arc::new(PairRules::with_own_numbers(&scene(&things, 0.2, 6).0));
        let mut pairs = Vec::new();
        rules.for_each(|pair| pairs.push(pair));
        let mut active = ActivePairs::new(&rules);
        for _ in 0..2 {
            active.replace(Tick::START, pairs.iter());
            assert_eq!((active.candidates().len(), active.count()), (pairs.len(), 0));
            assert_eq!(active.next_tick(Tick::START), None);
            for (index, pair) in (0..).zip(&pairs) {
                assert_eq!(active.pair(index), *pair);
                assert_eq!(active.candidates().row(index).first_certified_layer(), pair.first_layer);
                active.activate_all_layers(index);
            }
            assert_eq!(active.ids(), pairs.iter().map(|pair| pair.id).collect::<Vec<_>>());
            active.collect_due(Tick::START);
            let everything = |pair: &Pair| (1_u64 << rules.layers_of(pair).deepest()) - 1;
            let expected: Vec<(u32, u64)> = (0..).zip(pairs.iter().map(everything)).collect();
            assert_eq!(active.due(), expected);
        }
        active.certify_from(0, pairs[0].first_layer);
        assert_eq!(active.count(), pairs.len() as u64 - 1);
        assert!(!active.ids().contains(&pairs[0].id));
    }
}
