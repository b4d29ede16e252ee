//! Choosing the quantum of a scene.
//!
//! The quantum is one *anchor* step × 2^(−s). The anchor is the longest step the user gave, so that
//! a step of 1e-7 s stays exactly 1e-7 s, or else a little less than the longest step the elements
//! propose ([`ANCHOR_MARGIN`]). s leaves at least [`LAYER_HALVINGS`] halvings below the fastest elastic clock (for contact layers, whose clocks
//! halve with depth; [`MOST_HALVINGS`] where dyadic clocks have room) and 2^[`PERIODS_LOG2`] periods of the slowest clock above it. With 63 bits of
//! ticks that leaves elastic clocks a ratio of 2¹⁹; a scene that needs more gets fewer halvings, and [`GivesWay`] reports that.
//!
//! The quantum depends on the steps alone, never on the end time, the method or the output: a
//! longer run begins with the bits of the shorter one.

use crate::{Quantum, Span, Tick};

/// Halvings promised below the fastest elastic clock.
pub const LAYER_HALVINGS: u32 = 20;

/// Halvings given to dyadic clocks where the ticks have room for them: at a million metres a second every one counts. With more, runs of a few
/// seconds would be longer than 2⁵³ ticks, and slow to convert.
pub const MOST_HALVINGS: u32 = 32;

/// log₂ of the number of slowest periods a run can always last.
pub const PERIODS_LOG2: u32 = 24;

/// How far below the longest proposal the anchor is, as a part of it.
///
/// Equal elements propose equal steps only up to rounding. Were the anchor the longest of them, all but that
/// one would be rounded down to half of it, and forces that cancel would fire at different times. Coordinates in
/// single precision, which is what STL and glTF hold, scatter the steps of edges down to a thousandth of the
/// mesh by 1e-4; steps that much shorter cost no more than that.
pub const ANCHOR_MARGIN: f64 = 1.0 / 1024.0;

/// How steps are rounded down to whole numbers of quanta.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clocks {
    /// To a power of two: instants are batches, and the map over a period is stationary.
    #[default]
    Dyadic,
    /// To any whole number of quanta: the paper's clocks.
    Exact,
}

/// What a scene with too wide a range of steps loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivesWay {
    /// Halvings that are left below the fastest elastic clock, instead of [`LAYER_HALVINGS`].
    pub halvings_left: u32,
}

/// A step or an end time that does not fit the time line.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StepError {
    /// A step that is no positive, finite number.
    #[error("a step of {seconds:e} s is not a positive, finite time")]
    NotATime {
        /// The step, in s.
        seconds: f64,
    },
    /// A step shorter than a quantum.
    #[error("a step of {seconds:e} s is shorter than one quantum ({quantum:e} s)")]
    ShorterThanQuantum {
        /// The step, in s.
        seconds: f64,
        /// The quantum, in s.
        quantum: f64,
    },
    /// Steps so different that no 63-bit tick holds them together.
    #[error(
        "steps from {shortest:e} s to {longest:e} s differ by more than 2^{limit}: \
         no time line of 63 bits holds both and lasts 2^24 periods of the longest"
    )]
    TooFarApart {
        /// The shortest step, in s.
        shortest: f64,
        /// The longest step, in s.
        longest: f64,
        /// log₂ of the largest ratio.
        limit: u32,
    },
    /// A run that would outlast the ticks.
    #[error(
        "an end at {seconds:e} s is past the last tick of this scene ({last:e} s); steps this short reach no farther"
    )]
    PastTheLastTick {
        /// The requested end, in s.
        seconds: f64,
        /// The last time there is, in s.
        last: f64,
    },
}

/// The time line of a scene: its quantum and its way of rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLine {
    /// The length of one tick.
    pub quantum: Quantum,
    /// How steps are rounded.
    pub clocks: Clocks,
    /// Set where the range of steps left fewer halvings than promised.
    pub gives_way: Option<GivesWay>,
}

impl TimeLine {
    /// The time line for elastic steps from `shortest` to `longest`, in s, of which `longest_given` (if any) is
    /// the longest step that the user wrote down.
    pub fn new(
        clocks: Clocks,
        shortest: f64,
        longest: f64,
        longest_given: Option<f64>,
    ) -> Result<Self, StepError> {
        for seconds in [shortest, longest, longest_given.unwrap_or(longest)] {
            if !(seconds > 0.0 && seconds.is_finite()) {
                return Err(StepError::NotATime { seconds });
            }
        }
        let anchor = longest_given.unwrap_or(longest * (1.0 - ANCHOR_MARGIN));
        let bits = Tick::LAST.0.ilog2() + 1;
        // Whole binary orders between the anchor and the clocks, which are rounded down.
        let below = orders_up(anchor / shortest);
        let above = match clocks {
            Clocks::Dyadic => orders_down(longest / anchor),
            Clocks::Exact => orders_up(longest / anchor),
        };
        let limit = bits - PERIODS_LOG2;
        if below + above > limit {
            return Err(StepError::TooFarApart { shortest, longest, limit });
        }
        // With exact clocks a finer quantum would give equal elements different spans because of rounding.
        let most = if clocks == Clocks::Dyadic { MOST_HALVINGS } else { LAYER_HALVINGS };
        let halvings = most.min(limit - below - above);
        let gives_way = (halvings < LAYER_HALVINGS).then_some(GivesWay { halvings_left: halvings });
        let quantum = Quantum::new(anchor * 2f64.powi(-((below + halvings) as i32)));
        Ok(Self { quantum, clocks, gives_way })
    }

    /// The clock for a step of `seconds`: rounded down, never up.
    pub fn span(&self, seconds: f64) -> Result<Span, StepError> {
        if !(seconds > 0.0 && seconds.is_finite()) {
            return Err(StepError::NotATime { seconds });
        }
        let quantum = self.quantum.seconds();
        let span = Span::new(whole_quanta(seconds, self.quantum))
            .ok_or(StepError::ShorterThanQuantum { seconds, quantum })?;
        Ok(match self.clocks {
            Clocks::Dyadic => span.rounded_down_to_power_of_two(),
            Clocks::Exact => span,
        })
    }

    /// The last tick not after `seconds`.
    pub fn tick_at(&self, seconds: f64) -> Result<Tick, StepError> {
        if !(seconds >= 0.0 && seconds.is_finite()) {
            return Err(StepError::NotATime { seconds });
        }
        let last = self.quantum.time(Tick::LAST);
        if seconds >= last {
            return Err(StepError::PastTheLastTick { seconds, last });
        }
        Ok(Tick(whole_quanta(seconds, self.quantum)))
    }
}

/// The smallest `n` ≥ 0 with 2ⁿ ≥ `ratio`.
fn orders_up(ratio: f64) -> u32 {
    (0..=1100).find(|n| 2f64.powi(*n) >= ratio).map_or(u32::MAX / 4, |n| n as u32)
}

/// The largest `n` ≥ 0 with 2ⁿ ≤ `ratio`, or 0.
fn orders_down(ratio: f64) -> u32 {
    let up = orders_up(ratio);
    if up > 0 && 2f64.powi(up as i32) > ratio { up - 1 } else { up }
}

/// The largest whole number of quanta whose rounded length is at most `seconds`.
fn whole_quanta(seconds: f64, quantum: Quantum) -> u64 {
    let mut quanta = (seconds / quantum.seconds()) as u64;
    // The quotient is rounded: it can be one off either way.
    while quanta > 0 && quantum.seconds_of(quanta) > seconds {
        quanta -= 1;
    }
    while quantum.seconds_of(quanta + 1) <= seconds {
        quanta += 1;
    }
    quanta
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_step_the_user_gave_stays_exactly_that_step() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            let line = TimeLine::new(clocks, 1e-7, 3.3e-6, Some(1e-7)).unwrap();
            assert_eq!(line.quantum.step(line.span(1e-7).unwrap()), 1e-7);
        }
    }

    #[test]
    fn a_ratio_of_two_to_the_nineteen_keeps_every_halving_and_one_more_order_gives_one_up() {
        let line = TimeLine::new(Clocks::Dyadic, 1.0, 2f64.powi(19), None).unwrap();
        assert_eq!(line.gives_way, None);
        assert_eq!(line.span(1.0).unwrap().quanta(), 1 << LAYER_HALVINGS);
        let line = TimeLine::new(Clocks::Dyadic, 1.0, 2f64.powi(20), None).unwrap();
        assert_eq!(line.gives_way, Some(GivesWay { halvings_left: 19 }));
    }

    #[test]
    fn steps_that_no_tick_can_hold_are_an_error_that_names_both() {
        let error = TimeLine::new(Clocks::Dyadic, 1e-9, 1e6, None).unwrap_err();
        assert!(error.to_string().contains("1e-9") && error.to_string().contains("1e6"), "{error}");
    }

    #[test]
    fn a_step_below_the_quantum_and_an_end_past_the_ticks_are_errors() {
        let line = TimeLine::new(Clocks::Exact, 1e-3, 1e-3, None).unwrap();
        assert!(matches!(line.span(1e-12), Err(StepError::ShorterThanQuantum { .. })));
        assert!(matches!(line.tick_at(1e12), Err(StepError::PastTheLastTick { .. })));
        assert!(matches!(line.tick_at(f64::NAN), Err(StepError::NotATime { .. })));
        assert!(matches!(line.span(0.0), Err(StepError::NotATime { .. })));
    }

    #[test]
    fn the_slowest_clock_can_always_fire_two_to_the_24_times() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            for given in [None, Some(1e-7), Some(0.1), Some(0.2), Some(0.4)] {
                let line = TimeLine::new(clocks, 1e-7, 0.4, given).unwrap();
                let slowest = line.span(0.4).unwrap();
                assert!(Tick::LAST.0 / slowest.quanta() >= (1 << PERIODS_LOG2) - 1, "{clocks:?} {given:?}");
            }
        }
    }

    #[test]
    fn steps_that_differ_by_rounding_share_a_clock_also_a_power_of_two_below_the_longest() {
        for clocks in [Clocks::Dyadic, Clocks::Exact] {
            let longest = 9.28e-7;
            let line = TimeLine::new(clocks, longest / 64.0, longest, None).unwrap();
            for orders in 0..=6 {
                let step = longest * 2f64.powi(-orders);
                let span = line.span(step).unwrap();
                assert_eq!(line.span(step * (1.0 - 1e-12)).unwrap(), span, "{clocks:?}, 2^-{orders}");
                assert!(line.quantum.step(span) <= step);
            }
        }
    }

    #[test]
    fn equal_triangles_of_a_mesh_in_single_precision_share_a_clock() {
        let longest = 9.28e-7;
        let line = TimeLine::new(Clocks::Dyadic, longest * (1.0 - 1e-4), longest, None).unwrap();
        assert_eq!(line.span(longest * (1.0 - 1e-4)).unwrap(), line.span(longest).unwrap());
    }

    proptest! {
        #[test]
        fn steps_are_rounded_down_and_by_less_than_a_factor_of_two(
            shortest in 1e-8..1e-6f64, ratio in 1.0..1e4f64, step in 0.0..1.0f64, dyadic: bool,
        ) {
            let longest = shortest * ratio;
            let clocks = if dyadic { Clocks::Dyadic } else { Clocks::Exact };
            let line = TimeLine::new(clocks, shortest, longest, None).unwrap();
            let wanted = shortest + step * (longest - shortest);
            let got = line.quantum.step(line.span(wanted).unwrap());
            prop_assert!(got <= wanted);
            let least = if dyadic { wanted / 2.0 } else { wanted * (1.0 - 1e-5) };
            prop_assert!(got > least);
            prop_assert!(line.span(shortest).unwrap().quanta() >= 1 << (LAYER_HALVINGS - 1));
        }
    }
}
