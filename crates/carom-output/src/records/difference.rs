//! A place at which a record is not what was recomputed.

use serde::Serialize;

/// RecordDifferences that are kept of one file; the others are counted.
const KEPT: usize = 8;

/// A place at which a record is not what was recomputed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordDifference {
    /// The file, relative to the folder of the run.
    pub file: String,
    /// Row and column, key, or vertex; empty for the file as a whole.
    pub place: String,
    /// What the file says there; `None` if it has nothing there.
    pub recorded: Option<String>,
    /// What was recomputed; `None` if there is nothing.
    pub recomputed: Option<String>,
}

impl RecordDifference {
    /// A difference in `file` at `place`, between nothing and nothing.
    pub fn new(file: impl Into<String>, place: impl Into<String>) -> Self {
        Self { file: file.into(), place: place.into(), recorded: None, recomputed: None }
    }

    /// The same difference, with what the file says.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "numbers and words are handed over alike")]
    pub fn recorded(self, recorded: impl ToString) -> Self {
        Self { recorded: Some(recorded.to_string()), ..self }
    }

    /// The same difference, with what was recomputed.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "numbers and words are handed over alike")]
    pub fn recomputed(self, recomputed: impl ToString) -> Self {
        Self { recomputed: Some(recomputed.to_string()), ..self }
    }
}

impl core::fmt::Display for RecordDifference {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let said = |value: &Option<String>| value.as_deref().map_or("nothing".to_owned(), on_one_line);
        let space = if self.place.is_empty() { "" } else { " " };
        write!(
            f,
            "{}{space}{}: recorded {}, recomputed {}",
            self.file,
            self.place,
            said(&self.recorded),
            said(&self.recomputed)
        )
    }
}

/// A text with its line breaks and other control characters written out.
fn on_one_line(text: &str) -> String {
    let written = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(written).collect()
}

/// The first differences of a file, or of several, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordDifferences {
    /// The first of each file.
    pub first: Vec<RecordDifference>,
    /// How many there are.
    pub count: u64,
}

impl RecordDifferences {
    /// Counts a difference, and keeps it if it is among the first.
    pub fn push(&mut self, difference: impl FnOnce() -> RecordDifference) {
        self.count += 1;
        if self.first.len() < KEPT {
            self.first.push(difference());
        }
    }

    /// Adds those of another file.
    pub fn extend(&mut self, other: Self) {
        self.count += other.count;
        self.first.extend(other.first);
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}
