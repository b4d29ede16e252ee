//! The integer time line.
//!
//! Every event sits on a whole number of *quanta*. Two events are simultaneous exactly when their
//! [`Tick`]s are equal, so the divisibility `h^i | ξ(k)` of [Vouga2010, §4] is integer
//! arithmetic, and a run can be stopped and resumed without losing a bit.
//!
//! | type | is |
//! | --- | --- |
//! | [`Tick`] | an instant: quanta since the start |
//! | [`Span`] | a distance between instants, at least one quantum |
//! | [`Quantum`] | how long one quantum is, in s |
//! | [`TimeLine`] | the quantum of a scene, chosen from the steps its potentials propose |
//! | [`Instants`] | the set Ξ of all times at which something fires |
//!
//! **Never here:** floating-point comparison of times; physics; threads.

mod instants;
mod line;
mod tick;

pub use instants::Instants;
pub use line::{Clocks, GivesWay, LAYER_HALVINGS, PERIODS_LOG2, StepError, TimeLine};
pub use tick::{Quantum, Span, Tick};
