//! The sign of the volume of a tetrahedron, whatever its coordinates.
//!
//! The determinant is 24 products of three coordinates. A product of three doubles is a whole number of 159 bits times a power of two, and
//! every power that can occur has its place in one long row of digits: nothing overflows, underflows or is rounded.

use carom_math::Vec3;

/// Bits of a digit.
const BITS: usize = 32;

/// The exponent of the lowest digit: three times that of the least double.
const LOWEST: i32 = -3 * 1074;

/// Digits from there to beyond the product of the three largest doubles.
const DIGITS: usize = 200;

/// Terms of a determinant of three rows: the columns of its factors in the first, second and third row, and the sign.
const TERMS: [([usize; 3], i64); 6] =
    [([0, 1, 2], 1), ([1, 2, 0], 1), ([2, 0, 1], 1), ([2, 1, 0], -1), ([0, 2, 1], -1), ([1, 0, 2], -1)];

/// The sign of the determinant of `a − d`, `b − d` and `c − d`; coordinates must be finite.
pub(super) fn volume_sign([a, b, c, d]: [Vec3; 4]) -> i8 {
    let mut sum = Row([0; DIGITS]);
    // Linear in every row: what has `d` in two rows vanishes.
    for (rows, sign) in [([a, b, c], 1), ([d, b, c], -1), ([a, d, c], -1), ([a, b, d], -1)] {
        for (columns, of_term) in TERMS {
            sum.add([0, 1, 2].map(|row| rows[row][columns[row]]), sign * of_term);
        }
    }
    sum.sign()
}

/// A whole number of 2^LOWEST; digits of any sign, the lowest first.
struct Row([i64; DIGITS]);

impl Row {
    /// Adds a product, or subtracts it if `sign` is −1. Its digits are below 2^32, so that many products fit before carries.
    fn add(&mut self, factors: [f64; 3], sign: i64) {
        let [x, y, z] = factors.map(parts);
        let sign = sign * x.sign * y.sign * z.sign;
        let exponent = x.exponent + y.exponent + z.exponent;
        let place = usize::try_from(exponent - LOWEST).expect("no product is finer than the finest");
        let (first, shift) = (place / BITS, place % BITS);
        let [low, high] =
            split(u128::from(x.mantissa) * u128::from(y.mantissa)).map(|half| half * u128::from(z.mantissa));
        let [[low, carry], [next, top]] = [split(low), split(high)];
        let [next, carry] = split(next + carry);
        // 159 bits in three words, then moved to where the digits are.
        let words = [low, next, top + carry];
        for (i, word) in words.into_iter().enumerate() {
            let moved = word << shift;
            for (k, digit) in self.0[first + 2 * i..first + 2 * i + 3].iter_mut().enumerate() {
                *digit += sign * i64::from((moved >> (BITS * k)) as u32);
            }
        }
    }

    fn sign(&self) -> i8 {
        let (mut carry, mut is_zero) = (0_i64, true);
        for digit in self.0 {
            let sum = digit + carry;
            is_zero &= sum & i64::from(u32::MAX) == 0;
            carry = sum >> BITS;
        }
        if carry < 0 { -1 } else { i8::from(!is_zero || carry > 0) }
    }
}

/// The lower and the upper 64 bits.
fn split(number: u128) -> [u128; 2] {
    [number & u128::from(u64::MAX), number >> 64]
}

/// A finite double as sign · mantissa · 2^exponent.
struct Parts {
    sign: i64,
    mantissa: u64,
    exponent: i32,
}

fn parts(x: f64) -> Parts {
    let bits = x.to_bits();
    let (biased, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
    let (mantissa, exponent) =
        if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    Parts { sign: if x.is_sign_negative() { -1 } else { 1 }, mantissa, exponent }
}

#[cfg(test)]
mod tests {
    use carom_ccd::dyadic;
    use dashu_int::IBig;
    use proptest::prelude::*;

    use super::*;

    /// The same in whole numbers without a bound.
    fn judge(points: [Vec3; 4]) -> i8 {
        let coordinates: Vec<f64> = points.iter().flat_map(|p| p.to_array()).collect();
        let whole = dyadic::integers(&coordinates);
        let row = |i: usize| -> [IBig; 3] { core::array::from_fn(|k| &whole[3 * i + k] - &whole[9 + k]) };
        let (a, b, c) = (row(0), row(1), row(2));
        let minor = |i: usize, j: usize| &b[i] * &c[j] - &b[j] * &c[i];
        let volume = &a[0] * minor(1, 2) + &a[1] * minor(2, 0) + &a[2] * minor(0, 1);
        i8::from(volume > IBig::ZERO) - i8::from(volume < IBig::ZERO)
    }

    fn any_number() -> impl Strategy<Value = f64> {
        let few = prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            -1.0,
            f64::MIN_POSITIVE,
            f64::from_bits(1),
            -f64::from_bits(3),
            f64::MAX,
            f64::MIN,
            1e-90,
            1e90,
        ]);
        prop_oneof![few, prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL, -2.0..2.0f64]
    }

    fn any_point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(any_number()).prop_map(Vec3::from)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn the_sign_is_that_of_whole_numbers_without_a_bound(points in prop::array::uniform4(any_point())) {
            prop_assert_eq!(volume_sign(points), judge(points));
        }

        #[test]
        fn a_point_moved_off_a_plane_by_the_least_there_is_shows(
            a in any_point(), b in any_point(), up in any::<bool>()
        ) {
            // In the plane z = 0, all of them.
            let flat = |p: Vec3| Vec3::new(p.x, p.y, 0.0);
            let [a, b, c] = [flat(a), flat(b), Vec3::new(1.0, 1.0, 0.0)];
            let least = f64::from_bits(1) * if up { 1.0 } else { -1.0 };
            prop_assert_eq!(volume_sign([a, b, c, Vec3::ZERO]), 0);
            let lifted = [a, b, c, Vec3::new(0.0, 0.0, least)];
            prop_assert_eq!(volume_sign(lifted), judge(lifted));
        }
    }
}
