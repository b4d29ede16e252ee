//! Scenes from arrays are the scenes that a file describes.

use carom::geometry::shapes;
use carom::prelude::*;
use carom::{StartError, scene::Scene};

/// A damped block falls onto a slope with friction, from a file.
const BLOCK: &str = r#"
    format = 1
    name = "block"
    time.end = 0.3
    gravity.acceleration = [4.387164, 0.0, -8.774328]
    contact = { thickness = 0.002, friction = 0.4, restitution = 0.5 }
    [[body]]
    name = "block"
    shape.box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }
    material.solid = { young = 1e6, poisson = 0.3, density = 1000.0, damping = 1e-3 }
    position = [-1.0, 0.5, 0.0525]
    velocity = [0.1, 0.0, -0.2]
    [[body]]
    name = "slope"
    obstacle = true
    shape.grid = { size = [4.0, 4.0], cells = [1, 1], pattern = "right" }
    [[pin]]
    body = "block"
    select.indices = [26]
    axes = "y"
"#;

fn from_file() -> Loaded {
    let scene = Scene::parse("block.toml", BLOCK).unwrap();
    Loaded { name: scene.called(), scene, files: std::sync::Arc::new(carom::scene::InMemory::default()) }
}

/// The same, from arrays.
fn from_arrays() -> SceneBuilder {
    let cube = shapes::box_tets(Vec3::splat(0.1), [2; 3], shapes::Split::Five).unwrap();
    let slope = shapes::grid_right(4.0, 4.0, [1, 1]).unwrap();
    let mut scene = SceneBuilder::new("block");
    scene.set("time.end", 0.3).set("gravity.acceleration", [4.387_164, 0.0, -8.774_328]);
    scene.set("contact.thickness", 0.002).set("contact.friction", 0.4).set("contact.restitution", 0.5);
    scene
        .body("block", &cube)
        .set_all(
            "material.solid",
            &[("young", 1e6), ("poisson", 0.3), ("density", 1000.0), ("damping", 1e-3)],
        )
        .set("position", [-1.0, 0.5, 0.0525])
        .set("velocity", [0.1, 0.0, -0.2]);
    scene.body("slope", &slope).set("obstacle", true);
    scene.add("pin").set("body", "block").set("select.indices", [26]).set("axes", "y");
    scene
}

#[test]
fn a_frictional_scene_from_arrays_has_the_bits_of_the_same_scene_from_a_file() {
    let mut written = Simulation::new(&from_file()).unwrap();
    let mut made = Simulation::new(&from_arrays().load().unwrap()).unwrap();
    for time_s in [0.01, 0.1, 0.3] {
        written.advance_to(time_s).unwrap();
        made.advance_to(time_s).unwrap();
        assert_eq!(made.fingerprint(), written.fingerprint(), "after {time_s} s");
    }
    assert!(written.reading().losses_j.iter().all(|loss_j| *loss_j > 0.0), "every law took energy");
    assert_eq!(made.reading().losses_j, written.reading().losses_j);
    let [reaction] = written.reactions()[..] else { panic!("there is one pin") };
    assert!(reaction.x == 0.0 && reaction.y != 0.0 && reaction.z == 0.0, "{reaction:?}");
}

#[test]
fn two_crossing_sheets_from_arrays_are_refused_with_the_pairs() {
    let sheet = shapes::grid_right(1.0, 1.0, [2, 2]).unwrap();
    let rubber = [("thickness", 1e-3), ("young", 1e6), ("poisson", 0.3), ("density", 1000.0)];
    let mut scene = SceneBuilder::new("crossing");
    scene.set("time.end", 0.1).set("contact.thickness", 1e-3);
    scene.body("flat", &sheet).set_all("material.shell", &rubber);
    scene
        .body("upright", &sheet)
        .set_all("material.shell", &rubber)
        .set("rotation.axis", [1.0, 0.0, 0.0])
        .set("rotation.degrees", 90.0)
        .set("position", [0.1, 0.1, 0.1]);
    let Err(StartError::Scene(refused)) = Simulation::new(&scene.load().unwrap()) else {
        panic!("sheets that cross must be refused");
    };
    let said = refused.render(false);
    for words in ["crossing at the start", "triangle", "\"flat\"", "\"upright\""] {
        assert!(said.contains(words), "{words} is missing in:\n{said}");
    }

    // The same surfaces, in a system that was built by hand.
    let lifted = {
        let mut scene = SceneBuilder::new("apart");
        scene.set("time.end", 0.1).set("contact.thickness", 1e-3);
        scene.body("flat", &sheet).set_all("material.shell", &rubber);
        scene.body("above", &sheet).set_all("material.shell", &rubber).set("position", [0.1, 0.1, 0.1]);
        scene.load().unwrap()
    };
    let built = carom::scene::build(&lifted.scene, lifted.files.as_ref()).unwrap();
    let mut state = built.state.clone();
    for x in &mut state.positions[9..] {
        // Turned upright through the first.
        *x = Vec3::new(x.x, 0.1, x.y);
    }
    assert!(Simulation::of_system(built.system.clone(), built.state.clone(), MethodKind::Carom).is_ok());
    match Simulation::of_system(built.system.clone(), state, MethodKind::Carom) {
        Err(StartError::Crossing(pairs)) => {
            assert!(pairs.iter().any(|p| p.contains("triangle")), "{pairs:?}");
        }
        _ => panic!("a system whose surfaces cross must be refused"),
    }
}
