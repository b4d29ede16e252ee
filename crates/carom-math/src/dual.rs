//! Numbers that carry derivatives.
//!
//! A [`Dual`] is a value and `K` directional derivatives of it, propagated exactly by the rules of
//! differentiation (no differences, no step to choose). The gradient of a kernel evaluated on
//! duals gives `K` Hessian-vector products at once. The value has the bits of the plain kernel.
//!
//! A dual may be made of any [`Real`]: of duals, for second derivatives of an energy that has no
//! gradient of its own.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::Real;

/// A value with `K` tangents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<const K: usize = 1, S = f64> {
    /// The value.
    pub value: S,
    /// Derivative of the value in each of `K` directions.
    pub tangent: [S; K],
}

impl<const K: usize, S: Real> Dual<K, S> {
    /// A number that varies: value and tangents.
    #[inline(always)]
    pub const fn new(value: S, tangent: [S; K]) -> Self {
        Self { value, tangent }
    }

    /// `value`, with the tangents scaled by `slope`: the chain rule for one argument.
    #[inline(always)]
    fn chain(self, value: S, slope: S) -> Self {
        let mut tangent = self.tangent;
        for t in &mut tangent {
            *t = slope * *t;
        }
        Self { value, tangent }
    }

    /// `value`, with tangents `da·a' + db·b'`: the chain rule for two arguments.
    #[inline(always)]
    fn chain2(self, other: Self, value: S, da: S, db: S) -> Self {
        let mut tangent = [S::zero(); K];
        for (k, t) in tangent.iter_mut().enumerate() {
            *t = da * self.tangent[k] + db * other.tangent[k];
        }
        Self { value, tangent }
    }
}

impl<const K: usize, S: Real> Add for Dual<K, S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.chain2(other, self.value + other.value, S::constant(1.0), S::constant(1.0))
    }
}

impl<const K: usize, S: Real> Sub for Dual<K, S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.chain2(other, self.value - other.value, S::constant(1.0), S::constant(-1.0))
    }
}

impl<const K: usize, S: Real> Mul for Dual<K, S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.chain2(other, self.value * other.value, other.value, self.value)
    }
}

impl<const K: usize, S: Real> Mul<f64> for Dual<K, S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        self.chain(self.value * factor, S::constant(factor))
    }
}

impl<const K: usize, S: Real> Div for Dual<K, S> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let quotient = self.value / other.value;
        self.chain2(other, quotient, S::constant(1.0) / other.value, -quotient / other.value)
    }
}

impl<const K: usize, S: Real> Neg for Dual<K, S> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.chain(-self.value, S::constant(-1.0))
    }
}

impl<const K: usize, S: Real> Real for Dual<K, S> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self { value: S::constant(value), tangent: [S::zero(); K] }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.chain(root, S::constant(0.5) / root)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        self.chain(self.value.ln(), S::constant(1.0) / self.value)
    }

    #[inline(always)]
    fn angles<const M: usize>(y: [Self; M], x: [Self; M]) -> [Self; M] {
        let mut angles = y;
        for (m, (y, x)) in y.into_iter().zip(x).enumerate() {
            let radius_sq = y.value * y.value + x.value * x.value;
            let angle = y.value.atan2(x.value);
            angles[m] = y.chain2(x, angle, x.value / radius_sq, -y.value / radius_sq);
        }
        angles
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = Real::sin_cos(self.value);
        (self.chain(sin, cos), self.chain(cos, -sin))
    }

    #[inline(always)]
    fn where_nonzero(self, condition: Self, other: Self) -> Self {
        let mut tangent = other.tangent;
        for (k, t) in tangent.iter_mut().enumerate() {
            *t = self.tangent[k].where_nonzero(condition.value, *t);
        }
        Self { value: self.value.where_nonzero(condition.value, other.value), tangent }
    }

    #[inline(always)]
    fn where_above(self, bound: Self, other: Self) -> Self {
        // How far above, or zero: not zero exactly where `bound` is below.
        let above = (self.value - bound.value).where_above(S::zero(), S::zero());
        self.where_nonzero(Self { value: above, tangent: [S::zero(); K] }, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula<S: Real>(a: S, b: S) -> S {
        let c = a * b + (a / b).sqrt() - (a * 2.0).ln();
        let (sin, cos) = (a * b).sin_cos();
        (-c).atan2(a - b) + b.recip_or_zero() + sin * 0.7 - cos * b
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

    #[test]
    fn a_dual_of_duals_has_second_derivatives() {
        let (a, b) = (1.7, 0.6);
        let inner = |value, slope| Dual::<1>::new(value, [slope]);
        let outer = |value, slope: [f64; 2]| Dual::<2, Dual>::new(value, slope.map(Dual::constant));
        // Inner tangent along a, outer ones along a and along b.
        let both = formula(outer(inner(a, 1.0), [1.0, 0.0]), outer(inner(b, 0.0), [0.0, 1.0]));
        assert_eq!(both.value.value.to_bits(), formula(a, b).to_bits());
        let slope = |a, b| formula(inner(a, 1.0), inner(b, 0.0)).tangent[0];
        assert!((both.value.tangent[0] - slope(a, b)).abs() < 1e-15);
        let d = 1e-6;
        let daa = (slope(a + d, b) - slope(a - d, b)) / (2.0 * d);
        let dab = (slope(a, b + d) - slope(a, b - d)) / (2.0 * d);
        assert!(
            (both.tangent[0].tangent[0] - daa).abs() < 1e-7
                && (both.tangent[1].tangent[0] - dab).abs() < 1e-7
        );
    }

    #[test]
    fn selection_takes_the_tangents_along_and_drops_what_is_not_a_number() {
        let (a, b) = (Dual::new(2.0, [3.0]), Dual::new(f64::NAN, [f64::NAN]));
        assert_eq!(a.where_above(Dual::constant(1.0), b), a);
        assert_eq!(b.where_above(Dual::constant(1.0), a), a);
        assert_eq!(a.where_above(Dual::constant(2.0), Dual::zero()), Dual::zero());
        assert_eq!(b.where_nonzero(Dual::zero(), a), a);
    }
}
