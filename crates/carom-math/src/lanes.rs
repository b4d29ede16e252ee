//! Eight numbers side by side, or four.
//!
//! Every operation is the scalar one applied to each lane, so a lane has the bits the scalar
//! kernel would have given; [`crate::vectorize`] lets the compiler turn the loops into vector
//! instructions.

use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::{F64x4, Plain, Real, transcendental};

/// How many elements are evaluated side by side.
pub const LANES: usize = 8;

/// Eight numbers, aligned to a cache line.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Lanes(pub [f64; LANES]);

/// One operation on each lane, written out: a closure or a function handed over is not always inlined, and one call costs more than eight operations.
macro_rules! lanes {
    ($count:expr, $lane:ident => $value:expr) => {{
        let mut out = [0.0; $count];
        for $lane in 0..$count {
            out[$lane] = $value;
        }
        Self(out)
    }};
}

/// The arithmetic of a row of `$count` numbers.
macro_rules! side_by_side {
    ($numbers:ty, $count:expr) => {
        impl Add for $numbers {
            type Output = Self;

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                lanes!($count, i => self.0[i] + other.0[i])
            }
        }

        impl Sub for $numbers {
            type Output = Self;

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                lanes!($count, i => self.0[i] - other.0[i])
            }
        }

        impl Mul for $numbers {
            type Output = Self;

            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                lanes!($count, i => self.0[i] * other.0[i])
            }
        }

        impl Mul<f64> for $numbers {
            type Output = Self;

            #[inline(always)]
            fn mul(self, factor: f64) -> Self {
                lanes!($count, i => self.0[i] * factor)
            }
        }

        impl Div for $numbers {
            type Output = Self;

            #[inline(always)]
            fn div(self, other: Self) -> Self {
                lanes!($count, i => self.0[i] / other.0[i])
            }
        }

        impl Neg for $numbers {
            type Output = Self;

            #[inline(always)]
            fn neg(self) -> Self {
                lanes!($count, i => -self.0[i])
            }
        }

        impl Plain for $numbers {
            #[inline(always)]
            fn abs(self) -> Self {
                lanes!($count, i => self.0[i].abs())
            }

            #[inline(always)]
            fn with_sign_of(self, other: Self) -> Self {
                lanes!($count, i => self.0[i].copysign(other.0[i]))
            }

            #[inline(always)]
            fn split(self) -> (Self, Self) {
                let (mut exponents, mut fractions) = ([0.0; $count], [0.0; $count]);
                for lane in 0..$count {
                    (exponents[lane], fractions[lane]) = self.0[lane].split();
                }
                (Self(exponents), Self(fractions))
            }

            #[inline(always)]
            fn where_below(self, one: Self, other: Self, otherwise: Self) -> Self {
                lanes!($count, i => if one.0[i] < other.0[i] { self.0[i] } else { otherwise.0[i] })
            }

            #[inline(always)]
            fn where_at_most(self, one: Self, other: Self, otherwise: Self) -> Self {
                lanes!($count, i => if one.0[i] <= other.0[i] { self.0[i] } else { otherwise.0[i] })
            }
        }

        impl Real for $numbers {
            #[inline(always)]
            fn constant(value: f64) -> Self {
                Self([value; $count])
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                lanes!($count, i => self.0[i].sqrt())
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
                let (mut sin, mut cos) = ([0.0; $count], [0.0; $count]);
                for lane in 0..$count {
                    (sin[lane], cos[lane]) = Real::sin_cos(self.0[lane]);
                }
                (Self(sin), Self(cos))
            }

            #[inline(always)]
            fn where_nonzero(self, condition: Self, other: Self) -> Self {
                lanes!($count, i => self.0[i].where_nonzero(condition.0[i], other.0[i]))
            }

            #[inline(always)]
            fn where_above(self, bound: Self, other: Self) -> Self {
                lanes!($count, i => self.0[i].where_above(bound.0[i], other.0[i]))
            }
        }
    };
}

side_by_side!(Lanes, LANES);
side_by_side!(F64x4, 4);

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
            let four = |of: [f64; LANES]| F64x4(core::array::from_fn(|i| of[2 * i]));
            let quad = formula(four(a), four(b));
            for i in 0..4 {
                prop_assert_eq!(quad.0[i].to_bits(), lanes.0[2 * i].to_bits());
            }
        }
    }
}
