//! What the verdict says of the energy: one scale in every frame, and never a good word for energy that is off.

use std::path::Path;

use serde_json::Value;

use crate::common::{Scratch, run, stderr, stdout, summary};

/// Two masses on a spring that swing against each other.
const SPRING: &str = r#"format = 1
time.end = 2.0
output = { rows = 400, frames = 0 }
[[body]]
name = "pair"
shape.points = { positions = [[0, 0, 0], [1.1, 0, 0]] }
material.points = { mass = 1.0 }
[[spring]]
between = ["pair:0", "pair:1"]
stiffness = 100.0
rest_length = 1.0
"#;

/// Steps at which the energy of the spring errs by 5e-5, and by 3 %.
const FINE: &str = "clocks.step=1e-3";
const COARSE: &str = "clocks.step=0.0244";

/// A mass that hangs on a spring, pulled aside by what is added.
const PENDULUM: &str = r#"format = 1
time.end = 2.0
output = { rows = 400, frames = 0 }
gravity.acceleration = [0.0, 0.0, -9.81]
[[body]]
name = "pendulum"
shape.points = { positions = [[0, 0, 0], [0, 0, -1]] }
material.points = { mass = 1.0 }
[[spring]]
between = ["pendulum:0", "pendulum:1"]
stiffness = 1e4
rest_length = 1.0
[[pin]]
name = "pivot"
body = "pendulum"
select.index = 0
"#;

/// Grains that fly at a wall.
const WALL: &str = r#"format = 1
time.end = 0.05
contact = { thickness = 0.02, speed = 10.0 }
output = { rows = 400, frames = 0 }
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

/// Runs a scene with keys set; exit code, `summary.json`, and what was printed.
struct Ended {
    code: Option<i32>,
    summary: Value,
    printed: String,
    complaints: String,
    page: String,
}

impl Ended {
    fn of(folder: &Path, scene: &str, verb: &str, sets: &[&str]) -> Self {
        std::fs::write(folder.join("scene.toml"), scene).unwrap();
        let _ = std::fs::remove_dir_all(folder.join("run"));
        let sets = sets.iter().flat_map(|set| ["--set", set]);
        let arguments: Vec<&str> = [verb, "scene.toml", "--out", "run"].into_iter().chain(sets).collect();
        let output = run(folder, &arguments);
        assert!(folder.join("run/summary.json").is_file(), "{}", stderr(&output));
        Self {
            code: output.status.code(),
            summary: summary(&folder.join("run")),
            printed: stdout(&output),
            complaints: stderr(&output),
            page: std::fs::read_to_string(folder.join("run/report.html")).unwrap(),
        }
    }

    fn verdict(&self) -> &str {
        self.summary["verdict"].as_str().unwrap()
    }

    fn number(&self, part: &str, key: &str) -> f64 {
        self.summary[part][key].as_f64().unwrap_or(f64::NAN)
    }

    fn warnings(&self) -> String {
        self.summary["warnings"].to_string()
    }
}

/// The band, its scale, and that momentum errors stay rounding.
fn band(folder: &Path, scene: &str, sets: &[&str]) -> (f64, f64) {
    let ended = Ended::of(folder, scene, "run", sets);
    for key in ["linear_error", "angular_error"] {
        let error = ended.number("momentum", key);
        assert!(error < 1e-11, "{sets:?}: {key} {error:e}");
    }
    (ended.number("energy", "band"), ended.number("energy", "scale"))
}

#[test]
fn no_shift_of_the_origin_and_no_common_velocity_changes_the_band() {
    let folder = Scratch::new("energy-frames");
    let spring: [&[&str]; 4] = [
        &[],
        &["body.pair.position=[1e6, -2e6, 1e6]"],
        &["body.pair.velocity=[1e3, 500.0, 0.0]"],
        &["body.pair.velocity=[0.0, 0.0, 1e3]", "body.pair.position=[1e6, 0.0, 0.0]"],
    ];
    let pendulum: [&[&str]; 3] =
        [&[], &["body.pendulum.position=[0.0, 0.0, 1000.0]"], &["body.pendulum.position=[1e5, 0.0, -1e5]"]];
    let wall: [&[&str]; 3] = [
        &[],
        &["body.grain.position=[0.0, 0.0, 1000.0]", "body.wall.position=[0.0, 0.0, 1000.0]"],
        &["body.grain.velocity=[0.0, 1e3, 992.0]", "body.wall.velocity=[0.0, 1e3, 1e3]"],
    ];
    let pulled = PENDULUM.replace("[0, 0, -1]", "[1, 0, 0]");
    for (scene, frames) in [(SPRING, &spring[..]), (&pulled, &pendulum[..]), (WALL, &wall[..])] {
        let (first, scale) = band(folder.path(), scene, frames[0]);
        assert!(first > 1e-9, "{first:e} is no error to compare");
        for frame in &frames[1..] {
            let (here, of) = band(folder.path(), scene, frame);
            assert!((here / first - 1.0).abs() < 1e-2, "{frame:?}: {here:e}, not {first:e}");
            assert!((of / scale - 1.0).abs() < 1e-6, "{frame:?}: {of:e} J, not {scale:e} J");
        }
    }
}

#[test]
fn the_scales_of_momentum_errors_go_with_the_scene() {
    let folder = Scratch::new("energy-momentum");
    let scales = |sets: &[&str]| {
        Ended::of(folder.path(), SPRING, "run", sets);
        let ledger = carom_output::Ledger::read(&folder.path().join("run/ledger.csv")).unwrap();
        let largest =
            |of: fn(&carom_output::LedgerRow) -> f64| ledger.rows.iter().map(of).fold(0.0, f64::max);
        [largest(|row| row.momentum_scale), largest(|row| row.angular_momentum_scale)]
    };
    let here = scales(&[]);
    assert!(here[0] > 1.0 && here[1] > 0.5, "{here:?}");
    let elsewhere = scales(&["body.pair.position=[10.0, -20.0, 5.0]", "body.pair.velocity=[1.0, 2.0, -3.0]"]);
    for (there, here) in elsewhere.iter().zip(here) {
        assert!((there / here - 1.0).abs() < 1e-9, "{elsewhere:?}, not {here:?}");
    }
}

#[test]
fn a_scene_that_expects_nothing_finishes_within_tolerance_and_is_never_as_expected() {
    let folder = Scratch::new("energy-within");
    let ended = Ended::of(folder.path(), SPRING, "run", &[FINE]);
    assert_eq!((ended.code, ended.verdict()), (Some(0), "finished within tolerance"));
    assert!(ended.printed.contains("with carom: finished within tolerance"), "{}", ended.printed);
    assert!(
        ended.page.contains("verdict good") && ended.page.contains("clocks.energy_tolerance"),
        "{}",
        ended.page
    );
    assert_eq!(ended.summary["energy_verdict"]["tolerance"], 1e-3);
}

#[test]
fn energy_that_is_off_is_exit_code_one_and_says_by_how_much() {
    let folder = Scratch::new("energy-off");
    let ended = Ended::of(folder.path(), SPRING, "run", &[COARSE]);
    assert_eq!((ended.code, ended.verdict()), (Some(1), "finished, energy off"), "{}", ended.printed);
    assert!(ended.printed.contains("with carom: finished, energy off by 3 %"), "{}", ended.printed);
    assert!(ended.complaints.contains("energy: off by 3 % of what was turned over"), "{}", ended.complaints);
    assert!(ended.page.contains("verdict bad") && ended.page.contains("energy off by 3 %"), "{}", ended.page);

    // Given, the tolerance holds as well; "none" is no tolerance, and says so.
    let given = Ended::of(folder.path(), SPRING, "run", &[COARSE, "clocks.energy_tolerance=0.1"]);
    assert_eq!((given.code, given.verdict()), (Some(0), "finished within tolerance"));
    let none = Ended::of(folder.path(), SPRING, "run", &[COARSE, "clocks.energy_tolerance=\"none\""]);
    assert_eq!((none.code, none.verdict()), (Some(0), "finished"));
    assert!(none.printed.contains("energy off by 3 % and not judged"), "{}", none.printed);
    assert!(none.page.contains("verdict open"), "{}", none.page);
    assert!(!none.warnings().contains("energy"), "{}", none.warnings());
}

#[test]
fn a_bound_of_the_scene_decides_and_the_tolerance_is_shown_beside_it() {
    let folder = Scratch::new("energy-asked");
    let ended = Ended::of(folder.path(), SPRING, "run", &[COARSE, "expect.energy_band=0.1"]);
    assert_eq!((ended.code, ended.verdict()), (Some(0), "as expected"), "{}", ended.printed);
    assert!(ended.printed.contains("energy_band at most 1e-1: 2.9"), "{}", ended.printed);
    assert!(
        ended.printed.contains("clocks.energy_tolerance is 1e-3; the bound of the scene decides"),
        "{}",
        ended.printed
    );
    assert!(ended.page.contains("not kept; the bound of the scene decides"), "{}", ended.page);
    let stricter = Ended::of(folder.path(), SPRING, "run", &[COARSE, "expect.energy_band=0.01"]);
    assert_eq!((stricter.code, stricter.verdict()), (Some(1), "expectation failed"));
    // Another expectation does not speak for the energy.
    let other = Ended::of(folder.path(), SPRING, "run", &[COARSE, "expect.momentum=1e-9"]);
    assert_eq!((other.code, other.verdict()), (Some(1), "finished, energy off"));
}

#[test]
fn energy_that_is_not_a_number_is_never_good() {
    let folder = Scratch::new("energy-nan");
    let heavy = PENDULUM.replace("mass = 1.0", "mass = 1e300");
    let huge = "body.pendulum.velocity=[0.0, 1e10, 0.0]";
    let ended = |tolerance: &str| {
        let tolerance = format!("clocks.energy_tolerance={tolerance}");
        Ended::of(folder.path(), &heavy, "run", &["time.end=0.01", huge, &tolerance])
    };
    let [free, held] = [ended("\"none\""), ended("1e-3")];
    assert_eq!(free.code, Some(1), "{}", free.printed);
    assert!(free.printed.contains("finished, energy is not a number"), "{}", free.printed);
    assert_eq!((held.code, held.verdict()), (Some(3), "fault"), "no step is short enough");
    assert!(held.printed.contains("the energy was off by NaN"), "{}", held.printed);
    for run in [free, held] {
        assert!(run.summary["energy"]["band"].is_null());
        assert!(run.page.contains("verdict bad"), "{}", run.page);
    }
}

#[test]
fn a_body_at_rest_has_no_drift_and_no_error() {
    let folder = Scratch::new("energy-rest");
    let still = SPRING.replace("[1.1, 0, 0]", "[1, 0, 0]");
    // Stretched by its weight, 9.81 N / 1e4 N/m.
    let hanging = PENDULUM.replace("[0, 0, -1]", "[0, 0, -1.000981]");
    let scenes: [(&str, &[&str]); 4] = [
        (&still, &[]),
        (&still, &["body.pair.position=[1e6, 0.1, 1e6]", "body.pair.velocity=[0.3, 7.0, 0.1]"]),
        (&hanging, &["output.rows=2000"]),
        (&hanging, &["body.pendulum.position=[0.1, 0.0, 1000.0]", "output.rows=2000"]),
    ];
    for (scene, sets) in scenes {
        let ended = Ended::of(folder.path(), scene, "run", sets);
        assert_eq!(
            (ended.code, ended.verdict()),
            (Some(0), "finished within tolerance"),
            "{}",
            ended.printed
        );
        assert!(ended.number("energy", "band") < 1e-3, "{}", ended.printed);
        for key in ["linear_error", "angular_error"] {
            assert!(ended.number("momentum", key) < 1e-11, "{sets:?}: {}", ended.printed);
        }
        assert!(!ended.warnings().contains("drifts"), "{}", ended.warnings());
    }
}

#[test]
fn what_is_brought_to_rest_has_a_residual_and_no_band() {
    let folder = Scratch::new("energy-relax");
    let ended = Ended::of(folder.path(), PENDULUM, "relax", &[]);
    assert_eq!((ended.code, ended.verdict()), (Some(0), "finished within tolerance"), "{}", ended.printed);
    assert!(ended.number("relax", "residual") <= 1e-6);
    assert!(ended.summary["energy"]["band"].is_null() && ended.summary["energy"]["drift"].is_null());
    assert!(ended.summary["energy_verdict"].is_null() && ended.number("energy", "initial").is_finite());
    assert!(
        ended.page.contains("<th>residual</th>") && !ended.page.contains("energy band"),
        "{}",
        ended.page
    );
}
