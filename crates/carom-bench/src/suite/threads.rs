//! One thread and several: the same bits, and how much sooner.

use super::Effort;
use super::measure::{Samples, each_in_turn};
use super::page::{Bar, Page, Table, figures};
use super::program::{Run, seconds};
use super::sphere_plate::SIZES;

const THREADS: [usize; 4] = [1, 2, 4, 8];

pub fn page(effort: Effort) -> Page {
    let large = |threads| SIZES[2].run(if effort == Effort::Quick { 2e-5 } else { 5e-5 }, threads);
    let small =
        |threads| Run { threads, ..Run::of(&format!("two-sheets {threads}"), "two-sheets", Some(0.2)) };
    let mut page = Page {
        title: "Threads",
        about: "Scenes through the program with `--threads`: seconds of the integration on the clock on the wall, in turn, and the fingerprint of the last state. More threads than \
                cores are there for the bits alone."
            .into(),
        ..Page::default()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut table = Table::new(
        "",
        &["scene", "threads:", "integration s, median:", "least:", "times one thread:", "fingerprint"],
    );
    let scenes: [(&str, &dyn Fn(usize) -> Run); 2] = [(SIZES[2].name, &large), ("two-sheets", &small)];
    let mut faster = Vec::new();
    let mut same_bits = true;
    for (name, scene) in scenes {
        match measure(scene, if effort == Effort::Quick { 1 } else { 3 }) {
            Ok((samples, fingerprints)) => {
                same_bits &= fingerprints.iter().all(|f| *f == fingerprints[0]);
                faster.push(samples[0].least() / samples[1].least());
                for ((threads, samples_n), fingerprint) in THREADS.iter().zip(&samples).zip(&fingerprints) {
                    table.row([
                        name.to_owned(),
                        threads.to_string(),
                        figures(samples_n.median()),
                        figures(samples_n.least()),
                        figures(samples[0].least() / samples_n.least()),
                        format!("`{fingerprint}`"),
                    ]);
                }
            }
            Err(why) => page.skipped.push(why),
        }
    }
    page.bars.push(Bar::at_least(
        "1, 2, 4 and 8 threads end in the same bits (1 is yes)",
        f64::from(u8::from(same_bits)),
        1.0,
    ));
    if let [large, small] = faster[..] {
        if cores < 2 {
            page.skipped.push("two threads against one: there is one core".into());
        } else {
            page.bars.push(Bar::at_least("two threads on the 40k scene: times as fast as one", large, 1.75));
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

/// Seconds and fingerprints for each number of threads.
fn measure(scene: &dyn Fn(usize) -> Run, rounds: usize) -> Result<(Vec<Samples>, Vec<String>), String> {
    let mut fingerprints = vec![String::new(); THREADS.len()];
    let mut failure = None;
    let samples = each_in_turn(rounds, THREADS.len(), |i| match scene(THREADS[i]).go() {
        Ok(summary) => {
            fingerprints[i].clone_from(&summary.fingerprint);
            seconds(&summary, "integrate")
        }
        Err(why) => {
            failure = Some(why);
            f64::NAN
        }
    });
    failure.map_or(Ok((samples, fingerprints)), Err)
}
