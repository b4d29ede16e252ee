//! The energy balance of a run: total + dissipated − work, against what it was at the start.

use std::collections::VecDeque;

use carom_model::System;

use super::EnergyTolerance;
use crate::Reading;
use crate::energy_scale::{EnergyScale, rounding_j};

/// Over how many checks the median is taken.
const RECENT: usize = 8;

/// The energy balance of a run so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    start_j: f64,
    scale: EnergyScale,
    /// The largest turnover so far, in J.
    turnover_j: f64,
    /// The largest error.
    tolerance: f64,
    /// The errors at the last checks, the oldest first.
    recent: VecDeque<f64>,
}

impl Balance {
    /// That of a run of `system` with its reading at the start.
    pub(super) fn new(system: &System, start: &Reading, tolerance: &EnergyTolerance) -> Self {
        let &EnergyTolerance { relative, least_turnover_j, .. } = tolerance;
        let scale = EnergyScale::new(system, start);
        let turnover_j = scale.turnover_j(start).max(least_turnover_j);
        let start_j = start.balance_j();
        Self { start_j, scale, turnover_j, tolerance: relative, recent: VecDeque::new() }
    }

    /// The error at a reading, over the largest turnover so far; NaN if something is no number.
    pub(super) fn error(&mut self, reading: &Reading) -> f64 {
        let turnover_j = self.scale.turnover_j(reading);
        if turnover_j > self.turnover_j || turnover_j.is_nan() {
            self.turnover_j = turnover_j;
        }
        let off_j = reading.balance_j() - self.start_j;
        // Next to terms that are large and cancel, rounding alone is no error.
        let scale_j = self.turnover_j.max(rounding_j(reading) / self.tolerance);
        if off_j == 0.0 { 0.0 } else { off_j / if turnover_j.is_nan() { f64::NAN } else { scale_j } }
    }

    /// Takes down the error at a check; the median of the last ones, once there are enough of them.
    pub(super) fn median_with(&mut self, error: f64) -> Option<f64> {
        self.recent.push_back(error);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        if self.recent.len() < RECENT {
            return None;
        }
        let mut sorted: Vec<f64> = self.recent.iter().copied().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        Some(0.5 * (sorted[RECENT / 2 - 1] + sorted[RECENT / 2]))
    }
}
