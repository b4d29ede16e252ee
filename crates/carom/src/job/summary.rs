//! The summary of a run: what it did, in numbers, and how it ended. Times apart, a replay gives the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_engine::{ContactSummary, DcrSummary, MethodSummary, Outcome};
use carom_model::System;
use carom_output::summary::{Contact, Dcr, Evaluations, Seconds, Step, Summary};
use carom_output::{AuditSummary, Verdict};

use super::recorder::Recorded;
use super::{Job, judge};
use crate::Simulation;

impl Job {
    /// The summary of a simulation of the job, after its run; without times.
    pub(crate) fn summary(
        &self,
        simulation: &Simulation,
        outcome: &Outcome,
        seen: &Recorded,
        audit: Option<AuditSummary>,
    ) -> Summary {
        // A run that did not reach its end says nothing about what was expected there.
        let reached_end = outcome.fault.is_none() && !outcome.interrupted;
        let MethodSummary { instants, evaluations: computed, contact, dcr, .. } = simulation.summary();
        let expectations = if reached_end {
            // Distances and layers are expected of those who promise them.
            let safe = contact.as_ref().filter(|_| self.method.keeps_the_contract());
            judge::expectations(&self.built.expectations, seen, safe)
        } else {
            Vec::new()
        };
        let system = simulation.system();
        Summary {
            format: carom_output::summary::FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene: self.name.clone(),
            method: self.method.name().to_owned(),
            fingerprint: simulation.fingerprint().to_string(),
            scene_fingerprint: carom_scene::content_hash(self.resolved.as_bytes()),
            verdict: verdict(
                outcome,
                expectations.iter().all(|e| e.kept) && audit.as_ref().is_none_or(AuditSummary::is_clean),
            ),
            warnings: judge::warnings(self, seen, contact.as_ref(), &simulation.touches()),
            fault: outcome.fault.as_ref().map(ToString::to_string),
            expectations,
            ticks: outcome.reached.0,
            end_s: system.line.quantum.time(outcome.reached),
            quantum_s: system.line.quantum.seconds(),
            instants,
            vertices: system.places() as u64,
            elements: system.families.iter().map(|f| f.len() as u64).sum(),
            energy: seen.ledger.energy().into(),
            momentum: seen.ledger.momentum().into(),
            contact: contact.as_ref().map(contact_numbers),
            dcr: dcr.map(dcr_numbers),
            relax: None,
            evaluations: evaluations(system, &computed),
            seconds: Seconds::default(),
            steps: steps(system),
            audit,
        }
    }
}

fn verdict(outcome: &Outcome, all_kept: bool) -> Verdict {
    match (&outcome.fault, outcome.interrupted, all_kept) {
        (Some(_), _, _) => Verdict::Fault,
        (None, true, _) => Verdict::Interrupted,
        (None, false, false) => Verdict::ExpectationFailed,
        (None, false, true) => Verdict::AsExpected,
    }
}

pub(super) fn contact_numbers(contact: &ContactSummary) -> Contact {
    Contact {
        min_distance: contact.smallest_distance_m,
        deepest_layer: contact.counters.deepest_layer,
        pairs: contact.counters.most_active,
        searches: contact.counters.searches,
        measures: contact.counters.measures,
    }
}

fn dcr_numbers(dcr: DcrSummary) -> Dcr {
    Dcr {
        steps: dcr.steps,
        projections: dcr.projections,
        jumps: dcr.jumps,
        reflected: dcr.reflected,
        largest_penetration: dcr.deepest_m,
        projection_work: dcr.projection_work_j,
        projection_work_gross: dcr.projection_work_gross_j,
        corrector_work: dcr.corrector_work_j,
        jump_work: dcr.jump_work_j,
    }
}

pub(super) fn evaluations(system: &System, counts: &[u64]) -> Evaluations {
    let is_field =
        |kind: &str| system.families.iter().any(|f| f.kind() == kind && !f.properties().counts_as_evaluation);
    let counted = system.kinds().into_iter().zip(counts).filter(|(kind, _)| !is_field(kind));
    let by_kind: BTreeMap<String, u64> = counted.map(|(kind, n)| (kind.to_owned(), *n)).collect();
    Evaluations { total: by_kind.values().sum(), by_kind }
}

/// The clocks of a system: potentials of one kind with one step.
#[must_use]
pub fn steps(system: &System) -> Vec<Step> {
    let of_family = |(family, schedule): (&Arc<dyn carom_model::Family>, &carom_model::Schedule)| {
        let kind = family.kind();
        let step = |rung: &carom_model::Rung| Step {
            kind: kind.to_owned(),
            quanta: rung.span.quanta(),
            seconds: system.line.quantum.step(rung.span),
            count: rung.places.len() as u64,
        };
        schedule.rungs.iter().map(step).collect::<Vec<_>>()
    };
    system.families.iter().zip(&system.schedules).flat_map(of_family).collect()
}
