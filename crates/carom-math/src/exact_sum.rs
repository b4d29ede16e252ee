//! Sums whose value does not depend on the order of their terms.
//!
//! The value of an [`ExactSum`] is the sum of all its terms, computed without error and rounded once, to the nearest number, ties to
//! even. So any order of the terms, and any split of them into partial sums that are merged, gives the same bits: threads, vector widths
//! and the numbering of vertices leave no trace in a total. A sum beyond the largest number is infinite. A sum of nothing, or of zeros of
//! either sign, or one that cancels, is +0.0. A term that is no number, or infinities of both signs, make the sum NaN.
//!
//! A term is first added to two floating-point numbers, each addition split without error into what it gives and what it rounds away
//! (Knuth's two-sum). What neither of the two can hold, which is rare, goes to an accumulator of integers that holds any sum
//! ([`Digits`]). Integers alone cost three additions in memory for every term; this way most terms stay in registers.
//!
//! [`ExactSums`] adds one term to each of several sums at once, in vector registers.

mod digits;
#[cfg(test)]
mod tests;

use crate::Vec3;
use digits::Digits;

/// A running sum, exact until its value is asked for. Two are equal if their exact sums are, however they came about.
#[derive(Clone, Debug, Default)]
pub struct ExactSum {
    /// With the low part and the rest, the exact sum.
    high: f64,
    low: f64,
    rest: Rest,
}

/// What two floating-point numbers cannot hold; most sums never have any.
type Rest = Option<Box<Digits>>;

impl ExactSum {
    /// Adds one term.
    #[inline(always)]
    pub fn add(&mut self, term: f64) {
        let (high, lost) = two_sum(self.high, term);
        let (low, left) = two_sum(self.low, lost);
        // Also false where an addition overflowed, or the term is not finite: `left` is then no number.
        if left == 0.0 {
            self.high = high;
            self.low = low;
        } else {
            spill([&mut self.high, &mut self.low], &mut self.rest, term);
        }
    }

    /// Adds all terms of another sum.
    pub fn merge(&mut self, other: &Self) {
        self.add(other.high);
        self.add(other.low);
        if let Some(rest) = &other.rest {
            digits_of(&mut self.rest).merge(rest);
        }
    }

    /// The sum of all terms so far, rounded once.
    #[must_use]
    pub fn value(&self) -> f64 {
        if self.rest.is_none() && self.low == 0.0 {
            // Never −0.0: it began as +0.0.
            return self.high;
        }
        self.digits().value()
    }

    /// The exact sum, as integers with all carries propagated.
    fn digits(&self) -> Digits {
        let mut digits = self.rest.as_deref().cloned().unwrap_or_default();
        digits.add(self.high);
        digits.add(self.low);
        digits.propagate_carries();
        digits
    }
}

impl PartialEq for ExactSum {
    fn eq(&self, other: &Self) -> bool {
        self.digits() == other.digits()
    }
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<I: IntoIterator<Item = f64>>(terms: I) -> Self {
        let mut sum = Self::default();
        for term in terms {
            sum.add(term);
        }
        sum
    }
}

/// A running sum of vectors, exact in each component until its value is asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactVec3Sum([ExactSum; 3]);

impl ExactVec3Sum {
    /// Adds one vector: a term to the sum of each component.
    #[inline(always)]
    pub fn add(&mut self, v: Vec3) {
        self.0[0].add(v.x);
        self.0[1].add(v.y);
        self.0[2].add(v.z);
    }

    /// Adds all vectors of another sum.
    pub fn merge(&mut self, other: &Self) {
        for (sum, other) in self.0.iter_mut().zip(&other.0) {
            sum.merge(other);
        }
    }

    /// The sum of each component so far, rounded once.
    #[must_use]
    pub fn value(&self) -> Vec3 {
        Vec3::from([0, 1, 2].map(|axis| self.0[axis].value()))
    }
}

/// `N` running sums side by side.
#[derive(Clone, Debug)]
pub struct ExactSums<const N: usize> {
    high: [f64; N],
    low: [f64; N],
    rest: [Rest; N],
}

impl<const N: usize> Default for ExactSums<N> {
    fn default() -> Self {
        Self { high: [0.0; N], low: [0.0; N], rest: [const { None }; N] }
    }
}

impl<const N: usize> ExactSums<N> {
    /// Adds one term to each sum.
    #[inline(always)]
    pub fn add(&mut self, terms: &[f64; N]) {
        let (mut high, mut low) = ([0.0; N], [0.0; N]);
        let mut is_held = true;
        for i in 0..N {
            let (sum, lost) = two_sum(self.high[i], terms[i]);
            let (sum_lost, left) = two_sum(self.low[i], lost);
            (high[i], low[i]) = (sum, sum_lost);
            is_held &= left == 0.0;
        }
        if is_held {
            self.high = high;
            self.low = low;
        } else {
            self.add_one_by_one(terms);
        }
    }

    #[cold]
    #[inline(never)]
    fn add_one_by_one(&mut self, terms: &[f64; N]) {
        for i in 0..N {
            spill([&mut self.high[i], &mut self.low[i]], &mut self.rest[i], terms[i]);
        }
    }

    /// Each of the sums.
    #[must_use]
    pub fn into_sums(self) -> [ExactSum; N] {
        let mut rest = self.rest.into_iter();
        core::array::from_fn(|i| ExactSum {
            high: self.high[i],
            low: self.low[i],
            rest: rest.next().flatten(),
        })
    }
}

/// Adds a term to a high and a low part, and to the rest what they cannot hold of it.
#[cold]
#[inline(never)]
fn spill([high, low]: [&mut f64; 2], rest: &mut Rest, term: f64) {
    let (sum, lost) = two_sum(*high, term);
    let (sum_lost, left) = two_sum(*low, lost);
    if left.is_finite() {
        (*high, *low) = (sum, sum_lost);
        if left != 0.0 {
            digits_of(rest).add(left);
        }
    } else {
        digits_of(rest).add(term);
    }
}

fn digits_of(rest: &mut Rest) -> &mut Digits {
    rest.get_or_insert_default()
}

/// The rounded sum of two numbers, and exactly what the rounding took away; no number if the sum is not finite.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_taken = sum - a;
    (sum, (a - (sum - b_taken)) + (b - b_taken))
}
