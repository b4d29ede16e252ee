//! Random choices that are the same on every machine.

use carom_math::{SplitMix64, Vec3};

/// The stream of choices of one seed.
pub struct Random(SplitMix64);

impl Random {
    /// The stream of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A number in [0, 1).
    fn part(&mut self) -> f64 {
        (self.0.next_bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.part()
    }

    /// A number whose logarithm is evenly spread. libm: the platform's own functions may differ in the last bit.
    pub fn across_decades(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.between(libm::log(low), libm::log(high)))
    }

    /// Whether something that happens in this part of all cases does.
    pub fn chance(&mut self, part: f64) -> bool {
        self.part() < part
    }

    /// A whole number, both ends included.
    pub fn whole(&mut self, low: usize, high: usize) -> usize {
        low + (self.0.next_bits() % (high - low + 1) as u64) as usize
    }

    /// One of several things.
    pub fn one_of<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.whole(0, things.len() - 1)]
    }

    /// A direction; not evenly spread, which nothing here needs.
    pub fn direction(&mut self) -> Vec3 {
        let v = Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0));
        v * (1.0 / v.length().max(1e-3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_keep_their_bounds_and_reach_all_decades() {
        let mut random = Random::new(7);
        let drawn: Vec<f64> = (0..1000).map(|_| random.across_decades(1e-3, 1e3)).collect();
        assert!(drawn.iter().all(|x| (1e-3..=1e3).contains(x)));
        for decade in -3..3 {
            let low = 10_f64.powi(decade);
            let within = drawn.iter().filter(|x| (low..10.0 * low).contains(*x)).count();
            assert!((100..240).contains(&within), "{within} of 1000 in the decade from {low}");
        }
        let whole: Vec<usize> = (0..100).map(|_| random.whole(2, 4)).collect();
        assert!([2, 3, 4].iter().all(|n| whole.contains(n)) && whole.iter().all(|n| (2..=4).contains(n)));
    }
}
