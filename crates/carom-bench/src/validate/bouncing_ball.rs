//! A ball bounces on a plane: for ever if nothing is lost, and until a time that the restitution sets.
//!
//! | | |
//! | --- | --- |
//! | Setting | the sphere of `restitution.rs` falls from h = 1 m under 9.81 m/s² |
//! | Formula | peak n is `h e^(2n)`; all bounces end at `√(2h/g) (1 + e)/(1 − e)`; with e = 1 the energy stays |
//! | Measured | e = 1: energy in flight, at the peaks of 10⁴ bounces: the largest stray, and the drift of a straight line through all; e = 0.8: heights of peaks, and the last time it is 20 µm from rest |
//! | Source | textbook |
//!
//! The error is not a random walk: with the bounce resolved by both clocks the energy stays in a band that narrows with the square of the
//! step.
//! (Layers of 1 mm and a gravity that fires every 2.5 µs do as well, at forty times the kicks.)

use carom_engine::Reading;

use super::Effort;
use super::report::{Point, Series, Study};
use super::restitution::SPHERE;
use super::scene_run::run_scene;

const GRAVITY: f64 = 9.81;
const HEIGHT: f64 = 1.0;

/// Of the ball that bounces for ever. A bounce then lasts some 40 ms, which steps of 1 ms resolve.
const THICKNESS: f64 = 0.1;

/// Step of gravity over that of the first layer.
const GRAVITY_STEPS: f64 = 4.0;

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    vec![for_ever(if quick { 50 } else { 10_000 }, quick), until_rest()]
}

fn scene() -> String {
    SPHERE.replace("[contact]", "[gravity]\nacceleration = [0.0, 0.0, -9.81]\n[contact]")
}

fn for_ever(bounces: u64, quick: bool) -> Study {
    let steps: &[f64] = if quick { &[1.25e-4] } else { &[5e-4, 2.5e-4, 1.25e-4] };
    let kept: Vec<[f64; 2]> = steps.iter().map(|&step| bounce(bounces, step)).collect();
    let series = |what: &str, i: usize| Series {
        what: what.into(),
        expected: 0.0,
        tolerance: Some(1e-6),
        order: None,
        points: steps
            .iter()
            .zip(&kept)
            .map(|(&step, kept)| Point {
                mesh: format!("step {:.1} µs", 1e6 * step),
                size: step,
                ours: kept[i],
            })
            .collect(),
    };
    Study {
        title: "A ball that bounces for ever",
        setting: format!(
            "A sphere of radius 2.5 mm and 262 mg falls from 1 m and bounces {bounces} times without loss; layers 0.1 m thick, gravity on \
             steps {GRAVITY_STEPS} times those of the first layer. Energies are read once a bounce, in flight, over m g h."
        ),
        source: "energy is constant; textbook",
        size: "step of the first layer, s",
        series: vec![series("largest stray of energy", 0), series("drift of energy from first to last", 1)],
    }
}

/// Largest stray of the energy and its drift, over the first, with a step of the first layer in s.
fn bounce(bounces: u64, step_s: f64) -> [f64; 2] {
    let flight_s = 2.0 * (2.0 * HEIGHT / GRAVITY).sqrt();
    let end_s = flight_s * bounces as f64;
    let settings = [
        format!("time.end={end_s:e}"),
        format!("clocks.step={:e}", GRAVITY_STEPS * step_s),
        format!("contact.step={step_s:e}"),
        format!("contact.thickness={THICKNESS:e}"),
        format!("body.0.position=[0.3, -0.1, {}]", HEIGHT + 0.0025 + THICKNESS),
        "body.0.velocity=[0.0, 0.0, 0.0]".into(),
    ];
    let mut energies = Vec::new();
    run_scene(&scene(), &settings.each_ref().map(String::as_str), bounces, |reading: &Reading| {
        let is_in_flight = *reading.potential_j.last().expect("contact is the last kind") == 0.0;
        energies.extend(is_in_flight.then(|| reading.total_j()));
    });
    let weight_j = 2.617_994e-4 * GRAVITY * HEIGHT;
    let largest = energies.iter().map(|e| (e - energies[0]).abs()).fold(0.0, f64::max);
    [largest / weight_j, drift(&energies) / weight_j]
}

/// Rise of the straight line through evenly spaced values, from first to last.
fn drift(values: &[f64]) -> f64 {
    let last = (values.len() - 1) as f64;
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let (mut above, mut below) = (0.0, 0.0);
    for (i, value) in values.iter().enumerate() {
        let x = i as f64 / last - 0.5;
        above += x * (value - mean);
        below += x * x;
    }
    above / below
}

fn until_rest() -> Study {
    let settings = [
        "time.end=4.2",
        "clocks.step=1e-4",
        "contact.restitution=0.8",
        "contact.thickness=1e-4",
        "body.0.position=[0.3, -0.1, 1.0026]",
        "body.0.velocity=[0.0, 0.0, 0.0]",
    ];
    let (mut heights, mut times) = (Vec::new(), Vec::new());
    run_scene(&scene(), &settings, 42_000, |reading: &Reading| {
        heights.push(reading.positions[0].z - 0.0026);
        times.push(reading.time_s);
    });
    let peaks: Vec<f64> =
        heights.windows(3).filter(|w| w[1] > w[0] && w[1] >= w[2] && w[1] > 1e-3).map(|w| w[1]).collect();
    let mut late = times.iter().zip(&heights).filter(|(_, h)| h.abs() > 2e-5).map(|(t, _)| *t);
    let alone = |what: &str, expected: f64, ours: f64| Series::alone(what, expected, 0.01, "1 sphere", ours);
    Study {
        title: "A bouncing ball comes to rest",
        setting: "The sphere falls from 1 m with restitution 0.8; layers 0.1 mm thick. It has come to rest when it stays within 20 µm.".into(),
        source: "peak n is h e^(2n); all bounces end at √(2h/g) (1 + e)/(1 − e)",
        size: "",
        series: vec![
            alone("height of peak 5 in m", 0.107_374, peaks.get(4).copied().unwrap_or(0.0)),
            alone("time until rest in s", 4.063_71, late.next_back().unwrap_or(0.0)),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drift_of_a_line_is_its_rise_and_that_of_an_oscillation_small() {
        let line: Vec<f64> = (0..=100).map(|i| 3.0 + 0.02 * f64::from(i)).collect();
        assert!((drift(&line) - 2.0).abs() < 1e-12);
        let wave: Vec<f64> = (0..=1000).map(|i| f64::from(i % 2)).collect();
        assert!(drift(&wave).abs() < 1e-2);
    }
}
