//! What can go wrong with a file.

use std::io;
use std::path::{Path, PathBuf};

use carom_model::FrameError;

/// A file that could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The operating system said no.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// The action that failed: a verb.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A file that is not what it should be.
    #[error("{}: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with the file.
        what: String,
    },
    /// A frame whose numbers do not belong together.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A field with a name that is taken.
    #[error("a field is named {name:?}, which is taken: every frame has one already")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// A row that does not fit its table.
    #[error("a row of {found} values for the {expected} columns of {}", path.display())]
    RowLength {
        /// The table.
        path: PathBuf,
        /// Number of values of the row.
        found: usize,
        /// Number of columns.
        expected: usize,
    },
    /// A folder that a run would have to overwrite.
    #[error("{} is not empty: a run never overwrites; name another folder or empty this one", path.display())]
    Occupied {
        /// The folder.
        path: PathBuf,
    },
}

impl OutputError {
    /// For `map_err`: the error that `doing` something to `path` failed.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// `path` is not what it should be.
    pub(crate) fn malformed(path: &Path, what: impl Into<String>) -> Self {
        Self::Malformed { path: path.to_owned(), what: what.into() }
    }
}
