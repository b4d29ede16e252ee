//! Numbers that carry derivatives.
//!
//! A [`Dual`] is a value and `K` directional derivatives of it, propagated exactly by the rules of
//! differentiation (no differences, no step to choose). The gradient of a kernel evaluated on
//! duals gives `K` Hessian-vector products at once. The value has the bits of the plain kernel.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::Real;

/// A value with `K` tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const K: usize = 1> {
    /// The value.
    pub value: f64,
    /// Its derivative in each of `K` directions.
    pub tangent: [f64; K],
}

impl<const K: usize> Dual<K> {
    /// A number that varies: value and tangents.
    #[inline(always)]
    pub const fn new(value: f64, tangent: [f64; K]) -> Self {
        Self { value, tangent }
    }

    /// `value`, with the tangents scaled by `slope`: the chain rule for one argument.
    #[inline(always)]
    fn chain(self, value: f64, slope: f64) -> Self {
        Self { value, tangent: self.tangent.map(|t| slope * t) }
    }

    /// `value`, with tangents `da·a' + db·b'`: the chain rule for two arguments.
    #[inline(always)]
    fn chain2(self, other: Self, value: f64, da: f64, db: f64) -> Self {
        let mut tangent = [0.0; K];
        for (k, t) in tangent.iter_mut().enumerate() {
            *t = da * self.tangent[k] + db * other.tangent[k];
        }
        Self { value, tangent }
    }
}

impl<const K: usize> Add for Dual<K> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.chain2(other, self.value + other.value, 1.0, 1.0)
    }
}

impl<const K: usize> Sub for Dual<K> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.chain2(other, self.value - other.value, 1.0, -1.0)
    }
}

impl<const K: usize> Mul for Dual<K> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.chain2(other, self.value * other.value, other.value, self.value)
    }
}

impl<const K: usize> Mul<f64> for Dual<K> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        self.chain(self.value * factor, factor)
    }
}

impl<const K: usize> Div for Dual<K> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let quotient = self.value / other.value;
        self.chain2(other, quotient, 1.0 / other.value, -quotient / other.value)
    }
}

impl<const K: usize> Neg for Dual<K> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.chain(-self.value, -1.0)
    }
}

impl<const K: usize> Real for Dual<K> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self { value, tangent: [0.0; K] }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, 0.5 / root)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        self.chain(Real::ln(self.value), 1.0 / self.value)
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let radius_sq = self.value * self.value + x.value * x.value;
        let angle = Real::atan2(self.value, x.value);
        self.chain2(x, angle, x.value / radius_sq, -self.value / radius_sq)
    }

    #[inline(always)]
    fn where_nonzero(self, condition: Self, other: Self) -> Self {
        if condition.value == 0.0 { other } else { self }
    }

    #[inline(always)]
    fn where_above(self, bound: Self, other: Self) -> Self {
        if bound.value < self.value { self } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula<S: Real>(a: S, b: S) -> S {
        let c = a * b + (a / b).sqrt() - (a * 2.0).ln();
        (-c).atan2(a - b) + b.recip_or_zero()
    }

    #[test]
    fn a_tangent_is_the_limit_of_differences_and_the_value_is_untouched() {
        let (a, b) = (1.7, 0.6);
        let dual = formula(Dual::new(a, [1.0, 0.0]), Dual::new(b, [0.0, 1.0]));
        assert_eq!(dual.value.to_bits(), formula(a, b).to_bits());
        let d = 1e-6;
        let da = (formula(a + d, b) - formula(a - d, b)) / (2.0 * d);
        let db = (formula(a, b + d) - formula(a, b - d)) / (2.0 * d);
        assert!((dual.tangent[0] - da).abs() < 1e-8 && (dual.tangent[1] - db).abs() < 1e-8);
    }
}
