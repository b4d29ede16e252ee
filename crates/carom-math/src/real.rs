//! The arithmetic that kernels are written in.
//!
//! [`Real`] holds the operations IEEE 754 rounds exactly (`+ − × ÷ √`), selection, and the
//! transcendental functions the energies need. `ln`, `atan2` and `sin_cos` are our own: the platform's
//! library may differ in the last bit, and has branches.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::{sin_cos, transcendental};

/// A number a kernel can be evaluated with: `f64`, several of them side by side, or a dual number.
pub trait Real:
    Copy
    + core::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
{
    /// The constant `value`, in every lane and with no tangent.
    fn constant(value: f64) -> Self;

    /// Square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// Natural logarithm.
    #[must_use]
    fn ln(self) -> Self;

    /// The angles of some points (`x`, `y`), in radians, in [−π, π]; none waits for another. Numbers are neither subnormal nor above 10³⁰⁸ in size.
    fn angles<const K: usize>(y: [Self; K], x: [Self; K]) -> [Self; K];

    /// The angle of the point (`x`, `self`), in radians, in [−π, π].
    #[inline(always)]
    #[must_use]
    fn atan2(self, x: Self) -> Self {
        let [angle] = Self::angles([self], [x]);
        angle
    }

    /// Sine and cosine of an angle in radians.
    #[must_use]
    fn sin_cos(self) -> (Self, Self);

    /// `self` where `condition` is not zero, else `other`; lane by lane.
    ///
    /// The unselected side may be infinite or NaN: nothing of it survives.
    #[must_use]
    fn where_nonzero(self, condition: Self, other: Self) -> Self;

    /// `self` where `bound` < `self`, else `other`; lane by lane.
    #[must_use]
    fn where_above(self, bound: Self, other: Self) -> Self;

    /// Zero.
    #[inline(always)]
    #[must_use]
    fn zero() -> Self {
        Self::constant(0.0)
    }

    /// `1/self`, or 0 where `self` is 0: the direction of a vector without length is no direction.
    #[inline(always)]
    #[must_use]
    fn recip_or_zero(self) -> Self {
        (Self::constant(1.0) / self).where_nonzero(self, Self::zero())
    }

    /// `self²`.
    #[inline(always)]
    #[must_use]
    fn squared(self) -> Self {
        self * self
    }
}

/// A number without tangents: one that can be compared, lane by lane.
pub trait Plain: Real {
    /// The absolute value.
    #[must_use]
    fn abs(self) -> Self;

    /// The absolute value with the sign of another number.
    #[must_use]
    fn with_sign_of(self, other: Self) -> Self;

    /// A positive number that is not subnormal as its exponent, 1,023 more than it is, and a fraction from √½ to √2.
    #[must_use]
    fn split(self) -> (Self, Self);

    /// `self` where `one` is below `other`, else `otherwise`; lane by lane.
    #[must_use]
    fn where_below(self, one: Self, other: Self, otherwise: Self) -> Self;

    /// `self` where `one` is at most `other`, else `otherwise`; lane by lane.
    #[must_use]
    fn where_at_most(self, one: Self, other: Self, otherwise: Self) -> Self;
}

impl Real for f64 {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn ln(self) -> Self {
        transcendental::ln(self)
    }

    #[inline(always)]
    fn angles<const K: usize>(y: [Self; K], x: [Self; K]) -> [Self; K] {
        transcendental::angles(y, x)
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        sin_cos::sin_cos(self)
    }

    #[inline(always)]
    fn where_nonzero(self, condition: Self, other: Self) -> Self {
        if condition == 0.0 { other } else { self }
    }

    #[inline(always)]
    fn where_above(self, bound: Self, other: Self) -> Self {
        if bound < self { self } else { other }
    }
}

impl Plain for f64 {
    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        self.copysign(other)
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        transcendental::split(self)
    }

    #[inline(always)]
    fn where_below(self, one: Self, other: Self, otherwise: Self) -> Self {
        if one < other { self } else { otherwise }
    }

    #[inline(always)]
    fn where_at_most(self, one: Self, other: Self, otherwise: Self) -> Self {
        if one <= other { self } else { otherwise }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reciprocal_of_zero_is_zero_and_of_two_is_a_half() {
        assert_eq!(0.0_f64.recip_or_zero(), 0.0);
        assert_eq!((-0.0_f64).recip_or_zero(), 0.0);
        assert_eq!(2.0_f64.recip_or_zero(), 0.5);
    }

    #[test]
    fn selection_drops_what_is_not_a_number() {
        assert_eq!(f64::NAN.where_nonzero(0.0, 3.0), 3.0);
        assert_eq!(4.0_f64.where_nonzero(-1.0, f64::INFINITY), 4.0);
    }
}
