//! Numbers formatted for readers.

/// A count with commas: 12,345,678.
#[must_use]
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A time with a unit that suits it: `3.410 ms`.
#[must_use]
pub fn seconds(s: f64) -> String {
    let (value, unit) = match s.abs() {
        a if a == 0.0 || a >= 0.999_999_5 => (s, "s"),
        a if a >= 0.999_999_5e-3 => (s * 1e3, "ms"),
        a if a >= 0.999_999_5e-6 => (s * 1e6, "µs"),
        a if a >= 0.999_999_5e-9 => (s * 1e9, "ns"),
        _ => return format!("{s:.2e} s"),
    };
    format!("{value:.3} {unit}")
}

/// A share in percent, with two digits: `3 %`, `0.12 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    let rounded = format!("{:.1e}", 100.0 * share);
    match rounded.parse::<f64>() {
        Ok(percent) if percent == 0.0 || (1e-3..1e6).contains(&percent.abs()) => format!("{percent} %"),
        _ => format!("{rounded} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_commas_every_three_digits() {
        assert_eq!([0, 999, 1000, 12_345_678].map(count), ["0", "999", "1,000", "12,345,678"]);
    }

    #[test]
    fn times_have_a_unit_that_suits_them() {
        assert_eq!([2.0, 3.41e-3, 1e-7, 0.0].map(seconds), ["2.000 s", "3.410 ms", "100.000 ns", "0.000 s"]);
    }

    #[test]
    fn shares_are_in_percent_with_two_digits() {
        let shares = [0.03, 0.001_234, 3.0, 0.0, 8.66e-7, 1e9];
        assert_eq!(shares.map(percent), ["3 %", "0.12 %", "300 %", "0 %", "8.7e-5 %", "1.0e11 %"]);
    }
}
