//! Random numbers that are the same everywhere: a seed gives the same bits on every machine.

/// A stream of random numbers: splitmix64, which mixes a counter.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// In (0, 1]: a logarithm may be taken of it.
    pub fn part(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Normally distributed, with mean 0 and variance 1. libm: the platform's own functions may differ in the last bit.
    pub fn gaussian(&mut self) -> f64 {
        (-2.0 * libm::log(self.part())).sqrt() * libm::cos(core::f64::consts::TAU * self.part())
    }
}
