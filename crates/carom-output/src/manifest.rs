//! The folder of a run: everything that is needed to repeat it, and everything it gave.
//!
//! | file | is |
//! | --- | --- |
//! | `scene.toml` | the scene as it was run, with every default written out |
//! | `meshes/<hash>.<ext>` | the meshes it reads, named by their content |
//! | `options.json` | the options of the command line and the versions |
//! | `ledger.csv`, `probes.csv`, `summary.json`, `frames.pvd`, `frames/` | what came of it |
//! | `relax.csv` | the residual at every rest, of a relaxation |
//! | `report.html`, `compare/` | what the program makes of it, and the runs it is held against |
//!
//! A run never overwrites: its folder is new, or was empty.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{OutputError, disk};

/// Folder of runs without `--out`.
const RUNS: &str = "runs";

/// The folder of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

/// Options of a run: `options.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOptions {
    /// The command line, word by word.
    pub arguments: Vec<String>,
    /// The options that decide the run, by name, defaults included.
    pub options: BTreeMap<String, String>,
    /// Versions of the program and of the formats, by name.
    pub versions: BTreeMap<String, String>,
}

impl RunFolder {
    /// Name of the resolved scene in a run's folder.
    pub const SCENE: &'static str = "scene.toml";
    /// Name of the options in a run's folder.
    pub const OPTIONS: &'static str = "options.json";
    /// Name of the ledger in a run's folder.
    pub const LEDGER: &'static str = "ledger.csv";
    /// Name of the probes in a run's folder.
    pub const PROBES: &'static str = "probes.csv";
    /// Name of the residuals of a relaxation in its folder.
    pub const RELAX: &'static str = "relax.csv";
    /// Name of the summary in a run's folder.
    pub const SUMMARY: &'static str = "summary.json";

    /// The folder `out` if it is new or empty; without `out` the next free number in `runs/<scene_name>`.
    pub fn create(out: Option<&Path>, scene_name: &str) -> Result<Self, OutputError> {
        match out {
            Some(path) => Self::create_at(path),
            None => Self::create_numbered(&Path::new(RUNS).join(folder_name(scene_name))),
        }
    }

    /// The folder `path`, which must be new or empty.
    fn create_at(path: &Path) -> Result<Self, OutputError> {
        if path.is_dir() {
            let mut entries = fs::read_dir(path).map_err(OutputError::io("read the folder", path))?;
            if entries.next().is_some() {
                return Err(OutputError::Occupied { path: path.to_owned() });
            }
        }
        disk::make_folder(path)?;
        Ok(Self { path: path.to_owned() })
    }

    /// The folder `parent/<n>`, n one more than the largest number there.
    fn create_numbered(parent: &Path) -> Result<Self, OutputError> {
        disk::make_folder(parent)?;
        let entries = fs::read_dir(parent).map_err(OutputError::io("read the folder", parent))?;
        let taken = entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse::<u64>().ok());
        let mut number = taken.max().unwrap_or(0) + 1;
        loop {
            let path = parent.join(number.to_string());
            // Creating the folder claims its number: another run may be searching for one, too.
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(e) if e.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(e) => return Err(OutputError::io("create the folder", &path)(e)),
            }
        }
    }

    /// Path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes the resolved scene.
    pub fn write_scene(&self, toml: &str) -> Result<(), OutputError> {
        disk::replace(&self.file(Self::SCENE), toml.as_bytes())
    }

    /// Writes a file that the scene names, at the path under which the resolved scene knows it.
    pub fn write_kept(&self, path: &str, bytes: &[u8]) -> Result<(), OutputError> {
        let path = self.file(path);
        if let Some(folder) = path.parent() {
            disk::make_folder(folder)?;
        }
        disk::replace(&path, bytes)
    }

    /// Writes how the run was started.
    pub fn write_options(&self, options: &RunOptions) -> Result<(), OutputError> {
        let json = serde_json::to_string_pretty(options).expect("options are only text") + "\n";
        disk::replace(&self.file(Self::OPTIONS), json.as_bytes())
    }
}

impl RunOptions {
    /// Reads `options.json`.
    pub fn read(path: &Path) -> Result<Self, OutputError> {
        let text = disk::read_text(path)?;
        serde_json::from_str(&text).map_err(|e| OutputError::malformed(path, e.to_string()))
    }
}

/// A scene's name as that of a folder: no separators, no dots at the start.
fn folder_name(scene_name: &str) -> String {
    let name = crate::table::column_name(scene_name);
    let name = name.trim_start_matches('.');
    if name.is_empty() { "scene".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn runs_are_numbered_from_one_and_never_take_a_folder_that_exists() {
        let folder = Scratch::new();
        let runs = folder.path().join("runs/drum");
        let numbered = || RunFolder::create_numbered(&runs).unwrap().path().to_owned();
        assert_eq!(numbered(), runs.join("1"));
        assert_eq!(numbered(), runs.join("2"));
        fs::create_dir(runs.join("10")).unwrap();
        fs::create_dir(runs.join("notes")).unwrap();
        fs::write(runs.join("11"), "a file").unwrap();
        assert_eq!(numbered(), runs.join("12"));
    }

    #[test]
    fn a_folder_that_holds_something_is_refused_and_an_empty_one_is_used() {
        let folder = Scratch::new();
        let out = folder.path().join("a/b");
        let run = RunFolder::create(Some(&out), "drum").unwrap();
        assert!(RunFolder::create(Some(&out), "drum").is_ok());
        run.write_scene("format = 1\n").unwrap();
        let error = RunFolder::create(Some(&out), "drum").unwrap_err();
        assert!(matches!(error, OutputError::Occupied { .. }));
        assert!(error.to_string().contains("never overwrites"), "{error}");
        assert_eq!(disk::read_text(&out.join("scene.toml")).unwrap(), "format = 1\n");
    }

    #[test]
    fn a_file_in_the_way_is_an_error() {
        let folder = Scratch::new();
        let out = folder.path().join("taken");
        fs::write(&out, "mine").unwrap();
        assert!(RunFolder::create(Some(&out), "drum").is_err());
        assert_eq!(disk::read(&out).unwrap(), b"mine");
    }

    #[test]
    fn a_kept_file_is_where_the_scene_looks_for_it() {
        let folder = Scratch::new();
        let run = RunFolder::create(Some(folder.path()), "drum").unwrap();
        run.write_kept("meshes/12ab/part.obj", b"v 0 0 0\n").unwrap();
        assert_eq!(disk::read(&run.file("meshes/12ab/part.obj")).unwrap(), b"v 0 0 0\n");
    }

    #[test]
    fn options_come_back_from_disk() {
        let folder = Scratch::new();
        let run = RunFolder::create(Some(folder.path()), "drum").unwrap();
        let options = RunOptions {
            arguments: vec!["run".into(), "drum".into()],
            options: BTreeMap::from([("method".into(), "carom".into())]),
            versions: BTreeMap::from([("carom".into(), "0.1.0".into())]),
        };
        run.write_options(&options).unwrap();
        assert_eq!(RunOptions::read(&run.file(RunFolder::OPTIONS)).unwrap(), options);
    }

    #[test]
    fn the_name_of_a_scene_cannot_leave_the_folder_of_runs() {
        assert_eq!(folder_name("../../etc"), "_.._etc");
        assert_eq!(folder_name(".."), "scene");
        assert_eq!(folder_name("my drum"), "my_drum");
    }
}
