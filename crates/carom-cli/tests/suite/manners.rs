//! Exit codes, files and repeatability of the program.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{Scratch, carom, run, stderr, stdout, summary};

fn fingerprint(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, &[&["run"], arguments, &["--fingerprint"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output).trim().to_owned()
}

#[test]
fn a_run_leaves_everything_it_promises_and_says_so() {
    let folder = Scratch::new("leaves");
    let output = run(folder.path(), &["run", "two-masses"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for word in ["as expected", "energy", "momentum", "steps", "million a second", "runs/two-masses/1"] {
        assert!(text.contains(word), "{word} is missing from\n{text}");
    }
    let run_folder = folder.path().join("runs/two-masses/1");
    for file in
        ["scene.toml", "options.json", "ledger.csv", "probes.csv", "frames.pvd", "summary.json", "energy.svg"]
    {
        assert!(run_folder.join(file).is_file(), "{file}");
    }
    let rows = std::fs::read_to_string(run_folder.join("ledger.csv")).unwrap().lines().count();
    assert!(rows > 2000, "{rows} rows");
}

#[test]
fn the_same_scene_gives_the_same_bits_however_it_is_watched() {
    let folder = Scratch::new("bits");
    let plain = fingerprint(folder.path(), &["two-masses"]);
    assert_eq!(plain.len(), 32);
    assert_eq!(fingerprint(folder.path(), &["two-masses"]), plain);
    assert_eq!(fingerprint(folder.path(), &["two-masses", "--threads", "2"]), plain);
    assert_eq!(fingerprint(folder.path(), &["two-masses", "--method", "reference"]), plain);
    let blind = ["two-masses", "--set", "output.frames=0", "--set", "output.rows=3"];
    run(folder.path(), &[&["run"], &blind[..], &["--out", "blind"]].concat());
    assert_eq!(summary(&folder.path().join("blind"))["fingerprint"], plain);
    assert_ne!(fingerprint(folder.path(), &["two-masses", "--end", "9.5"]), plain);
}

#[test]
fn a_run_is_repeated_from_its_folder_alone() {
    let folder = Scratch::new("repeat");
    let table = "0 0 0 0 0.1 0\n1.1 0 0 0 -0.1 0\n0 1 0 0 0 0\n1 1 0 0 0 0.2\n";
    std::fs::write(folder.path().join("start.txt"), table).unwrap();
    std::fs::write(folder.path().join("plate.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n")
        .unwrap();
    let scene = r#"
format = 1
[time]
end = 0.01
[clocks]
energy_tolerance = "none"
[[body]]
name = "plate"
shape.mesh = { file = "plate.obj" }
material.shell = { thickness = 0.01, young = 1e6, poisson = 0.3, density = 1000.0 }
start.table = { file = "start.txt" }
"#;
    std::fs::write(folder.path().join("plate.toml"), scene).unwrap();
    let first = fingerprint(folder.path(), &["plate.toml", "--out", "first", "--set", "clocks.safety=0.2"]);
    for file in ["plate.obj", "plate.toml", "start.txt"] {
        std::fs::remove_file(folder.path().join(file)).unwrap();
    }
    for (again, out) in [("first/scene.toml", "second"), ("first", "third")] {
        assert_eq!(fingerprint(folder.path(), &[again, "--out", out]), first);
        assert_eq!(summary(&folder.path().join(out))["scene"], "plate");
    }
}

#[test]
fn a_run_never_overwrites() {
    let folder = Scratch::new("overwrite");
    assert_eq!(run(folder.path(), &["run", "two-masses", "--quiet", "--out", "here"]).status.code(), Some(0));
    let again = run(folder.path(), &["run", "two-masses", "--quiet", "--out", "here"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("never overwrites"), "{}", stderr(&again));
}

#[test]
fn a_broken_expectation_is_exit_code_one_and_names_the_number() {
    let folder = Scratch::new("expect");
    let output = run(folder.path(), &["run", "two-masses", "--quiet", "--set", "expect.energy_band=1e-9"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("energy_band"), "{}", stderr(&output));
}

#[test]
fn bad_input_is_exit_code_two_and_points_at_the_line() {
    let folder = Scratch::new("bad");
    std::fs::write(folder.path().join("bad.toml"), "format = 1\n[time]\nend = 1.0\nedn = 2.0\n").unwrap();
    let output = run(folder.path(), &["check", "bad.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(text.contains("bad.toml:4") && text.contains("edn"), "{text}");
    for arguments in [&["run", "no-such-scene"][..], &["run", "two-masses", "--set", "time.end=-1"], &["run"]]
    {
        assert_eq!(run(folder.path(), arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn an_unstable_step_is_refused_with_the_bound_and_a_forced_one_ends_in_a_fault() {
    let folder = Scratch::new("fault");
    let step = ["run", "two-masses", "--quiet", "--set", "clocks.step=1.0", "--set", "time.end=1e6"];
    let refused = run(folder.path(), &step);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("longest stable"), "{}", stderr(&refused));
    let forced =
        run(folder.path(), &[&step[..], &["--set", "clocks.force=true", "--out", "forced"]].concat());
    assert_eq!(forced.status.code(), Some(3), "{}", stderr(&forced));
    assert!(stderr(&forced).contains("tick"), "{}", stderr(&forced));
    let summary = summary(&folder.path().join("forced"));
    assert_eq!(summary["verdict"], "fault");
    assert!(folder.path().join("forced/ledger.csv").is_file());
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_run_with_everything_on_disk() {
    let folder = Scratch::new("interrupt");
    let mut child = carom(folder.path()).args(["run", "drum", "--quiet", "--out", "run"]).spawn().unwrap();
    let list = folder.path().join("run/frames/000000.vtu");
    let started = Instant::now();
    while !list.is_file() {
        assert!(started.elapsed() < Duration::from_mins(2), "the run did not start");
        std::thread::sleep(Duration::from_millis(50));
    }
    let signalled = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signalled.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let summary = summary(&folder.path().join("run"));
    assert_eq!(summary["verdict"], "interrupted");
    assert!(summary["ticks"].as_u64().unwrap() > 0);
}

#[test]
fn a_new_scene_is_sound_and_every_built_in_scene_too() {
    let folder = Scratch::new("new");
    assert_eq!(run(folder.path(), &["new", "mine.toml"]).status.code(), Some(0));
    assert_eq!(run(folder.path(), &["new", "mine.toml"]).status.code(), Some(2));
    let listed = stdout(&run(folder.path(), &["scenes"]));
    let mut arguments = vec!["check", "mine.toml"];
    arguments.extend(listed.lines().filter_map(|line| line.split_whitespace().next()));
    assert!(arguments.len() > 5);
    let output = run(folder.path(), &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn small_variants_are_checked_as_themselves() {
    let folder = Scratch::new("check-small");
    let said =
        |arguments: &[&str]| stdout(&run(folder.path(), &[&["check", "two-bars"], arguments].concat()));
    let (full, small) = (said(&[]), said(&["--small"]));
    assert!(full.starts_with("two-bars: sound") && small.starts_with("two-bars: sound"), "{full}{small}");
    assert_ne!(full, small, "the small one has fewer vertices");
    let none = run(folder.path(), &["check", "two-masses", "--small"]);
    assert_eq!(none.status.code(), Some(2));
    assert!(stderr(&none).contains("no small variant"), "{}", stderr(&none));
}

#[test]
fn inspecting_grains_predicts_no_number_that_only_their_meetings_decide() {
    let folder = Scratch::new("inspect-grains");
    let text = stdout(&run(folder.path(), &["inspect", "gas"]));
    let cost = text.lines().find(|line| line.trim().starts_with("cost")).unwrap();
    assert!(cost.contains("all evaluations are those of contact") && !cost.contains(" 0 "), "{cost}");
}

#[test]
fn inspecting_a_scene_gives_the_advice_that_fits_it_and_no_other() {
    let folder = Scratch::new("advice");
    let advice = |arguments: &[&str]| {
        let text = stdout(&run(folder.path(), &[&["inspect"], arguments].concat()));
        text.lines()
            .filter_map(|line| line.trim().strip_prefix("advice "))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(advice(&["push"]), Vec::<String>::new());
    let falling = advice(&["cloth-on-ball"]);
    assert!(falling.len() == 1 && falling[0].contains("nothing takes energy"), "{falling:?}");
    let rough = advice(&["cloth-on-ball", "--set", "contact.friction=0.3"]);
    assert!(rough.iter().any(|line| line.contains("one `clocks.step`")), "{rough:?}");
    assert!(!rough.iter().any(|line| line.contains("nothing takes energy")), "{rough:?}");
    let hurried = advice(&["cloth-on-ball", "--set", "contact.speed=500"]);
    assert!(hurried.iter().any(|line| line.contains("contact is ready for 500")), "{hurried:?}");
    let given = advice(&["cloth-on-ball", "--set", "contact.speed=500", "--set", "contact.step=1e-6"]);
    assert!(!given.iter().any(|line| line.contains("contact is ready for")), "{given:?}");
    let thick = advice(&[
        "cloth-on-ball",
        "--set",
        "contact.thickness=0.03",
        "--set",
        "body.cloth.position=[0, 0, 0.3]",
    ]);
    assert!(thick.iter().any(|line| line.contains("edges are down to")), "{thick:?}");
}

#[test]
fn the_schema_is_json_and_inspect_predicts_what_the_run_does() {
    let folder = Scratch::new("inspect");
    let schema = run(folder.path(), &["schema"]);
    assert!(serde_json::from_slice::<serde_json::Value>(&schema.stdout).unwrap()["properties"].is_object());
    let page = stdout(&run(folder.path(), &["schema", "--reference"]));
    assert!(page.contains("| **`thickness`** | a number above 0 |  | Thickness, in m. |"), "{page}");
    let kinds = stdout(&run(folder.path(), &["schema", "--kinds"]));
    for line in [
        "| [`noise`](scenes.md) | A random velocity for each vertex. | `body.velocity_field.noise` | ",
        "| [`shell`](scenes.md) | A thin sheet. | `body.material.shell` | ",
        "| [`obj`](output.md) | Wavefront OBJ",
        "| [`reaction`](keys.md) | The force with which a pin holds its vertices. | `probe.pin` | `fx` in N, ",
        "**`size`** in m, `edge` in m, `cells`, `pattern` = \"equilateral\"",
        "| [`spring`](../elements/spring.md) | ",
    ] {
        assert!(kinds.contains(line), "{line}: {kinds}");
    }
    let text = stdout(&run(folder.path(), &["inspect", "two-masses"]));
    let line = text.lines().find(|line| line.contains("force evaluations predicted")).unwrap();
    let predicted: u64 = line.split_whitespace().nth(1).unwrap().replace(',', "").parse().unwrap();
    assert!(predicted > 1000, "{text}");
    let json = run(folder.path(), &["run", "two-masses", "--json"]);
    let summary: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(summary["evaluations"]["total"], predicted);
}

/// A vertex that falls through a face, and one that stays above it, as rows of the query format.
fn queries(ends_at: &str, truth: u8) -> String {
    let face = |z: &str| format!("0,1,0,1,{z},{truth}\n1,1,0,1,{z},{truth}\n0,1,1,1,{z},{truth}\n");
    format!("1,4,1,4,1,1,{truth}\n{}1,4,1,4,{ends_at},{truth}\n{}", face("0,1"), face("0,1"))
}

#[test]
fn collision_detection_is_held_against_queries_and_bad_files_are_pointed_at() {
    let folder = Scratch::new("ccd");
    let file = folder.path().join("vertex-face/data.csv");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, queries("-1,1", 1) + &queries("1,2", 0)).unwrap();
    let output = run(folder.path(), &["ccd", "vertex-face/data.csv", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let verdicts: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let counts = ["queries", "hits", "false_negatives", "false_positives", "late_times"];
    assert_eq!(counts.map(|key| verdicts[key].as_u64().unwrap()), [2, 1, 0, 0, 0]);
    assert!(verdicts["largest_early"].as_f64().unwrap() <= 1e-6);
    assert!(verdicts["queries_per_second"].as_f64().unwrap() > 0.0);
    let text = stdout(&run(folder.path(), &["ccd", "vertex-face/data.csv"]));
    assert!(text.contains("false negatives  0") && text.contains("as promised"), "{text}");

    for (content, complaint) in [
        (
            "1,4,1,4,1,1,1\n1,3,1,4,1,1,1\n".to_owned(),
            "vertex-face/data.csv:2: `1/3` is not exactly a double",
        ),
        (queries("-1,1", 0), "query 0 (from 0) says no contact, but exact arithmetic finds one"),
    ] {
        std::fs::write(&file, content).unwrap();
        let output = run(folder.path(), &["ccd", "vertex-face/data.csv"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(complaint), "{}", stderr(&output));
    }
    assert_eq!(run(folder.path(), &["ccd", "vertex-face/none.csv"]).status.code(), Some(2));
}

/// A small plate, and a single point above it that moves at `velocity`.
fn plate_and_point(velocity: &str) -> String {
    format!(
        r#"
format = 1
[time]
end = 0.01
[output]
rows = 10
frames = 0
[[body]]
name = "plate"
shape.grid = {{ size = [1.0, 1.0], edge = 0.4 }}
material.shell = {{ thickness = 0.01, young = 1e6, poisson = 0.3, density = 1000.0 }}
[[body]]
name = "point"
shape.points = {{ positions = [[0.03, 0.02, 0.05]] }}
material.points = {{ mass = 1.0 }}
velocity = [0.0, 0.0, {velocity}]
"#
    )
}

#[test]
fn an_audit_finds_what_passes_through_and_says_so_by_its_exit_code() {
    let folder = Scratch::new("audit");
    std::fs::write(folder.path().join("falls.toml"), plate_and_point("-10.0")).unwrap();
    std::fs::write(folder.path().join("rises.toml"), plate_and_point("10.0")).unwrap();

    let watched = run(folder.path(), &["run", "falls.toml", "--out", "falls", "--audit", "--quiet"]);
    assert_eq!(watched.status.code(), Some(1), "{}", stderr(&watched));
    assert!(stderr(&watched).contains("1 pair CROSSED"), "{}", stderr(&watched));
    let found = &summary(&folder.path().join("falls"))["audit"];
    assert_eq!(found["crossings"], 1);
    // 5 cm at 10 m/s.
    assert!((found["first_crossings"][0]["time_s"].as_f64().unwrap() - 0.005).abs() < 1e-12);

    let audit = |arguments: &[&str]| {
        let output = run(folder.path(), &[&["audit"], arguments, &["--json"]].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), json)
    };
    let (code, replayed) = audit(&["falls"]);
    assert_eq!(code, Some(1));
    assert_eq!(replayed["first_crossings"], found["first_crossings"]);
    assert_eq!(replayed["contract_violations"], 0);
    assert_eq!(replayed["same_bits"], true);
    // Before and after the crossing there is nothing to find.
    for window in [["--from", "0", "--to", "0.004"], ["--from", "0.006", "--to", "0.01"]] {
        let (code, part) = audit(&[&["falls"], &window[..]].concat());
        assert_eq!((code, &part["crossings"]), (Some(0), &0.into()), "{window:?}");
    }

    assert_eq!(
        run(folder.path(), &["run", "rises.toml", "--out", "rises", "--quiet"]).status.code(),
        Some(0)
    );
    let (code, sound) = audit(&["rises"]);
    assert_eq!((code, &sound["crossings"], &sound["same_bits"]), (Some(0), &0.into(), &true.into()));
    assert!((sound["min_distance"].as_f64().unwrap() - 0.05).abs() < 1e-9, "{sound}");
    assert!(sound["instants_sampled"].as_u64().unwrap() > 10);
    let text = stdout(&run(folder.path(), &["audit", "rises"]));
    assert!(
        text.contains("nothing passed through anything") && text.contains("the bits of the run"),
        "{text}"
    );
}

#[test]
fn an_audit_repeats_all_its_samples_also_where_contact_turns_round() {
    let folder = Scratch::new("samples");
    let audited = run(folder.path(), &["run", "small-impact", "--audit", "--out", "impact", "--json"]);
    let summary: serde_json::Value = serde_json::from_slice(&audited.stdout).unwrap();
    assert_eq!(summary["audit"]["instants_sampled"], 64, "{}", summary["audit"]);
}

#[test]
fn a_run_by_dcr_bounces_off_says_that_it_promises_nothing_and_is_not_judged() {
    let folder = Scratch::new("dcr");
    // The distance is expected of those who promise it.
    let text =
        plate_and_point("-10.0") + "[contact]\nthickness = 0.01\n[expect]\ncontact_min_distance = 0.02\n";
    std::fs::write(folder.path().join("falls.toml"), text).unwrap();
    let dcr = ["run", "falls.toml", "--method", "dcr", "--out"];
    let output = run(folder.path(), &[&dcr[..], &["fell"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("dcr is outside the contract"), "{}", stderr(&output));
    assert!(stdout(&output).contains("deepest penetration"), "{}", stdout(&output));
    let summary = summary(&folder.path().join("fell"));
    assert!(summary["dcr"]["jumps"].as_u64().unwrap() > 0, "{summary}");
    assert!(summary["dcr"]["largest_penetration"].as_f64().unwrap() > 0.0, "{summary}");
    assert!(summary["contact"]["min_distance"].as_f64().unwrap() > 0.0099, "{summary}");

    let again = fingerprint(folder.path(), &["fell"]);
    assert_eq!(summary["fingerprint"], again.as_str());
    for judged in [&[&dcr[..], &["watched", "--audit"]].concat()[..], &["audit", "fell"]] {
        let output = run(folder.path(), judged);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("outside"), "{}", stderr(&output));
    }
    let long = run(folder.path(), &[&dcr[..], &["long", "--set", "dcr.step=0.005"]].concat());
    assert_eq!(long.status.code(), Some(2));
    assert!(stderr(&long).contains("longest stable"), "{}", stderr(&long));
}

#[test]
fn a_folder_that_is_no_run_or_was_changed_is_not_passed_off_as_sound() {
    let folder = Scratch::new("tampered");
    assert_eq!(run(folder.path(), &["audit", "nowhere"]).status.code(), Some(2));
    run(folder.path(), &["run", "two-masses", "--quiet", "--out", "run"]);
    let window = run(folder.path(), &["audit", "run", "--from", "3", "--to", "2"]);
    assert_eq!(window.status.code(), Some(2));
    assert!(stderr(&window).contains("nothing to judge from 3 s to 2 s"), "{}", stderr(&window));
    let scene = folder.path().join("run/scene.toml");
    let text = std::fs::read_to_string(&scene).unwrap();
    let changed = text.replacen("stiffness = ", "stiffness = 1", 1);
    assert_ne!(changed, text);
    std::fs::write(&scene, changed).unwrap();
    let output = run(folder.path(), &["audit", "run"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("OTHER BITS"), "{}", stdout(&output));
}

/// A coarse ball makes the press quick.
const PRESS: [&str; 6] =
    ["--set", "body.ball.shape.ball.edge=0.03", "--set", "output.rows=400", "--set", "output.frames=10"];

#[test]
fn what_is_squeezed_to_nothing_ends_in_a_fault_with_everything_up_to_then_on_disk() {
    let folder = Scratch::new("squeeze");
    let output = run(folder.path(), &[&["run", "squeeze", "--out", "press"], &PRESS[..]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(text.contains("fault: ") && text.contains("were squeezed to a distance of"), "{text}");
    assert!(text.contains("of body ball") && text.contains("where the layers end"), "{text}");
    let press = folder.path().join("press");
    let summary = summary(&press);
    assert_eq!(summary["verdict"], "fault");
    assert_eq!(summary["contact"]["deepest_layer"], 6);
    assert!(summary["contact"]["min_distance"].as_f64().unwrap() > 0.0);
    assert!(summary["momentum"]["linear_error"].as_f64().unwrap() < 1e-12);

    let ledger = carom_output::Ledger::read(&press.join("ledger.csv")).unwrap();
    let last = ledger.rows.last().unwrap();
    assert_eq!(summary["ticks"], last.tick, "the last row is the instant of the Fault");
    let off = ledger.rows.iter().map(|r| r.balance_j().abs()).fold(0.0, f64::max);
    assert!(off < 1e-2 * last.work_j, "the work of the plates is on the ledger: {off} of {}", last.work_j);
    assert!(ledger.kinds.contains(&"contact".to_owned()));
    let frames = std::fs::read_to_string(press.join("frames.pvd")).unwrap();
    let name = frames.rsplit("file=\"").next().unwrap().split('"').next().unwrap();
    let frame = carom_output::vtu::read(&press.join(name)).unwrap();
    assert_eq!(frame.tick.0, last.tick, "the last frame is the instant of the Fault");

    let audit = run(folder.path(), &["audit", "press", "--json"]);
    assert_eq!(audit.status.code(), Some(0), "{}", stderr(&audit));
    let audit: serde_json::Value = serde_json::from_slice(&audit.stdout).unwrap();
    assert_eq!((&audit["same_bits"], &audit["fault"]), (&true.into(), &summary["fault"]));
    let [judged, seen] =
        [&audit["min_distance"], &summary["contact"]["min_distance"]].map(|d| d.as_f64().unwrap());
    assert!(judged <= seen * (1.0 + 1e-9), "the judge sees the run to its end: {judged} against {seen}");

    // Without its last row it has another end.
    let ledger = press.join("ledger.csv");
    let text = std::fs::read_to_string(&ledger).unwrap();
    std::fs::write(&ledger, &text[..=text.trim_end().rfind('\n').unwrap()]).unwrap();
    let edited = run(folder.path(), &["audit", "press"]);
    assert_eq!(edited.status.code(), Some(1));
    assert!(stdout(&edited).contains("recorded nothing, recomputed 1 more row"), "{}", stdout(&edited));
}

#[test]
fn a_run_with_contact_is_repeated_from_its_folder_alone_and_by_the_oracle() {
    let folder = Scratch::new("touch");
    let scene = r#"
format = 1
time.end = 0.02
clocks.energy_tolerance = "none"
contact = { thickness = 0.02, max_layers = 8 }
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
shape.grid = { size = [1.0, 1.0], edge = 0.5 }
[[probe]]
name = "hit"
between = ["grain", "wall"]
[expect]
contact_min_distance = 1e-3
contact_deepest_layer = 8
"#;
    std::fs::write(folder.path().join("touch.toml"), scene).unwrap();
    let first = fingerprint(folder.path(), &["touch.toml", "--out", "first"]);
    assert_eq!(fingerprint(folder.path(), &["first/scene.toml", "--out", "second"]), first);
    assert_eq!(fingerprint(folder.path(), &["touch.toml", "--method", "reference", "--out", "third"]), first);
    let [fast, slow] = ["first", "third"]
        .map(|run| std::fs::read_to_string(folder.path().join(run).join("probes.csv")).unwrap());
    assert_eq!(fast, slow, "both book the same contact");

    // Both grains bounce off a wall that comes towards them: from −10 to +12 m/s.
    let header: Vec<&str> = fast.lines().next().unwrap().split(',').collect();
    let last: Vec<&str> = fast.lines().last().unwrap().split(',').collect();
    let column = |name: &str| last[header.iter().position(|h| *h == name).unwrap()].parse::<f64>().unwrap();
    let first_grain = 0.01 * 22.0;
    let impulse = column("hit.jz");
    assert!(
        (impulse / first_grain - 1.0).abs() < 0.02 || (impulse / first_grain - 2.0).abs() < 0.02,
        "{impulse}"
    );
    assert!(column("hit.duration") > 0.0 && column("hit.closest") > 0.0 && column("hit.layer") >= 1.0);
    assert_eq!(column("hit.fz"), 0.0, "it is over");
}

#[test]
fn inspecting_shows_what_bodies_are_made_of_and_how_contact_was_chosen() {
    let folder = Scratch::new("choice");
    let text = stdout(&run(folder.path(), &["inspect", "bounce"]));
    for words in [
        "ball and plate",
        "plate with itself",
        "h₁ω₁",
        "good: n at least 6",
        "modulus 5e7 Pa, density 1100 kg/m³, mass",
    ] {
        assert!(text.contains(words), "{words} is missing from\n{text}");
    }
}

#[test]
fn inspecting_says_where_each_step_comes_from_and_when_the_energy_is_checked() {
    let folder = Scratch::new("origins");
    let inspected = |arguments: &[&str]| stdout(&run(folder.path(), &[&["inspect"], arguments].concat()));
    let line = |text: &str, start: &str| {
        let found = text.lines().rev().find(|line| line.trim().starts_with(start) && !line.contains("docs/"));
        found.unwrap_or_else(|| panic!("{start} is missing from\n{text}")).to_owned()
    };
    let push = inspected(&["push"]);
    assert!(line(&push, "gravity   ").ends_with("  contact that takes energy"), "{push}");
    assert!(line(&push, "tet-neo-hookean").ends_with("  given"), "{push}");
    assert!(line(&push, "tolerance").contains("energy to 1e-3 of what is turned over"), "{push}");
    let checked = line(&push, "checked at");
    assert!(checked.contains("every 128 S = 6.400 ms, S = 50.000 µs the slowest step"), "{checked}");
    let cloth = inspected(&["cloth-on-ball"]);
    let shared = "faster ones at its vertices (296), 16 × the first layer of contact (2,109)";
    assert!(cloth.contains(shared), "{cloth}");
    let none = inspected(&["two-masses", "--set", "clocks.energy_tolerance=\"none\""]);
    assert!(line(&none, "spring").ends_with("  its stability limit"), "{none}");
    assert!(line(&none, "tolerance").ends_with("none (clocks.energy_tolerance)"), "{none}");
    assert!(!none.contains("checked at"), "{none}");
    let one = inspected(&["two-masses", "--method", "synchronous"]);
    assert!(line(&one, "spring").ends_with("  one clock for all, by synchronous"), "{one}");
    assert!(one.contains("judged at the end: synchronous never shortens steps"), "{one}");
    let dcr = inspected(&["two-masses", "--method", "dcr"]);
    assert!(line(&dcr, "tolerance").ends_with("none: dcr promises nothing"), "{dcr}");
}

#[test]
fn inspecting_quotes_what_the_registries_say_of_everything_in_a_scene() {
    let folder = Scratch::new("quoted");
    let text = stdout(&run(folder.path(), &["inspect", "push"]));
    for words in [
        "block: 48 vertices, modulus 3e5 Pa, density 1000 kg/m³, mass 0.6 kg, size 0.1 × 0.1 × 0.06 m",
        "solid: young 3e5 Pa, poisson 0.3, drag 0.1 1/s",
        "floor: 4 vertices, an obstacle, size 4 × 4 × 0 m",
        "gravity    acceleration [0, 0, -9.81] m/s²",
        "tick 85,899,345,920,000, 1.000 s",
        "not counted: drag, gravity",
    ] {
        assert!(text.contains(words), "{words} is missing from\n{text}");
    }
    for kind in ["drag", "gravity", "tet-neo-hookean"] {
        assert!(text.contains(carom::elastic::registry::find(kind).unwrap().about), "{kind}: {text}");
    }
    let acting = ["restitution", "friction"];
    for law in carom::model::LAWS.iter().filter(|law| acting.contains(&law.parameter.name)) {
        assert!(text.contains(law.parameter.about), "{text}");
    }
    let dome = stdout(&run(folder.path(), &["inspect", "dome"]));
    let pressure = carom_scene::LOADS.iter().find(|load| load.name == "pressure").unwrap();
    for words in ["load       sheet: pressure 200 Pa, times its profile", pressure.about] {
        assert!(dome.contains(words), "{words} is missing from\n{dome}");
    }
}

#[test]
fn inspecting_shows_what_resists_and_who_is_told_where_to_go() {
    let folder = Scratch::new("laws");
    let text = stdout(&run(folder.path(), &["inspect", "push"]));
    for words in [
        "block and floor: friction 0.3, restitution 0.5",
        "block and paddle: friction 0.1, restitution 0.5",
        "tet-neo-hookean: 1.000 ms",
        "drag: 10.000 s",
        "paddle: 4 vertices",
        "until 700.000 ms",
    ] {
        assert!(text.contains(words), "{words} is missing from\n{text}");
    }
    let ideal = stdout(&run(folder.path(), &["inspect", "two-masses"]));
    assert!(!ideal.contains("damping") && !ideal.contains("drive"), "{ideal}");
}

#[test]
fn a_reader_who_goes_away_does_not_stop_a_run() {
    let folder = Scratch::new("pipe");
    let mut child = carom(folder.path())
        .args(["run", "two-masses", "--out", "run", "--end", "0.1"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The reader of the pipe is gone.
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{:?} {}", output.status, stderr(&output));
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    assert!(folder.path().join("run").join("report.html").is_file());
}

/// A grain that bounces on a floor under gravity: it touches between the rows, and the ledger has a row more for each time.
const BOUNCING: &str = r#"format = 1
time.end = 3.0
gravity.acceleration = [0.0, 0.0, -9.81]
contact = { thickness = 1e-3, speed = 5.0 }
output = { rows = 100, frames = 0 }
[[body]]
name = "grain"
shape.grains = { positions = [[0.0, 0.0, 0.0]], radius = 0.1 }
material.grains = { density = 2000.0 }
position = [0.11, 0.07, 1.1]
[[body]]
name = "floor"
obstacle = true
shape.grid = { size = [2.0, 2.0], cells = [1, 1], pattern = "right" }
[[probe]]
name = "grain"
vertex = "grain:0"
[expect]
[[expect.probe]]
name = "grain"
column = "z"
statistic = "period"
value = 0.903
relative = 5e-3
"#;

#[test]
fn a_period_is_read_from_the_rows_of_the_probe_whatever_rows_the_ledger_has_between_them() {
    let folder = Scratch::new("period");
    std::fs::write(folder.path().join("bouncing.toml"), BOUNCING).unwrap();
    let ended = run(folder.path(), &["run", "bouncing.toml", "--quiet", "--out", "run"]);
    let ledger = std::fs::read_to_string(folder.path().join("run/ledger.csv")).unwrap();
    assert!(ledger.lines().filter(|line| line.ends_with(",1")).count() > 1, "the ledger has rows of its own");
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
}
