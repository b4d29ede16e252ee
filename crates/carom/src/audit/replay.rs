//! The audit of a finished run, replayed from its folder.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use carom_engine::{Observer, Plan, Reading, Snapshot};
use carom_output::{Ledger, LedgerRow, OutputError, RunFolder, Summary, Verdict};
use carom_scene::Scene;
use carom_time::{StepError, Tick};

use super::{Audit, Findings};
use crate::job::{Job, JobError, ledger_row};

/// The part of a run to audit.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// First time to audit, in s; the start of the run if there is none.
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
    /// Whether the replay ended in the bits of the run; `None` if it was not replayed to its end.
    pub same_bits: Option<bool>,
    /// The Fault in which the replay ended, in words.
    pub fault: Option<String>,
    /// Energies and momenta of the replay.
    pub ledger: Ledger,
}

/// Why a run could not be audited.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The scene of the run cannot be built any more.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The summary of the run cannot be read.
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

/// Collects the rows of the ledger.
struct Clerk {
    ledger: Ledger,
}

impl Observer for Clerk {
    fn observe(&mut self, snapshot: &Snapshot, reading: &Reading) -> std::io::Result<()> {
        self.ledger.rows.push(LedgerRow { extra: snapshot.row.is_none(), ..ledger_row(reading) });
        Ok(())
    }
}

/// Replays the run in `folder` and audits it; setting `stop` ends it early.
pub fn replay(folder: &Path, what: &Replay, stop: &AtomicBool) -> Result<Audited, AuditError> {
    let summary = Summary::read(&folder.join(RunFolder::SUMMARY))?;
    let scene = folder.join(RunFolder::SCENE);
    let loaded = Scene::load(&scene.to_string_lossy(), &[]).map_err(JobError::from)?;
    let job = Job { threads: 1, ..Job::new(&loaded)? };
    job.must_be_judged()?;
    let system = job.system(stop);
    let line = &system.line;

    let run_end = Tick(summary.ticks);
    let tick_of = |seconds: Option<f64>, otherwise: Tick| seconds.map_or(Ok(otherwise), |s| line.tick_at(s));
    let (from, to) = (tick_of(what.from_s, Tick::START)?, tick_of(what.to_s, run_end)?);
    if from >= to || to > run_end {
        let end_s = line.quantum.time(run_end);
        let (from_s, to_s) = (what.from_s.unwrap_or(0.0), what.to_s.unwrap_or(end_s));
        return Err(AuditError::Window { from_s, to_s, end_s });
    }

    let mut simulation = job.simulation(&system);
    let mut audit = Audit::new(&simulation.state(), &system, &job.built, [from, to]);
    let kinds = system.kinds().into_iter().map(str::to_owned).collect();
    let mut clerk = Clerk { ledger: Ledger { kinds, rows: Vec::new() } };
    // A run that had a Fault must have it again, so the replay goes on to the same end.
    let is_whole = to == run_end;
    let end = if is_whole && summary.verdict == Verdict::Fault { job.built.end } else { to };
    let plan = Plan { end, rows: u64::from(job.built.rows), zoom: job.built.zoom, threads: 1 };
    let outcome = simulation.run(&plan, &mut [&mut clerk], &mut [&mut audit], stop)?;
    if outcome.interrupted {
        return Err(AuditError::Interrupted);
    }
    let findings = audit.close(&simulation.state(), outcome.reached);
    let fault = outcome.fault.map(|fault| fault.to_string());
    let same_bits = is_whole
        .then(|| simulation.fingerprint().to_string() == summary.fingerprint && fault == summary.fault);
    let window_s = [from, to].map(|tick| line.quantum.time(tick));
    Ok(Audited { scene: summary.scene, window_s, findings, same_bits, fault, ledger: clerk.ledger })
}
