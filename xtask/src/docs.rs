//! `cargo xtask docs`: the book, built strictly (a broken link is an error) into `site/`.

use std::path::Path;
use std::process::Command;

use crate::python;
use crate::steps::{Outcome, carom, release_program, run as run_command};

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
        release_program(root)?;
        write_printed(root, "--reference", "keys.md")?;
        write_printed(root, "--kinds", "kinds.md")?;
        run_command(
            Command::new(python)
                .current_dir(root)
                .env("NO_MKDOCS_2_WARNING", "1")
                .args(["-m", "mkdocs", "build", "--strict", "--quiet"]),
        )?;
    }
    Ok(python::outcome(python.as_ref()))
}

/// Writes what `carom schema` prints where the book includes it.
fn write_printed(root: &Path, what: &str, file: &str) -> Result<(), String> {
    let printed = carom(root)
        .args(["schema", what])
        .output()
        .map_err(|why| format!("{file} of the book cannot be printed: {why}"))?;
    if !printed.status.success() {
        return Err(String::from_utf8_lossy(&printed.stderr).into_owned());
    }
    let folder = root.join("target/book");
    let written =
        std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(folder.join(file), &printed.stdout));
    written.map_err(|why| format!("{} cannot be written: {why}", folder.display()))
}
