//! What a run with a tolerance keeps: the last check that it passed, to go back to, and what a checkpoint holds of it.

use std::sync::Arc;

use carom_model::{Contact, System};
use carom_time::{Span, Tick};

use super::{Balance, GivenUp, Refinement, SinceCheck};
use crate::Checkpoint;

/// The steps of a system at one level.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// Of each element, by family.
    spans: Vec<Vec<Span>>,
    contact: Option<Arc<Contact>>,
}

impl Steps {
    pub(super) fn of(system: &System) -> Self {
        let spans = system.schedules.iter().map(|schedule| schedule.spans.clone()).collect();
        Self { spans, contact: system.contact.clone() }
    }

    /// `system` with these steps.
    pub(super) fn on(&self, system: &System) -> System {
        let mut other = system.with_spans(|f, e, _| self.spans[f][e]);
        other.contact.clone_from(&self.contact);
        other
    }
}

/// What a run with a tolerance must know to go on, beside the state of its engine.
#[derive(Clone, Debug, PartialEq)]
pub struct ToleranceCheckpoint {
    pub(super) steps: Steps,
    pub(super) balance: Option<Balance>,
    pub(super) since_check: SinceCheck,
    pub(super) confirmed: Confirmed,
    pub(super) refinements: Vec<Refinement>,
    pub(super) given_up: Option<GivenUp>,
}

/// A run at the last check that it passed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Confirmed {
    /// Before the first check, the start.
    pub(super) checkpoint: Box<Checkpoint>,
    /// The steps then.
    pub(super) steps: Steps,
    /// The energy balance; `None` at the start, which is no check.
    pub(super) balance: Option<Balance>,
    /// How often steps had been shortened.
    pub(super) refinements: usize,
}

impl Confirmed {
    /// The tick of the check; `None` before the first.
    pub(super) fn tick(&self) -> Option<Tick> {
        self.balance.as_ref().map(|_| self.checkpoint.tick)
    }
}
