//! `carom export RUN`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use carom::frames::Frames;
use carom_output::{EXPORTERS, Exporter, RunFolder};
use clap::builder::{PossibleValue, PossibleValuesParser};

use crate::style;

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder of a run
    run: PathBuf,
    /// The format
    #[arg(long, value_parser = formats())]
    format: String,
    /// Take every N-th frame
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Write to this folder, which must be new or empty [default: a folder in that of the run, called like the format]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print nothing but errors
    #[arg(long)]
    quiet: bool,
}

/// The names of the formats, and what `--help` says of each.
fn formats() -> PossibleValuesParser {
    EXPORTERS
        .iter()
        .map(|exporter| PossibleValue::new(exporter.name).help(exporter.about))
        .collect::<Vec<_>>()
        .into()
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let frames = Frames::open(&arguments.run)?;
    let exporter =
        Exporter::called(&arguments.format).context("the command line takes known formats only")?;
    let out = arguments.out.clone().unwrap_or_else(|| arguments.run.join(exporter.name));
    let folder = RunFolder::create(Some(&out), exporter.name)?;
    let mut writer = (exporter.create)(folder.path())?;
    let numbers = (0..frames.count()).step_by(arguments.every as usize);
    let count = numbers.len() as u64;
    for number in numbers {
        writer.write(&frames.read(number)?)?;
    }
    if !arguments.quiet {
        println!("wrote {}: {} frames", out.display(), style::count(count));
    }
    Ok(ExitCode::SUCCESS)
}
