//! Sums whose value does not depend on the order of their terms.
//!
//! The value of an [`ExactSum`] is the sum of all its terms, computed without error and rounded once, to the nearest number, ties to
//! even. So any order of the terms, and any split of them into partial sums that are merged, gives the same bits: threads, vector widths
//! and the numbering of vertices leave no trace in a total. A sum beyond the largest number is infinite. A sum of nothing, or of zeros of
//! either sign, or one that cancels, is +0.0. A term that is no number, or infinities of both signs, make the sum NaN.
//!
//! A term is first added to a few floating-point numbers, each addition split without error into what it gives and what it rounds away
//! (Knuth's two-sum). What these cannot hold, which is rare, goes to an accumulator of integers that holds any sum
//! ([`Digits`]). Integers alone cost three additions in memory for every term; this way most terms stay in registers, and eight of them
//! are added at once by [`ExactLanesSum`].

mod digits;
#[cfg(test)]
mod tests;

use crate::{LANES, Lanes, Vec3};
use digits::Digits;

/// A running sum, exact until its value is asked for. Two are equal if their exact sums are, however they came about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactSum(SideBySide<1>);

impl ExactSum {
    /// Adds one term.
    #[inline(always)]
    pub fn add(&mut self, term: f64) {
        self.0.add_to(0, term);
    }

    /// Adds all terms of another sum.
    pub fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }

    /// The sum of all terms so far, rounded once.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.0.value(0)
    }

    /// A few numbers with the same exact sum, from large to small: collected, they make an equal sum. For zero there are none; a sum that is
    /// not finite is one number.
    #[must_use]
    pub fn parts(&self) -> Vec<f64> {
        let (mut rest, mut parts) = (self.clone(), Vec::new());
        loop {
            let part = rest.value();
            if part == 0.0 {
                return parts;
            }
            parts.push(part);
            if !part.is_finite() {
                return parts;
            }
            rest.add(-part);
        }
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
pub struct ExactVec3Sum(SideBySide<3>);

impl ExactVec3Sum {
    /// Adds one vector: a term to the sum of each component.
    #[inline(always)]
    pub fn add(&mut self, v: Vec3) {
        self.0.add_to(0, v.x);
        self.0.add_to(1, v.y);
        self.0.add_to(2, v.z);
    }

    /// Adds all vectors of another sum.
    pub fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }

    /// The sum of each component so far, rounded once.
    #[must_use]
    pub fn value(&self) -> Vec3 {
        Vec3::new(self.0.value(0), self.0.value(1), self.0.value(2))
    }

    /// The sums of x, y and z.
    #[must_use]
    pub fn components(&self) -> [ExactSum; 3] {
        [0, 1, 2].map(|axis| {
            let mut sum = ExactSum::default();
            sum.0.merge_one(0, &self.0, axis);
            sum
        })
    }

    /// The sum whose components are these.
    #[must_use]
    pub fn of_components(components: &[ExactSum; 3]) -> Self {
        let mut sum = Self::default();
        for (axis, component) in components.iter().enumerate() {
            sum.0.merge_one(axis, &component.0, 0);
        }
        sum
    }
}

impl FromIterator<Vec3> for ExactVec3Sum {
    fn from_iter<I: IntoIterator<Item = Vec3>>(vectors: I) -> Self {
        let mut sum = Self::default();
        for vector in vectors {
            sum.add(vector);
        }
        sum
    }
}

/// One running sum to which eight terms can be added at once: as [`ExactSum`], with a part of the sum in each lane.
#[derive(Clone, Debug, Default)]
pub struct ExactLanesSum(SideBySide<LANES>);

impl ExactLanesSum {
    /// Adds one term.
    #[inline(always)]
    pub fn add(&mut self, term: f64) {
        self.0.add_to(0, term);
    }

    /// Adds the terms in the first `lanes` lanes.
    #[inline(always)]
    pub fn add_lanes(&mut self, mut terms: Lanes, lanes: usize) {
        if lanes < LANES {
            terms.0[lanes..].fill(0.0);
        }
        self.0.add(&terms.0);
    }

    /// Adds many terms, eight at once.
    #[inline(always)]
    pub fn add_all(&mut self, terms: &[f64]) {
        let (eights, others) = terms.as_chunks();
        for eight in eights {
            self.0.add(eight);
        }
        for &term in others {
            self.add(term);
        }
    }

    /// Adds all terms of another sum.
    pub fn merge(&mut self, other: &ExactSum) {
        self.0.merge_one(0, &other.0, 0);
    }

    /// All terms so far.
    #[must_use]
    pub fn sum(&self) -> ExactSum {
        let mut sum = ExactSum::default();
        for lane in 0..LANES {
            sum.0.merge_one(0, &self.0, lane);
        }
        sum
    }

    /// The sum of all terms so far, rounded once.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.sum().value()
    }
}

/// One running sum of vectors to which eight can be added at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactLanesVec3Sum([ExactLanesSum; 3]);

impl ExactLanesVec3Sum {
    /// Adds one vector: a term to the sum of each component.
    #[inline(always)]
    pub fn add(&mut self, v: Vec3) {
        self.0[0].add(v.x);
        self.0[1].add(v.y);
        self.0[2].add(v.z);
    }

    /// Adds the vectors in the first `lanes` lanes.
    #[inline(always)]
    pub fn add_lanes(&mut self, v: &Vec3<Lanes>, lanes: usize) {
        self.0[0].add_lanes(v.x, lanes);
        self.0[1].add_lanes(v.y, lanes);
        self.0[2].add_lanes(v.z, lanes);
    }

    /// Adds all vectors of another sum.
    pub fn merge(&mut self, other: &ExactVec3Sum) {
        for (axis, sum) in self.0.iter_mut().enumerate() {
            sum.0.merge_one(0, &other.0, axis);
        }
    }

    /// Adds all vectors so far to another sum.
    pub fn add_to(&self, total: &mut ExactVec3Sum) {
        for (axis, sum) in self.0.iter().enumerate() {
            for lane in 0..LANES {
                total.0.merge_one(axis, &sum.0, lane);
            }
        }
    }

    /// The sum of each component so far, rounded once.
    #[must_use]
    pub fn value(&self) -> Vec3 {
        let mut total = ExactVec3Sum::default();
        self.add_to(&mut total);
        total.value()
    }
}

impl PartialEq for ExactLanesSum {
    fn eq(&self, other: &Self) -> bool {
        self.sum() == other.sum()
    }
}

/// `N` sums side by side. Each is the exact sum of its high, middle and low number and of the rest.
#[derive(Clone, Debug)]
struct SideBySide<const N: usize> {
    high: [f64; N],
    middle: [f64; N],
    low: [f64; N],
    rest: Option<Box<[Digits; N]>>,
}

impl<const N: usize> Default for SideBySide<N> {
    fn default() -> Self {
        Self { high: [0.0; N], middle: [0.0; N], low: [0.0; N], rest: None }
    }
}

impl<const N: usize> SideBySide<N> {
    /// Adds one term to each sum.
    #[inline(always)]
    fn add(&mut self, terms: &[f64; N]) {
        let (high, lost) = two_sums(&self.high, terms);
        let (middle, left) = two_sums(&self.middle, &lost);
        if are_zero(&left) {
            self.high = high;
            self.middle = middle;
            return;
        }
        // Terms far smaller than others are common enough to be worth a third number.
        let (low, left) = two_sums(&self.low, &left);
        if are_zero(&left) {
            (self.high, self.middle, self.low) = (high, middle, low);
        } else {
            self.add_each(terms);
        }
    }

    /// Adds one term to sum `i`.
    #[inline(always)]
    fn add_to(&mut self, i: usize, term: f64) {
        let (high, lost) = two_sum(self.high[i], term);
        let (middle, lost) = two_sum(self.middle[i], lost);
        if lost == 0.0 {
            (self.high[i], self.middle[i]) = (high, middle);
            return;
        }
        let (low, left) = two_sum(self.low[i], lost);
        if left == 0.0 {
            (self.high[i], self.middle[i], self.low[i]) = (high, middle, low);
        } else {
            self.spill(i, term, [high, middle, lost]);
        }
    }

    /// Adds one term to each sum, some of which need more than three numbers.
    #[cold]
    #[inline(never)]
    fn add_each(&mut self, terms: &[f64; N]) {
        for i in 0..N {
            self.add_to(i, terms[i]);
        }
    }

    /// Adds a term to sum `i` that needs more than three numbers. Its low number goes to the rest and makes room: so terms far smaller
    /// than others do not send all that follow there.
    #[cold]
    #[inline(never)]
    fn spill(&mut self, i: usize, term: f64, [high, middle, low]: [f64; 3]) {
        if low.is_nan() {
            self.rest_of(i).add(term);
        } else {
            let full = self.low[i];
            self.rest_of(i).add(full);
            (self.high[i], self.middle[i], self.low[i]) = (high, middle, low);
        }
    }

    fn rest_of(&mut self, i: usize) -> &mut Digits {
        &mut self.rest.get_or_insert_with(|| Box::new([const { Digits::ZERO }; N]))[i]
    }

    fn merge(&mut self, other: &Self) {
        for i in 0..N {
            self.merge_one(i, other, i);
        }
    }

    /// Adds all terms of sum `j` of `other` to sum `i`.
    fn merge_one<const M: usize>(&mut self, i: usize, other: &SideBySide<M>, j: usize) {
        for part in [other.high[j], other.middle[j], other.low[j]] {
            // Most lanes of most sums never had a term.
            if part != 0.0 {
                self.add_to(i, part);
            }
        }
        if let Some(rest) = &other.rest {
            self.rest_of(i).merge(&rest[j]);
        }
    }

    /// Sum `i`, rounded once.
    fn value(&self, i: usize) -> f64 {
        let (high, lost) = two_sum(self.high[i], self.middle[i]);
        let (low, left) = two_sum(lost, self.low[i]);
        if self.rest.is_none() && left == 0.0 {
            // The sum of two numbers, which an addition rounds once. Never −0.0: all began as +0.0.
            high + low
        } else {
            self.digits(i).value()
        }
    }

    /// Sum `i` as integers, with all carries propagated.
    fn digits(&self, i: usize) -> Digits {
        let mut digits = self.rest.as_ref().map_or(Digits::ZERO, |rest| rest[i].clone());
        for part in [self.high[i], self.middle[i], self.low[i]] {
            digits.add(part);
        }
        digits.propagate_carries();
        digits
    }
}

impl<const N: usize> PartialEq for SideBySide<N> {
    fn eq(&self, other: &Self) -> bool {
        (0..N).all(|i| self.digits(i) == other.digits(i))
    }
}

/// The rounded sum of two numbers, and exactly what the rounding took away; no number if the sum is not finite.
#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_taken = sum - a;
    (sum, (a - (sum - b_taken)) + (b - b_taken))
}

/// [`two_sum`] of each of several numbers, one operation after the other: so each is one of vector registers.
#[inline(always)]
fn two_sums<const N: usize>(a: &[f64; N], b: &[f64; N]) -> ([f64; N], [f64; N]) {
    let sum = plus(a, b);
    let b_taken = minus(&sum, a);
    let a_taken = minus(&sum, &b_taken);
    (sum, plus(&minus(a, &a_taken), &minus(b, &b_taken)))
}

#[inline(always)]
fn plus<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    let mut sum = [0.0; N];
    for i in 0..N {
        sum[i] = a[i] + b[i];
    }
    sum
}

#[inline(always)]
fn minus<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    let mut difference = [0.0; N];
    for i in 0..N {
        difference[i] = a[i] - b[i];
    }
    difference
}

/// Whether all are zeros of either sign. Where an addition overflowed, or a term is not finite, what is left is no number.
#[inline(always)]
fn are_zero<const N: usize>(numbers: &[f64; N]) -> bool {
    let mut bits = 0;
    for i in 0..N {
        bits |= numbers[i].to_bits();
    }
    bits << 1 == 0
}
