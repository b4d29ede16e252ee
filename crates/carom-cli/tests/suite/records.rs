//! An audit holds the files of a run against a replay: edits are planted in them, and must be found.

use std::path::{Path, PathBuf};
use std::process::Output;

use carom_output::{Ledger, Summary};

use crate::common::{Scratch, carom, run, stderr, stdout};

/// Two grains that fall on a wall, with probes, frames, expectations and a mesh.
const SCENE: &str = r#"
format = 1
title = "two grains and a wall"
time.end = 0.02
contact = { thickness = 0.02, max_layers = 8 }
output = { rows = 40, frames = 5 }
[[body]]
name = "grain"
shape.points = { positions = [[0.1, 0.05, 0.2], [0.12, 0.06, 0.4]] }
material.points = { mass = 0.01 }
contact.radius = 0.05
velocity = [0.0, 0.0, -10.0]
[[body]]
name = "wall"
obstacle = true
velocity = [0.0, 0.0, 1.0]
shape.mesh = { file = "wall.obj" }
[[probe]]
name = "hit"
between = ["grain", "wall"]
[expect]
energy_band = 1.0
contact_min_distance = 1e-3
"#;

const WALL: &str = "v -1 -1 0\nv 1 -1 0\nv -1 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n";

/// A run in the folder `run`.
struct Run(Scratch);

impl Run {
    fn new(name: &str, arguments: &[&str]) -> Self {
        let folder = Scratch::new(name);
        std::fs::write(folder.path().join("grains.toml"), SCENE).unwrap();
        std::fs::write(folder.path().join("wall.obj"), WALL).unwrap();
        let output =
            run(folder.path(), &[&["run", "grains.toml", "--out", "run", "--quiet"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        Self(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join("run").join(name)
    }

    fn audit(&self, arguments: &[&str]) -> Output {
        run(self.0.path(), &[&["audit", "run"], arguments].concat())
    }

    /// The run passes.
    fn is_sound(&self, arguments: &[&str]) -> String {
        let output = self.audit(arguments);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
        assert!(text.contains("are those of the replay, to the bit"), "{text}");
        text
    }

    /// After `edit` an audit fails and says all of `words`; then everything is as it was.
    fn finds(&self, file: &str, edit: impl FnOnce(&Path), words: &[&str]) {
        let path = self.file(file);
        let before = std::fs::read(&path).unwrap();
        edit(&path);
        let output = self.audit(&[]);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
        assert!(text.contains("between the files of the run and the replay"), "{text}");
        for words in words {
            assert!(text.contains(words), "{words} is missing from\n{text}");
        }
        std::fs::write(path, before).unwrap();
    }
}

/// Changes the lines of a text.
fn lines(change: impl FnOnce(&mut Vec<String>)) -> impl FnOnce(&Path) {
    move |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        change(&mut lines);
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
    }
}

/// Changes a cell of a table; the header is row 0.
fn cell(row: usize, column: &'static str, to: &'static str) -> impl FnOnce(&Path) {
    lines(move |lines| {
        let at = lines[0].split(',').position(|name| name == column).unwrap();
        let mut cells: Vec<&str> = lines[row].split(',').collect();
        assert_ne!(cells[at], to);
        cells[at] = to;
        lines[row] = cells.join(",");
    })
}

/// Changes the value of the first line of a summary that has a key of this name.
fn value(key: &'static str, to: &'static str) -> impl FnOnce(&Path) {
    lines(move |lines| {
        let key = format!("\"{key}\": ");
        let line = lines.iter_mut().find(|line| line.trim_start().starts_with(&key)).unwrap();
        let comma = if line.ends_with(',') { "," } else { "" };
        let start = line.find(&key).unwrap() + key.len();
        *line = format!("{}{to}{comma}", &line[..start]);
    })
}

#[test]
fn a_run_that_nobody_touched_passes_however_it_was_made() {
    for (i, arguments) in [
        &["--threads", "1"][..],
        &["--threads", "4"],
        &["--threads", "4", "--audit"],
        &["--method", "reference"],
        &["--method", "synchronous", "--audit"],
        &["--set", "output.frames=0"],
        &["--set", "output.frames=100"],
        &["--set", "output.zoom={ from = 0.01, to = 0.015, rows = 7 }"],
    ]
    .into_iter()
    .enumerate()
    {
        let run = Run::new(&format!("untouched-{i}"), arguments);
        run.is_sound(&[]);
        // The folder has its own copy.
        std::fs::write(run.0.path().join("wall.obj"), "v 0 0 0\n").unwrap();
        let text = run.is_sound(&["--from", "0.005", "--to", "0.013"]);
        assert!(text.contains("ledger, probes and frames up to"), "{text}");
    }
}

#[test]
fn edits_of_the_ledger_are_found() {
    let run = Run::new("edited-ledger", &[]);
    let finds = |edit: Box<dyn FnOnce(&Path)>, words: &[&str]| run.finds("ledger.csv", edit, words);
    finds(
        Box::new(cell(17, "total_J", "2e0")),
        &["  1 DIFFERENCE ", "ledger.csv row 17, total_J: recorded 2e0, recomputed "],
    );
    let missing = "ledger.csv row 17: recorded nothing, recomputed the row of tick";
    finds(Box::new(lines(|lines| drop(lines.remove(17)))), &["  1 DIFFERENCE ", missing]);
    finds(
        Box::new(lines(|lines| lines.swap(17, 18))),
        &["  2 DIFFERENCES ", missing, "ledger.csv row 18: recorded the row of tick"],
    );
    finds(
        Box::new(lines(|lines| lines.truncate(1))),
        &["ledger.csv after row 0: recorded nothing, recomputed 4"],
    );
    finds(Box::new(|path: &Path| std::fs::write(path, "").unwrap()), &["ledger.csv: recorded an empty file"]);
    finds(Box::new(|path: &Path| std::fs::remove_file(path).unwrap()), &["ledger.csv: recorded nothing"]);
    run.is_sound(&[]);
}

#[test]
fn the_ledger_counts_how_often_steps_were_shortened_before_each_row() {
    let scene = concat!(env!("CARGO_MANIFEST_DIR"), "/../../goldens/energy-in-vain.toml");
    let folder = Scratch::new("edited-refinements");
    let output = run(folder.path(), &["run", scene, "--out", "run", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let run = Run(folder);
    let summary = Summary::read(&run.file("summary.json")).unwrap();
    assert_eq!(summary.refinements.len(), 1);
    let ledger = Ledger::read(&run.file("ledger.csv")).unwrap();
    for row in &ledger.rows {
        assert_eq!(row.refinements, u64::from(row.time_s > summary.refinements[0].from_s), "{row:?}");
    }
    let words = &["  1 DIFFERENCE ", "ledger.csv row 20, refinements: recorded 0, recomputed 1"];
    run.finds("ledger.csv", cell(20, "refinements", "0"), words);
    run.finds(
        "summary.json",
        value("level", "2"),
        &["summary.json refinements.0.level: recorded 2, recomputed 1"],
    );
    run.is_sound(&[]);
}

#[test]
fn edits_of_the_probes_are_found() {
    let run = Run::new("edited-probes", &[]);
    let finds = |edit: Box<dyn FnOnce(&Path)>, words: &[&str]| run.finds("probes.csv", edit, words);
    finds(Box::new(cell(30, "hit.jz", "1e0")), &["probes.csv row 30, hit.jz: recorded 1e0, recomputed "]);
    let renamed = lines(|lines| lines[0] = lines[0].replace("hit.jz", "hit.jw"));
    let missing = "probes.csv column hit.jz: recorded nothing, recomputed a column";
    finds(Box::new(renamed), &[missing, "probes.csv column hit.jw: recorded a column, recomputed nothing"]);
    let removed = lines(|lines| {
        let at = lines[0].split(',').position(|name| name == "hit.jz").unwrap();
        for line in lines {
            let kept = line.split(',').enumerate().filter(|(i, _)| *i != at).map(|(_, cell)| cell);
            *line = kept.collect::<Vec<_>>().join(",");
        }
    });
    finds(Box::new(removed), &[missing]);
}

#[test]
fn edits_of_the_frames_are_found() {
    let run = Run::new("edited-frames", &[]);
    let (second, third) = ("frames/000002.vtu", "frames/000003.vtu");
    let [bytes, other] = [second, third].map(|name| std::fs::read(run.file(name)).unwrap());
    std::fs::write(run.file(third), &bytes).unwrap();
    let swapped = ["frames/000002.vtu time: recorded ", "frames/000003.vtu time: recorded "];
    run.finds(second, |path| std::fs::write(path, &other).unwrap(), &swapped);
    std::fs::write(run.file(third), &other).unwrap();

    let deleted = "frames/000002.vtu: recorded nothing, recomputed a frame at";
    run.finds(second, |path| std::fs::remove_file(path).unwrap(), &[deleted]);
    let moved = |path: &Path| {
        let mut frame = carom_output::vtu::read(path).unwrap();
        frame.positions[1].z += 1e-15;
        let aside = path.with_extension("aside");
        let mut writer = (carom_output::Exporter::OF_RUNS.create)(&aside).unwrap();
        std::fs::rename(writer.write(&frame).unwrap(), path).unwrap();
        std::fs::remove_dir_all(aside).unwrap();
    };
    run.finds(second, moved, &["  1 DIFFERENCE ", "frames/000002.vtu position of vertex 1, z: recorded "]);
    let unlisted = lines(|lines| drop(lines.remove(4)));
    run.finds("frames.pvd", unlisted, &["frames.pvd line 5: recorded <DataSet "]);
    run.is_sound(&[]);
}

#[test]
fn edits_of_the_summary_are_found() {
    let run = Run::new("edited-summary", &["--audit"]);
    for (key, to, words) in [
        ("band", "1e-9", "summary.json energy.band: recorded 1e-9, recomputed "),
        ("drift", "0.0", "summary.json energy.drift: recorded 0.0, recomputed "),
        ("min_distance", "0.015", "summary.json contact.min_distance: recorded 0.015, recomputed "),
        ("deepest_layer", "1", "summary.json contact.deepest_layer: recorded 1, recomputed "),
        ("pairs", "1000", "summary.json contact.pairs: recorded 1000, recomputed "),
        (
            "verdict",
            "\"expectation failed\"",
            "summary.json verdict: recorded \"expectation failed\", recomputed \"as expected\"",
        ),
        ("verdict", "\"fault\"", "summary.json verdict: recorded \"fault\", recomputed \"as expected\""),
        ("total", "1", "summary.json evaluations.total: recorded 1, recomputed "),
        ("instants", "1", "summary.json instants: recorded 1, recomputed "),
        ("fingerprint", "\"00\"", "summary.json fingerprint: recorded \"00\", recomputed \""),
        ("ticks", "1", "summary.json ticks: recorded 1, recomputed "),
        ("found", "0.0", "summary.json expectations.0.found: recorded 0.0, recomputed "),
        ("nearest_pair", "\"none\"", "summary.json audit.nearest_pair: recorded \"none\", recomputed \""),
    ] {
        run.finds("summary.json", value(key, to), &[words]);
    }
    // What no other run of the scene repeats.
    for (key, to) in [("wall", "1000.0"), ("searches", "7"), ("measures", "7"), ("positions", "7")] {
        value(key, to)(&run.file("summary.json"));
    }
    run.is_sound(&[]);
    value("verdict", "\"splendid\"")(&run.file("summary.json"));
    let output = run.audit(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("summary.json: unknown variant `splendid`"), "{}", stderr(&output));
}

#[test]
fn edits_of_scene_and_mesh_are_found_also_where_they_move_nothing() {
    let run = Run::new("edited-scene", &[]);
    let titled = lines(|lines| {
        let title = lines.iter_mut().find(|line| line.starts_with("title = ")).unwrap();
        *title = title.replace("two", "three");
    });
    run.finds(
        "scene.toml",
        titled,
        &["  1 DIFFERENCE ", "scene.toml hash: recorded ", "the bits of the run"],
    );
    let slower = lines(|lines| {
        let end = lines.iter_mut().find(|line| line.starts_with("velocity = [0.0, 0.0, -10.0]")).unwrap();
        *end = end.replace("-10", "-9");
    });
    run.finds(
        "scene.toml",
        slower,
        &["scene.toml hash: recorded ", "OTHER BITS", "ledger.csv row 1, kinetic_J", "and "],
    );

    let mesh = std::fs::read_dir(run.file("meshes")).unwrap().next().unwrap().unwrap().file_name();
    let mesh = format!("meshes/{}", mesh.to_str().unwrap());
    let commented = |path: &Path| std::fs::write(path, format!("# a comment\n{WALL}")).unwrap();
    let said = format!("{mesh} name by its contents: recorded {mesh}, recomputed meshes/");
    run.finds(&mesh, commented, &["  1 DIFFERENCE ", &said]);
    let lower = |path: &Path| std::fs::write(path, WALL.replace(" 0\n", " -0.01\n")).unwrap();
    run.finds(&mesh, lower, &[&said, "OTHER BITS", "ledger.csv row "]);
    run.is_sound(&[]);
}

#[test]
fn a_window_is_compared_up_to_its_end() {
    let run = Run::new("edited-window", &[]);
    cell(17, "total_J", "2e0")(&run.file("ledger.csv"));
    run.is_sound(&["--to", "0.005"]);
    let output = run.audit(&["--from", "0.01", "--to", "0.015", "--json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["records"]["differences"], &json["same_bits"]), (&1.into(), &serde_json::Value::Null));
    let first = &json["records"]["first_differences"][0];
    assert_eq!((&first["file"], &first["place"]), (&"ledger.csv".into(), &"row 17, total_J".into()));
    assert_eq!(first["recorded"], "2e0");
}

#[test]
fn a_run_that_was_killed_is_compared_up_to_where_it_got() {
    let folder = Scratch::new("killed");
    let endless = ["run", "two-masses", "--out", "run", "--quiet", "--threads", "2"];
    let keys = ["--set", "time.end=1e6", "--set", "output.rows=200000", "--set", "output.frames=2000"];
    let mut child = carom(folder.path()).args(endless).args(keys).spawn().unwrap();
    let rows = |file: &str| {
        std::fs::read_to_string(folder.path().join("run").join(file)).map_or(0, |text| text.lines().count())
    };
    let started = std::time::Instant::now();
    while rows("ledger.csv").min(rows("probes.csv")) < 200 {
        assert!(started.elapsed().as_secs() < 120, "the run did not start");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();

    let audit = || run(folder.path(), &["audit", "run"]);
    let output = audit();
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(
        text.contains("there is no summary.json") && text.contains("ledger, probes and frames up to"),
        "{text}"
    );
    cell(100, "kinetic_J", "1e0")(&folder.path().join("run/ledger.csv"));
    let output = audit();
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("ledger.csv row 100, kinetic_J: recorded 1e0"), "{}", stdout(&output));
}

#[cfg(unix)]
#[test]
fn a_run_that_was_interrupted_is_compared_to_its_last_row() {
    let folder = Scratch::new("stopped");
    let endless = ["run", "two-masses", "--out", "run", "--quiet"];
    let mut child = carom(folder.path()).args(endless).args(["--set", "time.end=1e6"]).spawn().unwrap();
    let started = std::time::Instant::now();
    while !folder.path().join("run/frames/000000.vtu").is_file() {
        assert!(started.elapsed().as_secs() < 120, "the run did not start");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let signalled =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signalled.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let run = Run(folder);
    run.is_sound(&[]);
    let last = lines(|lines| drop(lines.pop()));
    run.finds("ledger.csv", last, &["recorded nothing, recomputed 1 more row"]);
    run.finds("summary.json", value("ticks", "1000"), &["ledger.csv after row", "OTHER BITS"]);
}

/// Everything passes through an obstacle without contact, and few rows say little: two warnings.
const WITHOUT_CONTACT: &str = r#"
format = 1
time.end = 0.01
output = { rows = 10, frames = 2 }
[[body]]
name = "point"
shape.points = { positions = [[0.03, 0.02, 0.05]] }
material.points = { mass = 1.0 }
velocity = [0.0, 0.0, 1.0]
[[body]]
name = "plate"
obstacle = true
shape.grid = { size = [1.0, 1.0], edge = 0.4 }
"#;

#[test]
fn warnings_of_a_run_are_compared_and_those_about_its_scene_counted() {
    let folder = Scratch::new("warned");
    std::fs::write(folder.path().join("warned.toml"), WITHOUT_CONTACT).unwrap();
    let output = run(folder.path(), &["run", "warned.toml", "--out", "run", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let run = Run(folder);
    let text = std::fs::read_to_string(run.file("summary.json")).unwrap();
    assert!(text.contains("\"warned.toml:") && text.contains("\"band and drift were read"), "{text}");
    run.is_sound(&[]);
    let without = |words: &'static str| lines(move |lines| lines.retain(|line| !line.contains(words)));
    run.finds("summary.json", without("\"warned.toml:"), &["summary.json warnings.1: recorded nothing"]);
    let milder = lines(|lines| {
        let line = lines.iter_mut().find(|line| line.contains("band and drift")).unwrap();
        *line = line.replace("2,000", "20");
    });
    run.finds("summary.json", milder, &["summary.json warnings.1: recorded \"band and drift"]);
}
