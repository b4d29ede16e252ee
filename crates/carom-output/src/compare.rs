//! Comparison of runs of one scene: read from their folders, drawn and tabulated together.
//!
//! | file | is |
//! | --- | --- |
//! | `report.html` | verdict, figures and table on one page, also for a single run (see [`report`]) |
//! | `comparison.svg`, `comparison.png` | the figure, for several runs |
//! | `compare.json` | the lines: folder, settings, seconds; the time for the figure |
//!
//! Everything is read from disk, so that old runs can be compared with new ones.

pub mod report;

use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::plot::{self, Run};
use crate::summary::Seconds;
use crate::{Ledger, OutputError, RunFolder, RunOptions, Summary, disk};

/// One run of a comparison, as read from its folder.
#[derive(Clone, Debug)]
pub struct ComparedRun {
    /// Name of the run in legends and tables.
    pub name: String,
    /// Folder of the run, as the report names it.
    pub folder: String,
    /// Summary of the run.
    pub summary: Summary,
    /// Options the run was started with.
    pub options: RunOptions,
    /// Ledger of the run.
    pub ledger: Ledger,
}

impl ComparedRun {
    /// Reads the run in the folder `at`, which the report calls `folder`.
    pub fn read(name: &str, at: &Path, folder: &str) -> Result<Self, OutputError> {
        Ok(Self {
            name: name.to_owned(),
            folder: folder.to_owned(),
            summary: Summary::read(&at.join(RunFolder::SUMMARY))?,
            options: RunOptions::read(&at.join(RunFolder::OPTIONS))?,
            ledger: Ledger::read(&at.join(RunFolder::LEDGER))?,
        })
    }

    /// Name of the run and, if it ended in a Fault, that its line ends there.
    fn in_legend(&self) -> String {
        match self.summary.fault {
            Some(_) => format!("{} (until its Fault)", self.name),
            None => self.name.clone(),
        }
    }

    /// Settings of this run: its method, and every key that was set.
    #[must_use]
    pub fn settings(&self) -> Vec<String> {
        let options = &self.options.options;
        let set = options.iter().filter(|(key, _)| key.starts_with("set.")).map(|(_, value)| value.clone());
        std::iter::once(format!("method={}", self.summary.method)).chain(set).collect()
    }
}

/// Runs to be drawn and tabulated together; the first is the one that the others are compared with.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Title of the scene.
    pub title: String,
    /// The runs.
    pub lines: Vec<ComparedRun>,
    /// The window that the figure shows larger, in s; without it, one is chosen.
    pub zoom: Option<(f64, f64)>,
    /// With which others the energy of a kind of potential is drawn.
    pub group_of: plot::GroupOf,
}

/// `compare.json`: what was compared and what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Costs {
    /// The format of this file.
    pub format: u32,
    /// The runs, in the order of the figure.
    pub lines: Vec<LineCosts>,
    /// Time to read, draw and write, in s.
    pub figure_seconds: f64,
}

/// One run in `compare.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LineCosts {
    /// Name of the line.
    pub name: String,
    /// Folder of the line.
    pub folder: String,
    /// Settings of the line.
    pub settings: Vec<String>,
    /// Times of the line.
    pub seconds: Seconds,
}

impl Comparison {
    /// Name of the page in a folder.
    pub const REPORT: &'static str = "report.html";
    /// Name of the figure in a folder, as SVG.
    pub const FIGURE: &'static str = "comparison.svg";
    /// Name of the figure in a folder, as PNG.
    pub const PNG: &'static str = "comparison.png";
    /// Name of the costs in a folder.
    pub const COSTS: &'static str = "compare.json";

    /// Whether it shows what was brought to rest: that has no error of energy.
    fn is_of_rest(&self) -> bool {
        self.lines.iter().any(|line| line.summary.relax.is_some())
    }

    /// The figure.
    #[must_use]
    pub fn figure(&self) -> plot::Plot {
        if let Some(first) = self.lines.first().filter(|_| self.is_of_rest()) {
            return plot::energy_of_rest(&self.title, &first.ledger);
        }
        let names: Vec<String> = self.lines.iter().map(ComparedRun::in_legend).collect();
        let paired = names.iter().zip(&self.lines);
        let runs: Vec<Run<'_>> = paired.map(|(name, line)| Run { name, ledger: &line.ledger }).collect();
        let zoom = runs.first().and_then(|run| plot::zoom_on(run.ledger, self.zoom));
        plot::comparison(&self.title, &runs, zoom, self.group_of)
    }

    /// Writes the page and, for several runs, the figure and what everything took; `started` is when reading began.
    pub fn write(&self, folder: &Path, started: Instant) -> Result<(), OutputError> {
        let figure = self.figure();
        let svg = figure.to_svg();
        let page = report::page(self, &svg);
        disk::replace(&folder.join(Self::REPORT), page.as_bytes())?;
        if self.lines.len() < 2 {
            return Ok(());
        }
        disk::replace(&folder.join(Self::FIGURE), svg.as_bytes())?;
        disk::replace(&folder.join(Self::PNG), &figure.to_png())?;
        let costs = self.costs(started.elapsed().as_secs_f64());
        let json =
            serde_json::to_string_pretty(&costs).expect("costs have only text, numbers and lists") + "\n";
        disk::replace(&folder.join(Self::COSTS), json.as_bytes())
    }

    fn costs(&self, figure_seconds: f64) -> Costs {
        let of = |line: &ComparedRun| LineCosts {
            name: line.name.clone(),
            folder: line.folder.clone(),
            settings: line.settings(),
            seconds: line.summary.seconds.clone(),
        };
        Costs { format: 1, lines: self.lines.iter().map(of).collect(), figure_seconds }
    }
}

#[cfg(test)]
mod tests;
