//! `ln` and `atan2` without a branch, so that many of them run side by side.
//!
//! The arithmetic of the logarithm is that of FreeBSD's msun, operation by operation, as in the crate `libm`; what is
//! decided there by branches is selected here. The tests require the bits of `libm`. The angle is a polynomial of our own.
//!
//! ```text
//! ====================================================
//! Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//!
//! Developed at SunPro, a Sun Microsystems, Inc. business.
//! Permission to use, copy, modify, and distribute this
//! software is freely granted, provided that this notice
//! is preserved.
//! ====================================================
//! ```

use crate::{Plain, Several};

/// The upper half of √½, as bits: fractions begin there.
pub(crate) const ROOT_HALF: u64 = 0x3fe6_a09e << 32;

/// What to add to the bits of a number so that its exponent counts fractions from √½ on.
pub(crate) const TO_ROOT_HALF: u64 = (0x3ff0_0000 << 32) - ROOT_HALF;

/// The bits of a number that are not sign or exponent.
pub(crate) const MANTISSA: u64 = 0x000f_ffff_ffff_ffff;

/// Bits below 2⁵¹ are a whole number with this added to them, as bits and then taken off, as a number: the instruction for it is not everywhere.
pub(crate) const MAGIC: f64 = 6_755_399_441_055_744.0;

/// A positive number that is not subnormal as its exponent, 1,023 more than it is, and a fraction from √½ to √2.
#[inline(always)]
pub(crate) fn split(x: f64) -> (f64, f64) {
    let shifted = x.to_bits().wrapping_add(TO_ROOT_HALF);
    let exponent = f64::from_bits((shifted >> 52).wrapping_add(MAGIC.to_bits())) - MAGIC;
    (exponent, f64::from_bits((shifted & MANTISSA).wrapping_add(ROOT_HALF)))
}

/// Natural logarithm.
#[inline(always)]
pub(crate) fn ln<S: Plain>(x: S) -> S {
    const TWO_TO_54: f64 = 18_014_398_509_481_984.0;
    const LN2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
    const ODD: [f64; 4] = [
        6.666_666_666_666_735e-1,
        2.857_142_874_366_239e-1,
        1.818_357_216_161_805e-1,
        1.479_819_860_511_658_6e-1,
    ];
    const EVEN: [f64; 3] = [3.999_999_999_940_942e-1, 2.222_219_843_214_978_4e-1, 1.531_383_769_920_937_3e-1];

    let (zero, of) = (S::zero(), S::constant);
    let least = of(f64::MIN_POSITIVE);
    let (exponent, fraction) = (x * TWO_TO_54).where_below(x, least, x).split();
    let k = exponent - of(1023.0 + 54.0).where_below(x, least, of(1023.0));

    let f = fraction - of(1.0);
    let half_sq = f * 0.5 * f;
    let s = f / (of(2.0) + f);
    let z = s * s;
    let w = z * z;
    let even = w * (of(EVEN[0]) + w * (of(EVEN[1]) + w * EVEN[2]));
    let odd = z * (of(ODD[0]) + w * (of(ODD[1]) + w * (of(ODD[2]) + w * ODD[3])));
    let log = s * (half_sq + (odd + even)) + k * LN2[1] - half_sq + f + k * LN2[0];

    let log = log.where_below(x, of(f64::INFINITY), x);
    let log = log.where_nonzero(x, of(f64::NEG_INFINITY));
    of(f64::NAN).where_below(x, zero, log)
}

/// The angle of the point (`x`, `y`), in radians, in [−π, π], for numbers that are neither subnormal nor above 10³⁰⁸ in size; 0 where both are zero, and no number where one is none.
///
/// One division: the point is brought between an axis and the diagonal, and there to the nearer of two directions, the axis and the one of slope `c`, so that what is left is
/// the angle of a tangent `t` of at most 0.2683. Then `atan t = t + t³ p(t²)`, with `p` of the least relative error there, 2⁻⁵⁵·⁷: right to three units in the last place.
#[inline(always)]
pub(crate) fn angles<S: Plain, const K: usize>(y: [S; K], x: [S; K]) -> [S; K] {
    atan2(Several(y), Several(x)).0
}

#[inline(always)]
fn atan2<S: Plain>(y: S, x: S) -> S {
    const C: f64 = 0.578_125;
    const ATAN_C: f64 = 0.524_179_628_782_913_2;
    // The slope halfway to c.
    const HALFWAY: f64 = 0.268_260_494_948_780_5;
    const P: [f64; 8] = [
        -0.333_333_333_333_309_56,
        0.199_999_999_989_238_65,
        -0.142_857_141_191_344_13,
        0.111_110_986_164_961_12,
        -0.090_903_889_631_554_09,
        0.076_796_187_850_799_28,
        -0.064_850_434_256_992_06,
        0.044_445_458_863_729_886,
    ];
    let (zero, of) = (S::zero(), S::constant);
    let (ax, ay) = (x.abs(), y.abs());
    let (less, more) = (ax.where_below(ax, ay, ay), ay.where_below(ax, ay, ax));
    let halfway = more * HALFWAY;
    let c = of(C).where_below(halfway, less, zero);
    let t = ((less - more * c) / (more + less * c)).where_nonzero(more + less, zero);
    let z = t * t;
    let z2 = z * z;
    let low = (z * P[1] + of(P[0])) + (z * P[3] + of(P[2])) * z2;
    let high = (z * P[5] + of(P[4])) + (z * P[7] + of(P[6])) * z2;
    let angle = t + t * z * (low + high * (z2 * z2));
    let angle = (angle + of(ATAN_C)).where_below(halfway, less, angle);
    let angle = (of(core::f64::consts::FRAC_PI_2) - angle).where_below(ax, ay, angle);
    let angle = (of(core::f64::consts::PI) - angle).where_below(x, zero, angle);
    angle.with_sign_of(y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers where something special happens, and their neighbours.
    fn special() -> Vec<f64> {
        let places = [
            0.0,
            f64::MIN_POSITIVE,
            5e-324,
            1e-310,
            f64::MAX,
            f64::INFINITY,
            1.0,
            0.5,
            core::f64::consts::SQRT_2,
            core::f64::consts::FRAC_1_SQRT_2,
            2.0_f64.powi(-27),
            2.0_f64.powi(-64),
            3e300,
            7e-300,
        ];
        let around = |p: f64| [p, p.next_up(), p.next_down()];
        let positive: Vec<f64> = places.into_iter().flat_map(around).collect();
        let negative = positive.iter().map(|v| -v);
        positive.iter().copied().chain(negative).collect()
    }

    fn same(ours: f64, theirs: f64) -> bool {
        ours.to_bits() == theirs.to_bits() || (ours.is_nan() && theirs.is_nan())
    }

    #[test]
    fn special_cases_of_the_logarithm_are_those_of_the_library() {
        for &a in &special() {
            assert!(same(ln(a), libm::log(a)), "ln({a:e}): {:e} {:e}", ln(a), libm::log(a));
        }
    }

    /// By how many units in the last place of the truth an angle is off; the library's own is off by less than one.
    fn off_by_units(y: f64, x: f64) -> f64 {
        let truth = libm::atan2(y, x);
        let unit = truth.abs().next_up() - truth.abs();
        (atan2(y, x) - truth).abs() / unit
    }

    #[test]
    fn angles_along_axes_are_exact_whatever_the_size_and_those_of_diagonals_to_the_last_places() {
        use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
        for size in [5e-324, 1e-300, 0.3, 1.0, 7e200] {
            for (y, x, angle) in [
                (0.0, size, 0.0),
                (size, 0.0, FRAC_PI_2),
                (-size, -0.0, -FRAC_PI_2),
                (0.0, -size, PI),
                (-0.0, -size, -PI),
            ] {
                assert_eq!(atan2(y, x).to_bits(), f64::to_bits(angle), "{y:e} {x:e}");
            }
            assert_eq!(atan2(-0.0, size).to_bits(), (-0.0_f64).to_bits());
            for (y, x, angle) in [(size, size, FRAC_PI_4), (size, -size, 3.0 * FRAC_PI_4)] {
                assert!(
                    size < f64::MIN_POSITIVE || (atan2(y, x) - angle).abs() < 5e-16,
                    "{y:e} {x:e}: {:e}",
                    atan2(y, x)
                );
            }
        }
        assert_eq!((atan2(0.0, 0.0), atan2(0.0, -0.0)), (0.0, 0.0));
    }

    #[test]
    fn what_is_no_number_has_no_angle() {
        for other in [0.0, -0.0, 1.0, -1.0, f64::NAN] {
            assert!(atan2(f64::NAN, other).is_nan() && atan2(other, f64::NAN).is_nan(), "{other}");
        }
    }

    #[test]
    fn an_angle_is_right_where_the_polynomial_changes() {
        for slope in [0.268_260_494_948_780_5_f64, 1.0, 1.0 / 0.268_260_494_948_780_5, 0.578_125] {
            let mut y = slope;
            for _ in 0..40 {
                y = y.next_down();
            }
            for _ in 0..80 {
                assert!(off_by_units(y, 1.0) <= 3.0 && off_by_units(y, -1.0) <= 3.0, "{y:e}");
                y = y.next_up();
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_bits_give_the_logarithm_of_the_library(a in any::<u64>()) {
            let a = f64::from_bits(a);
            prop_assert!(same(ln(a), libm::log(a)));
        }

        #[test]
        fn ordinary_numbers_give_the_logarithm_of_the_library(a in -10.0..10.0_f64) {
            prop_assert!(same(ln(a), libm::log(a)));
        }

        #[test]
        fn any_angle_is_right_to_three_units_in_the_last_place(y in -10.0..10.0_f64, x in -10.0..10.0_f64, k in -900..900_i32, l in -40..40_i32) {
            // Of any size, and of any slope.
            let (y, x) = (y * 2.0_f64.powi(k), x * 2.0_f64.powi(k + l));
            prop_assert!(off_by_units(y, x) <= 3.0, "{} {:e} {:e}", off_by_units(y, x), atan2(y, x), libm::atan2(y, x));
            prop_assert_eq!(atan2(-y, x).to_bits(), (-atan2(y, x)).to_bits());
        }
    }
}
