//! The ticks at which a run is judged.
//!
//! S, 2S, 4S … 128S and then every multiple of 128S, with S the slowest step of the system before anything was shortened. They depend on neither rows,
//! observers nor the end: a longer run begins with the bits of the shorter.

use carom_model::System;
use carom_time::{Span, Tick};

/// Doublings before checks are evenly spaced.
const DOUBLINGS: u32 = 7;

/// How many slowest steps are early. What falls from rest has errors of up to `0.22/k²` between kicks, over what it has turned over in k steps: below half
/// of 1e-3 from here on.
const EARLY: u64 = 32;

/// How often a run of `system` with a tolerance is judged: the slowest step S, and the 128 S that lie between two checks, in quanta; `None` if nothing ever fires.
#[must_use]
pub fn check_period(system: &System) -> Option<[u64; 2]> {
    Checks::of(system).map(|checks| [checks.slowest(), checks.period()])
}

/// When a run is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Checks {
    slowest: Span,
}

impl Checks {
    /// Those of a system whose steps are as they were chosen; `None` if nothing ever fires.
    pub fn of(system: &System) -> Option<Self> {
        let layers = system.contact.iter().flat_map(|contact| contact.layers.iter().map(|spec| spec.span));
        let slowest = system.spans().into_iter().chain(layers).max()?;
        Some(Self { slowest })
    }

    /// The first check after `tick`.
    pub fn after(self, tick: Tick) -> Tick {
        let slowest = self.slowest.quanta();
        let early = (0..=DOUBLINGS).map(|k| slowest.saturating_mul(1 << k)).find(|check| *check > tick.0);
        let period = self.period();
        let check = early.unwrap_or_else(|| (tick.0 / period + 1).saturating_mul(period));
        Tick(check.min(Tick::LAST.0))
    }

    /// Whether a check is so early that what starts from rest may have turned over next to nothing yet.
    pub fn is_early(self, check: Tick) -> bool {
        check.0 < self.slowest.quanta().saturating_mul(EARLY)
    }

    /// How far checks are apart, once they are evenly spaced, in quanta.
    fn period(self) -> u64 {
        self.slowest().saturating_mul(1 << DOUBLINGS)
    }

    /// The slowest step of the system before anything was shortened, in quanta.
    pub fn slowest(self) -> u64 {
        self.slowest.quanta()
    }

    /// The number of the part of the time line in which a tick is: one stretch has four of them.
    pub fn part_of(self, tick: Tick) -> u64 {
        tick.0.saturating_sub(1) / self.slowest.quanta().saturating_mul(1 << (DOUBLINGS - 2))
    }

    /// The tick shortly before a check at which the energy is read as well. At a check all clocks fall due, and a reading errs less there than anywhere
    /// else; a third of the slowest step earlier every dyadic clock is a third of its own step away from a kick, where a reading errs almost the most.
    pub fn between_kicks_before(self, check: Tick) -> Tick {
        Tick(check.0 - self.slowest.quanta() / 3)
    }

    /// The first check that is not before `tick`; none is at the start.
    pub fn at_or_after(self, tick: Tick) -> Tick {
        self.after(Tick(tick.0.saturating_sub(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_double_and_then_are_evenly_spaced() {
        let checks = Checks { slowest: Span::new(3).unwrap() };
        let mut ticks = vec![checks.after(Tick::START)];
        while ticks.len() < 11 {
            ticks.push(checks.after(ticks[ticks.len() - 1]));
        }
        let expected = [1, 2, 4, 8, 16, 32, 64, 128, 256, 384, 512].map(|n| Tick(3 * n));
        assert_eq!(ticks, expected);
    }

    #[test]
    fn between_kicks_no_dyadic_clock_is_near_a_kick_of_its_own() {
        let checks = Checks { slowest: Span::new(1 << 20).unwrap() };
        let check = checks.after(Tick(12345 << 20));
        let between = checks.between_kicks_before(check);
        assert!(between > Tick(check.0 - (1 << 20)), "after the check before");
        for rung in 4..=20 {
            let phase = (between.0 % (1 << rung)) as f64 / f64::from(1 << rung);
            assert!((0.3..0.7).contains(&phase), "{phase} of a step of 2^{rung} quanta");
        }
    }

    #[test]
    fn the_check_of_a_tick_is_at_it_or_the_first_one_after_it() {
        let checks = Checks { slowest: Span::new(5).unwrap() };
        for tick in 1..4000 {
            let check = checks.at_or_after(Tick(tick));
            assert!(check.0 >= tick);
            let before = (0..tick).map(|t| checks.after(Tick(t))).filter(|c| c.0 >= tick).min();
            assert_eq!(Some(check), before);
        }
    }
}
