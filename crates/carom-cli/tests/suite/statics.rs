//! `carom relax` and `carom run --from` as commands.

use crate::common::{Scratch, run, stderr, stdout, summary};

/// A bar under a tip load: it rests 1 mm down, F L³/3EI.
const BAR: &str = r#"
format = 1
[time]
end = 0.05
[[body]]
name = "bar"
shape.rod = { from = [-0.05, 0.0, 0.0], to = [1.0, 0.0, 0.0], segments = 10 }
material.rod = { radius = 0.03, young = 2e9, density = 1200.0 }
[[pin]]
body = "bar"
select.indices = [0, 1]
[[load]]
body = "bar"
select.group = "end"
force = [0.0, 0.0, -3.8170]
[[probe]]
name = "tip"
body = "bar"
select.group = "end"
[[expect.probe]]
name = "tip"
column = "z"
value = -1e-3
relative = 0.02
"#;

#[test]
fn a_bar_comes_to_rest_and_stays_there_when_a_run_starts_from_it() {
    let folder = Scratch::new("relax");
    std::fs::write(folder.path().join("bar.toml"), BAR).unwrap();
    let output = run(folder.path(), &["relax", "bar.toml", "--out", "rest", "--tolerance", "1e-7"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for word in ["as expected", "residual", "tip.z final", "falls"] {
        assert!(text.contains(word), "{word} is missing from\n{text}");
    }
    let rest = summary(&folder.path().join("rest"));
    assert!(rest["relax"]["residual"].as_f64().unwrap() <= 1e-7, "{rest}");
    for file in ["relax.csv", "ledger.csv", "probes.csv", "frames.pvd", "report.html", "options.json"] {
        assert!(folder.path().join("rest").join(file).is_file(), "{file}");
    }

    let output = run(folder.path(), &["run", "bar.toml", "--from", "rest", "--out", "still"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let probes = std::fs::read_to_string(folder.path().join("still/probes.csv")).unwrap();
    let heights: Vec<f64> =
        probes.lines().skip(1).map(|line| line.split(',').nth(4).unwrap().parse().unwrap()).collect();
    let moved = heights.iter().map(|z| (z - heights[0]).abs()).fold(0.0, f64::max);
    assert!(heights[0] < -0.98e-3 && moved < 1e-5, "starts at {} m and moves by {moved} m", heights[0]);

    // A relaxation is no motion that could be replayed; a run that starts from it is.
    let refused = run(folder.path(), &["audit", "rest"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("this is a relaxation"), "{}", stderr(&refused));
    let audited = run(folder.path(), &["audit", "still"]);
    assert_eq!(audited.status.code(), Some(0), "{}", stdout(&audited));

    // The folder alone repeats the run, with its start.
    std::fs::remove_dir_all(folder.path().join("rest")).unwrap();
    let again = run(folder.path(), &["run", "still", "--fingerprint"]);
    assert_eq!(stdout(&again).trim(), summary(&folder.path().join("still"))["fingerprint"]);
}

#[test]
fn the_same_scene_relaxes_to_the_same_bits() {
    let folder = Scratch::new("relax-bits");
    std::fs::write(folder.path().join("bar.toml"), BAR).unwrap();
    let fingerprint = |more: &[&str]| {
        let output = run(folder.path(), &[&["relax", "bar.toml", "--fingerprint"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let first = fingerprint(&[]);
    assert_eq!(fingerprint(&["--set", "output.frames=0"]), first);
    assert_ne!(fingerprint(&["--tolerance", "1e-7"]), first);
}

#[test]
fn what_does_not_come_to_rest_is_said_with_the_residual_it_reached() {
    let folder = Scratch::new("relax-short");
    std::fs::write(folder.path().join("bar.toml"), BAR).unwrap();
    let output = run(folder.path(), &["relax", "bar.toml", "--steps", "10", "--out", "short"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("NOT CONVERGED"), "{}", stdout(&output));
    assert!(stderr(&output).contains("expectation failed: residual is"), "{}", stderr(&output));
}

#[test]
fn a_frame_is_taken_as_it_is_and_one_that_does_not_fit_is_refused() {
    let folder = Scratch::new("from");
    let path = folder.path();
    std::fs::write(path.join("bar.toml"), BAR).unwrap();
    let made = run(path, &["run", "bar.toml", "--out", "swing", "--set", "output.frames=4"]);
    assert!(matches!(made.status.code(), Some(0 | 1)), "{}", stderr(&made));

    // From the start of a run with its velocities, the run goes again bit by bit.
    let again = run(path, &["run", "bar.toml", "--from", "swing:0", "--out", "again"]);
    assert!(matches!(again.status.code(), Some(0 | 1)), "{}", stderr(&again));
    assert_eq!(summary(&path.join("again"))["fingerprint"], summary(&path.join("swing"))["fingerprint"]);

    // From the middle with and without velocities: one moves on, the other starts at rest.
    let energy = |out: &str, more: &[&str]| {
        run(path, &[&["run", "bar.toml", "--from", "swing:2", "--out", out], more].concat());
        let ledger = std::fs::read_to_string(path.join(out).join("ledger.csv")).unwrap();
        ledger.lines().nth(1).unwrap().split(',').nth(2).unwrap().parse::<f64>().unwrap()
    };
    assert!(energy("moving", &[]) > 1e-6);
    assert!(energy("resting", &["--positions-only"]) < 1e-12);

    std::fs::write(path.join("bat.toml"), BAR.replace("\"bar\"", "\"bat\"")).unwrap();
    let refusals: [(&[&str], &str); 5] = [
        (&["bar.toml", "--from", "swing:9"], "has no frame 9: it has 5"),
        (&["bar.toml", "--from", "nowhere"], "nowhere is not the folder of a run"),
        (
            &["bar.toml", "--from", "swing", "--set", "body.0.shape.rod.segments=11"],
            "\"bar\" has 12 vertices, but 11",
        ),
        (&["bat.toml", "--from", "swing"], "this scene has no body \"bar\""),
        (&["bar.toml", "--positions-only"], "--from"),
    ];
    for (arguments, message) in refusals {
        let output = run(path, &[&["run"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{message} is missing from\n{}", stderr(&output));
    }
}

/// A soft block that falls on a floor: at rest it weighs 39.24 N.
const BLOCK: &str = r#"
format = 1
gravity.acceleration = [0, 0, -9.81]
contact.thickness = 0.01
time.end = 0.1
[[body]]
name = "block"
shape.box = { size = [0.2, 0.2, 0.1], edge = 0.1 }
material.solid = { young = 1e5, poisson = 0.3, density = 1000 }
position = [0.0, 0.0, 0.065]
[[body]]
name = "floor"
obstacle = true
shape.grid = { size = [1.0, 1.0], edge = 0.3 }
[[probe]]
name = "floor"
between = ["block", "floor"]
[[expect.probe]]
name = "floor"
column = "fz"
value = 39.24
relative = 1e-3
"#;

#[test]
fn a_block_comes_to_rest_on_a_floor_that_bears_its_weight() {
    let folder = Scratch::new("relax-contact");
    std::fs::write(folder.path().join("block.toml"), BLOCK).unwrap();
    let arguments = ["relax", "block.toml", "--out", "rest", "--tolerance", "1e-4", "--steps", "50000"];
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let rest = summary(&folder.path().join("rest"));
    assert!(rest["contact"]["deepest_layer"].as_u64().unwrap() >= 1, "{rest}");
    assert_eq!(rest["expectations"][1]["kept"], true, "{rest}");
}

#[test]
fn a_relaxation_says_that_its_residual_does_not_count_friction() {
    let folder = Scratch::new("relax-friction");
    std::fs::write(folder.path().join("block.toml"), BLOCK).unwrap();
    let relax = |more: &str, out: &str| {
        let arguments = ["relax", "block.toml", "--out", out, "--steps", "20", "--set", more];
        stderr(&run(folder.path(), &arguments))
    };
    assert!(relax("contact.friction=0.5", "rough").contains("the residual does not count friction"));
    assert!(!relax("contact.friction=0", "smooth").contains("friction"));
}
