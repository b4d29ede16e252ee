//! The records of a run are what its replay gives, wherever the run ended and however it was computed.

use std::sync::atomic::{AtomicBool, Ordering};

use carom::audit::{Audited, Replay, replay};
use carom::engine::Threads;
use carom::job::Job;
use carom::math::Widest;
use carom::prelude::*;
use carom_output::{RunFolder, RunOptions, Verdict};

use crate::walk::{scene, scene_with};

/// A folder that is gone when the test is.
struct Scratch(RunFolder);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-records-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(RunFolder::create(Some(&path), name).unwrap())
    }

    fn audit(&self) -> Audited {
        replay(self.0.path(), &Replay::default(), &AtomicBool::new(false)).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(self.0.path());
    }
}

#[test]
fn a_run_that_is_stopped_at_any_row_is_what_its_replay_gives() {
    must_be_replayed_when_stopped("stopped", &scene());
}

#[test]
fn a_run_that_has_given_up_on_its_tolerance_is_replayed_where_it_was_stopped() {
    // All steps are given: none is left to shorten, and nobody keeps energy so well.
    let scene = scene_with(|scene| {
        scene.set("clocks.energy_tolerance", 1e-9).set("clocks.step", 1e-5).set("contact.step", 1e-5);
    });
    let mut simulation = Simulation::new(&scene).unwrap();
    simulation.advance_to(0.03).unwrap();
    assert!(simulation.summary().given_up.is_some(), "{:?}", simulation.summary());
    must_be_replayed_when_stopped("given-up", &scene);
}

/// Stops a run at each of its first rows, and audits what it left.
fn must_be_replayed_when_stopped(name: &str, scene: &Loaded) {
    for (i, is_audited) in (0..10).zip([false, true].into_iter().cycle()) {
        let folder = Scratch::new(&format!("{name}-{i}"));
        let job = Job { threads: 1, audit: is_audited, ..Job::new(scene).unwrap() };
        let (stop, mut rows) = (AtomicBool::new(false), 0);
        let mut progress = |_| {
            stop.store(rows >= i, Ordering::Relaxed);
            rows += 1;
        };
        let run = job.run(&folder.0, &RunOptions::default(), &mut progress, &stop).unwrap();
        assert_eq!(run.summary.verdict, Verdict::Interrupted);
        let audited = folder.audit();
        assert!(audited.is_sound() && audited.same_bits == Some(true), "row {i}: {audited:?}");
        assert_eq!(audited.ledger, run.ledger, "row {i}");
    }
}

#[test]
fn what_an_audit_compares_depends_neither_on_threads_nor_on_vectors() {
    let numbers = |threads: usize| {
        let mut simulation = Simulation::on_threads(&scene(), Threads::sharing_everything(threads)).unwrap();
        simulation.advance_to(0.05).unwrap();
        let summary = simulation.summary();
        let contact = summary.contact.unwrap();
        let counters = (contact.deepest_layer, contact.most_active);
        let touches = format!("{:?}", simulation.touches());
        (summary.instants, summary.evaluations, contact.smallest_distance_m.to_bits(), counters, touches)
    };
    let alone = numbers(1);
    for threads in [2, 4] {
        assert_eq!(numbers(threads), alone, "{threads} threads");
    }
    for widest in Widest::ALL.into_iter().filter(|widest| widest.is_here()) {
        widest.allow();
        assert_eq!(numbers(1), alone, "{widest:?}");
    }
}
