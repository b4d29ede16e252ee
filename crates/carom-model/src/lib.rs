//! The nouns: what a simulation is made of, before anything moves.
//!
//! | noun | is |
//! | --- | --- |
//! | [`Element`] | one term of physics as pure functions of its vertices |
//! | [`Family`] | all potentials of one kind, with their stencils |
//! | [`System`] | vertices with masses, families with clocks: immutable |
//! | [`State`] | what moves: position, velocity and tick of the last kick of every vertex |
//! | [`ExternalLedger`] | the impulses that did not come from inside the system |
//! | [`Batch`], [`ImpulseSums`] | potentials packed for execution, and the sums of impulses they add to |
//! | [`Frame`] | the whole scene at one tick, as an exporter sees it |
//! | [`ContactSummary`], [`DcrSummary`] | what a method did, in a few numbers |
//! | [`Law`] | what acts between two bodies beside the normal force: numbers, and pure functions of them |
//! | [`HeldMotion`] | how held vertices move, known before the start |
//! | [`Fault`] | why a run cannot go on |
//! | [`Parameter`] | a number that a user can set |
//!
//! **Never here:** a concrete element, the order of events, files.

mod auxiliary_dof;
mod builder;
mod colour_by;
mod contact;
mod element;
mod element_store;
mod execution;
mod external_ledger;
mod family;
mod fault;
mod frame;
mod held;
mod laws;
mod limits;
mod owner;
mod parameter;
mod path;
mod state;
mod step_origin;
mod summaries;
mod system;

pub use auxiliary_dof::{AuxiliaryDof, DofKind};
pub use builder::{Axes, BuildError, ClockOptions, ClockScope, ElementRef, SystemBuilder};
pub use colour_by::ColourBy;
pub use contact::{
    Contact, LayerFamily, LayerSpec, PairId, PairKind, SurfaceEdge, SurfaceFace, SurfaceVertex,
};
pub use element::{Element, hessian, stable_step};
pub use element_store::ElementStore;
pub use execution::{Batch, DampedBatch, DampedMotion, ImpulseSums, Share};
pub use external_ledger::{EightImpulses, ExternalLedger, Impulse, ImpulseInLanes, Losses};
pub use family::{Damping, Family, FamilyProperties, Packing, Potentials, Stencils, StepLimits, TANGENTS};
pub use fault::Fault;
pub use frame::{AuxiliaryFrame, Field, Frame, FrameError, Topology};
pub use held::HeldMotion;
pub use laws::{Against, ContactImpulse, LAWS, Law, LawDescriptor, Touch};
pub use limits::element_limits_s;
pub use owner::{Owner, Part};
pub use parameter::{Absent, Parameter, Range};
pub use path::{Corner, Path, Timetable, corners};
pub use state::{Fingerprint, State, Unspent};
pub use step_origin::StepOrigin;
pub use summaries::{ContactSummary, DcrSummary, finite_or_null};
pub use system::{Body, PotentialId, Rung, Schedule, Start, System};
