//! Energy held to a tolerance, in scenes as a user writes them.

use carom::engine::EnergyScale;
use carom::prelude::*;

use carom::scene::{InMemory, build};

use crate::walk::scene;

/// Two sheets at rest, far from the origin.
fn resting() -> Loaded {
    let sheet = carom::geometry::shapes::grid_right(0.1, 0.1, [4, 4]).unwrap();
    let rubber = [("thickness", 1e-3), ("young", 1e6), ("poisson", 0.3), ("density", 1000.0)];
    let mut scene = SceneBuilder::new("at rest");
    scene.set("time.end", 0.05).set("contact.thickness", 1e-3);
    for (name, z) in [("lower", 0.1), ("upper", 0.2)] {
        scene.body(name, &sheet).set_all("material.shell", &rubber).set("position", [0.7, -1.3, z]);
    }
    scene.load().unwrap()
}

#[test]
fn what_lies_at_rest_trembles_by_rounding_and_that_is_no_error() {
    let mut simulation = Simulation::new(&resting()).unwrap();
    let start = simulation.reading();
    simulation.advance_to(0.05).unwrap();
    let (end, summary) = (simulation.reading(), simulation.summary());
    assert!(summary.refinements.is_empty() && summary.given_up.is_none(), "{summary:?}");
    let off_j = (end.balance_j() - start.balance_j()).abs();
    let scale = EnergyScale::new(simulation.system(), &start);
    assert!(off_j > 0.1 * scale.turnover_j(&end), "next to nothing is turned over");
    assert!(off_j < 1e-3 * scale.at(&end, 1e-3), "{off_j:e} J");
    assert!(scale.at(&end, 1e-3) < 1e-12, "a floor that hides nothing");
}

#[test]
fn what_pushed_gets_shorter_steps_of_elements_and_of_layers() {
    let mut simulation = Simulation::new(&scene()).unwrap();
    simulation.advance_to(0.05).unwrap();
    let summary = simulation.summary();
    assert!(!summary.refinements.is_empty(), "{summary:?}");
    // The sheets push each other, neither itself.
    assert!(summary.refinements.iter().all(|r| r.elements > 0 && r.layers == 1), "{summary:?}");
}

/// Marbles under gravity, in a box that flies along with them.
const FLYING_MARBLES: &str = r#"
    format = 1
    time.end = 0.5
    gravity.acceleration = [0.0, 0.0, -9.81]
    contact.thickness = 2e-4

    [[body]]
    name = "marbles"
    velocity = [0.0, 0.0, 1e5]
    shape.grains = { count = 4, size = [0.09, 0.09, 0.09], radius = 0.01, jitter = 0.5 }
    material.grains = { density = 2500.0 }

    [[body]]
    name = "box"
    obstacle = true
    velocity = [0.0, 0.0, 1e5]
    shape.room = { size = [0.1, 0.1, 0.1] }
"#;

#[test]
fn what_rounding_makes_of_many_equal_kicks_at_a_great_speed_is_no_reason_for_shorter_steps() {
    let built = build(&Scene::parse("marbles", FLYING_MARBLES).unwrap(), &InMemory::default()).unwrap();
    let mut simulation = Simulation::of_built(built).unwrap();
    let start = simulation.reading();
    simulation.advance_to(0.5).unwrap();
    let (end, summary) = (simulation.reading(), simulation.summary());
    assert!(summary.refinements.is_empty() && summary.given_up.is_none(), "{summary:?}");
    let off_j = (end.balance_j() - start.balance_j()).abs();
    let scale = EnergyScale::new(simulation.system(), &start);
    assert!(
        off_j > 1e-3 * scale.turnover_j(&end),
        "the frame of the scene knows nothing of 1e5 m/s: {off_j:e} J"
    );
    assert!(off_j < 1e-3 * scale.at(&end, 1e-3), "{off_j:e} J");
}
