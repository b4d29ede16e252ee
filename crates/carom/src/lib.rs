//! Carom as a library: asynchronous simulation of deformable bodies in contact.
//!
//! A [`Simulation`] is one run in the hand of a program. It is made from a scene, advanced as far as the program likes, and read in between:
//! positions, velocities, energies, contacts. Here two sheets of rubber, made from arrays, collide:
//!
//! ```
//! use carom::prelude::*;
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let positions = (0..121).map(|i| Vec3::new(f64::from(i % 11), f64::from(i / 11), 0.0) * 0.01).collect(); // in m
//!     let squares = (0..110_u32).filter(|i| i % 11 < 10);
//!     let triangles = squares.flat_map(|i| [[i, i + 1, i + 12], [i, i + 12, i + 11]]).collect();
//!     let sheet = Mesh { positions, triangles, ..Mesh::default() };
//!     let rubber = [("thickness", 1e-3), ("young", 1e6), ("poisson", 0.3), ("density", 1000.0)]; // in m, Pa, 1, kg/m³
//!
//!     let mut scene = SceneBuilder::new("two sheets"); // the keys are those of scene files
//!     scene.set("time.end", 0.1).set("contact.thickness", 1e-3);
//!     scene.body("lower", &sheet).set_all("material.shell", &rubber).set("velocity", [0.0, 0.0, 1.0]);
//!     scene.body("upper", &sheet).set_all("material.shell", &rubber).set("position", [0.0, 0.0, 0.02]);
//!     let mut simulation = Simulation::new(&scene.load()?)?; // steps and contact are chosen, crossings refused
//!     let energy_j = simulation.reading().total_j();
//!     assert!(simulation.advance_until(Event::Touch, 0.1)?);
//!     simulation.advance_to(0.1)?;
//!     assert!((simulation.reading().total_j() / energy_j - 1.0).abs() < 1e-3);
//!     Ok(())
//! }
//! ```
//!
//! # What one needs
//!
//! | to … | use |
//! | --- | --- |
//! | say what there is | [`SceneBuilder`](scene::SceneBuilder) with meshes from arrays, or [`Scene::load`](scene::Scene::load) for a file or a scene of the gallery; both are scenes, with the [same keys](scene::format::SceneFile) |
//! | add a potential or a body that no scene can say | [`SystemBuilder`](model::SystemBuilder) and [`Simulation::of_system`] |
//! | start | [`Simulation::new`], or [`Simulation::on_threads`]: threads change no bit |
//! | go on | [`advance_to`](Simulation::advance_to), [`advance_by`](Simulation::advance_by), [`step`](Simulation::step), or [`advance_until`](Simulation::advance_until) an [`Event`] |
//! | read | [`reading`](Simulation::reading) for positions, velocities, forces, energies and momenta ([`Reading`](engine::Reading)), [`contacts`](Simulation::contacts) and [`reactions`](Simulation::reactions) for forces, [`summary`](Simulation::summary) for what it took |
//! | see every row of a run | an [`Observer`](engine::Observer) given to [`Simulation::run`]; the run waits for it |
//! | look from another thread | [`latest_view`](Simulation::latest_view); the run does not wait |
//! | go back | [`save`](Simulation::save) and [`restore`](Simulation::restore), or [`restore_with_steps_of`](Simulation::restore_with_steps_of) another scene |
//! | have a folder of files, as the program `carom` writes it | a [`Job`](job::Job); [`Frames`](frames::Frames) reads its frames back |
//! | hold runs against each other | [`comparison`] |
//! | know that nothing passed through | [`audit`] |
//! | choose parameters | [`advice`] |
//!
//! All numbers are in SI units, and a name ends with its unit where it has one. What a scene says wrongly is a [`SceneError`](scene::SceneError) with
//! line, reason and remedy. A run that cannot go on ends with a [`Fault`](model::Fault), and can still be read. The same scene gives the same bits,
//! whatever the threads, the vector width or who looks.
//!
//! # Modules
//!
//! Those of this crate are above; these are the crates that it stands on, from numbers to files:
//!
//! | module | holds |
//! | --- | --- |
//! | [`prelude`] | the names that most programs need |
//! | [`math`] | vectors, lanes, dual numbers |
//! | [`time`] | ticks, spans, clocks |
//! | [`geometry`] | meshes and shapes |
//! | [`model`] | systems, states, elements |
//! | [`elastic`] | the energies of deformation and fields |
//! | [`contact`] | layers, pairs, choice of contact parameters |
//! | [`engine`] | methods, readings, stability |
//! | [`scene`] | scenes, from files or from arrays |
//! | [`output`] | files: run folders, ledgers, frames, plots |
//!
//! # Features
//!
//! | feature | on by default | brings |
//! | --- | --- | --- |
//! | `jobs` | yes | runs into folders: [`job`], [`output`] with drawing, [`comparison`], [`audit`], [`advice`] and [`frames`] |
//! | `schema` | yes | the JSON Schema of scenes, and what a key means in messages about it |
//!
//! Without them a [`Simulation`] is all there, and far fewer crates are built.

pub use carom_contact as contact;
pub use carom_elastic as elastic;
pub use carom_engine as engine;
pub use carom_geometry as geometry;
pub use carom_math as math;
pub use carom_model as model;
#[cfg(feature = "jobs")]
pub use carom_output as output;
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

pub use simulation::{AdvanceError, Contacts, Event, LatestView, Moment, Saved, Simulation, StartError};

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
