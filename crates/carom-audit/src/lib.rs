//! The judge of a run: did two surfaces pass through each other, at any instant?
//!
//! It shares no code with the contact it judges, nor with the nearest points, bounds, search and continuous
//! collision of `carom-geometry`.
//!
//! **Never here:** moving anything, files.

mod exact;
mod kind;

pub use exact::{Times, exact_first_contact};
pub use kind::Kind;
