//! Masses with which every potential runs at its own limit on one step.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Family, Schedule, System, element_limits_s};
use carom_time::Span;

/// The longest step of the potentials that have a limit: gravity and dead loads have none.
pub(super) fn slowest_limited(system: &System, positions: &[Vec3]) -> Option<Span> {
    let of_family = |(family, schedule): (&Arc<dyn Family>, &Schedule)| {
        let limits_s = element_limits_s(family.as_ref(), positions, &system.masses);
        limits_s
            .iter()
            .zip(&schedule.spans)
            .filter(|(limit_s, _)| limit_s.is_finite())
            .map(|(_, span)| *span)
            .max()
    };
    system.families.iter().zip(&system.schedules).filter_map(of_family).max()
}

/// The same system with the masses with which every potential bears the clock `step`.
///
/// An element of limit `l` with its shares of the masses bears the step `h` with `(h/(s l))²` times these shares, `s`
/// being 0.9. By Irons' theorem the sums over all elements of all kinds then bear it together [Irons1971, bound theorem].
/// No vertex becomes lighter than it is, so that contact, chosen for the masses that are, stays as stable.
#[must_use]
pub fn with_masses_for(system: &System, step: Span, positions: &[Vec3]) -> System {
    let mut claims = vec![0.0; system.vertices()];
    for family in &system.families {
        let limits_s = element_limits_s(family.as_ref(), positions, &system.masses);
        let mut extent_at = vec![0.0; system.vertices()];
        for e in 0..family.len() {
            for &v in family.stencil(e) {
                extent_at[v as usize] += family.extent(e);
            }
        }
        for (e, limit_s) in limits_s.into_iter().enumerate() {
            for &v in family.stencil(e) {
                claims[v as usize] += family.extent(e) / extent_at[v as usize] / (limit_s * limit_s);
            }
        }
    }
    let step_s = system.line.quantum.step(step) / SAFETY;
    let mut scaled = system.clone();
    for (v, claim) in claims.into_iter().enumerate() {
        let factor = (claim * step_s * step_s).max(1.0);
        scaled.masses[v] *= factor;
        scaled.inverse_masses[v] = scaled.inverse_masses[v] * (1.0 / factor);
    }
    scaled
}

/// Part of the limit of stability at which a relaxation with chosen masses runs: Irons' bound is not tight, and energy need not be kept well.
const SAFETY: f64 = 0.9;
