//! Contact in scenes: what one number is enough for, what is refused, and who is to blame.

use carom_math::Vec3;
use carom_model::LayerFamily;
use carom_scene::{Built, InMemory, Scene, SceneError, build};

fn tried(text: &str) -> Result<Built, SceneError> {
    build(&Scene::parse("scene.toml", text)?, &InMemory::default())
}

fn built(text: &str) -> Built {
    tried(text).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn refused(text: &str) -> String {
    match tried(text) {
        Ok(_) => panic!("this was built:\n{text}"),
        Err(error) => error.to_string(),
    }
}

/// A ball `gap` above a plate, with `[contact]` and what is said there.
fn ball_on_plate(gap: f64, contact: &str) -> String {
    let z = 0.1 + gap;
    format!(
        r#"format = 1
time.end = 0.01
[contact]
{contact}
[[body]]
name = "ball"
shape.icosphere = {{ radius = 0.1, frequency = 3 }}
material.shell = {{ thickness = 0.002, young = 1e6, poisson = 0.3, density = 1000 }}
position = [0, 0, {z}]
[[body]]
name = "plate"
shape.grid = {{ size = [0.4, 0.4], edge = 0.1 }}
obstacle = true
"#
    )
}

#[test]
fn one_number_is_enough() {
    let scene = built(&ball_on_plate(0.02, "thickness = 0.01"));
    let contact = scene.system.contact.as_ref().unwrap();
    assert_eq!((contact.bodies, contact.max_layers), (2, carom_contact::MAX_LAYERS));
    assert!(contact.layers.iter().all(|l| l.thickness == 0.01 && l.family == LayerFamily::Window));
    let notes = scene.contact.unwrap();
    let pairs: Vec<[u32; 2]> = notes.choices.iter().map(|c| c.bodies).collect();
    assert_eq!(pairs, [[0, 0], [0, 1]], "a plate that nothing moves does not meet itself");
    assert!(scene.warnings.is_empty(), "{}", scene.warnings.render(false));
}

/// The steps of the elements of a scene, in quanta, by kind; and the shortest of contact.
fn spans(scene: &Built) -> (Vec<(&str, u64)>, u64) {
    let system = &scene.system;
    let of =
        |f: usize| system.schedules[f].spans.iter().map(move |s| (system.families[f].kind(), s.quanta()));
    let elements = (0..system.families.len())
        .filter(|&f| system.families[f].properties().counts_as_evaluation)
        .flat_map(of)
        .collect();
    let contact = system.contact.as_ref().map(|c| c.layers.iter().map(|l| l.span.quanta()).min());
    (elements, contact.flatten().unwrap_or(0))
}

#[test]
fn elements_keep_up_with_contact_that_takes_energy_unless_their_step_is_given() {
    let ratio = |text: &str| {
        let scene = built(text);
        let (elements, contact) = spans(&scene);
        elements.iter().map(|(_, span)| span / contact).max().unwrap()
    };
    let hurried = |law: &str| ball_on_plate(0.02, &format!("thickness = 0.01\nspeed = 2000\n{law}"));
    assert_eq!(ratio(&hurried("")), 16, "elastic contact gives back what it takes");
    assert_eq!(ratio(&hurried("friction = 0.3")), 4);
    assert_eq!(ratio(&hurried("restitution = 0.5")), 4);
    let given = hurried("friction = 0.3").replace("[contact]", "[clocks]\nstep = 1e-4\n[contact]");
    assert!(ratio(&given) > 16);
    let of_body = hurried("friction = 0.3").replace("shape.icosphere", "step = 1e-4\nshape.icosphere");
    assert!(ratio(&of_body) > 16);
}

#[test]
fn along_a_chain_of_bodies_too_elements_keep_up_with_contact() {
    let ball = |name: &str, x: f64, young: f64| {
        format!(
            r#"[[body]]
name = "{name}"
shape.icosphere = {{ radius = 0.1, frequency = 3 }}
material.shell = {{ thickness = 0.002, young = {young}, poisson = 0.3, density = 1000 }}
position = [{x}, 0, 0]
"#
        )
    };
    // The stiff one hurries the second, and the second the third.
    let between = |one: &str, other: &str| {
        format!("[[contact.between]]\nbodies = [\"{one}\", \"{other}\"]\nfriction = 0.3\n")
    };
    let balls = [ball("a", 0.0, 1e9), ball("b", 0.3, 1e6), ball("c", 0.6, 1e3)].concat();
    let start = "format = 1\ntime.end = 0.01\n[contact]\nthickness = 0.01\n";
    let text = format!("{start}{}{}{balls}", between("a", "b"), between("b", "c"));
    let system = built(&text).system;
    let contact = system.contact.as_ref().unwrap();
    for (family, schedule) in system.families.iter().zip(&system.schedules) {
        for (e, span) in schedule.spans.iter().enumerate() {
            let body = family.owner(e).body;
            let layers = (0..3).map(|other| &contact.layers[contact.layers_between(body, other) as usize]);
            let lossy = layers.filter(|layers| !layers.law.is_ideal());
            let fastest = lossy.map(|layers| layers.span.quanta()).min().unwrap();
            assert!(
                span.quanta() <= 4 * fastest,
                "{} of body {body}: {span:?} beside {fastest}",
                family.kind()
            );
        }
    }
}

#[test]
fn damped_elements_that_share_vertices_share_a_clock() {
    let plain = ball_on_plate(0.02, "thickness = 0.01");
    let clocks = |text: &str| {
        let mut spans: Vec<u64> = spans(&built(text)).0.into_iter().map(|(_, span)| span).collect();
        spans.sort_unstable();
        (spans[0], spans[spans.len() - 1])
    };
    let (shortest, longest) = clocks(&plain);
    assert!(longest > shortest, "bending of a thin ball is slower than stretching");
    let (shortest, longest) = clocks(&plain.replace("density = 1000", "density = 1000, damping = 1e-4"));
    assert_eq!(longest, shortest);
}

#[test]
fn two_bodies_take_the_mean_of_their_thicknesses() {
    let text =
        ball_on_plate(0.02, "thickness = 0.01").replace("obstacle", "contact.thickness = 0.002\nobstacle");
    let contact = built(&text).system.contact.unwrap();
    let between = |a, b| contact.layers[contact.layers_between(a, b) as usize].thickness;
    assert_eq!((between(0, 0), between(0, 1), between(1, 1)), (0.01, 0.006, 0.002));
}

#[test]
fn nothing_moves_an_obstacle_and_it_weighs_nothing_in_the_books() {
    let text = ball_on_plate(0.02, "thickness = 0.01")
        .replace("obstacle = true", "obstacle = true\nvelocity = [0, 0, 2]");
    let gravity = "[gravity]\nacceleration = [0, 0, -9.81]\n";
    let scene = built(&format!("{text}{gravity}"));
    let plate = scene.system.bodies[1].vertices.clone();
    for v in plate.clone() {
        assert!(scene.system.is_held(v as usize));
        assert_eq!(scene.state.velocities[v as usize], Vec3::new(0.0, 0.0, 2.0));
    }
    for family in &scene.system.families {
        assert!(
            (0..family.len()).all(|e| family.stencil(e).iter().all(|v| !plate.contains(v))),
            "{}",
            family.kind()
        );
    }
    assert!(scene.contact.unwrap().choices[1].speed >= 2.0, "the choice is ready for the plate");
}

#[test]
fn a_closing_speed_that_the_scene_gives_is_taken_also_below_that_of_the_start() {
    let speed = |contact: &str| {
        let text =
            ball_on_plate(0.02, contact).replace("obstacle = true", "obstacle = true\nvelocity = [0, 0, 2]");
        built(&text).contact.unwrap().choices[1].speed
    };
    assert_eq!(speed("thickness = 0.01\nspeed = 0.5"), 0.5);
    assert_eq!(speed("thickness = 0.01"), 2.0);
}

#[test]
fn gravity_on_loose_grains_keeps_up_with_their_contact_at_any_scale() {
    for metre in [1e-6, 1.0, 1e3] {
        let [radius, up, thickness, size] = [1.0, 11.0, 0.01, 1e3].map(|length| length * metre);
        let scene = built(&format!(
            r#"format = 1
time.end = 0.1
gravity.acceleration = [0, 0, -9.81]
contact.thickness = {thickness:e}
[[body]]
name = "grain"
shape.grains = {{ positions = [[0, 0, 0]], radius = {radius:e} }}
material.grains = {{ density = 2000 }}
position = [0, 0, {up:e}]
[[body]]
name = "floor"
obstacle = true
shape.grid = {{ size = [{size:e}, {size:e}], cells = [1, 1], pattern = "right" }}
"#
        ));
        let (fields, contact) = spans(&scene);
        assert!(fields.iter().all(|(_, quanta)| *quanta <= 16 * contact), "{metre}: {fields:?} {contact}");
    }
}

#[test]
fn what_would_move_an_obstacle_is_refused() {
    let plate = ball_on_plate(0.02, "thickness = 0.01");
    let with = |line: &str| refused(&plate.replace("obstacle = true", &format!("obstacle = true\n{line}")));
    assert!(with("spin = [0, 0, 1]").contains(
        "obstacle \"plate\" cannot spin; give `velocity`, or tell it where to go with `[[drive]]`"
    ));
    assert!(with("step = 1e-4").contains("has no forces and so no step"));
    let pin = refused(&format!("{plate}[[pin]]\nbody = \"plate\"\nselect.all = true\n"));
    assert!(pin.contains("\"plate\" is an obstacle: nothing moves it"), "{pin}");
    let load = refused(&format!("{plate}[[load]]\nbody = \"plate\"\nselect.all = true\nforce = [0, 0, 1]\n"));
    assert!(load.contains("\"plate\" is an obstacle: no load moves it"), "{load}");
}

#[test]
fn an_obstacle_may_be_nothing_but_points() {
    let plate = "shape.grid = { size = [0.4, 0.4], edge = 0.1 }";
    let text = ball_on_plate(0.02, "thickness = 0.01");
    let points = "shape.points.positions = [[0, 0, 0], [0.1, 0, 0]]\ncontact.radius = 0.005";
    let contact = built(&text.replace(plate, points)).system.contact.unwrap();
    let of_points: Vec<f64> = contact.vertices.iter().filter(|v| v.body == 1).map(|v| v.radius).collect();
    assert_eq!(of_points, [0.005; 2]);
}

#[test]
fn a_body_without_a_material_is_told_of_obstacles() {
    let text = ball_on_plate(0.02, "thickness = 0.01").replace("obstacle = true", "");
    let line = refused(&text);
    assert!(line.starts_with("scene.toml:11:8: \"plate\" has no `material`, which it needs"), "{line}");
    assert!(line.contains("obstacle = true"), "{line}");
}

#[test]
fn a_start_that_crosses_is_refused_with_the_pairs() {
    let line = refused(&ball_on_plate(-0.03, "thickness = 0.01"));
    assert!(
        line.starts_with("scene.toml:6:8: ")
            && line.contains(" pairs of \"ball\" and \"plate\": crossing at the start"),
        "{line}"
    );
    assert!(line.contains(" of body ball and triangle "), "{line}");
    assert!(line.contains("move them apart"), "{line}");
}

#[test]
fn a_start_within_the_layers_is_refused_unless_asked_for() {
    let line = refused(&ball_on_plate(0.004, "thickness = 0.01"));
    assert!(line.contains("nearer at the start than their thickness"), "{line}");
    assert!(line.contains(" of body plate: 5.698e-3 m"), "{line}");
    assert!(line.contains("`contact.start_inside = true`"), "{line}");

    let scene = built(&ball_on_plate(0.004, "thickness = 0.01\nstart_inside = true"));
    let warning = scene.warnings.lines().next().unwrap();
    assert!(warning.contains("the start stores ") && warning.contains(" J in contact"), "{warning}");
}

#[test]
fn a_start_nearer_than_the_deepest_layer_is_refused_whatever_is_asked_for() {
    let line = refused(&ball_on_plate(0.0005, "thickness = 0.01\nmax_layers = 4\nstart_inside = true"));
    assert!(line.contains("crossing at the start"), "{line}");
}

/// A rod of short segments along x at height `z`, and a point body `points`.
fn rods(second_at: f64) -> String {
    format!(
        r#"format = 1
time.end = 0.01
contact.thickness = 0.002
[[body]]
name = "first"
shape.rod = {{ from = [-0.1, 0, 0], to = [0.1, 0, 0], segments = 40 }}
material.rod = {{ radius = 0.01, young = 1e6, density = 1000 }}
[[body]]
name = "second"
shape.rod = {{ from = [0, -0.1, 0], to = [0, 0.1, 0], segments = 8 }}
material.rod = {{ radius = 0.01, young = 1e6, density = 1000 }}
position = [0, 0, {second_at}]
"#
    )
}

#[test]
fn rods_are_as_thick_as_their_material_and_their_neighbours_are_left_out() {
    let scene = built(&rods(0.023));
    let contact = scene.system.contact.as_ref().unwrap();
    assert!(contact.edges.iter().all(|e| e.radius == 0.01 && e.is_bare));
    let left_out = scene.contact.unwrap().left_out;
    assert!(
        left_out.iter().any(|pair| pair.contains("vertex 0 of body first and the edge from vertex 1 to 2")),
        "{left_out:?}"
    );
    assert!(
        left_out.iter().all(|pair| !pair.contains("second")),
        "its segments are longer than its diameter"
    );

    let line = refused(&rods(0.019));
    assert!(
        line.contains("\"first\" and \"second\": crossing at the start") && line.contains("-1.000e-3 m"),
        "{line}"
    );
    let line = refused(&rods(0.021));
    assert!(line.contains("nearer at the start than their thickness"), "{line}");
}

#[test]
fn a_seam_of_two_vertices_at_one_place_is_refused() {
    let text = r#"format = 1
time.end = 0.01
contact.thickness = 0.002
[[body]]
name = "seam"
shape.mesh = { file = "seam.obj" }
material.shell = { thickness = 0.002, young = 1e6, poisson = 0.3, density = 1000 }
start.displace.bump = { amplitude = [0, 0, 1], centre = [-1, 0, 0], radius = 1.5 }
"#;
    let mesh = "v 0 0 0\nv 0 1 0\nv -1 0 0\nv 0 0 0\nv 0 1 0\nv 1 0 0\nf 1 2 3\nf 4 6 5\n";
    let files = InMemory([("seam.obj".to_owned(), mesh.as_bytes().to_vec())].into_iter().collect());
    let Err(error) = build(&Scene::parse("scene.toml", text).unwrap(), &files) else {
        panic!("this was built")
    };
    let line = error.to_string();
    assert!(line.contains("of \"seam\": nearer at rest than the deepest layer"), "{line}");
    assert!(line.contains("0.000e0 m") && line.contains("merge vertices that coincide"), "{line}");
}

#[test]
fn keys_of_contact_need_contact() {
    let text = ball_on_plate(0.02, "thickness = 0.01").replace("[contact]\nthickness = 0.01\n", "");
    let scene = built(&text);
    assert!(scene.warnings.lines().any(|w| w.contains("everything passes through obstacle \"plate\"")));
    let probe = "[[probe]]\nname = \"touch\"\nbetween = [\"ball\", \"plate\"]\n";
    assert!(refused(&format!("{text}{probe}")).contains("a probe of contact needs contact"));
    assert!(
        refused(&format!("{text}[expect]\ncontact_deepest_layer = 3\n"))
            .contains("a deepest layer needs contact")
    );
    let own = text.replace("obstacle", "contact.thickness = 1\nobstacle");
    assert!(
        refused(&own).contains("needs contact, and this scene has none; add `[contact]` with a `thickness`")
    );
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    assert!(
        refused(&ball_on_plate(0.02, "thickness = 0"))
            .contains("`contact.thickness`: expected a number greater than 0")
    );
    assert!(refused(&ball_on_plate(0.02, "thickness = 0.01\nmax_layers = 61")).contains("take at most 60"));
    assert!(
        refused(&ball_on_plate(0.02, "thickness = 0.01\nlayers = \"windows\""))
            .contains("did you mean `window`?")
    );
    let radius =
        ball_on_plate(0.02, "thickness = 0.01").replace("obstacle", "contact.radius = 0.1\nobstacle");
    assert!(refused(&radius).contains("\"plate\" is made of triangles, which have no hard radius"));
}

#[test]
fn a_poor_choice_is_a_warning() {
    let text = ball_on_plate(0.02, "thickness = 0.01\nstep = 1e-3")
        .replace("position", "velocity = [0, 0, -9]\nposition");
    let scene = built(&text);
    let warning = scene.warnings.lines().next().unwrap();
    assert!(warning.contains("contact of \"ball\" with itself, and 1 more: only 0."), "{warning}");
    assert!(warning.contains("raise `contact.thickness`, or shorten `contact.step`"), "{warning}");
}
