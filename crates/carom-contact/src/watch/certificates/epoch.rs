//! An epoch: the search for near pairs, and fresh proofs for all of them.

use std::time::Instant;

use carom_math::Vec3;
use carom_time::Tick;

use super::super::near::{CandidateDistance, search_in};
use super::{Budget, Candidate, Certificate, Certificates, ROUNDING, SKIN_STEPS};
use crate::Motion;

impl Certificates {
    /// Starts an epoch: a new frame, new anchors, near pairs and proofs for all of them.
    pub(super) fn search(&mut self, tick: Tick, motion: &Motion) {
        let started = Instant::now();
        self.stats.counters.searches += 1;
        self.search_is_due = false;
        let x: Vec<Vec3> = (0..self.budgets.len() as u32).map(|v| motion.position_at(v, tick)).collect();
        self.frame =
            if self.anything_held { Vec3::ZERO } else { mean_velocity(&self.masses, motion.velocities) };
        self.frame_since = tick;
        let is_place = |v: &usize| self.is_place.as_ref().is_none_or(|is_place| is_place[*v]);
        let speeds: Vec<f64> = motion.velocities.iter().map(|v| (*v - self.frame).length()).collect();
        let of_places: Vec<f64> = (0..x.len()).filter(is_place).map(|v| speeds[v]).collect();
        self.max_displacement.begin(of_places.iter().copied().fold(0.0, f64::max));
        let typical = root_mean_square(of_places.into_iter());
        let mut skins = vec![0.0; x.len()];
        let mut least = vec![0.0; x.len()];
        for v in 0..x.len() {
            let speed = speeds[v];
            let span = self.budgets[v].regular.unwrap_or(self.idle);
            // In proportion to its speed, so that not the fastest few call for every search.
            let share = if typical > 0.0 { 1.0 + speed / typical } else { 1.0 };
            least[v] = self.least_skin[v].max(SKIN_STEPS * speed * motion.quantum.step(span));
            skins[v] = least[v].max(share * self.least_skin[v]);
        }
        let known = self.culling.keep(&x, &least, &mut skins);
        let mut size: f64 = 0.0;
        for (v, x) in x.iter().enumerate() {
            let (budget, skin) = (&mut self.budgets[v], skins[v]);
            *budget = Budget { anchor: *x, origin: *x, skin, valid_until: tick, ..*budget };
            if self.is_place.as_ref().is_some_and(|is_place| !is_place[v]) {
                continue;
            }
            // A long flight rounds like the far place where it began.
            for x in [x, &motion.positions[v]] {
                size = size.max(x.x.abs()).max(x.y.abs()).max(x.z.abs());
            }
            if skin.is_finite() {
                size = size.max(skin);
            }
        }
        let quanta = size / (self.frame.length() * motion.quantum.seconds());
        let last = (Tick::LAST.0 - tick.0) as f64;
        self.epoch_end = (quanta < last).then(|| Tick(tick.0 + quanta as u64));
        self.rounding_bound = ROUNDING * size;
        for v in 0..self.budgets.len() as u32 {
            self.budgets[v as usize].allowance = self.skin_left(v);
        }
        self.valid_until.clear();
        let mut found = core::mem::take(&mut self.found);
        search_in(&mut self.broad_phase, &self.rules, (&x, &skins), Some(&known), &mut found);
        self.enlist(&found, tick);
        for (index, CandidateDistance { pair, distance, error }) in (0..).zip(&found) {
            let fastest = |part: &[u32]| part.iter().map(|v| speeds[*v as usize]).fold(0.0, f64::max);
            let (first, second) = pair.stencil().split_at(pair.first_primitive());
            let shares = self.sleep(index, tick, [fastest(first), fastest(second)], *distance, *error);
            let slots = self.certificates[index as usize].slots;
            for (i, (&slot, &v)) in slots.iter().zip(pair.stencil()).enumerate() {
                let share = shares[usize::from(i >= pair.first_primitive())];
                self.contributions[slot as usize] = share;
                let allowance = &mut self.budgets[v as usize].allowance;
                *allowance = allowance.min(share);
            }
        }
        self.found = found;
        self.stats.counters.searching += started.elapsed();
    }

    /// Takes up the pairs of a search, all asleep, with room for the contributions of their vertices.
    pub(super) fn enlist(&mut self, found: &[CandidateDistance], tick: Tick) {
        self.stats.counters.near_pairs = found.len() as u64;
        self.active_set.clear();
        let mut first = vec![0_u32; self.budgets.len() + 1];
        for CandidateDistance { pair, .. } in found {
            pair.stencil().iter().for_each(|v| first[*v as usize + 1] += 1);
        }
        for v in 1..first.len() {
            first[v] += first[v - 1];
        }
        let slots = first.last().copied().unwrap_or(0) as usize;
        self.slot_pair.clear();
        self.slot_pair.resize(slots, 0);
        self.contributions.clear();
        self.contributions.resize(slots, f64::INFINITY);
        let mut next = first.clone();
        self.first_slot = first;
        self.pairs.clear();
        self.certificates.clear();
        for (index, CandidateDistance { pair, .. }) in (0..).zip(found) {
            let mut slots = [0; 4];
            for (slot, &v) in slots.iter_mut().zip(pair.stencil()) {
                *slot = next[v as usize];
                self.slot_pair[*slot as usize] = index;
                next[v as usize] += 1;
            }
            self.pairs.push(Candidate::asleep(pair));
            self.certificates.push(Certificate { measured_at: tick, slots });
        }
    }
}

fn root_mean_square(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(|x| x * x).sum::<f64>() / count).sqrt()
}

fn mean_velocity(masses: &[f64], velocities: &[Vec3]) -> Vec3 {
    let total: f64 = masses.iter().sum();
    let momentum = masses.iter().zip(velocities).fold(Vec3::ZERO, |p, (m, v)| p + *v * *m);
    momentum * (1.0 / total)
}
