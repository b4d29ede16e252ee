//! Eight numbers in vector registers of x86: two of four numbers, or one of eight.
//!
//! The compiler could find these vectors in loops over arrays, and then takes them apart again to share a product of two lanes; here it has nothing
//! to find.
//!
//! A register is safe to compute with where the machine has its instructions, and nobody can get hold of one elsewhere: this module is private to
//! its parent, so other code reaches the types only as the numbers of a [`Width`](crate::Width); no width can be made outside of this crate, and
//! here only by looking whether the instructions are there (`HasInstructions`). Within the crate `vectorize` alone names these widths, each with a value in hand.

#![expect(unsafe_code, reason = "vector instructions, behind a value that proves they are there")]

use core::arch::x86_64::{
    __m256d, __m512d, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_NEQ_UQ, _mm256_add_epi64, _mm256_add_pd, _mm256_and_pd,
    _mm256_and_si256, _mm256_andnot_pd, _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castsi256_pd,
    _mm256_cmp_pd, _mm256_div_pd, _mm256_mul_pd, _mm256_or_pd, _mm256_set1_epi64x, _mm256_set1_pd,
    _mm256_setzero_pd, _mm256_sqrt_pd, _mm256_srli_epi64, _mm256_sub_pd, _mm256_xor_pd, _mm512_abs_pd,
    _mm512_add_epi64, _mm512_add_pd, _mm512_and_pd, _mm512_and_si512, _mm512_castpd_si512,
    _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_div_pd, _mm512_mask_blend_pd, _mm512_mul_pd,
    _mm512_or_pd, _mm512_set1_epi64, _mm512_set1_pd, _mm512_setzero_pd, _mm512_sqrt_pd, _mm512_srli_epi64,
    _mm512_sub_pd, _mm512_xor_pd,
};
use core::ops::{Add, Div, Mul, Neg, Sub};

use crate::transcendental::{MAGIC, MANTISSA, ROOT_HALF, TO_ROOT_HALF};
use crate::{Plain, Real, transcendental};

/// What a vector register can do, lane by lane.
pub trait Register: Copy + core::fmt::Debug {
    fn splat(value: f64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn opposite(self) -> Self;
    fn root(self) -> Self;
    fn size(self) -> Self;
    fn with_sign_of(self, other: Self) -> Self;
    fn exponent(self) -> Self;
    fn fraction(self) -> Self;
    fn where_nonzero(self, condition: Self, other: Self) -> Self;
    fn where_below(self, low: Self, high: Self, other: Self) -> Self;
    fn where_at_most(self, low: Self, high: Self, other: Self) -> Self;

    /// Applies a function to each lane that no vector instruction computes.
    #[inline(always)]
    fn one_by_one(mut self, function: impl Fn(f64) -> f64) -> Self {
        let count = size_of::<Self>() / size_of::<f64>();
        let first = core::ptr::from_mut(&mut self).cast::<f64>();
        // SAFETY: a register is so many numbers, of any bits, and aligned for them; nothing else refers to it.
        for number in unsafe { core::slice::from_raw_parts_mut(first, count) } {
            *number = function(*number);
        }
        self
    }
}

/// Functions of a few instructions each.
macro_rules! instructions {
    ($(fn $name:ident($($number:ident: $kind:ty),*) = $value:expr;)*) => {
        $(
            #[inline(always)]
            fn $name($($number: $kind),*) -> Self {
                // SAFETY: code that reaches a register or its type was handed a `Width`, whose `HasInstructions` says that the machine has the instructions.
                unsafe { $value }
            }
        )*
    };
}

impl Register for __m256d {
    instructions! {
        fn splat(value: f64) = _mm256_set1_pd(value);
        fn plus(self: Self, other: Self) = _mm256_add_pd(self, other);
        fn minus(self: Self, other: Self) = _mm256_sub_pd(self, other);
        fn times(self: Self, other: Self) = _mm256_mul_pd(self, other);
        fn over(self: Self, other: Self) = _mm256_div_pd(self, other);
        fn opposite(self: Self) = _mm256_xor_pd(self, Self::splat(-0.0));
        fn root(self: Self) = _mm256_sqrt_pd(self);
        fn size(self: Self) = _mm256_andnot_pd(Self::splat(-0.0), self);
        fn with_sign_of(self: Self, other: Self) = _mm256_or_pd(self.size(), _mm256_and_pd(other, Self::splat(-0.0)));
        fn exponent(self: Self) = {
            let whole = _mm256_srli_epi64::<52>(_mm256_add_epi64(_mm256_castpd_si256(self), _mm256_set1_epi64x(TO_ROOT_HALF.cast_signed())));
            let magic = Self::splat(MAGIC);
            _mm256_castsi256_pd(_mm256_add_epi64(whole, _mm256_castpd_si256(magic))).minus(magic)
        };
        fn fraction(self: Self) = {
            let mantissa = _mm256_and_si256(_mm256_add_epi64(_mm256_castpd_si256(self), _mm256_set1_epi64x(TO_ROOT_HALF.cast_signed())), _mm256_set1_epi64x(MANTISSA.cast_signed()));
            _mm256_castsi256_pd(_mm256_add_epi64(mantissa, _mm256_set1_epi64x(ROOT_HALF.cast_signed())))
        };
        fn where_nonzero(self: Self, condition: Self, other: Self) =
            _mm256_blendv_pd(other, self, _mm256_cmp_pd::<_CMP_NEQ_UQ>(condition, _mm256_setzero_pd()));
        fn where_below(self: Self, low: Self, high: Self, other: Self) =
            _mm256_blendv_pd(other, self, _mm256_cmp_pd::<_CMP_LT_OQ>(low, high));
        fn where_at_most(self: Self, low: Self, high: Self, other: Self) =
            _mm256_blendv_pd(other, self, _mm256_cmp_pd::<_CMP_LE_OQ>(low, high));
    }
}

impl Register for __m512d {
    instructions! {
        fn splat(value: f64) = _mm512_set1_pd(value);
        fn plus(self: Self, other: Self) = _mm512_add_pd(self, other);
        fn minus(self: Self, other: Self) = _mm512_sub_pd(self, other);
        fn times(self: Self, other: Self) = _mm512_mul_pd(self, other);
        fn over(self: Self, other: Self) = _mm512_div_pd(self, other);
        fn opposite(self: Self) = _mm512_xor_pd(self, Self::splat(-0.0));
        fn root(self: Self) = _mm512_sqrt_pd(self);
        fn size(self: Self) = _mm512_abs_pd(self);
        fn with_sign_of(self: Self, other: Self) = _mm512_or_pd(self.size(), _mm512_and_pd(other, Self::splat(-0.0)));
        fn exponent(self: Self) = {
            let whole = _mm512_srli_epi64::<52>(_mm512_add_epi64(_mm512_castpd_si512(self), _mm512_set1_epi64(TO_ROOT_HALF.cast_signed())));
            let magic = Self::splat(MAGIC);
            _mm512_castsi512_pd(_mm512_add_epi64(whole, _mm512_castpd_si512(magic))).minus(magic)
        };
        fn fraction(self: Self) = {
            let mantissa = _mm512_and_si512(_mm512_add_epi64(_mm512_castpd_si512(self), _mm512_set1_epi64(TO_ROOT_HALF.cast_signed())), _mm512_set1_epi64(MANTISSA.cast_signed()));
            _mm512_castsi512_pd(_mm512_add_epi64(mantissa, _mm512_set1_epi64(ROOT_HALF.cast_signed())))
        };
        fn where_nonzero(self: Self, condition: Self, other: Self) =
            _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(condition, _mm512_setzero_pd()), other, self);
        fn where_below(self: Self, low: Self, high: Self, other: Self) =
            _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(low, high), other, self);
        fn where_at_most(self: Self, low: Self, high: Self, other: Self) =
            _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(low, high), other, self);
    }
}

/// The numbers in a register.
#[derive(Clone, Copy, Debug)]
pub struct Vector<R>(pub(super) R);

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
        transcendental::ln(self)
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
        self.where_below(bound, self, other)
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
    fn split(self) -> (Self, Self) {
        (Self(self.0.exponent()), Self(self.0.fraction()))
    }

    #[inline(always)]
    fn where_below(self, one: Self, other: Self, otherwise: Self) -> Self {
        Self(self.0.where_below(one.0, other.0, otherwise.0))
    }

    #[inline(always)]
    fn where_at_most(self, one: Self, other: Self, otherwise: Self) -> Self {
        Self(self.0.where_at_most(one.0, other.0, otherwise.0))
    }
}
