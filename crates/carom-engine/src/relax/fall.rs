//! One fall of a relaxation: from rest until the kinetic energy has passed a maximum.

use core::ops::ControlFlow;

use carom_model::{State, System};
use carom_time::{Span, Tick};

use crate::{Inspector, InstantListener, Method};

/// Looks at a fall after each step, and ends it where the kinetic energy has passed a maximum.
pub(super) struct Fall<'a> {
    system: &'a System,
    step: Span,
    /// The end of the step that is under way.
    next: Tick,
    /// Steps that were begun, and how many may be.
    pub(super) steps: u64,
    most_steps: u64,
    /// The largest kinetic energy so far, in J.
    largest_j: f64,
}

impl<'a> Fall<'a> {
    pub(super) fn new(system: &'a System, step: Span, most_steps: u64) -> Self {
        Self { system, step, next: Tick::START.after(step), steps: 1, most_steps, largest_j: 0.0 }
    }
}

impl InstantListener for Fall<'_> {}

impl Inspector for Fall<'_> {
    fn next_tick(&self) -> Option<Tick> {
        Some(self.next)
    }

    fn inspect(&mut self, method: &dyn Method, tick: Tick) -> ControlFlow<()> {
        let kinetic_j = kinetic_j(self.system, &method.state());
        if kinetic_j < self.largest_j || self.steps >= self.most_steps {
            return ControlFlow::Break(());
        }
        self.largest_j = kinetic_j;
        self.steps += 1;
        self.next = tick.after(self.step);
        ControlFlow::Continue(())
    }
}

/// Kinetic energy of what can move, with the velocities as they are, in J.
fn kinetic_j(system: &System, state: &State) -> f64 {
    let energy = |v: usize| 0.5 * system.masses[v] * state.velocities[v].length_sq();
    (0..state.len()).filter(|&v| !system.is_held(v)).map(energy).sum()
}
