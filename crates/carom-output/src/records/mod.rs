//! What a run records while it goes on, written to its folder or held against what is there.
//!
//! Whoever makes rows and frames hands them to [`Records`] and does not know which of the two happens: an audit makes them as the run did.
//!
//! | file | idea |
//! | --- | --- |
//! | `difference` | a place at which a record is not what was recomputed |
//! | `tables` | rows against `ledger.csv` and `probes.csv`, as they come |
//! | `frames` | frames against `frames/` and their list |
//! | `summary` | `summary.json`, key by key |
//!
//! **Never here:** how a number is computed.

mod difference;
mod frames;
mod summary;
mod tables;

use std::path::Path;

use carom_model::Frame;

use crate::table::{TableWriter, Value};
use crate::{Exporter, FrameWriter, LedgerRow, LedgerWriter, OutputError, RunFolder, disk, ledger, pvd, vtu};

pub use difference::{RecordDifference, RecordDifferences};
pub use summary::{NOT_COMPARED, check_summary};

use frames::FrameChecker;
use tables::TableChecker;

/// The recorded columns, and whether there are frames.
#[derive(Clone, Debug)]
pub struct RecordLayout {
    /// Kinds of potential, in the order of the ledger.
    pub kinds: Vec<String>,
    /// Columns of the probes, without time and tick; without any there is no table of probes.
    pub probes: Vec<String>,
    /// Whether frames are recorded.
    pub has_frames: bool,
}

impl RecordLayout {
    /// All columns of the table of probes; `None` without probes.
    fn probe_columns(&self) -> Option<Vec<String>> {
        let when = ["time_s", "tick"].map(str::to_owned).into_iter();
        (!self.probes.is_empty()).then(|| when.chain(self.probes.iter().cloned()).collect())
    }
}

/// Takes what a run gives, in the order of time.
pub trait Records {
    /// A row of the ledger.
    fn ledger_row(&mut self, row: &LedgerRow) -> Result<(), OutputError>;

    /// A row of the probes: time, tick, and the values of all columns.
    fn probe_row(&mut self, values: &[Value]) -> Result<(), OutputError>;

    /// A frame.
    fn frame(&mut self, frame: &Frame) -> Result<(), OutputError>;
}

/// Writes `ledger.csv`, `probes.csv`, `frames.pvd` and `frames/`.
pub struct RecordWriter {
    ledger: LedgerWriter,
    probes: Option<TableWriter>,
    frames: Option<Box<dyn FrameWriter>>,
}

impl RecordWriter {
    /// New files in the folder of a run.
    pub fn create(folder: &Path, layout: &RecordLayout) -> Result<Self, OutputError> {
        let probes = layout.probe_columns();
        Ok(Self {
            ledger: LedgerWriter::create(&folder.join(RunFolder::LEDGER), &layout.kinds)?,
            probes: probes
                .map(|columns| TableWriter::create(&folder.join(RunFolder::PROBES), &columns))
                .transpose()?,
            frames: layout.has_frames.then(|| (Exporter::OF_RUNS.create)(folder)).transpose()?,
        })
    }

    /// Writes what is left.
    pub fn finish(self) -> Result<(), OutputError> {
        self.ledger.finish()?;
        self.probes.map_or(Ok(()), TableWriter::finish)
    }
}

impl Records for RecordWriter {
    fn ledger_row(&mut self, row: &LedgerRow) -> Result<(), OutputError> {
        self.ledger.row(row)
    }

    fn probe_row(&mut self, values: &[Value]) -> Result<(), OutputError> {
        self.probes.as_mut().map_or(Ok(()), |table| table.row(values))
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), OutputError> {
        self.frames.as_mut().map_or(Ok(()), |series| series.write(frame).map(|_| ()))
    }
}

/// How much of a run the records and the replay have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Whether the run was killed while it wrote: its files may end anywhere.
    pub was_killed: bool,
    /// Whether the replay goes on to where the run ended: the files then hold nothing more.
    pub is_whole: bool,
}

/// Compares `ledger.csv`, `probes.csv`, `frames.pvd` and `frames/` with what is recomputed, byte for byte, as it comes.
#[derive(Debug)]
pub struct RecordChecker {
    ledger: TableChecker,
    probes: Option<TableChecker>,
    frames: Option<FrameChecker>,
    /// Files that a run of this layout does not write.
    unexpected: RecordDifferences,
}

impl RecordChecker {
    /// The files in the folder of a run.
    pub fn open(folder: &Path, layout: &RecordLayout, extent: Extent) -> Result<Self, OutputError> {
        let table = |file, columns: &[String]| TableChecker::open(folder, file, columns, extent);
        let probes = layout.probe_columns();
        let mut unexpected = RecordDifferences::default();
        for (file, is_written) in [(RunFolder::PROBES, probes.is_some()), (pvd::LIST, layout.has_frames)] {
            if !is_written && folder.join(file).exists() {
                unexpected.push(|| RecordDifference::new(file, "").recorded("a file"));
            }
        }
        Ok(Self {
            ledger: table(RunFolder::LEDGER, &ledger::columns(&layout.kinds))?,
            probes: probes.map(|columns| table(RunFolder::PROBES, &columns)).transpose()?,
            frames: layout.has_frames.then(|| FrameChecker::open(folder, extent)),
            unexpected,
        })
    }

    /// All differences, once everything was recomputed.
    pub fn finish(self) -> Result<RecordDifferences, OutputError> {
        let mut all = self.ledger.finish()?;
        all.extend(self.probes.map(TableChecker::finish).transpose()?.unwrap_or_default());
        all.extend(self.frames.map(FrameChecker::finish).transpose()?.unwrap_or_default());
        all.extend(self.unexpected);
        Ok(all)
    }
}

impl Records for RecordChecker {
    fn ledger_row(&mut self, row: &LedgerRow) -> Result<(), OutputError> {
        self.ledger.row(&row.values())
    }

    fn probe_row(&mut self, values: &[Value]) -> Result<(), OutputError> {
        self.probes.as_mut().map_or(Ok(()), |table| table.row(values))
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), OutputError> {
        self.frames.as_mut().map_or(Ok(()), |frames| frames.frame(frame))
    }
}

/// The last tick of which a run that was killed recorded anything; `None` if there is nothing.
#[must_use]
pub fn last_tick(folder: &Path) -> Option<u64> {
    let of_table = |file: &str| {
        let text = disk::read_text(&folder.join(file)).ok()?;
        // The part after the last line break is a row that was cut off, or nothing.
        let whole = &text[..text.rfind('\n')?];
        whole.lines().last()?.split(',').nth(1)?.parse().ok()
    };
    let of_frames =
        || Some(vtu::read(&folder.join(pvd::file_of(*pvd::numbers(folder).last()?))).ok()?.tick.0);
    [of_table(RunFolder::LEDGER), of_table(RunFolder::PROBES), of_frames()].into_iter().flatten().max()
}

#[cfg(test)]
mod tests;
