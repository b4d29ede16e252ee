//! Other programs on the same problems, where they are installed.
//!
//! The scripts lie beside the project (`../shared/peers`, or where `CAROM_PEERS` says), and with them their Python
//! (`venv/bin/python` there, or what `CAROM_PEERS_PYTHON` says). What is not there is skipped, and the page says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use carom_output::Summary;
use serde_json::Value;

use super::Effort;
use super::page::{Bar, Page, Table, figures};
use super::program::{RUNS, Run};

/// A Python that has the other programs, and a copy of the scripts that may be written beside.
pub struct Peers {
    python: PathBuf,
    scripts: PathBuf,
}

impl Peers {
    /// The peers on this machine, or why there are none.
    pub fn here() -> Result<Self, String> {
        let folder = std::env::var_os("CAROM_PEERS").map_or_else(|| "../shared/peers".into(), PathBuf::from);
        if !folder.join("common.py").is_file() {
            return Err(format!(
                "the scripts of the other programs are not in {} (CAROM_PEERS names the folder)",
                folder.display()
            ));
        }
        let python = std::env::var_os("CAROM_PEERS_PYTHON")
            .map_or_else(|| folder.join("venv/bin/python"), PathBuf::from);
        if !python.is_file() {
            return Err(format!(
                "there is no {} (CAROM_PEERS_PYTHON names another Python)",
                python.display()
            ));
        }
        let python = std::path::absolute(python).map_err(|e| e.to_string())?;
        let scripts = Path::new(RUNS).join("peers");
        copy(&folder, &scripts).map_err(|e| format!("{}: {e}", scripts.display()))?;
        Ok(Self { python, scripts })
    }

    /// Runs a script on one thread, and reads the object on its last line.
    pub fn run(&self, script: &str, arguments: &[&str]) -> Result<Value, String> {
        let text = self.say(Command::new(&self.python).arg(script).args(arguments), script)?;
        // Python writes what is no number as no JSON has it.
        let last =
            text.lines().last().unwrap_or_default().replace("NaN", "null").replace("-Infinity", "null");
        serde_json::from_str(&last.replace("Infinity", "null"))
            .map_err(|e| format!("{script} did not end in an object: {e}"))
    }

    /// Runs a few lines of Python where the scripts can be imported.
    pub fn python(&self, code: &str) -> Result<String, String> {
        self.say(Command::new(&self.python).args(["-c", code]), "python")
    }

    fn say(&self, command: &mut Command, name: &str) -> Result<String, String> {
        for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"] {
            command.env(variable, "1");
        }
        let ended = command.current_dir(&self.scripts).stdin(Stdio::null()).output();
        let ended = ended.map_err(|e| format!("{name}: {e}"))?;
        if ended.status.success() {
            return Ok(String::from_utf8_lossy(&ended.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&ended.stderr);
        Err(format!("{name}: {}", said.lines().last().unwrap_or("it failed")))
    }
}

/// Copies the scripts, and leaves out what they were installed with.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to.join("results"))?;
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "py")
            && let Some(name) = path.file_name()
        {
            std::fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

/// A number of an object; none is no number.
pub fn number(object: &Value, key: &str) -> f64 {
    object.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN)
}

/// One problem: our scene, and the scripts of others with their arguments.
struct Problem {
    title: &'static str,
    scene: &'static str,
    /// Number of rounds, in which all programs run alternately: the least time of each counts, since other work only ever slows a run down.
    rounds: usize,
    others: [(&'static str, &'static [&'static str]); 2],
}

const PROBLEMS: [Problem; 2] = [
    Problem {
        title: "Two sheets meet at 1 m/s each, one simulated second.",
        scene: "two-sheets",
        rounds: 5,
        others: [
            ("MuJoCo, IPC mode, 2 ms", &["a", "discrete", "2e-3", "1.0", "16", "-1e4 0", "x", "_ipc"]),
            (
                "MuJoCo, undamped contact, 0.1 ms",
                &["a", "Euler", "1e-4", "1.0", "16", "-1e6 0", "x", "_k1e6"],
            ),
        ],
    },
    Problem {
        title: "A cloth is dropped on its edge, one simulated second.",
        scene: "drop",
        rounds: 1,
        others: [
            ("MuJoCo, IPC mode, 2 ms", &["b", "discrete", "2e-3", "1.0", "24", "-1e4 0", "auto", "_ipc"]),
            (
                "MuJoCo, stiff contact, 0.2 ms",
                &["b", "Euler", "2e-4", "1.0", "24", "-1e5 0", "auto", "_stiff"],
            ),
        ],
    },
];

pub fn page(effort: Effort) -> Page {
    let mut page = Page {
        title: "Beside other programs",
        about: "The same geometry, the same simulated second, one core, in turn; of the sheets, the fastest of five runs each. CPU seconds: ours of the whole process, all rows and frames included, and of the steps alone, as theirs are. Energy: ours is the largest deviation at any row, theirs \
                that of the end. MuJoCo runs here; ipctk, Newton, rapier, LAMMPS and others were measured earlier on the same kind of machine: [beside other programs](../validation/peers.md) has their rows. In \
                the drop nothing takes energy from ours, and most of it goes where a program damps."
            .into(),
        ..Page::default()
    };
    let peers = Peers::here();
    if let Err(why) = &peers {
        page.skipped.push(why.clone());
    }
    for problem in &PROBLEMS {
        let headings = ["program", "CPU s for a simulated second:", "energy %:", "frames that cross"];
        let mut table = Table::new(problem.title, &headings);
        let Outcome { ours, others } = problem.run(peers.as_ref().ok(), effort);
        match ours {
            Ok((summary, crossings)) => {
                let cost = summary.seconds.cpu / summary.end_s;
                let steps = summary.seconds.by_part.get("integrate").copied().unwrap_or(f64::NAN);
                let steps = steps / summary.end_s;
                if problem.scene == "two-sheets" {
                    page.bars.push(Bar::at_most(
                        "two sheets: CPU seconds for a simulated second, steps alone, as theirs are",
                        steps,
                        0.5,
                    ));
                    page.bars.push(Bar::at_most(
                        "two sheets: the same of the whole process, with 2,000 rows and 100 frames",
                        cost,
                        0.5,
                    ));
                    page.bars.push(Bar::at_most(
                        "two sheets: largest deviation of the energy, %",
                        100.0 * summary.energy.band,
                        0.01,
                    ));
                }
                for (what, cost) in [("**Carom**", cost), ("**Carom**, steps alone", steps)] {
                    let energy = figures(100.0 * summary.energy.band);
                    table.row([what.into(), figures(cost), energy, crossings.clone()]);
                }
            }
            Err(why) => page.skipped.push(why),
        }
        for ((name, _), said) in problem.others.iter().zip(others) {
            match said {
                Ok(said) => table.row([
                    (*name).to_owned(),
                    figures(number(&said, "cpu_s") / number(&said, "T")),
                    figures(number(&said, "E_drift_pct")),
                    format!("{} of {}", number(&said, "frames_intersecting"), number(&said, "frames")),
                ]),
                Err(why) => page.skipped.push(why),
            }
        }
        page.tables.push(table);
    }
    page
}

/// Results of a problem.
struct Outcome {
    /// Our run on one thread, and what an audit of it found.
    ours: Result<(Summary, String), String>,
    /// Results of the other programs' scripts.
    others: Vec<Result<Value, String>>,
}

impl Problem {
    /// Runs all programs alternately, round after round, and keeps the fastest of each.
    fn run(&self, peers: Option<&Peers>, effort: Effort) -> Outcome {
        let mut outcome = Outcome { ours: self.judged(effort), others: Vec::new() };
        for round in 0..self.rounds {
            match (&mut outcome.ours, self.ours(effort).go()) {
                (Ok((best, _)), Ok(summary)) if round == 0 || summary.seconds.cpu < best.seconds.cpu => {
                    *best = summary;
                }
                (ours @ Ok(_), Err(why)) => *ours = Err(why),
                _ => {}
            }
            for (i, (_, arguments)) in self.others.iter().enumerate() {
                let Some(peers) = peers else { break };
                let said = peers.run("mj_shell.py", arguments);
                match outcome.others.get_mut(i) {
                    None => outcome.others.push(said),
                    Some(Ok(best)) => {
                        if let Ok(said) = said
                            && number(&said, "cpu_s") < number(best, "cpu_s")
                        {
                            *best = said;
                        }
                    }
                    Some(Err(_)) => {}
                }
            }
        }
        outcome
    }

    fn ours(&self, effort: Effort) -> Run {
        Run::of(self.scene, self.scene, Some(if effort == Effort::Quick { 0.25 } else { 1.0 }))
    }

    /// Our run with an audit, and what that found.
    fn judged(&self, effort: Effort) -> Result<(Summary, String), String> {
        let judged = Run { name: format!("{} judged", self.scene), audit: true, ..self.ours(effort) }.go()?;
        let clean = judged.audit.as_ref().is_some_and(carom_output::AuditSummary::is_clean);
        let crossings = if clean { "none, at any instant" } else { "**the audit found something**" };
        Ok((judged, crossings.to_owned()))
    }
}
