//! Which pairs can penetrate now.
//!
//! A search lists the pairs within thickness and skin, by the room that is left between them. Until some vertex has moved by the
//! skin, in a frame that moves with all of them, no other pair can penetrate; until some vertex has moved by half the room of a pair, that
//! one cannot either. So a step computes how far the farthest vertex has come, and measures the first few pairs of the list.

use std::time::{Duration, Instant};

use carom_contact::{ContactEffort, Pair, PairRules, near_pairs_with_skin};
use carom_math::Vec3;
use carom_model::System;

use super::penetration::Penetration;
use crate::DcrCheckpoint;

/// The skin, as a part of the thickest contact: larger means fewer searches and longer lists.
const SKIN: f64 = 0.5;

/// The skin holds for at least so many steps like the present one.
const SKIN_STEPS: f64 = 32.0;

/// Covers rounding of displacements and distances: far more than they can lose.
const OUTWARD: f64 = 1.0 + 1e-9;

/// A candidate pair, and how far apart it was beyond where it is found.
struct Candidate {
    pair: Pair,
    thickness: f64,
    room: f64,
}

/// The pairs that may penetrate.
pub struct NearPairs {
    pub rules: PairRules,
    measure: Penetration,
    /// Nearest first.
    pairs: Vec<Candidate>,
    /// Positions at the last search.
    anchors: Vec<Vec3>,
    skin: f64,
    /// How far the farthest vertex had come in any configuration since.
    moved: f64,
    thickest: f64,
    pub searches: u64,
    pub measures: u64,
    pub searching: Duration,
}

impl NearPairs {
    /// The pairs of `system`, which has contact, with its vertices at `x`.
    pub fn new(system: &System, measure: Penetration, x: &[Vec3]) -> Self {
        let mut near = Self::empty(system, measure);
        near.search(x, 0.0);
        near
    }

    /// The pairs of `system` as a checkpoint lists them, after this effort.
    pub fn listed(
        system: &System,
        measure: Penetration,
        from: &DcrCheckpoint,
        effort: ContactEffort,
    ) -> Self {
        let mut near = Self::empty(system, measure);
        near.list(&from.anchors, from.skin_m);
        near.moved = from.moved_m;
        (near.searches, near.measures) = (effort.searches, effort.measures);
        near
    }

    /// Positions at the last search, its skin, and how far the farthest vertex has come since, in m.
    pub fn save(&self) -> (Vec<Vec3>, [f64; 2]) {
        (self.anchors.clone(), [self.skin, self.moved])
    }

    /// No pairs yet.
    fn empty(system: &System, measure: Penetration) -> Self {
        let rules = PairRules::with_own_numbers(system);
        let thickest = rules.all_layers().iter().map(|l| l.thickness(1)).fold(0.0, f64::max);
        Self {
            rules,
            measure,
            pairs: Vec::new(),
            anchors: Vec::new(),
            skin: 0.0,
            moved: 0.0,
            thickest,
            searches: 0,
            measures: 0,
            searching: Duration::ZERO,
        }
    }

    /// Adds to `found` the pairs that penetrate at `now` and were apart at `before`, the last configuration measured.
    pub fn find(&mut self, before: &[Vec3], now: &[Vec3], found: &mut Vec<(Pair, f64)>) {
        self.moved = self.moved.max(farthest(&self.anchors, now));
        if self.moved > self.skin {
            self.search(before, farthest(before, now));
            self.moved = farthest(&self.anchors, now);
        }
        let used = 2.0 * self.moved * OUTWARD;
        for near in self.pairs.iter().take_while(|near| near.room <= used) {
            let at = |x: &[Vec3]| PairRules::positions(&near.pair, |v| x[v as usize]);
            self.measures += 1;
            if self.measure.finds(&near.pair, near.thickness, &at(before), &at(now)) {
                found.push((near.pair, near.thickness));
            }
        }
    }

    /// Lists the pairs near `x`, for steps in which vertices move by `step`.
    fn search(&mut self, x: &[Vec3], step: f64) {
        let started = Instant::now();
        self.searches += 1;
        self.list(x, (SKIN * self.thickest).max(SKIN_STEPS * step));
        self.searching += started.elapsed();
    }

    /// Lists the pairs near `x` with a skin, in m.
    fn list(&mut self, x: &[Vec3], skin: f64) {
        self.skin = skin;
        self.anchors = x.to_vec();
        self.pairs.clear();
        for found in near_pairs_with_skin(&self.rules, x, &vec![self.skin; x.len()]) {
            // Nearer at rest than the gap: neighbours in a mesh, which hold each other.
            if found.pair.first_layer > 1 {
                continue;
            }
            let thickness = self.rules.layers_of(&found.pair).thickness(1);
            let room = found.distance - self.measure.reach(&found.pair, thickness) - found.error;
            self.pairs.push(Candidate { pair: found.pair, thickness, room });
        }
        self.pairs.sort_by(|a, b| a.room.total_cmp(&b.room).then(a.pair.id.cmp(&b.pair.id)));
    }
}

/// The longest way between two configurations, less their common translation.
fn farthest(from: &[Vec3], to: &[Vec3]) -> f64 {
    let ways = || from.iter().zip(to).map(|(a, b)| *b - *a);
    let mean = ways().sum::<Vec3>() * (1.0 / from.len() as f64);
    ways().map(|way| (way - mean).length_sq()).fold(0.0, f64::max).sqrt()
}
