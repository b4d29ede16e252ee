//! What each step is as short as is said, and true.

use std::collections::BTreeSet;

use carom_model::StepOrigin;
use carom_scene::{Built, InMemory, Scene, build};

/// A scene of a cloth above a floor, without contact and clocks of its own.
const CLOTH: &str = r#"format = 1
time.end = 1.0
gravity.acceleration = [0, 0, -10]
[[body]]
name = "cloth"
shape.grid = { size = [0.1, 0.1], edge = 0.03 }
material.shell = { thickness = 1e-3, young = 1e6, poisson = 0.3, density = 1000 }
position = [0, 0, 0.01]
[[body]]
name = "floor"
obstacle = true
shape.grid = { size = [1, 1], cells = [1, 1], pattern = "right" }
position = [0.013, 0.007, 0]
"#;

fn built(text: &str) -> Built {
    let scene = Scene::parse("scene.toml", text).unwrap_or_else(|e| panic!("{}", e.render(false)));
    build(&scene, &InMemory::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// The origins of all steps of potentials of a kind, and the steps with each, in quanta.
fn origins(scene: &Built, kind: &str) -> BTreeSet<(StepOrigin, u64)> {
    let families = scene.system.families.iter().zip(&scene.system.schedules);
    let (_, schedule) = families.into_iter().find(|(family, _)| family.kind() == kind).expect("it is there");
    schedule.origins.iter().copied().zip(schedule.spans.iter().map(|span| span.quanta())).collect()
}

/// The origins alone.
fn names(scene: &Built, kind: &str) -> Vec<StepOrigin> {
    let all: BTreeSet<StepOrigin> = origins(scene, kind).into_iter().map(|(origin, _)| origin).collect();
    all.into_iter().collect()
}

/// The step of contact between the two bodies, in quanta.
fn first_layer(scene: &Built) -> u64 {
    let contact = scene.system.contact.as_ref().expect("there is contact");
    contact.layers[contact.layers_between(0, 1) as usize].span.quanta()
}

#[test]
fn alone_a_step_is_as_short_as_its_limit_its_neighbours_or_the_scene_say() {
    let alone = built(CLOTH);
    assert_eq!(names(&alone, "membrane-neo-hookean"), [StepOrigin::OwnLimit]);
    assert_eq!(names(&alone, "gravity"), [StepOrigin::Neighbours]);
    assert_eq!(names(&alone, "bending-midedge"), [StepOrigin::Neighbours]);
    let damped = built(&CLOTH.replace("density = 1000", "density = 1000, damping = 1e-4"));
    assert_eq!(names(&damped, "bending-midedge"), [StepOrigin::Damped]);
    let shared = built(&CLOTH.replace("time.end = 1.0", "time.end = 1.0\nclocks.per = \"element\""));
    assert_eq!(names(&shared, "bending-midedge"), [StepOrigin::Part]);
    let given = built(&CLOTH.replace("time.end = 1.0", "time.end = 1.0\nclocks.step = 1e-5"));
    assert_eq!(names(&given, "membrane-neo-hookean"), [StepOrigin::Given]);
    let point = "shape.points = { positions = [[0, 0, 0]] }\nmaterial.points = { mass = 1.0 }";
    let sheet = &CLOTH[CLOTH.find("shape.grid").unwrap()..CLOTH.find("\nposition").unwrap()];
    assert_eq!(names(&built(&CLOTH.replace(sheet, point)), "gravity"), [StepOrigin::Nothing]);
}

#[test]
fn beside_contact_a_step_is_so_many_steps_of_the_layer_that_is_named() {
    let with_contact = |lines: &str| built(&format!("{CLOTH}\n[contact]\nthickness = 1e-3\n{lines}"));
    let hurried = with_contact("speed = 500");
    let cap = BTreeSet::from([(StepOrigin::FirstLayer(16), 16 * first_layer(&hurried))]);
    assert_eq!(origins(&hurried, "membrane-neo-hookean"), cap);
    let lossy = with_contact("speed = 500\nfriction = 0.5");
    let step = first_layer(&lossy);
    let cap = |times| BTreeSet::from([(StepOrigin::LossyContact(times), times * step)]);
    assert_eq!(origins(&lossy, "membrane-neo-hookean"), cap(4));
    assert_eq!(origins(&lossy, "gravity"), cap(1));
}

#[test]
fn on_a_body_that_is_pressed_a_step_is_so_many_steps_of_the_layer_that_carries() {
    let pressed = CLOTH
        .replace(
            "shape.grid = { size = [0.1, 0.1], edge = 0.03 }",
            "shape.box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }",
        )
        .replace("material.shell = { thickness = 1e-3,", "material.solid = {")
        .replace("position = [0, 0, 0.01]", "position = [0, 0, 0.0521]");
    let drive = "[[drive]]\nbody = \"floor\"\nkeys = [{ time = 1.0, shift = [0, 0, 0.05] }]\n";
    for (law, times) in [("", 16), ("friction = 0.5\n", 4)] {
        let scene = built(&format!("{pressed}[contact]\nthickness = 2e-3\n{law}{drive}"));
        let choices = &scene.contact.as_ref().unwrap().choices;
        let carrying = choices.iter().find(|choice| choice.bodies == [0, 1]).unwrap().carrying_span.quanta();
        for (origin, quanta) in origins(&scene, "tet-neo-hookean") {
            assert_eq!(origin, StepOrigin::CarryingLayer(times), "{law}");
            // Contact is chosen anew for what was shortened.
            assert!([1, 2].contains(&(times * carrying / quanta)), "{law}: {quanta} beside {carrying}");
        }
    }
}
