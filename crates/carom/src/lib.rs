//! Carom: asynchronous simulation of deformable bodies in contact.
//!
//! The entry point for Rust programs. Say what there is, as a scene file does, with meshes from arrays; advance it; read it:
//!
//! ```
//! use carom::prelude::*;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let positions = (0..121).map(|i| Vec3::new(f64::from(i % 11), f64::from(i / 11), 0.0) * 0.01).collect(); // in m
//!     let square = |i: u32| [[i, i + 1, i + 12], [i, i + 12, i + 11]];
//!     let triangles = (0..110).filter(|i| i % 11 < 10).flat_map(square).collect();
//!     let sheet = Mesh { positions, triangles, ..Mesh::default() };
//!     let rubber = [("thickness", 1e-3), ("young", 1e6), ("poisson", 0.3), ("density", 1000.0)];
//!
//!     let mut scene = SceneBuilder::new("two sheets"); // the keys are those of scene files
//!     scene.set("time.end", 0.1).set("contact.thickness", 1e-3);
//!     scene.body("lower", &sheet).set_all("material.shell", &rubber).set("velocity", [0.0, 0.0, 1.0]);
//!     scene.body("upper", &sheet).set_all("material.shell", &rubber).set("position", [0.0, 0.0, 0.02]);
//!
//!     let mut simulation = Simulation::new(&scene.load()?)?; // steps and contact are chosen, crossings refused
//!     let energy_j = simulation.reading().total_j();
//!     assert!(simulation.advance_until(Event::Touch, 0.1)?);
//!     simulation.advance_to(0.1)?;
//!     assert!((simulation.reading().total_j() / energy_j - 1.0).abs() < 1e-3);
//!     Ok(())
//! }
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | [`math`] | vectors, lanes, dual numbers |
//! | [`time`] | ticks, spans, clocks |
//! | [`geometry`] | meshes and shapes |
//! | [`model`] | systems, states, elements |
//! | [`elastic`] | the energies of deformation and fields |
//! | [`contact`] | layers, pairs, choice of contact parameters |
//! | [`engine`] | methods, readings, stability |
//! | [`Simulation`] | a run: advanced, read, watched, saved |
//! | [`scene`] | scenes, from files or from arrays |
//! | [`job`] | a whole run, into a folder |
//! | [`comparison`] | runs of one scene beside each other, and the page about them |
//! | [`advice`] | what could be chosen better in a scene |
//! | [`audit`] | the audit of a run |
//! | [`frames`] | the frames of a finished run |
//!
//! | feature | on by default | brings |
//! | --- | --- | --- |
//! | `jobs` | yes | runs into folders: ledgers, frames, plots, pages, comparisons and the audit |
//! | `schema` | yes | the JSON Schema of scenes, and what a key means in messages about it |

pub use carom_contact as contact;
pub use carom_elastic as elastic;
pub use carom_engine as engine;
pub use carom_geometry as geometry;
pub use carom_math as math;
pub use carom_model as model;
pub use carom_scene as scene;
pub use carom_time as time;

#[cfg(feature = "jobs")]
pub mod advice;
#[cfg(feature = "jobs")]
pub mod audit;
#[cfg(feature = "jobs")]
pub mod comparison;
#[cfg(feature = "jobs")]
pub mod frames;
#[cfg(feature = "jobs")]
pub mod job;
mod simulation;
mod start;

pub use simulation::{AdvanceError, Contacts, Event, LatestView, Moment, Simulation, StartError};

/// The items that most programs need.
pub mod prelude {
    pub use crate::{Event, Simulation};
    pub use carom_elastic::Spring;
    pub use carom_engine::{MethodKind, Reading};
    pub use carom_geometry::Mesh;
    pub use carom_math::Vec3;
    pub use carom_model::{Axes, ClockOptions, Fault, Owner, Part, State, System, SystemBuilder};
    pub use carom_scene::{Loaded, Scene, SceneBuilder};
    pub use carom_time::{Clocks, Tick};
}

/// The example of the front page, compiled and run with the tests of the documentation.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct FrontPage;
