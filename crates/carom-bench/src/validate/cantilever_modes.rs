//! The first three frequencies of a clamped rod.
//!
//! | | |
//! | --- | --- |
//! | Setting | rod of stretch and bend, 16, 32 and 64 edges, the first edge pinned; see `cantilever.rs` for where that clamps it |
//! | Formula | `ωₙ = (βₙL)² √(EI/(ρAL⁴))`, `βₙL` = 1.8751, 4.69409, 7.85476 |
//! | Measured | all three modes start with a small velocity of their shape; each is read as the mass-weighted product with its shape, and its frequency is the maximum of the windowed spectrum of that |
//! | Source | textbook |
//!
//! The table gives `(βL)² = ω/√(EI/(ρAL⁴))`: a relative error is one of frequency.
//!
//! Safety is 0.1 here: where joints on different clocks meet, steps of the default length shift frequencies by some 1e-4
//! (see `sudden_load.rs`), which is more than the error of the finest mesh in the first mode.

use super::Effort;
use super::cantilever::{LENGTH, Rod, omega, root, shape};
use super::recording::{RecordingOptions, record};
use super::report::{Point, Series, Study};
use super::signal::Spectrum;

/// Published `βL`.
const ROOTS: [f64; 3] = [1.8751, 4.69409, 7.85476];

/// Deflection of the tip in each mode, as a share of the length: stretch enters with its square.
const AMPLITUDE: f64 = 1e-5;

pub fn studies(effort: Effort) -> Vec<Study> {
    let quick = effort == Effort::Quick;
    let edges: &[u32] = if quick { &[16] } else { &[16, 32, 64] };
    let measured: Vec<[f64; 3]> = edges.iter().map(|&n| frequencies(n)).collect();
    let point = |mode: usize, i: usize, length: f64| Point {
        mesh: format!("{} edges", edges[i]),
        size: 1.0 / f64::from(edges[i]),
        ours: measured[i][mode] * length * length,
    };
    let judged = |mode: usize| Series {
        what: format!("(βL)², mode {}", mode + 1),
        expected: ROOTS[mode] * ROOTS[mode],
        tolerance: Some(if quick { 0.05 } else { 0.01 }),
        order: (!quick).then_some(2.0),
        points: (0..edges.len()).map(|i| point(mode, i, 1.0)).collect(),
    };
    // The same runs with the length that a hasty reader would take.
    let hasty = |i: usize| 1.0 - 0.5 * Rod { edges: edges[i] }.edge() / LENGTH;
    let misread = Series {
        what: "mode 1, length counted from the second pinned vertex".into(),
        expected: ROOTS[0] * ROOTS[0],
        tolerance: None,
        order: None,
        points: (0..edges.len()).map(|i| point(0, i, hasty(i))).collect(),
    };
    vec![Study {
        title: "Modes of a cantilever",
        setting: "A round rod of stretch and bend, radius 1/50 of its length, its first two vertices pinned: it is clamped in the middle \
                  between them. All three modes at once, amplitudes 1e-5 of the length, each read as the product with its shape; maxima of \
                  the Blackman–Harris spectra over six periods of the first. Safety 0.1. (βL)² is proportional to the frequency."
            .into(),
        source: "Euler–Bernoulli beam, βL = 1.8751, 4.69409, 7.85476; textbook",
        size: "edge over length",
        series: (0..3).map(judged).chain([misread]).collect(),
    }]
}

/// `(βL)²` of the three modes.
fn frequencies(edges: u32) -> [f64; 3] {
    let rod = Rod { edges };
    let roots = [1, 2, 3].map(root);
    let velocity =
        |x: f64| roots.iter().map(|&r| AMPLITUDE * LENGTH * omega(r) * shape(r, x / LENGTH)).sum::<f64>();
    let first = core::f64::consts::TAU / omega(roots[0]);
    // The third mode is 17.5 times faster than the first: 40 samples in each of its periods.
    let options = RecordingOptions { safety: 0.1, ..RecordingOptions::new(6.0 * first, 4200) };
    let recording = record(rod.build(velocity), &options, |probed| {
        let part = |&r: &f64| {
            rod.moving().map(|(v, x, mass)| mass * shape(r, x / LENGTH) * probed.position(v).z).sum()
        };
        roots.iter().map(part).collect()
    });
    let unit = omega(1.0);
    let frequency = |channel: &Vec<f64>| {
        let spectrum = Spectrum::new(&recording.times, std::slice::from_ref(channel));
        spectrum.strongest(1.2 * omega(roots[2])) / unit
    };
    [0, 1, 2].map(|mode| frequency(&recording.channels[mode]))
}
