//! Runs of one scene one after the other, as `carom run` and `carom compare` make them, with their progress on the terminal.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use carom::comparison::RunVariant;
use carom::engine::RelaxOptions;
use carom::job::{FinishedRun, Progress, RelaxProgress};
use carom_output::{RunFolder, RunOptions, Verdict};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Number of steps of the progress bar.
const BAR_STEPS: u64 = 10_000;

/// Makes runs until it is interrupted.
pub struct Runner {
    stop: Arc<AtomicBool>,
    silent: bool,
}

impl Runner {
    /// Listens for Ctrl-C from here on; shows progress unless `silent`.
    pub fn new(silent: bool) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let raise = Arc::clone(&stop);
        ctrlc::set_handler(move || raise.store(true, Ordering::Relaxed))
            .context("cannot listen for Ctrl-C")?;
        Ok(Self { stop, silent })
    }

    /// Makes one run.
    pub fn run(&self, line: &RunVariant, folder: &RunFolder) -> Result<FinishedRun> {
        let bar = self.bar(&line.name);
        let mut tell = |progress: Progress| {
            if bar.is_hidden() {
                return;
            }
            bar.set_position((progress.fraction * BAR_STEPS as f64) as u64);
            bar.set_message(format!("energy {:+.1e}", progress.energy_error));
        };
        let mut options = options_of(line);
        options.options.insert("threads".to_owned(), line.job.threads.to_string());
        let finished = line.job.run(folder, &options, &mut tell, &self.stop)?;
        bar.finish_and_clear();
        Ok(finished)
    }

    /// Brings a scene to rest.
    pub fn relax(
        &self,
        line: &RunVariant,
        relaxing: &RelaxOptions,
        folder: &RunFolder,
    ) -> Result<FinishedRun> {
        let bar = self.bar(&line.name);
        let mut tell = |progress: RelaxProgress| {
            bar.set_position((progress.fraction * BAR_STEPS as f64) as u64);
            bar.set_message(format!("residual {:.1e} after {} steps", progress.residual, progress.steps));
        };
        let mut options = options_of(line);
        options.options.extend([
            ("method".to_owned(), "relax".to_owned()),
            ("tolerance".to_owned(), format!("{:e}", relaxing.tolerance)),
            ("steps".to_owned(), relaxing.most_steps.to_string()),
            ("real masses".to_owned(), (!relaxing.scale_masses).to_string()),
        ]);
        let finished = line.job.relax(relaxing, folder, &options, &mut tell, &self.stop)?;
        bar.finish_and_clear();
        Ok(finished)
    }

    /// Makes runs one after the other, each in a folder of its name below `parent`, until one is interrupted.
    pub fn run_all<'l>(&self, lines: &'l [RunVariant], parent: &Path) -> Result<Vec<(&'l str, FinishedRun)>> {
        let mut done = Vec::new();
        for line in lines {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            let folder = RunFolder::create(Some(&parent.join(&line.name)), &line.job.name)?;
            done.push((line.name.as_str(), self.run(line, &folder)?));
        }
        Ok(done)
    }

    /// The exit code after a first run that ended like this: an interrupt ends the runs after it, too.
    pub fn exit_code(&self, first: Verdict) -> ExitCode {
        let interrupted = self.stop.load(Ordering::Relaxed);
        ExitCode::from(if interrupted { Verdict::Interrupted } else { first }.exit_code())
    }

    fn bar(&self, name: &str) -> ProgressBar {
        let target = if self.silent { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let style = ProgressStyle::with_template("{prefix:12} {bar:40} {percent:>3} %  {eta} left  {msg}");
        ProgressBar::with_draw_target(Some(BAR_STEPS), target)
            .with_style(style.expect("the template has only known keys"))
            .with_prefix(name.to_owned())
    }
}

/// How a run is started: as its variant says, by this command line.
fn options_of(variant: &RunVariant) -> RunOptions {
    RunOptions { arguments: std::env::args().skip(1).collect(), ..variant.options.clone() }
}
