//! A job: one scene, one method, one folder.
//!
//! All output of a run is written here, in order: first what is needed to repeat it,
//! then rows and frames as they come, last the summary. However the run ends (normally, by a Fault, by the user), the files up to then are
//! complete and readable.
//!
//! | file | idea |
//! | --- | --- |
//! | `recorder` | the observer: ledger, probes, frames |
//! | `frame_maker`, `cells` | frames, with step and energy density of each cell |
//! | `probes` | values of probes |
//! | `judge` | expectations and warnings |
//! | `numbers` | another observer: the same rows, in memory |
//! | `from` | the frames of earlier runs, to start from |
//! | `relax` | the same scene, brought to rest instead of run |

mod cells;
mod frame_maker;
mod from;
mod judge;
mod numbers;
mod probes;
mod recorder;
mod relax;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use carom_engine::{ContactSummary, DcrSummary, MethodKind, MethodSummary, Outcome, Plan};
use carom_model::System;
use carom_output::summary::{Contact, Dcr, Evaluations, Seconds, Step, Summary};
use carom_output::{Ledger, OutputError, RunFolder, RunOptions, Verdict, plot};
use carom_scene::{Built, Loaded, SceneError};

use crate::Simulation;
use crate::audit::{Audit, Findings};
use crate::start::{build_and_check, system_of};
use carom_time::Tick;
pub use frame_maker::FrameMaker;
pub use from::FrameOf;
pub use numbers::{Numbers, ProbeRow};
use recorder::Recorder;
pub(crate) use recorder::ledger_row;
pub use relax::RelaxProgress;

/// A scene to run, with its options.
pub struct Job {
    /// Name of the scene.
    pub name: String,
    /// The scene, built.
    pub built: Arc<Built>,
    /// The scene as it is kept in the folder.
    pub resolved: String,
    /// The way to integrate.
    pub method: MethodKind,
    /// With two or more, reading and writing happen beside the integration: all cores, unless changed.
    pub threads: usize,
    /// Whether the run is audited while it happens.
    pub audit: bool,
}

/// A run that was made, and written to its folder.
#[derive(Clone, Debug)]
pub struct FinishedRun {
    /// Its verdict and numbers.
    pub summary: Summary,
    /// How it was started.
    pub options: RunOptions,
    /// Energies and momenta, row by row.
    pub ledger: Ledger,
}

/// Progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Part of the run that is done, from 0 to 1.
    pub fraction: f64,
    /// Time reached, in s.
    pub time_s: f64,
    /// Total energy against its start, on the energy's scale.
    pub energy_error: f64,
}

/// A job that could not be done at all. A run that faults is done: its summary says so.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The scene is not sound.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// An audit of a method that is outside the contract.
    #[error(
        "an audit holds a run against the contract, and {0} is outside it: run the scene with another method"
    )]
    NotJudged(&'static str),
    /// An audit of grains that meet through the border of a periodic box.
    #[error(
        "an audit does not know of images in a periodic box: run the scene without `contact.period`, between walls"
    )]
    Periodic,
    /// A file could not be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// An observer failed.
    #[error("cannot write what was seen: {0}")]
    Io(#[from] std::io::Error),
}

impl Job {
    /// Builds the scene and checks the steps that the user gave.
    pub fn new(loaded: &Loaded) -> Result<Self, JobError> {
        let (built, method) = build_and_check(loaded)?;
        let resolved = loaded.scene.resolved_toml(&built);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            name: loaded.name.clone(),
            built: Arc::new(built),
            resolved,
            method,
            threads,
            audit: false,
        })
    }

    /// The system that the method integrates: that of the scene, on the clocks of the method.
    #[must_use]
    pub fn system(&self, stop: &AtomicBool) -> Arc<System> {
        system_of(&self.built, self.method, stop).0
    }

    /// The run before its first instant; `system` is that of the job.
    pub(crate) fn simulation(&self, system: &Arc<System>) -> Simulation {
        let (state, built) = (self.built.state.clone(), Arc::clone(&self.built));
        Simulation::before_start((self.method, self.threads.into()), Arc::clone(system), state, Some(built))
    }

    /// Refuses the audit of a method that the contract does not cover.
    pub(crate) fn must_be_judged(&self) -> Result<(), JobError> {
        if self.method.keeps_the_contract() { Ok(()) } else { Err(JobError::NotJudged(self.method.name())) }
    }

    fn write_what_repeats_it(&self, folder: &RunFolder, options: &RunOptions) -> Result<(), OutputError> {
        folder.write_scene(&self.resolved)?;
        for file in &self.built.files {
            folder.write_kept(&file.path, &file.bytes)?;
        }
        folder.write_options(options)
    }

    /// Runs the job into `folder`; calls `progress` at every row; setting `stop` ends the run.
    pub fn run(
        &self,
        folder: &RunFolder,
        options: &RunOptions,
        progress: &mut (dyn FnMut(Progress) + Send),
        stop: &AtomicBool,
    ) -> Result<FinishedRun, JobError> {
        if self.audit {
            self.must_be_judged()?;
        }
        self.write_what_repeats_it(folder, options)?;

        let (system, trial_fault) = system_of(&self.built, self.method, stop);
        // Finding out how deep layers must go is not part of a method's cost.
        let started = (Instant::now(), cpu_time::ProcessTime::now());
        let mut recorder = Recorder::create(&self.built, &system, folder, progress)?;
        let mut simulation = self.simulation(&system);
        let plan =
            Plan { end: self.built.end, rows: recorder.rows(), zoom: self.built.zoom, threads: self.threads };
        let (outcome, findings) = if self.audit {
            let whole = [Tick::START, self.built.end];
            let mut audit = Audit::new(&simulation.state(), &system, &self.built, whole);
            let outcome = simulation.run(&plan, &mut [&mut recorder], &mut [&mut audit], stop)?;
            let findings = audit.close(&simulation.state(), outcome.reached);
            (outcome, Some(findings))
        } else {
            (simulation.run(&plan, &mut [&mut recorder], &mut [], stop)?, None)
        };
        let seen = recorder.finish()?;

        // A run that did not reach its end says nothing about what was expected there.
        let reached_end = outcome.fault.is_none() && !outcome.interrupted;
        let MethodSummary { instants, evaluations: computed, element_time, contact, dcr } =
            simulation.summary();
        let expectations = if reached_end {
            // Distances and layers are expected of those who promise them.
            let safe = contact.as_ref().filter(|_| self.method.keeps_the_contract());
            judge::expectations(&self.built.expectations, &seen, safe)
        } else {
            Vec::new()
        };
        let mut warnings = judge::warnings(self, &seen, contact.as_ref(), &simulation.touches());
        warnings.extend(trial_fault.as_ref().map(judge::warning_of_trial));
        let mut summary = Summary {
            format: carom_output::summary::FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene: self.name.clone(),
            method: self.method.name().to_owned(),
            fingerprint: simulation.fingerprint().to_string(),
            verdict: verdict(
                &outcome,
                expectations.iter().all(|e| e.kept) && findings.as_ref().is_none_or(Findings::is_clean),
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
            energy: seen.ledger.energy().into(),
            momentum: seen.ledger.momentum().into(),
            contact: contact.as_ref().map(contact_numbers),
            dcr: dcr.map(dcr_numbers),
            relax: None,
            evaluations: evaluations(&system, &computed),
            seconds: Seconds::default(),
            steps: steps(&system),
            audit: findings.as_ref().map(Findings::summary),
        };
        plot::write_energy(&folder.file("energy.svg"), &self.name, &seen.ledger)?;
        summary.seconds = Seconds {
            wall: started.0.elapsed().as_secs_f64(),
            cpu: started.1.elapsed().as_secs_f64(),
            by_part: parts(&outcome, element_time, contact.as_ref()),
        };
        summary.write(&folder.file(RunFolder::SUMMARY))?;
        Ok(FinishedRun { summary, options: options.clone(), ledger: seen.ledger })
    }
}

/// Times by part, in s. Those of contact are included in the integration.
fn parts(
    outcome: &Outcome,
    element_time: Option<Duration>,
    contact: Option<&ContactSummary>,
) -> BTreeMap<String, f64> {
    let mut parts = vec![("integrate", outcome.integrating), ("observe", outcome.observer_time)];
    parts.extend(element_time.map(|time| ("integrate.elements", time)));
    parts.extend(contact.into_iter().flat_map(|c| {
        let ContactSummary { force_time, certificate_time, counters, .. } = *c;
        [
            ("integrate.contact_pairs", force_time),
            ("integrate.contact_proofs", certificate_time),
            ("integrate.contact_search", counters.searching),
        ]
    }));
    parts.into_iter().map(|(name, time)| (name.to_owned(), time.as_secs_f64())).collect()
}

fn verdict(outcome: &Outcome, all_kept: bool) -> Verdict {
    match (&outcome.fault, outcome.interrupted, all_kept) {
        (Some(_), _, _) => Verdict::Fault,
        (None, true, _) => Verdict::Interrupted,
        (None, false, false) => Verdict::ExpectationFailed,
        (None, false, true) => Verdict::AsExpected,
    }
}

fn contact_numbers(contact: &ContactSummary) -> Contact {
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

fn evaluations(system: &System, counts: &[u64]) -> Evaluations {
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
