//! Probes and expectations: names, references, columns, tolerances.

use super::forces::check_selection;
use super::{body_names, check_exactly_one, check_names, check_reference};
use crate::at::At;
use crate::format::{ExpectProbe, ProbeKeys, SceneFile};
use crate::probes::{Names, PROBES, ProbeKind};
use crate::report::Problem;
use crate::spelling;

/// Rows that a claim of a drift below [`CLAIM`] needs, and how many a scene has by default.
pub const ROWS_FOR_A_CLAIM: u32 = 10_000;
/// The drift below which more rows are needed to measure it.
pub const CLAIM: f64 = 1e-6;

pub fn check(file: &SceneFile, problems: &mut Vec<Problem>) {
    check_names("probe", file.probes.iter().map(|p| &p.name), problems);
    let pins = file.pins.iter().filter_map(|pin| pin.name.as_ref()).map(|name| name.as_str());
    let names = Names { bodies: body_names(file), pins: pins.collect() };
    for probe in &file.probes {
        check_probe(probe, &names, problems);
    }
    for expectation in &file.expect.probes {
        check_expectation(file, expectation, problems);
    }
    if let Some(zoom) = file.output.zoom.as_ref().filter(|zoom| zoom.from.get() >= zoom.to.get()) {
        let problem = Problem::new(&zoom.span(), "a zoom ends after it begins");
        problems.push(problem.help("let `to` be later than `from`"));
    }
    if let (Some(drift), Some(rows)) = (&file.expect.energy_drift, &file.output.rows)
        && drift.get() <= CLAIM
        && rows.get() < ROWS_FOR_A_CLAIM
    {
        let message = format!("a drift below {CLAIM:e} cannot be measured with {} rows", rows.get());
        let problem = Problem::new(&rows.span(), message).and(&drift.span(), "the claim");
        problems.push(problem.help(format!("write {ROWS_FOR_A_CLAIM} rows or more, or leave `rows` out")));
    }
}

fn check_probe(probe: &At<ProbeKeys>, names: &Names<'_>, problems: &mut Vec<Problem>) {
    let keys: Vec<(&str, bool)> = PROBES.iter().map(|kind| (kind.key, (kind.is_given)(probe))).collect();
    check_exactly_one(&probe.span(), "a probe", &keys, problems);
    for kind in PROBES {
        (kind.check)(probe, names, problems);
    }
    if let Some(select) = &probe.select {
        check_selection(select, problems);
        if probe.body.is_none() {
            let problem = Problem::new(&select.span(), "`select` needs the `body` it selects from");
            problems.push(problem.help("add `body`"));
        }
    }
}

fn check_expectation(file: &SceneFile, expectation: &At<ExpectProbe>, problems: &mut Vec<Problem>) {
    let names: Vec<&str> = file.probes.iter().map(|p| p.name.as_str()).collect();
    check_reference("probe", &expectation.name, &names, problems);
    if let Some(probe) = file.probes.iter().find(|p| *p.name == *expectation.name) {
        check_column(probe, &expectation.column, problems);
    }
    let (relative, absolute) = (&expectation.relative, &expectation.absolute);
    let keys = [("relative", relative.is_some()), ("absolute", absolute.is_some())];
    check_exactly_one(&expectation.span(), "an expected number", &keys, problems);
    if let Some(relative) = relative
        && expectation.value.get() == 0.0
    {
        let problem = Problem::new(&relative.span(), "nothing is relative to a value of 0");
        problems.push(problem.and(&expectation.value.span(), "this value").help("give `absolute` instead"));
    }
}

fn check_column(probe: &ProbeKeys, column: &At<String>, problems: &mut Vec<Problem>) {
    let Some(kind) = ProbeKind::of(probe) else { return };
    let columns: Vec<&str> = kind.columns.iter().map(|column| column.name).collect();
    if columns.contains(&column.as_str()) {
        return;
    }
    let message = format!("probe \"{}\" has no column \"{column}\"", probe.name);
    let problem = Problem::new(&column.span(), message);
    problems.push(match spelling::nearest(column, columns.iter().copied()) {
        Some(near) => problem.help(format!("did you mean \"{near}\"?")),
        None => problem.help(format!("it has {}", columns.join(", "))),
    });
}
