//! What friction has not used yet, by pair.
//!
//! Of candidates it is found by their index, without looking for an id. A search makes other candidates: then it goes along by ids, and what is left to a pair that
//! is no candidate any more waits, in the order of ids, until it is over or the pair is one again.

use carom_model::{PairId, Unspent};
use carom_time::Tick;

use super::{Candidate, Candidates};
use crate::{DissipativeContact, PairRules};

/// So many candidates may always be listed before those to which nothing is left are dropped.
const LEAST_LISTED: usize = 1024;

/// Nothing is left, and the candidate is not listed.
const NOTHING: Unspent = Unspent { impulse: 0.0, until: Tick::START };

/// What friction may still take of normal impulses already given, by pair.
#[derive(Debug, Default)]
pub struct UnspentFriction {
    /// Whether there is friction between any bodies.
    is_kept: bool,
    /// By candidates; nothing where there is no friction.
    of_candidates: Vec<Unspent>,
    /// The candidates to which something may be left, each once.
    listed: Vec<u32>,
    /// With more of these, those to which nothing is left are dropped.
    sweep_above: usize,
    /// Of pairs that are no candidates, in the order of ids.
    parted: Vec<(PairId, Unspent)>,
}

impl UnspentFriction {
    /// Nothing is left to anyone; there are no candidates.
    pub(super) fn new(rules: &PairRules) -> Self {
        let is_kept = rules.all_layers().iter().any(|layers| layers.spec().law.friction > 0.0);
        Self { is_kept, ..Self::default() }
    }

    /// Nothing is left to any of so many candidates.
    #[must_use]
    pub fn of_candidates(candidates: usize) -> Self {
        Self { is_kept: true, of_candidates: vec![NOTHING; candidates], ..Self::default() }
    }

    /// What a candidate may still take at `tick`, in N·s.
    #[inline]
    #[must_use]
    pub fn of(&self, candidate: u32, tick: Tick) -> f64 {
        let left = self.of_candidates.get(candidate as usize).filter(|left| left.until >= tick);
        left.map_or(0.0, |left| left.impulse)
    }

    /// Keeps what a pair that pushed at `tick` did not use, until the next multiple of the loads' clock.
    #[inline]
    pub fn keep(&mut self, pair: &DissipativeContact, impulse: f64, tick: Tick) {
        if pair.law.friction == 0.0 {
            return;
        }
        let window = pair.friction_window;
        let left = if tick.is_multiple_of(window) {
            Unspent { impulse: 0.0, until: tick }
        } else {
            Unspent { impulse, until: tick.floor(window).after(window) }
        };
        let place = &mut self.of_candidates[pair.candidate as usize];
        let is_new = place.until == Tick::START && left.until > Tick::START;
        *place = left;
        if is_new {
            self.list(pair.candidate, tick);
        }
    }

    /// Lists a candidate. Sweeping costs no more than listing did. What ends at this tick is still due to the pairs of this instant that have not answered yet.
    fn list(&mut self, candidate: u32, tick: Tick) {
        self.listed.push(candidate);
        if self.listed.len() > self.sweep_above {
            self.listed.retain(|candidate| {
                let left = &mut self.of_candidates[*candidate as usize];
                if left.until < tick {
                    *left = NOTHING;
                }
                *left != NOTHING
            });
            self.sweep_above = (2 * self.listed.len()).max(LEAST_LISTED);
        }
    }

    /// What still counts after `tick`, by pair, in the order of ids.
    pub(super) fn after(&self, tick: Tick, candidates: &Candidates) -> Vec<(PairId, Unspent)> {
        let of_candidates = self
            .listed
            .iter()
            .map(|candidate| (candidates.row(*candidate).id(), self.of_candidates[*candidate as usize]));
        let all = of_candidates.chain(self.parted.iter().copied());
        let mut all: Vec<_> = all.filter(|(_, left)| left.until > tick).collect();
        all.sort_by_key(|(id, _)| *id);
        all
    }

    /// Takes up what is left, in the order of ids, whatever was before.
    pub(super) fn restore(&mut self, left: &[(PairId, Unspent)], candidates: &Candidates) {
        self.parted = left.to_vec();
        self.join(candidates);
    }

    /// What is left after `tick` no longer belongs to these candidates: there will be others.
    pub(super) fn part(&mut self, tick: Tick, candidates: &Candidates) {
        if self.is_kept {
            self.parted = self.after(tick, candidates);
        }
    }

    /// What is left belongs to these candidates, as far as it is theirs.
    pub(super) fn join(&mut self, candidates: &Candidates) {
        if !self.is_kept {
            return;
        }
        self.of_candidates.clear();
        self.of_candidates.resize(candidates.len(), NOTHING);
        self.listed.clear();
        let mut rows = (0..).zip(candidates.rows().iter().map(Candidate::id)).peekable();
        let (of_candidates, listed) = (&mut self.of_candidates, &mut self.listed);
        self.parted.retain(|(id, left)| {
            while rows.next_if(|(_, candidate)| candidate < id).is_some() {}
            let own = rows.next_if(|(_, candidate)| candidate == id);
            let place = own.map(|(index, _)| {
                of_candidates[index as usize] = *left;
                listed.push(index);
            });
            place.is_none()
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::Pair;
    use crate::testing::{points, scene};
    use carom_math::Vec3;
    use carom_model::Law;
    use carom_time::Span;
    use proptest::prelude::*;

    /// They have more pairs than candidates may be listed in any case.
    const POINTS: usize = 60;

    fn pairs() -> (PairRules, Vec<Pair>) {
        let places: Vec<Vec3> = (0..POINTS).map(|i| Vec3::X * i as f64).collect();
        let (mut system, _) = scene(&[points(&places, 0.1)], 0.1, 4);
        let contact = system.contact.as_mut().map(std::sync::Arc::make_mut).unwrap();
        contact.layers.iter_mut().for_each(|spec| spec.law = Law::new(1.0, 0.3));
        let rules = PairRules::with_own_numbers(&system);
        let mut pairs = Vec::new();
        rules.for_each(|pair| pairs.push(pair));
        (rules, pairs)
    }

    fn pushed(candidate: u32, window: u64) -> DissipativeContact {
        DissipativeContact {
            candidate,
            vertices: [0; 4],
            count: 2,
            weights: [0.0; 4],
            normal: Vec3::Z,
            separation: Vec3::Z,
            image: Vec3::ZERO,
            arms: [None, None],
            normal_impulse: 1.0,
            law: Law::new(1.0, 0.3),
            friction_window: Span::new(window).unwrap(),
        }
    }

    proptest! {
        #[test]
        fn each_pair_is_left_what_it_did_not_use_whatever_else_is_kept_and_however_often_candidates_change(
            instants in prop::collection::vec(
                (1..5_u64, prop::collection::vec((0..2000_usize, 0.1..1.0f64), 0..40), 0..3_u32, 1..7_usize),
                1..40,
            ),
            burst in 0..1770_usize,
        ) {
            let (rules, pairs) = pairs();
            let mut unspent = UnspentFriction::new(&rules);
            let mut candidates = Candidates::default();
            candidates.replace(pairs.iter());
            unspent.join(&candidates);
            let mut expected = BTreeMap::<PairId, Unspent>::new();
            let mut tick = Tick::START;
            for (turn, (later, kept, changes, one_of)) in instants.into_iter().enumerate() {
                let many = (0..if turn == 2 { burst } else { 0 }).map(|i| (i, 0.5));
                let mut acting: BTreeMap<usize, f64> = kept.into_iter().chain(many).collect();
                acting.retain(|place, _| *place < candidates.len());
                for (place, impulse) in acting {
                    // Pairs have different windows.
                    let (id, window) = (candidates.row(place as u32).id(), 3 + place as u64 % 5);
                    let left = expected.get(&id).filter(|left| left.until >= tick);
                    prop_assert_eq!(unspent.of(place as u32, tick), left.map_or(0.0, |left| left.impulse));
                    unspent.keep(&pushed(place as u32, window), impulse, tick);
                    if tick.0.is_multiple_of(window) {
                        expected.remove(&id);
                    } else {
                        let until = Tick(tick.0 / window * window + window);
                        expected.insert(id, Unspent { impulse, until });
                    }
                }
                expected.retain(|_, left| left.until > tick);
                let list: Vec<_> = expected.iter().map(|(id, left)| (*id, *left)).collect();
                prop_assert_eq!(unspent.after(tick, &candidates), list.clone());
                match changes {
                    0 => {
                        unspent.part(tick, &candidates);
                        candidates.replace(pairs.iter().skip(one_of - 1).step_by(one_of));
                        unspent.join(&candidates);
                    }
                    1 => unspent.restore(&list, &candidates),
                    _ => {}
                }
                prop_assert_eq!(unspent.after(tick, &candidates), list);
                tick = Tick(tick.0 + later);
            }
        }
    }
}
