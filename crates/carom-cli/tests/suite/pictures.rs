//! `carom plot` and `carom render` as commands.

use std::path::Path;

use crate::common::{Scratch, run, stderr, stdout, summary};

/// Grains in a box, a rod and a sheet, for a moment.
const SCENE: &str = r#"
format = 1
title = "A bit of everything"
[time]
end = 0.002
[gravity]
acceleration = [0.0, 0.0, -9.81]
[contact]
thickness = 1e-3
[[body]]
name = "sheet"
shape.grid = { size = [0.2, 0.2], edge = 0.05 }
material.shell = { thickness = 1e-3, young = 1e6, poisson = 0.3, density = 1000.0 }
velocity = [0.0, 0.0, 2.0]
[[body]]
name = "grains"
shape.grains = { positions = [[0.0, 0.0, 0.03], [0.05, 0.0, 0.05]], radius = 0.01 }
material.grains = { density = 1000.0 }
[[body]]
name = "floor"
obstacle = true
shape.grid = { size = [1.0, 1.0], edge = 0.5 }
position = [0.0, 0.0, -0.05]
[[probe]]
name = "tip"
vertex = "sheet:0"
[output]
frames = 4
rows = 40
[picture]
view = [30.0, 40.0]
time = 0.001
"#;

fn made(folder: &Path) {
    std::fs::write(folder.join("all.toml"), SCENE).unwrap();
    let output = run(folder, &["run", "all.toml", "--out", "r", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(summary(&folder.join("r"))["contact"].is_object(), "the scene has something to plot of contact");
}

/// Width and height, as the header of a PNG file says.
fn size(path: &Path) -> (u32, u32) {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(&bytes[1..4], b"PNG");
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[test]
fn a_run_is_drawn_into_its_folder_the_same_every_time_and_as_the_scene_hints() {
    let folder = Scratch::new("render");
    made(folder.path());
    let small = ["render", "r", "--size", "160x120"];
    let output = run(folder.path(), &small);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output).trim(), "wrote r/render.png: frame 2, 160 by 120 pixels");
    let picture = folder.path().join("r/render.png");
    assert_eq!(size(&picture), (160, 120));
    let first = std::fs::read(&picture).unwrap();
    let as_hinted = ["--view", "30,40", "--time", "0.001", "--out", "again.png", "--quiet"];
    assert!(stdout(&run(folder.path(), &[&small[..], &as_hinted].concat())).is_empty());
    assert!(std::fs::read(folder.path().join("again.png")).unwrap() == first);
    for other in [["--view", "-30,40"], ["--frame", "last"], ["--colour", "speed"], ["--hide", "sheet"]] {
        let output = run(folder.path(), &[&small[..], &other, &["--out", "other.png"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(std::fs::read(folder.path().join("other.png")).unwrap() != first, "{other:?}");
    }
}

#[test]
fn all_frames_become_a_film_or_a_picture_each() {
    let folder = Scratch::new("film");
    made(folder.path());
    let output = run(folder.path(), &["render", "r", "--size", "96x64", "--animate", "--every", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let film = folder.path().join("r/animation.png");
    let bytes = std::fs::read(&film).unwrap();
    let control = bytes.windows(4).position(|w| w == b"acTL").expect("the file is animated");
    assert_eq!(bytes[control + 4..control + 8], 3_u32.to_be_bytes());
    assert_eq!(size(&film), (96, 64));
    run(folder.path(), &["render", "r", "--size", "96x64", "--frame", "all", "--out", "still.png"]);
    for number in 0..5 {
        assert_eq!(size(&folder.path().join(format!("still-{number:06}.png"))), (96, 64));
    }
}

#[test]
fn what_cannot_be_drawn_is_an_error_that_says_what_to_do() {
    let folder = Scratch::new("render-errors");
    made(folder.path());
    std::fs::write(folder.path().join("blind.toml"), SCENE.replace("frames = 4", "frames = 0")).unwrap();
    run(folder.path(), &["run", "blind.toml", "--out", "blind", "--quiet"]);
    let cases: [(&[&str], &str); 12] = [
        (
            &["render", "nowhere"],
            "nowhere is not the folder of a run: it has no scene.toml; `carom run` writes one",
        ),
        (&["render", "blind"], "blind has no frames: run it with output.frames of 1 or more"),
        (&["render", "r", "--frame", "9"], "r has no frame 9: it has 5, counted from 0"),
        (&["render", "r", "--hide", "sheep"], "r has no body called \"sheep\"; it has sheet, grains, floor"),
        (&["render", "r", "--hide", "sheet,grains,floor"], "nothing is left to draw"),
        (&["render", "r", "--time", "nan"], "give a number of seconds from 0 on: 0.25"),
        (&["render", "r", "--time=-1"], "give a number of seconds from 0 on: 0.25"),
        (&["render", "r", "--every", "2"], "add --animate or --frame all"),
        (&["render", "r", "--out", "still.jpg"], "pictures are PNG files, also those that move: still.png"),
        (&["render", "r", "--animate", "--out", "film.gif"], "also those that move: film.png"),
        (&["plot", "nowhere"], "nowhere is not the folder of a run: it has no ledger.csv"),
        (&["plot", "r", "--probe", "tip.w"], "there is no probe \"tip.w\"; there is tip.vx, tip.vy"),
    ];
    for (arguments, expected) in cases {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(expected), "{arguments:?} says {}", stderr(&output));
    }
}

#[test]
fn a_run_is_plotted_and_so_are_several_over_each_other() {
    let folder = Scratch::new("plot");
    made(folder.path());
    let output = run(folder.path(), &["plot", "r"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let svg = std::fs::read_to_string(folder.path().join("r/plot.svg")).unwrap();
    for title in
        ["A bit of everything", "Where the energy is", "Relative error of the energy", "momenta", "contact"]
    {
        assert!(svg.contains(title), "{title} is missing");
    }
    assert!(size(&folder.path().join("r/plot.png")).0 > 1000);
    let arguments = ["plot", "r", "r", "--probe", "tip.z", "--from", "0.001", "--out", "two.svg"];
    assert_eq!(run(folder.path(), &arguments).status.code(), Some(0));
    let svg = std::fs::read_to_string(folder.path().join("two.svg")).unwrap();
    assert!(svg.contains("tip.z") && !svg.contains("Where the energy is"));
    let late = run(folder.path(), &["plot", "r", "--from", "7"]);
    assert!(stderr(&late).contains("nothing was written down between"), "{}", stderr(&late));
}

#[test]
fn frames_are_exported_in_a_format_by_its_name_into_a_folder_that_is_new() {
    let folder = Scratch::new("export");
    made(folder.path());
    let output = run(folder.path(), &["export", "r", "--format", "obj", "--every", "2"]);
    assert_eq!(stdout(&output), "wrote r/obj: 3 frames\n", "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("r/obj/000002.obj")).unwrap();
    assert!(text.starts_with("# 0.00") && text.contains("\nv ") && text.contains("\no body-2\n"), "{text}");

    let again = run(folder.path(), &["export", "r", "--format", "obj"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(stderr(&again).contains("r/obj is not empty"), "{}", stderr(&again));
    let unknown = run(folder.path(), &["export", "r", "--format", "step"]);
    assert!(stderr(&unknown).contains("[possible values: vtu, obj"), "{}", stderr(&unknown));
}

#[test]
fn frames_exported_as_vtu_are_those_of_the_run_byte_for_byte() {
    let folder = Scratch::new("export-vtu");
    made(folder.path());
    let output = run(folder.path(), &["export", "r", "--format", "vtu", "--quiet"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let bytes = |file: &str| std::fs::read(folder.path().join("r").join(file)).unwrap();
    for file in ["frames.pvd", "frames/000000.vtu", "frames/000003.vtu"] {
        assert!(bytes(&format!("vtu/{file}")) == bytes(file), "{file}");
    }
}
