//! From frames and rows to files.
//!
//! | module | writes |
//! | --- | --- |
//! | [`manifest`] | the folder of a run, with what is needed to repeat it |
//! | [`vtu`], [`pvd`] | frames: a time series that ParaView, VTK and meshio open |
//! | [`table`], [`ledger`] | rows: `probes.csv` and `ledger.csv` |
//! | [`statistics`], [`summary`] | the verdict: what the ledger says, and `summary.json` |
//! | [`plot`], [`picture`] | plots of a ledger as SVG and PNG, and pictures of frames as PNG |
//! | [`compare`] | runs beside each other: `report.html`, the figure, what it took |
//!
//! Everything here takes numbers that were already computed; every file that tells how a run
//! went can be read at any moment, also after the run was killed.
//!
//! **Never here:** physics, clocks, the engine; a decision about the run.

pub mod audit;
mod canvas;
pub mod compare;
mod decimal;
mod disk;
mod error;
pub mod ledger;
pub mod manifest;
pub mod picture;
pub mod plot;
pub mod pvd;
mod raster;
#[cfg(test)]
mod scratch;
pub mod statistics;
pub mod summary;
mod svg;
pub mod table;
pub mod vtu;
pub mod words;
mod xml;

pub use audit::{AuditSummary, CrossingPair};
pub use compare::Comparison;
pub use error::OutputError;
pub use ledger::{Ledger, LedgerRow, LedgerWriter};
pub use manifest::{RunFolder, RunOptions};
pub use pvd::SeriesWriter;
pub use statistics::{EnergyStatistics, MomentumStatistics};
pub use summary::{Summary, Verdict};
pub use table::{Table, TableWriter};
