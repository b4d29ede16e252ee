//! What public data sets say of this crate; skipped, with a word, where they are absent.

mod crossings;
mod mesh_files;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A file or folder of the external test data: at `$CAROM_DATA`, or else beside the workspace.
fn data(path: &str) -> Option<PathBuf> {
    let root = std::env::var_os("CAROM_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let found = root.join(path);
    if found.exists() {
        return Some(found);
    }
    // Not `eprintln!`, which a test that passes keeps to itself.
    let _ =
        writeln!(std::io::stderr(), "skipped: no {path} in {}; CAROM_DATA names the folder", root.display());
    None
}

/// The rows of a CSV file without its header, by fields.
fn rows(file: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    text.lines().skip(1).map(|l| l.split(',').map(str::to_owned).collect()).collect()
}
