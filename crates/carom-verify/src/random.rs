//! Random numbers that are the same on every machine and in every run.

use carom_math::{SplitMix64, Vec3};

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// Uniform in (−1, 1).
    pub fn next(&mut self) -> f64 {
        ((self.0.next_bits() >> 11) as f64 + 0.5) / (1_u64 << 52) as f64 - 1.0
    }

    /// A vector with such components.
    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}
