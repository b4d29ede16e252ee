//! Contact at an instant: which pairs are due, their impulses, and afterwards which layers are certified.
//!
//! The engine asks a [`ContactPipeline`] for the impulses of the pairs that push, and tells it after the kicks what moved. The pipeline
//! sets the ticks at which it must be asked.

use std::sync::Arc;
use std::time::Duration;

use carom_math::Vec3;
use carom_model::{ContactSummary, ImpulseSums, PairId, System, Unspent};
use carom_time::Tick;

use crate::active_pairs::ActivePairs;
use crate::certificates::{BruteForce, Certificates, Certifier, SpeedBound, Update, has_retreated};
use crate::checkpoint::{ContactCheckpoint, ContactEffort};
use crate::pair_forces::{Firing, PairForces, Records};
use crate::touch::Touches;
use crate::{
    DissipativeContact, Motion, Pair, PairRules, SeparationFailure, Sharing, Touch, TouchedVertices,
    UnspentFriction,
};

/// How layers are certified. It changes no bit of a run, only its cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CertifierKind {
    /// Candidates of the broad phase, certified by budgets of motion.
    #[default]
    Certificates,
    /// Every pair, certified by its distance and the path of the fastest vertex.
    SpeedBound,
    /// Every pair, every layer, every tick.
    BruteForce,
}

/// What is claimed of a candidate until the next instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// The pair.
    pub pair: PairId,
    /// It does not enter this layer; below the deepest, it does not come nearer than the thinnest.
    pub first_certified_layer: u32,
    /// Without a certificate all layers are active, and it is only claimed that the pair does not touch.
    pub is_certified: bool,
}

/// The rooms of contact in the order of the data flow.
pub struct ContactPipeline {
    rules: Arc<PairRules>,
    certifier: Box<dyn Certifier>,
    active: ActivePairs,
    forces: PairForces,
    /// Active pairs that were measured far out of their deepest active layer at the last instant.
    retreated: Vec<u32>,
    now: Tick,
    most_active: u64,
    /// What contact had taken when it was resumed.
    before: ContactEffort,
}

impl ContactPipeline {
    /// Contact at `tick`, at which nothing has touched before. If a team of threads leads, now and at every instant, it shares the work as `sharing` says; it changes no bit.
    #[must_use]
    pub fn new(
        kind: CertifierKind,
        system: &System,
        rules: PairRules,
        (tick, motion): (Tick, &Motion),
        sharing: Sharing,
    ) -> Self {
        let (rules, at) = (Arc::new(rules), (tick, motion));
        let mut active = ActivePairs::new(&rules);
        let certifier: Box<dyn Certifier> = match kind {
            CertifierKind::Certificates => {
                Box::new(Certificates::new(system, &rules, at, sharing, &mut active))
            }
            CertifierKind::SpeedBound => {
                Box::new(SpeedBound::new(system, &rules, at, &all_pairs(&rules), &mut active))
            }
            CertifierKind::BruteForce => {
                Box::new(BruteForce::new(system, &rules, tick, &all_pairs(&rules), &mut active))
            }
        };
        let forces = PairForces::new(&rules, sharing);
        let retreated = Vec::new();
        let (most_active, before) = (0, ContactEffort::default());
        Self { rules, certifier, active, forces, retreated, now: tick, most_active, before }
    }

    /// What became of contact until `tick`; no instant after it must have happened.
    #[must_use]
    pub fn save(&self, tick: Tick) -> ContactCheckpoint {
        let Records { stats, last_impulses, .. } = self.forces.records();
        let (touches, meetings) = stats.touches.save(tick);
        ContactCheckpoint {
            touches,
            meetings,
            smallest_distance_m: stats.smallest_distance,
            deepest_layer: stats.deepest_layer,
            layer_impulses: last_impulses.save(&self.rules, tick),
        }
    }

    /// Takes up what became of contact before, and what that took; before any instant.
    pub fn restore(&mut self, saved: &ContactCheckpoint, effort: ContactEffort) {
        let Records { stats, last_impulses, .. } = self.forces.records_mut();
        stats.touches = Touches::restore(&saved.touches, &saved.meetings);
        stats.smallest_distance = saved.smallest_distance_m;
        stats.deepest_layer = saved.deepest_layer;
        stats.evaluations = effort.evaluations;
        last_impulses.restore(&self.rules, self.now, &saved.layer_impulses);
        self.most_active = effort.most_active;
        self.before = effort;
    }

    /// The next tick after the last update at which a layer fires or a certificate runs out.
    #[must_use]
    pub fn next_tick(&self) -> Option<Tick> {
        self.active.next_tick(self.now).into_iter().chain(self.certifier.next_tick()).min()
    }

    /// Adds the impulses of all pairs that push at `tick`, times `fraction`, in the order of ids, and the
    /// vertices of these pairs to `reached`; of no others.
    pub fn apply_impulses(
        &mut self,
        tick: Tick,
        fraction: f64,
        motion: &Motion,
        kicks: &mut ImpulseSums,
        reached: &mut Vec<u32>,
    ) {
        self.active.collect_due(tick);
        let Self { rules, active, forces, retreated, .. } = self;
        let due = (active.candidates(), active.due());
        let firing = Firing { tick, fraction, motion };
        forces.apply_impulses(rules, due, &firing, (kicks, reached), |index, candidate, pair, distance| {
            if has_retreated(rules, pair, candidate.first_certified_layer(), distance) {
                retreated.push(index);
            }
        });
    }

    /// Renews the certificates that have run out, after the kicks of `tick`, at every instant of the run.
    pub fn update_certificates(
        &mut self,
        tick: Tick,
        motion: &Motion,
        touched: TouchedVertices,
    ) -> Result<(), SeparationFailure> {
        self.now = tick;
        let update = Update { tick, motion, touched, retreated: &self.retreated };
        let outcome = self.certifier.update_certificates(&mut self.active, &update);
        self.retreated.clear();
        self.most_active = self.most_active.max(self.active.count());
        outcome
    }

    /// The active pairs, in the order of ids: every pair that stores energy is among them.
    #[must_use]
    pub fn active_pairs(&self) -> Vec<PairId> {
        self.active.ids()
    }

    /// What is claimed of the candidates, in the order of ids; all other pairs are claimed not to enter their first layer.
    pub fn claims(&self) -> impl Iterator<Item = Claim> + '_ {
        (0..).zip(self.active.candidates().rows()).map(|(index, candidate)| Claim {
            pair: candidate.id(),
            first_certified_layer: candidate.first_certified_layer(),
            is_certified: self.certifier.is_certified(index),
        })
    }

    /// What contact took so far.
    #[must_use]
    pub fn effort(&self) -> ContactEffort {
        let certificates = self.certifier.counters();
        ContactEffort {
            evaluations: self.forces.records().stats.evaluations,
            measures: self.before.measures + certificates.measures,
            searches: self.before.searches + certificates.searches,
            most_active: self.most_active,
        }
    }

    /// How contact went so far.
    #[must_use]
    pub fn summary(&self) -> ContactSummary {
        let stats = &self.forces.records().stats;
        self.effort().summary(stats.smallest_distance, stats.deepest_layer)
    }

    /// Time spent on searches so far: for people, never for decisions.
    #[must_use]
    pub fn searching(&self) -> Duration {
        self.certifier.counters().searching
    }

    /// The smallest distance of a pair that pushed at the last instant, in m; infinite if none did.
    #[must_use]
    pub fn nearest_push(&self) -> f64 {
        self.forces.records().stats.nearest_push
    }

    /// The pairs that pushed at the last instant and have a law beside their normal force, in the order of ids.
    #[must_use]
    pub fn dissipative(&self) -> &[DissipativeContact] {
        &self.forces.records().dissipative
    }

    /// The same, and what friction has not used yet.
    pub fn dissipative_and_unspent(&mut self) -> (&[DissipativeContact], &mut UnspentFriction) {
        (&self.forces.records().dissipative, self.active.unspent_mut())
    }

    /// What friction may still take after `tick`, by pair, in the order of ids.
    #[must_use]
    pub fn unspent_after(&self, tick: Tick) -> Vec<(PairId, Unspent)> {
        self.active.unspent_after(tick)
    }

    /// Takes up what friction may still take, in the order of ids; before any instant.
    pub fn restore_unspent(&mut self, left: &[(PairId, Unspent)]) {
        self.active.restore_unspent(left);
    }

    /// What layers that do not fire at the instant whose impulses were added last have yet to give vertex `v`, or gave too early, in N·s; recorded where contact
    /// takes energy.
    #[must_use]
    pub fn pending_impulse(&self, v: u32) -> Vec3 {
        self.forces.records().last_impulses.pending_impulse(v)
    }

    /// Bodies that touched until `tick`, in the order in which they first did; no instant after it must have happened.
    #[must_use]
    pub fn touches(&self, tick: Tick) -> Vec<Touch> {
        self.forces.records().stats.touches.at(tick)
    }
}

/// Every pair, in the order of ids.
fn all_pairs(rules: &PairRules) -> Vec<Pair> {
    let mut pairs = Vec::new();
    rules.for_each(|pair| pairs.push(pair));
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FailureReason;
    use crate::testing::{points, scene};

    const KINDS: [CertifierKind; 3] =
        [CertifierKind::Certificates, CertifierKind::SpeedBound, CertifierKind::BruteForce];

    #[test]
    fn however_layers_are_certified_a_pair_that_rests_below_the_thinnest_is_a_failure() {
        let things = [[0.0, 0.0, 0.0], [0.01, 0.0, 0.0]].map(|x| points(&[Vec3::from(x)], 0.0));
        let (system, state) = scene(&things, 0.1, 4);
        for kind in KINDS {
            let (rules, motion) = (PairRules::with_own_numbers(&system), Motion::of(&state));
            let mut contact =
                ContactPipeline::new(kind, &system, rules, (Tick::START, &motion), Sharing::NONE);
            let touched = TouchedVertices { prefix: 2, others: &[] };
            let outcome = contact.update_certificates(Tick::START, &motion, touched);
            assert_eq!(outcome.unwrap_err().why, FailureReason::Deepest, "{kind:?}");
        }
    }
}
