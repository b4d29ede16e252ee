//! Newton's cradle: one ball comes, one ball leaves.
//!
//! | | |
//! | --- | --- |
//! | Setting | five equal balls on a line, gaps of twice `η₁` between their surfaces; the first comes at 1 m/s, the others rest |
//! | Formula | equal balls exchange their velocities: the last leaves at 1 m/s, the others rest |
//! | Measured | velocities after the last meeting |
//! | Source | fixture `newtons-cradle` of [Ferguson2021, 2D scenes]; textbook |
//!
//! Balls that all touch would share the blow among three or more at once, whatever the gaps do in theory. With gaps above `η₁` one pair meets at a
//! time, as hard balls do.

use super::Effort;
use super::report::{Point, Series, Study};
use super::scene_run::run_scene;

const BALLS: usize = 5;

const SCENE: &str = r#"
format = 1
[time]
end = 0.12
[contact]
thickness = 1e-3
[[body]]
name = "first"
shape.points = { positions = [[-0.1, 0.0, 0.0]] }
material.points = { mass = 0.1 }
contact.radius = 0.02
velocity = [1.0, 0.0, 0.0]
[[body]]
name = "row"
shape.points = { positions = [[0.0, 0.0, 0.0], [0.042, 0.0, 0.0], [0.084, 0.0, 0.0], [0.126, 0.0, 0.0]] }
material.points = { mass = 0.1 }
contact.radius = 0.02
"#;

pub fn studies(effort: Effort) -> Vec<Study> {
    let finer: &[f64] = if effort == Effort::Quick { &[8.0] } else { &[1.0, 2.0, 4.0, 8.0] };
    let after: Vec<[f64; BALLS]> = finer.iter().map(|&finer| velocities(finer)).collect();
    let series = |ball: usize| Series {
        what: format!("velocity of ball {} after, m/s", ball + 1),
        expected: if ball + 1 == BALLS { 1.0 } else { 0.0 },
        tolerance: Some(1e-5),
        order: None,
        points: finer
            .iter()
            .zip(&after)
            .map(|(&finer, after)| Point {
                mesh: format!("{finer} m/s foreseen"),
                size: 1.0 / finer,
                ours: after[ball],
            })
            .collect(),
    };
    vec![Study {
        title: "Newton's cradle",
        setting: "Five balls of radius 2 cm and 100 g, gaps of 2 mm, η₁ = 1 mm, no weight and no strings; the first comes at 1 m/s. Contact by default, \
                  tuned for 1, 2, 4 and 8 m/s: steps get shorter in proportion."
            .into(),
        source: "equal elastic balls exchange their velocities; fixture `newtons-cradle` of rigid IPC",
        size: "step of contact, over that by default",
        series: (0..BALLS).map(series).collect(),
    }]
}

fn velocities(finer: f64) -> [f64; BALLS] {
    let mut after = [0.0; BALLS];
    run_scene(SCENE, &[&format!("contact.speed={finer:?}")], 1, |reading| {
        after = core::array::from_fn(|ball| reading.velocities[ball].x);
    });
    after
}
