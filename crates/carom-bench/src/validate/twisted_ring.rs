//! A ring of wire with twist, and the twist at which it buckles.
//!
//! | | |
//! | --- | --- |
//! | Setting | a round rod, straight by nature, bent to a ring of 16, 32 and 64 edges, its ends turned against each other by `Φ` before they were joined; displaced out of its plane by 1e-5 of its radius in the mode `cos 2φ` |
//! | Formula | `Φ = 2π√3 B/C`: the flat ring loses its stability, in the mode with two waves |
//! | Measured | the growth rate `σ` of that mode at twists above `Φ`; `σ²` extrapolated to zero |
//! | Source | Michell 1889; [Goriely2006, abstract] |
//!
//! Near the threshold `σ²` is smooth in the twist, so two rates above it and a straight line in `Φ²` find where it vanishes: first from
//! afar, then from near. Below, the same displacement does not grow, which is a test of its own.

use core::f64::consts::TAU;

use carom_elastic::{RodBend, RodJoint, Spring};
use carom_math::Vec3;
use carom_model::{Part, SystemBuilder};

use super::Effort;
use super::recording::{Recording, RecordingOptions, owner, record};
use super::report::{Point, Series, Study};

const RADIUS: f64 = 0.1;
const WIRE_RADIUS: f64 = 2e-3;
const YOUNG: f64 = 2e11;
const POISSON: f64 = 0.3;
const DENSITY: f64 = 7850.0;
const AREA: f64 = core::f64::consts::PI * WIRE_RADIUS * WIRE_RADIUS;

/// The displacement at the start, as a share of the radius.
const DISPLACED: f64 = 1e-5;

/// Twists at which growth is measured, over the threshold as well as it is known: first from afar, then from near.
const ABOVE: [[f64; 2]; 3] = [[1.2, 1.25], [1.06, 1.1], [1.03, 1.05]];

/// How much the amplitude has grown where the slope of its logarithm is taken: no longer a mixture of modes, and still small.
const GROWN: [f64; 2] = [8.0, 400.0];

/// How long a run is, in units of the rate of bending waves around the ring.
const LONG: f64 = 20.0;

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let edges: &[u32] = if quick { &[16] } else { &[16, 32, 64] };
    let points = |measure: &dyn Fn(u32) -> f64| {
        let point =
            |&n: &u32| Point { mesh: format!("{n} edges"), size: 1.0 / f64::from(n), ours: measure(n) };
        edges.iter().map(point).collect()
    };
    let threshold = Series {
        what: "total twist at the threshold, in turns".into(),
        expected: threshold_turns(),
        tolerance: Some(if quick { 0.15 } else { 0.03 }),
        order: (!quick).then_some(2.0),
        points: points(&found_threshold_turns),
    };
    vec![Study {
        title: "A twisted ring",
        setting: "A round rod, straight by nature, closed to a ring (radius of the section 1/50 of the ring's) with twist, ν = 0.3. \
                  A displacement of 1e-5 of the radius in the mode cos 2φ out of the plane; growth rates at 1.03 and 1.05 of the \
                  threshold, their squares extrapolated to zero over the square of the twist."
            .into(),
        source: "2π√3 B/C: Michell 1889; Goriely 2006",
        size: "edge over circumference",
        series: vec![threshold],
    }]
}

/// `√3 B/C`, in revolutions.
fn threshold_turns() -> f64 {
    3.0_f64.sqrt() * bending() / RodJoint::twisting_of_round(YOUNG, POISSON, WIRE_RADIUS)
}

fn bending() -> f64 {
    RodBend::stiffness_of_round(YOUNG, WIRE_RADIUS)
}

/// Rate of bending waves around the ring, `√(B/ρA R⁴)`, in rad/s.
fn rate() -> f64 {
    (bending() / (DENSITY * AREA)).sqrt() / (RADIUS * RADIUS)
}

fn found_threshold_turns(edges: u32) -> f64 {
    ABOVE.iter().fold(threshold_turns(), |near, shares| {
        let [a, b] = shares.map(|share| share * near);
        let [low, high] = [a, b].map(|turns| growth_rate(edges, turns).powi(2));
        (a * a - low * (b * b - a * a) / (high - low)).sqrt()
    })
}

/// Growth rate of the amplitude, in 1/s.
fn growth_rate(edges: u32, turns: f64) -> f64 {
    let Recording { times, channels } = watch(edges, turns);
    let amplitude = &channels[0];
    let reaches = |share: f64| amplitude.iter().position(|a| *a > share * amplitude[0]);
    let first = reaches(GROWN[0]).unwrap_or_else(|| panic!("{edges} edges with {turns} turns do not buckle"));
    let last = reaches(GROWN[1]).unwrap_or(amplitude.len() - 1);
    (amplitude[last] / amplitude[first]).ln() / (times[last] - times[first])
}

/// The amplitude of the mode with two waves.
fn watch(edges: u32, turns: f64) -> Recording {
    record(ring(edges, turns), &RecordingOptions::new(LONG / rate(), 300), |probed| {
        let part = |phase: f64| -> f64 {
            (0..edges).map(|i| probed.position(i).z * (2.0 * angle(edges, i) - phase).cos()).sum::<f64>()
        };
        vec![part(0.0).hypot(part(0.25 * TAU)) * 2.0 / f64::from(edges)]
    })
}

fn angle(edges: u32, i: u32) -> f64 {
    TAU * f64::from(i) / f64::from(edges)
}

fn ring(edges: u32, turns: f64) -> SystemBuilder {
    let place = |i: u32| {
        let a = angle(edges, i);
        Vec3::new(a.cos(), a.sin(), DISPLACED * (2.0 * a).cos()) * RADIUS
    };
    let edge = 2.0 * RADIUS * (0.5 * angle(edges, 1)).sin();
    let mut builder = SystemBuilder::new();
    for i in 0..edges {
        builder.vertex(place(i), Vec3::ZERO, DENSITY * AREA * edge);
    }
    let inertia = RodJoint::inertia_of_round(DENSITY, WIRE_RADIUS, edge);
    let twist = TAU * turns;
    let angles: Vec<u32> =
        (0..edges).map(|i| builder.twist(twist * f64::from(i) / f64::from(edges), 0.0, inertia)).collect();
    for i in 0..edges {
        let next = (i + 1) % edges;
        builder.add(Spring::of_rod(YOUNG, AREA, edge), [i, next], owner(Part::Edge(i)), edge);
        let places = [i, next, (i + 2) % edges];
        // Once around, the frames have rotated by the whole twist.
        let closing = if next == 0 { twist } else { 0.0 };
        let memory =
            RodJoint::first_memory(&places.map(place), Vec3::Z, closing).expect("edges have a direction");
        let [t0, t1, d0, d1, r] = memory.map(|m| builder.memory(m));
        let joint = RodJoint {
            bend: bending() / edge,
            twist: RodJoint::twisting_of_round(YOUNG, POISSON, WIRE_RADIUS) / edge,
            rest_curvature: 0.0,
        };
        let [a, b, c] = places;
        let stencil = [a, b, c, angles[i as usize], angles[next as usize], t0, t1, d0, d1, r];
        builder.add(joint, stencil, owner(Part::Vertex(b)), edge);
    }
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coarse_ring_buckles_near_the_threshold_and_not_below_it() {
        for study in studies(Effort::Quick) {
            assert!(study.passed(), "{study:?}");
        }
        let recording = watch(16, 0.97 * threshold_turns());
        let largest = recording.channels[0].iter().copied().fold(0.0, f64::max);
        assert!(largest < 5.0 * recording.channels[0][0], "{largest:e}");
    }
}
