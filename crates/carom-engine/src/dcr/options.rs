//! What can be said of a run by decomposition before it.

use std::sync::Arc;

use carom_model::System;
use carom_time::Span;

use super::Penetration;

/// Which velocities jump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JumpOf {
    /// The velocities at the end of the step, after the corrector: between two steps.
    #[default]
    Corrected,
    /// The velocities of the predictor, `v + h/2 a(x)`: inside the step.
    Predicted,
}

/// How to integrate by decomposition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DcrOptions {
    /// The step; `None` for the shortest elastic one.
    pub step: Option<Span>,
    /// Coefficient of restitution, from 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// How penetration is measured.
    pub penetration: Penetration,
    /// Which velocities jump.
    pub jump: JumpOf,
}

impl DcrOptions {
    /// Elastic and without friction, by nearest points, at the shortest elastic step.
    pub const DEFAULT: Self = Self {
        step: None,
        restitution: 1.0,
        friction: 0.0,
        penetration: Penetration::Nearest,
        jump: JumpOf::Corrected,
    };

    /// The step of `system`: as given, else the shortest elastic step, else the shortest of any first layer.
    pub(super) fn step_of(&self, system: &System) -> Option<Span> {
        let layers = || system.contact.as_ref()?.layers.iter().map(|layer| layer.span).min();
        self.step.or_else(|| system.spans().first().copied()).or_else(layers)
    }

    /// The system on the one clock of this method.
    pub(crate) fn system(&self, system: &Arc<System>) -> Arc<System> {
        match self.step_of(system) {
            Some(step) => Arc::new(system.on_one_clock(step)),
            None => Arc::clone(system),
        }
    }
}
