//! Held parts whose ways cross, and contact thinner than rounding: refused, with time, pair and line.

use carom_scene::{InMemory, Scene, build};

/// What is said of a scene; nothing if it is built.
fn refusal(text: &str) -> Option<String> {
    let scene = Scene::parse("scene.toml", text).unwrap_or_else(|e| panic!("{}", e.render(false)));
    build(&scene, &InMemory::default()).err().map(|e| e.to_string())
}

/// The line that a scene of these lines is refused at, and why.
fn refused(lines: &[&str]) -> (usize, String) {
    let message = refusal(&lines.join("\n")).expect("it is refused");
    let place = message.strip_prefix("scene.toml:").unwrap_or_else(|| panic!("no place: {message}"));
    (place.split(':').next().unwrap().parse().unwrap(), message)
}

const HEAD: [&str; 6] =
    ["format = 1", "[time]", "end = 1.0", "[contact]", "thickness = 0.01", "# bodies, and how they are held"];

const CLOTH: &str = r#"[[body]]
name = "cloth"
shape.grid = { size = [0.5, 0.5], edge = 0.1 }
material.shell = { thickness = 1e-3, young = 1e6, poisson = 0.3, density = 1000.0 }"#;

const PLATE: &str = r#"[[body]]
name = "plate"
obstacle = true
shape.grid = { size = [0.7, 0.7], edge = 0.1 }
position = [0.01, 0.02, 0.3]"#;

const PIN: &str = "[[pin]]\nbody = \"cloth\"\nselect.all = true";

fn line_of(lines: &[&str], what: &str) -> usize {
    lines.join("\n").lines().position(|line| line.starts_with(what)).expect("the scene has this line") + 1
}

#[test]
fn an_obstacle_on_its_way_through_a_clamp_is_refused_at_its_velocity() {
    let lines = [&HEAD[..], &[CLOTH, PLATE, "velocity = [0.0, 0.0, -0.4]", PIN]].concat();
    let (line, message) = refused(&lines);
    assert_eq!(line, line_of(&lines, "velocity"));
    assert!(
        message.contains("obstacle \"plate\" and \"cloth\", which is pinned, cross at 0.75 s: "),
        "{message}"
    );
    assert!(message.contains(" of body cloth") && message.contains(" of body plate"), "{message}");
    assert!(message.contains("lead one of them another way"), "{message}");
    // Free in the middle, the cloth is still held at two rims.
    let rims = "[[pin]]\nbody = \"cloth\"\nselect.box = { min = [-1.0, -1.0, -1.0], max = [-0.1, 1.0, 1.0] }";
    assert!(
        refusal(&[&HEAD[..], &[CLOTH, PLATE, "velocity = [0.0, 0.0, -0.4]", rims]].concat().join("\n"))
            .is_some()
    );
}

#[test]
fn a_driven_part_is_refused_at_its_keys_and_one_that_stops_in_time_is_not() {
    let drive = |shift: f64| {
        format!("[[drive]]\nbody = \"plate\"\nkeys = [{{ time = 1.0, shift = [0.0, 0.0, {shift}] }}]")
    };
    let through = drive(-0.6);
    let lines = [&HEAD[..], &[CLOTH, PLATE, PIN, &through]].concat();
    let (line, message) = refused(&lines);
    assert_eq!(line, line_of(&lines, "keys"));
    assert!(
        message.contains("\"plate\", which is driven, and \"cloth\", which is pinned, cross at 0.5 s"),
        "{message}"
    );
    let short = drive(-0.29);
    assert_eq!(refusal(&[&HEAD[..], &[CLOTH, PLATE, PIN, &short]].concat().join("\n")), None);
    // What is free is pushed.
    assert_eq!(refusal(&[&HEAD[..], &[CLOTH, PLATE, &through]].concat().join("\n")), None);
    // The run ends before.
    let early = lines.join("\n").replace("end = 1.0", "end = 0.49");
    assert_eq!(refusal(&early), None);
}

#[test]
fn obstacles_may_overlap_at_rest_and_on_one_way_and_not_on_two() {
    let upright = "[[body]]\nname = \"wall\"\nobstacle = true\nshape.grid = { size = [0.33, 0.33], edge = 0.11 }\n\
                   rotation = { axis = [1.0, 0.0, 0.0], degrees = 90.0 }\nposition = [0.02, 0.05, 0.31]";
    let ball = "[[body]]\nname = \"ball\"\nshape.icosphere = { radius = 0.1, frequency = 2 }\nposition = [0.0, 0.0, 5.0]\n\
                material.shell = { thickness = 1e-3, young = 1e6, poisson = 0.3, density = 1000.0 }";
    let keys = |body: &str, degrees: f64| {
        format!(
            "[[drive]]\nbody = \"{body}\"\ncentre = [1.0, 0.0, 0.0]\nkeys = [{{ time = 0.5, degrees = {degrees}, shift = [0.0, 0.0, 0.2] }}]"
        )
    };
    let both = |one: &str, other: &str, more: &[String]| {
        let more: Vec<&str> = more.iter().map(String::as_str).collect();
        refusal(&[&HEAD[..], &[ball, PLATE, one, upright, other], &more].concat().join("\n"))
    };
    let velocity = "velocity = [0.1, 0.0, 0.0]";
    assert_eq!(both("", "", &[]), None);
    assert_eq!(both(velocity, velocity, &[]), None);
    assert_eq!(both("", "", &[keys("plate", 30.0), keys("wall", 30.0)]), None);
    for message in [both("", velocity, &[]), both("", "", &[keys("plate", 30.0), keys("wall", 29.0)])] {
        assert!(message.as_ref().is_some_and(|m| m.contains("cross at 0 s")), "{message:?}");
    }
}

#[test]
fn contact_that_coordinates_cannot_resolve_is_refused_at_its_thickness() {
    let scene = |thickness: &str| {
        [
            "format = 1\ntime.end = 0.02\n[contact]",
            thickness,
            "[[body]]\nname = \"a\"\nshape.box = { size = [0.1, 0.1, 0.1], cells = [2, 2, 2] }",
            "material.solid = { young = 1e6, poisson = 0.3, density = 1000.0 }",
            "position = [100000000.0, 0.0, 0.053]\nvelocity = [0.0, 0.5, -5.0]",
            "[[body]]\nname = \"f\"\nobstacle = true\nposition = [100000000.013, 0.0, 0.0]",
            "shape.grid = { size = [1.0, 1.0], cells = [1, 1], pattern = \"right\" }",
        ]
        .join("\n")
    };
    let message = refusal(&scene("thickness = 2e-6")).expect("it is refused");
    assert!(message.starts_with("scene.toml:4:"), "{message}");
    assert!(
        message.contains("a thickness of 2.000e-6 m of \"a\" is too thin here: it would have to be 7.3"),
        "{message}"
    );
    assert!(message.contains("has a coordinate of 1.000000e8 m"), "{message}");
    assert!(message.contains("numbers of that size are 1.5e-8 m apart"), "{message}");
    assert_eq!(refusal(&scene("thickness = 8e-6")), None);
}
