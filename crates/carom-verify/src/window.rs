//! The stretch of a run that the claims about every instant are checked on.
//!
//! Ξ has all multiples of all steps, those of layers that no pair is inside of among them; where no layer acts, trajectory and variations
//! are straight, and such times are left out. Which layers act depends on the trajectory, so with contact the instants are those of a
//! tangent integration. Without contact the stretch is two periods of the slowest clock; with contact as long as the work allows, so that
//! pairs
//! enter and leave layers meanwhile.

use std::sync::Arc;

use carom_model::{State, System};
use carom_time::Tick;

use crate::Options;
use crate::clocks::{due, end_of_periods, instants, slowest};
use crate::pairs::{Fired, Pairs};
use crate::report::NoMeasurement;
use crate::tangent_integrator::TangentIntegrator;

/// Periods of the slowest clock: without contact, and at most with it.
const PERIODS: [u32; 2] = [2, 1024];

/// The most firings of elements with contact: a few seconds with a dozen tangents.
const MOST_FIRINGS: usize = 1_500_000;

/// Least number of instants with contact.
const FEWEST: usize = 64;

/// The instants of a stretch of a run, and at which of them layers push.
pub(crate) struct Window {
    /// `ξ(0) = 0`, `ξ(1)`, …
    pub ticks: Vec<Tick>,
    /// Whether a pair has a non-zero impulse at each instant.
    pub pushing: Vec<bool>,
}

impl Window {
    pub fn of(system: &Arc<System>, state: &State, options: &Options) -> Result<Self, NoMeasurement> {
        let slowest = slowest(system)?;
        if system.contact.is_none() {
            let ticks = instants(system, end_of_periods(system, slowest, PERIODS[0]), options.instants);
            return Ok(Self { pushing: vec![false; ticks.len()], ticks });
        }
        let end = end_of_periods(system, slowest, PERIODS[1]);
        let mut integrator = TangentIntegrator::new(system, state, &[]);
        integrator.advance_to(Tick::START)?;
        let mut window = Self { ticks: vec![Tick::START], pushing: vec![false] };
        let mut firings = 0;
        let is_short = |ticks: usize, firings: usize| {
            ticks <= options.instants && (ticks <= FEWEST || firings <= MOST_FIRINGS)
        };
        while is_short(window.ticks.len(), firings)
            && let Some(tick) = integrator.next_instant().filter(|tick| *tick <= end)
        {
            let pushes = |(pairs, fired): (&Pairs, Vec<Fired>)| {
                fired.iter().any(|fired| pairs.impulses(fired).is_some())
            };
            let pushing = integrator.pairs_at(tick).is_some_and(pushes);
            let due = due(system, tick).len();
            firings += due;
            if pushing || due > 0 {
                window.pushing.push(pushing);
                window.ticks.push(tick);
            }
            integrator.advance_to(tick)?;
        }
        Ok(window)
    }

    /// The last instant.
    pub fn end(&self) -> Tick {
        self.ticks[self.ticks.len() - 1]
    }
}
