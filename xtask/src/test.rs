//! `cargo xtask test`: everything that must pass, in the order in which it fails fastest.
//!
//! Tests are built once, in the dev profile, whose arithmetic is optimised; scenes and problems with
//! a known answer run through a release program, as a user builds it.

use std::path::{Path, PathBuf};

use crate::steps::{Outcome, Steps, cargo, release_program, run as run_command};
use crate::{docs, goldens, house, python, scenes, validate};

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
        "lints of the library without features",
        &mut cargo(
            root,
            &["clippy", "--package", "carom", "--no-default-features", "--quiet", "--", "-D", "warnings"],
        ),
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
            cargo(
                root,
                &["nextest", "run", "--workspace", "--tests", "--no-fail-fast", "--status-level", "fail"],
            )
        } else {
            cargo(root, &["test", "--workspace", "--tests", "--quiet"])
        };
        if let Some(python) = &reader {
            command.env("CAROM_PYTHON", python);
        }
        run_command(&mut command).map(|()| Outcome::Passed)
    })?;
    // The tests say it themselves, but a runner that shows failures alone keeps it back.
    steps.step("tests on public data", || Ok(external_data(root)))?;
    steps.command(
        "examples in the documentation",
        &mut cargo(root, &["test", "--workspace", "--doc", "--quiet"]),
    )?;
    steps.step("release program", || release_program(root).map(|()| Outcome::Passed))?;
    steps.step("the book", || docs::build(root))?;
    steps.step("golden runs", || goldens::check(root, &[]).map(|()| Outcome::Passed))?;
    steps.step("scenes", || scenes::run_all(root))?;
    steps.step("problems with known answers, on coarse meshes", || validate::quick(root))?;

    eprintln!("{}", steps.totals());
    Ok(())
}

/// What tests read of data that is not part of the project, and which tests do.
const EXTERNAL_DATA: [(&str, &str); 5] = [
    ("ccd", "exact times of collision, in carom-ccd and carom-audit"),
    ("MESH_STATS.csv", "crossings counted by CGAL, in carom-geometry"),
    ("badinput", "malformed meshes, in carom-mesh-io"),
    ("meshes", "sound meshes, in carom-mesh-io"),
    ("physics.json", "the list of problems, in carom-bench"),
];

/// Whether tests on data that is not part of the project had it; if not, which were skipped.
fn external_data(root: &Path) -> Outcome {
    let folder = std::env::var_os("CAROM_DATA").map_or_else(|| root.join("../shared/data"), PathBuf::from);
    let skipped = skipped_without(&folder);
    if skipped.is_empty() {
        return Outcome::Passed;
    }
    Outcome::Skipped(format!("{}: the data is not there; CAROM_DATA names its folder", skipped.join("; ")))
}

/// The tests that do not find their data in `folder`.
fn skipped_without(folder: &Path) -> Vec<&'static str> {
    let absent = EXTERNAL_DATA.iter().filter(|(name, _)| !folder.join(name).exists());
    absent.map(|(_, tests)| *tests).collect()
}

/// Whether `cargo nextest` is installed: it runs tests side by side, each in a process of its own.
fn has_nextest(root: &Path) -> bool {
    cargo(root, &["nextest", "--version"]).output().is_ok_and(|out| out.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_whose_data_is_absent_are_named() {
        let folder = std::env::temp_dir().join(format!("carom-xtask-data-{}", std::process::id()));
        assert_eq!(skipped_without(&folder).len(), EXTERNAL_DATA.len());
        std::fs::create_dir_all(folder.join("ccd")).unwrap();
        let skipped = skipped_without(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(skipped, EXTERNAL_DATA[1..].iter().map(|(_, tests)| *tests).collect::<Vec<_>>());
    }
}
