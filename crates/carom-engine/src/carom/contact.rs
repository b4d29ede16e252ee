//! Contact, as the engine uses it: every call to the contact crate is here.

use std::time::Duration;

use carom_contact::{
    CertifierKind, ContactCheckpoint, ContactEffort, ContactPipeline, DissipativeContact, PairRules,
    SeparationFailure, Sharing, Touch, TouchedVertices, UnspentFriction,
};
use carom_math::Vec3;
use carom_model::{ImpulseSums, PairId, System, Unspent};
use carom_time::Tick;

use super::instant_vertices::InstantVertices;
use super::vertices::Vertices;
use crate::gap_minimum::GapMinimum;
use crate::team::Team;
use crate::{Checkpoint, ContactSummary};

/// The contact of a system that has any.
pub struct EngineContact {
    pipeline: Box<ContactPipeline>,
    gap_minimum: GapMinimum,
}

impl EngineContact {
    /// Contact at a checkpoint; vertex `v` of the system is called `renumbered[v]` in `vertices`.
    pub fn new(
        system: &System,
        from: &Checkpoint,
        renumbered: Vec<u32>,
        vertices: &Vertices,
        (kind, sharing, team): (CertifierKind, Sharing, &Team),
    ) -> Option<Self> {
        let start = || {
            let (rules, at) = (PairRules::new(system, renumbered), (from.tick, &vertices.motion()));
            Box::new(ContactPipeline::new(kind, system, rules, at, sharing))
        };
        let mut pipeline = system.contact.is_some().then(|| team.lead(start))?;
        pipeline.restore(&from.contact, from.effort.contact);
        pipeline.restore_unspent(&from.state.unspent);
        Some(Self { pipeline, gap_minimum: from.gap_minimum })
    }

    /// What became of contact until `tick`, the gap minimum, and what contact took.
    pub fn save(&self, tick: Tick) -> (ContactCheckpoint, GapMinimum, ContactEffort) {
        (self.pipeline.save(tick), self.gap_minimum, self.pipeline.effort())
    }

    /// The next tick at which a layer fires or a certificate runs out.
    pub fn next_tick(&self) -> Option<Tick> {
        self.pipeline.next_tick()
    }

    /// Adds the impulses of all pairs that push at `tick`, times `fraction`, and visits their vertices.
    pub fn add_impulses(
        &mut self,
        tick: Tick,
        fraction: f64,
        vertices: &mut Vertices,
        visited: &mut InstantVertices,
        sums: &mut ImpulseSums,
    ) {
        let before = visited.listed.len();
        self.pipeline.apply_impulses(tick, fraction, &vertices.motion(), sums, &mut visited.listed);
        visited.listed.extend(self.pipeline.dissipative().iter().flat_map(DissipativeContact::touched));
        vertices.keep_unvisited(visited, before, tick);
        vertices.drift(visited.listed[before..].iter().map(|&v| v as usize), tick);
    }

    /// The pairs that pushed at this instant and have a law beside their normal force, in the order of ids.
    pub fn dissipative(&self) -> &[DissipativeContact] {
        self.pipeline.dissipative()
    }

    /// The same, and what friction has not used yet.
    pub fn dissipative_and_unspent(&mut self) -> (&[DissipativeContact], &mut UnspentFriction) {
        self.pipeline.dissipative_and_unspent()
    }

    /// What friction may still take after `tick`, by pair, in the order of ids.
    pub fn unspent_after(&self, tick: Tick) -> Vec<(PairId, Unspent)> {
        self.pipeline.unspent_after(tick)
    }

    /// What layers that do not fire at this instant have yet to give vertex `v`, or gave too early, in N·s.
    pub fn pending_impulse(&self, v: u32) -> Vec3 {
        self.pipeline.pending_impulse(v)
    }

    /// Renews the certificates that have run out, after the kicks of `tick`, and tests that pairs stay apart.
    pub fn update_certificates(
        &mut self,
        tick: Tick,
        vertices: &Vertices,
        visited: &InstantVertices,
    ) -> Result<(), SeparationFailure> {
        let touched = TouchedVertices { prefix: visited.leading as u32, others: &visited.listed };
        self.pipeline.update_certificates(tick, &vertices.motion(), touched)
    }

    /// The distance of the nearest pair that pushed at the last instant, in m; infinite if none did.
    pub fn nearest_push(&self) -> f64 {
        self.pipeline.nearest_push()
    }

    /// How near the nearest pair came, in m, if it was nearest just before the instant that has happened.
    pub fn gap_minimum(&mut self) -> Option<f64> {
        self.gap_minimum.at(self.nearest_push())
    }

    /// Gradients of pairs computed so far.
    pub fn evaluations(&self) -> u64 {
        self.pipeline.effort().evaluations
    }

    /// Pairs that may store energy now, in the order of ids.
    pub fn active_pairs(&self) -> Vec<PairId> {
        self.pipeline.active_pairs()
    }

    /// Bodies that touched until `tick`, in the order in which they first did.
    pub fn touches(&self, tick: Tick) -> Vec<Touch> {
        self.pipeline.touches(tick)
    }

    /// How contact went so far.
    pub fn summary(&self) -> ContactSummary {
        self.pipeline.summary()
    }

    /// Time spent on searches for candidates: for people, never for decisions.
    pub fn searching(&self) -> Duration {
        self.pipeline.searching()
    }
}
