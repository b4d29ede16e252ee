//! Sums whose error does not grow with their length.
//!
//! A ledger that adds one impulse per kick adds billions of numbers. [`Sum`] keeps the part that each
//! addition rounds away (Neumaier's compensated sum), so the total is right to a few units in
//! its last place, in whatever order they were added.

use crate::{F64x4, Vec3};

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

/// Four running compensated sums side by side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sums {
    total: F64x4,
    lost: F64x4,
}

impl Sums {
    /// Adds one number to each.
    #[inline(always)]
    pub fn add(&mut self, values: F64x4) {
        let total = self.total + values;
        for i in 0..4 {
            let (a, b) = (self.total.0[i], values.0[i]);
            let (large, small) = if a.abs() >= b.abs() { (a, b) } else { (b, a) };
            self.lost.0[i] += (large - total.0[i]) + small;
        }
        self.total = total;
    }

    /// The sums so far.
    #[must_use]
    pub fn values(&self) -> [f64; 4] {
        (self.total + self.lost).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_plain_sum_loses_is_kept() {
        let values = [1.0, 1e100, 1.0, -1e100];
        assert_eq!(values.iter().sum::<f64>(), 0.0);
        assert_eq!(values.into_iter().collect::<Sum>().value(), 2.0);
    }

    proptest! {
        #[test]
        fn sums_side_by_side_have_the_bits_of_each_alone(rows in prop::collection::vec(prop::array::uniform4(-1e9..1e9f64), 0..20)) {
            let mut sums = Sums::default();
            for row in &rows {
                sums.add(F64x4(*row));
            }
            for lane in 0..4 {
                let alone = rows.iter().map(|row| row[lane]).collect::<Sum>();
                prop_assert_eq!(sums.values()[lane].to_bits(), alone.value().to_bits());
            }
        }
    }
}
