//! Interval arithmetic, rounded outward.
//!
//! Rounding to nearest is off by less than the distance to the next double, so one step outward after each
//! operation keeps the exact result inside. NaN fails every comparison, and so proves nothing.

use core::ops::{Add, Sub};

use carom_math::Vec3;

/// All numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    pub const fn exactly(x: f64) -> Self {
        Self { low: x, high: x }
    }

    fn rounded_outward(low: f64, high: f64) -> Self {
        Self { low: low.next_down(), high: high.next_up() }
    }

    /// The product with an exact number.
    pub fn times(self, factor: f64) -> Self {
        let (a, b) = (self.low * factor, self.high * factor);
        if factor >= 0.0 { Self::rounded_outward(a, b) } else { Self::rounded_outward(b, a) }
    }

    /// The interval widened on both sides by `slack`.
    pub fn widened(self, slack: f64) -> Self {
        if slack == 0.0 { self } else { Self::rounded_outward(self.low - slack, self.high + slack) }
    }

    pub fn middle(self) -> f64 {
        0.5 * self.low + 0.5 * self.high
    }

    /// The quotient of two exact numbers, the second positive.
    pub fn quotient(numerator: f64, denominator: f64) -> Self {
        let q = numerator / denominator;
        Self::rounded_outward(q, q)
    }

    fn times_interval(self, other: Self) -> Self {
        let (a, b) = (self.times(other.low), self.times(other.high));
        Self { low: a.low.min(b.low), high: a.high.max(b.high) }
    }
}

impl Add for Interval {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::rounded_outward(self.low + other.low, self.high + other.high)
    }
}

impl Sub for Interval {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::rounded_outward(self.low - other.high, self.high - other.low)
    }
}

/// An axis-aligned box of positions, an interval along each axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct PositionBounds([Interval; 3]);

impl PositionBounds {
    pub fn exactly(x: Vec3) -> Self {
        Self(x.to_array().map(Interval::exactly))
    }

    /// On the way from one place to another, the `part` of it that lies behind.
    pub fn between(from: Self, to: Self, part: Interval) -> Self {
        Self(core::array::from_fn(|k| from.0[k] + (to.0[k] - from.0[k]).times_interval(part)))
    }

    pub fn widened(self, slack: f64) -> Self {
        Self(self.0.map(|x| x.widened(slack)))
    }

    /// The place moved.
    pub fn moved(self, by: [Interval; 3]) -> Self {
        Self(core::array::from_fn(|k| self.0[k] + by[k]))
    }

    /// Interval of the coordinates of all positions along a direction.
    pub fn along(&self, direction: Vec3) -> Interval {
        self.0[0].times(direction.x) + self.0[1].times(direction.y) + self.0[2].times(direction.z)
    }

    pub fn middle(&self) -> Vec3 {
        Vec3::from(self.0.map(Interval::middle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dashu_int::IBig;
    use proptest::prelude::*;

    use crate::exact::whole_numbers;

    /// Whether `a + b·c` lies in the interval, in exact arithmetic.
    fn holds(interval: Interval, a: f64, b: f64, c: f64) -> bool {
        let numbers = whole_numbers(&[1.0, a, b, c, interval.low, interval.high]);
        let [one, a, b, c, low, high] = &numbers[..] else { panic!("as many as were given") };
        // Products are on the square of the scale on which `one` is 1, so sums must be too.
        let value: IBig = a * one + b * c;
        low * one <= value && value <= high * one
    }

    proptest! {
        #[test]
        fn exact_results_lie_inside(a in -1e3..1e3f64, b in -1e3..1e3f64, c in -1e3..1e3f64, small in -1e-9..1e-9f64) {
            for a in [a, small] {
                let sum = Interval::exactly(a) + Interval::exactly(b).times(c);
                prop_assert!(holds(sum, a, b, c));
                prop_assert!(holds(Interval::exactly(a) - Interval::exactly(b).times(-c), a, b, c));
                prop_assert!(holds(Interval::exactly(a) + Interval::exactly(b).times_interval(Interval::exactly(c)), a, b, c));
                // b times a/c is the quotient back again.
                let back = Interval::quotient(a, c.abs());
                prop_assert!(holds(back.times(c.abs()), a, 0.0, 0.0));
            }
        }

        #[test]
        fn products_with_an_interval_hold_every_product(a in -9.0..9f64, w in 0.0..3f64, b in -9.0..9f64, u in 0.0..3f64, s in 0.0..1f64, t in 0.0..1f64) {
            let (x, y) = (Interval { low: a, high: a + w }, Interval { low: b, high: b + u });
            let (p, q) = ((a + s * w).min(x.high), (b + t * u).min(y.high));
            prop_assert!(holds(x.times_interval(y), 0.0, p, q));
            prop_assert!(holds(x.widened(u), p, 1.0, u * s) && holds(x.widened(u), p, -1.0, u * s));
        }
    }
}
