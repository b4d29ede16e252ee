//! Random bits that are the same everywhere: a seed gives the same numbers on every machine and in every run.

/// SplitMix64, which mixes a counter: one word of state, any seed.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits of the stream.
    pub const fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bits_of_two_seeds_are_those_of_the_published_program() {
        let mut zero = SplitMix64::new(0);
        assert_eq!([zero.next_bits(), zero.next_bits()], [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        assert_eq!(SplitMix64::new(1_234_567).next_bits(), 6_457_827_717_110_365_317);
    }
}
