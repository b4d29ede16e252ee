//! What `carom plot` draws: energies, errors, momentum, contact and probes of one run or several, over time.

use carom_math::Vec3;
use carom_model::System;

use super::comparison::{Run, hide_below, peak};
use super::energy::{energy_error, split, verdict};
use super::{Panel, Plot, Scale, Series, colour, two_digits};
use crate::ledger::LedgerRow;
use crate::table::Table;

/// Something to draw over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Energy by kind; of several runs the totals.
    Energy,
    /// The relative error of the energy.
    Error,
    /// The relative errors of momentum and angular momentum.
    Momentum,
    /// The energy of contact, and the smallest distances that contact probes measured.
    Contact,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; 4] = [Self::Energy, Self::Error, Self::Momentum, Self::Contact];

    /// Name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Energy => "energy",
            Self::Error => "error",
            Self::Momentum => "momentum",
            Self::Contact => "contact",
        }
    }
}

/// A run with its probes.
#[derive(Clone, Copy, Debug)]
pub struct Watched<'a> {
    /// Name and ledger of the run.
    pub run: Run<'a>,
    /// `probes.csv` of the run, if it has one.
    pub probes: Option<&'a Table>,
}

/// Distances that differ by more than this factor are laid out by factors.
const FACTORS: f64 = 20.0;

/// Of an error that passes through zero, a logarithmic axis shows so much below its peak.
const DEPTH: f64 = 1e-5;

/// The panels of these quantities, one below the other, `scale` of all y axes unless it is left to the quantity.
/// What a run has not (contact) is left out.
#[must_use]
pub fn history(runs: &[Watched<'_>], quantities: &[Quantity], scale: Option<Scale>) -> Vec<Panel> {
    let mut panels: Vec<Panel> = Vec::new();
    for quantity in quantities {
        match quantity {
            Quantity::Energy => panels.push(energies(runs)),
            Quantity::Error => panels.push(errors(runs, scale)),
            Quantity::Momentum => panels.push(momenta(runs)),
            Quantity::Contact => panels.extend([contact_energy(runs), distances(runs)].into_iter().flatten()),
        }
    }
    for panel in &mut panels {
        panel.y_scale = scale.unwrap_or(panel.y_scale);
    }
    panels
}

/// The panel of one column of the probes, `name.column`, whose values have this unit; `None` if no run has it.
#[must_use]
pub fn probe(runs: &[Watched<'_>], column: &str, unit: &str, scale: Scale) -> Option<Panel> {
    let series: Vec<Series> = of_runs(runs, |watched| over_time(watched.probes?, column)).collect();
    let y_label = if unit.is_empty() { column.to_owned() } else { format!("{column}, {unit}") };
    let panel = Panel { title: column.to_owned(), y_label, y_scale: scale, series, ..Panel::default() };
    (!panel.series.is_empty()).then_some(panel)
}

/// Panels one below the other, the time below the last.
#[must_use]
pub fn finished(title: &str, mut panels: Vec<Panel>) -> Plot {
    if let Some(last) = panels.last_mut() {
        last.x_label = String::from("time, s");
    }
    Plot { title: title.to_owned(), panels, ..Plot::default() }
}

/// A line for each run that has points; a run alone needs no name.
fn of_runs(
    runs: &[Watched<'_>],
    points: impl Fn(&Watched<'_>) -> Option<Vec<(f64, f64)>>,
) -> impl Iterator<Item = Series> {
    let named = runs.iter().enumerate();
    named.filter_map(move |(i, watched)| Some(Series::new(watched.run.name, colour(i), points(watched)?)))
}

fn energies(runs: &[Watched<'_>]) -> Panel {
    let total = |watched: &Watched<'_>| {
        Some(watched.run.ledger.rows.iter().map(|r| (r.time_s, r.total_j())).collect())
    };
    let (title, series) = if let [one] = runs {
        ("Where the energy is", split(one.run.ledger))
    } else {
        ("Total energy", of_runs(runs, total).collect())
    };
    Panel { title: title.into(), y_label: "energy, J".into(), series, ..Panel::default() }
}

fn errors(runs: &[Watched<'_>], scale: Option<Scale>) -> Panel {
    let mut series: Vec<Series> =
        runs.iter().enumerate().map(|(i, w)| energy_error(w.run.name, colour(i), w.run.ledger)).collect();
    if scale == Some(Scale::Log) {
        series.iter_mut().flat_map(|s| &mut s.points).for_each(|point| point.1 = point.1.abs());
        hide_what_is_no_error(&mut series);
    }
    let note = if let [one] = runs { verdict(one.run.ledger) } else { String::new() };
    let title = "Relative error of the energy".to_owned();
    Panel { title, note, y_label: "error / scale".into(), series, ..Panel::default() }
}

fn momenta(runs: &[Watched<'_>]) -> Panel {
    type Conserved = fn(&LedgerRow) -> Vec3;
    type Size = fn(&LedgerRow) -> f64;
    let kinds: [(&str, Conserved, Size); 2] = [
        ("momentum", |r| r.momentum - r.impulse, |r| r.momentum_scale),
        ("angular momentum", |r| r.angular_momentum - r.angular_impulse, |r| r.angular_momentum_scale),
    ];
    let mut series = Vec::new();
    for watched in runs {
        for (kind, kept, scale) in &kinds {
            let rows = &watched.run.ledger.rows;
            let start = rows.first().map_or(Vec3::ZERO, kept);
            let largest = rows.iter().map(scale).fold(0.0, f64::max);
            let error = |row: &LedgerRow| {
                let off = (kept(row) - start).length();
                if off == 0.0 { 0.0 } else { off / largest }
            };
            let name =
                if runs.len() == 1 { (*kind).to_owned() } else { format!("{}: {kind}", watched.run.name) };
            let points = rows.iter().map(|row| (row.time_s, error(row))).collect();
            series.push(Series::new(&name, colour(series.len()), points));
        }
    }
    let worst = series.iter().map(peak).fold(0.0, f64::max);
    hide_what_is_no_error(&mut series);
    Panel {
        title: "Relative error of the momenta".into(),
        note: format!("at most {}", two_digits(worst)),
        y_label: "error / scale".into(),
        y_scale: Scale::Log,
        series,
        ..Panel::default()
    }
}

/// Breaks lines on a logarithmic axis where they pass through zero.
fn hide_what_is_no_error(series: &mut [Series]) {
    let least = series.iter().map(peak).filter(|peak| *peak > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() {
        hide_below(DEPTH * least, series);
    }
}

/// The energy of contact, of the runs in which anything can touch.
fn contact_energy(runs: &[Watched<'_>]) -> Option<Panel> {
    let energy = |watched: &Watched<'_>| {
        let kind = watched.run.ledger.kinds.iter().position(|kind| kind == System::CONTACT)?;
        Some(watched.run.ledger.rows.iter().map(|r| (r.time_s, r.potentials_j[kind])).collect())
    };
    let series: Vec<Series> = of_runs(runs, energy).collect();
    let panel =
        Panel { title: "Energy of contact".into(), y_label: "energy, J".into(), series, ..Panel::default() };
    (!panel.series.is_empty()).then_some(panel)
}

/// The nearest distance of every probe of contact.
fn distances(runs: &[Watched<'_>]) -> Option<Panel> {
    let mut series = Vec::new();
    for watched in runs {
        let Some(table) = watched.probes else { continue };
        for column in table.names.iter().filter(|name| name.ends_with(".distance")) {
            let probe = column.trim_end_matches(".distance");
            let name =
                if runs.len() == 1 { probe.to_owned() } else { format!("{}: {probe}", watched.run.name) };
            let points = over_time(table, column)?;
            series.push(Series::new(&name, colour(series.len()), points));
        }
    }
    let near = series.iter().flat_map(|s| &s.points).map(|p| p.1).filter(|d| *d > 0.0);
    let (least, most) = near.fold((f64::INFINITY, 0.0_f64), |(least, most), d| (least.min(d), most.max(d)));
    (most > 0.0).then(|| Panel {
        title: "Nearest distance while something touches".into(),
        y_label: "distance, m".into(),
        y_scale: if most > FACTORS * least { Scale::Log } else { Scale::Linear },
        series,
        ..Panel::default()
    })
}

fn over_time(table: &Table, column: &str) -> Option<Vec<(f64, f64)>> {
    Some(table.reals("time_s")?.into_iter().zip(table.reals(column)?).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ledger;
    use crate::table::parse;

    fn ledger(kinds: &[&str]) -> Ledger {
        let row = |i: u32| LedgerRow {
            time_s: f64::from(i),
            kinetic_j: 1.0,
            potentials_j: kinds.iter().map(|_| 0.5 + 1e-6 * f64::from(i % 3)).collect(),
            momentum: Vec3::X * (2.0 + 1e-12 * f64::from(i)),
            energy_scale_j: 1.0,
            momentum_scale: 4.0,
            angular_momentum_scale: 1.0,
            ..LedgerRow::default()
        };
        Ledger { kinds: kinds.iter().map(|&k| k.to_owned()).collect(), rows: (0..20).map(row).collect() }
    }

    fn titles(panels: &[Panel]) -> Vec<&str> {
        panels.iter().map(|panel| panel.title.as_str()).collect()
    }

    #[test]
    fn a_run_without_contact_has_no_panel_of_contact_and_one_with_it_has_two() {
        let (calm, rough) = (ledger(&["membrane"]), ledger(&["membrane", "contact"]));
        let table = parse("time_s,tick,hit.distance,hit.fx\n0e0,0,NaN,0e0\n1e0,1,1e-3,2e0\n").unwrap();
        let of = |ledger, probes| [Watched { run: Run { name: "a", ledger }, probes }];
        assert_eq!(titles(&history(&of(&calm, None), &Quantity::ALL, None)).len(), 3);
        let all = history(&of(&rough, Some(&table)), &Quantity::ALL, None);
        assert_eq!(titles(&all)[3..], ["Energy of contact", "Nearest distance while something touches"]);
        assert_eq!(finished("t", all).panels[4].x_label, "time, s");
        let force = probe(&of(&rough, Some(&table)), "hit.fx", "N", Scale::Linear).unwrap();
        assert_eq!((force.y_label.as_str(), force.series[0].points[1]), ("hit.fx, N", (1.0, 2.0)));
        assert!(probe(&of(&rough, Some(&table)), "hit.fy", "N", Scale::Linear).is_none());
    }

    #[test]
    fn momentum_errors_are_on_their_scale_and_several_runs_are_named() {
        let ledger = ledger(&["membrane"]);
        let run = |name| Watched { run: Run { name, ledger: &ledger }, probes: None };
        let one = history(&[run("a")], &[Quantity::Momentum], None);
        let last = one[0].series[0].points[19];
        assert!((last.1 - 19e-12 / 4.0).abs() < 1e-15, "{last:?}");
        let two = history(&[run("a"), run("b")], &[Quantity::Energy, Quantity::Momentum], None);
        let names: Vec<&str> = two[1].series.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["a: momentum", "a: angular momentum", "b: momentum", "b: angular momentum"]);
        assert_eq!(two[0].series.len(), 2);
    }

    #[test]
    fn on_a_logarithmic_axis_errors_have_no_sign_and_no_zero() {
        let ledger = ledger(&["membrane"]);
        let run = [Watched { run: Run { name: "a", ledger: &ledger }, probes: None }];
        let plot = history(&run, &[Quantity::Error], Some(Scale::Log));
        let points = &plot[0].series[0].points;
        assert!(points[0].1.is_nan() && points[1].1 > 0.0 && plot[0].y_scale == Scale::Log);
    }
}
