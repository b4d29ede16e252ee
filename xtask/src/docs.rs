//! `cargo xtask docs`: the book, built strictly (a broken link is an error) into `site/`.

use std::path::Path;
use std::process::Command;

use crate::python;
use crate::steps::{Outcome, run as run_command};

/// Builds the book; without Python that is an error.
pub fn run(root: &Path) -> Result<(), String> {
    match build(root)? {
        Outcome::Passed => Ok(()),
        Outcome::Skipped(why) => Err(format!("the book cannot be built: {why}")),
    }
}

/// Builds the book, or says why it cannot be built here.
pub fn build(root: &Path) -> Result<Outcome, String> {
    let python = python::with_packages(root, "book")?;
    if let Some(python) = &python {
        run_command(
            Command::new(python)
                .current_dir(root)
                .env("NO_MKDOCS_2_WARNING", "1")
                .args(["-m", "mkdocs", "build", "--strict", "--quiet"]),
        )?;
    }
    Ok(python::outcome(python.as_ref()))
}
