//! A run that is looked at from another thread, beside the same run alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use carom::{LatestView, Simulation};
use carom_engine::MethodKind;
use carom_time::Tick;

use super::Effort;
use super::measure::{each_in_turn, thread_time};
use super::page::{Bar, Page, Table, figures};
use super::shells::{Bending, Membrane, Recipe, sphere};

/// How often the viewer looks, in 1/s.
const LOOKS_PER_S: f64 = 30.0;

pub fn page(effort: Effort) -> Page {
    let (frequency, steps) = if effort == Effort::Quick { (60, 400) } else { (317, 150) };
    let recipe = Recipe { membrane: Some(Membrane::NeoHookean), bending: Some(Bending::Midedge) };
    let shell = sphere(frequency, recipe);
    let stretch = shell.system.spans()[0].quanta() * steps;
    let start = || {
        Simulation::of_system(Arc::clone(&shell.system), shell.state.clone(), MethodKind::Carom)
            .expect("a sound start")
    };
    let mut simulations = [start(), start()];
    let view = simulations[1].latest_view(LOOKS_PER_S);
    let mut seen = 0;
    let samples = each_in_turn(if effort == Effort::Quick { 3 } else { 5 }, 2, |side| {
        let simulation = &mut simulations[side];
        let end = Tick(simulation.tick().0 + stretch);
        let mut advance =
            || thread_time(|| simulation.advance_to_tick(end).expect("a gentle motion")).1.as_secs_f64();
        if side == 0 {
            return advance();
        }
        let (seconds, moments) = looked_at(&view, advance);
        seen += moments;
        seconds
    });
    let more = samples[1].over(&samples[0]).median();
    let same_bits = simulations[0].fingerprint() == simulations[1].fingerprint();
    let mut table =
        Table::new("", &["run", "vertices:", "CPU s of a stretch, median:", "least:", "states seen:"]);
    for (name, samples, seen) in [("alone", &samples[0], 0), ("looked at", &samples[1], seen)] {
        table.row([
            name.to_owned(),
            shell.system.places().to_string(),
            figures(samples.median()),
            figures(samples.least()),
            seen.to_string(),
        ]);
    }
    Page {
        title: "A view from another thread",
        about: format!(
            "A shell (neo-Hookean, mid-edge bending, one step) on one thread, alone and while another thread asks for the latest state \
             {LOOKS_PER_S} times a second (`Simulation::latest_view`), in turn: CPU seconds of the integrating thread, copies included. Copies are \
             made when someone asks, and so far apart that they take at most a hundredth of the time."
        ),
        bars: vec![
            Bar::at_most("looked at: times the CPU seconds of the run alone", more, 1.03),
            Bar::at_least("both end in the same bits (1 is yes)", f64::from(u8::from(same_bits)), 1.0),
        ],
        tables: vec![table],
        ..Page::default()
    }
}

/// What `advance` measures while another thread looks, and how many moments that saw.
fn looked_at(view: &LatestView, advance: impl FnOnce() -> f64) -> (f64, u64) {
    let (is_over, moments) = (AtomicBool::new(false), AtomicU64::new(0));
    let seconds = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut last = None;
            while !is_over.load(Ordering::Relaxed) {
                let tick = view.newest().map(|moment| moment.tick);
                if tick != last {
                    moments.fetch_add(1, Ordering::Relaxed);
                    last = tick;
                }
                std::thread::sleep(Duration::from_secs_f64(1.0 / LOOKS_PER_S));
            }
        });
        let seconds = advance();
        is_over.store(true, Ordering::Relaxed);
        seconds
    });
    (seconds, moments.into_inner())
}
