//! A list of steps, each timed, the first failure ending it.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// How a step that did not fail ended.
pub enum Outcome {
    /// The step ran and passed.
    Passed,
    /// The step could not run here, and why that is no failure.
    Skipped(String),
}

/// Results of all steps so far.
#[derive(Default)]
pub struct Steps {
    passed: Vec<(&'static str, Duration)>,
    skipped: Vec<(&'static str, String)>,
}

impl Steps {
    /// Runs one step and prints how long it took.
    pub fn step(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<Outcome, String>,
    ) -> Result<(), String> {
        eprintln!("── {name}");
        let start = Instant::now();
        let outcome = work();
        let took = start.elapsed();
        match outcome {
            Ok(Outcome::Passed) => {
                eprintln!("   ok in {}\n", human(took));
                self.passed.push((name, took));
                Ok(())
            }
            Ok(Outcome::Skipped(why)) => {
                eprintln!("   SKIPPED: {why}\n");
                self.skipped.push((name, why));
                Ok(())
            }
            Err(why) => Err(format!("── FAILED: {name}, after {}\n{why}", human(took))),
        }
    }

    /// Runs one command as a step.
    pub fn command(&mut self, name: &'static str, command: &mut Command) -> Result<(), String> {
        self.step(name, || run(command).map(|()| Outcome::Passed))
    }

    /// The closing lines: totals, the slowest steps, what was skipped.
    pub fn totals(&self) -> String {
        let total: Duration = self.passed.iter().map(|(_, took)| *took).sum();
        let mut text = format!("── passed: {} steps in {}", self.passed.len(), human(total));
        let mut slowest = self.passed.clone();
        slowest.sort_by_key(|(_, took)| std::cmp::Reverse(*took));
        for (name, took) in slowest.iter().take(3) {
            let _ = write!(text, "\n   {:>10}  {name}", human(*took));
        }
        for (name, why) in &self.skipped {
            let _ = write!(text, "\n   {:>10}  {name}: {why}", "SKIPPED");
        }
        text
    }
}

/// Runs a command with its output shown; an error holds the command as one would type it.
pub fn run(command: &mut Command) -> Result<(), String> {
    eprintln!("   {}", typed(command));
    let status = command.status().map_err(|e| format!("   {}\n   cannot be started: {e}", typed(command)))?;
    if status.success() { Ok(()) } else { Err(format!("   {}\n   {status}", typed(command))) }
}

/// Runs a command and returns what it printed, without the last line break.
pub fn output(command: &mut Command) -> Result<String, String> {
    let out = command.output().map_err(|e| format!("   {}\n   cannot be started: {e}", typed(command)))?;
    if out.status.success() {
        Ok(String::from_utf8_lossy(&out.stdout).trim_end().to_owned())
    } else {
        let said = String::from_utf8_lossy(&out.stderr);
        Err(format!("   {}\n   {}\n{said}", typed(command), out.status))
    }
}

/// `cargo` with these arguments, in the root of the workspace.
pub fn cargo(root: &Path, arguments: &[&str]) -> Command {
    // The cargo that runs this program, so that `cargo +toolchain xtask` keeps its toolchain.
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(root).args(arguments);
    // On a build server nothing is built twice: 10 % less work and 40 % less disk than with the caches for it.
    if std::env::var_os("CI").is_some() && std::env::var_os("CARGO_INCREMENTAL").is_none() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}

/// A command as one would type it, with the variables set for it.
fn typed(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let variables = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}={}", name.to_string_lossy(), quoted(value?))));
    let words = std::iter::once(program).chain(command.get_args()).map(quoted);
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if word.contains([' ', '\n', '*']) { format!("'{word}'") } else { word.into_owned() }
}

/// A duration as text: `0.4 s`, `12 s`, `3 min 05 s`.
pub fn human(took: Duration) -> String {
    let seconds = took.as_secs_f64();
    if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else if seconds < 59.5 {
        format!("{seconds:.0} s")
    } else {
        let whole = seconds.round() as u64;
        format!("{} min {:02} s", whole / 60, whole % 60)
    }
}

/// Builds `carom-bench` as a user builds the program, which it holds: linking each takes both cores more than a minute.
pub fn release_program(root: &Path) -> Result<(), String> {
    run(&mut cargo(root, &["build", "--release", "--quiet", "--package", "carom-bench"]))
}

/// The program that measures, in the root of the project.
pub fn carom_bench(root: &Path) -> Command {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir));
    let file = target.join("release").join(format!("carom-bench{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(file);
    command.current_dir(root);
    command
}

/// The program `carom`, in the root of the project.
pub fn carom(root: &Path) -> Command {
    let mut command = carom_bench(root);
    command.arg("carom");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_for_people() {
        for (seconds, text) in
            [(0.04, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.6, "1 min 00 s"), (185.0, "3 min 05 s")]
        {
            assert_eq!(human(Duration::from_secs_f64(seconds)), text);
        }
    }

    #[test]
    fn a_failing_command_is_shown_as_one_would_type_it() {
        let failed = output(Command::new("cargo").arg("no such command").env("GREETING", "hello"));
        let why = failed.unwrap_err();
        assert!(why.contains("GREETING=hello cargo 'no such command'"), "{why}");
    }

    #[test]
    fn a_failure_ends_the_list_and_a_skip_does_not() {
        let mut steps = Steps::default();
        assert!(steps.step("one", || Ok(Outcome::Skipped("no moon".into()))).is_ok());
        assert!(steps.step("two", || Ok(Outcome::Passed)).is_ok());
        let why = steps.step("three", || Err("   it broke".into())).unwrap_err();
        assert!(why.contains("FAILED: three") && why.contains("it broke"), "{why}");
        assert!(steps.totals().contains("1 steps") && steps.totals().contains("one: no moon"));
    }
}
