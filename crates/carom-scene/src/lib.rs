//! Scene files.
//!
//! **Never here:** the order of events; output.

mod at;
mod check;
mod decode;
mod fixed;
pub mod format;
mod number;
mod overrides;
mod probe;
mod report;
mod scene;
mod schema;
mod source;
mod spelling;
mod whole;

pub use at::{At, Span};
pub use fixed::Fixed;
pub use number::{Bounded, Fraction, NonNegative, Number, Poisson, Positive, Vector};
pub use overrides::Override;
pub use probe::{Probe, ProbeKind, Target};
pub use report::{Problem, Report, SceneError, Severity};
pub use scene::Scene;
pub use schema::{describe, schema};
pub use source::{Place, Source};
pub use whole::{Count, Index, Whole};
