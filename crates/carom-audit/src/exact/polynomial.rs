//! Polynomials with whole coefficients, and how many roots they have between two numbers.
//!
//! Roots are counted by Sturm's theorem: in the chain f, f′, and then each remainder negated, the number of sign
//! changes at `a` less that at `b` is the number of different roots of a square-free f in (a, b].
//!
//! **Never here:** rounding, geometry.

use dashu_int::ops::Gcd;
use dashu_int::{IBig, Sign};

/// A polynomial, lowest degree first, without trailing zeros: the zero polynomial is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Polynomial(Vec<IBig>);

/// The number `numerator`/2^`halvings`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dyadic {
    pub numerator: IBig,
    pub halvings: usize,
}

/// The sign of a whole number.
fn sign(x: &IBig) -> i8 {
    match (x.is_zero(), x.sign()) {
        (true, _) => 0,
        (false, Sign::Positive) => 1,
        (false, Sign::Negative) => -1,
    }
}

impl Polynomial {
    pub fn new(mut coefficients: Vec<IBig>) -> Self {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the polynomial is constant.
    pub fn is_constant(&self) -> bool {
        self.0.len() < 2
    }

    pub fn plus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a + b)
    }

    pub fn minus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a - b)
    }

    fn combined(&self, other: &Self, with: impl Fn(&IBig, &IBig) -> IBig) -> Self {
        let length = self.0.len().max(other.0.len());
        let zero = IBig::ZERO;
        let coefficient = |p: &Self, i: usize| p.0.get(i).unwrap_or(&zero).clone();
        Self::new((0..length).map(|i| with(&coefficient(self, i), &coefficient(other, i))).collect())
    }

    pub fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self(Vec::new());
        }
        let mut product = vec![IBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Self::new(product)
    }

    /// The sign at a number.
    pub fn sign_at(&self, at: &Dyadic) -> i8 {
        // Horner's rule on the polynomial times 2^(halvings · degree).
        let mut value = IBig::ZERO;
        for (steps, coefficient) in self.0.iter().rev().enumerate() {
            value = value * &at.numerator + (coefficient << (at.halvings * steps));
        }
        sign(&value)
    }

    /// A polynomial with the same roots, multiplicities and signs, divided by the common factor of its coefficients.
    fn primitive(self) -> Self {
        let nonzero = self.0.iter().filter(|c| !c.is_zero());
        let Some(common) = nonzero.cloned().reduce(|a, b| IBig::from(a.gcd(b))) else {
            return self;
        };
        let common = if sign(&common) < 0 { -common } else { common };
        Self(self.0.into_iter().map(|c| c / &common).collect())
    }

    fn derivative(&self) -> Self {
        Self::new(self.0.iter().enumerate().skip(1).map(|(i, c)| c * IBig::from(i)).collect())
    }

    /// Quotient and remainder by `divisor`, both times one positive number.
    fn divided_by(&self, divisor: &Self) -> (Self, Self) {
        let leading = divisor.0.last().expect("nothing is divided by zero");
        let positive = leading * IBig::from(sign(leading));
        let mut rest = self.0.clone();
        let mut quotient = vec![IBig::ZERO; (self.0.len() + 1).saturating_sub(divisor.0.len())];
        for shift in (0..quotient.len()).rev() {
            for c in rest.iter_mut().chain(&mut quotient) {
                *c *= &positive;
            }
            let factor = &rest[shift + divisor.0.len() - 1] / leading;
            for (i, c) in divisor.0.iter().enumerate() {
                rest[shift + i] -= &factor * c;
            }
            quotient[shift] = factor;
        }
        (Self::new(quotient), Self::new(rest))
    }

    /// The greatest common divisor of two polynomials, up to a constant factor.
    pub fn common_with(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            let rest = a.divided_by(&b).1.primitive();
            (a, b) = (b, rest);
        }
        a
    }

    /// A polynomial with the same roots, each with multiplicity one.
    fn square_free(&self) -> Self {
        let repeated = self.common_with(&self.derivative());
        if repeated.is_constant() { self.clone() } else { self.divided_by(&repeated).0.primitive() }
    }
}

/// Counts the roots of one polynomial.
#[derive(Clone, Debug)]
pub(crate) struct RootCounter(Vec<Polynomial>);

impl RootCounter {
    /// The chain of a polynomial that is not zero everywhere.
    pub fn new(polynomial: &Polynomial) -> Self {
        assert!(!polynomial.is_zero(), "a polynomial that vanishes everywhere has no roots to count");
        let first = polynomial.square_free();
        let mut chain = vec![first.clone(), first.derivative().primitive()];
        while let [.., before, last] = &chain[..]
            && !last.is_zero()
        {
            let remainder = before.divided_by(last).1.primitive();
            chain.push(Polynomial(remainder.0.into_iter().map(|c| -c).collect()));
        }
        chain.pop();
        Self(chain)
    }

    /// Whether `at` is a root of the polynomial.
    pub fn vanishes_at(&self, at: &Dyadic) -> bool {
        self.0[0].sign_at(at) == 0
    }

    fn sign_changes_at(&self, at: &Dyadic) -> usize {
        let signs: Vec<i8> = self.0.iter().map(|p| p.sign_at(at)).filter(|s| *s != 0).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    }

    /// Number of distinct roots in (`low`, `high`].
    pub fn roots_between(&self, low: &Dyadic, high: &Dyadic) -> usize {
        self.sign_changes_at(low) - self.sign_changes_at(high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn polynomial(coefficients: &[i64]) -> Polynomial {
        Polynomial::new(coefficients.iter().map(|c| IBig::from(*c)).collect())
    }

    fn number(numerator: i64, halvings: usize) -> Dyadic {
        Dyadic { numerator: IBig::from(numerator), halvings }
    }

    fn with_roots(roots: &[i64]) -> Polynomial {
        roots.iter().fold(polynomial(&[1]), |p, r| p.times(&polynomial(&[-r, 1])))
    }

    #[test]
    fn a_root_at_the_right_end_counts_and_one_at_the_left_does_not() {
        let counter = RootCounter::new(&with_roots(&[0, 1]));
        assert_eq!(counter.roots_between(&number(0, 0), &number(1, 0)), 1);
        assert_eq!(counter.roots_between(&number(-1, 0), &number(1, 1)), 1);
        assert!(counter.vanishes_at(&number(4, 2)) && !counter.vanishes_at(&number(1, 1)));
    }

    #[test]
    fn a_polynomial_without_real_roots_has_none() {
        let counter = RootCounter::new(&polynomial(&[1, 0, 1]));
        assert_eq!(counter.roots_between(&number(-9, 0), &number(9, 0)), 0);
        assert_eq!(RootCounter::new(&polynomial(&[5])).roots_between(&number(-9, 0), &number(9, 0)), 0);
    }

    proptest! {
        #[test]
        fn different_roots_are_counted_once_whatever_the_factor(
            mut roots in prop::collection::vec(-6..7_i64, 1..6), factor in prop_oneof![-7..0_i64, 1..8_i64],
            low in -7..7_i64, length in 1..9_i64, twin in any::<bool>(),
        ) {
            if twin { roots.push(roots[0]); }
            // A factor without real roots must not be counted.
            let p = with_roots(&roots).times(&polynomial(&[factor])).times(&polynomial(&[3, 1, 1]));
            let high = low + length;
            roots.sort_unstable();
            roots.dedup();
            let expected = roots.iter().filter(|r| low < **r && **r <= high).count();
            prop_assert_eq!(RootCounter::new(&p).roots_between(&number(low, 0), &number(high, 0)), expected);
        }

        #[test]
        fn what_two_polynomials_share_has_exactly_the_shared_roots(
            a in prop::collection::vec(-4..5_i64, 0..4), b in prop::collection::vec(-4..5_i64, 0..4),
        ) {
            let common = with_roots(&a).common_with(&with_roots(&b));
            for x in -4..5 {
                prop_assert_eq!(common.sign_at(&number(x, 0)) == 0, a.contains(&x) && b.contains(&x));
            }
        }
    }
}
