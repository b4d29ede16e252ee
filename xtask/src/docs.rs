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
        write_reference(root)?;
        run_command(
            Command::new(python)
                .current_dir(root)
                .env("NO_MKDOCS_2_WARNING", "1")
                .args(["-m", "mkdocs", "build", "--strict", "--quiet"]),
        )?;
    }
    Ok(python::outcome(python.as_ref()))
}

/// Writes the tables that follow from the registries where the book includes them.
fn write_reference(root: &Path) -> Result<(), String> {
    let mut example = Command::new("cargo");
    example.current_dir(root).args(["run", "--quiet", "--package", "carom-scene", "--example", "reference"]);
    let tables = example.output().map_err(|why| format!("the tables of the book cannot be made: {why}"))?;
    if !tables.status.success() {
        return Err(String::from_utf8_lossy(&tables.stderr).into_owned());
    }
    let folder = root.join("target/book");
    let written = std::fs::create_dir_all(&folder)
        .and_then(|()| std::fs::write(folder.join("reference.md"), &tables.stdout));
    written.map_err(|why| format!("{} cannot be written: {why}", folder.display()))
}
