//! Comparisons through the program: folders, pages, exit codes.

use crate::common::{Scratch, carom, run, stderr, stdout, summary};
use std::path::Path;
use std::time::{Duration, Instant};

/// A mass on a spring, with lines to hold it against.
const SCENE: &str = r#"format = 1
title = "A <mass> on a spring"
time.end = 2.0
output = { rows = 200, frames = 0 }
[[body]]
name = "pair"
shape.points = { positions = [[0, 0, 0], [1, 0, 0]] }
material.points = { mass = 1.0 }
[[spring]]
between = ["pair:0", "pair:1"]
stiffness = 100.0
rest_length = 0.9
[expect]
energy_band = 0.2
[compare]
beside = ["slow read"]
[[compare.line]]
name = "slow read"
method = "reference"
[[compare.line]]
name = "unstable"
set = { "clocks.step" = 1.0, "clocks.force" = true, "time.end" = 1e6 }
"#;

fn scene(folder: &Path) {
    std::fs::write(folder.join("spring.toml"), SCENE).unwrap();
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_run_is_followed_by_the_lines_its_scene_asks_for_and_its_summary_is_of_itself_alone() {
    let folder = Scratch::new("beside");
    scene(folder.path());
    let output = run(folder.path(), &["run", "spring.toml", "--out", "run"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("beside     slow read: as expected"), "{}", stdout(&output));
    let at = folder.path().join("run");
    let (own, beside) = (summary(&at), summary(&at.join("compare/slow read")));
    assert_eq!((&own["method"], &beside["method"]), (&"carom".into(), &"reference".into()));
    assert_eq!(own["fingerprint"], beside["fingerprint"]);
    assert!(!at.join("compare/unstable").exists(), "it is for carom compare alone");
    let page = text(&at.join("report.html"));
    assert!(page.contains("<h1>A &lt;mass&gt; on a spring</h1>") && page.contains(">slow read</th>"));
    assert!(page.contains("carom run spring.toml --out run"));
    for file in ["comparison.svg", "comparison.png", "ledger.csv"] {
        assert!(at.join(file).is_file(), "{file}");
    }
    let costs: serde_json::Value = serde_json::from_str(&text(&at.join("compare.json"))).unwrap();
    assert_eq!(costs["lines"][1]["folder"], "compare/slow read");
    assert_eq!(costs["lines"][0]["seconds"], own["seconds"]);

    let repeated = run(folder.path(), &["run", "run", "--out", "again", "--quiet"]);
    assert_eq!(repeated.status.code(), Some(0), "{}", stderr(&repeated));
    let again = folder.path().join("again");
    assert_eq!(summary(&again)["fingerprint"], own["fingerprint"]);
    assert!(again.join("compare/slow read/summary.json").is_file(), "the folder knows what to compare");
    let kept = text(&at.join("compare/slow read/scene.toml"));
    assert!(
        kept.contains("method = \"reference\"") && !kept.contains("compare"),
        "a line is a scene on its own"
    );
}

#[test]
fn a_run_alone_still_has_its_page() {
    let folder = Scratch::new("alone");
    scene(folder.path());
    let output = run(folder.path(), &["run", "spring.toml", "--no-compare", "--out", "run"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let at = folder.path().join("run");
    assert!(!at.join("compare").exists() && !at.join("compare.json").exists());
    let page = text(&at.join("report.html"));
    assert!(page.contains("What was expected") && page.contains("<svg") && !page.contains("slow read"));
}

#[test]
fn every_line_is_run_and_a_fault_of_one_is_shown_and_no_failure() {
    let folder = Scratch::new("lines");
    scene(folder.path());
    let output = run(folder.path(), &["compare", "spring.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let at = folder.path().join("runs/spring-compare/1");
    assert_eq!(summary(&at.join("unstable"))["verdict"], "fault");
    let page = text(&at.join("report.html"));
    assert!(page.contains("unstable (until its Fault)") && page.contains("<td>fault: "), "the Fault is told");
    assert!(page.contains("<code>clocks.step=1.0</code>"), "so are the settings");
    let printed = stdout(&output);
    let lines: Vec<&str> = printed.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(lines[..3], ["carom", "slow read", "unstable"]);
}

#[test]
fn the_exit_code_is_that_of_the_first_line() {
    let folder = Scratch::new("first");
    scene(folder.path());
    let broken = ["--set", "expect.energy_band=1e-12", "--quiet"];
    let output =
        run(folder.path(), &[&["compare", "spring.toml", "--lines", "slow read"], &broken[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("expectation failed: energy_band"), "{}", stderr(&output));
}

#[test]
fn lines_come_from_the_command_line_as_well() {
    let folder = Scratch::new("asked");
    scene(folder.path());
    let asked =
        ["--method", "synchronous", "--line", "fine: clocks.safety=0.05, time.end=1.0", "--out", "cmp"];
    let output = run(folder.path(), &[&["compare", "spring.toml"], &asked[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let at = folder.path().join("cmp");
    assert!(!at.join("slow read").exists(), "what is asked for is all");
    assert_eq!(summary(&at.join("synchronous"))["method"], "synchronous");
    assert_eq!(summary(&at.join("fine"))["end_s"].as_f64().unwrap().round(), 1.0);
    // A scene without lines is held against the other method.
    let plain = run(folder.path(), &["compare", "two-masses", "--out", "plain"]);
    assert_eq!(plain.status.code(), Some(0), "{}", stderr(&plain));
    assert!(folder.path().join("plain/carom/ledger.csv").is_file());
    assert!(folder.path().join("plain/synchronous/ledger.csv").is_file());
}

#[test]
fn what_cannot_be_compared_is_refused_before_anything_runs() {
    let folder = Scratch::new("refused");
    scene(folder.path());
    let cases = [
        (
            &["--lines", "slow"][..],
            "there is no line called \"slow\": the scene has \"slow read\", \"unstable\"",
        ),
        (&["--line", "clocks.safety=0.1"], "has no name"),
        (&["--line", "../up: clocks.safety=0.1"], "\"../up\" cannot be the name of a line"),
        (&["--line", "carom: clocks.safety=0.1"], "two lines are called \"carom\""),
        (&["--line", "typo: clocks.saftey=0.1"], "did you mean `safety`?"),
    ];
    for (arguments, complaint) in cases {
        let output = run(folder.path(), &[&["compare", "spring.toml"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(complaint), "{arguments:?}: {}", stderr(&output));
    }
    assert!(!folder.path().join("runs").exists());
    let wrong = SCENE.replace("[\"slow read\"]", "[\"slow\"]");
    std::fs::write(folder.path().join("wrong.toml"), wrong).unwrap();
    let output = run(folder.path(), &["check", "wrong.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("there is no line called \"slow\""), "{}", stderr(&output));
    let refused = SCENE.replace("\"clocks.force\" = true, ", "");
    std::fs::write(folder.path().join("refused.toml"), refused).unwrap();
    let output = run(folder.path(), &["check", "refused.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("longest stable"), "lines are built, too: {}", stderr(&output));
}

#[test]
fn runs_that_are_there_are_drawn_together_and_none_is_made() {
    let folder = Scratch::new("drawn");
    scene(folder.path());
    for (method, out) in [("carom", "a"), ("synchronous", "b")] {
        let one = ["run", "spring.toml", "--no-compare", "--quiet", "--method", method, "--out", out];
        assert_eq!(run(folder.path(), &one).status.code(), Some(0));
    }
    let output = run(folder.path(), &["compare", "a", "b/", "--out", "both"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let both = folder.path().join("both");
    let page = text(&both.join("report.html"));
    assert!(page.contains("<th>a</th><th>b</th>") && page.contains("method=synchronous"));
    assert_eq!(std::fs::read_dir(&both).unwrap().count(), 4, "page, two figures and costs");
    let other = run(folder.path(), &["compare", "a", "nowhere"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("nowhere is not the folder of a run"), "{}", stderr(&other));
    let mixed = run(folder.path(), &["compare", "a", "b", "--method", "carom"]);
    assert_eq!(mixed.status.code(), Some(2));
}

#[test]
fn inspecting_lists_the_lines_and_who_runs_them() {
    let folder = Scratch::new("listed");
    scene(folder.path());
    let listed = stdout(&run(folder.path(), &["inspect", "spring.toml"]));
    assert!(listed.contains("slow read: method=reference (carom run and carom compare)"), "{listed}");
    assert!(listed.contains("time.end=1000000.0 (carom compare)"), "{listed}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_all_lines_and_what_is_there_is_reported() {
    let folder = Scratch::new("stopped");
    let long = SCENE.replace("time.end = 2.0", "time.end = 1e5").replace("rows = 200", "rows = 200000");
    std::fs::write(folder.path().join("spring.toml"), long).unwrap();
    let arguments = ["compare", "spring.toml", "--lines", "slow read", "--quiet", "--out", "cmp"];
    let mut child = carom(folder.path()).args(arguments).spawn().unwrap();
    let ledger = folder.path().join("cmp/carom/ledger.csv");
    let started = Instant::now();
    while !std::fs::metadata(&ledger).is_ok_and(|ledger| ledger.len() > 10_000) {
        assert!(started.elapsed() < Duration::from_mins(2), "the run did not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    let signalled =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signalled.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!folder.path().join("cmp/slow read").exists());
    assert!(text(&folder.path().join("cmp/report.html")).contains("interrupted"));
}
