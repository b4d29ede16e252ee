//! The figure of a comparison: the energy of several runs of one scene, and where that of the first is.
//!
//! Rows of a ledger need not be evenly spaced in time, and those of two runs need not agree.

use carom_model::System;

use super::energy::energy_error;
use super::{Panel, Plot, Scale, Series, colour};
use crate::ledger::{Ledger, LedgerRow};

/// One run of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// Name in the legend.
    pub name: &'a str,
    /// Ledger of the run.
    pub ledger: &'a Ledger,
}

/// The name under which the energy of a kind of potential is drawn, together with that of all others of this name.
pub type GroupOf = fn(&str) -> &str;

/// Errors below the resolution of a double mean nothing.
const ROUND_OFF: f64 = 1e-16;

/// How far below the peak of a line a logarithmic axis goes: an error that changes its sign passes through zero.
const DEPTH: f64 = 1e-4;

/// The width of the first line of the totals: visible also under another with the same values.
const FIRST_WIDTH: f64 = 3.0;

/// A total that is kept is drawn as the flat line it is, not as its own noise: the axis spans this much on either side.
const LEAST_SPAN: f64 = 0.01;

/// A kind of energy whose peak is below this fraction of the largest peak needs a logarithmic axis.
const SMALL_PART: f64 = 0.02;

/// Rows on either side of the instant that is shown larger, where the scene names no window.
const ZOOM_ROWS: usize = 60;

/// Four panels: total energy and its error for all runs; for the first, its error in the window `zoom` in s, and
/// kinetic energy and that of each group of potentials, `group_of` a kind.
#[must_use]
pub fn comparison(title: &str, runs: &[Run<'_>], zoom: Option<(f64, f64)>, group_of: GroupOf) -> Plot {
    let mut panels = vec![totals(runs, zoom), errors(runs, zoom)];
    if let Some(first) = runs.first() {
        panels.extend(zoom.map(|window| magnified(first, window)));
        panels.push(split(first, group_of));
    }
    Plot { title: title.to_owned(), panels, columns: 2, width: 1000.0, panel_height: 210.0 }
}

/// The window `wanted`, in s, if the run came that far; or else one around its deepest contact or, where nothing
/// touches, around its largest energy error.
#[must_use]
pub fn zoom_on(ledger: &Ledger, wanted: Option<(f64, f64)>) -> Option<(f64, f64)> {
    let rows_in =
        |(from, to): (f64, f64)| ledger.rows.iter().filter(|r| (from..=to).contains(&r.time_s)).count();
    wanted.filter(|window| rows_in(*window) > 2).or_else(|| zoom_on_contact(ledger))
}

fn zoom_on_contact(ledger: &Ledger) -> Option<(f64, f64)> {
    let contact = ledger.kinds.iter().position(|kind| kind == System::CONTACT);
    let depth = |row: &LedgerRow| contact.map_or(0.0, |kind| row.potentials_j[kind]);
    let start = ledger.rows.first()?.balance_j();
    let touches = ledger.rows.iter().any(|row| depth(row) > 0.0);
    let height = |row: &LedgerRow| if touches { depth(row) } else { (row.balance_j() - start).abs() };
    let highest = |a: &(usize, &LedgerRow), b: &(usize, &LedgerRow)| height(a.1).total_cmp(&height(b.1));
    let (peak, _) = ledger.rows.iter().enumerate().max_by(highest)?;
    let last = ledger.rows.len() - 1;
    let (from, to) = (peak.saturating_sub(ZOOM_ROWS), (peak + ZOOM_ROWS).min(last));
    (from < to).then(|| (ledger.rows[from].time_s, ledger.rows[to].time_s))
}

fn totals(runs: &[Run<'_>], zoom: Option<(f64, f64)>) -> Panel {
    let total = |(i, run): (usize, &Run<'_>)| {
        let (start, unit) = (start_of(run.ledger), unit_of(run.ledger));
        let points = run.ledger.rows.iter().map(|r| (r.time_s, (r.total_j() - start) / unit));
        let series = Series::new(run.name, colour(i), points.collect());
        if i == 0 { Series { width: FIRST_WIDTH, ..series } } else { series }
    };
    Panel {
        title: "Change of the total energy".into(),
        x_label: "time, s".into(),
        y_label: "change / energy turned over".into(),
        series: runs.iter().enumerate().map(total).collect(),
        y_at_least: Some((-LEAST_SPAN, LEAST_SPAN)),
        marked: zoom,
        ..Panel::default()
    }
}

fn errors(runs: &[Run<'_>], zoom: Option<(f64, f64)>) -> Panel {
    let error = |(i, run): (usize, &Run<'_>)| {
        let mut series = energy_error(run.name, colour(i), run.ledger);
        series.points.iter_mut().for_each(|point| point.1 = point.1.abs());
        series
    };
    let mut series: Vec<Series> = runs.iter().enumerate().map(error).collect();
    let least = series.iter().map(peak).fold(f64::INFINITY, f64::min);
    hide_below((DEPTH * least).max(ROUND_OFF), &mut series);
    Panel {
        title: "Size of the energy error".into(),
        x_label: "time, s".into(),
        y_label: "|energy error|".into(),
        y_scale: Scale::Log,
        series,
        marked: zoom,
        ..Panel::default()
    }
}

fn magnified(run: &Run<'_>, (from, to): (f64, f64)) -> Panel {
    let mut series = energy_error(run.name, colour(0), run.ledger);
    series.points.retain(|(t, _)| (from..=to).contains(t));
    Panel {
        title: format!("Energy error of {} in the marked window", run.name),
        x_label: "time, s".into(),
        y_label: "energy error".into(),
        series: vec![series],
        ..Panel::default()
    }
}

fn split(run: &Run<'_>, group_of: GroupOf) -> Panel {
    let over_time = |of: &dyn Fn(&LedgerRow) -> f64| -> Vec<(f64, f64)> {
        run.ledger.rows.iter().map(|r| (r.time_s, of(r))).collect()
    };
    let mut series = vec![Series::new("kinetic", colour(0), over_time(&|r| r.kinetic_j))];
    let mut groups: Vec<&str> = Vec::new();
    for kind in &run.ledger.kinds {
        if !groups.contains(&group_of(kind)) {
            groups.push(group_of(kind));
        }
    }
    for name in groups {
        let members: Vec<usize> =
            (0..run.ledger.kinds.len()).filter(|&k| group_of(&run.ledger.kinds[k]) == name).collect();
        let sum = over_time(&|r| members.iter().map(|&k| r.potentials_j[k]).sum());
        series.push(Series::new(name, colour(series.len()), sum));
    }
    // On a linear axis a kind of energy that is small relative to the others would look like zero.
    let peaks: Vec<f64> = series.iter().map(peak).filter(|peak| *peak > 0.0).collect();
    let (least, most) = peaks.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), &p| (l.min(p), m.max(p)));
    let is_small = least < SMALL_PART * most && series.iter().flat_map(|s| &s.points).all(|p| p.1 >= 0.0);
    if is_small {
        hide_below((1e-2 * least).max(ROUND_OFF * most), &mut series);
    }
    Panel {
        title: format!("Where the energy of {} is", run.name),
        x_label: "time, s".into(),
        y_label: "energy, J".into(),
        y_scale: if is_small { Scale::Log } else { Scale::Linear },
        series,
        ..Panel::default()
    }
}

/// The largest value of a line.
pub(super) fn peak(series: &Series) -> f64 {
    series.points.iter().map(|point| point.1).fold(0.0, f64::max)
}

/// Breaks lines where they go below `floor`.
pub(super) fn hide_below(floor: f64, series: &mut [Series]) {
    for point in series.iter_mut().flat_map(|series| &mut series.points).filter(|point| point.1 < floor) {
        point.1 = f64::NAN;
    }
}

fn start_of(ledger: &Ledger) -> f64 {
    ledger.rows.first().map_or(0.0, LedgerRow::total_j)
}

/// The scale of energy errors, in J. Where nothing ever moved, any unit draws the same flat line.
fn unit_of(ledger: &Ledger) -> f64 {
    let scale_j = ledger.energy_scale_j();
    if scale_j == 0.0 { 1.0 } else { scale_j }
}
