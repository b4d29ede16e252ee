//! A job: one scene, one method, one folder.
//!
//! Everything a run leaves behind is written here, in order: first what is needed to repeat it,
//! then rows and frames as they come, last the summary. Whatever ends the run (its end, a
//! Fault, a person), what was seen up to then is whole and readable.
//!
//! | file | idea |
//! | --- | --- |
//! | `recorder` | the observer: ledger, probes, frames |
//! | `cells` | step and energy density of each cell of a frame |
//! | `probes`, `touches` | what probes read off a reading, and off contact |
//! | `judge` | expectations and warnings |

mod cells;
mod judge;
mod probes;
mod recorder;
mod touches;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use carom_engine::{ContactSummary, MethodKind, Outcome, Plan, Reader, Zoom, run, stability};
use carom_model::{Frame, System};
use carom_output::picture::{ColourBy, Style};
use carom_output::plot::Scale;
use carom_output::summary::{Contact, Evaluations, Seconds, Step, Summary};
use carom_output::{OutputError, RunFolder, RunOptions, Verdict, picture, plot};
use carom_scene::{Built, Loaded, SceneError, build};

use crate::audit::{Court, Findings};
use carom_time::Tick;
use recorder::Recorder;
pub(crate) use recorder::ledger_row;

/// What to run and how.
pub struct Job {
    /// Name of the scene.
    pub name: String,
    /// The scene, built.
    pub built: Built,
    /// The scene as it is kept in the folder.
    pub resolved: String,
    /// The way to integrate.
    pub method: MethodKind,
    /// With two or more, reading and writing happen beside the integration.
    pub threads: usize,
    /// Whether the run is judged while it happens.
    pub audit: bool,
}

/// How far a run has come, for whoever waits.
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
        let built = build(&loaded.scene, loaded.files.as_ref())?;
        refuse_unstable_steps(&built)?;
        let resolved = loaded.scene.resolved_toml(&built);
        let method = match loaded.scene.file.method {
            carom_scene::format::Method::Carom => MethodKind::Carom,
            carom_scene::format::Method::Reference => MethodKind::Reference,
            carom_scene::format::Method::Synchronous => MethodKind::Synchronous,
        };
        Ok(Self { name: loaded.name.clone(), built, resolved, method, threads: 1, audit: false })
    }

    /// Runs the job into `folder`; `progress` is told at every row, and raising `stop` ends the run.
    pub fn run(
        &self,
        folder: &RunFolder,
        options: &RunOptions,
        progress: &mut (dyn FnMut(Progress) + Send),
        stop: &AtomicBool,
    ) -> Result<Summary, JobError> {
        let started = (Instant::now(), cpu_time::ProcessTime::now());
        folder.write_scene(&self.resolved)?;
        for file in &self.built.files {
            folder.write_kept(&file.path, &file.bytes)?;
        }
        folder.write_options(options)?;

        let system = self.method.system(&Arc::new(self.built.system.clone()));
        let mut recorder = Recorder::create(&self.built, &system, folder, progress)?;
        let mut method = self.method.start(&system, self.built.state.clone());
        let closely = |zoom: carom_scene::Zoom| Zoom { from: zoom.from, to: zoom.to, rows: zoom.rows.into() };
        let plan = Plan {
            end: self.built.end,
            rows: recorder.rows(),
            zoom: self.built.zoom.map(closely),
            threads: self.threads,
        };
        let reader = Reader::new(&system);
        let (outcome, findings) = if self.audit {
            let mut court = Court::new(method.as_mut(), &system, &self.built, [Tick::START, self.built.end]);
            let outcome = run(&mut court, &reader, &plan, &mut recorder, stop)?;
            (outcome, Some(court.close()))
        } else {
            (run(method.as_mut(), &reader, &plan, &mut recorder, stop)?, None)
        };
        let seen = recorder.finish()?;

        // A run that did not reach its end says nothing about what was expected there.
        let reached_end = outcome.fault.is_none() && !outcome.interrupted;
        let contact = method.contact();
        let expectations = if reached_end {
            judge::expectations(&self.built.expectations, &seen, contact.as_ref())
        } else {
            Vec::new()
        };
        let mut summary = Summary {
            format: carom_output::summary::FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene: self.name.clone(),
            method: self.method.name().to_owned(),
            fingerprint: method.state().fingerprint().to_string(),
            verdict: verdict(
                &outcome,
                expectations.iter().all(|e| e.kept) && findings.as_ref().is_none_or(Findings::is_clean),
            ),
            warnings: judge::warnings(&self.built, &seen, contact.as_ref(), &method.touches()),
            fault: outcome.fault.as_ref().map(ToString::to_string),
            expectations,
            ticks: outcome.reached.0,
            end_s: system.line.quantum.time(outcome.reached),
            quantum_s: system.line.quantum.seconds(),
            instants: method.instants(),
            vertices: system.vertices() as u64,
            elements: system.families.iter().map(|f| f.len() as u64).sum(),
            energy: seen.ledger.energy().into(),
            momentum: seen.ledger.momentum().into(),
            contact: contact.as_ref().map(contact_numbers),
            evaluations: evaluations(&system, method.evaluations()),
            seconds: Seconds::default(),
            steps: steps(&system),
            audit: findings.as_ref().map(Findings::summary),
        };
        plot::write_energy(&folder.file("energy.svg"), &self.name, &seen.ledger)?;
        draw_clocks(folder, &self.name, seen.last_frame.as_ref())?;
        summary.seconds = Seconds {
            wall: started.0.elapsed().as_secs_f64(),
            cpu: started.1.elapsed().as_secs_f64(),
            by_part: parts(&outcome, contact.as_ref()),
        };
        summary.write(&folder.file(RunFolder::SUMMARY))?;
        Ok(summary)
    }
}

/// Where the time went, in s. What contact took is part of the integration.
fn parts(outcome: &Outcome, contact: Option<&ContactSummary>) -> BTreeMap<String, f64> {
    let mut parts = vec![("integrate", outcome.integrating), ("observe", outcome.looking)];
    parts.extend(contact.into_iter().flat_map(|c| {
        let ContactSummary { pushing, proving, effort, .. } = *c;
        [
            ("integrate.contact_pairs", pushing),
            ("integrate.contact_proofs", proving),
            ("integrate.contact_search", effort.searching),
        ]
    }));
    parts.into_iter().map(|(name, time)| (name.to_owned(), time.as_secs_f64())).collect()
}

/// `picture.svg`: the last frame, each cell in the colour of its clock.
fn draw_clocks(folder: &RunFolder, name: &str, frame: Option<&Frame>) -> Result<(), OutputError> {
    let Some(frame) = frame else {
        return Ok(());
    };
    let steps = frame.cell_field("step_s").unwrap_or_default();
    let title = format!("{name}, {:.4e} s", frame.time_s);
    let style =
        Style { title: &title, colour_by: ColourBy::Cells(steps), label: "step in s", ..Style::default() };
    let style = Style { scale: Scale::Log, ..style };
    picture::write(&folder.file("picture.svg"), frame, &style)
}

/// Steps that the program chose are stable by their elements' limits; those the user gave are measured.
fn refuse_unstable_steps(built: &Built) -> Result<(), SceneError> {
    let (system, x) = (&built.system, &built.state.positions);
    if built.given_steps.is_empty() || built.given_steps.forced || stability::bound(system, x) < 1.0 {
        return Ok(());
    }
    match stability::measure(system, x) {
        Some(measured) if measured.sigma >= 1.0 => Err(built.given_steps.refuse(measured.sigma)),
        _ => Ok(()),
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

fn contact_numbers(contact: &ContactSummary) -> Contact {
    Contact {
        min_distance: contact.smallest_distance_m,
        deepest_layer: contact.effort.deepest_layer,
        pairs: contact.effort.most_awake,
        searches: contact.effort.searches,
        measures: contact.effort.measures,
    }
}

fn evaluations(system: &System, counts: &[u64]) -> Evaluations {
    let is_field = |kind: &str| system.families.iter().any(|f| f.kind() == kind && !f.counts());
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
