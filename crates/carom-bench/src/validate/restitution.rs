//! A sphere hits a wall and leaves with a share of its speed.
//!
//! | | |
//! | --- | --- |
//! | Setting | a sphere of radius 2.5 mm and density 4000 kg/m³ hits a wall at 3.9 m/s; restitution e from 0 to 1 |
//! | Formula | it leaves at e times its speed |
//! | Measured | the way in the last 10 µs: what is held in contact has a velocity, synchronised, that it does not move with |
//! | Source | [Chung2011, test 3] |

use super::Effort;
use super::report::{Point, Series, Study};
use super::scene_run::run_scene;

/// A small sphere above a wall.
pub const SPHERE: &str = r#"
format = 1
title = "A sphere hits a wall"
[time]
end = 4e-4
[contact]
thickness = 2.5e-5
[[body]]
name = "sphere"
shape.points = { positions = [[0.0, 0.0, 0.0]] }
material.points = { mass = 2.617_994e-4 }
contact.radius = 0.0025
position = [0.3, -0.1, 0.0035]
velocity = [0.0, 0.0, -3.9]
[[body]]
name = "wall"
obstacle = true
shape.grid = { size = [2.0, 2.0], cells = [1, 1], pattern = "right" }
"#;

const SPEED: f64 = 3.9;

/// The default step, as marked on the plot.
const DEFAULT_STEP_S: f64 = 2e-7;

/// Tolerance of a ratio of velocities.
const TOLERANCE: f64 = 0.005;

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let ratios: &[f64] = if quick { &[0.0, 0.2] } else { &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0] };
    let steps: &[Option<f64>] = if quick { &[None] } else { &[Some(1.6e-6), Some(8e-7), Some(4e-7), None] };
    let series = |&e: &f64| Series {
        what: format!("velocity after over before, e = {e}"),
        expected: e,
        tolerance: Some(if e == 0.0 { TOLERANCE } else { TOLERANCE / e }),
        order: None,
        points: steps.iter().map(|&step| after(e, step)).collect(),
    };
    vec![Study {
        title: "Restitution",
        setting: "A sphere of radius 2.5 mm and 262 mg hits a wall at 3.9 m/s; layers 25 µm thick. The last step of the first layer is the one chosen by \
                  default; those before are longer, with the stiffness that goes with them. A ratio may be off by 0.005."
            .into(),
        source: "velocity after over velocity before is e; Chung and Ooi 2011, test 3",
        size: "step of the first layer, s",
        series: ratios.iter().map(series).collect(),
    }]
}

/// Speed after over that before, with a step of the first layer, in s, or the one by default.
fn after(restitution: f64, step_s: Option<f64>) -> Point {
    let mut heights = Vec::new();
    let mut settings = vec![format!("contact.restitution={restitution:?}")];
    settings.extend(step_s.map(|step| format!("contact.step={step:e}")));
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    run_scene(SPHERE, &settings, 40, |reading| heights.push(reading.positions[0].z));
    Point {
        mesh: step_s.map_or("step by default".into(), |step| format!("step {:.1} µs", 1e6 * step)),
        size: step_s.unwrap_or(DEFAULT_STEP_S),
        ours: (heights[40] - heights[39]) / 1e-5 / SPEED,
    }
}
