//! Measures as text: the shortest decimal that reads back to the same bits, always with an exponent.
//!
//! The text is that of `{:e}`, found faster: a row of a ledger is two dozen measures.

use std::fmt::Write as _;

/// Appends `x` to `text` as `{:e}` would.
pub fn push(text: &mut String, x: f64) {
    if x == 0.0 {
        text.push_str(if x.is_sign_negative() { "-0e0" } else { "0e0" });
    } else if !x.is_finite() || may_be_a_tie(x) {
        let _ = write!(text, "{x:e}");
    } else {
        push_rearranged(text, zmij::Buffer::new().format_finite(x));
    }
}

/// Whether a number may be just between two decimals of up to 17 digits, of which `{:e}` takes the upper. It then has at most
/// 18 digits. An odd number over 2ᶠ has at least those of 5ᶠ, which are more from f = 26 on.
fn may_be_a_tie(x: f64) -> bool {
    (x * f64::from(1 << 25)).fract() == 0.0
}

/// Appends a decimal that is not zero, whatever its point and exponent, with one digit before the point.
fn push_rearranged(text: &mut String, plain: &str) {
    let position = |of: u8| plain.bytes().position(|byte| byte == of);
    let (end, exponent) = match position(b'e') {
        Some(e) => (e, plain[e + 1..].parse().expect("an exponent is a whole number")),
        None => (plain.len(), 0),
    };
    let point = position(b'.').unwrap_or(end);
    let is_digit = |byte: &u8| (b'1'..=b'9').contains(byte);
    let digits = &plain.as_bytes()[..end];
    let first = digits.iter().position(is_digit).expect("it is not zero");
    let last = digits.iter().rposition(is_digit).expect("it is not zero");
    if plain.starts_with('-') {
        text.push('-');
    }
    text.push_str(&plain[first..=first]);
    if first < last {
        text.push('.');
    }
    // What is left of the point, and what is right of it.
    text.push_str(plain.get(first + 1..point.min(last + 1)).unwrap_or_default());
    text.push_str(plain.get((first + 1).max(point + 1)..=last).unwrap_or_default());
    let power = if first < point { point as i32 - first as i32 - 1 } else { point as i32 - first as i32 };
    push_exponent(text, exponent + power);
}

fn push_exponent(text: &mut String, exponent: i32) {
    text.push('e');
    if exponent < 0 {
        text.push('-');
    }
    let size = exponent.unsigned_abs();
    let digits = [size / 100, size / 10 % 10, size % 10];
    let zeros = digits[..2].iter().take_while(|digit| **digit == 0).count();
    text.extend(digits[zeros..].iter().map(|digit| char::from(b'0' + *digit as u8)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decimal(x: f64) -> String {
        let mut text = String::new();
        push(&mut text, x);
        text
    }

    #[test]
    fn whatever_the_size_it_is_what_the_standard_library_writes() {
        let ends = [0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::EPSILON, f64::INFINITY, f64::NAN];
        let powers = (-330..310).map(|k| format!("1e{k}").parse::<f64>().unwrap());
        let wholes = (0..3000).map(f64::from);
        let shares = (1..3000).map(|i| 1.0 / f64::from(i));
        // Many are just between two decimals.
        let dyadic = (1..3000).flat_map(|i| {
            (0..40).map(move |f| (0.3e17 / 5f64.powi(f)).floor() + f64::from(i) / 2f64.powi(f))
        });
        let all = ends.into_iter().chain(powers.flat_map(|p| [p, 1.2345 * p])).chain(wholes).chain(shares);
        for x in all.chain(dyadic) {
            assert_eq!(decimal(x), format!("{x:e}"));
            assert_eq!(decimal(-x), format!("{:e}", -x));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn every_measure_is_what_the_standard_library_writes(bits in any::<u64>(), near_one in 1e-6..1e6_f64) {
            for x in [f64::from_bits(bits), near_one] {
                prop_assert_eq!(decimal(x), format!("{x:e}"));
            }
        }
    }
}
