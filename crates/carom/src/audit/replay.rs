//! The audit of a finished run, replayed from its folder.
//!
//! The replay makes rows, frames and summary as the run did, and `carom_output::records` holds them against the files.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use carom_engine::Plan;
use carom_output::records::{self, Extent};
use carom_output::{Ledger, OutputError, RecordChecker, RecordDifferences, RecordLayout, RunFolder};
use carom_time::{StepError, Tick};

use super::recorded::{Ending, RecordedRun};
use super::{Audit, Findings};
use crate::job::{JobError, Recorder};
use crate::start::system_of;

/// The part of a run to audit.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// First time to judge, in s; the start of the run if there is none. Records are compared from the start.
    pub from_s: Option<f64>,
    /// Last time to audit, in s; the end of the run if there is none.
    pub to_s: Option<f64>,
}

/// Results of the audit of a finished run.
#[derive(Clone, Debug)]
pub struct Audited {
    /// Name of the scene.
    pub scene: String,
    /// First and last time of the audit, in s.
    pub window_s: [f64; 2],
    /// Results of the judges.
    pub findings: Findings,
    /// Where the files of the run are not what the replay gives.
    pub records: RecordDifferences,
    /// Whether the replay ended in the bits of the run; `None` if it was not replayed to its end, or if the run did not live to write them.
    pub same_bits: Option<bool>,
    /// Whether the run has no summary: it was killed, or the file was removed.
    pub was_killed: bool,
    /// The Fault in which the replay ended, in words.
    pub fault: Option<String>,
    /// Energies and momenta of the replay.
    pub ledger: Ledger,
}

impl Audited {
    /// Whether the judges found nothing, and the records are those of the replay.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.findings.is_clean() && self.records.is_empty() && self.same_bits != Some(false)
    }
}

/// Why a run could not be audited.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The folder is not that of a run.
    #[error("{} is not the folder of a run: it has no {}; `carom run` writes one, and says where", .0.display(), RunFolder::SCENE)]
    NoRun(PathBuf),
    /// A relaxation, which is no motion.
    #[error("an audit replays a motion, and this is a relaxation: `carom relax` repeats it")]
    Relaxation,
    /// The scene of the run cannot be built any more.
    #[error(transparent)]
    Job(#[from] JobError),
    /// A file of the run cannot be read.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A time that is not on the run's time line.
    #[error(transparent)]
    Time(#[from] StepError),
    /// A window that is none.
    #[error("there is nothing to judge from {from_s} s to {to_s} s: the run lasted {end_s} s")]
    Window {
        /// The requested start, in s.
        from_s: f64,
        /// The requested end, in s.
        to_s: f64,
        /// The end of the run, in s.
        end_s: f64,
    },
    /// The user stopped the audit.
    #[error("interrupted before the end: there is no verdict")]
    Interrupted,
}

impl From<std::io::Error> for AuditError {
    fn from(error: std::io::Error) -> Self {
        Self::Job(error.into())
    }
}

/// Replays the run in `folder`, audits it and compares its records; setting `stop` ends it early.
pub fn replay(folder: &Path, what: &Replay, stop: &AtomicBool) -> Result<Audited, AuditError> {
    let run = RecordedRun::open(folder)?;
    let job = &run.job;
    let (system, trial_fault) = system_of(&job.built, job.method, stop);
    let line = &system.line;
    let tick_of = |seconds: f64| line.tick_at(seconds);
    let (from, to) = (what.from_s.map(tick_of).transpose()?, what.to_s.map(tick_of).transpose()?);
    let [from, to] = run.window(from, to).ok_or_else(|| {
        let end_s = line.quantum.time(run.end);
        let (from_s, to_s) = (what.from_s.unwrap_or(0.0), what.to_s.unwrap_or(end_s));
        AuditError::Window { from_s, to_s, end_s }
    })?;
    let is_whole = to >= run.end;

    let mut simulation = job.simulation(&system);
    // An audit that went along with the run took its samples from all of the time that was planned.
    let sampled_to = if run.audit().is_some() && is_whole { job.built.schedule.end } else { to };
    let mut audit = Audit::new(&simulation.state(), &system, &job.built, [from, sampled_to]);
    let mut unheard = |_| {};
    let extent = Extent { was_killed: run.summary.is_none(), is_whole };
    let files = |layout: &RecordLayout| RecordChecker::open(folder, layout, extent);
    let mut recorder = Recorder::create(&job.built, &system, files, &mut unheard)?;
    let plan = Plan {
        end: job.built.schedule.end,
        rows: recorder.rows(),
        zoom: job.built.schedule.zoom,
        threads: 1,
    };
    let at_checks = simulation.has_tolerance();
    let mut ending = Ending::new(run.ending(to, is_whole), at_checks, stop);
    let outcome = simulation.run(&plan, &mut [&mut recorder], &mut [&mut audit, &mut ending], stop)?;
    if outcome.interrupted && !ending.has_interrupted_at(outcome.reached) {
        return Err(AuditError::Interrupted);
    }
    let findings = audit.close(&simulation.state(), outcome.reached);

    let (seen, files) = recorder.finish();
    let mut records = run.input_differences();
    records.extend(files.finish()?);
    let fault = outcome.fault.as_ref().map(ToString::to_string);
    let mut same_bits = None;
    if let Some(summary) = run.summary.as_ref().filter(|_| is_whole) {
        same_bits =
            Some(simulation.fingerprint().to_string() == summary.fingerprint && fault == summary.fault);
        // What was judged in part says nothing about what was judged as a whole.
        let audit = run
            .audit()
            .map(|recorded| if from == Tick::START { findings.summary() } else { recorded.clone() });
        let recomputed = job.summary(&simulation, (&outcome, trial_fault.as_ref()), &seen, audit);
        records.extend(records::check_summary(folder, &run.comparable(recomputed, summary))?);
    }
    Ok(Audited {
        scene: job.name.clone(),
        window_s: [from, to].map(|tick| line.quantum.time(tick)),
        findings,
        records,
        same_bits,
        was_killed: run.summary.is_none(),
        fault,
        ledger: seen.ledger,
    })
}
