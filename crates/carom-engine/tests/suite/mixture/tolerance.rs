//! Runs whose energy is held to a tolerance: steps change on the way, and nothing else does.

use core::ops::ControlFlow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use carom_contact::layer_count;
use carom_engine::{
    Checkpoint, EnergyController, EnergyTolerance, Inspector, InstantListener, InstantReport, Method,
    MethodKind, MethodSummary, Observer, Plan, Progress, Reader, Reading, Snapshot, Zoom, drive, run,
};
use carom_model::{Fault, LayerSpec, System};
use carom_time::Tick;

use super::numbers;
use super::oracle::{NEVER, Scene};
use crate::noise::Noise;

fn tolerance(relative: f64) -> EnergyTolerance {
    EnergyTolerance { relative, contact_step_is_given: false }
}

/// The system with some of its steps halved, quartered or left alone.
fn refined(system: &Arc<System>, noise: &mut Noise) -> Arc<System> {
    let mut refined = system.with_spans(|_, _, span| {
        let halvings = noise.between(0.0, 3.0) as u32;
        (0..halvings).fold(span, |span, _| span.half().unwrap_or(span))
    });
    refined.contact = system.contact.as_ref().map(|contact| {
        let most = contact.max_layers;
        Arc::new((**contact).clone().with_layers(|_, spec| {
            let shorter = spec.span.half().map(|span| LayerSpec { span, ..*spec });
            let keeps = |shorter: &LayerSpec| layer_count(shorter, most) == layer_count(spec, most);
            shorter.filter(keeps).filter(|_| noise.next() > 0.0).unwrap_or(*spec)
        }))
    });
    Arc::new(refined)
}

fn read(method: &dyn Method, tick: Tick) -> Reading {
    Reader::new(method.system()).read(&method.state(), &method.external(), &method.pairs(), tick)
}

#[test]
fn no_reading_jumps_where_steps_change_at_any_tick() {
    let (mut compared, mut of_layers) = (0, 0);
    for seed in 0..80 {
        let (Scene { name, system, state, seconds }, mut noise) = (Scene::random(seed), Noise::new(seed));
        let tick = system.line.tick_at(noise.between(0.1, 0.9) * seconds).unwrap();
        let mut method = MethodKind::Carom.start(&system, state);
        if method.advance_to(tick, &NEVER).is_err() {
            continue;
        }
        let finer = refined(&system, &mut noise);
        let before = read(method.as_ref(), tick);
        let joined = method.save().joined(&system, &finer);
        let [mut fast, mut oracle] =
            [MethodKind::Carom, MethodKind::Reference].map(|kind| kind.resume(1, &finer, &joined).unwrap());
        let after = read(fast.as_ref(), tick);
        let parts =
            |r: &Reading| [r.kinetic_j, r.work_j, r.dissipated_j()].into_iter().chain(r.potential_j.clone());
        let scale_j = parts(&before).map(f64::abs).sum::<f64>();
        for (a, b) in parts(&before).zip(parts(&after)) {
            assert!((a - b).abs() <= 1e-14 * scale_j, "{name}: {a:e} and {b:e} J of {scale_j:e}");
        }
        let kept =
            |r: &Reading| [r.momentum - r.from_outside.linear, r.angular_momentum - r.from_outside.angular];
        let scales = [before.momentum_scale, before.angular_momentum_scale];
        for ((a, b), scale) in kept(&before).into_iter().zip(kept(&after)).zip(scales) {
            assert!(
                (a - b).length() <= 1e-13 * (1e-3 + scale),
                "{name}: {:e} of {scale:e}",
                (a - b).length()
            );
        }
        let end = system.line.tick_at(seconds).unwrap();
        let [a, b] = [&mut fast, &mut oracle].map(|method| method.advance_to(end, &NEVER));
        assert_eq!(a, b, "{name}");
        if a.is_ok() {
            assert!(fast.save().agrees_with(&oracle.save()), "{name}");
        }
        of_layers += usize::from(system.contact != finer.contact);
        compared += 1;
    }
    println!("{compared} scenes, {of_layers} with shorter steps of layers");
    assert!(compared > 40 && of_layers > 15, "{compared}, {of_layers}");
}

/// All that a run with a tolerance shows at its end.
#[derive(Debug, PartialEq)]
struct Ended {
    fault: Option<Fault>,
    state: String,
    external: ([f64; 4], Vec<f64>),
    summary: MethodSummary,
}

fn ended(method: &dyn Method, fault: Option<Fault>) -> Ended {
    let summary = method.summary();
    let families = method.system().families.len();
    Ended {
        fault,
        state: method.state().fingerprint().to_string(),
        external: numbers(&method.external()),
        summary: MethodSummary {
            evaluations: summary.evaluations[..families].to_vec(),
            refinements: summary.refinements,
            given_up: summary.given_up,
            ..MethodSummary::default()
        },
    }
}

fn start(kind: MethodKind, scene: &Scene, relative: f64) -> Box<dyn Method> {
    EnergyController::start((kind, 1.into()), &scene.system, scene.state.clone(), tolerance(relative))
}

/// A tolerance that some scenes exceed, and some whatever their steps.
fn relative(seed: u64) -> f64 {
    [1e-2, 1e-3, 1e-4, 1e-7][seed as usize / 4 % 4]
}

#[test]
fn both_engines_shorten_the_same_steps_and_end_in_the_same_bits() {
    let (mut refinements, mut given_up) = (0, 0);
    for seed in 0..48 {
        let scene = Scene::random(seed);
        let end = scene.system.line.tick_at(0.5 * scene.seconds).unwrap();
        let [fast, oracle] = [MethodKind::Carom, MethodKind::Reference].map(|kind| {
            let mut method = start(kind, &scene, relative(seed));
            let fault = drive(method.as_mut(), end, &NEVER, &mut []).err();
            ended(method.as_ref(), fault)
        });
        assert_eq!(fast, oracle, "{}", scene.name);
        refinements += fast.summary.refinements.len();
        given_up += usize::from(matches!(fast.fault, Some(Fault::Tolerance { .. })));
    }
    println!("{refinements} refinements, {given_up} runs given up");
    assert!(refinements > 30 && given_up > 0, "{refinements}, {given_up}");
}

#[test]
fn a_run_with_a_tolerance_is_resumed_like_any_other() {
    let mut refinements = 0;
    for seed in 0..48 {
        let (scene, mut noise) = (Scene::random(seed), Noise::new(seed + 5));
        let ticks = |part: f64| scene.system.line.tick_at(part * scene.seconds).unwrap();
        let mut whole = start(MethodKind::Carom, &scene, relative(seed));
        let mut pieces = start(MethodKind::Carom, &scene, relative(seed));
        let cut = ticks(noise.between(0.0, 1.0));
        let resume = |from: &Checkpoint| {
            let on = (MethodKind::Carom, 1.into());
            EnergyController::resume(on, &scene.system, from, tolerance(relative(seed))).unwrap()
        };
        let mut faults = [None, None];
        for end in [cut, ticks(1.0)] {
            for (method, fault) in [&mut whole, &mut pieces].into_iter().zip(&mut faults) {
                if fault.is_none() {
                    *fault = drive(method.as_mut(), end, &NEVER, &mut []).err();
                }
            }
            if faults[1].is_none() {
                pieces = resume(&pieces.save());
            }
        }
        let [a, b] = faults;
        assert_eq!(ended(whole.as_ref(), a), ended(pieces.as_ref(), b), "{}", scene.name);
        refinements += whole.summary().refinements.len();
    }
    assert!(refinements > 30, "{refinements}");
}

/// What an observer was shown, by tick.
#[derive(Default)]
struct Shown(BTreeMap<Tick, String>);

impl Observer for Shown {
    fn observe(&mut self, snapshot: &Snapshot, reading: &Reading) -> std::io::Result<()> {
        if snapshot.is_end {
            return Ok(());
        }
        let shown = format!("{} {reading:?}", snapshot.state.fingerprint());
        assert!(self.0.insert(snapshot.tick, shown).is_none(), "nothing is shown twice");
        Ok(())
    }
}

#[test]
fn a_longer_run_begins_with_the_bits_and_rows_of_the_shorter() {
    let (mut refinements, mut rows) = (0, 0);
    for seed in 0..48 {
        let (scene, mut noise) = (Scene::random(seed), Noise::new(seed + 23));
        let tick = |part: f64| scene.system.line.tick_at(part * scene.seconds).unwrap();
        let (short, long) = (tick(noise.between(0.2, 0.8)), tick(1.0));
        let zoom = Zoom { from: Tick::START, to: short, rows: 20 };
        let plans = [
            Plan { end: short, rows: 20, zoom: None, threads: 1 },
            Plan { end: long, rows: 1, zoom: Some(zoom), threads: 2 },
        ];
        let [(first, _), (second, summary)] = plans.map(|plan| {
            let mut shown = Shown::default();
            let mut method = start(MethodKind::Carom, &scene, relative(seed));
            let reader = Reader::new(method.system());
            run(method.as_mut(), &reader, &plan, &mut shown, &NEVER).unwrap();
            (shown.0, method.summary())
        });
        for (tick, row) in &first {
            if let Some(other) = second.get(tick) {
                assert_eq!(row, other, "{} at tick {}", scene.name, tick.0);
                rows += 1;
            }
        }
        refinements += summary.refinements.len();
    }
    println!("{rows} rows in common, {refinements} refinements");
    assert!(rows > 400 && refinements > 20, "{rows}, {refinements}");
}

/// Asks to stop after so many instants.
struct StopAfter<'a> {
    instants: u32,
    stop: &'a AtomicBool,
}

impl InstantListener for StopAfter<'_> {
    fn after_instant(&mut self, _: &InstantReport) -> ControlFlow<()> {
        self.instants = self.instants.saturating_sub(1);
        self.stop.store(self.instants == 0, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}

impl Inspector for StopAfter<'_> {
    fn next_tick(&self) -> Option<Tick> {
        None
    }

    fn inspect(&mut self, _: &dyn Method, _: Tick) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

#[test]
fn a_run_that_is_stopped_ends_at_its_last_check_as_if_it_had_gone_no_further() {
    let (mut stops, mut after_a_failure) = (0, 0);
    for cut in 0..144 {
        let seed = cut / 3;
        let (scene, mut noise) = (Scene::random(seed), Noise::new(cut + 31));
        let end = scene.system.line.tick_at(scene.seconds).unwrap();
        let stop = AtomicBool::new(false);
        let mut stopped = start(MethodKind::Carom, &scene, relative(seed));
        let mut after = StopAfter { instants: noise.between(1.0, 1000.0) as u32, stop: &stop };
        let progress = drive(stopped.as_mut(), end, &stop, &mut [&mut after]);
        let Ok(Progress::Stopped(at)) = progress else { continue };
        assert_eq!(stopped.tick(), at);
        let mut straight = start(MethodKind::Carom, &scene, relative(seed));
        assert_eq!(drive(straight.as_mut(), at, &NEVER, &mut []), Ok(Progress::Reached));
        let [found, expected] = [&stopped, &straight].map(|method| ended(method.as_ref(), None));
        assert_eq!(found, expected, "{} at tick {}", scene.name, at.0);
        stops += 1;
        after_a_failure += usize::from(!found.summary.refinements.is_empty());
    }
    println!("{stops} stops, {after_a_failure} with shorter steps");
    assert!(stops > 10 && after_a_failure > 2, "{stops}, {after_a_failure}");
}

#[test]
fn where_nothing_is_exceeded_a_tolerance_changes_no_bit() {
    for seed in 0..24 {
        let scene = Scene::random(seed);
        let end = scene.system.line.tick_at(scene.seconds).unwrap();
        let mut plain = MethodKind::Carom.start(&scene.system, scene.state.clone());
        if plain.advance_to(end, &NEVER).is_err() {
            continue;
        }
        let mut held = start(MethodKind::Carom, &scene, 1e9);
        assert_eq!(drive(held.as_mut(), end, &NEVER, &mut []), Ok(Progress::Reached));
        assert_eq!(held.state().fingerprint(), plain.state().fingerprint(), "{}", scene.name);
        assert!(held.summary().refinements.is_empty());
    }
}
