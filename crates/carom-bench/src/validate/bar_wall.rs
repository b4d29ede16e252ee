//! An elastic bar hits a rigid wall and leaves as fast as it came.
//!
//! | | |
//! | --- | --- |
//! | Setting | L = 0.2 m, side 0.02 m, E = 200 GPa, ν = 0.3, ρ = 8000 kg/m³, 100 m/s, held across: uniaxial strain |
//! | Formula | contact lasts `2L/c`, `c = √(E(1 − ν)/(ρ(1 + ν)(1 − 2ν)))`, and pushes with `ρ c v` times the section; the bar leaves at v |
//! | Measured | contact: from the first to the last reading with energy in the layers; force: impulse of the wall over that time; velocity: mean over the bar |
//! | Source | Code_Aster V5.03.100, SDNV100 |
//!
//! Strain is 1.7 %, where neo-Hookean tetrahedra are some 3 % stiffer than linear ones: waves run faster, and the bar leaves earlier.

use super::Effort;
use super::report::{Point, Series, Study};
use super::scene_run::run_scene;

const SCENE: &str = r#"
format = 1
title = "A bar hits a wall"
[time]
end = 1.2e-4
[clocks]
safety = 0.1
[contact]
thickness = 5e-5
[[body]]
name = "bar"
shape.box = { size = [0.2, 0.02, 0.02], cells = [40, 2, 2], split = "six" }
material.solid = { young = 2e11, poisson = 0.3, density = 8000.0 }
position = [0.10205, 0.0, 0.0]
velocity = [-100.0, 0.0, 0.0]
[[pin]]
body = "bar"
select.all = true
axes = "yz"
[[body]]
name = "wall"
obstacle = true
shape.grid = { size = [0.1, 0.1], cells = [1, 1], pattern = "right" }
rotation = { axis = [0.0, 1.0, 0.0], degrees = 90.0 }
position = [0.0, 0.0123, 0.0]
"#;

const SAMPLES: u64 = 2400;
const MASS: f64 = 0.64;
const SPEED: f64 = 100.0;

struct Impact {
    start: f64,
    duration: f64,
    force: f64,
    rebound: f64,
    momentum: f64,
}

pub fn studies(effort: Effort) -> Vec<Study> {
    let cells: &[usize] = if effort == Effort::Quick { &[20, 40] } else { &[20, 40, 80, 160] };
    let impacts: Vec<Impact> = cells.iter().map(|&n| impact(n)).collect();
    let series = |what: &str, expected: f64, tolerance: Option<f64>, read: fn(&Impact) -> f64| Series {
        what: what.into(),
        expected,
        tolerance,
        order: None,
        points: cells
            .iter()
            .zip(&impacts)
            .map(|(&n, i)| Point { mesh: format!("{n} along"), size: 1.0 / n as f64, ours: read(i) })
            .collect(),
    };
    let slack = if effort == Effort::Quick { 0.03 } else { 0.02 };
    vec![Study {
        title: "A bar against a wall",
        setting: "L = 0.2 m, 2 cm × 2 cm, E = 200 GPa, ν = 0.3, ρ = 8000 kg/m³, neo-Hookean, two by two cells across, held across; 100 m/s, 2 mm from the \
                  wall beyond η₁ = 50 µm. Contact by default, safety 0.1."
            .into(),
        source: "Code_Aster V5.03.100, SDNV100: one-dimensional waves",
        size: "edge over length",
        series: vec![
            series("first contact, µs", 20.0, Some(0.02), |i| 1e6 * i.start),
            series("time in contact, µs", 68.9513, Some(slack), |i| 1e6 * i.duration),
            series("mean force, MN", 1.856_38, Some(slack), |i| 1e-6 * i.force),
            series("velocity after, m/s", 100.0, Some(slack), |i| i.rebound),
            series("error of momentum", 0.0, Some(1e-10), |i| i.momentum),
        ],
    }]
}

fn impact(cells: usize) -> Impact {
    let setting = format!("body.0.shape.box.cells=[{cells}, 2, 2]");
    let (mut pushed, mut rebound, mut momentum) = (Vec::new(), 0.0, 0.0_f64);
    run_scene(SCENE, &[&setting], SAMPLES, |reading| {
        if *reading.potential_j.last().expect("contact is the last kind") > 0.0 {
            pushed.push(reading.time_s);
        }
        rebound = reading.momentum.x / MASS;
        let kept = reading.momentum.x - reading.from_outside.linear.x + MASS * SPEED;
        momentum = momentum.max(kept.abs() / (MASS * SPEED));
    });
    let (start, end) = (pushed[0], pushed[pushed.len() - 1]);
    let force = MASS * (SPEED + rebound) / (end - start);
    Impact { start, duration: end - start, force, rebound, momentum }
}
