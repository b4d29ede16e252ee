//! `cargo xtask test`: everything that must pass, in the order in which it fails fastest.
//!
//! Tests are built once, in the dev profile, whose arithmetic is optimised; scenes run through
//! the release program, the one a user runs.

use std::path::{Path, PathBuf};

use crate::steps::{Outcome, Steps, cargo, run as run_command};
use crate::{docs, house, python, scenes};

/// Runs every step; the first failure ends it.
pub fn run(root: &Path) -> Result<(), String> {
    let mut steps = Steps::default();

    steps.command("format", &mut cargo(root, &["fmt", "--all", "--check"]))?;
    steps.step("house rules", || house::run(root).map(|()| Outcome::Passed))?;
    steps.command(
        "lints",
        &mut cargo(root, &["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]),
    )?;
    steps.command(
        "documentation of the crates",
        cargo(root, &["doc", "--workspace", "--no-deps", "--quiet"]).env("RUSTDOCFLAGS", "-D warnings"),
    )?;

    let mut reader = None;
    steps.step("Python packages that read files back", || {
        reader = python::with_packages(root, "tests")?;
        Ok(python::outcome(reader.as_ref()))
    })?;
    steps.step("unit, property and integration tests", || {
        let mut command = if has_nextest(root) {
            cargo(root, &["nextest", "run", "--workspace", "--no-fail-fast", "--status-level", "fail"])
        } else {
            cargo(root, &["test", "--workspace", "--all-targets", "--quiet"])
        };
        if let Some(python) = &reader {
            command.env("CAROM_PYTHON", python);
        }
        run_command(&mut command).map(|()| Outcome::Passed)
    })?;
    // The tests say it themselves, but a runner that shows failures alone keeps it back.
    steps.step("meshes of other people", || Ok(external_data(root)))?;
    steps.command(
        "examples in the documentation",
        &mut cargo(root, &["test", "--workspace", "--doc", "--quiet"]),
    )?;
    steps.step("the book", || docs::build(root))?;
    steps.step("scenes", || scenes::run_all(root))?;

    eprintln!("{}", steps.totals());
    Ok(())
}

/// Whether the tests of `crates/carom-mesh-io/tests/external_data.rs` had files to read.
fn external_data(root: &Path) -> Outcome {
    let folder = std::env::var_os("CAROM_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    if folder.is_dir() {
        return Outcome::Passed;
    }
    Outcome::Skipped("the files are not here; CAROM_DATA names their folder".into())
}

/// Whether `cargo nextest` is installed: it runs tests side by side, each in a process of its own.
fn has_nextest(root: &Path) -> bool {
    cargo(root, &["nextest", "--version"]).output().is_ok_and(|out| out.status.success())
}
