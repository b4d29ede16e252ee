//! `ln` and `atan2` without a branch, so that eight of them run side by side.
//!
//! The arithmetic is that of FreeBSD's msun, operation by operation, as in the crate `libm`; what is
//! decided there by branches is selected here. The tests ask for the bits of `libm`.
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

#[inline(always)]
fn select<T>(condition: bool, yes: T, no: T) -> T {
    if condition { yes } else { no }
}

/// An integer below 2⁵¹ in absolute value as a float, by addition: the instruction for it is not everywhere.
#[inline(always)]
fn float(k: i64) -> f64 {
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    f64::from_bits((k as u64).wrapping_add(MAGIC.to_bits())) - MAGIC
}

/// Natural logarithm.
#[inline(always)]
pub(crate) fn ln(x: f64) -> f64 {
    const TWO_TO_54: f64 = 18_014_398_509_481_984.0;
    const LN2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
    const ODD: [f64; 4] = [
        6.666_666_666_666_735e-1,
        2.857_142_874_366_239e-1,
        1.818_357_216_161_805e-1,
        1.479_819_860_511_658_6e-1,
    ];
    const EVEN: [f64; 3] = [3.999_999_999_940_942e-1, 2.222_219_843_214_978_4e-1, 1.531_383_769_920_937_3e-1];
    // The upper halves of 1 and of √½: the fraction is brought between √½ and √2.
    const ONE: u64 = 0x3ff0_0000 << 32;
    const ROOT_HALF: u64 = 0x3fe6_a09e << 32;

    let subnormal = x < f64::MIN_POSITIVE;
    let scaled = select(subnormal, x * TWO_TO_54, x);
    let shifted = scaled.to_bits().wrapping_add(ONE - ROOT_HALF);
    let exponent = (shifted >> 52) as i64 - select(subnormal, 0x3ff + 54, 0x3ff);
    let fraction = f64::from_bits((shifted & 0x000f_ffff_ffff_ffff).wrapping_add(ROOT_HALF));

    let f = fraction - 1.0;
    let half_sq = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (EVEN[0] + w * (EVEN[1] + w * EVEN[2]));
    let odd = z * (ODD[0] + w * (ODD[1] + w * (ODD[2] + w * ODD[3])));
    let k = float(exponent);
    let log = s * (half_sq + (odd + even)) + k * LN2[1] - half_sq + f + k * LN2[0];

    let log = select(x < f64::INFINITY, log, x);
    let log = select(x == 0.0, f64::NEG_INFINITY, log);
    select(x < 0.0, f64::NAN, log)
}

/// The angle whose tangent is `t`, for `t` ≥ 0 or not a number.
#[inline(always)]
fn atan(t: f64) -> f64 {
    const ODD: [f64; 6] = [
        3.333_333_333_333_293e-1,
        1.428_571_427_250_346_6e-1,
        9.090_887_133_436_507e-2,
        6.661_073_137_387_531e-2,
        4.976_877_994_615_932_4e-2,
        1.628_582_011_536_578_2e-2,
    ];
    const EVEN: [f64; 5] = [
        -1.999_999_999_987_648_3e-1,
        -1.111_111_040_546_235_6e-1,
        -7.691_876_205_044_83e-2,
        -5.833_570_133_790_573_5e-2,
        -3.653_157_274_421_691_6e-2,
    ];
    // atan t = atan c + atan((t − c)/(1 + c t)), with c = 0, ½, 1, 3/2, ∞ by the size of t.
    let (small, half, one) = (t < 0.4375, t < 0.6875, t < 1.1875);
    let three_halves = t < 2.4375;
    let above = select(three_halves, t - 1.5, -1.0);
    let above = select(one, t - 1.0, above);
    let above = select(half, 2.0 * t - 1.0, above);
    let above = select(small, t, above);
    let below = select(three_halves, 1.0 + 1.5 * t, t);
    let below = select(one, t + 1.0, below);
    let below = select(half, 2.0 + t, below);
    let below = select(small, 1.0, below);
    let high = select(three_halves, 9.827_937_232_473_29e-1, core::f64::consts::FRAC_PI_2);
    let high = select(one, core::f64::consts::FRAC_PI_4, high);
    let high = select(half, 4.636_476_090_008_061e-1, high);
    let high = select(small, 0.0, high);
    let low = select(three_halves, 1.390_331_103_123_099_8e-17, 6.123_233_995_736_766e-17);
    let low = select(one, 3.061_616_997_868_383e-17, low);
    let low = select(half, 2.269_877_745_296_168_7e-17, low);
    let low = select(small, 0.0, low);

    let x = above / below;
    let z = x * x;
    let w = z * z;
    let odd = z * (ODD[0] + w * (ODD[1] + w * (ODD[2] + w * (ODD[3] + w * (ODD[4] + w * ODD[5])))));
    let even = w * (EVEN[0] + w * (EVEN[1] + w * (EVEN[2] + w * (EVEN[3] + w * EVEN[4]))));
    high - (x * (odd + even) - low - x)
}

/// The angle of the point (`x`, `y`), in radians, in [−π, π].
#[inline(always)]
pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    const PI: [f64; 2] = [core::f64::consts::PI, 1.224_646_799_147_353_2e-16];
    let (ax, ay) = (x.abs(), y.abs());
    // 0/0 and ∞/∞ are no numbers: the angles are 0 and π/4 then.
    let ratio = ay / ax;
    let ratio = select(ay == 0.0, 0.0, ratio);
    let ratio = select(ax == f64::INFINITY && ay == f64::INFINITY, 1.0, ratio);
    let first = atan(ratio);

    let behind = PI[0] - (first - PI[1]);
    let angle = select(x.is_sign_negative(), behind, first);
    // Beyond 2⁶⁴ it is a right angle, whatever the sign of x.
    let upright = (ax.to_bits() >> 32) + (64 << 20) < (ay.to_bits() >> 32);
    let upright = upright || ax == 0.0 || ay == f64::INFINITY;
    let upright = upright && ay != 0.0 && ax != f64::INFINITY;
    let angle = select(upright, core::f64::consts::FRAC_PI_2, angle).copysign(y);
    select(x.is_nan() || y.is_nan(), x + y, angle)
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
            0.4375,
            0.6875,
            1.1875,
            2.4375,
            core::f64::consts::SQRT_2,
            core::f64::consts::FRAC_1_SQRT_2,
            2.0_f64.powi(64),
            2.0_f64.powi(66),
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
    fn special_cases_are_those_of_the_library() {
        for &a in &special() {
            assert!(same(ln(a), libm::log(a)), "ln({a:e}): {:e} {:e}", ln(a), libm::log(a));
            for &b in &special() {
                assert!(same(atan2(a, b), libm::atan2(a, b)), "atan2({a:e}, {b:e}): {:e}", atan2(a, b));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_bits_give_the_bits_of_the_library(a in any::<u64>(), b in any::<u64>()) {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            prop_assert!(same(ln(a), libm::log(a)) && same(atan2(a, b), libm::atan2(a, b)));
        }

        #[test]
        fn ordinary_numbers_give_the_bits_of_the_library(a in -10.0..10.0_f64, b in -10.0..10.0_f64) {
            prop_assert!(same(ln(a), libm::log(a)) && same(atan2(a, b), libm::atan2(a, b)));
        }
    }
}
