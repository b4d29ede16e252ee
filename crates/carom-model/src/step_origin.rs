//! What the step of a potential is as short as: for people, never for decisions.

use core::fmt;

/// What the step of a potential is as short as, before it is rounded down to the time line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepOrigin {
    /// The step that the scene gives.
    Given,
    /// Its own stability limit, times the safety factor.
    OwnLimit,
    /// Faster potentials at its vertices.
    Neighbours,
    /// Damped elements at its vertices.
    Damped,
    /// The fastest potential of the same part of a body, where they share a clock.
    Part,
    /// Nothing: no potential at its vertices has a limit.
    Nothing,
    /// So many steps of the first layer of contact of its body.
    FirstLayer(u64),
    /// So many steps of the layer that carried what presses its body when the step was shortened: contact that is then chosen for shorter elements
    /// may carry it in another.
    CarryingLayer(u64),
    /// So many steps of contact that takes energy from its body.
    LossyContact(u64),
}

impl fmt::Display for StepOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => f.write_str("given"),
            Self::OwnLimit => f.write_str("its stability limit"),
            Self::Neighbours => f.write_str("faster ones at its vertices"),
            Self::Damped => f.write_str("damped ones at its vertices"),
            Self::Part => f.write_str("the fastest of its part"),
            Self::Nothing => f.write_str("nothing limits it"),
            Self::FirstLayer(times) => write!(f, "{times} × the first layer of contact"),
            Self::CarryingLayer(times) => write!(f, "{times} × the layer that carries the pressure"),
            Self::LossyContact(1) => f.write_str("contact that takes energy"),
            Self::LossyContact(times) => write!(f, "{times} × contact that takes energy"),
        }
    }
}
