//! The summary of a run: what it did, in numbers, and how it ended. Times apart, a replay gives the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_engine::{MethodSummary, Outcome};
use carom_model::{Fault, System};
use carom_output::summary::{
    Decider, EnergyVerdict, Evaluations, GivenUp, Refinement, Seconds, Step, Summary,
};
use carom_output::{AuditSummary, Verdict};

use carom_time::Quantum;

use super::energy::judge as judge_energy;
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
        let promises = self.method.keeps_the_contract();
        let energy = seen.ledger.energy();
        let energy_verdict =
            reached_end.then(|| judge_energy(&self.built.expectations, &energy, given_up.as_ref(), promises));
        let expectations = if reached_end {
            // Distances and layers are expected of those who promise them.
            judge::expectations(&self.built.expectations, seen, contact.as_ref().filter(|_| promises))
        } else {
            Vec::new()
        };
        let mut warnings = judge::warnings(self, seen);
        if judge::may_blame_energy(energy_verdict.as_ref(), &expectations) {
            let touches = simulation.touches();
            warnings.extend(judge::warnings_of_energy(self, &energy, contact.as_ref(), &touches));
            warnings.extend(
                given_up
                    .as_ref()
                    .filter(|_| reached_end)
                    .map(|given_up| judge::warning_of_steps(&given_up.cause)),
            );
        }
        warnings.extend(trial_fault.map(judge::warning_of_trial));
        let system = simulation.system();
        let quantum = system.line.quantum;
        let kept = Kept {
            all: expectations.iter().all(|e| e.kept) && audit.as_ref().is_none_or(AuditSummary::is_clean),
            is_expected: !expectations.is_empty(),
        };
        Summary {
            format: carom_output::summary::FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene: self.name.clone(),
            method: self.method.name().to_owned(),
            fingerprint: simulation.fingerprint().to_string(),
            scene_fingerprint: carom_scene::content_hash(self.resolved.as_bytes()),
            verdict: verdict(outcome, energy_verdict.as_ref(), promises, kept),
            warnings,
            fault: outcome.fault.as_ref().map(ToString::to_string),
            expectations,
            ticks: outcome.reached.0,
            end_s: quantum.time(outcome.reached),
            quantum_s: quantum.seconds(),
            instants,
            vertices: system.places() as u64,
            elements: system.families.iter().map(|f| f.len() as u64).sum(),
            energy,
            energy_verdict,
            momentum: seen.ledger.momentum(),
            contact,
            dcr,
            refinements: refinements.iter().map(|r| refinement(r, quantum)).collect(),
            given_up: given_up.map(|given_up| self::given_up(&given_up, quantum)),
            relax: None,
            evaluations: evaluations(system, &computed),
            seconds: Seconds::default(),
            steps: steps(system),
            audit,
        }
    }
}

/// What a run kept of what its scene expects.
#[derive(Clone, Copy)]
struct Kept {
    /// Every expectation was met, and the audit found nothing.
    all: bool,
    /// There are expectations.
    is_expected: bool,
}

/// The verdict; there is one on the energy if the run reached its end.
fn verdict(outcome: &Outcome, energy: Option<&EnergyVerdict>, promises: bool, kept: Kept) -> Verdict {
    match energy {
        None if outcome.fault.is_some() => Verdict::Fault,
        None => Verdict::Interrupted,
        Some(_) if !kept.all => Verdict::ExpectationFailed,
        Some(energy) if energy.is_off() => Verdict::EnergyOff,
        Some(_) if !promises => Verdict::Finished,
        Some(_) if kept.is_expected => Verdict::AsExpected,
        Some(energy) if energy.decided_by == Decider::Tolerance => Verdict::WithinTolerance,
        Some(_) => Verdict::Finished,
    }
}

fn refinement(refinement: &carom_engine::Refinement, quantum: Quantum) -> Refinement {
    Refinement {
        level: refinement.level,
        from_s: quantum.time(refinement.from),
        failed_at_s: quantum.time(refinement.failed_at),
        cause: refinement.cause.to_string(),
        in_vain: refinement.in_vain,
        elements: refinement.elements,
        layers: refinement.layers,
    }
}

fn given_up(given_up: &carom_engine::GivenUp, quantum: Quantum) -> GivenUp {
    GivenUp {
        failed_at_s: quantum.time(given_up.failed_at),
        cause: given_up.cause.to_string(),
        off_j: given_up.off_j,
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use carom_time::Tick;

    use super::*;

    fn outcome(interrupted: bool) -> Outcome {
        let (integrating, observer_time) = (Duration::ZERO, Duration::ZERO);
        Outcome { reached: Tick(7), fault: None, interrupted, integrating, observer_time }
    }

    fn energy(off: f64, decided_by: Decider) -> EnergyVerdict {
        EnergyVerdict { tolerance: Some(1e-3), off, kept: off <= 1e-3, decided_by }
    }

    /// The verdict where a method that promises something, or nothing, met what its scene expects.
    fn of(energy: &EnergyVerdict, promises: bool, is_expected: bool) -> Verdict {
        verdict(&outcome(false), Some(energy), promises, Kept { all: true, is_expected })
    }

    #[test]
    fn only_a_scene_that_expects_something_is_as_expected() {
        let kept = energy(1e-4, Decider::Tolerance);
        assert_eq!(of(&kept, true, true), Verdict::AsExpected);
        assert_eq!(of(&kept, true, false), Verdict::WithinTolerance);
        assert_eq!(of(&energy(0.5, Decider::Nobody), true, false), Verdict::Finished);
        assert_eq!(of(&energy(0.5, Decider::Scene), true, true), Verdict::AsExpected);
    }

    #[test]
    fn energy_that_is_off_is_never_good_and_a_method_without_promises_is_never_praised() {
        for is_expected in [false, true] {
            assert_eq!(of(&energy(0.03, Decider::Tolerance), true, is_expected), Verdict::EnergyOff);
            for promises in [false, true] {
                assert_eq!(of(&energy(f64::NAN, Decider::Scene), promises, is_expected), Verdict::EnergyOff);
            }
            assert_eq!(of(&energy(1e-9, Decider::Nobody), false, is_expected), Verdict::Finished);
        }
        let failed = Kept { all: false, is_expected: true };
        let kept = energy(1e-4, Decider::Tolerance);
        assert_eq!(verdict(&outcome(false), Some(&kept), false, failed), Verdict::ExpectationFailed);
        assert_eq!(verdict(&outcome(true), None, true, failed), Verdict::Interrupted);
    }
}
