//! The program, run by tests in folders of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that is gone when the test is.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn carom(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(folder);
    command
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    carom(folder).args(arguments).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub fn summary(run_folder: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(run_folder.join("summary.json")).unwrap()).unwrap()
}
