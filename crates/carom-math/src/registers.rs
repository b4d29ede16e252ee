//! Eight numbers in vector registers of x86: two of four numbers, or one of eight.
//!
//! The compiler could find these vectors in loops over arrays, and then takes them apart again to share a product of two lanes; here it has nothing
//! to find. The types are within reach only of code that a [`Width`](crate::Width) was handed to, which proves that the machine has the instructions.

#![expect(unsafe_code, reason = "vector instructions, behind a value that proves they are there")]

use core::arch::x86_64::{
    __m256d, __m512d, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_NEQ_UQ, _mm256_add_pd, _mm256_and_pd, _mm256_andnot_pd,
    _mm256_blendv_pd, _mm256_cmp_pd, _mm256_div_pd, _mm256_mul_pd, _mm256_or_pd, _mm256_set1_pd,
    _mm256_setzero_pd, _mm256_sqrt_pd, _mm256_sub_pd, _mm256_xor_pd, _mm512_abs_pd, _mm512_add_pd,
    _mm512_and_pd, _mm512_cmp_pd_mask, _mm512_div_pd, _mm512_mask_blend_pd, _mm512_mul_pd, _mm512_or_pd,
    _mm512_set1_pd, _mm512_setzero_pd, _mm512_sqrt_pd, _mm512_sub_pd, _mm512_xor_pd,
};
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::{Plain, Real, transcendental};

/// What a vector register can do.
pub(crate) trait Register: Copy + core::fmt::Debug {
    fn splat(value: f64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn opposite(self) -> Self;
    fn root(self) -> Self;
    fn size(self) -> Self;
    fn with_sign_of(self, other: Self) -> Self;
    fn where_nonzero(self, condition: Self, other: Self) -> Self;
    fn where_less(self, one: Self, than: Self, other: Self) -> Self;
    fn where_at_most(self, one: Self, other: Self, otherwise: Self) -> Self;
    fn one_by_one(self, f: impl Fn(f64) -> f64) -> Self;
}

/// One instruction for each operation.
macro_rules! register {
    ($register:ty, $count:expr, $splat:ident, $add:ident, $sub:ident, $mul:ident, $div:ident, $sqrt:ident, $xor:ident, $and:ident, $or:ident, $abs:expr, $choose_nonzero:expr, $choose_less:expr, $choose_at_most:expr) => {
        // SAFETY: of every block below: a register of this kind is only ever made where the machine has it.
        impl Register for $register {
            #[inline(always)]
            fn splat(value: f64) -> Self {
                unsafe { $splat(value) }
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                unsafe { $add(self, other) }
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                unsafe { $sub(self, other) }
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                unsafe { $mul(self, other) }
            }

            #[inline(always)]
            fn over(self, other: Self) -> Self {
                unsafe { $div(self, other) }
            }

            #[inline(always)]
            fn opposite(self) -> Self {
                unsafe { $xor(self, $splat(-0.0)) }
            }

            #[inline(always)]
            fn root(self) -> Self {
                unsafe { $sqrt(self) }
            }

            #[inline(always)]
            fn size(self) -> Self {
                unsafe { $abs(self) }
            }

            #[inline(always)]
            fn with_sign_of(self, other: Self) -> Self {
                unsafe { $or($abs(self), $and(other, $splat(-0.0))) }
            }

            #[inline(always)]
            fn where_nonzero(self, condition: Self, other: Self) -> Self {
                unsafe { $choose_nonzero(self, condition, other) }
            }

            #[inline(always)]
            fn where_less(self, one: Self, than: Self, other: Self) -> Self {
                unsafe { $choose_less(self, one, than, other) }
            }

            #[inline(always)]
            fn where_at_most(self, one: Self, other: Self, otherwise: Self) -> Self {
                unsafe { $choose_at_most(self, one, other, otherwise) }
            }

            #[inline(always)]
            fn one_by_one(mut self, f: impl Fn(f64) -> f64) -> Self {
                let numbers: *mut [f64; $count] = core::ptr::from_mut(&mut self).cast();
                let numbers = unsafe { &mut *numbers };
                for number in numbers {
                    *number = f(*number);
                }
                self
            }
        }
    };
}

register!(
    __m256d,
    4,
    _mm256_set1_pd,
    _mm256_add_pd,
    _mm256_sub_pd,
    _mm256_mul_pd,
    _mm256_div_pd,
    _mm256_sqrt_pd,
    _mm256_xor_pd,
    _mm256_and_pd,
    _mm256_or_pd,
    |v| _mm256_andnot_pd(_mm256_set1_pd(-0.0), v),
    |v, condition, other| {
        let zero = _mm256_setzero_pd();
        _mm256_blendv_pd(other, v, _mm256_cmp_pd::<_CMP_NEQ_UQ>(condition, zero))
    },
    |v, one, than, other| _mm256_blendv_pd(other, v, _mm256_cmp_pd::<_CMP_LT_OQ>(one, than)),
    |v, one, than, other| _mm256_blendv_pd(other, v, _mm256_cmp_pd::<_CMP_LE_OQ>(one, than))
);

register!(
    __m512d,
    8,
    _mm512_set1_pd,
    _mm512_add_pd,
    _mm512_sub_pd,
    _mm512_mul_pd,
    _mm512_div_pd,
    _mm512_sqrt_pd,
    _mm512_xor_pd,
    _mm512_and_pd,
    _mm512_or_pd,
    |v| _mm512_abs_pd(v),
    |v, condition, other| {
        let zero = _mm512_setzero_pd();
        _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(condition, zero), other, v)
    },
    |v, one, than, other| _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(one, than), other, v),
    |v, one, than, other| _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(one, than), other, v)
);

/// The numbers in a register.
#[derive(Clone, Copy, Debug)]
pub struct Vector<R>(pub(crate) R);

impl<R: Register> Add for Vector<R> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0.plus(other.0))
    }
}

impl<R: Register> Sub for Vector<R> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0.minus(other.0))
    }
}

impl<R: Register> Mul for Vector<R> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0.times(other.0))
    }
}

impl<R: Register> Mul<f64> for Vector<R> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        Self(self.0.times(R::splat(factor)))
    }
}

impl<R: Register> Div for Vector<R> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0.over(other.0))
    }
}

impl<R: Register> Neg for Vector<R> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.opposite())
    }
}

impl<R: Register> Real for Vector<R> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Self(R::splat(value))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.root())
    }

    #[inline(always)]
    fn ln(self) -> Self {
        Self(self.0.one_by_one(Real::ln))
    }

    #[inline(always)]
    fn angles<const K: usize>(y: [Self; K], x: [Self; K]) -> [Self; K] {
        transcendental::angles(y, x)
    }

    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let sin_cos: fn(f64) -> (f64, f64) = Real::sin_cos;
        (Self(self.0.one_by_one(|angle| sin_cos(angle).0)), Self(self.0.one_by_one(|angle| sin_cos(angle).1)))
    }

    #[inline(always)]
    fn where_nonzero(self, condition: Self, other: Self) -> Self {
        Self(self.0.where_nonzero(condition.0, other.0))
    }

    #[inline(always)]
    fn where_above(self, bound: Self, other: Self) -> Self {
        Self(self.0.where_less(bound.0, self.0, other.0))
    }
}

impl<R: Register> Plain for Vector<R> {
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.size())
    }

    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        Self(self.0.with_sign_of(other.0))
    }

    #[inline(always)]
    fn where_at_most(self, one: Self, other: Self, otherwise: Self) -> Self {
        Self(self.0.where_at_most(one.0, other.0, otherwise.0))
    }
}
