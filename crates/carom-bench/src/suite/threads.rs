//! One thread and several: the same bits, and how much sooner.

use std::time::Instant;

use carom::Simulation;
use carom_engine::MethodKind;
use carom_time::Tick;

use super::Effort;
use super::measure::{Samples, each_in_turn};
use super::page::{Bar, Page, Table, figures};
use super::program::{Run, seconds};
use super::shells::{Bending, Membrane, Recipe, sphere};
use super::sphere_plate::SIZES;

const THREADS: [usize; 4] = [1, 2, 4, 8];

pub fn page(effort: Effort) -> Page {
    let large = |threads| SIZES[2].run(if effort == Effort::Quick { 2e-5 } else { 5e-5 }, threads);
    let small =
        |threads| Run { threads, ..Run::of(&format!("two-sheets {threads}"), "two-sheets", Some(0.2)) };
    let mut page = Page {
        title: "Threads",
        about: "A shell of 40,500 triangles (neo-Hookean, mid-edge bending, one step), and scenes through the program with `--threads`: wall-clock seconds, \
                measured alternately, and the fingerprint of the last state. Of scenes, the whole run counts: with two threads, reading and writing happen beside the \
                integration, whose own seconds are in a column of their own. The smallest scene is too small to share. Ratios are those of the least times, since other work only \
                ever slows a run down. More threads than cores are there for the bits alone."
            .into(),
        ..Page::default()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut table = Table::new(
        "",
        &[
            "scene",
            "threads:",
            "s, median:",
            "least:",
            "times one thread:",
            "integration s, least:",
            "times one thread:",
            "fingerprint",
        ],
    );
    let rounds = if effort == Effort::Quick { 1 } else { 3 };
    let measured = [
        ("shell, 40,500 triangles", Ok(shell(effort.rounds()))),
        (SIZES[2].name, measure(&large, rounds)),
        ("two-sheets", measure(&small, rounds)),
    ];
    let mut faster = Vec::new();
    let mut same_bits = true;
    for (name, outcome) in measured {
        match outcome {
            Ok(Measured { samples, integration, fingerprints }) => {
                same_bits &= fingerprints.iter().all(|f| *f == fingerprints[0]);
                faster.push(samples[0].least() / samples[1].least());
                for (i, threads) in THREADS.iter().enumerate() {
                    table.row([
                        name.to_owned(),
                        threads.to_string(),
                        figures(samples[i].median()),
                        figures(samples[i].least()),
                        figures(samples[0].least() / samples[i].least()),
                        figures(integration[i]),
                        figures(integration[0] / integration[i]),
                        format!("`{}`", fingerprints[i]),
                    ]);
                }
            }
            Err(why) => page.skipped.push(why),
        }
    }
    if let [shell, large, small] = faster[..] {
        page.bars.push(Bar::at_least(
            "1, 2, 4 and 8 threads end in the same bits (1 is yes)",
            f64::from(u8::from(same_bits)),
            1.0,
        ));
        if cores < 2 {
            page.skipped.push("two threads against one: there is one core".into());
        } else {
            page.bars.push(Bar::at_least("two threads on a shell of 40k: times as fast as one", shell, 1.75));
            page.bars.push(Bar::at_least(
                "two threads on sphere–plate with 40k triangles: times as fast as one",
                large,
                1.75,
            ));
            page.bars.push(Bar::at_least(
                "two threads on the smallest scene: times as fast as one",
                small,
                0.95,
            ));
        }
    }
    page.tables = vec![table];
    page
}

/// Seconds on the wall, least seconds of the integration, and fingerprints, for each number of threads.
struct Measured {
    samples: Vec<Samples>,
    integration: Vec<f64>,
    fingerprints: Vec<String>,
}

/// A shell alone.
fn shell(rounds: usize) -> Measured {
    let recipe = Recipe { membrane: Some(Membrane::NeoHookean), bending: Some(Bending::Midedge) };
    let both = sphere(45, recipe);
    let stretch = both.system.spans()[0].quanta() * 100;
    let start = |&threads: &usize| {
        let (system, state) = (std::sync::Arc::clone(&both.system), both.state.clone());
        Simulation::of_system_on_threads(threads, system, state, MethodKind::Carom).expect("a sound start")
    };
    let mut simulations: Vec<Simulation> = THREADS.iter().map(start).collect();
    let samples = each_in_turn(rounds, simulations.len(), |i| {
        let end = Tick(simulations[i].tick().0 + stretch);
        let started = Instant::now();
        simulations[i].advance_to_tick(end).expect("a gentle motion does not fault");
        started.elapsed().as_secs_f64()
    });
    Measured {
        integration: samples.iter().map(Samples::least).collect(),
        samples,
        fingerprints: simulations.iter().map(|run| run.fingerprint().to_string()).collect(),
    }
}

/// A scene through the program.
fn measure(scene: &dyn Fn(usize) -> Run, rounds: usize) -> Result<Measured, String> {
    let mut fingerprints = vec![String::new(); THREADS.len()];
    let mut integration = vec![f64::INFINITY; THREADS.len()];
    let mut failure = None;
    let samples = each_in_turn(rounds, THREADS.len(), |i| match scene(THREADS[i]).go() {
        Ok(summary) => {
            if !fingerprints[i].is_empty() && fingerprints[i] != summary.fingerprint {
                failure = Some(format!("{} threads ended in other bits than before", THREADS[i]));
            }
            fingerprints[i].clone_from(&summary.fingerprint);
            integration[i] = integration[i].min(seconds(&summary, "integrate"));
            summary.seconds.wall
        }
        Err(why) => {
            failure = Some(why);
            f64::NAN
        }
    });
    failure.map_or(Ok(Measured { samples, integration, fingerprints }), Err)
}
