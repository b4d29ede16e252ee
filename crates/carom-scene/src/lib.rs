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
//! | scenes that need no file | [`GALLERY`], [`TEMPLATE`] |
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
mod built;
mod check;
mod decode;
mod expect;
mod files;
mod fixed;
pub mod format;
mod gallery;
mod number;
mod open;
mod overrides;
mod probe;
mod report;
mod resolved;
mod scene;
mod schema;
mod source;
mod spelling;
mod whole;

pub use at::{At, Span};
/// Mesh files, by the name they had when they were read here.
pub use carom_mesh_io as import;

pub use build::{Earlier, EarlierBody, LOADS, LoadKind, build};
pub use built::{BodyCells, Built, ContactNotes, GivenSteps, PinSet, Zoom};
pub use check::is_line_name;
pub use expect::{Expectations, Expected, Tolerance};
pub use files::{Files, Folder, InMemory, KeptFile};
pub use fixed::Fixed;
pub use gallery::{BuiltIn, GALLERY, Loaded, TEMPLATE};
pub use number::{Bounded, Fraction, NonNegative, Number, Poisson, Positive, Ratio, Vector};
pub use open::{Form, Key, Keys, Open, Value};
pub use overrides::Override;
pub use probe::{Probe, ProbeKind, Target};
pub use report::{Problem, Report, SceneError, Severity};
pub use scene::Scene;
pub use schema::{describe, schema};
pub use source::{Source, SourceLocation};
pub use whole::{Count, Index, Whole};
