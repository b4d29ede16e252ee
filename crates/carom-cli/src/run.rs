//! `carom run SCENE`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use carom::job::{Job, Progress};
use carom_output::summary::{Contact, Dcr};
use carom_output::{AuditSummary, RunFolder, RunOptions, Summary, Verdict};
use carom_scene::{Override, Scene};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::style;

/// How fine the progress bar is.
const BAR_STEPS: u64 = 10_000;

#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct Arguments {
    #[command(flatten)]
    pub scene: SceneArguments,
    /// Write to this folder, which must be new or empty [default: runs/<scene>/<n>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// With 2 or more, read and write beside the integration; the numbers do not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Judge the run while it happens: did anything pass through, at any instant
    #[arg(long)]
    audit: bool,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
    /// Print summary.json to standard output
    #[arg(long, conflicts_with = "fingerprint")]
    json: bool,
    /// Print the fingerprint of the last state and nothing else
    #[arg(long)]
    fingerprint: bool,
}

/// Which scene, and what is different about it this time.
#[derive(clap::Args)]
pub struct SceneArguments {
    /// A scene file, the folder of a run, or the name of a built-in scene
    scene: String,
    /// Integrate this way, whatever the scene says: carom, reference, synchronous or dcr
    #[arg(long, value_name = "NAME", value_parser = ["carom", "reference", "synchronous", "dcr"])]
    method: Option<String>,
    /// End at this time, in s
    #[arg(long, value_name = "SECONDS")]
    end: Option<String>,
    /// Change a key of the scene: body.0.material.shell.thickness=0.01
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl SceneArguments {
    /// Reads and builds the scene.
    pub fn job(&self) -> Result<Job> {
        let loaded = Scene::load(&self.scene, &self.overrides())?;
        Ok(Job::new(&loaded)?)
    }

    /// What the command line changes in the scene.
    pub fn overrides(&self) -> Vec<Override> {
        let mut overrides: Vec<Override> = self.set.iter().map(|s| Override::set(s)).collect();
        overrides.extend(self.method.as_ref().map(|name| Override::flag("--method", "method", name)));
        overrides.extend(self.end.as_ref().map(|end| Override::flag("--end", "time.end", end)));
        overrides
    }

    /// The scene as named on the command line.
    pub fn name(&self) -> &str {
        &self.scene
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut job = arguments.scene.job()?;
    job.threads = usize::from(arguments.threads);
    job.audit = arguments.audit;
    let folder = RunFolder::create(arguments.out.as_deref(), &job.name)?;

    let stop = Arc::new(AtomicBool::new(false));
    let raise = Arc::clone(&stop);
    ctrlc::set_handler(move || raise.store(true, Ordering::Relaxed)).context("cannot listen for Ctrl-C")?;

    let silent = arguments.quiet || arguments.json || arguments.fingerprint;
    let bar = progress_bar(silent);
    let mut tell = |progress: Progress| {
        bar.set_position((progress.fraction * BAR_STEPS as f64) as u64);
        bar.set_message(format!("energy {:+.1e}", progress.energy_error));
    };
    let summary = job.run(&folder, &options(arguments, &job), &mut tell, &stop)?;
    bar.finish_and_clear();

    if arguments.fingerprint {
        println!("{}", summary.fingerprint);
    } else if arguments.json {
        print!("{}", summary.to_json());
    } else if !arguments.quiet {
        print_verdict(&job, &folder, &summary);
    }
    if !arguments.quiet {
        summary.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
    }
    complain(&summary);
    Ok(ExitCode::from(summary.verdict.exit_code()))
}

fn progress_bar(silent: bool) -> ProgressBar {
    let target = if silent { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {eta} left  {msg}");
    ProgressBar::with_draw_target(Some(BAR_STEPS), target)
        .with_style(style.expect("the template has only known keys"))
}

/// What decides the run, for `options.json`.
fn options(arguments: &Arguments, job: &Job) -> RunOptions {
    let mut options = BTreeMap::from([
        ("scene".to_owned(), arguments.scene.name().to_owned()),
        ("method".to_owned(), job.method.name().to_owned()),
        ("threads".to_owned(), job.threads.to_string()),
    ]);
    for (i, set) in arguments.scene.set.iter().enumerate() {
        options.insert(format!("set.{i}"), set.clone());
    }
    options.extend(arguments.scene.end.iter().map(|end| ("end".to_owned(), end.clone())));
    RunOptions {
        arguments: std::env::args().skip(1).collect(),
        options,
        versions: BTreeMap::from([
            ("carom".to_owned(), env!("CARGO_PKG_VERSION").to_owned()),
            ("scene format".to_owned(), "1".to_owned()),
            ("summary format".to_owned(), carom_output::summary::FORMAT.to_string()),
        ]),
    }
}

/// Faults and broken expectations, to standard error, also when the rest is quiet.
fn complain(summary: &Summary) {
    if let Some(fault) = &summary.fault {
        eprintln!("fault: {fault}");
    }
    for line in summary.audit.iter().filter(|audit| !audit.is_clean()).flat_map(AuditSummary::lines) {
        eprintln!("audit: {line}");
    }
    for broken in summary.expectations.iter().filter(|e| !e.kept) {
        eprintln!(
            "expectation failed: {} is {:.4e}, expected {}",
            broken.quantity, broken.found, broken.bound
        );
    }
}

fn print_verdict(job: &Job, folder: &RunFolder, summary: &Summary) {
    let (energy, momentum) = (&summary.energy, &summary.momentum);
    println!("{} with {}: {}", summary.scene, summary.method, summary.verdict);
    println!(
        "  time       {} in {} instants; {} vertices, {} potentials",
        style::seconds(summary.end_s),
        style::count(summary.instants),
        style::count(summary.vertices),
        style::count(summary.elements)
    );
    println!(
        "  energy     {:.6e} J at the start; band {:.1e}, drift {:+.1e} ± {:.0e}",
        energy.initial, energy.band, energy.drift, energy.drift_stderr
    );
    println!(
        "  momentum   linear error {:.0e}, angular {:.0e}",
        momentum.linear_error, momentum.angular_error
    );
    println!("  steps      {}", steps_in_short(summary));
    if let Some(contact) = &summary.contact {
        println!("  contact    {}", contact_in_short(contact));
    }
    if let Some(dcr) = &summary.dcr {
        println!("  dcr        {}", dcr_in_short(dcr));
    }
    let integrating = summary.seconds.by_part.get("integrate").copied().unwrap_or(0.0);
    println!(
        "  forces     {} evaluations, {:.1} million a second",
        style::count(summary.evaluations.total),
        summary.evaluations.total as f64 / integrating.max(1e-9) / 1e6
    );
    for expectation in &summary.expectations {
        let mark = if expectation.kept { "ok" } else { "FAILED" };
        println!(
            "  expected   {} {}: {:.3e} {mark}",
            expectation.quantity, expectation.bound, expectation.found
        );
    }
    for line in summary.audit.iter().flat_map(AuditSummary::lines) {
        println!("  audit      {line}");
    }
    println!("  wrote      {}", folder.path().display());
    if job.built.frames > 0 && summary.verdict != Verdict::Fault {
        println!("             open frames.pvd there with ParaView; energy.svg is the energy over time");
    }
}

/// `nearest 1.2e-3 m, deepest layer 4, at most 1,234 pairs awake`.
fn contact_in_short(contact: &Contact) -> String {
    if !contact.min_distance.is_finite() {
        return "nothing touched".to_owned();
    }
    format!(
        "nearest {:.3e} m, deepest layer {}, at most {} pairs awake",
        contact.min_distance,
        contact.deepest_layer,
        style::count(contact.pairs)
    )
}

/// `1,234 projections did +1.2e-1 J, 1,230 jumps +1e-15 J; deepest penetration 1.20e-5 m`.
fn dcr_in_short(dcr: &Dcr) -> String {
    format!(
        "{} projections did {:+.3e} J, {} jumps {:+.0e} J; deepest penetration {:.2e} m",
        style::count(dcr.projections),
        dcr.projection_work,
        style::count(dcr.jumps),
        dcr.jump_work,
        dcr.largest_penetration
    )
}

/// The range of steps of each kind: `membrane 82.6 ns to 1.32 µs on 5 clocks`.
fn steps_in_short(summary: &Summary) -> String {
    let mut kinds: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for step in &summary.steps {
        kinds.entry(&step.kind).or_default().push(step.seconds);
    }
    let of = |(kind, steps): (&str, Vec<f64>)| {
        let (first, last) = (steps[0], steps[steps.len() - 1]);
        match steps.len() {
            1 => format!("{kind} {}", style::seconds(first)),
            n => format!("{kind} {} to {} on {n} clocks", style::seconds(first), style::seconds(last)),
        }
    };
    kinds.into_iter().map(of).collect::<Vec<_>>().join("; ")
}
