//! Whole scenes, through the program: where the time goes, and what was kept.

use carom_output::Summary;

use super::Effort;
use super::page::{Bar, Page, Table, figures};
use super::program::{Run, contact_seconds, seconds};
use super::sphere_plate::{self, Beside, SIZES};

pub fn page(effort: Effort) -> Page {
    let shorter = if effort == Effort::Quick { 0.25 } else { 1.0 };
    let mut runs: Vec<Run> = SIZES.iter().map(|size| size.run(2e-4 * shorter, 1)).collect();
    for (scene, end_s) in [("two-sheets", 1.0), ("drop", 0.6), ("grains", 1.0), ("reef-knot", 0.3)] {
        runs.push(Run::of(scene, scene, Some(end_s * shorter)));
    }
    let mut page = Page {
        title: "Whole scenes",
        about: "Scenes of the gallery through the program on one thread, some of them shortened: seconds by part as `summary.json` has them. Contact is pair forces, \
                certificates and broad phase together, and its share is that of the integration. The naive path has no contact at all: its sphere passes through the plate \
                at no cost, so the ratio favours it."
            .into(),
        ..Page::default()
    };
    let mut table = Table::new(
        "CPU seconds of the whole process, seconds of its parts, and the energy band.",
        &[
            "scene",
            "elements:",
            "simulated s:",
            "CPU s:",
            "integrate:",
            "elements:",
            "pairs:",
            "certificates:",
            "search:",
            "observe:",
            "contact %:",
            "million forces:",
            "energy band:",
        ],
    );
    for run in &runs {
        match run.go() {
            Ok(summary) => table.rows.push(row(&run.name, &summary)),
            Err(why) => page.skipped.push(why),
        }
    }
    let Beside { ours_s, naive_s, contact_share, end_s } = sphere_plate::beside_naive(effort);
    page.bars = vec![
        Bar::at_most(
            "sphere–plate, standard run: % of the integration that is contact",
            100.0 * contact_share,
            25.0,
        ),
        Bar::at_least("sphere–plate, standard run: times as fast as the naive path", naive_s / ours_s, 3.0),
    ];
    let mut beside = Table::new(
        "The standard run in stretches, the naive path in between: CPU seconds.",
        &["simulated s:", "ours:", "naive, for as many steps:", "ratio:"],
    );
    beside.row([figures(end_s), figures(ours_s), figures(naive_s), figures(naive_s / ours_s)]);
    page.tables = vec![table, beside];
    page
}

fn row(name: &str, summary: &Summary) -> Vec<String> {
    let part = |part: &str| figures(seconds(summary, part));
    let integrate = seconds(summary, "integrate");
    vec![
        name.trim_end_matches(" 1").to_owned(),
        summary.elements.to_string(),
        figures(summary.end_s),
        figures(summary.seconds.cpu),
        figures(integrate),
        part("integrate.elements"),
        part("integrate.contact_pairs"),
        part("integrate.contact_proofs"),
        part("integrate.contact_search"),
        part("observe"),
        figures(100.0 * contact_seconds(summary) / integrate),
        figures(summary.evaluations.total as f64 / 1e6),
        figures(summary.energy.band),
    ]
}
