//! The nouns: what a simulation is made of, before anything moves.
//!
//! | noun | is |
//! | --- | --- |
//! | [`Element`] | one term of physics as pure functions of its vertices |
//! | [`Family`] | all potentials of one kind, with their stencils |
//! | [`System`] | vertices with masses, families with clocks: immutable |
//! | [`State`] | what moves: position, velocity and tick of the last kick of every vertex |
//! | [`Books`] | the impulses that did not come from inside the system |
//! | [`Frame`] | the whole scene at one tick, as an exporter sees it |
//! | [`Fault`] | why a run cannot go on |
//!
//! **Never here:** a concrete element, the order of events, files.

mod bank;
mod books;
mod builder;
mod contact;
mod element;
mod family;
mod fault;
mod frame;
mod ghost;
mod limits;
mod packed;
mod path;
mod state;
mod system;

pub use bank::Bank;
pub use books::{Books, Losses};
pub use builder::{Axes, BuildError, ClockOptions, ElementRef, Per, SystemBuilder};
pub use contact::{
    Contact, Law, LayerFamily, LayerSpec, PairId, PairKind, SurfaceEdge, SurfaceFace, SurfaceVertex,
};
pub use element::{Element, hessian, stable_step};
pub use family::{Batch, Family, Impulse, Kicks, Owner, Part, Share, TANGENTS};
pub use fault::Fault;
pub use frame::{Field, Frame, FrameError, GhostFrame, Topology};
pub use ghost::{Ghost, Meaning};
pub use limits::element_limits_s;
pub use path::{Corner, Path, Timetable, corners};
pub use state::{Fingerprint, State, Unspent};
pub use system::{Body, PotentialId, Rung, Schedule, Start, System};
