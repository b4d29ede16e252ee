//! One run, and what is kept of its numbers.

use std::io;
use std::sync::atomic::AtomicBool;

use carom::Simulation;
use carom::job::{Numbers, ProbeRow};
use carom_engine::{Observer, Outcome, Plan, Reading, Snapshot};
use carom_math::Vec3;
use carom_model::{Fault, State};
use carom_output::LedgerRow;

use super::combinations::Combination;
use super::coverage::Coverage;
use super::hash::Hash;
use super::runs::Run;
use super::table::Row;

/// Keeps what a run shows.
struct Recorder<'a> {
    numbers: Numbers,
    last: Option<State>,
    coverage: Option<&'a mut Coverage>,
}

impl Observer for Recorder<'_> {
    fn observe(&mut self, snapshot: &Snapshot, reading: &Reading) -> io::Result<()> {
        if let Some(coverage) = &mut self.coverage {
            coverage.see(snapshot);
        }
        self.last = Some(snapshot.state.clone());
        self.numbers.observe(snapshot, reading)
    }
}

/// Does a run in one way; `coverage` is told what it touches.
pub fn record(run: &Run, combination: Combination, mut coverage: Option<&mut Coverage>) -> Row {
    combination.widest.allow();
    if let Some(coverage) = &mut coverage {
        coverage.begin(run);
    }
    let method = combination.method(run.method);
    let numbers = Numbers::new(&run.system, &run.probes);
    let mut recorder = Recorder { numbers, last: None, coverage };
    let plan = Plan { end: run.end, rows: run.rows, zoom: run.zoom, threads: combination.threads };
    let system = std::sync::Arc::clone(&run.system);
    let on = (method, combination.threads());
    let mut simulation = Simulation::before_start(on, system, run.state.clone(), run.built.clone());
    let outcome = simulation.run(&plan, &mut [&mut recorder], &mut [], &AtomicBool::new(false));
    let outcome = outcome.expect("observers of goldens write nothing");
    let Recorder { numbers, last, coverage } = recorder;
    if let Some(coverage) = coverage {
        coverage.end(run, &outcome, &numbers, &simulation.summary());
    }
    let state = last.map_or_else(String::new, |state| state.fingerprint().to_string());
    Row { end: end(&outcome), state, ledger: ledger(&numbers.ledger), probes: probes(&numbers.readings) }
}

/// Where a run ends, in words that change with nothing but the run.
fn end(outcome: &Outcome) -> String {
    match &outcome.fault {
        None => format!("reached tick {}", outcome.reached.0),
        Some(Fault::NotFinite { body, vertex, tick, .. }) => {
            format!("not finite at tick {}: vertex {vertex} of {body}", tick.0)
        }
        Some(Fault::Collapsed { kind, body, part, tick, .. }) => {
            format!("collapsed at tick {}: {kind} of {part} of {body}", tick.0)
        }
        Some(Fault::Squeezed { first, second, tick, layer, distance_m, .. }) => {
            format!("squeezed at tick {}: {first} and {second} in layer {layer} at {distance_m:e} m", tick.0)
        }
        Some(Fault::Tolerance { cause, tick, .. }) => format!("given up at tick {}: {cause}", tick.0),
        Some(Fault::PrescribedCrossing { first, second, tick, .. }) => {
            format!("held parts cross after tick {}: {first} and {second}", tick.0)
        }
    }
}

fn ledger(rows: &[LedgerRow]) -> String {
    let mut hash = Hash::new();
    for row in rows {
        hash.word(row.tick);
        hash.word(u64::from(row.extra));
        let scalars = [row.time_s, row.kinetic_j, row.dissipated_j, row.work_j];
        let scales = [row.energy_scale_j, row.momentum_scale, row.angular_momentum_scale];
        let vectors = [row.momentum, row.angular_momentum, row.impulse, row.angular_impulse];
        let numbers = scalars.into_iter().chain(scales).chain(vectors.into_iter().flat_map(Vec3::to_array));
        numbers.chain(row.potentials_j.iter().copied()).for_each(|number| hash.number(number));
    }
    hash.text()
}

fn probes(rows: &[ProbeRow]) -> String {
    let mut hash = Hash::new();
    for row in rows {
        hash.word(row.tick.0);
        for number in &row.values {
            hash.number(*number);
        }
    }
    hash.text()
}
