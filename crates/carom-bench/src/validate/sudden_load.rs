//! The tip of a clamped rod under a force that is suddenly there.
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
//! reaches less than 2. The frequencies have no common period, so the peak over a longer time comes as close to 2
//! as one likes to wait. The series is compared with 2 and with the sum over the same time.

use core::f64::consts::TAU;

use carom_elastic::Gravity;
use carom_math::Vec3;
use carom_model::Part;

use super::Effort;
use super::cantilever::{LENGTH, Rod, bending_stiffness, omega, root};
use super::report::{Point, Series, Study};
use super::rig::{Recording, Take, owner, record};
use super::signal::{mean, peak};

/// Static deflection of the tip, as a share of the length: well in the linear range.
const DEFLECTION: f64 = 1e-4;

/// Modes in the exact sum: the next one carries 1e-6 of the motion.
const MODES: u32 = 16;

/// How long to watch, in periods of the first mode.
const PERIODS: f64 = 10.0;

/// Samples in one such period: the fourth mode, 34 times faster, still has ten.
const SAMPLES_PER_PERIOD: f64 = 400.0;

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let edges: &[u32] = if quick { &[16] } else { &[16, 32, 64] };
    let periods = |share: f64| (SAMPLES_PER_PERIOD * PERIODS * share) as usize;
    let recordings: Vec<Recording> = edges.iter().map(|&n| tip(n)).collect();
    let exact: Vec<f64> = recordings[0].times.iter().map(|t| exact(*t)).collect();
    let highest =
        |times: &[f64], values: &[f64], samples: usize| peak(&times[..samples], &values[..samples])[1];
    let exact_peak = |samples: usize| highest(&recordings[0].times, &exact, samples);
    let series = |what: &str, expected: f64, tolerance: f64, read: &dyn Fn(&Recording) -> f64| Series {
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
    let (all, one) = (periods(1.0), periods(1.0 / PERIODS));
    let tolerance = if quick { 0.03 } else { 0.01 };
    let peak_of = |samples: usize| move |r: &Recording| highest(&r.times, &r.channels[0], samples);
    vec![Study {
        title: "Suddenly loaded cantilever",
        setting: format!(
            "The rod of the modes, at rest, pulled by a constant force at its tip from t = 0; nothing damps it. Deflections over \
             the static one, PL³/3EI = {DEFLECTION:e} L. Windowed mean and peak over {PERIODS} periods of the first mode, safety 0.6. \
             The sum over modes is taken over the same time."
        ),
        source: "mean = static, peak = twice static: textbook; the sum over modes: Σ 12/(βₙL)⁴ (1 − cos ωₙt)",
        series: vec![
            series("mean", 1.0, tolerance, &|r| mean(&r.channels[0])),
            series("peak, against twice the static", 2.0, tolerance, &peak_of(all)),
            series("peak, against the sum over modes", exact_peak(all), tolerance, &peak_of(all)),
            series("peak of the first period, against the sum", exact_peak(one), tolerance, &peak_of(one)),
        ],
    }]
}

/// The tip's deflection over the static one.
fn tip(edges: u32) -> Recording {
    let rod = Rod { edges };
    let force = 3.0 * bending_stiffness() * DEFLECTION / (LENGTH * LENGTH);
    let mut builder = rod.build(|_| 0.0);
    let load = Gravity { mass: 1.0, acceleration: Vec3::Z * force };
    builder.add(load, [rod.tip()], owner(Part::Vertex(rod.tip())), 1.0);
    let first = TAU / omega(root(1));
    let take = Take { safety: 0.6, ..Take::new(PERIODS * first, (PERIODS * SAMPLES_PER_PERIOD) as u64) };
    record(builder, &take, |glance| vec![glance.position(rod.tip()).z / (DEFLECTION * LENGTH)])
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
        assert!((shares - 1.0).abs() < 1e-5, "{shares}");
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
