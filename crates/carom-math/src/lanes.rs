//! Eight numbers side by side.
//!
//! Every operation is the scalar one applied to each lane, so a lane has the bits the scalar
//! kernel would have given; [`crate::vectorize`] lets the compiler turn the loops into vector
//! instructions.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::Real;

/// How many elements are evaluated side by side.
pub const LANES: usize = 8;

/// Eight numbers, aligned to a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Lanes(pub [f64; LANES]);

impl Lanes {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = f(self.0[lane], other.0[lane]);
        }
        Self(out)
    }

    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = f(self.0[lane]);
        }
        Self(out)
    }
}

impl Add for Lanes {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}

impl Mul<f64> for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        self.map(|a| a * factor)
    }
}

impl Div for Lanes {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }
}

impl Neg for Lanes {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|a| -a)
    }
}

impl Real for Lanes {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        self.map(Real::ln)
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        self.zip(x, Real::atan2)
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (mut sin, mut cos) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            (sin[lane], cos[lane]) = Real::sin_cos(self.0[lane]);
        }
        (Self(sin), Self(cos))
    }

    #[inline(always)]
    fn where_nonzero(self, condition: Self, other: Self) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = self.0[lane].where_nonzero(condition.0[lane], other.0[lane]);
        }
        Self(out)
    }

    #[inline(always)]
    fn where_above(self, bound: Self, other: Self) -> Self {
        let mut out = [0.0; LANES];
        for lane in 0..LANES {
            out[lane] = self.0[lane].where_above(bound.0[lane], other.0[lane]);
        }
        Self(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn formula<S: Real>(a: S, b: S) -> S {
        let c = (a * b - a / (b + S::constant(3.0))).squared() + S::constant(0.1);
        let (sin, cos) = (a - b).sin_cos();
        c.sqrt().ln().atan2(a) + (a - b).recip_or_zero() * 0.3 + sin * cos * cos
    }

    proptest! {
        #[test]
        fn each_lane_has_the_bits_of_the_scalar(a in prop::array::uniform8(-1e3..1e3f64), b in prop::array::uniform8(0.1..1e3f64)) {
            let lanes = formula(Lanes(a), Lanes(b));
            for lane in 0..LANES {
                prop_assert_eq!(lanes.0[lane].to_bits(), formula(a[lane], b[lane]).to_bits());
            }
        }
    }
}
