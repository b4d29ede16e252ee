//! Friction against textbooks.
//!
//! | | |
//! | --- | --- |
//! | Incline | slope 1 in 2: sticks for μ ≥ 1/2, else slides with `a = g (sin − μ cos)`; setting of the IPC and rigid-IPC scenes "high-school physics" |
//! | Stop | a block sliding at v on a level plane stops after `s = v²/(2μg)`, `t = v/(μg)` |
//! | Roll | a sphere set down sliding at v without spin rolls at 5/7 v, after `2v/(7μg)` |

use carom_engine::Reading;
use carom_math::Vec3;

use super::Effort;
use super::report::{Point, Series, Study};
use super::restitution::SPHERE;
use super::scene_run::{run_scene, run_scene_from};

const INCLINE: &str = include_str!("../../../../scenes/incline.toml");

/// Side of the block of the scene, in m.
const SIDE: f64 = 0.1;

/// The far corner of the block.
const CORNER: usize = 26;

/// One step for all, in s: that of the scene is in the middle.
const STEPS: [f64; 3] = [2e-4, 1e-4, 5e-5];

fn steps(effort: Effort) -> &'static [f64] {
    if effort == Effort::Quick { &STEPS[1..2] } else { &STEPS }
}

/// The scene with other friction and another step.
fn settings(friction: f64, step_s: f64) -> [String; 3] {
    [
        format!("contact.friction={friction:?}"),
        format!("clocks.step={step_s:e}"),
        format!("contact.step={step_s:e}"),
    ]
}

fn refined(what: &str, expected: f64, tolerance: Option<f64>, ours: &[(f64, f64)]) -> Series {
    let point = |&(step_s, ours): &(f64, f64)| Point {
        mesh: format!("step {} ms", 1e3 * step_s),
        size: step_s,
        ours,
    };
    Series { what: what.into(), expected, tolerance, order: None, points: ours.iter().map(point).collect() }
}

/// Motion of the far corner of the block.
struct Slope {
    /// Creep, in sides of the block per second.
    creep: f64,
    /// The same for a block that starts where the first came to rest, with next to the least friction that holds it, and with the least.
    creep_next_to_the_least: f64,
    creep_at_the_least: f64,
    /// Acceleration in m/s², with too little friction.
    acceleration: f64,
}

pub fn incline(effort: Effort) -> Vec<Study> {
    let seen: Vec<(f64, Slope)> = steps(effort).iter().map(|&step_s| (step_s, slope(step_s))).collect();
    let read = |of: fn(&Slope) -> f64| -> Vec<(f64, f64)> { seen.iter().map(|(s, x)| (*s, of(x))).collect() };
    vec![Study {
        title: "A block on a slope of 1 in 2",
        setting: "The scene `incline`: a block of 10 cm lands, with friction as given, on one step for all. Creep is the way of a corner in the last half of 2 s, in \
                  sides of the block per second. Near 0.5 little would stop a block that moves, so there it starts at rest, in contact, where the block with 0.505 \
                  stopped. It is no rigid block: as its stresses find another balance it picks up a speed of some 0.1 mm/s, which 0.50002 takes away within a second and exactly 0.5 \
                  neither takes nor adds to; that line is not judged. Acceleration is that between 1 and 2 s."
            .into(),
        source: "sticks for μ ≥ 0.5; a = g (sin − μ cos) = 0.0877433 m/s²; scenes \"high-school physics\" of IPC and rigid IPC",
        size: "step, s",
        series: vec![
            refined("creep, μ = 0.505", 0.0, Some(1e-6), &read(|s| s.creep)),
            refined("creep, μ = 0.50002, from rest", 0.0, Some(1e-6), &read(|s| s.creep_next_to_the_least)),
            refined("creep, μ = 0.5, from rest", 0.0, None, &read(|s| s.creep_at_the_least)),
            refined("acceleration in m/s², μ = 0.49", 0.087_743_3, Some(0.01), &read(|s| s.acceleration)),
        ],
    }]
}

fn slope(step_s: f64) -> Slope {
    let with = |friction: f64, from: Option<Vec<Vec3>>| {
        let (mut seen, mut last) = (Vec::new(), Vec::new());
        let settings = settings(friction, step_s);
        let settings = settings.each_ref().map(String::as_str);
        let see = |reading: &Reading| {
            seen.push(reading.positions[CORNER]);
            last.clone_from(&reading.positions);
        };
        match from {
            None => run_scene(INCLINE, &settings, 40, see),
            Some(places) => run_scene_from(INCLINE, &settings, places, 40, see),
        };
        (seen, last)
    };
    // Over the last half second, in sides of the block per second.
    let creep = |x: &[Vec3]| (x[40] - x[30]).length() / 0.5 / SIDE;
    let (stuck, places) = with(0.505, None);
    let slid = with(0.49, None).0;
    Slope {
        creep: creep(&stuck),
        creep_next_to_the_least: creep(&with(0.500_02, Some(places.clone())).0),
        creep_at_the_least: creep(&with(0.5, Some(places)).0),
        // Second differences over 0.5 s, past the landing.
        acceleration: (slid[40].x - 2.0 * slid[30].x + slid[20].x) / 0.25,
    }
}

pub fn stop(effort: Effort) -> Vec<Study> {
    let seen: Vec<(f64, [f64; 2])> = steps(effort).iter().map(|&step_s| (step_s, slide(step_s))).collect();
    let read = |i: usize| -> Vec<(f64, f64)> { seen.iter().map(|(s, x)| (*s, x[i])).collect() };
    vec![Study {
        title: "A sliding block stops",
        setting: "The block of `incline` on a level plane, set down at 3 m/s with friction 0.3, on one step for all.".into(),
        source: "s = v²/(2μg), t = v/(μg); textbook",
        size: "step, s",
        series: vec![
            refined("distance in m", 1.529_05, Some(0.01), &read(0)),
            refined("time in s", 1.019_37, Some(0.01), &read(1)),
        ],
    }]
}

/// Distance until the block stops, in m, and the time, in s.
fn slide(step_s: f64) -> [f64; 2] {
    let [friction, clocks, contact] = settings(0.3, step_s);
    let settings = [
        friction.as_str(),
        clocks.as_str(),
        contact.as_str(),
        "gravity.acceleration=[0.0, 0.0, -9.81]",
        "body.0.position=[-1.9, 0.5, 0.05201]",
        "body.0.velocity=[3.0, 0.0, 0.0]",
    ];
    let (mut first, mut last, mut stopped) = (None, 0.0, 2.0_f64);
    run_scene(INCLINE, &settings, 4000, |reading| {
        let x = reading.positions[CORNER].x;
        last = x - *first.get_or_insert(x);
        // The block has 1 kg, and may ring on.
        if reading.momentum.x > 5e-3 {
            stopped = reading.time_s;
        }
    });
    [last, stopped]
}

pub fn roll(_: Effort) -> Vec<Study> {
    let alone = |what: &str, expected: f64, ours: f64| Series::alone(what, expected, 0.01, "1 sphere", ours);
    let settings = [
        "time.end=0.5",
        "clocks.step=1e-4",
        "contact.friction=0.2",
        "contact.restitution=0.0",
        "contact.thickness=1e-4",
        "contact.step=1e-4",
        "body.0.contact.radius=0.05",
        "body.0.position=[-0.8, 0.5, 0.05010001]",
        "body.0.velocity=[1.0, 0.0, 0.0]",
    ];
    let text = SPHERE.replace("[contact]", "[gravity]\nacceleration = [0.0, 0.0, -9.81]\n[contact]");
    let (mut last, mut rolls) = (Vec3::ZERO, 0.0);
    run_scene(&text, &settings, 5000, |reading| {
        let slip = reading.velocities[0].x - 0.05 * reading.velocities[SPIN_OF_SPHERE].y;
        if slip > 1e-3 {
            rolls = reading.time_s;
        }
        last = reading.velocities[0];
    });
    vec![Study {
        title: "A sliding sphere begins to roll",
        setting: "A sphere of radius 5 cm is set down on a plane at 1 m/s without spin, with friction 0.2."
            .into(),
        source: "it rolls at 5/7 of its speed, from 2v/(7μg) on",
        size: "",
        series: vec![
            alone("speed in m/s", 5.0 / 7.0, last.x),
            alone("rolls after, in s", 2.0 / (7.0 * 0.2 * 9.81), rolls),
        ],
    }]
}

/// The sphere and the four corners of the wall come first.
const SPIN_OF_SPHERE: usize = 5;
