//! How much momentum and angular momentum there is in a run: what their errors are measured against.
//!
//! | scale | is | but at least 2⁻⁸ of |
//! | --- | --- | --- |
//! | momentum | `Σ m│v − f│` | `Σ m│v│ + │J of fields│ + │J of all else│` |
//! | angular momentum | `Σ m│x − r││v − f│`, and `m│v│` of spins | `Σ m│x││v│`, `m│v│` of spins, and both angular impulses |
//!
//! with f the velocity of the [frame](crate::EnergyScale) and r the centre of mass at the start, carried along with f: neither a shift of the origin nor
//! a common velocity changes them. The second column has the terms of the balance as they are computed, in the frame as it is given. 2⁻⁴⁵ of them is what
//! rounding may do, and that is no error: it is at most 2⁻³⁷ (7e-12) of the scale.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::System;

use crate::motion_totals::{MovingMasses, weighted_sum};
use crate::{EnergyScale, Reading};

/// Share of the terms that a scale has at least.
const LEAST: f64 = 1.0 / (1_u64 << 8) as f64;

/// The scales of momentum errors of one run.
pub struct MomentumScale {
    moving: MovingMasses,
    /// Velocity of the frame, in m/s.
    velocity: Vec3,
    /// Centre of mass of everything that can move, at the start, in m.
    centre: Vec3,
    /// The start, in s.
    start_s: f64,
}

impl MomentumScale {
    /// That of a run of `system` with its reading at the start, in the frame of its scale of energy.
    #[must_use]
    pub fn new(system: &Arc<System>, start: &Reading, energy: &EnergyScale) -> Self {
        let free = (0..system.places()).filter(|&v| !system.is_held(v));
        let masses: Vec<(usize, f64)> = free.map(|v| (v, system.masses[v])).collect();
        let mass_kg = masses.iter().map(|(_, m)| *m).collect::<carom_math::Sum>().value();
        let first_moment = weighted_sum(&masses, &start.positions);
        let centre = if mass_kg > 0.0 { first_moment * (1.0 / mass_kg) } else { Vec3::ZERO };
        let moving = MovingMasses::new(system);
        Self { moving, velocity: energy.velocity(), centre, start_s: start.time_s }
    }

    /// What errors of momentum, in N·s, and of angular momentum, in N·m·s, are measured against at a reading.
    #[must_use]
    pub fn at(&self, reading: &Reading) -> [f64; 2] {
        let centre = self.centre + self.velocity * (reading.time_s - self.start_s);
        let [linear, angular] =
            self.moving.sizes_from([centre, self.velocity], &reading.positions, &reading.velocities);
        let size = |all: Vec3, of_fields: Vec3| of_fields.length() + (all - of_fields).length();
        let linear_terms = reading.momentum_scale
            + size(reading.from_outside.linear, reading.from_outside.linear_from_fields);
        let angular_terms = reading.angular_momentum_scale
            + size(reading.from_outside.angular, reading.from_outside.angular_from_fields);
        [linear.max(LEAST * linear_terms), angular.max(LEAST * angular_terms)]
    }
}
