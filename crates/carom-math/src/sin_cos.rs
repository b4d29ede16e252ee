//! Sine and cosine without a branch, so that eight of them run side by side.
//!
//! The arithmetic is that of FreeBSD's msun for angles of ordinary size, as in the crate `libm` (its licence is in
//! `transcendental`): the angle less the nearest multiple of a right angle, in two numbers, and a polynomial each. The tests require
//! agreement with `libm` to the last place up to 2²⁰ right angles, a quarter of a million revolutions; beyond that, right angles are not
//! known well enough.

/// Sine and cosine of `angle`, in radians.
#[inline(always)]
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    const RIGHT_ANGLES: f64 = core::f64::consts::FRAC_2_PI;
    /// A right angle in three parts, of 33 bits each and what is left.
    const RIGHT_ANGLE: [f64; 3] =
        [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
    const TO_WHOLE: f64 = 6_755_399_441_055_744.0;
    let shifted = angle * RIGHT_ANGLES + TO_WHOLE;
    let quadrant = shifted.to_bits() & 3;
    let whole = shifted - TO_WHOLE;

    let rough = angle - whole * RIGHT_ANGLE[0];
    let near = whole * RIGHT_ANGLE[1];
    let rest = rough - near;
    let tail = whole * RIGHT_ANGLE[2] - ((rough - rest) - near);
    let x = rest - tail;
    let y = (rest - x) - tail;

    let (s, c) = (sine(x, y), cosine(x, y));
    let is_odd = quadrant & 1 == 1;
    let (sin, cos) = if is_odd { (c, s) } else { (s, c) };
    (if quadrant >= 2 { -sin } else { sin }, if quadrant == 1 || quadrant == 2 { -cos } else { cos })
}

/// Sine of `x + y` within half a right angle, `y` far smaller than `x`.
#[inline(always)]
fn sine(x: f64, y: f64) -> f64 {
    const S: [f64; 6] = [
        -0.166_666_666_666_666_32,
        0.008_333_333_333_322_49,
        -0.000_198_412_698_298_579_5,
        2.755_731_370_707_006_8e-06,
        -2.505_076_025_340_686_3e-08,
        1.589_690_995_211_55e-10,
    ];
    let z = x * x;
    let w = z * z;
    let r = S[1] + z * (S[2] + z * S[3]) + z * w * (S[4] + z * S[5]);
    let v = z * x;
    x - ((z * (0.5 * y - v * r) - y) - v * S[0])
}

/// Cosine of `x + y` within half a right angle, `y` far smaller than `x`.
#[inline(always)]
fn cosine(x: f64, y: f64) -> f64 {
    const C: [f64; 6] = [
        0.041_666_666_666_666_6,
        -0.001_388_888_888_887_411,
        2.480_158_728_947_673e-05,
        -2.755_731_435_139_066_3e-07,
        2.087_572_321_298_175e-09,
        -1.135_964_755_778_819_5e-11,
    ];
    let z = x * x;
    let w = z * z;
    let r = z * (C[0] + z * (C[1] + z * C[2])) + w * w * (C[3] + z * (C[4] + z * C[5]));
    let half = 0.5 * z;
    let w = 1.0 - half;
    w + (((1.0 - w) - half) + (z * r - x * y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ulps(ours: f64, theirs: f64) -> u64 {
        ours.to_bits().abs_diff(theirs.to_bits())
    }

    #[test]
    fn what_is_no_angle_has_no_sine_and_zero_has_its_own() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        for angle in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let (sin, cos) = sin_cos(angle);
            assert!(sin.is_nan() && cos.is_nan(), "{angle}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn small_angles_give_the_bits_of_the_library(angle in -0.785..0.785_f64) {
            let (sin, cos) = sin_cos(angle);
            prop_assert_eq!(cos.to_bits(), libm::cos(angle).to_bits());
            prop_assert!(ulps(sin, libm::sin(angle)) <= 1);
        }

        #[test]
        fn many_turns_give_the_library_s_last_place(angle in -1.6e6..1.6e6_f64) {
            let (sin, cos) = sin_cos(angle);
            prop_assert!(ulps(sin, libm::sin(angle)) <= 1 && ulps(cos, libm::cos(angle)) <= 1);
        }
    }
}
