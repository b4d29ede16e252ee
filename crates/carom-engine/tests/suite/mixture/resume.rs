//! Runs that are saved, dropped and resumed, against the same runs left alone: every bit that anybody can see is the same.

use core::ops::ControlFlow;
use std::sync::Arc;

use carom_contact::CertifierKind;
use carom_engine::{
    Carom, Checkpoint, InstantListener, InstantReport, Method, MethodKind, Progress, Reader, ResumeError,
    Threads,
};
use carom_model::System;
use carom_time::Tick;

use super::numbers;
use super::oracle::{Minima, NEVER, Run, Scene, told_by};
use crate::noise::Noise;

/// How often two runs of a scene are compared.
const ROWS: u32 = 5;

/// All that a run shows at a tick, to the bit: numbers are written so that they can be read back.
fn shown(run: &Run, reader: &Reader, tick: Tick) -> [String; 5] {
    let method = &run.method;
    let (state, external) = (method.state(), method.external());
    let reading = reader.read(&state, &external, &method.pairs(), tick);
    let families = reader.system().families.len();
    let touches: Vec<_> = method.touches(tick).iter().map(told_by).collect();
    let summary = method.summary();
    let contact = summary.contact.map(|contact| (contact.smallest_distance_m, contact.deepest_layer));
    [
        format!("{} {:?}", state.fingerprint(), state.unspent),
        format!("{:?}", numbers(&external)),
        format!("{reading:?}"),
        format!("{touches:?}"),
        format!("{:?} {contact:?}", &summary.evaluations[..families]),
    ]
}

/// Hears of gap minima, and pauses after so many instants.
struct PausedMinima<'a> {
    minima: &'a mut Minima,
    instants: u32,
}

impl InstantListener for PausedMinima<'_> {
    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        self.instants -= 1;
        let _ = self.minima.after_instant(report);
        if self.instants == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Goes on from what `run` saved, with `resume`.
fn resumed(run: Run, resume: &dyn Fn(&Checkpoint) -> Box<dyn Method>) -> Run {
    if run.fault.is_some() {
        return run;
    }
    let saved = run.method.save();
    let method = resume(&saved);
    assert!(method.save().agrees_with(&saved), "who resumes a run and saves it has what was saved");
    Run { method, ..run }
}

/// Advances to `end`, and is saved and resumed at a random tick, at random instants and at the end.
fn advance_in_pieces(
    mut run: Run,
    from: Tick,
    end: Tick,
    noise: &mut Noise,
    resume: &dyn Fn(&Checkpoint) -> Box<dyn Method>,
) -> Run {
    let part = noise.between(0.0, 1.0);
    run.advance(Tick(from.0 + (part * (end.0 - from.0) as f64) as u64));
    run = resumed(run, resume);
    for _ in 0..2 {
        if run.fault.is_some() {
            return run;
        }
        let instants = 1 + noise.between(0.0, 40.0) as u32;
        let mut listener = PausedMinima { minima: &mut run.minima, instants };
        match run.method.advance(end, &NEVER, &mut listener) {
            Ok(Progress::Paused(tick)) => assert!(from <= tick && tick <= end),
            Ok(_) => {}
            Err(fault) => run.fault = Some(fault),
        }
        run = resumed(run, resume);
    }
    run.advance(end);
    resumed(run, resume)
}

/// Compares a run with one that is resumed again and again; returns how many gap minima there were.
fn compare(
    scene: &Scene,
    kind: MethodKind,
    noise: &mut Noise,
    resume: &dyn Fn(&Checkpoint) -> Box<dyn Method>,
) -> usize {
    let reader = Reader::new(&scene.system);
    let (mut whole, mut pieces) = (Run::new(kind, scene), Run::new(kind, scene));
    // What is saved before the start starts later.
    pieces = resumed(pieces, resume);
    let mut before = Tick::START;
    for row in 1..=ROWS {
        let seconds = scene.seconds * f64::from(row) / f64::from(ROWS);
        let tick = scene.system.line.tick_at(seconds).unwrap();
        whole.advance(tick);
        if pieces.fault.is_none() {
            pieces = advance_in_pieces(pieces, before, tick, noise, resume);
        }
        assert_eq!(pieces.fault, whole.fault, "{} at row {row}", scene.name);
        if whole.fault.is_some() {
            break;
        }
        let [expected, found] = [&whole, &pieces].map(|run| shown(run, &reader, tick));
        assert_eq!(found, expected, "{} at row {row}", scene.name);
        assert!(pieces.method.save().agrees_with(&whole.method.save()), "{} at row {row}", scene.name);
        before = tick;
    }
    assert_eq!(pieces.minima.0, whole.minima.0, "{}", scene.name);
    whole.minima.0.len()
}

#[test]
fn a_run_that_is_resumed_on_other_threads_shows_the_bits_of_one_that_never_stopped() {
    let mut minima = 0;
    for seed in 0..60 {
        let (scene, mut noise) = (Scene::random(seed), Noise::new(seed));
        let system = Arc::clone(&scene.system);
        let resume = |from: &Checkpoint| {
            let threads = Threads::sharing_everything(1 + from.effort.instants as usize % 3);
            MethodKind::Carom.resume(threads, &system, from).unwrap()
        };
        minima += compare(&scene, MethodKind::Carom, &mut noise, &resume);
    }
    assert!(minima > 40, "only {minima} gap minima to be lost");
}

#[test]
fn an_engine_takes_up_the_run_of_another_however_layers_are_certified() {
    let certifiers = [CertifierKind::Certificates, CertifierKind::SpeedBound, CertifierKind::BruteForce];
    for seed in 0..12 {
        let (scene, mut noise) = (Scene::random(seed), Noise::new(seed + 99));
        let system = &scene.system;
        let resume = |from: &Checkpoint| -> Box<dyn Method> {
            match from.effort.instants as usize % 4 {
                3 => MethodKind::Reference.resume(1, system, from).unwrap(),
                i => Box::new(Carom::resume(system, from, certifiers[i], 1).unwrap()),
            }
        };
        compare(&scene, MethodKind::Carom, &mut noise, &resume);
        let oracle = |from: &Checkpoint| MethodKind::Reference.resume(1, system, from).unwrap();
        compare(&scene, MethodKind::Reference, &mut noise, &oracle);
    }
}

#[test]
fn a_run_on_one_clock_is_resumed_like_any_other() {
    for seed in 0..6 {
        let (mut scene, mut noise) = (Scene::random(seed), Noise::new(seed + 7));
        let kind = MethodKind::Synchronous(None);
        scene.system = kind.system(&scene.system);
        let system = Arc::clone(&scene.system);
        compare(&scene, kind, &mut noise, &|from| kind.resume(2, &system, from).unwrap());
    }
}

#[test]
fn a_checkpoint_of_another_system_is_refused() {
    let (one, other) = (Scene::random(2), Scene::random(1));
    let saved = Run::new(MethodKind::Carom, &one).method.save();
    let refused = |system: &Arc<System>| MethodKind::Carom.resume(1, system, &saved).err();
    assert_eq!(refused(&one.system), None);
    assert!(matches!(refused(&other.system), Some(ResumeError::Vertices { .. })));
    let faster = Arc::new(one.system.with_steps_divided_by(2));
    assert!(matches!(refused(&faster), Some(ResumeError::Quantum { .. })));
}
