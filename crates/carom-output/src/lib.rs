//! From frames and rows to files.
//!
//! | module | writes |
//! | --- | --- |
//! | [`vtu`], [`pvd`] | a time series that ParaView, VTK and meshio open |
//!
//! Everything here takes numbers that were already computed; every file that tells how a run
//! went is whole on disk at any moment, also when the run is killed.
//!
//! **Never here:** physics, clocks, the engine; a decision about the run.

mod disk;
mod error;
pub mod pvd;
#[cfg(test)]
mod scratch;
pub mod vtu;
mod xml;

pub use error::OutputError;
