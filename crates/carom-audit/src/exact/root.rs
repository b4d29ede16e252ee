//! Roots in (0, 1], from the first to the last, and exact signs at them.
//!
//! | Root | the only root of its polynomial in (low, high], both dyadic; halved as often as needed |
//! | Sign of `g` at a root of `f` | zero if what f and g share has a root there; otherwise halve until `g` has no root in the interval |
//!
//! **Never here:** rounding, but for the last step from an exact root to two doubles around it.

use dashu_int::IBig;

use super::Times;
use super::polynomial::{Dyadic, Polynomial, RootCounter};

/// A root of a polynomial.
pub(crate) struct Root<'a> {
    polynomial: &'a Polynomial,
    counter: &'a RootCounter,
    /// The root lies in (`before`, `before` + 1] / 2^`halvings`.
    before: IBig,
    halvings: usize,
}

/// The first root in (0, 1] that passes `test`, as bounds on it.
pub(crate) fn first_root(polynomial: &Polynomial, test: impl Fn(&mut Root) -> bool) -> Option<Times> {
    if polynomial.is_constant() {
        return None;
    }
    let counter = RootCounter::new(polynomial);
    let mut ahead = vec![Root { polynomial, counter: &counter, before: IBig::ZERO, halvings: 0 }];
    while let Some(mut place) = ahead.pop() {
        match place.roots() {
            0 => {}
            1 => {
                if test(&mut place) {
                    return Some(place.times());
                }
            }
            _ => {
                let [left, right] = place.halves();
                ahead.extend([right, left]);
            }
        }
    }
    None
}

impl Root<'_> {
    fn low(&self) -> Dyadic {
        Dyadic { numerator: self.before.clone(), halvings: self.halvings }
    }

    fn high(&self) -> Dyadic {
        Dyadic { numerator: &self.before + IBig::ONE, halvings: self.halvings }
    }

    /// Number of roots in the interval.
    fn roots(&self) -> usize {
        self.counter.roots_between(&self.low(), &self.high())
    }

    fn halves(&self) -> [Self; 2] {
        let half = |offset: IBig| Self {
            polynomial: self.polynomial,
            counter: self.counter,
            before: (&self.before << 1_usize) + offset,
            halvings: self.halvings + 1,
        };
        [half(IBig::ZERO), half(IBig::ONE)]
    }

    fn halve(&mut self) {
        let [left, right] = self.halves();
        *self = if left.roots() > 0 { left } else { right };
    }

    /// The exact sign of `other` at the root.
    pub fn sign_of(&mut self, other: &Polynomial) -> i8 {
        if other.is_constant() {
            return other.sign_at(&self.high());
        }
        let counter = RootCounter::new(other);
        let mut shared = None;
        while counter.roots_between(&self.low(), &self.high()) > 0 {
            let vanishes = *shared.get_or_insert_with(|| {
                let common = self.polynomial.common_with(other);
                !common.is_constant()
                    && RootCounter::new(&common).roots_between(&self.low(), &self.high()) > 0
            });
            if vanishes {
                return 0;
            }
            self.halve();
        }
        other.sign_at(&self.high())
    }

    /// Two doubles around the root, at most 2⁻⁵² apart.
    fn times(mut self) -> Times {
        /// Number of halvings up to which numerators are exact as doubles.
        const HALVINGS: usize = 52;
        while self.halvings < HALVINGS && !self.counter.vanishes_at(&self.high()) {
            self.halve();
        }
        let excess = self.halvings.saturating_sub(HALVINGS);
        let unit = 0.5_f64.powi((self.halvings - excess) as i32);
        let double = |numerator: IBig| {
            i64::try_from(numerator).expect("a number in [0, 1] with 52 halvings is short") as f64 * unit
        };
        let last = double((&self.before >> excess) + IBig::ONE);
        if excess == 0 && self.counter.vanishes_at(&self.high()) {
            return Times { low: last, high: last };
        }
        Times { low: double(self.before >> excess), high: last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|c| IBig::from(*c)).collect())
    }

    #[test]
    fn roots_come_in_order_each_once_and_zero_is_left_out() {
        // t (3t − 1)² (2t − 1) (t − 1)
        let twice = polynomial(&[-1, 3]).times(&polynomial(&[-1, 3]));
        let p = polynomial(&[0, 1]).times(&twice).times(&polynomial(&[-1, 2])).times(&polynomial(&[-1, 1]));
        let after = |passed: usize| {
            let seen = core::cell::Cell::new(0);
            first_root(&p, |_| seen.replace(seen.get() + 1) == passed)
        };
        let third = after(0).unwrap();
        assert!(third.low < 1.0 / 3.0 && 1.0 / 3.0 <= third.high && third.high - third.low <= f64::EPSILON);
        assert_eq!(after(1), Some(Times { low: 0.5, high: 0.5 }));
        assert_eq!(after(2), Some(Times { low: 1.0, high: 1.0 }));
        assert_eq!(after(3), None);
    }

    #[test]
    fn signs_at_an_irrational_root_are_exact_zero_included() {
        // 2t² = 1: another polynomial with this root is zero there, one with a root 0.4e-18 below it is not.
        let half = polynomial(&[-1, 0, 2]);
        let shares = half.times(&polynomial(&[7, 5]));
        let nearly = polynomial(&[-707_106_781_186_547_524, 1_000_000_000_000_000_000]);
        let found = first_root(&half, |root| {
            root.sign_of(&shares) == 0
                && root.sign_of(&nearly) == 1
                && root.sign_of(&polynomial(&[-1, 1])) == -1
        });
        assert!(found.is_some_and(|t| t.low < 0.5_f64.sqrt() && 0.5_f64.sqrt() <= t.high));
    }
}
