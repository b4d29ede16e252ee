//! What friction has not used yet, by pair.
//!
//! Of candidates it is found by their index, without looking for an id. A search makes other candidates: then it goes along by ids, and what is left to a pair that
//! is no candidate any more waits, in the order of ids, until it is over or the pair is one again.

use carom_model::{PairId, Unspent};
use carom_time::Tick;

use super::{Candidate, Candidates};
use crate::{DissipativeContact, PairRules};

/// Nothing is left.
const NOTHING: Unspent = Unspent { impulse: 0.0, until: Tick::START };

/// What friction may still take of normal impulses already given, by pair.
#[derive(Debug, Default)]
pub struct UnspentFriction {
    /// Whether there is friction between any bodies.
    is_kept: bool,
    /// By candidates; nothing where there is no friction.
    of_candidates: Vec<Unspent>,
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
        Self { is_kept: true, of_candidates: vec![NOTHING; candidates], parted: Vec::new() }
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
        let window = pair.friction_window;
        if tick.is_multiple_of(window) {
            if let Some(left) = self.of_candidates.get_mut(pair.candidate as usize) {
                *left = NOTHING;
            }
        } else if pair.law.friction > 0.0 {
            let until = tick.floor(window).after(window);
            self.of_candidates[pair.candidate as usize] = Unspent { impulse, until };
        }
    }

    /// What still counts after `tick`, by pair, in the order of ids.
    pub(super) fn after(&self, tick: Tick, candidates: &Candidates) -> Vec<(PairId, Unspent)> {
        let counts = |left: &Unspent| left.until > tick;
        let of_candidates = candidates.rows().iter().zip(&self.of_candidates);
        let of_candidates = of_candidates.filter(|(_, left)| counts(left));
        let parted = self.parted.iter().filter(|(_, left)| counts(left)).copied();
        let mut all: Vec<_> = of_candidates.map(|(row, left)| (row.id(), *left)).chain(parted).collect();
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
        let mut rows = candidates.rows().iter().map(Candidate::id).zip(&mut self.of_candidates).peekable();
        self.parted.retain(|(id, left)| {
            while rows.next_if(|(candidate, _)| candidate < id).is_some() {}
            let own = rows.next_if(|(candidate, _)| candidate == id);
            own.map(|(_, place)| *place = *left).is_none()
        });
    }
}
