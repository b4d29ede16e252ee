//! `carom run SCENE`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use carom::comparison::{RunVariant, compared, report};
use carom::engine::MethodKind;
use carom::job::Job;
use carom::model::{ContactSummary, DcrSummary};
use carom_output::summary::Refinement;
use carom_output::{AuditSummary, Comparison, RunFolder, Summary, Verdict};
use carom_scene::{Loaded, Override, Scene};

use crate::from::FromArguments;
use crate::style;
use crate::variants::Runner;

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    pub scene: SceneArguments,
    #[command(flatten)]
    from: FromArguments,
    /// Write to this folder, which must be new or empty [default: runs/<scene>/<n>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// With 2 or more, share large instants, and read and write beside the integration; the numbers do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Leave out the lines that the scene is compared with
    #[arg(long)]
    no_compare: bool,
    /// Judge the run while it happens: did anything pass through, at any instant
    #[arg(long)]
    audit: bool,
    #[command(flatten)]
    told: Told,
}

/// What is printed of a finished run.
#[derive(clap::Args)]
pub struct Told {
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

impl Told {
    /// Whether nothing is said beside what was asked for.
    pub fn is_silent(&self) -> bool {
        self.quiet || self.json || self.fingerprint
    }

    /// Prints how a run ended: what was asked for, warnings, and what went wrong.
    pub fn tell(&self, summary: &Summary, print_verdict: fn(&Summary)) {
        if self.fingerprint {
            println!("{}", summary.fingerprint);
        } else if self.json {
            print!("{}", summary.to_json());
        } else if !self.quiet {
            print_verdict(summary);
        }
        if !self.quiet {
            summary.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
        }
        complain(summary);
    }
}

/// A scene and the changes of the command line.
#[derive(clap::Args)]
pub struct SceneArguments {
    /// A scene file, the folder of a run, or the name of a built-in scene
    pub scene: String,
    /// Run the small variant that the scene describes in [small]: the same in seconds
    #[arg(long)]
    small: bool,
    /// Integrate this way, whatever the scene says: carom, reference, synchronous or dcr
    #[arg(long, value_name = "NAME", value_parser = MethodKind::ALL.map(MethodKind::name))]
    method: Option<String>,
    /// End at this time, in s
    #[arg(long, value_name = "SECONDS")]
    end: Option<String>,
    /// Change a key of the scene: body.0.material.shell.thickness=0.01
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl SceneArguments {
    /// Reads the scene.
    pub fn load(&self) -> Result<Loaded> {
        Ok(Scene::load(&self.scene, &self.overrides())?)
    }

    /// Reads and builds the scene.
    pub fn job(&self) -> Result<Job> {
        Ok(Job::new(&self.load()?)?)
    }

    /// The keys that the command line changes, as `key=value`.
    pub fn changes(&self) -> Vec<String> {
        let small = self.small.then(|| "small".to_owned());
        let end = self.end.iter().map(|end| format!("time.end={end}"));
        small.into_iter().chain(self.set.iter().cloned()).chain(end).collect()
    }

    /// Overrides of the command line.
    pub fn overrides(&self) -> Vec<Override> {
        let mut overrides: Vec<Override> = self.small.then(Override::small).into_iter().collect();
        overrides.extend(self.set.iter().map(|s| Override::set(s)));
        overrides.extend(self.method.as_ref().map(|name| Override::flag("--method", "method", name)));
        overrides.extend(self.end.as_ref().map(|end| Override::flag("--end", "time.end", end)));
        overrides
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let loaded = arguments.from.load(&arguments.scene)?;
    let changes = arguments.from.changes(&arguments.scene);
    let mut own = RunVariant::own(&loaded, &changes)?;
    own.job.threads = arguments.threads.map_or(own.job.threads, usize::from);
    own.job.audit = arguments.audit;
    let beside = if arguments.no_compare { Vec::new() } else { beside(&loaded, &changes)? };
    let folder = RunFolder::create(arguments.out.as_deref(), &own.job.name)?;

    let silent = arguments.told.is_silent();
    let runner = Runner::new(silent)?;
    let finished = runner.run(&own, &folder)?;
    let summary = finished.summary.clone();
    arguments.told.tell(&summary, print_verdict);

    let mut lines = vec![compared(&own.name, ".", finished)];
    for (name, line) in runner.run_all(&beside, &folder.file(COMPARED))? {
        lines.push(compared(name, &format!("{COMPARED}/{name}"), line));
    }
    let others: Vec<String> = lines[1..]
        .iter()
        .map(|line| format!("  beside     {}: {}", line.name, in_short(&line.summary)))
        .collect();
    report(&loaded, lines, folder.path())?;
    if !silent {
        for line in &others {
            println!("{line}");
        }
        print_where(&own.job, &folder, &summary);
    }
    Ok(runner.exit_code(summary.verdict))
}

/// Folder of compared runs inside that of a run.
const COMPARED: &str = "compare";

/// The lines that the scene is compared with.
fn beside(loaded: &Loaded, changes: &[String]) -> Result<Vec<RunVariant>> {
    let file = &loaded.scene.file;
    let names = file.compare.iter().flat_map(|compare| &compare.beside).map(|name| name.as_str());
    // A method from the command line can make the scene itself one of its lines.
    let lines = names.filter(|name| *name != file.own_line());
    Ok(lines.map(|name| RunVariant::named(loaded, name, changes)).collect::<Result<_, _>>()?)
}

/// Prints Faults, failed expectations and lost energy to standard error, also with `--quiet`.
pub fn complain(summary: &Summary) {
    if let Some(fault) = &summary.fault {
        eprintln!("fault: {fault}");
    }
    for line in summary.audit.iter().filter(|audit| !audit.is_clean()).flat_map(AuditSummary::lines) {
        eprintln!("audit: {line}");
    }
    let energy = summary.energy_verdict.filter(|_| summary.verdict == Verdict::EnergyOff);
    if let Some(complaint) = energy.and_then(|energy| energy.complaint()) {
        eprintln!("energy: {complaint}");
    }
    for broken in summary.expectations.iter().filter(|e| !e.kept) {
        eprintln!(
            "expectation failed: {} is {:.4e}, expected {}",
            broken.quantity, broken.found, broken.bound
        );
    }
}

/// Which steps were shortened, where and why.
fn in_words(shortened: &Refinement) -> String {
    let (level, what) = (shortened.level, shortened.shortened_in_words());
    let from = style::seconds(shortened.from_s);
    let at = style::seconds(shortened.failed_at_s);
    let left = shortened.in_vain.map(|left| format!("; in vain, {left:.1e} is left")).unwrap_or_default();
    format!("{level}: the steps of {what} from {from} on: {}, at {at}{left}", shortened.cause)
}

fn print_verdict(summary: &Summary) {
    let (energy, momentum) = (&summary.energy, &summary.momentum);
    println!("{} with {}: {}", summary.scene, summary.method, summary.verdict_in_words());
    println!(
        "  time       {} in {} instants; {} vertices, {} potentials",
        style::seconds(summary.end_s),
        style::count(summary.instants),
        style::count(summary.vertices),
        style::count(summary.elements)
    );
    println!(
        "  energy     {:.6e} J at the start, {:.3e} J turned over; band {:.1e}, drift {:+.1e} ± {:.0e}",
        energy.initial, energy.scale, energy.band, energy.drift, energy.drift_stderr
    );
    if let Some(said) = summary.energy_verdict.and_then(|energy| energy.complaint()) {
        println!("             {said}");
    }
    println!(
        "  momentum   linear error {:.0e}, angular {:.0e}",
        momentum.linear_error, momentum.angular_error
    );
    println!("  steps      {}", summary.steps_in_short().join("; "));
    for shortened in &summary.refinements {
        println!("  shortened  {}", in_words(shortened));
    }
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
    print_expectations(summary);
    for line in summary.audit.iter().flat_map(AuditSummary::lines) {
        println!("  audit      {line}");
    }
}

/// Prints every expectation with its result.
pub fn print_expectations(summary: &Summary) {
    for expectation in &summary.expectations {
        let mark = if expectation.kept { "ok" } else { "FAILED" };
        println!(
            "  expected   {} {}: {:.3e} {mark}",
            expectation.quantity, expectation.bound, expectation.found
        );
    }
}

fn print_where(job: &Job, folder: &RunFolder, summary: &Summary) {
    println!("  wrote      {}", folder.path().display());
    println!("             {} there shows everything on one page", Comparison::REPORT);
    if job.built.schedule.frames > 0 && summary.verdict != Verdict::Fault {
        println!(
            "             `carom render {}` draws it; ParaView opens frames.pvd",
            folder.path().display()
        );
    }
}

/// How a run ended, in a line: `as expected, band 3.3e-6, drift -7.0e-7 ± 2e-7, 654 evaluations, 27.7 s`.
pub fn in_short(summary: &Summary) -> String {
    let energy = &summary.energy;
    let fault = summary.fault.as_ref().map(|fault| format!(" ({fault})")).unwrap_or_default();
    format!(
        "{}{fault}, band {:.1e}, drift {:+.1e} ± {:.0e}, {} evaluations, {:.1} s of CPU time",
        summary.verdict_in_words(),
        energy.band,
        energy.drift,
        energy.drift_stderr,
        style::count(summary.evaluations.total),
        summary.seconds.cpu
    )
}

/// `nearest 1.2e-3 m, deepest layer 4, at most 1,234 pairs active`.
fn contact_in_short(contact: &ContactSummary) -> String {
    if !contact.smallest_distance_m.is_finite() {
        return "nothing touched".to_owned();
    }
    format!(
        "nearest {:.3e} m, deepest layer {}, at most {} pairs active",
        contact.smallest_distance_m,
        contact.deepest_layer,
        style::count(contact.most_active)
    )
}

/// `1,234 projections did +1.2e-1 J, 1,230 jumps +1e-15 J; deepest penetration 1.20e-5 m`.
fn dcr_in_short(dcr: &DcrSummary) -> String {
    format!(
        "{} projections did {:+.3e} J, {} jumps {:+.0e} J; deepest penetration {:.2e} m",
        style::count(dcr.projections),
        dcr.projection_work_j,
        style::count(dcr.jumps),
        dcr.jump_work_j,
        dcr.deepest_m
    )
}
