//! A run in two halves through `--from` goes where the whole run goes, angles and spins included.
//!
//! At an instant at which every clock fires, the velocity of a frame lies between the two halves of each kick, and a run that starts
//! there makes the second: only rounding differs.

use std::path::Path;

use crate::common::{Scratch, run, stderr, stdout, summary};
use carom_output::pvd;

/// A ring of 720 degrees of twist, pushed out of its plane: it buckles.
const RING: &str = r#"
format = 1
time.end = 0.04096
clocks.step = 2e-5
output.frames = 2
[[body]]
name = "ring"
shape.ring = { radius = 0.1, segments = 24 }
start.twist = 720.0
start.displace.bump = { amplitude = [0.0, 0.0, 0.01], centre = [0.1, 0.0, 0.0], radius = 0.1 }
material.rod = { radius = 0.005, young = 1e6, density = 1000.0, twist = true, poisson = 0.3, natural_curvature = 0.0 }
"#;

/// Two grains that graze each other and then the walls.
const GRAINS: &str = r#"
format = 1
time.end = 0.5
clocks = { step = 1e-4, energy_tolerance = "none" }
gravity.acceleration = [0.0, 0.1, 0.2]
output.frames = 2
contact = { thickness = 1e-3, friction = 0.4, step = 1e-4, stiffness = 2e7, speed = 1.0 }
[[body]]
name = "left"
shape.grains = { positions = [[-0.05, 0.0, 0.0]], radius = 0.02 }
material.grains = { density = 1000.0 }
velocity = [0.5, 0.1, 0.0]
[[body]]
name = "right"
shape.grains = { positions = [[0.05, 0.015, 0.01]], radius = 0.02 }
material.grains = { density = 2000.0 }
velocity = [-0.5, 0.0, 0.1]
[[body]]
name = "walls"
shape.room = { size = [0.3, 0.3, 0.3] }
obstacle = true
"#;

/// The last frame of a run: positions and velocities of vertices and of auxiliary degrees of freedom.
fn last(run: &Path) -> [Vec<[f64; 3]>; 4] {
    let frame = pvd::read_last(run).unwrap().unwrap();
    let auxiliary_dofs = frame.auxiliary_dofs;
    [frame.positions, frame.velocities, auxiliary_dofs.positions, auxiliary_dofs.velocities]
        .map(|list| list.into_iter().map(|v| [v.x, v.y, v.z]).collect())
}

/// The largest difference between the last frames of two runs, of each kind on the scale of what there is of it.
fn difference(a: &Path, b: &Path) -> f64 {
    let (a, b) = (last(a), last(b));
    let of_kind = |(a, b): (&Vec<[f64; 3]>, &Vec<[f64; 3]>)| {
        assert_eq!(a.len(), b.len());
        let pairs = a.iter().flatten().zip(b.iter().flatten());
        let scale = a.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale
    };
    a.iter().zip(&b).map(of_kind).fold(0.0, f64::max)
}

fn made(path: &Path, arguments: &[&str]) {
    let output = run(path, arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
}

/// Distance between the ends of a run in two halves and of the whole run.
fn of_two_halves(name: &str, scene: &str, half: &str) -> f64 {
    let folder = Scratch::new(name);
    let path = folder.path();
    std::fs::write(path.join("scene.toml"), scene).unwrap();
    made(path, &["run", "scene.toml", "--out", "whole"]);
    made(path, &["run", "scene.toml", "--out", "second", "--from", "whole:1", "--end", half]);
    // The first half alone must not end there already.
    made(path, &["run", "scene.toml", "--out", "first", "--end", half]);
    assert!(difference(&path.join("whole"), &path.join("first")) > 0.01);
    assert_eq!(summary(&path.join("second"))["scene"], summary(&path.join("whole"))["scene"]);
    difference(&path.join("whole"), &path.join("second"))
}

#[test]
fn a_twisted_ring_in_two_halves_ends_where_the_whole_run_ends() {
    let off = of_two_halves("half-ring", RING, "0.02048");
    assert!(off < 1e-9, "{off:e}");
}

#[test]
fn spinning_grains_in_two_halves_end_where_the_whole_run_ends() {
    let off = of_two_halves("half-grains", GRAINS, "0.25");
    assert!(off < 1e-9, "{off:e}");
}

#[test]
fn a_frame_without_angles_is_refused_by_what_needs_them() {
    let folder = Scratch::new("half-none");
    let path = folder.path();
    std::fs::write(path.join("scene.toml"), GRAINS).unwrap();
    made(path, &["run", "scene.toml", "--out", "smooth", "--set", "contact.friction=0", "--end", "0.01"]);
    let output = run(path, &["run", "scene.toml", "--from", "smooth"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("\"left\" twists or spins"), "{}", stderr(&output));
    // The other way round nothing is missing.
    made(path, &["run", "scene.toml", "--out", "rough", "--end", "0.01"]);
    made(
        path,
        &[
            "run",
            "scene.toml",
            "--out",
            "again",
            "--from",
            "rough",
            "--set",
            "contact.friction=0",
            "--end",
            "0.01",
        ],
    );
}
