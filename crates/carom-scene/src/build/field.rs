//! Vectors that vary over a body: bumps and waves.

use carom_math::Vec3;

use crate::format::{Bump, Sine};

/// The sum of the given parts at the point `x` of the rest shape.
pub fn value(bump: Option<&Bump>, sine: Option<&Sine>, x: Vec3) -> Vec3 {
    bump.map_or(Vec3::ZERO, |b| bump_at(b, x)) + sine.map_or(Vec3::ZERO, |s| sine_at(s, x))
}

/// `amplitude (1 − r²/R²)³` for r < R: two derivatives are continuous at the edge.
fn bump_at(bump: &Bump, x: Vec3) -> Vec3 {
    let u = (x - bump.centre.get()).length_sq() / (bump.radius.get() * bump.radius.get());
    if u < 1.0 { bump.amplitude.get() * ((1.0 - u) * (1.0 - u) * (1.0 - u)) } else { Vec3::ZERO }
}

/// `amplitude sin(π n s)`, s the share of the way from one end to the other.
fn sine_at(sine: &Sine, x: Vec3) -> Vec3 {
    let (from, along) = (sine.from.get(), sine.to.get() - sine.from.get());
    let s = (x - from).dot(along) / along.length_sq();
    // libm: the platform's own sine may differ in the last bit.
    sine.amplitude.get() * libm::sin(core::f64::consts::PI * sine.half_waves.get() * s)
}
