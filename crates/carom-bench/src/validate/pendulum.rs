//! The period of a pendulum at large amplitudes.
//!
//! | | |
//! | --- | --- |
//! | Setting | a point mass on a spring of rest length `L` and stiffness `k` that hangs from a pin; it starts at rest at the angle `a`, the spring stretched by what it carries there |
//! | Formula | `T/T₀ = (2/π) K(sin²(a/2)) = 1/agm(1, cos(a/2))`, `T₀ = 2π√(L/g)` |
//! | Measured | the time between upward zero crossings of the horizontal position |
//! | Source | textbook; 1.03997 at 45°, 1.18034 at 90° |
//!
//! The formula is that of a rod without stretch. The spring stretches by the share `s = mg/(kL)` of
//! its length when it hangs, and the period differs by a few `s`: first order in `s`, and the
//! series goes down with it. The clocks are the default ones.

use core::f64::consts::PI;

use carom_elastic::{Gravity, Spring};
use carom_math::Vec3;
use carom_model::{Axes, Part, SystemBuilder};

use super::Effort;
use super::recording::{RecordingOptions, owner, record};
use super::report::{Point, Series, Study};
use super::signal::period;

const MASS: f64 = 1.0;
const LENGTH: f64 = 1.0;
const GRAVITY: f64 = 9.81;

/// The published values, to check our own arithmetic against.
const AMPLITUDES: [(f64, f64); 2] = [(45.0, 1.03997), (90.0, 1.18034)];

pub fn studies(effort: Effort) -> Vec<Study> {
    let softness: &[f64] = if effort == Effort::Quick { &[1e-4] } else { &[1e-3, 1e-4, 1e-5] };
    let series = |(degrees, expected): (f64, f64)| {
        let points = softness.iter().map(|&s| Point {
            mesh: format!("mg/kL = {s:e}"),
            size: s,
            ours: relative_period(degrees, s),
        });
        Series {
            what: format!("T/T₀ at {degrees}°"),
            expected,
            tolerance: Some(1e-3),
            order: None,
            points: points.collect(),
        }
    };
    vec![Study {
        title: "Pendulum",
        setting: format!(
            "A mass of {MASS} kg on a stiff spring of {LENGTH} m under gravity, released at rest; 5 periods, from zero crossings. \
             Steps by default. The answer is that of a rod without stretch, which the spring approaches as it stiffens."
        ),
        source: "textbook, (2/π) K(sin²(a/2))",
        size: "stretch under its weight, mg/kL",
        series: AMPLITUDES.into_iter().map(series).collect(),
    }]
}

/// `T/T₀` at an amplitude, for a spring that stretches by the share `softness` when it hangs.
fn relative_period(degrees: f64, softness: f64) -> f64 {
    let angle = degrees.to_radians();
    let stiffness = MASS * GRAVITY / (softness * LENGTH);
    let mut builder = SystemBuilder::new();
    let pivot = builder.vertex(Vec3::ZERO, Vec3::ZERO, MASS);
    builder.pin(pivot, Axes::ALL);
    let length = LENGTH * (1.0 + softness * angle.cos());
    let bob = builder.vertex(Vec3::new(angle.sin(), 0.0, -angle.cos()) * length, Vec3::ZERO, MASS);
    let spring = Spring { stiffness, rest_length: LENGTH };
    builder.add(spring, [pivot, bob], owner(Part::Edge(0)), LENGTH);
    let weight = Gravity { mass: MASS, acceleration: Vec3::new(0.0, 0.0, -GRAVITY) };
    builder.add(weight, [bob], owner(Part::Vertex(bob)), 1.0);

    let small = 2.0 * PI * (LENGTH / GRAVITY).sqrt();
    let options = RecordingOptions::new(6.5 * small * exact(degrees), 4000);
    let recording = record(builder, &options, |probed| vec![probed.position(bob).x]);
    period(&recording.times, &recording.channels[0]) / small
}

/// `1/agm(1, cos(a/2))`.
fn exact(degrees: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * degrees.to_radians()).cos());
    for _ in 0..6 {
        (a, b) = (f64::midpoint(a, b), (a * b).sqrt());
    }
    1.0 / a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_ratios_are_those_of_the_elliptic_integral() {
        for (degrees, published) in AMPLITUDES {
            assert!((exact(degrees) - published).abs() < 5e-6);
        }
    }
}
