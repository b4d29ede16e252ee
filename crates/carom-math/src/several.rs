//! Several numbers of a kind side by side: none of them waits for another.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::{Plain, Real};

/// `K` numbers, each operation done for all of them.
#[derive(Clone, Copy, Debug)]
pub struct Several<S, const K: usize>(pub [S; K]);

/// Implements one operation for each element.
macro_rules! each {
    ($k:ident => $value:expr) => {{
        let mut out = [S::zero(); K];
        for $k in 0..K {
            out[$k] = $value;
        }
        Self(out)
    }};
}

impl<S: Real, const K: usize> Add for Several<S, K> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        each!(k => self.0[k] + other.0[k])
    }
}

impl<S: Real, const K: usize> Sub for Several<S, K> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        each!(k => self.0[k] - other.0[k])
    }
}

impl<S: Real, const K: usize> Mul for Several<S, K> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        each!(k => self.0[k] * other.0[k])
    }
}

impl<S: Real, const K: usize> Mul<f64> for Several<S, K> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        each!(k => self.0[k] * factor)
    }
}

impl<S: Real, const K: usize> Div for Several<S, K> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        each!(k => self.0[k] / other.0[k])
    }
}

impl<S: Real, const K: usize> Neg for Several<S, K> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        each!(k => -self.0[k])
    }
}

impl<S: Real, const K: usize> Real for Several<S, K> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self([S::constant(value); K])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        each!(k => self.0[k].sqrt())
    }

    #[inline(always)]
    fn ln(self) -> Self {
        each!(k => self.0[k].ln())
    }

    #[inline(always)]
    fn angles<const M: usize>(y: [Self; M], x: [Self; M]) -> [Self; M] {
        let mut out = y;
        for m in 0..M {
            out[m] = Self(S::angles(y[m].0, x[m].0));
        }
        out
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (mut sin, mut cos) = (self, self);
        for k in 0..K {
            (sin.0[k], cos.0[k]) = self.0[k].sin_cos();
        }
        (sin, cos)
    }

    #[inline(always)]
    fn where_nonzero(self, condition: Self, other: Self) -> Self {
        each!(k => self.0[k].where_nonzero(condition.0[k], other.0[k]))
    }

    #[inline(always)]
    fn where_above(self, bound: Self, other: Self) -> Self {
        each!(k => self.0[k].where_above(bound.0[k], other.0[k]))
    }
}

impl<S: Plain, const K: usize> Plain for Several<S, K> {
    #[inline(always)]
    fn abs(self) -> Self {
        each!(k => self.0[k].abs())
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        each!(k => self.0[k].with_sign_of(other.0[k]))
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let (mut exponents, mut fractions) = (self, self);
        for k in 0..K {
            (exponents.0[k], fractions.0[k]) = self.0[k].split();
        }
        (exponents, fractions)
    }

    #[inline(always)]
    fn where_below(self, one: Self, other: Self, otherwise: Self) -> Self {
        each!(k => self.0[k].where_below(one.0[k], other.0[k], otherwise.0[k]))
    }

    #[inline(always)]
    fn where_at_most(self, one: Self, other: Self, otherwise: Self) -> Self {
        each!(k => self.0[k].where_at_most(one.0[k], other.0[k], otherwise.0[k]))
    }
}
