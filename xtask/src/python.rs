//! The Python that reads our files back and builds the book: `.venv`, with pinned packages.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{Outcome, run};

/// The interpreter of `.venv` with the packages of `xtask/python/<list>.txt` installed, or `None`
/// on a machine without Python.
pub fn with_packages(root: &Path, list: &str) -> Result<Option<PathBuf>, String> {
    let venv = root.join(".venv");
    let python = if cfg!(windows) { venv.join("Scripts/python.exe") } else { venv.join("bin/python") };
    if !works(&python) {
        let Some(system) = ["python3", "python"].into_iter().find(|name| works(Path::new(name))) else {
            return Ok(None);
        };
        run(Command::new(system).current_dir(root).args(["-m", "venv", "--clear", ".venv"]))?;
    }
    let wanted = root.join("xtask/python").join(format!("{list}.txt"));
    let pins = std::fs::read_to_string(&wanted).map_err(|e| format!("   {}: {e}", wanted.display()))?;
    // What was installed last from this list: a run that finds it unchanged needs no network.
    let stamp = venv.join(format!("installed-{list}.txt"));
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == pins) {
        return Ok(Some(python));
    }
    let list_path = format!("xtask/python/{list}.txt");
    run(Command::new(&python)
        .current_dir(root)
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arg(list_path))?;
    std::fs::write(&stamp, pins).map_err(|e| format!("   {}: {e}", stamp.display()))?;
    Ok(Some(python))
}

/// Passed with an interpreter, skipped without.
pub fn outcome(python: Option<&PathBuf>) -> Outcome {
    match python {
        Some(_) => Outcome::Passed,
        None => Outcome::Skipped("no python3 on this machine".into()),
    }
}

fn works(python: &Path) -> bool {
    Command::new(python).arg("--version").output().is_ok_and(|out| out.status.success())
}
