//! Scenes: from scene files to systems that the engine runs.
//!
//! ```text
//! scene.toml ─▶ Scene ─▶ build ─▶ System + State, probes, expectations, cells, files to keep
//! ```
//!
//! | step | where |
//! | --- | --- |
//! | TOML and flags become typed values, each with its place | [`Scene::parse`], [`Override`], [`mod@format`] |
//! | contradictions are refused | [`Scene::parse`] |
//! | meshes are made, or read by [`carom_mesh_io`] | [`build`] |
//! | bodies, potentials and motion are assembled | [`build`] |
//! | the scene is written down so that a run can be repeated | [`Scene::resolved_toml`] |
//! | scenes that need no file | [`GALLERY`], [`template`] |
//! | scenes that a program makes, with meshes from arrays | [`SceneBuilder`] |
//!
//! Whatever is wrong is a [`SceneError`] that names file, line and column and says what to do.
//!
//! ```
//! use carom_scene::{InMemory, Scene, build};
//!
//! let scene = Scene::parse("drop.toml", r#"
//!     format = 1
//!     time.end = 1.0
//!     gravity.acceleration = [0, 0, -9.81]
//!     [[body]]
//!     name = "drop"
//!     shape.points = { positions = [[0, 0, 0]] }
//!     material.points = { mass = 1.0 }
//! "#).unwrap();
//! let built = build(&scene, &InMemory::default()).unwrap();
//! assert_eq!(built.system.masses, [1.0]);
//!
//! let error = scene.set("body.drop.material.points.mass=-1").unwrap_err();
//! assert!(error.to_string().starts_with("--set body.drop.material.points.mass=-1:"));
//! ```
//!
//! **Never here:** the order of events; writing files.

mod at;
mod build;
mod builder;
mod built;
mod check;
mod decode;
mod expect;
mod fields;
mod files;
mod fixed;
pub mod format;
mod gallery;
#[cfg(feature = "schema")]
mod keys;
mod materials;
mod number;
mod open;
mod overrides;
mod probes;
mod random;
#[cfg(feature = "schema")]
mod reference;
mod report;
mod resolved;
mod scene;
#[cfg(feature = "schema")]
mod schema;
#[cfg(not(feature = "schema"))]
#[path = "without_schema.rs"]
mod schema;
mod shapes;
mod source;
mod spelling;
mod table;
#[cfg(feature = "schema")]
mod template;
mod whole;

pub use at::{At, Span};
/// Mesh files, by the name they had when they were read here.
pub use carom_mesh_io as import;

pub use build::{Earlier, EarlierBody, LOADS, LoadKind, build, build_to_relax, crossing_pairs};
pub use builder::{Item, SceneBuilder};
pub use built::{BodyCells, BodyMaterial, Built, ContactNotes, GivenSteps, PinSet, Schedule};
pub use check::is_line_name;
pub use expect::{Expectations, Expected, Tolerance};
pub use files::{Files, Folder, InMemory, KeptFile, content_hash};
pub use fixed::Fixed;
pub use format::DEFAULT_ENERGY_TOLERANCE;
pub use gallery::{BuiltIn, GALLERY, Loaded};
#[cfg(feature = "schema")]
pub use keys::{Key, KeyValue, Plain, Table, keys, keys_of};
pub use number::{Bounded, Fraction, NonNegative, Number, Poisson, Positive, Ratio, Vector};
pub use open::{Form, Keys, Open, OpenKey, Value};
pub use overrides::Override;
pub use probes::{Column, PROBES, Probe, ProbeKind, ProbeTarget, ReadProbe};
#[cfg(feature = "schema")]
pub use reference::reference;
pub use report::{Problem, Report, SceneError, Severity};
pub use scene::Scene;
#[cfg(feature = "schema")]
pub use schema::{describe, schema};
pub use source::{Source, SourceLocation};
#[cfg(feature = "schema")]
pub use template::template;
pub use whole::{Count, Index, Whole};
