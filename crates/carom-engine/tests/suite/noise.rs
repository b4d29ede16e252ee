//! Numbers that are random enough and always the same.

use carom_math::Vec3;

/// A deterministic stream of numbers in [−1, 1).
pub struct Noise(u64);

impl Noise {
    /// Seeds that are next to each other give numbers that are not.
    pub fn new(seed: u64) -> Self {
        let mut noise = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for _ in 0..4 {
            noise.next();
        }
        noise
    }

    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// From `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.next() + 1.0)
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}
