//! What a ledger says about a run, as pure functions of its columns.
//!
//! With E = total + dissipated − work, and S the largest of the scales of the rows, the energy turned over:
//!
//! | name | is |
//! | --- | --- |
//! | band | largest \|E − E(0)\| / S |
//! | drift | slope of the least-squares line through E × duration / S |
//! | standard error of the drift | s √19 / S, with s the standard deviation of the 19 increments between the means of 20 equal blocks |
//! | momentum errors | largest ‖p − impulses − p(0)‖ over the largest of the scales of the rows, and the same for angular momentum |
//!
//! Why blocks: neighbouring rows of a ledger are correlated, so the textbook error of a slope is far too small. Means of long blocks are
//! nearly uncorrelated, and if E were a random walk its 19 increments would add up to s √19. For noise with a short correlation time this
//! is an overestimate, which is the safe side.
//!
//! Nothing is repaired: a NaN in a column is a NaN in the result.

use carom_math::Vec3;
use carom_model::finite_or_null as number;
use serde::{Deserialize, Serialize};

/// Number of blocks for the standard error of the drift.
pub const BLOCKS: usize = 20;

/// Statistics of the energy; relative numbers but for those in J.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnergyStatistics {
    /// Energy at the start, in J.
    #[serde(with = "number")]
    pub initial: f64,
    /// What band and drift are relative to, in J: the energy turned over.
    #[serde(with = "number", default = "nothing")]
    pub scale: f64,
    /// Largest deviation from the start.
    #[serde(with = "number")]
    pub band: f64,
    /// Least-squares slope × duration.
    #[serde(with = "number")]
    pub drift: f64,
    /// Standard error of the drift; NaN where there are fewer rows than [`BLOCKS`].
    #[serde(with = "number")]
    pub drift_stderr: f64,
}

/// What a summary that has no such number says.
fn nothing() -> f64 {
    f64::NAN
}

impl EnergyStatistics {
    /// Of what is no motion: there is an energy, and no error of it.
    #[must_use]
    pub fn of_rest(initial: f64) -> Self {
        Self { initial, scale: f64::NAN, band: f64::NAN, drift: f64::NAN, drift_stderr: f64::NAN }
    }

    /// Whether the drift is more than chance explains: three times its standard error.
    #[must_use]
    pub fn is_drift_significant(&self) -> bool {
        self.drift.abs() > 3.0 * self.drift_stderr
    }
}

/// Statistics of the momenta; relative numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MomentumStatistics {
    /// Largest error of the momentum.
    #[serde(with = "number")]
    pub linear_error: f64,
    /// Largest error of the angular momentum about the origin.
    #[serde(with = "number")]
    pub angular_error: f64,
}

/// Statistics of the energy from the column E = total + dissipated − work and the scale of its errors, in J, and for the drift from the times, in s,
/// and E of the rows that are evenly spaced.
///
/// # Panics
/// If columns that belong together differ in length.
#[must_use]
pub fn energy(balance: &[f64], scale: f64, (times, evenly): (&[f64], &[f64])) -> EnergyStatistics {
    EnergyStatistics {
        initial: balance.first().copied().unwrap_or(f64::NAN),
        scale,
        band: over(largest_deviation(balance), scale),
        drift: over(fitted_change(times, evenly), scale),
        drift_stderr: over(walk_error(evenly), scale),
    }
}

/// Largest deviation from the first value, in the unit of the values.
#[must_use]
pub fn largest_deviation(values: &[f64]) -> f64 {
    let start = values.first().copied().unwrap_or(0.0);
    largest(values.iter().map(|v| (v - start).abs()))
}

/// Change over the whole time of the least-squares line, in the unit of the values; zero for fewer than two instants.
///
/// # Panics
/// If the columns differ in length.
#[must_use]
pub fn fitted_change(times: &[f64], values: &[f64]) -> f64 {
    assert_eq!(times.len(), values.len(), "every value has a time");
    let (Some(&first), Some(&last), Some(&start)) = (times.first(), times.last(), values.first()) else {
        return 0.0;
    };
    let n = times.len() as f64;
    // From the first value, so that a small change of a large energy keeps its digits.
    let mean_time = times.iter().map(|t| t - first).sum::<f64>() / n;
    let mean_value = values.iter().map(|v| v - start).sum::<f64>() / n;
    let (mut covariance, mut variance) = (0.0, 0.0);
    for (t, v) in times.iter().zip(values) {
        let from_mean = t - first - mean_time;
        covariance += from_mean * (v - start - mean_value);
        variance += from_mean * from_mean;
    }
    over(covariance, variance) * (last - first)
}

/// Standard error of [`fitted_change`] for correlated values, in the unit of the values: s √19.
#[must_use]
pub fn walk_error(values: &[f64]) -> f64 {
    let n = values.len();
    if n < BLOCKS {
        return f64::NAN;
    }
    let start = values[0];
    let means: Vec<f64> = (0..BLOCKS)
        .map(|b| &values[b * n / BLOCKS..(b + 1) * n / BLOCKS])
        .map(|block| block.iter().map(|v| v - start).sum::<f64>() / block.len() as f64)
        .collect();
    let increments: Vec<f64> = means.windows(2).map(|m| m[1] - m[0]).collect();
    let count = increments.len() as f64;
    let mean = increments.iter().sum::<f64>() / count;
    let variance = increments.iter().map(|d| (d - mean) * (d - mean)).sum::<f64>() / (count - 1.0);
    (variance * count).sqrt()
}

/// Largest deviation of a vector from its first value, over the largest of `scales`.
#[must_use]
pub fn conservation_error(kept: &[Vec3], scales: &[f64]) -> f64 {
    let start = kept.first().copied().unwrap_or(Vec3::ZERO);
    let worst = largest(kept.iter().map(|&p| (p - start).length()));
    over(worst, largest(scales.iter().copied()))
}

/// The largest number; NaN if there is one, 0 if there is nothing.
#[must_use]
pub fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |worst: f64, v| if worst.is_nan() || v.is_nan() { f64::NAN } else { worst.max(v) })
}

/// `error / scale`, where no error at all is 0 whatever the scale.
fn over(error: f64, scale: f64) -> f64 {
    if error == 0.0 && !scale.is_nan() { 0.0 } else { error / scale }
}

#[cfg(test)]
mod tests;
