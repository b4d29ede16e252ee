//! A rope round a fixed post: Euler and Eytelwein.
//!
//! | | |
//! | --- | --- |
//! | Setting | a string of radius 0.5 mm over a post of 5 cm, μ = 0.2; 1 N at one end, the other pulled at a steady 7.4 cm/s |
//! | Formula | `T₁/T₂ = exp(μφ)`, φ the angle on the post |
//! | Measured | `T₁`: work of the pull over its way, in the second half of 0.3 s |
//! | Source | Euler–Eytelwein |

use std::f64::consts::PI;
use std::fmt::Write as _;

use super::Effort;
use super::report::{Point, Series, Study};
use super::scene_run::run_scene_with_files;

const RADIUS: f64 = 0.05;
const THICKNESS: f64 = 5e-4;
const FRICTION: f64 = 0.2;
const SAMPLES: u64 = 600;
/// How far the rope is pulled, in m, and from when to when, in s.
const WAY: f64 = 0.02;
const TIMES: [f64; 2] = [0.03, 0.3];

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let (edges, tolerance): (&[usize], f64) = if quick { (&[16], 0.06) } else { (&[32, 64], 0.03) };
    let series = |half_turns: u32| {
        let angle = f64::from(half_turns) * PI;
        Series {
            what: format!("pull over load, {half_turns} half turns"),
            expected: (FRICTION * angle).exp(),
            tolerance: Some(tolerance),
            order: None,
            points: edges
                .iter()
                .map(|&n| Point {
                    mesh: format!("{n} edges in a half turn"),
                    size: 1.0 / n as f64,
                    ours: pull(n, half_turns),
                })
                .collect(),
        }
    };
    let half_turns = if quick { 1..=1 } else { 1..=2 };
    vec![Study {
        title: "A rope round a post",
        setting: "A string of radius 0.5 mm, EA = 100 N and 16 g/m on a post of radius 5 cm in edges of 2.5 mm, η₁ = 0.5 mm, μ = 0.2; 1 N at one \
                  end, the other pulled by 2 cm in 0.27 s. Contact and steps by default, damping 1 ms."
            .into(),
        source: "Euler–Eytelwein: exp(μφ)",
        size: "edge over half a turn",
        series: half_turns.map(series).collect(),
    }]
}

/// The string as an OBJ file: down one side, round the post, off the other; a full revolution climbs by 6 mm, clear of itself.
fn rope(edges: usize, half_turns: u32) -> (String, usize) {
    let turn = PI / edges as f64;
    // Its edges, not its vertices, are clear of the layers.
    let radius = (RADIUS + THICKNESS + 1.001 * THICKNESS) / (0.5 * turn).cos();
    let (edge, tail) = (radius * turn, (0.06 / (radius * turn)) as usize);
    let climb = 0.006 * turn / (2.0 * PI);
    let around = edges * half_turns as usize;
    let mut text = String::new();
    let mut add = |x: f64, y: f64, z: f64| writeln!(text, "v {x} {y} {z}").expect("a string takes all");
    (1..=tail).rev().for_each(|i| add(-radius, 0.0, -(i as f64) * edge));
    for i in 0..=around {
        let angle = PI - turn * i as f64;
        add(radius * angle.cos(), climb * i as f64, radius * angle.sin());
    }
    let side = if half_turns % 2 == 1 { 1.0 } else { -1.0 };
    let y = climb * around as f64;
    (1..=tail).for_each(|i| add(side * radius, y, -side * i as f64 * edge));
    let count = 2 * tail + around + 1;
    text.push('l');
    (1..=count).for_each(|i| write!(text, " {i}").expect("a string takes all"));
    text.push('\n');
    (text, count)
}

fn pull(edges: usize, half_turns: u32) -> f64 {
    let (rope, count) = rope(edges, half_turns);
    let down = if half_turns % 2 == 1 { -WAY } else { WAY };
    let [from, to] = TIMES;
    let text = format!(
        r#"
        format = 1
        time.end = {to}

        [contact]
        thickness = {THICKNESS}
        friction = {FRICTION}
        speed = 0.2

        [[body]]
        name = "rope"
        shape.mesh = {{ file = "rope.obj" }}
        material.rod = {{ radius = 5e-4, young = 1.2732e8, density = 20000.0, bend = false, damping = 1e-3 }}

        [[body]]
        name = "post"
        obstacle = true
        shape.tube = {{ radius = {RADIUS}, height = 0.04, edge = 0.0025 }}
        rotation = {{ axis = [1.0, 0.0, 0.0], degrees = 90.0 }}

        [[load]]
        body = "rope"
        select.index = 0
        force = [0.0, 0.0, -1.0]

        [[drive]]
        body = "rope"
        select.index = {last}
        keys = [{{ time = {from} }}, {{ time = {to}, shift = [0.0, 0.0, {down}] }}]
        "#,
        last = count - 1
    );
    let mut works = Vec::new();
    run_scene_with_files(&text, [("rope.obj", rope)], &[], SAMPLES, |reading| works.push(reading.work_j));
    let (middle, end) = (works.len() / 2, works.len() - 1);
    let speed = WAY / (to - from);
    (works[end] - works[middle]) / (speed * 0.5 * to)
}
