//! Vectors that vary over a body: bumps, waves and noise.

use carom_math::Vec3;

use crate::format::{Bump, Noise, Sine};
use crate::random::Random;

/// The sum of the given parts at the point `x` of the rest shape.
pub fn value(bump: Option<&Bump>, sine: Option<&Sine>, x: Vec3) -> Vec3 {
    bump.map_or(Vec3::ZERO, |b| bump_at(b, x)) + sine.map_or(Vec3::ZERO, |s| sine_at(s, x))
}

/// `amplitude (1 − r²/R²)³` for r < R: two derivatives are continuous at the edge. A ripple is this times
/// `cos(2π r/λ)`.
fn bump_at(bump: &Bump, x: Vec3) -> Vec3 {
    let r_sq = (x - bump.centre.get()).length_sq();
    let u = r_sq / (bump.radius.get() * bump.radius.get());
    if u >= 1.0 {
        return Vec3::ZERO;
    }
    let ring = |wavelength: f64| libm::cos(2.0 * core::f64::consts::PI * r_sq.sqrt() / wavelength);
    let ripple = bump.wavelength.as_ref().map_or(1.0, |wavelength| ring(wavelength.get()));
    bump.amplitude.get() * ((1.0 - u) * (1.0 - u) * (1.0 - u) * ripple)
}

/// `amplitude sin(π n s)`, s the share of the way from one end to the other.
fn sine_at(sine: &Sine, x: Vec3) -> Vec3 {
    let (from, along) = (sine.from.get(), sine.to.get() - sine.from.get());
    let s = (x - from).dot(along) / along.length_sq();
    // libm: the platform's own sine may differ in the last bit.
    sine.amplitude.get() * libm::sin(core::f64::consts::PI * sine.half_waves.get() * s)
}

/// Random velocities of vertices with these masses, in m/s: Gaussian, with the variance that gives
/// every vertex the same mean energy. The same seed gives the same bits everywhere.
pub fn noise(noise: &Noise, masses: &[f64]) -> Vec<Vec3> {
    let mut random = Random::new(u64::from(noise.seed.get()));
    let mut gaussian = || random.gaussian();
    let speed = |m: f64| (2.0 * noise.energy.get() / (3.0 * m)).sqrt();
    masses.iter().map(|m| Vec3::new(gaussian(), gaussian(), gaussian()) * speed(*m)).collect()
}
