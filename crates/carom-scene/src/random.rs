//! Random numbers that are the same everywhere: a seed gives the same bits on every machine.

use carom_math::SplitMix64;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A number in (0, 1], so that its logarithm is finite.
    pub fn part(&mut self) -> f64 {
        ((self.0.next_bits() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Normally distributed, with mean 0 and variance 1. libm: the platform's own functions may differ in the last bit.
    pub fn gaussian(&mut self) -> f64 {
        (-2.0 * libm::log(self.part())).sqrt() * libm::cos(core::f64::consts::TAU * self.part())
    }
}
