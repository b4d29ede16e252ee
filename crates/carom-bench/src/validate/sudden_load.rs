//! The tip of a clamped rod under a suddenly applied force.
//!
//! | | |
//! | --- | --- |
//! | Setting | the rod of `cantilever.rs`, at rest; from `t = 0` a constant force `P` pulls at its tip, nothing damps |
//! | Formula | `w(t) = (PL³/3EI) Σ cₙ (1 − cos ωₙt)`, `cₙ = 12/(βₙL)⁴`, `Σcₙ = 1` |
//! | Measured | windowed mean of the tip, and its largest deflection |
//! | Source | textbook; the sum follows from `φₙ(L)² = 4 ∫φₙ²/L` |
//!
//! A single mode swings to twice the static deflection and back. The first mode carries 97.1 % of the
//! tip's motion, and the others are rarely at their own peak when it is at its: in the first period the tip
//! reaches less than 2. The frequencies have no common period, so the peak over a longer time comes arbitrarily close to 2. The series is
//! compared with 2 and with the sum over the same time.
//!
//! **What clocks add.** In equilibrium the joints at a vertex push it by large forces that cancel. On one clock they cancel at
//! every kick, and the mean is the static deflection of the lattice to the last digit. Joints on *different* clocks
//! act at different times, the vertex vibrates, and its mean stiffness is off by a fraction
//! `(hω)²` of the lattice's own frequency `ω`: second order in the step, at every vertex where clocks meet. Here the joint at the clamp
//! is such a neighbour. The second study goes down with the safety factor on one mesh, against that mesh's own
//! static deflection, `n(n − 1)/(n − ½)²` of `PL³/3EI` for `n` edges (`Σ_{k<n} k²` joints times arms).

use core::f64::consts::TAU;

use carom_elastic::Gravity;
use carom_math::Vec3;
use carom_model::Part;

use super::Effort;
use super::cantilever::{LENGTH, Rod, bending_stiffness, omega, root};
use super::recording::{Recording, RecordingOptions, owner, record};
use super::report::{Point, Series, Study};
use super::signal::{mean, peak};

/// Static deflection of the tip, as a share of the length: well in the linear range.
const DEFLECTION: f64 = 1e-4;

/// Modes in the exact sum: the rest carry less than 1e-6 of the motion.
const MODES: u32 = 40;

/// Duration of the recording, in periods of the first mode.
const PERIODS: f64 = 10.0;

/// Samples in one such period: the fourth mode, 34 times faster, still has ten.
const SAMPLES_PER_PERIOD: f64 = 400.0;

pub fn studies(effort: Effort) -> Vec<Study> {
    if effort == Effort::Quick {
        return vec![against_the_beam(&[16], 0.03)];
    }
    vec![against_the_beam(&[16, 32, 64], 0.01), against_the_lattice(16, &[0.6, 0.3, 0.15])]
}

fn against_the_beam(edges: &[u32], tolerance: f64) -> Study {
    let recordings: Vec<Recording> =
        edges.iter().map(|&n| tip(n, RecordingOptions::new(0.0, 0).safety)).collect();
    let exact: Vec<f64> = recordings[0].times.iter().map(|t| exact(*t)).collect();
    let highest =
        |times: &[f64], values: &[f64], samples: usize| peak(&times[..samples], &values[..samples])[1];
    let exact_peak = |samples: usize| highest(&recordings[0].times, &exact, samples);
    let series = |what: &str, expected: f64, read: &dyn Fn(&Recording) -> f64| Series {
        what: what.into(),
        expected,
        tolerance: Some(tolerance),
        order: None,
        points: edges
            .iter()
            .zip(&recordings)
            .map(|(&n, r)| Point { mesh: format!("{n} edges"), size: 1.0 / f64::from(n), ours: read(r) })
            .collect(),
    };
    let (all, one) = (exact.len(), SAMPLES_PER_PERIOD as usize);
    let peak_of = |samples: usize| move |r: &Recording| highest(&r.times, &r.channels[0], samples);
    Study {
        title: "Suddenly loaded cantilever",
        setting: format!(
            "The rod of the modes, at rest, pulled by a constant force at its tip from t = 0; nothing damps it. Deflections over \
             the static one, PL³/3EI = {DEFLECTION:e} L. Windowed mean and peak over {PERIODS} periods of the first mode. Steps by \
             default. The sum over modes is taken over the same time."
        ),
        source: "mean = static, peak = twice static: textbook; the sum over modes: Σ 12/(βₙL)⁴ (1 − cos ωₙt)",
        size: "edge over length",
        series: vec![
            series("mean", 1.0, &|r| mean(&r.channels[0])),
            series("peak, against twice the static", 2.0, &peak_of(all)),
            series("peak, against the sum over modes", exact_peak(all), &peak_of(all)),
            series("peak of the first period, against the sum", exact_peak(one), &peak_of(one)),
        ],
    }
}

fn against_the_lattice(edges: u32, safeties: &[f64]) -> Study {
    let n = f64::from(edges);
    let of_lattice = n * (n - 1.0) / ((n - 0.5) * (n - 0.5));
    let point = |&safety: &f64| Point {
        mesh: format!("{edges} edges, safety {safety}"),
        size: safety,
        ours: mean(&tip(edges, safety).channels[0]),
    };
    Study {
        title: "Suddenly loaded cantilever, and where clocks meet",
        setting: format!(
            "The same rod of {edges} edges with ever shorter steps, against the static deflection of the {edges} edges themselves. The joint \
             at the clamp is on a clock twice as slow as its neighbours': the mean is off in the square of the step."
        ),
        source: "n(n − 1)/(n − ½)² of PL³/3EI: Σ of arm² over the joints",
        size: "safety",
        series: vec![Series {
            what: "mean".into(),
            expected: of_lattice,
            tolerance: Some(1e-3),
            order: Some(2.0),
            points: safeties.iter().map(point).collect(),
        }],
    }
}

/// The tip's deflection over the static one.
fn tip(edges: u32, safety: f64) -> Recording {
    let rod = Rod { edges };
    let force = 3.0 * bending_stiffness() * DEFLECTION / (LENGTH * LENGTH);
    let mut builder = rod.build(|_| 0.0);
    let load = Gravity { mass: 1.0, acceleration: Vec3::Z * force };
    builder.add(load, [rod.tip()], owner(Part::Vertex(rod.tip())), 1.0);
    let first = TAU / omega(root(1));
    let options = RecordingOptions {
        safety,
        ..RecordingOptions::new(PERIODS * first, (PERIODS * SAMPLES_PER_PERIOD) as u64)
    };
    record(builder, &options, |probed| vec![probed.position(rod.tip()).z / (DEFLECTION * LENGTH)])
}

/// The sum over modes at a time, in s.
fn exact(time: f64) -> f64 {
    (1..=MODES).map(root).map(|r| 12.0 / r.powi(4) * (1.0 - (omega(r) * time).cos())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modes_share_the_static_deflection() {
        let shares: f64 = (1..=MODES).map(|n| 12.0 / root(n).powi(4)).sum();
        assert!((shares - 1.0).abs() < 1e-6, "{shares}");
        assert!((12.0 / root(1).powi(4) - 0.9707).abs() < 1e-4);
    }

    #[test]
    fn the_tip_starts_at_rest_and_never_passes_twice_the_static_deflection() {
        assert_eq!(exact(0.0), 0.0);
        let period = TAU / omega(root(1));
        let highest = (0..4000).map(|i| exact(period * f64::from(i) * 0.01)).fold(0.0, f64::max);
        assert!((1.98..2.0).contains(&highest), "{highest}");
    }
}
