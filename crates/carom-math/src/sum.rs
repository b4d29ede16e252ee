//! Sums whose error does not grow with their length.
//!
//! [`Sum`] keeps the part that each addition rounds away (Neumaier's compensated sum), so the total is right to a few units in
//! its last place. Its bits depend on the order of the terms: totals that must not are an [`ExactSum`](crate::ExactSum).

use crate::Vec3;

/// A running compensated sum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    total: f64,
    lost: f64,
}

impl Sum {
    /// Adds one number.
    #[inline]
    pub fn add(&mut self, value: f64) {
        let total = self.total + value;
        self.lost += if self.total.abs() >= value.abs() {
            (self.total - total) + value
        } else {
            (value - total) + self.total
        };
        self.total = total;
    }

    /// The sum so far.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.total + self.lost
    }
}

impl FromIterator<f64> for Sum {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut sum = Self::default();
        for value in values {
            sum.add(value);
        }
        sum
    }
}

/// A running compensated sum of vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3Sum([Sum; 3]);

impl Vec3Sum {
    /// Adds one vector.
    #[inline]
    pub fn add(&mut self, v: Vec3) {
        self.0[0].add(v.x);
        self.0[1].add(v.y);
        self.0[2].add(v.z);
    }

    /// The sum so far.
    #[must_use]
    pub fn value(&self) -> Vec3 {
        Vec3::new(self.0[0].value(), self.0[1].value(), self.0[2].value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_plain_sum_loses_is_kept() {
        let values = [1.0, 1e100, 1.0, -1e100];
        assert_eq!(values.iter().sum::<f64>(), 0.0);
        assert_eq!(values.into_iter().collect::<Sum>().value(), 2.0);
    }
}
