//! Runs of one scene one after the other, as `carom run` and `carom compare` make them, and the page about them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, Result};
use carom::engine::RelaxOptions;
use carom::job::{Job, Progress, RelaxProgress};
use carom_output::{Comparison, RunFolder, RunOptions, Summary, Verdict, compare};
use carom_scene::{Loaded, Override};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Number of steps of the progress bar.
const BAR_STEPS: u64 = 10_000;

/// A run to be made.
pub struct RunVariant {
    /// Name of the variant.
    pub name: String,
    /// Job of the variant.
    pub job: Job,
    options: RunOptions,
}

impl RunVariant {
    /// The scene itself; `changes` is what the command line sets.
    pub fn own(loaded: &Loaded, changes: &[String]) -> Result<Self> {
        Self::new(loaded.scene.file.own_line(), loaded, changes)
    }

    /// The line of this name that the scene has.
    pub fn named(loaded: &Loaded, name: &str, changes: &[String]) -> Result<Self> {
        let lines = loaded.scene.file.compare.iter().flat_map(|compare| &compare.lines);
        let set = lines.filter(|line| line.name.as_str() == name).flat_map(|line| &line.set);
        let set = set.map(|(key, value)| format!("{key}={}", value.0));
        let changes: Vec<String> = changes.iter().cloned().chain(set).collect();
        Self::new(name, &loaded.line(name)?, &changes)
    }

    /// The scene with `more` keys set, as a line that it does not know.
    pub fn variant(name: &str, loaded: &Loaded, more: &[Override], changes: &[String]) -> Result<Self> {
        Self::new(name, &loaded.variant(more)?, changes)
    }

    /// The same variant under another name.
    pub fn called(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self.options.options.insert("line".to_owned(), name.to_owned());
        self
    }

    fn new(name: &str, loaded: &Loaded, changes: &[String]) -> Result<Self> {
        let job = Job::new(loaded)?;
        let mut options = BTreeMap::from([
            ("scene".to_owned(), loaded.scene.name().to_owned()),
            ("line".to_owned(), name.to_owned()),
            ("method".to_owned(), job.method.name().to_owned()),
        ]);
        options.extend(changes.iter().enumerate().map(|(i, change)| (format!("set.{i}"), change.clone())));
        let versions = BTreeMap::from([
            ("carom".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("scene format".to_owned(), "1".to_owned()),
            ("summary format".to_owned(), carom_output::summary::FORMAT.to_string()),
        ]);
        let options = RunOptions { arguments: std::env::args().skip(1).collect(), options, versions };
        Ok(Self { name: name.to_owned(), job, options })
    }
}

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
    pub fn run(&self, line: &RunVariant, folder: &RunFolder) -> Result<Summary> {
        let bar = self.bar(&line.name);
        let mut tell = |progress: Progress| {
            if bar.is_hidden() {
                return;
            }
            bar.set_position((progress.fraction * BAR_STEPS as f64) as u64);
            bar.set_message(format!("energy {:+.1e}", progress.energy_error));
        };
        let mut options = line.options.clone();
        options.options.insert("threads".to_owned(), line.job.threads.to_string());
        let summary = line.job.run(folder, &options, &mut tell, &self.stop)?;
        bar.finish_and_clear();
        Ok(summary)
    }

    /// Brings a scene to rest.
    pub fn relax(&self, line: &RunVariant, relaxing: &RelaxOptions, folder: &RunFolder) -> Result<Summary> {
        let bar = self.bar(&line.name);
        let mut tell = |progress: RelaxProgress| {
            bar.set_position((progress.fraction * BAR_STEPS as f64) as u64);
            bar.set_message(format!("residual {:.1e} after {} steps", progress.residual, progress.steps));
        };
        let mut options = line.options.clone();
        options.options.extend([
            ("method".to_owned(), "relax".to_owned()),
            ("tolerance".to_owned(), format!("{:e}", relaxing.tolerance)),
            ("steps".to_owned(), relaxing.most_steps.to_string()),
            ("real masses".to_owned(), (!relaxing.scale_masses).to_string()),
        ]);
        let summary = line.job.relax(relaxing, folder, &options, &mut tell, &self.stop)?;
        bar.finish_and_clear();
        Ok(summary)
    }

    /// Makes runs one after the other, each in a folder of its name below `parent`, until one is interrupted.
    pub fn run_all<'l>(&self, lines: &'l [RunVariant], parent: &Path) -> Result<Vec<(&'l str, Summary)>> {
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

/// Folder of a run, and its name in a report.
pub struct RunLocation {
    name: String,
    at: PathBuf,
    shown: String,
}

impl RunLocation {
    /// A run in the folder `at` below that of the report.
    pub fn below(report: &Path, name: &str, at: &str) -> Self {
        Self { name: name.to_owned(), at: report.join(at), shown: at.to_owned() }
    }

    /// A run in a folder given by the user.
    pub fn of_run(folder: &str) -> Self {
        Self { name: folder.to_owned(), at: PathBuf::from(folder), shown: folder.to_owned() }
    }
}

/// Writes the page about runs of a scene into `folder`, and their figure if there are several.
pub fn report(loaded: &Loaded, runs: &[RunLocation], folder: &Path) -> Result<()> {
    let started = Instant::now();
    let read = |run: &RunLocation| compare::ComparedRun::read(&run.name, &run.at, &run.shown);
    let lines = runs.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let file = &loaded.scene.file;
    let title = if file.title.is_empty() { &loaded.name } else { &file.title };
    let zoom = file.output.zoom.as_ref().map(|zoom| (zoom.from.get(), zoom.to.get()));
    Comparison { title: title.clone(), lines, zoom }.write(folder, started)?;
    Ok(())
}
