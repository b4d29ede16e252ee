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
//! | `rows` | rows of the ledger, with what errors are measured against |
//! | `judge`, `energy` | expectations and warnings; whether the energy was kept |
//! | `summary` | all of it in numbers: `summary.json` |
//! | `numbers` | another observer: the same rows, in memory |
//! | `from` | the frames of earlier runs, to start from |
//! | `relax` | the same scene, brought to rest instead of run |

mod cells;
mod energy;
mod frame_maker;
mod from;
mod judge;
mod numbers;
mod probes;
mod recorder;
mod relax;
mod rows;
mod summary;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use carom_engine::{MethodKind, Outcome, PartTimes, Plan};
use carom_model::System;
use carom_output::summary::{Seconds, Summary};
use carom_output::{Ledger, OutputError, RecordLayout, RecordWriter, RunFolder, RunOptions, plot};
use carom_scene::{Built, Loaded, SceneError};

use crate::Simulation;
use crate::audit::{Audit, Findings};
use crate::start::{build_and_check, build_and_check_to_relax, system_of};
use carom_time::Tick;
pub use frame_maker::FrameMaker;
pub use from::FrameOf;
pub use numbers::{Numbers, ProbeRow};
pub(crate) use recorder::Recorder;
pub use relax::RelaxProgress;
use summary::evaluations;
pub use summary::steps;

/// A scene to run into a folder, with its options: what `carom run` does.
///
/// ```
/// use carom::job::Job;
/// use carom::output::{RunFolder, RunOptions, Verdict};
/// use carom::prelude::*;
/// use std::sync::atomic::AtomicBool;
///
/// let job = Job::new(&Scene::load("two-masses", &[])?)?;
/// let out = std::env::temp_dir().join(format!("carom-job-{}", std::process::id()));
/// let folder = RunFolder::create(Some(&out), &job.name)?;
/// let run = job.run(&folder, &RunOptions::default(), &mut |_| {}, &AtomicBool::new(false))?;
/// assert_eq!(run.summary.verdict, Verdict::AsExpected);
/// assert!(folder.file(RunFolder::LEDGER).is_file());
/// std::fs::remove_dir_all(out)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

/// A run that was made, and written to its folder: what [`Job::run`] returns, so that nothing has to be read back.
#[derive(Clone, Debug)]
pub struct FinishedRun {
    /// Its verdict and numbers.
    pub summary: Summary,
    /// How it was started.
    pub options: RunOptions,
    /// Energies and momenta, row by row.
    pub ledger: Ledger,
}

/// Progress of a run, for a bar or a line on a screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Part of the run that is done, from 0 to 1.
    pub fraction: f64,
    /// Time reached, in s.
    pub time_s: f64,
    /// Error of the energy balance, over the energy turned over.
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
        Ok(Self::of(loaded, build_and_check(loaded)?))
    }

    /// The same for [`Job::relax`]: nothing is led anywhere, so prescribed motions may cross after the start.
    pub fn to_relax(loaded: &Loaded) -> Result<Self, JobError> {
        Ok(Self::of(loaded, build_and_check_to_relax(loaded)?))
    }

    fn of(loaded: &Loaded, (built, method): (Built, MethodKind)) -> Self {
        let resolved = loaded.scene.resolved_toml(&built);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { name: loaded.name.clone(), built: Arc::new(built), resolved, method, threads, audit: false }
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
        let files = |layout: &RecordLayout| RecordWriter::create(folder.path(), layout);
        let mut recorder = Recorder::create(&self.built, &system, files, progress)?;
        let mut simulation = self.simulation(&system);
        let plan = Plan {
            end: self.built.schedule.end,
            rows: recorder.rows(),
            zoom: self.built.schedule.zoom,
            threads: self.threads,
        };
        let (outcome, findings) = if self.audit {
            let whole = [Tick::START, self.built.schedule.end];
            let mut audit = Audit::new(&simulation.state(), &system, &self.built, whole);
            let outcome = simulation.run(&plan, &mut [&mut recorder], &mut [&mut audit], stop)?;
            let findings = audit.close(&simulation.state(), outcome.reached);
            (outcome, Some(findings))
        } else {
            (simulation.run(&plan, &mut [&mut recorder], &mut [], stop)?, None)
        };
        let (seen, files) = recorder.finish();
        files.finish()?;

        let mut summary = self.summary(
            &simulation,
            (&outcome, trial_fault.as_ref()),
            &seen,
            findings.as_ref().map(Findings::summary),
        );
        plot::write_svg(&folder.file("energy.svg"), &plot::energy(&self.name, &seen.ledger))?;
        summary.seconds = Seconds {
            wall: started.0.elapsed().as_secs_f64(),
            cpu: started.1.elapsed().as_secs_f64(),
            by_part: parts(&outcome, simulation.summary().times),
        };
        summary.write(&folder.file(RunFolder::SUMMARY))?;
        Ok(FinishedRun { summary, options: options.clone(), ledger: seen.ledger })
    }
}

/// Times by part, in s; those that were measured of the integration are included in it.
fn parts(outcome: &Outcome, times: PartTimes) -> BTreeMap<String, f64> {
    let of_integration = [
        ("integrate.start", times.start),
        ("integrate.motion", times.motion),
        ("integrate.elements", times.elements),
        ("integrate.losses", times.losses),
        ("integrate.checks", times.checks),
        ("integrate.contact_pairs", times.pairs),
        ("integrate.contact_proofs", times.certificates),
        ("integrate.contact_search", times.searches),
    ];
    let mut parts = vec![("integrate", outcome.integrating), ("observe", outcome.observer_time)];
    parts.extend(of_integration.into_iter().filter(|(_, time)| !time.is_zero()));
    parts.into_iter().map(|(name, time)| (name.to_owned(), time.as_secs_f64())).collect()
}
