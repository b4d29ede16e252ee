//! Units in which residuals are measured.
//!
//! | scale | is | why |
//! | --- | --- | --- |
//! | size, in m | the largest distance of a vertex from the mean position, or from the origin where there is only one | round-off in positions is relative to it |
//! | gross impulse, in N·s | `Σ t │∇V│` over all potentials for a run of `t` s, as at the start; about the origin in N·m·s | round-off in momentum is relative to it where forces balance |
//! | rate, in 1/s | `Ω = 1/√(H h)`, with `H` the slowest and `h` the fastest step | in the coordinates `√(mΩ) q`, `√(m/Ω) v` a free vertex over `H` and the fastest vibration grow alike |

//!
//! A defect is relative to the motion it is a defect of. But a scene may barely move, or not at all,
//! and then the rounding of its positions is all that is measured: see [`relative`].

use carom_math::Vec3;
use carom_model::System;

use crate::clocks::all_spans;

/// Relative rounding error of a number after a few hundred kicks.
const ROUNDED: f64 = 256.0 * f64::EPSILON;

/// `defect` relative to the `terms` that cancel in it, but not counting what [`ROUNDED`] leaves of the `numbers`
/// that those terms are differences of: at most `bound` exactly if `defect ≤ bound · terms + ROUNDED · numbers`.
pub(crate) fn relative(defect: f64, terms: f64, numbers: f64, bound: f64) -> f64 {
    defect / (terms + numbers * (ROUNDED / bound))
}

/// Below this a number of such a size is round-off.
pub(crate) fn round_off(numbers: f64) -> f64 {
    ROUNDED * numbers
}

/// The gross linear and angular impulse over `seconds`.
pub(crate) fn gross_impulse(system: &System, x: &[Vec3], seconds: f64) -> (f64, f64) {
    let (mut linear, mut angular) = (0.0, 0.0);
    for family in &system.families {
        for e in 0..family.len() {
            let stencil = family.stencil(e);
            let at: Vec<Vec3> = stencil.iter().map(|&v| x[v as usize]).collect();
            let mut gradient = vec![Vec3::ZERO; stencil.len()];
            family.gradient(e, &at, &mut gradient);
            for (x, g) in at.iter().zip(&gradient) {
                linear += seconds * g.length();
                angular += seconds * x.length() * g.length();
            }
        }
    }
    (linear, angular)
}

/// The largest distance from the mean position, in m.
pub(crate) fn size(positions: &[Vec3]) -> f64 {
    let mean = positions.iter().copied().sum::<Vec3>() * (1.0 / positions.len() as f64);
    let size = positions.iter().map(|x| (*x - mean).length()).fold(0.0, f64::max);
    if size > 0.0 { size } else { mean.length().max(f64::MIN_POSITIVE) }
}

/// `Ω = 1/√(H h)`, in 1/s; 1 where nothing ever fires.
pub(crate) fn rate(system: &System) -> f64 {
    let spans = all_spans(system);
    let step = |span| system.line.quantum.step(span);
    match (spans.first(), spans.last()) {
        (Some(&fastest), Some(&slowest)) => 1.0 / (step(fastest) * step(slowest)).sqrt(),
        _ => 1.0,
    }
}

/// The fastest step, in s; 1 where nothing ever fires.
pub(crate) fn fastest_step_s(system: &System) -> f64 {
    all_spans(system).first().map_or(1.0, |&span| system.line.quantum.step(span))
}

/// `v` with the axes that a pin holds set to zero.
pub(crate) fn free(inverse_mass: Vec3, v: Vec3) -> Vec3 {
    let keep = |w: f64, c: f64| if w == 0.0 { 0.0 } else { c };
    Vec3::new(keep(inverse_mass.x, v.x), keep(inverse_mass.y, v.y), keep(inverse_mass.z, v.z))
}
