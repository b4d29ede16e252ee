//! What a run advises is tried: each remedy that a warning names is applied to its scene, and must make better what the warning is about.

use serde_json::Value;

use crate::common::{Scratch, run, stderr, summary};

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

/// The summary of a run of `scene` with these changes.
fn ended(scene: &str, changes: &[&str]) -> Value {
    let folder = Scratch::new("remedies");
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    let mut words = vec!["run", "scene.toml", "--quiet", "--out", "run"];
    for change in changes {
        words.extend(["--set", change]);
    }
    let output = run(folder.path(), &words);
    assert_eq!(output.status.code(), Some(1), "the bound is out of reach: {}", stderr(&output));
    summary(&folder.path().join("run"))
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

const ABOUT_ENERGY: [Advice; 6] = [
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
