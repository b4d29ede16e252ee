//! Carom: asynchronous simulation of deformable bodies in contact.
//!
//! The entry point for Rust programs. Build a system, choose a method, advance it, read it:
//!
//! ```
//! use carom::prelude::*;
//!
//! let mut builder = SystemBuilder::new();
//! let a = builder.vertex(Vec3::ZERO, Vec3::ZERO, 1.0);
//! let b = builder.vertex(Vec3::X, Vec3::Y, 1.0);
//! let owner = Owner { body: 0, part: Part::Edge(0) };
//! builder.add(Spring { stiffness: 100.0, rest_length: 1.0 }, [a, b], owner, 1.0);
//! let (system, state) = builder.build(&ClockOptions::default())?;
//!
//! let mut world = World::new(system, state)?;
//! let before = world.read().total_j();
//! world.advance_to_seconds(10.0)?;
//! let after = world.read().total_j();
//! assert!((after / before - 1.0).abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | [`math`] | vectors, lanes, dual numbers |
//! | [`time`] | ticks, spans, clocks |
//! | [`model`] | systems, states, elements |
//! | [`elastic`] | the energies of deformation and fields |
//! | [`contact`] | layers, pairs, choice of contact parameters |
//! | [`engine`] | methods, readings, stability |
//! | [`job`] | a whole run, into a folder |
//! | [`audit`] | the audit of a run |
//! | [`frames`] | the frames of a finished run |

pub use carom_contact as contact;
pub use carom_elastic as elastic;
pub use carom_engine as engine;
pub use carom_math as math;
pub use carom_model as model;
pub use carom_time as time;

pub mod audit;
pub mod frames;
pub mod job;
mod world;

pub use world::World;

/// The items that most programs need.
pub mod prelude {
    pub use crate::World;
    pub use carom_elastic::Spring;
    pub use carom_engine::{MethodKind, Reading};
    pub use carom_math::Vec3;
    pub use carom_model::{Axes, ClockOptions, Fault, Owner, Part, State, System, SystemBuilder};
    pub use carom_time::{Clocks, Tick};
}

/// The example of the front page, compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct FrontPage;
