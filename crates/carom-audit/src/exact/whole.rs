//! Doubles as whole numbers: nothing is rounded from here on.
//!
//! A finite double is a whole number times a power of two. Numbers multiplied by one common power of two
//! keep their signs and proportions, and that is all a decision needs.

use dashu_int::IBig;

/// The numbers, which must be finite, all multiplied by one power of two.
pub(crate) fn whole_numbers(values: &[f64]) -> Vec<IBig> {
    let least = values.iter().filter(|x| **x != 0.0).map(|x| parts(*x).1).min().unwrap_or(0);
    let scaled = |x: &f64| {
        let (mantissa, exponent) = parts(*x);
        if mantissa == 0 { IBig::ZERO } else { IBig::from(mantissa) << (exponent - least) as usize }
    };
    values.iter().map(scaled).collect()
}

/// Mantissa and exponent: the number is the one times two to the other.
fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let stored_exponent = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let hidden_bit = i64::from(stored_exponent > 0) << 52;
    let mantissa = fraction | hidden_bit;
    (if x.is_sign_negative() { -mantissa } else { mantissa }, stored_exponent.max(1) - 1075)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proportions_and_signs_are_kept_down_to_the_smallest_double() {
        let least = f64::from_bits(1);
        assert_eq!(whole_numbers(&[0.0, -0.0]), [IBig::ZERO, IBig::ZERO]);
        let numbers = whole_numbers(&[0.75, -2.0, 0.0]);
        assert_eq!(&numbers[0] * IBig::from(-8), &numbers[1] * IBig::from(3));
        assert_eq!(whole_numbers(&[least, -3.0 * least]), [1, -3].map(IBig::from));
        let [one, of_it] = &whole_numbers(&[1.0, least])[..] else { panic!("two numbers") };
        assert_eq!(*one, of_it << 1074_usize);
    }
}
