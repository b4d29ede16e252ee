//! The ticks at which a run is judged.
//!
//! S, 2S, 4S … 128S and then every multiple of 128S, with S the slowest step of the system before anything was shortened. They depend on neither rows,
//! observers nor the end: a longer run begins with the bits of the shorter.

use carom_model::System;
use carom_time::{Span, Tick};

/// Doublings before checks are evenly spaced.
const DOUBLINGS: u32 = 7;

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
        let period = slowest.saturating_mul(1 << DOUBLINGS);
        let check = early.unwrap_or_else(|| (tick.0 / period + 1).saturating_mul(period));
        Tick(check.min(Tick::LAST.0))
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
