//! A saved moment goes on under the steps of another scene, and nothing that is read jumps.

use std::sync::Arc;

use carom::engine::ResumeError;
use carom::prelude::*;

use crate::walk::{scene, scene_with};

/// Two sheets that rub, in a field, damped: whatever the joint must carry. Nothing but the test changes their steps.
fn rubbing(change: impl FnOnce(&mut SceneBuilder)) -> Loaded {
    scene_with(|scene| {
        scene
            .set("clocks.energy_tolerance", "none")
            .set("contact.friction", 0.3)
            .set("contact.restitution", 0.8)
            .set("gravity.acceleration", [0.0, 0.0, -9.81]);
        change(scene);
    })
}

/// Every step, in s: of elements, then of first layers.
fn steps_s(system: &System) -> Vec<f64> {
    let layers = system.contact.iter().flat_map(|contact| &contact.layers).map(|spec| spec.span);
    system.spans_of_all().chain(layers).map(|span| system.line.quantum.step(span)).collect()
}

/// All energies of a reading, in J.
fn energies_j(reading: &Reading) -> Vec<f64> {
    [reading.kinetic_j, reading.work_j, reading.dissipated_j()]
        .into_iter()
        .chain(reading.potential_j.clone())
        .collect()
}

/// Holds two readings of one moment against each other: nothing differs by more than 1e-14 of its kind.
fn must_agree(before: &Reading, after: &Reading) {
    assert_eq!(before.positions, after.positions);
    let fastest = before.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
    for (a, b) in before.velocities.iter().zip(&after.velocities) {
        assert!((*a - *b).length() <= 1e-14 * fastest, "{a:?} and {b:?} of {fastest} m/s");
    }
    let scale_j: f64 = energies_j(before).into_iter().map(f64::abs).sum();
    for (a, b) in energies_j(before).into_iter().zip(energies_j(after)) {
        assert!((a - b).abs() <= 1e-14 * scale_j, "{a:e} and {b:e} of {scale_j:e} J");
    }
    let kept = |reading: &Reading| reading.momentum - reading.from_outside.linear;
    assert!((kept(before) - kept(after)).length() <= 1e-14 * before.momentum_scale);
}

#[test]
fn no_reading_jumps_where_a_moment_goes_on_with_shorter_or_longer_steps() {
    let mut coarse = Simulation::new(&rubbing(|_| {})).unwrap();
    let own = steps_s(coarse.system());
    let shortest = own.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut saved, mut touching, mut touch_s) = (Vec::new(), 0, None);
    for into_contact_s in [None, Some(1e-5), Some(2.3e-4), Some(1e-3), Some(1e-2)] {
        if let Some(seconds) = into_contact_s {
            let touches_at_s = *touch_s.get_or_insert_with(|| {
                assert!(coarse.advance_until(Event::Touch, 0.05).unwrap());
                coarse.time_s()
            });
            coarse.advance_to(touches_at_s + seconds).unwrap();
        }
        touching += usize::from(!coarse.contacts().pairs.is_empty());
        saved.push((coarse.save().unwrap(), coarse.reading()));
    }
    assert!(touching >= 2, "the sheets touch on the way");
    coarse.advance_to(0.05).unwrap();
    let end = coarse.fingerprint();

    for factor in [0.37, 0.5] {
        let other = Simulation::new(&rubbing(|scene| {
            scene.set("clocks.step", factor * shortest).set("contact.step", factor * shortest);
        }));
        let other = other.unwrap();
        for (moment, before) in &saved {
            let mut finer = Simulation::new(&rubbing(|_| {})).unwrap();
            finer.restore_with_steps_of(moment, other.system()).unwrap();
            assert_eq!(finer.tick(), moment.tick());
            assert!(steps_s(finer.system()).iter().all(|step_s| *step_s <= factor * shortest), "{factor}");
            must_agree(before, &finer.reading());
            let here = finer.save().unwrap();
            finer.advance_to(before.time_s + 2e-3).unwrap();
            let error = (finer.reading().balance_j() - before.balance_j()) / before.kinetic_j;
            assert!(error.abs() < 2e-3, "{error:e}");

            // And back again, to longer steps.
            finer.restore(&here).unwrap();
            assert!(steps_s(finer.system()).iter().all(|step_s| *step_s <= factor * shortest));
            finer.restore_with_steps_of(&here, coarse.system()).unwrap();
            assert_eq!(steps_s(finer.system()), own);
            must_agree(before, &finer.reading());
            finer.restore(moment).unwrap();
            finer.advance_to(0.05).unwrap();
            assert_eq!(finer.fingerprint(), end, "a moment knows the steps that it had");
        }
    }
}

#[test]
fn a_tolerance_judges_what_follows_with_the_new_steps() {
    let tolerant = |steps: f64| {
        let scene = scene_with(|scene| {
            scene.set("clocks.energy_tolerance", 1e-3).set("clocks.step", steps).set("contact.step", steps);
        });
        Simulation::new(&scene).unwrap()
    };
    let mut simulation = tolerant(2e-5);
    simulation.advance_to(0.01).unwrap();
    let (saved, before) = (simulation.save().unwrap(), simulation.reading());
    simulation.restore_with_steps_of(&saved, tolerant(1e-5).system()).unwrap();
    must_agree(&before, &simulation.reading());
    simulation.advance_to(0.05).unwrap();
    assert!(steps_s(simulation.system()).iter().all(|step_s| *step_s <= 1e-5));
    assert!(simulation.confirmed_s().is_some_and(|confirmed_s| confirmed_s > 0.02), "checks go on");
    assert!((simulation.reading().balance_j() / before.balance_j() - 1.0).abs() < 1e-3);
}

#[test]
fn steps_of_other_things_and_steps_that_cannot_be_are_refused() {
    let mut simulation = Simulation::new(&scene()).unwrap();
    simulation.advance_to(0.01).unwrap();
    let (saved, before) = (simulation.save().unwrap(), simulation.fingerprint());
    let mut refused = |system: &System| simulation.restore_with_steps_of(&saved, system).unwrap_err();

    let masses = Simulation::new(&Scene::load("two-masses", &[]).unwrap()).unwrap();
    assert!(matches!(refused(masses.system()), ResumeError::Vertices { .. }));
    let alone = Simulation::new(&scene_with(|scene| {
        scene.set("gravity.acceleration", [0.0, 0.0, -9.81]);
    }));
    assert_eq!(refused(alone.unwrap().system()), ResumeError::Potentials { kind: "gravity" });
    let fine = simulation.system().with_steps_divided_by(u32::MAX);
    let mut refused = |system: &System| simulation.restore_with_steps_of(&saved, system).unwrap_err();
    assert!(matches!(refused(&fine), ResumeError::TooShort { .. }));
    assert_eq!(simulation.fingerprint(), before, "nothing has changed");

    let on_one_clock = scene_with(|scene| {
        scene.set("method", "synchronous");
    });
    let mut synchronous = Simulation::new(&on_one_clock).unwrap();
    let (start, system) = (synchronous.save().unwrap(), Arc::clone(synchronous.system()));
    assert_eq!(synchronous.restore_with_steps_of(&start, &system), Err(ResumeError::OneStep));
}
