//! Scene files.
//!
//! **Never here:** the order of events; output.

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
pub mod import;
mod number;
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
pub use build::build;
pub use built::{BodyCells, Built, GivenSteps, PinSet};
pub use expect::{Expectations, Expected, Tolerance};
pub use files::{Files, Folder, InMemory, KeptFile};
pub use fixed::Fixed;
pub use gallery::{BuiltIn, GALLERY, Loaded, TEMPLATE};
pub use number::{Bounded, Fraction, NonNegative, Number, Poisson, Positive, Vector};
pub use overrides::Override;
pub use probe::{Probe, ProbeKind, Target};
pub use report::{Problem, Report, SceneError, Severity};
pub use scene::Scene;
pub use schema::{describe, schema};
pub use source::{Place, Source};
pub use whole::{Count, Index, Whole};
