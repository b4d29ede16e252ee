//! Runs that start at another tick than 0, or anew under other steps.

use std::sync::Arc;

use carom_elastic::Spring;
use carom_engine::{Checkpoint, Method, MethodKind, Reader, Reading, ResumeError};
use carom_math::Vec3;
use carom_model::{ClockOptions, Owner, Part, State, System, SystemBuilder};
use carom_time::{Clocks, Span, Tick};

use super::oracle::{NEVER, Scene};

/// A multiple of every step and friction window, if all clocks are dyadic.
fn common_span(system: &System) -> Option<u64> {
    let contact = system.contact.as_ref()?;
    let of_contact = contact.layers.iter().flat_map(|spec| [spec.span, spec.friction_window]);
    let spans: Vec<Span> = system.spans().into_iter().chain(of_contact).collect();
    let is_dyadic = spans.iter().all(|span| span.quanta().is_power_of_two());
    is_dyadic.then(|| spans.iter().map(|span| span.quanta()).max().unwrap())
}

/// Whether nothing in the system knows what time it is.
fn is_timeless(system: &System) -> bool {
    system.paths.is_empty() && system.families.iter().all(|family| !family.properties().is_driven)
}

/// All that a run shows of its last tick, as if it had started at tick 0.
fn shown(method: &dyn Method, system: &Arc<System>, tick: Tick, start: Tick) -> String {
    let mut state = method.state();
    for kicked in &mut state.kicked_at {
        kicked.0 -= start.0;
    }
    for (_, left) in &mut state.unspent {
        left.until.0 -= start.0;
    }
    let mut touches = method.touches(tick);
    for touch in &mut touches {
        touch.last.0 -= start.0;
    }
    let reader = Reader::new(system);
    let mut reading = reader.read(&method.state(), &method.external(), &method.pairs(), tick);
    (reading.tick, reading.time_s) = (Tick::START, 0.0);
    format!("{} {touches:?} {reading:?}", state.fingerprint())
}

#[test]
fn a_run_that_starts_later_has_the_bits_of_one_that_starts_at_tick_0() {
    let (mut compared, mut acm) = (0, 0);
    for seed in 0..40 {
        let Scene { name, system, state, seconds } = Scene::random(seed);
        let Some(span) = common_span(&system).filter(|_| is_timeless(&system)) else { continue };
        let start = Tick(3 * span);
        let end = system.line.tick_at(0.5 * seconds).unwrap();
        let later = Tick(start.0 + end.0);
        let shown_by = |mut method: Box<dyn Method>, start: Tick, end: Tick| {
            let fault = method.advance_to(end, &NEVER).err();
            fault.is_none().then(|| shown(method.as_ref(), &system, end, start))
        };
        let whole = shown_by(MethodKind::Carom.start(&system, state.clone()), Tick::START, end);
        for kind in [MethodKind::Carom, MethodKind::Reference] {
            match kind.start_at(start, 2, &system, state.clone()) {
                Ok(method) => assert_eq!(shown_by(method, start, later), whole, "{name}, {kind:?}"),
                // The steps of these layers have no common multiple that is short.
                Err(ResumeError::StartBetweenSteps { .. }) => acm += 1,
                Err(other) => panic!("{name}: {other}"),
            }
        }
        compared += 1;
    }
    println!("{compared} scenes, {acm} starts refused");
    assert!(compared > 10 && acm < compared, "{compared} scenes, {acm} starts refused");
}

#[test]
fn a_start_between_two_multiples_of_a_step_is_refused() {
    let Scene { system, state, .. } =
        (0..40).map(Scene::random).find(|s| common_span(&s.system).is_some()).unwrap();
    let tick = Tick(common_span(&system).unwrap() + 1);
    let refused = MethodKind::Carom.start_at(tick, 1, &system, state).err();
    assert!(
        matches!(refused, Some(ResumeError::StartBetweenSteps { tick: at, .. }) if at == tick),
        "{refused:?}"
    );
}

fn read(method: &dyn Method, system: &Arc<System>, tick: Tick) -> Reading {
    Reader::new(system).read(&method.state(), &method.external(), &method.pairs(), tick)
}

/// The system with every element's step halved.
fn halved(system: &Arc<System>) -> Arc<System> {
    Arc::new(system.with_spans(|_, _, span| Span::new(span.quanta() / 2).expect("longer than a quantum")))
}

#[test]
fn energy_momentum_and_ledger_continue_where_a_run_starts_anew_under_other_steps() {
    let mut compared = 0;
    for seed in 0..40 {
        let Scene { name, system, state, seconds } = Scene::random(seed);
        let finer = halved(&system);
        let Some(span) = common_span(&system) else { continue };
        let tick = system.line.tick_at(0.6 * seconds).unwrap().floor(Span::new(span).unwrap());
        let mut method = MethodKind::Carom.start(&system, state);
        if tick == Tick::START || method.advance_to(tick, &NEVER).is_err() {
            continue;
        }
        let before = read(method.as_ref(), &system, tick);
        let restart = method.save().synchronised(&Reader::new(&system));
        let resumed = [MethodKind::Carom, MethodKind::Reference].map(|kind| {
            let mut method = kind.resume(1, &finer, &restart).ok()?;
            method.advance_to(tick, &NEVER).unwrap();
            Some(method)
        });
        let [Some(fast), Some(oracle)] = resumed else { continue };
        assert!(fast.save().agrees_with(&oracle.save()), "{name}");
        let after = read(fast.as_ref(), &finer, tick);
        let scale_j = before.kinetic_j + before.potential_j.iter().map(|j| j.abs()).sum::<f64>();
        // Resistance acts at a start too: it is on the external ledger.
        let kept_j = |reading: &Reading| reading.total_j() + reading.dissipated_j() - reading.work_j;
        let lost_j = after.dissipated_j() - before.dissipated_j();
        let error_j = (kept_j(&after) - kept_j(&before)).abs();
        assert!(
            error_j < 1e-11 * scale_j + 0.1 * lost_j.abs(),
            "{name}: {error_j:e} of {scale_j:e} J, {lost_j:e} lost"
        );
        let momentum = |reading: &Reading| reading.momentum - reading.from_outside.linear;
        let error = (momentum(&after) - momentum(&before)).length();
        assert!(error < 1e-12 * (1.0 + before.momentum_scale), "{name}: {error:e}");
        let angular = |reading: &Reading| reading.angular_momentum - reading.from_outside.angular;
        let error = (angular(&after) - angular(&before)).length();
        assert!(error < 1e-12 * (1.0 + before.angular_momentum_scale), "{name}: {error:e}");
        compared += 1;
    }
    println!("{compared} scenes");
    assert!(compared > 10, "{compared}");
}

/// Two masses on two springs with steps of `step_s` and four times that, swinging.
fn swing(step_s: f64) -> (Arc<System>, State) {
    let mut builder = SystemBuilder::new();
    let a = builder.vertex(Vec3::ZERO, Vec3::ZERO, 1.0);
    let b = builder.vertex(Vec3::X, Vec3::new(0.3, 0.2, 0.0), 2.0);
    let c = builder.vertex(Vec3::new(1.5, 0.8, 0.0), Vec3::new(0.0, -0.1, 0.4), 0.5);
    for (i, (ends, stiffness, step)) in [([a, b], 4.0, 1.0), ([b, c], 1.0, 4.0)].into_iter().enumerate() {
        let owner = Owner { body: 0, part: Part::Edge(i as u32) };
        let added = builder.add(Spring { stiffness, rest_length: 0.9 }, ends, owner, 1.0);
        builder.give_step(added, step * step_s);
    }
    let options = ClockOptions { clocks: Clocks::Dyadic, ..ClockOptions::default() };
    let (system, state) = builder.build(&options).unwrap();
    (Arc::new(system), state)
}

/// Where everything is at 8 s if the steps are halved at 4 s and taken back at 6 s, and by how much the energy has changed.
fn swung(step_s: f64) -> (Vec<Vec3>, f64) {
    let (system, state) = swing(step_s);
    let finer = halved(&system);
    let mut from = Checkpoint::start(&system, Tick::START, state);
    let mut readings = Vec::new();
    for (system, end_s) in [(&system, 4.0), (&finer, 6.0), (&system, 8.0)] {
        let mut method = MethodKind::Carom.resume(1, system, &from).unwrap();
        let end = system.line.tick_at(end_s).unwrap();
        method.advance_to(end, &NEVER).unwrap();
        from = method.save().synchronised(&Reader::new(system));
        readings.push(read(method.as_ref(), system, end));
    }
    let gained_j = readings[2].total_j() - readings[0].total_j();
    (readings.swap_remove(2).positions, gained_j)
}

#[test]
fn a_change_of_steps_is_of_second_order() {
    let (exact, _) = swung(1.0 / 1024.0);
    let error = |step_s: f64| {
        let (found, gained_j) = swung(step_s);
        let error = found.iter().zip(&exact).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
        (error, gained_j.abs())
    };
    let [coarse, fine] = [1.0 / 32.0, 1.0 / 64.0].map(error);
    println!("{coarse:?} {fine:?}");
    assert!((3.0..5.0).contains(&(coarse.0 / fine.0)), "{coarse:?} {fine:?}");
    assert!(fine.1 < coarse.1 && coarse.1 < 1e-2 * (1.0 / 32.0), "{coarse:?} {fine:?}");
}
