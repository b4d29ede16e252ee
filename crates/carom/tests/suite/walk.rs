//! However a simulation is advanced and looked at, its bits are those of the scene.

use carom::AdvanceError;
use carom::engine::{Observer, Plan, Snapshot};
use carom::prelude::*;

pub fn scene() -> Loaded {
    scene_with(|_| {})
}

/// The scene with the steps that were chosen, whatever becomes of its energy: nothing is taken back.
pub fn scene_with_chosen_steps() -> Loaded {
    scene_with(|scene| {
        scene.set("clocks.energy_tolerance", "none");
    })
}

/// The scene, with changes.
pub fn scene_with(change: impl FnOnce(&mut SceneBuilder)) -> Loaded {
    let sheet = carom::geometry::shapes::grid_right(0.1, 0.1, [4, 4]).unwrap();
    let rubber = [("thickness", 1e-3), ("young", 1e6), ("poisson", 0.3), ("density", 1000.0)];
    let mut scene = SceneBuilder::new("two sheets");
    scene.set("time.end", 0.05).set("contact.thickness", 1e-3).set("output.rows", 10);
    scene.body("lower", &sheet).set_all("material.shell", &rubber).set("velocity", [0.0, 0.0, 1.0]);
    scene.body("upper", &sheet).set_all("material.shell", &rubber).set("position", [0.01, 0.02, 0.01]);
    change(&mut scene);
    scene.load().unwrap()
}

#[test]
fn a_simulation_can_be_sent_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Simulation>();
}

#[test]
fn pieces_events_and_looks_change_no_bit() {
    let mut straight = Simulation::new(&scene()).unwrap();
    straight.advance_to(0.05).unwrap();

    let mut walked = Simulation::on_threads(&scene(), 2).unwrap();
    assert!(walked.step().unwrap());
    assert!(walked.contacts().pairs.is_empty(), "nothing touches at the start");
    assert!(walked.advance_until(Event::Touch, 0.05).unwrap());
    let touched_s = walked.time_s();
    assert!((0.005..0.015).contains(&touched_s), "a gap of 9 mm at 1 m/s closes at {touched_s} s");
    let contacts = walked.contacts();
    assert!(!contacts.pairs.is_empty());
    assert!(contacts.layers.iter().all(|layer| *layer >= 1));
    assert!(contacts.gaps_m.iter().all(|gap_m| *gap_m < 1e-3));
    let on_lower = contacts.bodies.iter().zip(&contacts.forces_n).filter(|(bodies, _)| bodies[0] == 0);
    assert!(on_lower.into_iter().all(|(_, force_n)| force_n.z <= 0.0), "the lower sheet is pushed down");

    assert!(walked.advance_until(Event::DeepestApproach, 0.05).unwrap());
    assert!(walked.time_s() > touched_s);
    assert!(walked.advance_until(Event::Row, 0.05).unwrap());
    let rows = walked.time_s() / 0.005;
    assert!((rows - rows.round()).abs() < 1e-6, "a row every 5 ms, not at {} s", walked.time_s());
    walked.advance_by(0.001).unwrap();
    walked.advance_to(0.05).unwrap();
    assert_eq!(walked.fingerprint(), straight.fingerprint());
    assert!(!walked.advance_until(Event::Row, 0.05).unwrap(), "there is no row after the last");
}

/// Keeps the ticks of rows, and the state that was shown at each.
#[derive(Default)]
struct Seen(Vec<(u64, String)>);

impl Observer for Seen {
    fn observe(&mut self, snapshot: &Snapshot, _: &Reading) -> std::io::Result<()> {
        if snapshot.row.is_some() {
            self.0.push((snapshot.tick.0, snapshot.state.fingerprint().to_string()));
        }
        Ok(())
    }
}

#[test]
fn a_run_shows_what_comes_after_where_it_begins() {
    let stop = std::sync::atomic::AtomicBool::new(false);
    let run_after = |seconds: f64| {
        let mut simulation = Simulation::new(&scene()).unwrap();
        simulation.advance_to(seconds).unwrap();
        let plan = Plan { end: simulation.built().unwrap().schedule.end, rows: 10, zoom: None, threads: 1 };
        let mut seen = Seen::default();
        let outcome = simulation.run(&plan, &mut [&mut seen], &mut [], &stop).unwrap();
        assert_eq!((outcome.reached, simulation.tick()), (plan.end, plan.end));
        seen.0
    };
    let (whole, rest) = (run_after(0.0), run_after(0.0222));
    assert_eq!(rest.len(), 6, "rows 5 to 10");
    assert_eq!(rest, whole[whole.len() - 6..]);
}

#[test]
fn a_simulation_that_goes_back_passes_through_the_same_bits_again() {
    let mut simulation = Simulation::on_threads(&scene(), 2).unwrap();
    assert!(simulation.advance_until(Event::Touch, 0.05).unwrap());
    let touched = (simulation.tick(), simulation.fingerprint(), simulation.reading());
    let checkpoint = simulation.save().unwrap();
    simulation.advance_to(0.05).unwrap();
    let end = (simulation.fingerprint(), simulation.touches(), simulation.reading().from_outside.linear);

    simulation.restore(&checkpoint).unwrap();
    assert_eq!((simulation.tick(), simulation.fingerprint()), (touched.0, touched.1));
    assert_eq!(simulation.reading().total_j(), touched.2.total_j());
    simulation.advance_to(0.05).unwrap();
    assert_eq!(
        (simulation.fingerprint(), simulation.touches(), simulation.reading().from_outside.linear),
        end
    );

    // Another simulation of the scene takes it up as well.
    let mut other = Simulation::new(&scene()).unwrap();
    other.restore(&checkpoint).unwrap();
    other.advance_to(0.05).unwrap();
    assert_eq!((other.fingerprint(), other.touches(), other.reading().from_outside.linear), end);
}

#[test]
fn a_checkpoint_of_another_system_is_refused() {
    let mut masses = Simulation::new(&Scene::load("two-masses", &[]).unwrap()).unwrap();
    let sheets = Simulation::new(&scene()).unwrap().save().unwrap();
    let before = masses.fingerprint();
    assert!(masses.restore(&sheets).is_err());
    assert_eq!(masses.fingerprint(), before, "nothing has changed");
}

#[test]
fn what_is_read_is_computed_once_and_shared_until_the_next_advance() {
    let mut simulation = Simulation::new(&scene()).unwrap();
    let first = simulation.reading();
    assert!(std::sync::Arc::ptr_eq(&first, &simulation.reading()));
    let before = first.positions.clone();
    simulation.advance_to(0.01).unwrap();
    assert!(!std::sync::Arc::ptr_eq(&first, &simulation.reading()));
    assert_eq!(first.positions, before, "what someone holds does not change");
    assert_ne!(simulation.reading().positions, before);
}

#[test]
fn a_time_that_has_passed_is_refused() {
    let mut simulation = Simulation::new(&scene()).unwrap();
    simulation.advance_to(0.01).unwrap();
    let refused = simulation.advance_to(0.005).unwrap_err();
    assert!(matches!(refused, AdvanceError::Past { .. }), "{refused}");
    assert!(matches!(simulation.advance_to(f64::NAN), Err(AdvanceError::Time(_))));
}

#[test]
fn a_fault_leaves_the_last_good_moment_readable_and_stays() {
    let mut scene = SceneBuilder::new("fast");
    scene.set("time.end", 1.0).set("contact.thickness", 1e-3).set("contact.max_layers", 1);
    for (name, x, speed) in [("left", -0.01, 100.0), ("right", 0.01, -100.0)] {
        scene
            .grains(name, &[Vec3::X * x], &[5e-3])
            .set("material.grains.density", 1000.0)
            .set("velocity", [speed, 0.0, 0.0]);
    }
    let mut simulation = Simulation::new(&scene.load().unwrap()).unwrap();
    let AdvanceError::Fault(fault) = simulation.advance_to(1.0).unwrap_err() else {
        panic!("one layer cannot stop them");
    };
    assert_eq!(Some(simulation.tick()), fault.last_tick());
    assert!(simulation.reading().positions.iter().all(|x| x.is_finite()));
    assert_eq!(simulation.advance_to(1.0), Err(AdvanceError::Fault(fault)));
}
