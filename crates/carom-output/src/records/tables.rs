//! Rows that are recomputed, against those of a table.
//!
//! Both are in the order of time, so a row that is missing or too many is told from one that was changed by its tick. Only one line is
//! in memory.

use std::cmp::Ordering;
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use super::{Extent, RecordDifference, RecordDifferences};
use crate::table::{self, Value};
use crate::{OutputError, table::column_names};

/// Compares a table with the rows that are recomputed.
#[derive(Debug)]
pub(super) struct TableChecker {
    file: &'static str,
    path: PathBuf,
    columns: Vec<String>,
    extent: Extent,
    /// The lines that were not read yet; `None` if the columns are others, and no row can be compared.
    lines: Option<BufReader<File>>,
    /// A line that was read and belongs to a later row.
    ahead: Option<Vec<u8>>,
    /// Rows recomputed.
    rows: u64,
    /// Rows read.
    recorded_rows: u64,
    /// Rows recomputed after the last one of the file.
    after_end: u64,
    text: String,
    differences: RecordDifferences,
}

impl TableChecker {
    pub fn open(
        folder: &Path,
        file: &'static str,
        columns: &[String],
        extent: Extent,
    ) -> Result<Self, OutputError> {
        let path = folder.join(file);
        let lines = match File::open(&path) {
            Ok(file) => Some(BufReader::new(file)),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(OutputError::io("read", &path)(e)),
        };
        let mut checker = Self {
            file,
            path,
            columns: column_names(columns)?,
            extent,
            lines,
            ahead: None,
            rows: 0,
            recorded_rows: 0,
            after_end: 0,
            text: String::new(),
            differences: RecordDifferences::default(),
        };
        if !checker.compare_header()? {
            checker.lines = None;
        }
        Ok(checker)
    }

    /// Whether the columns are those that are recomputed.
    fn compare_header(&mut self) -> Result<bool, OutputError> {
        let (file, columns) = (self.file, &self.columns);
        let found = &mut self.differences;
        if self.lines.is_none() {
            found.push(|| RecordDifference::new(file, "").recomputed("a table"));
            return Ok(false);
        }
        let expected = columns.join(",");
        let line = read_line(&mut self.lines, &self.path)?.unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        if line == format!("{expected}\n") {
            return Ok(true);
        }
        let recorded: Vec<&str> = line.trim_end_matches('\n').split(',').collect();
        let of = |name: &str| RecordDifference::new(file, format!("column {name}"));
        if line.is_empty() {
            found.push(|| RecordDifference::new(file, "").recorded("an empty file").recomputed("a table"));
            return Ok(false);
        }
        for missing in columns.iter().filter(|name| !recorded.contains(&name.as_str())) {
            found.push(|| of(missing).recomputed("a column"));
        }
        for more in recorded.iter().filter(|name| !columns.iter().any(|column| column == *name)) {
            found.push(|| of(more).recorded("a column"));
        }
        if found.is_empty() {
            found.push(|| RecordDifference::new(file, "header").recorded(&line).recomputed(expected));
        }
        Ok(false)
    }

    /// The next row.
    pub fn row(&mut self, values: &[Value]) -> Result<(), OutputError> {
        if self.lines.is_none() {
            return Ok(());
        }
        self.rows += 1;
        let mut text = core::mem::take(&mut self.text);
        text.clear();
        table::push_row(&mut text, values);
        let met = self.meet(&text);
        self.text = text;
        met
    }

    /// Reads up to the recorded row that belongs to `text`, and compares the two.
    fn meet(&mut self, text: &str) -> Result<(), OutputError> {
        while let Some(line) = self.next_line()? {
            let is_cut = self.extent.was_killed && !line.ends_with(b"\n");
            if line == text.as_bytes() || (is_cut && text.as_bytes().starts_with(&line)) {
                return Ok(());
            }
            let recorded = String::from_utf8_lossy(&line).into_owned();
            match order(&recorded, text) {
                Ordering::Equal => {
                    self.compare_cells(&recorded, text);
                    return Ok(());
                }
                Ordering::Greater => {
                    self.ahead = Some(line);
                    let (file, row, tick) = (self.file, self.rows, tick_of(text));
                    self.differences
                        .push(|| RecordDifference::new(file, format!("row {row}")).recomputed(row_of(tick)));
                    return Ok(());
                }
                Ordering::Less => {
                    let (file, row, tick) = (self.file, self.recorded_rows, tick_of(&recorded));
                    self.differences
                        .push(|| RecordDifference::new(file, format!("row {row}")).recorded(row_of(tick)));
                }
            }
        }
        self.after_end += 1;
        Ok(())
    }

    fn compare_cells(&mut self, recorded: &str, recomputed: &str) {
        let (file, row, before) = (self.file, self.rows, self.differences.count);
        let [found, expected] = [recorded, recomputed].map(|line| line.trim_end_matches('\n'));
        let [cells, expected_cells] = [found, expected].map(|line| line.split(',').collect::<Vec<_>>());
        if cells.len() == expected_cells.len() {
            for (column, (cell, expected)) in self.columns.iter().zip(cells.iter().zip(&expected_cells)) {
                if cell != expected {
                    let place = format!("row {row}, {column}");
                    self.differences
                        .push(|| RecordDifference::new(file, place).recorded(cell).recomputed(expected));
                }
            }
        }
        if self.differences.count == before {
            let place = format!("row {row}");
            self.differences
                .push(|| RecordDifference::new(file, place).recorded(recorded).recomputed(recomputed));
        }
    }

    fn next_line(&mut self) -> Result<Option<Vec<u8>>, OutputError> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        let line = read_line(&mut self.lines, &self.path)?;
        self.recorded_rows += u64::from(line.is_some());
        Ok(line)
    }

    /// All differences: what is in the file after the last row is one, where the replay has no more.
    pub fn finish(mut self) -> Result<RecordDifferences, OutputError> {
        let file = self.file;
        let place = format!("after row {}", self.recorded_rows);
        if self.after_end > 0 && !self.extent.was_killed {
            let rows = in_words(self.after_end);
            self.differences.push(|| RecordDifference::new(file, place).recomputed(rows));
        } else if self.extent.is_whole {
            let mut more = 0;
            while self.next_line()?.is_some() {
                more += 1;
            }
            if more > 0 {
                let place = format!("after row {}", self.recorded_rows - more);
                self.differences.push(|| RecordDifference::new(file, place).recorded(in_words(more)));
            }
        }
        Ok(self.differences)
    }
}

/// A line with its line break; `None` at the end of the file.
fn read_line(lines: &mut Option<BufReader<File>>, path: &Path) -> Result<Option<Vec<u8>>, OutputError> {
    let Some(lines) = lines else { return Ok(None) };
    let mut line = Vec::new();
    let read = lines.read_until(b'\n', &mut line).map_err(OutputError::io("read", path))?;
    Ok((read > 0).then_some(line))
}

/// Where a recorded row belongs: time and tick stand first, and either says that it is the same row.
fn order(recorded: &str, recomputed: &str) -> Ordering {
    let time = |row: &str| row.split(',').next().map(str::to_owned);
    let [found, expected] = [recorded, recomputed].map(tick_of);
    if time(recorded) == time(recomputed) {
        return Ordering::Equal;
    }
    found.zip(expected).map_or(Ordering::Equal, |(found, expected)| found.cmp(&expected))
}

fn tick_of(row: &str) -> Option<u64> {
    row.split(',').nth(1)?.parse().ok()
}

fn row_of(tick: Option<u64>) -> String {
    tick.map_or("a row".to_owned(), |tick| format!("the row of tick {tick}"))
}

fn in_words(rows: u64) -> String {
    if rows == 1 { "1 more row".to_owned() } else { format!("{rows} more rows") }
}
