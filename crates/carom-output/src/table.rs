//! Tables of numbers as CSV: `ledger.csv`, `probes.csv`.
//!
//! The first line names the columns, with units (`time_s`, `kinetic_J`). Whole numbers are
//! digits; the others are the shortest decimal that reads back to the same bits, always with an
//! exponent (`2.5e-1`), so that the two kinds of columns can be distinguished.
//!
//! Rows reach the disk in groups. A run that is killed may leave part of a line at the end;
//! [`read`] drops a last line that has no line break.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::{OutputError, decimal, disk};

/// Rows that are written together. Few, so that little is lost with a killed run.
const GROUP: usize = 32;

/// One number of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A count or a tick.
    Whole(u64),
    /// A measure.
    Real(f64),
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Self::Whole(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

/// Writes a table row by row.
#[derive(Debug)]
pub struct TableWriter {
    path: PathBuf,
    file: File,
    columns: usize,
    waiting: String,
    waiting_rows: usize,
}

impl TableWriter {
    /// A new table at `path` with these columns; the names are made safe by [`column_name`].
    pub fn create<S: AsRef<str>>(path: &Path, columns: &[S]) -> Result<Self, OutputError> {
        let names = column_names(columns)?;
        let file = File::create(path).map_err(OutputError::io("create", path))?;
        let waiting = names.join(",") + "\n";
        let mut table = Self { path: path.to_owned(), file, columns: names.len(), waiting, waiting_rows: 0 };
        table.flush()?;
        Ok(table)
    }

    /// Adds a row.
    pub fn row(&mut self, values: &[Value]) -> Result<(), OutputError> {
        if values.len() != self.columns {
            let (path, found) = (self.path.clone(), values.len());
            return Err(OutputError::RowLength { path, found, expected: self.columns });
        }
        push_row(&mut self.waiting, values);
        self.waiting_rows += 1;
        if self.waiting_rows >= GROUP { self.flush() } else { Ok(()) }
    }

    /// Hands all rows so far to the operating system.
    pub fn flush(&mut self) -> Result<(), OutputError> {
        self.waiting_rows = 0;
        let written = self.file.write_all(self.waiting.as_bytes());
        self.waiting.clear();
        written.map_err(OutputError::io("write", &self.path))
    }

    /// Writes what is left. Dropping the table does the same, but cannot say whether it worked.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.flush()
    }
}

impl Drop for TableWriter {
    fn drop(&mut self) {
        // Errors are reported by `finish`.
        let _ = self.flush();
    }
}

/// The names of these columns in a table, each made safe by [`column_name`]; no two are the same.
pub(crate) fn column_names<S: AsRef<str>>(columns: &[S]) -> Result<Vec<String>, OutputError> {
    let names: Vec<String> = columns.iter().map(|c| column_name(c.as_ref())).collect();
    match names.iter().enumerate().find(|(i, n)| names[..*i].contains(n)) {
        Some((_, twice)) => Err(OutputError::NameTaken { name: twice.clone() }),
        None => Ok(names),
    }
}

/// Appends a row and its line break to `text`.
pub(crate) fn push_row(text: &mut String, values: &[Value]) {
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            text.push(',');
        }
        match value {
            Value::Whole(n) => text.push_str(&n.to_string()),
            Value::Real(x) => decimal::push(text, *x),
        }
    }
    text.push('\n');
}

/// `text` as the name of a column: letters, digits, `_`, `-` and `.` stay, anything else becomes `_`.
#[must_use]
pub fn column_name(text: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    text.chars().map(safe).collect()
}

/// The numbers of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Every number is whole.
    Whole(Vec<u64>),
    /// Measures.
    Real(Vec<f64>),
}

/// A table that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The name of each column.
    pub names: Vec<String>,
    /// The columns, in order, all of one length.
    pub columns: Vec<Column>,
}

impl Table {
    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self.columns.first() {
            Some(Column::Whole(values)) => values.len(),
            Some(Column::Real(values)) => values.len(),
            None => 0,
        }
    }

    /// A column by its name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        let at = self.names.iter().position(|n| n == name)?;
        self.columns.get(at)
    }

    /// A column as measures, whole numbers rounded to the nearest.
    #[must_use]
    pub fn reals(&self, name: &str) -> Option<Vec<f64>> {
        Some(match self.column(name)? {
            Column::Whole(values) => values.iter().map(|&n| n as f64).collect(),
            Column::Real(values) => values.clone(),
        })
    }

    /// A column of whole numbers, or `None` if it is missing or some are not.
    #[must_use]
    pub fn wholes(&self, name: &str) -> Option<&[u64]> {
        match self.column(name)? {
            Column::Whole(values) => Some(values),
            Column::Real(_) => None,
        }
    }
}

/// Reads a table.
pub fn read(path: &Path) -> Result<Table, OutputError> {
    parse(&disk::read_text(path)?).map_err(|what| OutputError::malformed(path, what))
}

/// The table in `text`, or what is wrong with it.
pub fn parse(text: &str) -> Result<Table, String> {
    // The part after the last line break is a row that was cut off, or nothing.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines();
    let header =
        lines.next().filter(|h| !h.is_empty()).ok_or("a table begins with the names of its columns")?;
    let names: Vec<String> = header.split(',').map(|n| n.trim().to_owned()).collect();
    let mut columns = vec![Column::Whole(Vec::new()); names.len()];
    for (number, line) in lines.enumerate() {
        let line_number = number + 2;
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        if cells.len() != names.len() {
            let (found, expected) = (cells.len(), names.len());
            return Err(format!("line {line_number} has {found} values for {expected} columns"));
        }
        for ((column, cell), name) in columns.iter_mut().zip(cells).zip(&names) {
            column
                .push(cell)
                .ok_or_else(|| format!("line {line_number}: {name} is {cell:?}, not a number"))?;
        }
    }
    Ok(Table { names, columns })
}

impl Column {
    /// Adds a number; the first one that is not whole makes measures of all.
    fn push(&mut self, cell: &str) -> Option<()> {
        if let Self::Whole(values) = self {
            if let Ok(n) = cell.parse() {
                values.push(n);
                return Some(());
            }
            *self = Self::Real(values.iter().map(|&n| n as f64).collect());
        }
        let Self::Real(values) = self else { return None };
        values.push(cell.parse().ok()?);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use proptest::prelude::*;

    #[test]
    fn a_table_comes_back_with_ticks_past_the_exact_doubles() {
        let folder = Scratch::new();
        let path = folder.path().join("ledger.csv");
        let mut table = TableWriter::create(&path, &["tick", "time_s"]).unwrap();
        let tick = (1_u64 << 60) + 1;
        table.row(&[tick.into(), 0.1.into()]).unwrap();
        table.row(&[7_u64.into(), 0.0.into()]).unwrap();
        table.finish().unwrap();
        let table = read(&path).unwrap();
        assert_eq!(table.wholes("tick"), Some(&[tick, 7][..]));
        assert_eq!(table.reals("time_s"), Some(vec![0.1, 0.0]));
        assert_eq!((table.wholes("time_s"), table.rows()), (None, 2));
        assert_eq!(disk::read_text(&path).unwrap(), format!("tick,time_s\n{tick},1e-1\n7,0e0\n"));
    }

    #[test]
    fn rows_are_on_disk_when_their_group_is_full_and_the_rest_when_the_table_is_dropped() {
        let folder = Scratch::new();
        let path = folder.path().join("t.csv");
        let mut table = TableWriter::create(&path, &["x"]).unwrap();
        assert_eq!(read(&path).unwrap().rows(), 0);
        for i in 0..GROUP as u64 + 3 {
            table.row(&[i.into()]).unwrap();
        }
        assert_eq!(read(&path).unwrap().rows(), GROUP);
        drop(table);
        assert_eq!(read(&path).unwrap().rows(), GROUP + 3);
    }

    #[test]
    fn half_a_line_at_the_end_is_dropped() {
        let table = parse("a,b\n1,2e0\n3,4").unwrap();
        assert_eq!(table.wholes("a"), Some(&[1][..]));
        assert_eq!(parse("a,b").unwrap_err(), "a table begins with the names of its columns");
    }

    #[test]
    fn a_bad_cell_is_an_error_that_names_line_and_column() {
        assert_eq!(parse("a,b\n1,2e0\n3,x\n").unwrap_err(), "line 3: b is \"x\", not a number");
        assert_eq!(parse("a,b\n1\n").unwrap_err(), "line 2 has 1 values for 2 columns");
    }

    #[test]
    fn a_row_of_the_wrong_length_and_a_name_used_twice_are_errors() {
        let folder = Scratch::new();
        let path = folder.path().join("t.csv");
        let mut table = TableWriter::create(&path, &["x", "y"]).unwrap();
        assert!(matches!(table.row(&[0.0.into()]), Err(OutputError::RowLength { .. })));
        let taken = TableWriter::create(&path, &["a b", "a,b"]);
        assert!(matches!(taken, Err(OutputError::NameTaken { name }) if name == "a_b"));
    }

    proptest! {
        #[test]
        fn every_measure_reads_back_to_the_same_bits(x in any::<f64>()) {
            let table = parse(&format!("x\n{x:e}\n")).unwrap();
            let back = table.reals("x").unwrap()[0];
            prop_assert!(back.to_bits() == x.to_bits() || (back.is_nan() && x.is_nan()));
        }
    }
}
