//! The energy of a run over time.

use std::path::Path;

use super::{INK, Panel, Plot, Scale, Series, colour, two_digits};
use crate::ledger::{Ledger, LedgerRow};
use crate::{OutputError, disk};

/// Two panels: the relative error of the energy, and where the energy is.
#[must_use]
pub fn energy(title: &str, ledger: &Ledger) -> Plot {
    let error = Panel {
        title: "Relative error of the energy".into(),
        note: verdict(ledger),
        y_label: "error / scale".into(),
        series: vec![energy_error("energy error", colour(0), ledger)],
        ..Panel::default()
    };
    let mut plot = energy_of_rest(title, ledger);
    plot.panels.insert(0, error);
    plot
}

/// Where the energy is, alone: on the way to rest it is taken, and has no error.
#[must_use]
pub fn energy_of_rest(title: &str, ledger: &Ledger) -> Plot {
    let split = Panel {
        title: "Where the energy is".into(),
        x_label: "time, s".into(),
        y_label: "energy, J".into(),
        series: split(ledger),
        ..Panel::default()
    };
    Plot { title: title.to_owned(), panels: vec![split], ..Plot::default() }
}

/// Writes a plot as an SVG file: `energy.svg` of a run.
pub fn write_svg(path: &Path, plot: &Plot) -> Result<(), OutputError> {
    disk::replace(path, plot.to_svg().as_bytes())
}

/// The relative error of the energy of one run over time, to be drawn alone or beside others.
#[must_use]
pub fn energy_error(name: &str, colour: &str, ledger: &Ledger) -> Series {
    let scale = ledger.energy_scale_j();
    let start = ledger.rows.first().map_or(0.0, LedgerRow::balance_j);
    // At rest nothing moves and nothing errs: zero is drawn, not 0/0.
    let relative = |e: f64| if e == start { 0.0 } else { (e - start) / scale };
    let points = ledger.rows.iter().map(|r| (r.time_s, relative(r.balance_j())));
    Series::new(name, colour, points.collect())
}

/// Kinetic energy, each kind of potential, the total, and what was taken or given where there is any.
pub(super) fn split(ledger: &Ledger) -> Vec<Series> {
    let over_time = |of: &dyn Fn(&LedgerRow) -> f64| -> Vec<(f64, f64)> {
        ledger.rows.iter().map(|r| (r.time_s, of(r))).collect()
    };
    let mut series = vec![
        Series::new("total", INK, over_time(&LedgerRow::total_j)),
        Series::new("kinetic", colour(0), over_time(&|r| r.kinetic_j)),
    ];
    for (k, kind) in ledger.kinds.iter().enumerate() {
        series.push(Series::new(kind, colour(k + 1), over_time(&|r| r.potentials_j[k])));
    }
    for (name, points) in [("dissipated", over_time(&|r| r.dissipated_j)), ("work", over_time(&|r| r.work_j))]
    {
        if points.iter().any(|p| p.1 != 0.0) {
            series.push(Series::new(name, colour(series.len() - 1), points));
        }
    }
    series
}

/// Band and drift, in words.
pub(super) fn verdict(ledger: &Ledger) -> String {
    let energy = ledger.energy();
    let (band, drift) = (two_digits(energy.band), two_digits(energy.drift));
    if energy.drift_stderr.is_finite() {
        format!("band {band}, drift {drift} ± {}", two_digits(energy.drift_stderr))
    } else {
        format!("band {band}, drift {drift}")
    }
}

/// A plot of convergence: error against step, both logarithmic.
#[must_use]
pub fn convergence(title: &str, x_label: &str, y_label: &str, series: Vec<Series>) -> Plot {
    let panel = Panel {
        x_label: x_label.into(),
        y_label: y_label.into(),
        x_scale: Scale::Log,
        y_scale: Scale::Log,
        series: series.into_iter().map(|s| Series { dots: true, ..s }).collect(),
        ..Panel::default()
    };
    Plot { title: title.to_owned(), panels: vec![panel], ..Plot::default() }
}
