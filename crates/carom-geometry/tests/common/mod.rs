//! Where the external test data lies, and how to read it.

#![expect(dead_code, reason = "each test program uses its own part")]

use std::fs;
use std::path::{Path, PathBuf};

use carom_geometry::ccd::{Query, kind_of_path, parse_queries};

/// A file or folder of the external test data; `None`, with a word on the output, where it is absent.
///
/// The data lie at `$CAROM_DATA`, or else beside the workspace.
pub fn data(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("CAROM_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    eprintln!("skipped: no {path} in the external test data");
    None
}

/// The rows of a CSV file without its header, by fields.
pub fn rows(file: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    text.lines().skip(1).map(|l| l.split(',').map(str::to_owned).collect()).collect()
}

/// The queries of one file.
pub fn queries(root: &Path, file: &str) -> Vec<Query> {
    let text = fs::read_to_string(root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let kind = kind_of_path(file).unwrap();
    parse_queries(kind, file, &text).unwrap_or_else(|e| panic!("{e}"))
}
