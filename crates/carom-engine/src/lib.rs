//! The verbs: instants, kicks, methods, readings.
//!
//! | verb | where |
//! | --- | --- |
//! | integrate by the contract, read aloud | [`Reference`] |
//! | integrate fast, to the same bits | [`Carom`] |
//! | integrate by projection and reflection, for comparison | [`Dcr`] |
//! | put all on one clock | [`MethodKind::Synchronous`], [`depth_needed`] |
//! | read energy and momentum at a tick | [`Reader`] |
//! | drive a method and show observers what happens | [`run`](fn@run) |
//! | find where everything rests | [`relax`](fn@relax) |
//! | tell of every instant and every kick | [`InstantListener`] |
//! | stop where someone wants to look | [`drive`](fn@drive) |
//! | save a run and go on | [`Checkpoint`], [`MethodKind::resume`]; with other steps [`with_steps_of`], [`Checkpoint::joined`] |
//! | hold the energy to a tolerance | [`EnergyController`] |
//! | say what errors of energy and momentum are measured against | [`EnergyScale`], [`MomentumScale`] |
//! | judge the steps before running | [`stability`] |
//!
//! **Never here:** a concrete element, files, a clock on the wall in any result.

mod carom;
mod checkpoint;
mod contact_laws;
mod dcr;
mod diagnosis;
mod drive;
mod energy_scale;
mod gap_minimum;
mod listener;
mod method;
mod momentum_scale;
mod motion_totals;
mod other_steps;
mod part_times;
mod pins;
mod reading;
mod reference;
mod relax;
mod run;
pub mod stability;
mod sync_correction;
mod synchronous;
mod team;
mod threads;
mod tolerance;

pub use carom::Carom;
pub use carom_contact::Touch;
pub use carom_model::{ContactSummary, DcrSummary};
pub use checkpoint::{Checkpoint, DcrCheckpoint, Effort, LastKicks, ResumeError};
pub use dcr::{Dcr, DcrOptions, JumpOf, Penetration};
pub use drive::{Inspector, drive};
pub use energy_scale::EnergyScale;
pub use gap_minimum::GapMinimum;
pub use listener::{InstantListener, InstantReport};
pub use method::{Method, MethodKind, MethodSummary, Progress};
pub use momentum_scale::MomentumScale;
pub use motion_totals::{MotionTotals, MovingMasses, weighted_sum};
pub use other_steps::with_steps_of;
pub use part_times::PartTimes;
pub use reading::{MomentumFromOutside, ReadContact, Reader, Reading};
pub use reference::Reference;
pub use relax::{Ending, RelaxOptions, Relaxed, Rest, relax, with_masses_for};
pub use run::{Observer, Outcome, Plan, Snapshot, Zoom, run, run_inspected};
pub use synchronous::depth_needed;
pub use threads::Threads;
pub use tolerance::{
    Balance, EnergyController, EnergyTolerance, GivenUp, MOST_REFINEMENTS, Refinement, RefinementCause,
    Steps, ToleranceCheckpoint, check_period,
};
