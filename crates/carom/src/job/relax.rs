//! A job that ends where everything rests.
//!
//! The folder is that of a run: rows and frames are those of the moments at which everything was stopped, time is that of the
//! falls between them and means nothing. What is expected of probes at the end is held against the equilibrium.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use carom_engine::{Ending, MethodKind, Observer, RelaxOptions, Relaxed, Rest, Snapshot, relax};
use carom_model::{ExternalLedger, System};
use carom_output::summary::{Expectation, Relax, Seconds, Summary};
use carom_output::table::Value;
use carom_output::{
    EnergyStatistics, RecordLayout, RecordWriter, RunFolder, RunOptions, TableWriter, Verdict, plot,
};
use carom_scene::format::Statistic;
use carom_scene::{Built, Expectations, Expected};

use super::recorder::{Recorded, Recorder};
use super::{FinishedRun, Job, JobError, evaluations, judge, steps};

/// Progress of a relaxation ([`Job::relax`]), for a bar or a line on a screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelaxProgress {
    /// Part of the way down to the tolerance, on a scale of logarithms, from 0 to 1.
    pub fraction: f64,
    /// Residual force over the scale of the loads.
    pub residual: f64,
    /// Steps so far.
    pub steps: u64,
}

impl Job {
    /// Relaxes the scene, with its loads as they are at its end, and writes the equilibrium into `folder`; calls `progress` at every stop;
    /// setting `stop` ends it.
    pub fn relax(
        &self,
        relaxing: &RelaxOptions,
        folder: &RunFolder,
        options: &RunOptions,
        progress: &mut (dyn FnMut(RelaxProgress) + Send),
        stop: &AtomicBool,
    ) -> Result<FinishedRun, JobError> {
        self.write_what_repeats_it(folder, options)?;
        let started = (Instant::now(), cpu_time::ProcessTime::now());
        let system = Arc::new(self.built.system.clone());
        let mut unheard = |_| {};
        // The last frame is what a relaxation is for.
        let mut built = Built::clone(&self.built);
        built.schedule.frames = built.schedule.frames.max(1);
        let files = |layout: &RecordLayout| RecordWriter::create(folder.path(), layout);
        let mut recorder = Recorder::create(&built, &system, files, &mut unheard)?;
        let mut table = TableWriter::create(&folder.file(RunFolder::RELAX), &columns())?;
        let relaxing =
            &RelaxOptions { time_s: system.line.quantum.time(self.built.schedule.end), ..*relaxing };
        let mut first = None;
        let relaxed =
            relax(&system, &self.built.state, MethodKind::Carom, relaxing, stop, &mut |rest: &Rest| {
                recorder.took(rest.taken_j);
                recorder.observe(&snapshot(rest, &system), &rest.reading)?;
                table.row(&row(rest))?;
                let first = *first.get_or_insert(rest.residual);
                progress(RelaxProgress {
                    fraction: way_down(first, rest.residual, relaxing.tolerance),
                    residual: rest.residual,
                    steps: rest.steps,
                });
                Ok::<(), JobError>(())
            })?;
        table.finish()?;
        let (seen, files) = recorder.finish();
        files.finish()?;
        plot::write_svg(&folder.file("energy.svg"), &plot::energy_of_rest(&self.name, &seen.ledger))?;
        let mut summary = self.summary_of_rest(&relaxed, relaxing, &seen);
        summary.seconds = Seconds {
            wall: started.0.elapsed().as_secs_f64(),
            cpu: started.1.elapsed().as_secs_f64(),
            ..Seconds::default()
        };
        summary.write(&folder.file(RunFolder::SUMMARY))?;
        Ok(FinishedRun { summary, options: options.clone(), ledger: seen.ledger })
    }

    fn summary_of_rest(&self, relaxed: &Relaxed, relaxing: &RelaxOptions, seen: &Recorded) -> Summary {
        let Relaxed { ending, rest, system, .. } = relaxed;
        let mut expectations = vec![Expectation {
            quantity: "residual".to_owned(),
            bound: format!("at most {:e}", relaxing.tolerance),
            found: rest.residual,
            kept: *ending == Ending::Converged,
        }];
        if *ending == Ending::Converged {
            let expected = of_rest(&self.built.expectations);
            expectations.extend(judge::expectations(&expected, seen, relaxed.contact.as_ref()));
        }
        let mut warnings: Vec<String> = self.built.warnings.lines().collect();
        let unjudged = of_motion(&self.built.expectations);
        if !unjudged.is_empty() {
            warnings.push(format!("an equilibrium says nothing about {}: not judged", unjudged.join(", ")));
        }
        if system.contact.iter().flat_map(|contact| &contact.layers).any(|spec| spec.law.friction > 0.0) {
            warnings.push(FRICTION.to_owned());
        }
        Summary {
            format: carom_output::summary::FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            scene: self.name.clone(),
            method: "relax".to_owned(),
            fingerprint: rest.state.fingerprint().to_string(),
            scene_fingerprint: carom_scene::content_hash(self.resolved.as_bytes()),
            verdict: verdict(ending, &expectations),
            warnings,
            fault: match ending {
                Ending::Fault(fault) => Some(fault.to_string()),
                _ => None,
            },
            expectations,
            ticks: rest.ticks,
            end_s: rest.reading.time_s,
            quantum_s: system.line.quantum.seconds(),
            instants: relaxed.instants,
            vertices: system.vertices() as u64,
            elements: system.families.iter().map(|f| f.len() as u64).sum(),
            energy: EnergyStatistics::of_rest(seen.ledger.energy().initial),
            energy_verdict: None,
            momentum: seen.ledger.momentum(),
            contact: relaxed.contact,
            dcr: None,
            refinements: Vec::new(),
            given_up: None,
            relax: Some(Relax {
                residual: rest.residual,
                tolerance: relaxing.tolerance,
                loads: relaxed.scale_n,
                falls: rest.falls,
                steps: rest.steps,
                scaled_masses: relaxing.scale_masses,
            }),
            evaluations: evaluations(system, &rest.evaluations),
            seconds: Seconds::default(),
            steps: steps(system),
            audit: None,
        }
    }
}

/// Warning of a relaxation with friction.
const FRICTION: &str = "the residual does not count friction: what converges would rest without it, and what only friction holds is NOT \
     CONVERGED, wherever in the cone of friction it stuck; run such a scene with drag instead";

fn columns() -> Vec<String> {
    ["fall", "step", "residual", "energy_J", "taken_J"].map(str::to_owned).to_vec()
}

fn row(rest: &Rest) -> Vec<Value> {
    vec![
        Value::Whole(rest.falls),
        Value::Whole(rest.steps),
        Value::Real(rest.residual),
        Value::Real(rest.reading.total_j()),
        Value::Real(rest.taken_j),
    ]
}

fn snapshot(rest: &Rest, system: &Arc<System>) -> Snapshot {
    Snapshot {
        row: Some(rest.falls),
        tick: rest.reading.tick,
        system: Arc::clone(system),
        state: rest.state.clone(),
        external: ExternalLedger::default(),
        pairs: rest.pairs.clone(),
        evaluations: rest.evaluations.clone(),
        touches: Vec::new(),
        refinements: 0,
        is_end: rest.is_end,
    }
}

fn way_down(first: f64, now: f64, tolerance: f64) -> f64 {
    let way = (first / now).ln() / (first / tolerance).ln();
    if way.is_nan() { 1.0 } else { way.clamp(0.0, 1.0) }
}

fn verdict(ending: &Ending, expectations: &[Expectation]) -> Verdict {
    match ending {
        Ending::Fault(_) => Verdict::Fault,
        Ending::Interrupted => Verdict::Interrupted,
        _ if !expectations.iter().all(|e| e.kept) => Verdict::ExpectationFailed,
        // The residual is expected of every scene; what the scene itself expects comes after it.
        _ if expectations.len() > 1 => Verdict::AsExpected,
        _ => Verdict::WithinTolerance,
    }
}

/// What can be expected of an equilibrium: numbers of probes at the end, and of contact.
fn of_rest(expected: &Expectations) -> Expectations {
    let probes = expected.probes.iter().filter(|p| p.statistic == Statistic::Final).cloned().collect();
    Expectations {
        contact_min_distance: expected.contact_min_distance,
        contact_deepest_layer: expected.contact_deepest_layer,
        probes,
        ..Expectations::default()
    }
}

/// Expectations that need a motion, in words.
fn of_motion(expected: &Expectations) -> Vec<String> {
    let bounds = [
        ("energy_band", expected.energy_band),
        ("energy_drift", expected.energy_drift),
        ("momentum", expected.momentum),
        ("angular_momentum", expected.angular_momentum),
    ];
    let bounds = bounds.into_iter().filter(|(_, bound)| bound.is_some()).map(|(name, _)| name.to_owned());
    let probes = expected.probes.iter().filter(|p| p.statistic != Statistic::Final).map(Expected::quantity);
    bounds.chain(probes).collect()
}
