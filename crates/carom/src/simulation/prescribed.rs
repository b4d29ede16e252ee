//! Held parts whose ways cross after the end of the scene, or in a system that has none.
//!
//! A scene is refused if prescribed motions cross before its end. But a simulation may be advanced beyond it: then the motion that
//! follows is looked at first, and where held parts touch the simulation ends in a Fault.

use core::ops::ControlFlow;

use carom_contact::first_prescribed_crossing;
use carom_engine::{Inspector, InstantListener, Method};
use carom_model::{Fault, State, System};
use carom_time::Tick;

/// Prescribed motion as far as it is known to be sound.
pub(super) struct Prescribed {
    /// Up to here held parts were looked at.
    checked_to: Tick,
    /// Where they cross.
    crossing: Option<Fault>,
}

impl Prescribed {
    /// Prescribed motion that is known not to cross up to a tick.
    pub fn checked_to(tick: Tick) -> Self {
        Self { checked_to: tick, crossing: None }
    }

    /// A barrier for an advance to `end`, if held parts cross on the way; `state` is that of the system at some tick.
    pub fn barrier(&mut self, system: &System, state: impl FnOnce() -> State, end: Tick) -> Option<Barrier> {
        let end = end.min(Tick::LAST);
        if end > self.checked_to && self.crossing.is_none() {
            // Twice as far each time: many short advances cost a few looks.
            let to = Tick(end.0.max(2 * self.checked_to.0.min(Tick::LAST.0 / 2)));
            let crossing = first_prescribed_crossing(system, &state(), to);
            self.crossing = crossing.map(|crossing| {
                let [first, second] = crossing.in_words;
                Fault::PrescribedCrossing { first, second, tick: crossing.tick, time_s: crossing.time_s }
            });
            self.checked_to = to;
        }
        let fault = self.crossing.clone()?;
        let tick = fault.last_tick()?;
        (tick < end).then_some(Barrier { tick, fault, is_reached: false })
    }
}

/// Ends an advance at the last tick before held parts touch.
pub(super) struct Barrier {
    pub tick: Tick,
    pub fault: Fault,
    pub is_reached: bool,
}

impl InstantListener for Barrier {}

impl Inspector for Barrier {
    fn next_tick(&self) -> Option<Tick> {
        Some(self.tick)
    }

    fn inspect(&mut self, _: &dyn Method, _: Tick) -> ControlFlow<()> {
        self.is_reached = true;
        ControlFlow::Break(())
    }
}
