//! The summary of a run: what it did, in numbers, and how it ended. Times apart, a replay gives the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_engine::{MethodSummary, Outcome};
use carom_model::{Fault, System};
use carom_output::summary::{Evaluations, Refinement, Seconds, Step, Summary};
use carom_output::{AuditSummary, Verdict};

use carom_time::Quantum;

use super::recorder::Recorded;
use super::{Job, judge};
use crate::Simulation;

impl Job {
    /// The summary of a simulation of the job, after its run and the trial run that its method may need; without times.
    pub(crate) fn summary(
        &self,
        simulation: &Simulation,
        (outcome, trial_fault): (&Outcome, Option<&Fault>),
        seen: &Recorded,
        audit: Option<AuditSummary>,
    ) -> Summary {
        // A run that did not reach its end says nothing about what was expected there.
        let reached_end = outcome.fault.is_none() && !outcome.interrupted;
        let MethodSummary { instants, evaluations: computed, contact, dcr, refinements, given_up, .. } =
            simulation.summary();
        let expectations = if reached_end {
            // Distances and layers are expected of those who promise them.
            let safe = contact.as_ref().filter(|_| self.method.keeps_the_contract());
            judge::expectations(&self.built.expectations, seen, safe)
        } else {
            Vec::new()
        };
        let mut warnings = judge::warnings(self, seen, contact.as_ref(), &simulation.touches());
        warnings.extend(trial_fault.map(judge::warning_of_trial));
        warnings.extend(given_up.as_ref().filter(|_| reached_end).map(judge::warning_of_energy));
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
                expectations.iter().all(|e| e.kept)
                    && given_up.is_none()
                    && audit.as_ref().is_none_or(AuditSummary::is_clean),
            ),
            warnings,
            fault: outcome.fault.as_ref().map(ToString::to_string),
            expectations,
            ticks: outcome.reached.0,
            end_s: system.line.quantum.time(outcome.reached),
            quantum_s: system.line.quantum.seconds(),
            instants,
            vertices: system.places() as u64,
            elements: system.families.iter().map(|f| f.len() as u64).sum(),
            energy: seen.ledger.energy(),
            momentum: seen.ledger.momentum(),
            contact,
            dcr,
            refinements: refinements.iter().map(|r| refinement(r, system.line.quantum)).collect(),
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

fn refinement(refinement: &carom_engine::Refinement, quantum: Quantum) -> Refinement {
    Refinement {
        level: refinement.level,
        from_s: quantum.time(refinement.from),
        failed_at_s: quantum.time(refinement.failed_at),
        cause: refinement.cause.to_string(),
        elements: refinement.elements,
        layers: refinement.layers,
    }
}

pub(super) fn evaluations(system: &System, counts: &[u64]) -> Evaluations {
    let is_field =
        |kind: &str| system.families.iter().any(|f| f.kind() == kind && !f.properties().counts_as_evaluation);
    let counted = system.kinds().into_iter().zip(counts).filter(|(kind, _)| !is_field(kind));
    let by_kind: BTreeMap<String, u64> = counted.map(|(kind, n)| (kind.to_owned(), *n)).collect();
    Evaluations { total: by_kind.values().sum(), by_kind }
}

/// The clocks of a system: potentials of one kind with one step, as a summary lists them.
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
