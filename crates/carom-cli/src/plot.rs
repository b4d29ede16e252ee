//! `carom plot RUN…`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use carom_output::plot::{Quantity, Run, Scale, Watched, finished, history, probe};
use carom_output::{Ledger, RunFolder, Table, table, write_file};
use carom_scene::{Loaded, Scene};

#[derive(clap::Args)]
#[command(
    after_help = "Without --out the plot goes into the folder of the first run, as plot.svg and plot.png."
)]
pub struct Arguments {
    /// The folder of a run, or of several, which are drawn over each other
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// What to draw, joined by commas: energy, error, momentum, contact [default: all, or only the probes asked for]
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = Quantity::ALL.map(Quantity::name))]
    what: Vec<String>,
    /// Draw a column of a probe: name.column
    #[arg(long = "probe", value_name = "NAME.COLUMN", value_delimiter = ',')]
    probes: Vec<String>,
    /// Lay all values out by factors
    #[arg(long, conflicts_with = "linear")]
    log: bool,
    /// Lay all values out by differences
    #[arg(long)]
    linear: bool,
    /// Begin at this time, in s
    #[arg(long, value_name = "SECONDS")]
    from: Option<f64>,
    /// End at this time, in s
    #[arg(long, value_name = "SECONDS")]
    to: Option<f64>,
    /// Write this above the plot [default: the title of the first run's scene]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Write to this file, an SVG or a PNG
    #[arg(long, value_name = "FILE.svg|FILE.png")]
    out: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
}

/// A run as it was read.
struct Read {
    name: String,
    ledger: Ledger,
    probes: Option<Table>,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let read = arguments.runs.iter().map(|run| read(run)).collect::<Result<Vec<_>>>()?;
    let watched: Vec<Watched<'_>> = read
        .iter()
        .map(|r| Watched { run: Run { name: &r.name, ledger: &r.ledger }, probes: r.probes.as_ref() })
        .collect();
    let scale = match (arguments.log, arguments.linear) {
        (true, _) => Some(Scale::Log),
        (_, true) => Some(Scale::Linear),
        _ => None,
    };
    let loaded = Scene::load(&arguments.runs[0].display().to_string(), &[])?;
    let title = arguments.title.clone().unwrap_or_else(|| title(&loaded));
    let mut panels = history(&watched, &quantities(arguments), scale);
    for column in &arguments.probes {
        let unit = loaded.scene.file.probe_column(column).map_or("", |known| known.unit);
        let panel = probe(&watched, column, unit, scale.unwrap_or_default());
        panels.push(panel.with_context(|| no_probe(column, &read))?);
    }
    let mut plot = finished(&title, panels);
    cut(&mut plot, arguments.from, arguments.to)?;
    let written = match &arguments.out {
        Some(path) => vec![path.clone()],
        None => ["plot.svg", "plot.png"].map(|name| arguments.runs[0].join(name)).to_vec(),
    };
    for path in &written {
        match path.extension().and_then(|e| e.to_str()) {
            Some("svg") => write_file(path, plot.to_svg().as_bytes())?,
            Some("png") => write_file(path, &plot.to_png())?,
            _ => bail!("{} is neither an .svg nor a .png: name one of them", path.display()),
        }
    }
    if !arguments.quiet {
        let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
        println!("wrote {}", names.join(" and "));
    }
    Ok(ExitCode::SUCCESS)
}

fn read(run: &Path) -> Result<Read> {
    let file = run.join(RunFolder::LEDGER);
    if !file.is_file() {
        let (run, ledger) = (run.display(), RunFolder::LEDGER);
        bail!("{run} is not the folder of a run: it has no {ledger}; `carom run` writes one, and says where");
    }
    let probes = run.join(RunFolder::PROBES);
    let probes = if probes.is_file() { Some(table::read(&probes)?) } else { None };
    let name = run.display().to_string();
    Ok(Read { name: name.trim_end_matches('/').to_owned(), ledger: Ledger::read(&file)?, probes })
}

/// The quantities to draw: all, unless only probes were given.
fn quantities(arguments: &Arguments) -> Vec<Quantity> {
    let asked = |quantity: &Quantity| arguments.what.iter().any(|name| name == quantity.name());
    match (arguments.what.is_empty(), arguments.probes.is_empty()) {
        (true, true) => Quantity::ALL.to_vec(),
        (true, false) => Vec::new(),
        (false, _) => Quantity::ALL.into_iter().filter(asked).collect(),
    }
}

/// The title of the scene that was run, or its name.
fn title(loaded: &Loaded) -> String {
    let title = &loaded.scene.file.title;
    if title.is_empty() { loaded.name.clone() } else { title.clone() }
}

fn no_probe(column: &str, runs: &[Read]) -> String {
    let tables = runs.iter().filter_map(|run| run.probes.as_ref());
    let mut known: Vec<&str> = tables.flat_map(|table| &table.names).map(String::as_str).collect();
    known.retain(|name| name.contains('.'));
    known.sort_unstable();
    known.dedup();
    if known.is_empty() {
        return format!(
            "there is no probe \"{column}\": the scene has none; add a [[probe]] and run it again"
        );
    }
    format!("there is no probe \"{column}\"; there is {}", known.join(", "))
}

/// Leaves only the points between two times.
fn cut(plot: &mut carom_output::plot::Plot, from: Option<f64>, to: Option<f64>) -> Result<()> {
    let (from, to) = (from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY));
    for series in plot.panels.iter_mut().flat_map(|panel| &mut panel.series) {
        series.points.retain(|point| (from..=to).contains(&point.0));
    }
    if plot.panels.iter().flat_map(|panel| &panel.series).all(|series| series.points.is_empty()) {
        bail!("nothing was written down between --from and --to: the run may be shorter");
    }
    Ok(())
}
