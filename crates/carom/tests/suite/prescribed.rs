//! Held parts on ways that cross: refused up to the end of a scene, a Fault beyond it, and seen by the judge.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom::audit::Audit;
use carom::engine::drive;
use carom::job::Job;
use carom::prelude::*;
use carom::scene::InMemory;
use carom::{AdvanceError, StartError};

/// A sheet that is held, and one that is led through it: they cross at 0.5 s.
fn scene(end_s: f64) -> Loaded {
    led(end_s, "[0.0, 0.0, -0.6]")
}

/// A sheet that is held, and one above it that is led by this much in a second.
fn led(end_s: f64, shift: &str) -> Loaded {
    let sheet = |name: &str, size: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nshape.grid = {{ size = [{size}, {size}], edge = 0.1 }}\n\
             material.shell = {{ thickness = 1e-3, young = 1e6, poisson = 0.3, density = 1000.0 }}\n"
        )
    };
    let (a, b) = (sheet("a", 0.5), sheet("b", 0.7));
    let text = format!(
        "format = 1\ntime.end = {end_s:?}\ncontact.thickness = 0.01\n{a}{b}position = [0.01, 0.02, 0.3]\n\
         [[pin]]\nbody = \"a\"\nselect.all = true\n\
         [[drive]]\nbody = \"b\"\nkeys = [{{ time = 1.0, shift = {shift} }}]\n"
    );
    let scene = Scene::parse("led.toml", &text).unwrap();
    Loaded { scene, files: Arc::new(InMemory::default()), name: "led".to_owned() }
}

#[test]
fn a_scene_is_refused_up_to_its_end_and_stops_with_a_fault_beyond_it() {
    let Err(StartError::Scene(refused)) = Simulation::new(&scene(1.0)) else { panic!("they cross at 0.5 s") };
    assert!(refused.to_string().contains("cross at 0.5 s"), "{refused}");

    let mut simulation = Simulation::new(&scene(0.2)).unwrap();
    simulation.advance_to(0.2).unwrap();
    simulation.advance_to(0.499).unwrap();
    let Err(AdvanceError::Fault(fault)) = simulation.advance_to(0.7) else { panic!("they cross at 0.5 s") };
    assert!(fault.to_string().contains("are held on ways that cross at 5.000000e-1 s"), "{fault}");
    assert!(fault.to_string().contains("end the run before, or lead one of them another way"), "{fault}");

    let mut another_way = Simulation::new(&led(0.2, "[0.6, 0.0, -0.1]")).unwrap();
    another_way.advance_to(0.7).unwrap();
    assert!((simulation.time_s() - 0.5).abs() < 1e-6, "{} s", simulation.time_s());
    assert_eq!(simulation.advance_to(0.7), Err(AdvanceError::Fault(fault)));
}

#[test]
fn a_relaxation_leads_nothing_anywhere_so_only_the_start_is_looked_at() {
    assert!(Job::new(&scene(1.0)).is_err());
    let job = Job::to_relax(&scene(1.0)).unwrap_or_else(|refused| panic!("{refused}"));
    assert_eq!(job.built.system.paths.len(), 1);
}

#[test]
fn a_system_without_an_end_stops_where_held_parts_touch() {
    let built = Job::new(&scene(0.2)).unwrap().built;
    let begin =
        || Simulation::of_system(built.system.clone(), built.state.clone(), MethodKind::Carom).unwrap();
    assert!(matches!(begin().advance_to(0.6), Err(AdvanceError::Fault(Fault::PrescribedCrossing { .. }))));
    let mut stepped = begin();
    stepped.advance_to(0.499).unwrap();
    let fault = (0..100_000).find_map(|_| stepped.step().err());
    assert!(matches!(fault, Some(AdvanceError::Fault(Fault::PrescribedCrossing { .. }))), "{fault:?}");
}

#[test]
fn the_judge_sees_held_parts_pass_through_each_other() {
    let built = Job::new(&scene(0.2)).unwrap().built;
    let system = Arc::new(built.system.clone());
    let judged = |end_s: f64| {
        let end = system.line.tick_at(end_s).unwrap();
        let mut method = MethodKind::Carom.start(&system, built.state.clone());
        let mut audit = Audit::new(&method.state(), &system, &built, [Tick::START, end]);
        drive(method.as_mut(), end, &AtomicBool::new(false), &mut [&mut audit]).unwrap();
        audit.close(&method.state(), end).verdict
    };
    assert!(judged(0.45).is_clean());
    let verdict = judged(0.55);
    assert!(!verdict.crossings.is_empty());
    assert!(verdict.crossings.iter().all(|crossing| (crossing.time_s - 0.5).abs() < 1e-6), "{verdict:?}");
}
