//! The energy balance of a run: total + dissipated − work, against what it was at the start.

use carom_model::System;

use super::EnergyTolerance;
use crate::Reading;
use crate::energy_scale::EnergyScale;

/// The energy balance of a run so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    start_j: f64,
    scale: EnergyScale,
    /// The largest turnover so far, in J.
    turnover_j: f64,
    /// The largest error.
    tolerance: f64,
}

impl Balance {
    /// That of a run of `system` with its reading at the start.
    pub(super) fn new(system: &System, start: &Reading, tolerance: &EnergyTolerance) -> Self {
        let scale = EnergyScale::new(system, start);
        let turnover_j = scale.turnover_j(start);
        Self { start_j: start.balance_j(), scale, turnover_j, tolerance: tolerance.relative }
    }

    /// The largest turnover so far, in J.
    pub(super) const fn turnover_j(&self) -> f64 {
        self.turnover_j
    }

    /// Whether what is turned over has become three times as much since `before`: motion is only beginning.
    pub(super) fn has_tripled_since(&self, before: &Self) -> bool {
        self.turnover_j >= 3.0 * before.turnover_j
    }

    /// The error at a reading, over the largest turnover so far; NaN if something is no number.
    pub(super) fn error(&mut self, reading: &Reading) -> f64 {
        let turnover_j = self.scale.turnover_j(reading);
        if turnover_j > self.turnover_j || turnover_j.is_nan() {
            self.turnover_j = turnover_j;
        }
        let off_j = reading.balance_j() - self.start_j;
        let scale_j = self.turnover_j.max(self.scale.rounding_j(reading) / self.tolerance);
        if off_j == 0.0 { 0.0 } else { off_j / if turnover_j.is_nan() { f64::NAN } else { scale_j } }
    }
}
