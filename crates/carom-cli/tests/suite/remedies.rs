//! What a run advises is tried: each remedy that a warning names is applied to its scene, and must make better what the warning is about.

use carom_output::Ledger;
use serde_json::Value;

use crate::common::{Scratch, run, stderr, stdout, summary};

/// A thin ball that flies at a wall; nothing holds its energy, and any error is said.
const BALL: &str = r#"format = 1
time.end = 0.05
contact = { thickness = 0.02, speed = 8.0 }
clocks.energy_tolerance = "none"
output = { rows = 2000, frames = 0 }
expect.energy_band = 1e-9
[[body]]
name = "ball"
shape.icosphere = { radius = 0.05, frequency = 2 }
material.shell = { thickness = 2e-3, young = 1e7, poisson = 0.3, density = 1000.0 }
position = [0.1, 0.05, 0.2]
velocity = [0.0, 0.0, -8.0]
[[body]]
name = "wall"
obstacle = true
shape.grid = { size = [1.0, 1.0], edge = 0.5 }
"#;

/// Loose grains that fly at the same wall, contact being ready for a tenth of their speed.
const GRAINS: &str = r#"format = 1
time.end = 0.05
contact = { thickness = 0.02, speed = 0.8 }
clocks.energy_tolerance = "none"
output = { rows = 2000, frames = 0 }
expect.energy_band = 1e-9
[[body]]
name = "grain"
shape.points = { positions = [[0.1, 0.05, 0.2], [0.12, 0.06, 0.4]] }
material.points = { mass = 0.01 }
contact.radius = 0.05
velocity = [0.0, 0.0, -8.0]
[[body]]
name = "wall"
obstacle = true
shape.grid = { size = [1.0, 1.0], edge = 0.5 }
"#;

/// Grains in contact with the wall that kicks so rarely that their weight throws them about.
const BOUNCING: &str = r#"format = 1
time.end = 2.0
contact = { thickness = 1e-3, step = 8e-3, speed = 1e-4, start_inside = true }
gravity.acceleration = [0.0, 0.0, -10.0]
clocks.energy_tolerance = "none"
output = { rows = 2000, frames = 0 }
expect.energy_band = 1e-9
[[body]]
name = "grain"
shape.points = { positions = [[0.1, 0.05, 0.0509], [0.12, 0.3, 0.0507]] }
material.points = { mass = 0.01 }
contact.radius = 0.05
[[body]]
name = "wall"
obstacle = true
shape.grid = { size = [1.0, 1.0], edge = 0.5 }
"#;

/// A bar of rubber that is pressed to a sixth of its length, at steps just below the limit that it has at rest.
const PRESSED: &str = r#"format = 1
time.end = 0.02
clocks = { energy_tolerance = "none", safety = 0.95 }
output = { rows = 200, frames = 0 }
[[body]]
name = "bar"
shape.box = { size = [0.02, 0.02, 0.06], cells = [1, 1, 3] }
material.solid = { young = 1e5, poisson = 0.3, density = 1000.0 }
[[pin]]
body = "bar"
select.group = "z-min"
[[drive]]
body = "bar"
select.group = "z-max"
keys = [{ time = 0.0 }, { time = 0.015, shift = [0.0, 0.0, -0.05] }]
"#;

/// Springs that swing far, held to less than six shorter steps can give.
const SPRINGS: &str = r#"format = 1
time.end = 2.0
clocks = { safety = 0.9, energy_tolerance = 1e-7 }
output = { rows = 200, frames = 0 }
[[body]]
name = "ends"
shape.points = { positions = [[0.0, 0.0, 0.0], [1.3, 0.0, 0.0], [1.3, 1.2, 0.0]] }
material.points = { mass = 1.0 }
[[spring]]
between = ["ends:0", "ends:1"]
stiffness = 40.0
rest_length = 1.0
[[spring]]
between = ["ends:1", "ends:2"]
stiffness = 40.0
rest_length = 1.0
"#;

/// Springs with a step that is far too long, accepted by force.
const FORCED: &str = include_str!("../../../../goldens/fault-unstable.toml");

/// Plates that close on a ball until a pair has no layer left.
const CRUSHED: &str = include_str!("../../../../goldens/fault-squeeze.toml");

/// The folder `run` of a run of `scene` with these changes, which may end in any way but a bad scene.
fn run_of(scene: &str, changes: &[&str]) -> Scratch {
    let folder = Scratch::new("remedies");
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    let mut words = vec!["run", "scene.toml", "--quiet", "--out", "run"];
    for change in changes {
        words.extend(["--set", change]);
    }
    let output = run(folder.path(), &words);
    assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{changes:?}: {}", stderr(&output));
    folder
}

/// The summary of a run of `scene` with these changes.
fn ended(scene: &str, changes: &[&str]) -> Value {
    summary(&run_of(scene, changes).path().join("run"))
}

fn warnings(summary: &Value) -> Vec<&str> {
    summary["warnings"].as_array().unwrap().iter().map(|said| said.as_str().unwrap()).collect()
}

fn band(summary: &Value) -> f64 {
    summary["energy"]["band"].as_f64().unwrap()
}

/// What a warning says, the scene and the changes that make the program say it, and the remedies that it names.
struct Advice {
    said: &'static str,
    scene: &'static str,
    cause: &'static [&'static str],
    remedies: &'static [&'static str],
}

const ABOUT_ENERGY: [Advice; 9] = [
    Advice {
        said: "raise `contact.thickness`, or shorten `contact.step`",
        scene: BALL,
        cause: &["contact.step=1e-3"],
        remedies: &["contact.thickness=0.06", "contact.step=1e-4"],
    },
    Advice {
        said: "lower `contact.stiffness`, or shorten `contact.step`",
        scene: BALL,
        cause: &["contact.stiffness=1e10"],
        remedies: &["contact.stiffness=1e9", "contact.step=1e-6"],
    },
    Advice {
        said: "take shorter elastic steps (`clocks.step`, `clocks.safety`), or raise `contact.thickness`",
        scene: BALL,
        cause: &["clocks.step=1.8e-4", "contact.thickness=2e-3"],
        remedies: &["clocks.step=6e-5", "contact.thickness=0.02"],
    },
    Advice {
        said: "kicks cross the first layer of contact, 6 are good: nothing passed through, but energy may wander; shorten contact.step",
        scene: BALL,
        cause: &["contact.step=1e-3"],
        remedies: &["contact.step=1e-4"],
    },
    Advice {
        said: "more than three times what chance explains: try a smaller clocks.safety",
        scene: BALL,
        cause: &["clocks.safety=0.9", "contact.thickness=2e-3", "time.end=0.08"],
        remedies: &["clocks.safety=0.1"],
    },
    Advice {
        said: "say how fast they get (contact.speed)",
        scene: GRAINS,
        cause: &[],
        remedies: &["contact.speed=8"],
    },
    Advice {
        said: "the loads kick the contact into bouncing: Λ = 0.64; raise `contact.thickness`, or shorten `contact.step`",
        scene: BOUNCING,
        cause: &[],
        remedies: &["contact.thickness=2e-3", "contact.step=5e-4"],
    },
    Advice {
        said: "contact went deep, to layer 14: nothing passed through, but energy may wander; shorten contact.step",
        scene: GRAINS,
        cause: &["contact.stiffness=10", "contact.speed=8"],
        remedies: &["contact.step=3e-5"],
    },
    Advice {
        said: "contact went deep, to layer 16, since bodies met so fast: nothing passed through, but energy may wander",
        scene: GRAINS,
        cause: &["body.grain.velocity=[0.0, 0.0, -800.0]", "time.end=5e-4"],
        remedies: &["contact.speed=800"],
    },
];

#[test]
fn what_a_warning_about_energy_advises_keeps_it_better() {
    for Advice { said, scene, cause, remedies } in ABOUT_ENERGY {
        let before = ended(scene, cause);
        assert!(warnings(&before).iter().any(|warning| warning.contains(said)), "{said}: {before}");
        for remedy in remedies {
            let after = ended(scene, &[cause, &[*remedy][..]].concat());
            let [worse, better] = [band(&before), band(&after)];
            assert!(better < 0.95 * worse, "{said}: {remedy} changes the band from {worse:e} to {better:e}");
        }
    }
}

#[test]
fn more_rows_end_the_warning_that_there_are_few() {
    let warned = |rows: &str| {
        let said = ended(BALL, &[rows]);
        warnings(&said).iter().any(|warning| warning.contains("(output.rows)"))
    };
    assert!(warned("output.rows=100") && !warned("output.rows=2000"));
}

#[test]
fn steps_that_are_left_to_the_program_or_shorter_keep_energy_that_given_ones_do_not() {
    let given = include_str!("../../../../goldens/energy-given-up.toml");
    let before = ended(given, &[]);
    let said = "leave steps to the program, or give shorter ones";
    assert!(warnings(&before).iter().any(|warning| warning.contains(said)), "{before}");
    let left = given.lines().filter(|line| !line.starts_with("step = ")).collect::<Vec<_>>().join("\n");
    assert_ne!(left, given);
    for after in [ended(&left, &[]), ended(given, &["clocks.step=1e-5"])] {
        assert!(band(&after) < 0.1 * band(&before), "{after}");
        assert!(!warnings(&after).iter().any(|warning| warning.contains(said)), "{after}");
    }
}

/// What a Fault says, the scene that ends in it, and the remedies that it names.
const FAULTS: [(&str, &str, &[&str]); 4] = [
    ("has collapsed at tick", PRESSED, &["clocks.safety=0.1"]),
    ("or a shorter step where it is given", FORCED, &["clocks.step=1e-3"]),
    (
        "leave room for what is squeezed, shorten contact.step, or raise contact.max_layers",
        CRUSHED,
        &["body.press.velocity=[0.0, 0.0, -1.0]", "contact.step=3e-6", "contact.max_layers=24"],
    ),
    (
        "raise clocks.energy_tolerance, or take a smaller clocks.safety",
        SPRINGS,
        &["clocks.energy_tolerance=1e-3", "clocks.safety=0.01"],
    ),
];

#[test]
fn with_what_a_fault_advises_it_comes_later_or_not_at_all() {
    for (said, scene, remedies) in FAULTS {
        let before = ended(scene, &[]);
        assert!(before["fault"].as_str().is_some_and(|fault| fault.contains(said)), "{said}: {before}");
        for remedy in remedies {
            let after = ended(scene, &[remedy]);
            let [sooner, later] = [&before, &after].map(|summary| summary["end_s"].as_f64().unwrap());
            assert!(
                later > 1.1 * sooner,
                "{said}: with {remedy} it ends at {later:e} s, not {sooner:e} s: {after}"
            );
        }
    }
}

/// The advice of `carom inspect` on `scene` with these changes that has `words`.
fn advised(scene: &str, changes: &[&str], words: &str) -> String {
    let folder = Scratch::new("advised");
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    let sets = changes.iter().flat_map(|change| ["--set", change]);
    let text =
        stdout(&run(folder.path(), &["inspect", "scene.toml"].into_iter().chain(sets).collect::<Vec<_>>()));
    let said = text.lines().find(|line| line.contains("  advice ") && line.contains(words));
    said.unwrap_or_else(|| panic!("{words} is missing from\n{text}")).to_owned()
}

#[test]
fn the_speed_and_the_thickness_that_are_advised_do_what_is_said_of_them() {
    let fast = &["contact.speed=500"][..];
    advised(BALL, fast, "`contact.speed` makes its step longer in proportion");
    let evaluations = |speed: &[&str]| ended(BALL, speed)["evaluations"]["total"].as_u64().unwrap();
    assert!(2 * evaluations(&["contact.speed=8"]) < evaluations(fast));

    let thick = &["contact.thickness=0.04"][..];
    advised(BALL, thick, "a `contact.thickness` below that touches what is seen to touch");
    let gap = |changes: &[&str]| ended(BALL, changes)["contact"]["min_distance"].as_f64().unwrap();
    assert!(gap(&["contact.thickness=0.01"]) < 0.5 * gap(thick));
}

#[test]
fn the_one_step_that_is_advised_makes_the_ledger_sharper() {
    let rough =
        ["contact.friction=0.3", "gravity.acceleration=[0, 0, -10]", "body.ball.velocity=[4.0, 0.0, -8.0]"];
    let said = advised(BALL, &rough, "for the sharpest ledger under heavy loads, give one `clocks.step` of");
    let step = format!("clocks.step={}", said.rsplit(' ').next().unwrap());
    let [before, after] =
        [&rough[..], &[&rough[..], &[step.as_str()]].concat()].map(|sets| band(&ended(BALL, sets)));
    assert!(after < 0.5 * before, "{step} changes the band from {before:e} to {after:e}");
}

#[test]
fn what_is_advised_to_come_to_rest_leaves_less_motion() {
    let pulled = ["gravity.acceleration=[0, 0, -1e3]", "body.ball.velocity=[4.0, 0.0, -8.0]"];
    advised(BALL, &pulled, "let it come to rest");
    let left = |more: &[&str]| {
        let folder = run_of(BALL, &[&pulled[..], more].concat());
        let ledger = Ledger::read(&folder.path().join("run/ledger.csv")).unwrap();
        ledger.rows.last().unwrap().kinetic_j
    };
    let before = left(&[]);
    for remedy in [
        "contact.restitution=0.3",
        "contact.friction=0.5",
        "body.ball.material.shell.damping=1e-3",
        "body.ball.drag=10.0",
    ] {
        let after = left(&[remedy]);
        assert!(after < 0.7 * before, "{remedy} leaves {after:e} J, not {before:e} J");
    }
}
