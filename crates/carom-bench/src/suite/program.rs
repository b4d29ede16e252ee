//! Scenes through the program itself, as a user runs them.

use std::path::Path;
use std::process::Stdio;

use carom_output::Summary;

/// Folder of runs, from the root of the workspace.
pub const RUNS: &str = "target/bench";

/// A scene and what is changed about it.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Name of the run.
    pub name: String,
    /// Name of the scene in the gallery, or its path.
    pub scene: String,
    /// End in s, instead of that of the scene.
    pub end_s: Option<f64>,
    /// Keys of the scene and their values.
    pub set: Vec<(&'static str, String)>,
    pub threads: usize,
    /// Whether the run is audited.
    pub audit: bool,
}

impl Run {
    /// A scene of the gallery on one thread.
    pub fn of(name: &str, scene: &str, end_s: Option<f64>) -> Self {
        Self { name: name.into(), scene: scene.into(), end_s, threads: 1, ..Self::default() }
    }

    /// Runs it and reads its summary.
    pub fn go(&self) -> Result<Summary, String> {
        let folder = Path::new(RUNS).join(self.name.replace(' ', "-"));
        if folder.exists() {
            std::fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        }
        let mut command = crate::program()?;
        command.args(["run", &self.scene, "--no-compare", "--quiet", "--threads", &self.threads.to_string()]);
        if let Some(end_s) = self.end_s {
            command.args(["--end", &end_s.to_string()]);
        }
        for (key, value) in &self.set {
            command.args(["--set", &format!("{key}={value}")]);
        }
        if self.audit {
            command.arg("--audit");
        }
        command.arg("--out").arg(&folder).stdin(Stdio::null());
        let ended = command.output().map_err(|e| format!("the program cannot be started: {e}"))?;
        let summary = Summary::read(&folder.join("summary.json"));
        summary.map_err(|e| format!("{}: {e}: {}", self.name, String::from_utf8_lossy(&ended.stderr)))
    }
}

/// Seconds that a part of a run took.
pub fn seconds(summary: &Summary, part: &str) -> f64 {
    summary.seconds.by_part.get(part).copied().unwrap_or(0.0)
}

/// Seconds of contact: pair forces, certificates, broad phase.
pub fn contact_seconds(summary: &Summary) -> f64 {
    ["integrate.contact_pairs", "integrate.contact_proofs", "integrate.contact_search"]
        .iter()
        .map(|part| seconds(summary, part))
        .sum()
}
