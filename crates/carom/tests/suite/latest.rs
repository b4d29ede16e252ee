//! A view from another thread sees the run as it was at some tick, and slows nothing.

use std::time::Duration;

use carom::prelude::*;

use crate::walk::{scene_with, scene_with_chosen_steps};

#[test]
fn a_view_sees_moments_of_the_run_and_changes_no_bit() {
    let end_s = 0.05;
    let mut alone = Simulation::new(&scene_with_chosen_steps()).unwrap();
    alone.advance_to(end_s).unwrap();

    let mut watched = Simulation::new(&scene_with_chosen_steps()).unwrap();
    let view = watched.latest_view(1e6);
    let running = std::thread::spawn(move || {
        watched.advance_to(end_s).unwrap();
        watched
    });
    let mut seen = Vec::new();
    loop {
        let is_over = running.is_finished();
        if let Some(moment) = view.newest()
            && seen.last().is_none_or(|last: &std::sync::Arc<carom::Moment>| last.tick < moment.tick)
        {
            seen.push(moment);
        }
        if is_over {
            break;
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    let watched = running.join().unwrap();
    assert_eq!(watched.fingerprint(), alone.fingerprint());
    assert!(!seen.is_empty(), "nothing was seen");

    // What was seen is what another run passes through.
    let mut again = Simulation::new(&scene_with_chosen_steps()).unwrap();
    let moment = &seen[seen.len() / 2];
    again.advance_to_tick(moment.tick).unwrap();
    assert_eq!(moment.state.fingerprint(), again.fingerprint());
    assert_eq!((moment.rewinds, view.rewinds()), (0, 0));
}

#[test]
fn a_view_is_told_where_shorter_steps_take_a_stretch_back() {
    let exact = scene_with(|scene| {
        scene.set("clocks.energy_tolerance", 1e-7);
    });
    let mut simulation = Simulation::new(&exact).unwrap();
    let view = simulation.latest_view(1.0);
    let _ = simulation.advance_to(0.05);
    let refinements = simulation.summary().refinements.len() as u64;
    assert!(refinements > 0, "such a tolerance is exceeded");
    assert_eq!(view.rewinds(), refinements);
}

#[test]
fn a_view_is_told_that_the_run_went_back() {
    let mut simulation = Simulation::new(&scene_with_chosen_steps()).unwrap();
    let view = simulation.latest_view(1e6);
    let start = simulation.save().unwrap();
    simulation.advance_to(0.01).unwrap();
    let taken_back = view.newest().expect("the first instant is seen");
    simulation.restore(&start).unwrap();
    assert!(taken_back.rewinds < view.rewinds());
    let _ = view.newest();
    simulation.advance_to(0.01).unwrap();
    assert_eq!(view.newest().unwrap().rewinds, view.rewinds());
}
