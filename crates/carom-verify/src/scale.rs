//! Units in which residuals are measured.
//!
//! | scale | is | why |
//! | --- | --- | --- |
//! | size, in m | the largest distance of a vertex from the mean position, or from the origin where there is only one | round-off in positions is relative to it |
//! | rate, in 1/s | `Ω = 1/√(H h)`, with `H` the slowest and `h` the fastest step | in the coordinates `√(mΩ) q`, `√(m/Ω) v` a free vertex over `H` and the fastest vibration grow alike |

use carom_math::Vec3;
use carom_model::System;

/// The largest distance from the mean position, in m.
pub(crate) fn size(positions: &[Vec3]) -> f64 {
    let mean = positions.iter().copied().sum::<Vec3>() * (1.0 / positions.len() as f64);
    let size = positions.iter().map(|x| (*x - mean).length()).fold(0.0, f64::max);
    if size > 0.0 { size } else { mean.length().max(f64::MIN_POSITIVE) }
}

/// `Ω = 1/√(H h)`, in 1/s; 1 where nothing ever fires.
pub(crate) fn rate(system: &System) -> f64 {
    let spans = system.spans();
    let step = |span| system.line.quantum.step(span);
    match (spans.first(), spans.last()) {
        (Some(&fastest), Some(&slowest)) => 1.0 / (step(fastest) * step(slowest)).sqrt(),
        _ => 1.0,
    }
}

/// The fastest step, in s; 1 where nothing ever fires.
pub(crate) fn fastest_step_s(system: &System) -> f64 {
    system.spans().first().map_or(1.0, |&span| system.line.quantum.step(span))
}

/// `v` with the axes that a pin holds set to zero.
pub(crate) fn free(inverse_mass: Vec3, v: Vec3) -> Vec3 {
    let keep = |w: f64, c: f64| if w == 0.0 { 0.0 } else { c };
    Vec3::new(keep(inverse_mass.x, v.x), keep(inverse_mass.y, v.y), keep(inverse_mass.z, v.z))
}
