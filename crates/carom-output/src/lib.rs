//! From frames and rows to files.
//!
//! | module | writes |
//! | --- | --- |
//! | [`manifest`] | the folder of a run, with what is needed to repeat it |
//! | [`vtu`], [`pvd`] | frames: a time series that ParaView, VTK and meshio open |
//! | [`exporters`] | frames in formats of other programs |
//! | [`table`], [`ledger`] | rows: `probes.csv` and `ledger.csv` |
//! | [`records`] | all of these while a run goes on, or holds them against a replay |
//! | [`statistics`], [`summary`] | what the ledger says, the verdict, and `summary.json` |
//! | [`mod@plot`] | plots of ledgers and probes; [`carom_draw`] draws them, and pictures of frames |
//! | [`compare`] | runs beside each other: `report.html`, the figure, what it took |
//!
//! Everything here takes numbers that were already computed; every output file can be read at any moment, also after the run was killed.
//!
//! **Never here:** physics, clocks, the engine; a decision about the run.

pub mod audit;
pub mod compare;
mod decimal;
mod disk;
mod error;
pub mod exporters;
pub mod ledger;
pub mod manifest;
pub mod plot;
pub mod pvd;
pub mod records;
#[cfg(test)]
mod scratch;
pub mod statistics;
pub mod summary;
pub mod table;
mod verdict;
pub mod vtu;
mod xml;

pub use audit::{AuditSummary, CrossingPair};
pub use carom_draw::{picture, words};
pub use compare::Comparison;
pub use disk::replace as write_file;
pub use error::OutputError;
pub use exporters::{EXPORTERS, Exporter, FrameWriter};
pub use ledger::{Ledger, LedgerRow, LedgerWriter};
pub use manifest::{RunFolder, RunOptions};
pub use records::{RecordChecker, RecordDifference, RecordDifferences, RecordLayout, RecordWriter, Records};
pub use statistics::{EnergyStatistics, MomentumStatistics};
pub use summary::{Summary, Verdict};
pub use table::{Table, TableWriter};
