//! Ticks, spans and the quantum.
//!
//! **Never here:** how the quantum is chosen (see `line`).

use core::num::NonZeroU64;

/// An instant: the number of quanta since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tick(pub u64);

/// A positive whole number of quanta: the step of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(NonZeroU64);

/// The length of one quantum, in s: positive and finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantum(f64);

impl Tick {
    /// The start of the run.
    pub const START: Self = Self(0);

    /// The last tick there is: 2⁶³ − 1, so that sums of two ticks never wrap.
    pub const LAST: Self = Self((1 << 63) - 1);

    /// The tick one `span` later.
    ///
    /// # Panics
    /// Past [`Tick::LAST`]: a run is refused before it starts if it would reach that far.
    #[inline]
    #[must_use]
    pub fn after(self, span: Span) -> Self {
        let tick = Self(self.0 + span.quanta());
        assert!(tick <= Self::LAST, "tick {} is past the end of time", tick.0);
        tick
    }

    /// Whether a clock of step `span` fires at this tick: `h | ξ`.
    #[inline]
    #[must_use]
    pub fn is_multiple_of(self, span: Span) -> bool {
        self == self.floor(span)
    }

    /// The last multiple of `span` up to and including this tick.
    #[inline]
    #[must_use]
    pub fn floor(self, span: Span) -> Self {
        let quanta = span.quanta();
        // Most clocks are powers of two, and a mask is ten times faster than a division.
        let over = if quanta.is_power_of_two() { self.0 & (quanta - 1) } else { self.0 % quanta };
        Self(self.0 - over)
    }
}

impl Span {
    /// The shortest span: one quantum.
    pub const ONE: Self = Self(NonZeroU64::MIN);

    /// A span of `quanta` quanta, or `None` for zero.
    #[must_use]
    pub const fn new(quanta: u64) -> Option<Self> {
        match NonZeroU64::new(quanta) {
            Some(quanta) => Some(Self(quanta)),
            None => None,
        }
    }

    /// Length of the span in quanta.
    #[inline]
    #[must_use]
    pub const fn quanta(self) -> u64 {
        self.0.get()
    }

    /// Half the span, rounded down; `None` for a single quantum.
    #[must_use]
    pub const fn half(self) -> Option<Self> {
        Self::new(self.quanta() / 2)
    }

    /// The largest power of two that is not longer: a dyadic clock.
    #[must_use]
    pub const fn rounded_down_to_power_of_two(self) -> Self {
        match Self::new(1 << self.quanta().ilog2()) {
            Some(span) => span,
            None => Self::ONE,
        }
    }
}

impl Quantum {
    /// A quantum of `seconds`.
    ///
    /// # Panics
    /// If `seconds` is not positive and finite: callers choose it, users never do.
    #[must_use]
    pub fn new(seconds: f64) -> Self {
        assert!(seconds > 0.0 && seconds.is_finite(), "a quantum of {seconds} s is no length of time");
        Self(seconds)
    }

    /// Length of the quantum, in s.
    #[inline]
    #[must_use]
    pub const fn seconds(self) -> f64 {
        self.0
    }

    /// The length of `quanta` quanta, in s, rounded once.
    ///
    /// Below 2⁵³ the count is itself a double and the product is the only rounding. Above, the
    /// product of integers is taken exactly and rounded at the end.
    #[inline]
    #[must_use]
    pub fn seconds_of(self, quanta: u64) -> f64 {
        if quanta < 1 << 53 { quanta as f64 * self.0 } else { self.seconds_of_many(quanta) }
    }

    #[cold]
    fn seconds_of_many(self, quanta: u64) -> f64 {
        const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
        let bits = self.0.to_bits();
        let exponent = (bits >> FRACTION_BITS) as i32;
        assert!(exponent > 0, "a quantum is a normal number");
        let significand = (bits & ((1 << FRACTION_BITS) - 1)) | (1 << FRACTION_BITS);
        let rounded = (u128::from(significand) * u128::from(quanta)) as f64;
        let scale = exponent - 1023 - FRACTION_BITS as i32;
        // Two factors, each a normal power of two: 2^scale alone may be subnormal.
        let half = scale / 2;
        rounded * 2f64.powi(half) * 2f64.powi(scale - half)
    }

    /// The step `h` of a clock, in s, rounded once.
    #[inline]
    #[must_use]
    pub fn step(self, span: Span) -> f64 {
        self.seconds_of(span.quanta())
    }

    /// From one tick to a later one, in s, rounded once.
    #[inline]
    #[must_use]
    pub fn seconds_between(self, from: Tick, to: Tick) -> f64 {
        self.seconds_of(to.0 - from.0)
    }

    /// The time of a tick, in s: for output, never for decisions.
    #[must_use]
    pub fn time(self, tick: Tick) -> f64 {
        self.seconds_of(tick.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_tick_past_the_exact_doubles_is_still_rounded_once() {
        let quantum = Quantum::new(0.1);
        // 0.1 is 3602879701896397·2⁻⁵⁵; times 2⁵³+1, exactly, then rounded to even.
        let quanta = (1_u64 << 53) + 1;
        let exact = 3_602_879_701_896_397_u128 * 2 * u128::from(quanta);
        assert_eq!(quantum.seconds_of(quanta), exact as f64 * 2f64.powi(-56));
    }

    proptest! {
        #[test]
        fn both_ways_to_round_agree_where_both_apply(seconds in 1e-300..1e3f64, quanta in 1_u64..(1 << 53)) {
            let quantum = Quantum::new(seconds);
            prop_assert_eq!(quantum.seconds_of(quanta).to_bits(), quantum.seconds_of_many(quanta).to_bits());
        }

        #[test]
        fn the_floor_is_the_last_multiple(tick in 0_u64..1_000_000, quanta in 1_u64..1000) {
            let span = Span::new(quanta).unwrap();
            let floor = Tick(tick).floor(span);
            prop_assert!(floor.is_multiple_of(span));
            prop_assert!(floor.0 <= tick && tick - floor.0 < quanta);
        }
    }
}
