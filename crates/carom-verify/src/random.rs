//! Random numbers that are the same on every machine and in every run.

/// SplitMix64: one state word, any seed.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in (−1, 1).
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((z >> 11) as f64 + 0.5) / (1_u64 << 52) as f64 - 1.0
    }

    /// A vector with such components.
    pub fn vector(&mut self) -> carom_math::Vec3 {
        carom_math::Vec3::new(self.next(), self.next(), self.next())
    }
}
