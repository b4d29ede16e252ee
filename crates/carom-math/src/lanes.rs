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

/// One operation on each lane, written out: a closure or a function handed over is not always inlined, and one call costs more than eight operations.
macro_rules! lanes {
    ($lane:ident => $value:expr) => {{
        let mut out = [0.0; LANES];
        for $lane in 0..LANES {
            out[$lane] = $value;
        }
        Self(out)
    }};
}

impl Lanes {
    /// Its own lanes where `one` is at most `other`, and those of `otherwise` elsewhere.
    #[inline(always)]
    #[must_use]
    pub fn where_at_most(self, one: Self, other: Self, otherwise: Self) -> Self {
        lanes!(i => if one.0[i] <= other.0[i] { self.0[i] } else { otherwise.0[i] })
    }

    /// Sizes.
    #[inline(always)]
    #[must_use]
    pub(crate) fn abs(self) -> Self {
        lanes!(i => self.0[i].abs())
    }
}

impl Add for Lanes {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        lanes!(i => self.0[i] + other.0[i])
    }
}

impl Sub for Lanes {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        lanes!(i => self.0[i] - other.0[i])
    }
}

impl Mul for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        lanes!(i => self.0[i] * other.0[i])
    }
}

impl Mul<f64> for Lanes {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        lanes!(i => self.0[i] * factor)
    }
}

impl Div for Lanes {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        lanes!(i => self.0[i] / other.0[i])
    }
}

impl Neg for Lanes {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        lanes!(i => -self.0[i])
    }
}

impl Real for Lanes {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        lanes!(i => self.0[i].sqrt())
    }

    #[inline(always)]
    fn ln(self) -> Self {
        lanes!(i => Real::ln(self.0[i]))
    }

    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        lanes!(i => Real::atan2(self.0[i], x.0[i]))
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
        lanes!(i => self.0[i].where_nonzero(condition.0[i], other.0[i]))
    }

    #[inline(always)]
    fn where_above(self, bound: Self, other: Self) -> Self {
        lanes!(i => self.0[i].where_above(bound.0[i], other.0[i]))
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
