//! A run as its folder tells of it, rows and frames apart, and where its replay ends.

use core::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use carom_engine::{Inspector, InstantListener, InstantReport, Method};
use carom_output::{AuditSummary, RecordDifference, RecordDifferences, RunFolder, Summary, Verdict, records};
use carom_scene::{Loaded, Scene, content_hash};
use carom_time::Tick;

use super::AuditError;
use crate::job::{Job, JobError};

/// A run as its folder tells of it.
pub(super) struct RecordedRun {
    loaded: Loaded,
    pub job: Job,
    /// `None` if the run was killed.
    pub summary: Option<Summary>,
    /// Last tick of the run, as its records say.
    pub end: Tick,
}

impl RecordedRun {
    pub fn open(folder: &Path) -> Result<Self, AuditError> {
        let scene = folder.join(RunFolder::SCENE);
        if !scene.is_file() {
            return Err(AuditError::NoRun(folder.to_owned()));
        }
        if folder.join(RunFolder::RELAX).is_file() {
            return Err(AuditError::Relaxation);
        }
        let summary = folder.join(RunFolder::SUMMARY);
        let summary = summary.is_file().then(|| Summary::read(&summary)).transpose()?;
        let loaded = Scene::load(&scene.to_string_lossy(), &[]).map_err(JobError::from)?;
        let job = Job { threads: 1, ..Job::new(&loaded)? };
        job.must_be_judged()?;
        let ticks = summary.as_ref().map(|summary| summary.ticks).or_else(|| records::last_tick(folder));
        let end = Tick(ticks.unwrap_or(0)).min(job.built.schedule.end);
        Ok(Self { loaded, job, summary, end })
    }

    /// The audit that went along with the run, if there was one.
    pub fn audit(&self) -> Option<&AuditSummary> {
        self.summary.as_ref()?.audit.as_ref()
    }

    /// First and last tick to judge; `None` if there is nothing between them. A summary without a window is always compared: its end may be wrong.
    pub fn window(&self, from: Option<Tick>, to: Option<Tick>) -> Option<[Tick; 2]> {
        let is_asked = from.is_some() || to.is_some() || self.summary.is_none();
        let (from, to) = (from.unwrap_or(Tick::START), to.unwrap_or(self.end));
        (!is_asked || (from < to && to <= self.end)).then_some([from, to])
    }

    /// How a replay up to `to` ends.
    pub fn ending(&self, to: Tick, is_whole: bool) -> EndingKind {
        match &self.summary {
            Some(summary) if is_whole && summary.verdict == Verdict::Interrupted => {
                EndingKind::Interrupt(self.end)
            }
            // A run that had a Fault must have it again, so the replay goes on until it has.
            Some(_) if is_whole => EndingKind::Own,
            _ => EndingKind::Pause(to),
        }
    }

    /// Scene and meshes against the hashes that the run kept of them.
    pub fn input_differences(&self) -> RecordDifferences {
        let mut found = RecordDifferences::default();
        let hash = content_hash(self.loaded.scene.source().file_text().as_bytes());
        if let Some(summary) = self.summary.as_ref().filter(|summary| summary.scene_fingerprint != hash) {
            let recorded = Some(summary.scene_fingerprint.clone()).filter(|recorded| !recorded.is_empty());
            let difference = RecordDifference::new(RunFolder::SCENE, "hash").recomputed(hash);
            found.push(|| RecordDifference { recorded, ..difference });
        }
        for file in &self.job.built.files {
            if let Some(named) = file.named.as_ref().filter(|named| **named != file.path) {
                let difference = RecordDifference::new(named, "name by its contents");
                found.push(|| difference.recorded(named).recomputed(&file.path));
            }
        }
        found
    }

    /// A recomputed summary that can be compared with the recorded one, whose scene was another file: the hash of that is compared by itself, and
    /// what was said about the scene named places there.
    pub fn comparable(&self, mut recomputed: Summary, recorded: &Summary) -> Summary {
        recomputed.scene_fingerprint.clone_from(&recorded.scene_fingerprint);
        let about_scene = self.job.built.warnings.problems().len().min(recorded.warnings.len());
        recomputed.warnings[..about_scene].clone_from_slice(&recorded.warnings[..about_scene]);
        recomputed
    }
}

/// How a replay ends.
#[derive(Clone, Copy)]
pub(super) enum EndingKind {
    /// By itself.
    Own,
    /// At a tick, with every instant up to there.
    Pause(Tick),
    /// At a tick, as a run does that is interrupted.
    Interrupt(Tick),
}

/// Ends a replay.
pub(super) struct Ending<'s> {
    pub how: EndingKind,
    /// Whether the run goes back to its last check where it is interrupted: then the replay is interrupted once it has come to that.
    pub at_checks: bool,
    /// Whether it has looked at the run just before it is interrupted.
    has_looked: bool,
    pub stop: &'s AtomicBool,
}

impl<'s> Ending<'s> {
    pub fn new(how: EndingKind, at_checks: bool, stop: &'s AtomicBool) -> Self {
        Self { how, at_checks, has_looked: false, stop }
    }

    /// Whether it interrupts a replay that has come so far.
    pub fn has_interrupted_at(&self, reached: Tick) -> bool {
        matches!(self.how, EndingKind::Interrupt(at) if at <= reached)
    }
}

impl InstantListener for Ending<'_> {
    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        if !self.at_checks && self.has_interrupted_at(report.tick) {
            self.stop.store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    }
}

impl Inspector for Ending<'_> {
    fn next_tick(&self) -> Option<Tick> {
        match self.how {
            EndingKind::Pause(at) => Some(at),
            EndingKind::Interrupt(at) => {
                Some(Tick(at.0.saturating_sub(1))).filter(|_| self.at_checks && !self.has_looked)
            }
            EndingKind::Own => None,
        }
    }

    fn inspect(&mut self, method: &dyn Method, _: Tick) -> ControlFlow<()> {
        let EndingKind::Interrupt(at) = self.how else { return ControlFlow::Break(()) };
        self.has_looked = true;
        if method.confirmed_until() >= Some(at) {
            // It has given up on its tolerance: it comes to no check any more, and is interrupted wherever it is.
            self.at_checks = false;
        }
        ControlFlow::Continue(())
    }

    fn confirmed(&mut self, _: &dyn Method, tick: Tick) -> ControlFlow<()> {
        if self.has_interrupted_at(tick) {
            self.stop.store(true, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    }

    fn went_back(&mut self, _: Option<Tick>) {
        self.has_looked = false;
    }
}
