//! `cargo xtask goldens [--bless] [RUN…]`: small runs whose numbers are kept in the tree, held against their table bit for bit.
//!
//! Each is repeated with one, two and four threads and at every vector width of the machine. After a change that was meant to change
//! numbers, `--bless` writes `goldens/table.csv` anew; the difference belongs to the commit.

use std::path::Path;

use crate::steps::{carom_bench, release_program, run as run_command};

/// As the command line says.
pub fn run(root: &Path) -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    check(root, &arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Runs them; fails if a number differs.
pub fn check(root: &Path, arguments: &[&str]) -> Result<(), String> {
    release_program(root)?;
    run_command(carom_bench(root).arg("goldens").args(arguments))
}
