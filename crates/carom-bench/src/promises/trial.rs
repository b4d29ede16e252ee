//! One scene, run by the program in a process of its own with a limit on its time, and what came of it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Exit code of the program for a scene that it does not run.
const REFUSED: i32 = 2;
/// Exit code of a program that panicked.
const PANICKED: i32 = 101;
/// How often a process is looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// How scenes are run.
pub struct TrialOptions {
    /// The program, and words that come before those of its command line.
    pub program: PathBuf,
    pub words_before: Vec<String>,
    /// The value of `clocks.energy_tolerance`, if it is given.
    pub tolerance: Option<String>,
    /// Whether runs are audited.
    pub audit: bool,
    /// CPU seconds that a run may take.
    pub limit_s: f64,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this exit code.
    Exit(i32),
    /// It took too long.
    TimedOut,
    /// By a signal.
    Killed,
}

/// What came of a scene.
#[derive(Clone, Debug)]
pub struct Trial {
    pub seed: u64,
    pub title: String,
    pub ending: Ending,
    /// The first thing the program said against it, if any.
    pub said: String,
    pub cpu_s: f64,
    /// `summary.json`; null if there is none.
    pub summary: Value,
}

impl Trial {
    /// Whether the program did not start the scene.
    pub fn is_refused(&self) -> bool {
        self.ending == Ending::Exit(REFUSED)
    }

    /// Whether the program failed in a way of its own.
    pub fn panicked(&self) -> bool {
        matches!(self.ending, Ending::Exit(PANICKED) | Ending::Killed)
    }

    /// The band of the energy; NaN if there is none.
    pub fn band(&self) -> f64 {
        self.number(&["energy", "band"])
    }

    /// A number of the summary; NaN where there is none.
    pub fn number(&self, path: &[&str]) -> f64 {
        self.value(path).as_f64().unwrap_or(f64::NAN)
    }

    /// How many pairs crossed, by the audit; `None` if there was no audit.
    pub fn crossings(&self) -> Option<u64> {
        self.value(&["audit", "crossings"]).as_u64()
    }

    /// A part of the summary.
    pub fn value(&self, path: &[&str]) -> &Value {
        path.iter().fold(&self.summary, |value, key| &value[*key])
    }
}

impl TrialOptions {
    /// Runs the scene in `file` into the folder `out`, which is removed after.
    pub fn run(&self, seed: u64, title: &str, file: &Path, out: &Path) -> Result<Trial, String> {
        let say = |error: std::io::Error| format!("{}: {error}", out.display());
        if out.exists() {
            std::fs::remove_dir_all(out).map_err(say)?;
        }
        let mut command = Command::new(&self.program);
        command.args(&self.words_before).arg("run").arg(file);
        command.args(["--quiet", "--no-compare", "--threads", "1", "--out"]).arg(out);
        if let Some(tolerance) = &self.tolerance {
            command.args(["--set", &format!("clocks.energy_tolerance={tolerance}")]);
        }
        if self.audit {
            command.arg("--audit");
        }
        let errors_path = out.with_extension("stderr");
        let errors = std::fs::File::create(&errors_path).map_err(say)?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors);
        let mut child = command.spawn().map_err(|e| format!("{}: {e}", self.program.display()))?;
        let (ending, looked_s) = self.wait(&mut child).map_err(say)?;
        let said = std::fs::read_to_string(&errors_path).unwrap_or_default();
        let summary = std::fs::read_to_string(out.join("summary.json"))
            .ok()
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or(Value::Null);
        let _ = std::fs::remove_dir_all(out);
        let _ = std::fs::remove_file(&errors_path);
        let cpu_s = summary["seconds"]["cpu"].as_f64().unwrap_or(looked_s);
        let title = title.to_owned();
        Ok(Trial { seed, title, ending, said: first_complaint(&said), cpu_s, summary })
    }

    /// Waits for the end, and ends what takes too long; and its CPU seconds as last seen.
    fn wait(&self, child: &mut Child) -> std::io::Result<(Ending, f64)> {
        let started = Instant::now();
        let mut spent_s = 0.0;
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok((status.code().map_or(Ending::Killed, Ending::Exit), spent_s));
            }
            spent_s = cpu_seconds(child.id()).unwrap_or_else(|| started.elapsed().as_secs_f64());
            if spent_s > self.limit_s || started.elapsed().as_secs_f64() > 10.0 * self.limit_s {
                child.kill()?;
                child.wait()?;
                return Ok((Ending::TimedOut, spent_s));
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

/// CPU seconds of a process, where the system tells: other work on the machine must not decide who takes too long.
fn cpu_seconds(process: u32) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in brackets may hold spaces. User and system time are fields 14 and 15, in hundredths of a second.
    let after_name = text.rsplit_once(')')?.1;
    let mut fields = after_name.split_whitespace().skip(11);
    let ticks = fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

/// The first line that is no warning.
fn first_complaint(said: &str) -> String {
    let line = said.lines().find(|line| !line.starts_with("warning") && !line.trim().is_empty());
    line.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit_s: f64) -> Ending {
        let options = TrialOptions {
            program: "/bin/sh".into(),
            words_before: Vec::new(),
            tolerance: None,
            audit: false,
            limit_s,
        };
        let mut child = Command::new(&options.program).args(["-c", script]).spawn().expect("a shell");
        options.wait(&mut child).expect("a process can be waited for").0
    }

    #[test]
    #[cfg(unix)]
    fn a_process_that_goes_on_for_ever_is_ended_and_others_are_awaited() {
        assert_eq!(shell("while :; do :; done", 0.1), Ending::TimedOut);
        assert_eq!(shell("sleep 0.05; exit 3", 5.0), Ending::Exit(3));
    }

    #[test]
    fn warnings_are_no_complaints() {
        assert_eq!(first_complaint("warning: slow\n\nerror: no such key\nmore"), "error: no such key");
        assert_eq!(first_complaint("warning: slow\n"), "");
    }
}
