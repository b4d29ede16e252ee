//! Interval arithmetic, rounded outward.
//!
//! Round to nearest errs by half a unit in the last place at most, so stepping one double outward
//! after each operation is enough. NaN stays NaN and fails every comparison.

use core::ops::{Add, Mul, Sub};

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    pub const fn point(x: f64) -> Self {
        Self::new(x, x)
    }

    fn outward(low: f64, high: f64) -> Self {
        Self::new(low.next_down(), high.next_up())
    }

    /// 1 if all numbers are positive, −1 if all are negative, 0 if that is not known.
    pub fn sign(self) -> i8 {
        i8::from(self.low > 0.0) - i8::from(self.high < 0.0)
    }

    /// A number in the middle.
    pub fn middle(self) -> f64 {
        0.5 * (self.low + self.high)
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::outward(self.low + other.low, self.high + other.high)
    }
}

impl Sub for Interval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::outward(self.low - other.high, self.high - other.low)
    }
}

impl Mul for Interval {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let products =
            [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        // min and max ignore NaN (0 · ∞), so NaN is tested for first.
        if products.iter().any(|p| p.is_nan()) {
            return Self::new(f64::NAN, f64::NAN);
        }
        let [a, b, c, d] = products;
        Self::outward(a.min(b).min(c.min(d)), a.max(b).max(c.max(d)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_not_a_number_has_no_sign() {
        let all = Interval::new(f64::NEG_INFINITY, f64::INFINITY);
        assert_eq!((all * Interval::point(0.0)).sign(), 0);
        assert_eq!((all - all).sign(), 0);
    }

    proptest! {
        #[test]
        fn results_lie_inside(a in -1e3..1e3f64, b in -1e3..1e3f64, wa in 0.0..2.0f64, wb in 0.0..2.0f64, s in 0.0..1.0f64, t in 0.0..1.0f64) {
            let (x, y) = (Interval::new(a, a + wa), Interval::new(b, b + wb));
            let (p, q) = ((a + s * wa).min(x.high), (b + t * wb).min(y.high));
            for (interval, value) in [(x + y, p + q), (x - y, p - q), (x * y, p * q)] {
                prop_assert!(interval.low < value && value < interval.high);
            }
        }
    }
}
