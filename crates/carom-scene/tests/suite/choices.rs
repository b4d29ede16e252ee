//! Contact and steps that a scene leaves to the program: made for the pressures and speeds that are at hand.

use carom_contact::{ContactTuning, SpeedReason, StepReason, step_of_layer};
use carom_scene::{Built, Earlier, EarlierBody, InMemory, Scene, build};

const MODULUS: f64 = 1e6;
const DENSITY: f64 = 1000.0;
const THICKNESS: f64 = 0.002;

fn built_with(text: &str, files: &InMemory) -> Built {
    let scene = Scene::parse("scene.toml", text).unwrap_or_else(|e| panic!("{}", e.render(false)));
    build(&scene, files).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn built(text: &str) -> Built {
    built_with(text, &InMemory::default())
}

/// A cube of 10 cm and `young`, `gap` above a floor that is `floor` wide.
fn cube_above_floor(young: f64, gap: f64, floor: f64) -> String {
    let z = 0.05 + gap;
    format!(
        r#"format = 1
time.end = 1.0
gravity.acceleration = [0, 0, -10]
[contact]
thickness = {THICKNESS}
[[body]]
name = "cube"
shape.box = {{ size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }}
material.solid = {{ young = {young:?}, poisson = 0.0, density = {DENSITY:?} }}
position = [0, 0, {z}]
[[body]]
name = "floor"
obstacle = true
shape.grid = {{ size = [{floor:?}, {floor:?}], cells = [1, 1], pattern = "right" }}
position = [0.013, 0.007, 0]
"#
    )
}

fn resting() -> String {
    cube_above_floor(MODULUS, 0.0021, 1.0)
}

/// The scene with these lines in its section `[contact]`.
fn with_contact(scene: &str, lines: &str) -> String {
    scene.replace("[contact]", &format!("[contact]\n{lines}"))
}

/// What was chosen between the first two bodies.
fn choice(scene: &Built) -> ContactTuning {
    let choices = &scene.contact.as_ref().expect("there is contact").choices;
    *choices.iter().find(|choice| choice.bodies == [0, 1]).expect("they can meet")
}

fn pressure(text: &str) -> f64 {
    choice(&built(text)).pressure_pa.expect("a cube can be pressed")
}

/// The longest chosen step of the elements of a scene, in s.
fn longest_step(scene: &Built) -> f64 {
    let system = &scene.system;
    let counted = system.families.iter().zip(&system.schedules);
    let counted = counted.filter(|(family, _)| family.properties().counts_as_evaluation);
    let longest = counted.flat_map(|(_, schedule)| &schedule.spans).max().expect("there are elements");
    system.line.quantum.step(*longest)
}

fn close(found: f64, expected: f64) -> bool {
    (found / expected - 1.0).abs() < 1e-6
}

const DRIVE: &str = "[[drive]]\nbody = \"floor\"\nkeys = [{ time = 1.0, shift = [0, 0, 0.05] }]\n";

#[test]
fn what_is_driven_presses_with_all_that_the_material_gives() {
    let driven = resting() + DRIVE;
    let scene = built(&driven);
    assert_eq!(Some(pressure(&driven)), scene.materials[0].modulus_pa);
    let beside = "[[body]]\nname = \"wall\"\nobstacle = true\nshape.grid = { size = [0.1, 0.1], cells = [1, 1], pattern = \"right\" }\nposition = [3, 0, 0]\n";
    let moving = resting() + "velocity = [0, 0, 0.1]\n" + beside;
    assert_eq!(pressure(&moving), pressure(&driven), "an obstacle that moves past another goes on, too");
    // Three layers carry it, and contact is stiffer than the elements would have it.
    let found = choice(&scene);
    assert!((2..=3).contains(&found.carrying_layer), "{found:?}");
    assert_eq!(found.reasons.step, StepReason::Pressure);
    let free = choice(&built(&resting().replace("[0, 0, -10]", "[0, 0, 0]")));
    assert!(found.spec.stiffness > 8.0 * free.spec.stiffness, "{found:?} {free:?}");
}

#[test]
fn what_is_free_presses_with_its_weight_and_with_what_stops_it() {
    // A cube of 1 kg weighs 10 N on 1 dm².
    let at_rest = with_contact(&resting(), "speed = 1e-9");
    assert!(close(pressure(&at_rest), 1000.0), "{}", pressure(&at_rest));
    let heavy = at_rest.replace("density = 1000.0", "density = 20000.0");
    assert!(close(pressure(&heavy), 20_000.0), "{}", pressure(&heavy));
    let soft = heavy.replace("young = 1000000.0", "young = 1e4");
    assert!(close(pressure(&soft), 1e4), "no material carries more than its modulus");
    // 100 kg/m² are stopped within 2 mm, or as a wave in the material begins.
    let weightless = |speed: f64| {
        with_contact(&resting(), &format!("speed = {speed:?}")).replace("[0, 0, -10]", "[0, 0, 0]")
    };
    assert!(close(pressure(&weightless(0.1)), 100.0 * 0.01 / THICKNESS), "{}", pressure(&weightless(0.1)));
    let wave = (MODULUS * DENSITY).sqrt() * 5.0;
    assert!(close(pressure(&weightless(5.0)), wave), "{}", pressure(&weightless(5.0)));
    let load = "[[load]]\nbody = \"cube\"\nselect.all = true\nforce = [0, 0, -70]\n";
    let pushed = pressure(&(at_rest + load));
    assert!(close(pushed, 8000.0), "{pushed}: weight and load");
}

#[test]
fn a_light_sheet_keeps_soft_contact() {
    let sheet = resting()
        .replace(
            "shape.box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }",
            "shape.grid = { size = [0.1, 0.1], edge = 0.02 }",
        )
        .replace("material.solid = {", "material.shell = { thickness = 1e-3,")
        .replace("position = [0, 0, 0.0521]", "position = [0, 0, 0.0021]");
    let found = choice(&built(&sheet));
    // 1 kg/m², ten newtons on each square metre of a sixth of it, at a fall of 2 mm.
    assert!(found.pressure_pa.unwrap() < 100.0, "{found:?}");
    assert_eq!(found.reasons.step, StepReason::Elements);
    assert_eq!(found.carrying_layer, 1, "{found:?}");
}

#[test]
fn whatever_acts_on_pressed_bodies_follows_the_layer_that_carries() {
    for (law, most) in [("", 16.0), ("friction = 0.5", 4.0)] {
        let scene = built(&(with_contact(&resting(), law) + DRIVE));
        let found = choice(&scene);
        let carrying = step_of_layer(&found.spec, found.carrying_layer).unwrap();
        assert_eq!(carrying, found.carrying_span);
        let carrying_s = scene.system.line.quantum.step(carrying);
        assert!(found.carrying_layer > 1, "{found:?}");
        assert!(longest_step(&scene) <= most * carrying_s, "{law}: {} {carrying_s}", longest_step(&scene));
        let spans = scene.system.schedules.iter().flat_map(|schedule| &schedule.spans);
        assert!(spans.into_iter().all(|s| scene.system.line.quantum.step(*s) <= most * carrying_s));
    }
}

#[test]
fn what_the_scene_gives_is_taken() {
    let driven = resting() + DRIVE;
    let stiff = choice(&built(&with_contact(&driven, "stiffness = 1e5")));
    assert_eq!((stiff.spec.stiffness, stiff.reasons.stiffness_is_given), (1e5, true));
    let free = choice(&built(&driven));
    // Half the step resolves the same contact better.
    let halved = choice(&built(&with_contact(&driven, &format!("step = {:e}", 0.5 * free.step_s))));
    assert_eq!(halved.carrying_span, free.carrying_span);
    assert_eq!((halved.spec.stiffness, halved.reasons.step), (free.spec.stiffness, StepReason::Given));
    assert!(close(halved.step_s, 0.5 * free.step_s), "{halved:?}");
    let doubled = choice(&built(&with_contact(&driven, &format!("step = {:e}", 2.0 * free.step_s))));
    assert!(close(doubled.spec.stiffness, 0.25 * free.spec.stiffness), "no stiffer than its step can bear");
    // Elements whose steps are given cannot follow, so contact does not run ahead.
    let given = |scene: &str| built(&scene.replace("[contact]", "[clocks]\nstep = 1e-4\n[contact]"));
    let (kept, without) = (given(&driven), given(&resting()));
    assert_eq!(choice(&kept).pressure_pa, None);
    assert_eq!(choice(&kept).spec.stiffness, choice(&without).spec.stiffness);
    assert!(close(longest_step(&kept), 1e-4));
}

#[test]
fn bodies_that_are_held_everywhere_press_nothing_out_of_shape() {
    let pinned = format!("{}[[pin]]\nbody = \"cube\"\nselect.all = true\n", resting());
    let [held, free] = [built(&pinned), built(&resting())];
    assert_eq!(choice(&held).pressure_pa, None);
    assert!(longest_step(&held) > longest_step(&free), "nothing asks for steps shorter than its own");
}

#[test]
fn a_velocity_that_all_have_and_a_longer_run_change_nothing() {
    let fall = cube_above_floor(MODULUS, 0.3, 1.0);
    let own = built(&fall);
    let boosted = built(
        &(fall.replace("name = \"cube\"", "name = \"cube\"\nvelocity = [64, 0, 0]")
            + "velocity = [64, 0, 0]\n"),
    );
    // A floor that comes up is a cube that comes down.
    let [up, down] = [
        fall.clone() + "velocity = [0, 0, 2]\n",
        fall.replace("name = \"cube\"", "name = \"cube\"\nvelocity = [0, 0, -2]"),
    ];
    assert_eq!(choice(&built(&up)), choice(&built(&down)));
    assert!(close(choice(&built(&up)).speed, (4.0_f64 + 2.0 * 10.0 * 0.4).sqrt()), "start and fall together");
    let brief = built(&fall.replace("time.end = 1.0", "time.end = 0.01"));
    for other in [boosted, brief] {
        assert_eq!(choice(&other), choice(&own));
        assert_eq!(other.system.spans(), own.system.spans());
        assert_eq!(other.energy_tolerance, own.energy_tolerance);
    }
}

#[test]
fn a_larger_floor_changes_nothing() {
    let numbers = |floor: f64| {
        let found = choice(&built(&cube_above_floor(MODULUS, 0.3, floor)));
        assert_eq!(found.reasons.speed, SpeedReason::Fall);
        (found.speed, found.spec.stiffness, found.step_s, found.pressure_pa)
    };
    assert_eq!(numbers(1.0), numbers(100.0));
    // Its upper side falls by no more than 40 cm.
    assert!(close(numbers(1.0).0, (2.0_f64 * 10.0 * 0.4).sqrt()), "{:?}", numbers(1.0));
    // Nor does what it could slide down an inclined floor, where only the part of its speed across the floor counts.
    let inclined = |floor: f64| {
        let turned =
            cube_above_floor(MODULUS, 0.3, floor) + "rotation = { axis = [1, 0, 0], degrees = 80 }\n";
        choice(&built(&turned)).speed
    };
    assert!(inclined(10.0) < 0.5 * (2.0_f64 * 10.0 * 5.0).sqrt(), "{}", inclined(10.0));
}

#[test]
fn stored_energy_and_loads_say_how_fast_things_may_close() {
    let spring = "[[spring]]\nfrom = { body = \"cube\", select.nearest = [0, 0, 0.1] }\nto = { body = \"floor\", select.nearest = [0, 0, 0] }\nstiffness = 2000\nrest_length = 0.0\n";
    let floating = cube_above_floor(MODULUS, 0.3, 1.0).replace("[0, 0, -10]", "[0, 0, 0]");
    let found = choice(&built(&(floating.clone() + spring)));
    assert_eq!(found.reasons.speed, SpeedReason::Stored);
    // All that it holds moves 1 kg: at least 0.3 m, at most to the corners of the floor.
    assert!(found.speed > (2000.0_f64 * 0.09).sqrt() && found.speed < (2000.0_f64 * 0.9).sqrt(), "{found:?}");
    let load = "[[load]]\nbody = \"cube\"\nselect.all = true\nforce = [0, 0, -30]\n";
    let found = choice(&built(&(floating + load)));
    assert_eq!(found.reasons.speed, SpeedReason::Loads);
    assert!(close(found.speed, (2.0_f64 * 30.0 * 0.4).sqrt()), "{found:?}");
}

#[test]
fn a_scene_has_the_same_steps_and_contact_wherever_another_run_left_it() {
    let text = resting();
    let own = built(&text);
    // As after a relaxation: sunk into contact, a little flatter, with the velocities of the scene or without.
    let body = |number: usize| {
        let body = &own.system.bodies[number];
        let range = body.vertices.start as usize..body.vertices.end as usize;
        let mut positions = own.state.positions[range].to_vec();
        if number == 0 {
            for x in &mut positions {
                x.z = (x.z - 0.0021) * 0.9 + 0.0015;
            }
        }
        let velocities = vec![carom_math::Vec3::ZERO; positions.len()];
        EarlierBody { name: body.name.clone(), positions, velocities, auxiliary_dofs: Vec::new() }
    };
    let earlier = Earlier { bodies: vec![body(0), body(1)] };
    let files = InMemory([("there.txt".to_owned(), earlier.to_table().into_bytes())].into());
    for velocities in [true, false] {
        let from = format!("from = {{ file = \"there.txt\", velocities = {velocities} }}\n");
        let moved = built_with(&text.replacen("time.end", &format!("{from}time.end"), 1), &files);
        assert_ne!(moved.state.positions, own.state.positions);
        assert_eq!(choice(&moved), choice(&own));
        assert_eq!(moved.system.spans(), own.system.spans());
        assert_eq!(moved.system.line.quantum, own.system.line.quantum);
    }
}

#[test]
fn steps_of_what_is_pressed_against_contact_that_is_given_soft_are_not_driven_down_without_end() {
    let lid = r#"
[[body]]
name = "lid"
obstacle = true
shape.grid = { size = [1, 1], cells = [1, 1], pattern = "right" }
position = [0.013, 0.007, 0.1095]
[[drive]]
body = "lid"
keys = [{ time = 0.03, shift = [0, 0, -0.02] }]
"#;
    let pressed =
        cube_above_floor(1e5, 0.0045, 1.0).replace("gravity.acceleration = [0, 0, -10]\n", "") + lid;
    let chosen = built(&pressed);
    // The softer it is given, the deeper lies the layer that carries.
    for stiffness in [1e6, 3e5, 1e5, 1e4] {
        let soft = built(&with_contact(&pressed, &format!("stiffness = {stiffness:?}")));
        let found = choice(&soft);
        assert!(stiffness > 4e5 || found.carrying_layer > 5, "{found:?}");
        let least = |scene: &Built| scene.system.spans().into_iter().min().unwrap();
        let [least, usual] = [&soft, &chosen].map(|scene| scene.system.line.quantum.step(least(scene)));
        assert!(least > 0.05 * usual, "{stiffness}: {least} s beside {usual} s");
    }
}
