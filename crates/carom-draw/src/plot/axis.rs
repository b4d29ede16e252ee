//! Axes: a range, round numbers on it, and how they read.

/// How numbers are laid out along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps, equal lengths.
    #[default]
    Linear,
    /// Equal factors, equal lengths; only positive numbers are drawn.
    Log,
}

/// A number marked on an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    pub at: f64,
    pub label: String,
}

impl Mark {
    /// `factor` × 10^`decade`.
    fn in_decade(factor: u8, decade: i32) -> Self {
        let power_text = power_of_ten(decade);
        let label = if factor == 1 { power_text } else { format!("{factor}×{power_text}") };
        Self { at: f64::from(factor) * power(decade), label }
    }
}

/// A range with marks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    scale: Scale,
    low: f64,
    high: f64,
    pub marks: Vec<Mark>,
    /// The power of ten that all labels leave out.
    pub exponent: i32,
}

impl Axis {
    /// An axis for the finite ones of `values`, with a margin of this part of the range on both sides, and about `wanted` marks.
    pub(crate) fn new(scale: Scale, values: impl Iterator<Item = f64>, margin: f64, wanted: usize) -> Self {
        let drawn = values.filter(|v| v.is_finite() && (scale == Scale::Linear || *v > 0.0));
        let (low, high) =
            drawn.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (v.min(low), v.max(high)));
        match scale {
            Scale::Linear => Self::linear(low, high, margin, wanted),
            Scale::Log => Self::log(low, high, margin, wanted),
        }
    }

    fn linear(low: f64, high: f64, margin: f64, wanted: usize) -> Self {
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        // A constant still needs a range to stand in.
        let range = if high - low > 0.0 { high - low } else { low.abs().max(1e-300) };
        let pad = if high > low { margin * range } else { range / 2.0 };
        let (low, high) = (low - pad, high + pad);
        let step = round_step((high - low) / wanted as f64);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        let numbers: Vec<f64> = (first..=last).map(|k| k as f64 * step).collect();
        let largest = numbers.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        let order = if largest > 0.0 { order_of(largest) } else { 0 };
        let exponent = if (-2..4).contains(&order) { 0 } else { order };
        let digits = (exponent - order_of(step)).max(0) as usize;
        let read = |v: f64| if v == 0.0 { "0".into() } else { format!("{:.digits$}", v / power(exponent)) };
        let label = |&v: &f64| Mark { at: v, label: with_minus(&read(v)) };
        let marks = numbers.iter().map(label).collect();
        Self { scale: Scale::Linear, low, high, marks, exponent }
    }

    fn log(low: f64, high: f64, margin: f64, wanted: usize) -> Self {
        let (low, high) = if low > high { (-1.0, 1.0) } else { (low.log10(), high.log10()) };
        let pad = (margin * (high - low)).max((0.2 - (high - low)) / 2.0);
        let (low, high) = (low - pad, high + pad);
        let every = (((high - low) / wanted as f64).round() as i32).max(1);
        let decades = (low.floor() as i32..=high.floor() as i32).filter(|d| d % every == 0);
        // Less than two decades have too few powers of ten.
        let factors: &[u8] = if high - low < 2.0 { &[1, 2, 5] } else { &[1] };
        let marks = decades.flat_map(|d| factors.iter().map(move |&f| Mark::in_decade(f, d)));
        // A hair more, so that the ends of the range are marked where they are round.
        let within = |m: &Mark| (low - 1e-9..=high + 1e-9).contains(&m.at.log10());
        Self { scale: Scale::Log, low, high, marks: marks.filter(within).collect(), exponent: 0 }
    }

    /// Position of `value` on the axis: 0 at the low end, 1 at the high end.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let value = if self.scale == Scale::Log { value.log10() } else { value };
        (value - self.low) / (self.high - self.low)
    }
}

/// The smallest of 1, 2, 5, 10, … × 10ⁿ that is not far below `wanted`.
fn round_step(wanted: f64) -> f64 {
    let decade = power(order_of(wanted));
    let factor = [1.0, 2.0, 5.0].into_iter().find(|f| f * decade >= 0.75 * wanted);
    factor.unwrap_or(10.0) * decade
}

/// n with 10ⁿ ≤ x < 10ⁿ⁺¹.
fn order_of(x: f64) -> i32 {
    // A hair up: 1e-3 must not fall among the 9e-4s.
    (x.log10() + 1e-9).floor() as i32
}

/// 10ⁿ, rounded once: a product of rounded tenths would not be a round number.
fn power(n: i32) -> f64 {
    format!("1e{n}").parse().expect("a power of ten is a number")
}

/// `10⁻³`.
pub(crate) fn power_of_ten(n: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        _ => char::from_u32(0x2070 + u32::from(c) - u32::from('0')).unwrap_or(c),
    };
    format!("10{}", n.to_string().chars().map(raised).collect::<String>())
}

/// A number with two digits: `2.3×10⁻⁵`.
pub fn two_digits(x: f64) -> String {
    if !x.is_finite() {
        return "unknown".to_owned();
    }
    if x == 0.0 {
        return "0".to_owned();
    }
    let text = format!("{x:.1e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let number = match exponent {
        -2..=2 => format!("{x:.*}", (1 - exponent).max(0) as usize),
        _ => format!("{digits}×{}", power_of_ten(exponent)),
    };
    with_minus(&number)
}

/// A minus sign in place of a hyphen.
fn with_minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> (Vec<String>, i32) {
        let axis = Axis::new(Scale::Linear, [low, high].into_iter(), 0.0, 5);
        (axis.marks.into_iter().map(|m| m.label).collect(), axis.exponent)
    }

    #[test]
    fn marks_are_round_numbers_within_the_range() {
        assert_eq!(labels(0.0, 1.0).0, ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-3.0, 7.0).0, ["−2", "0", "2", "4", "6"]);
        assert_eq!(labels(0.0, 1200.0).0, ["0", "200", "400", "600", "800", "1000", "1200"]);
    }

    #[test]
    fn very_small_and_very_large_numbers_share_a_power_of_ten() {
        assert_eq!(labels(-2e-6, 3e-6), (["−2", "−1", "0", "1", "2", "3"].map(String::from).into(), -6));
        assert_eq!(labels(0.0, 8e7).1, 7);
        assert_eq!(labels(0.0, 8e-310).0.len(), 5);
    }

    #[test]
    fn a_constant_and_no_numbers_at_all_still_have_an_axis() {
        assert!(labels(5.0, 5.0).0.len() > 2);
        assert!(labels(0.0, 0.0).0.contains(&"0".to_owned()));
        assert!(labels(f64::NAN, f64::NAN).0.len() > 2);
    }

    #[test]
    fn a_log_axis_marks_decades() {
        let axis = Axis::new(Scale::Log, [1e-5, 0.0, -1.0, 0.5].into_iter(), 0.0, 5);
        let labels: Vec<&str> = axis.marks.iter().map(|m| m.label.as_str()).collect();
        assert_eq!(labels, ["10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹"]);
        assert!((axis.place(1e-5)).abs() < 1e-12 && (axis.place(0.5) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_short_log_axis_marks_twos_and_fives_as_well() {
        let axis = Axis::new(Scale::Log, [1e-6, 1e-5].into_iter(), 0.0, 5);
        let labels: Vec<&str> = axis.marks.iter().map(|m| m.label.as_str()).collect();
        assert_eq!(labels, ["10⁻⁶", "2×10⁻⁶", "5×10⁻⁶", "10⁻⁵"]);
        assert!((Axis::new(Scale::Log, [2.0, 2.0].into_iter(), 0.0, 5).place(2.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn numbers_read_as_people_write_them() {
        let written = [3.14159e-5, -0.0123, 1.0, 250.0, 0.0, 12345.0].map(two_digits);
        assert_eq!(written, ["3.1×10⁻⁵", "−0.012", "1.0", "250", "0", "1.2×10⁴"]);
        assert_eq!(two_digits(f64::NAN), "unknown");
    }
}
