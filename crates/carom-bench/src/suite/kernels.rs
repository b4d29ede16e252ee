//! Element forces a second on one core: ours beside the naive path, and both beside what the core can do.

use carom_engine::MethodKind;

use crate::naive::{Build, Naive};

use super::engine::Going;
use super::measure::{Samples, each_in_turn, thread_time};
use super::page::{Bar, Page, Table, figures};
use super::shells::{Bending, Both, Membrane, Recipe, sphere};
use super::{Effort, peak};

/// What a membrane is counted as, whatever its kernel really does: the number that the bar of this suite was set with.
const FLOPS_PER_MEMBRANE: f64 = 110.0;

const STVK: Option<Membrane> = Some(Membrane::Stvk);
const NEO: Option<Membrane> = Some(Membrane::NeoHookean);
const HINGE: Option<Bending> = Some(Bending::Hinge);
const MIDEDGE: Option<Bending> = Some(Bending::Midedge);

const RECIPES: [Recipe; 8] = [
    Recipe { membrane: STVK, bending: None },
    Recipe { membrane: NEO, bending: None },
    Recipe { membrane: None, bending: HINGE },
    Recipe { membrane: None, bending: MIDEDGE },
    Recipe { membrane: STVK, bending: HINGE },
    Recipe { membrane: STVK, bending: MIDEDGE },
    Recipe { membrane: NEO, bending: HINGE },
    Recipe { membrane: NEO, bending: MIDEDGE },
];

/// One recipe, measured: forces a second of ours, of the naive path, and of the two in each round.
struct Measured {
    recipe: Recipe,
    ours: Samples,
    naive: Samples,
    naive_build: Build,
    /// The naive path with membranes by our formulas.
    lean: Samples,
    ratio: Samples,
    /// Flops a second of the core.
    peak: Samples,
}

/// Measures all of them.
pub fn page(effort: Effort) -> Page {
    let frequency = 18;
    let measured: Vec<Measured> = RECIPES.iter().map(|r| measure(*r, frequency, effort.rounds())).collect();
    let find = |membrane, bending| {
        let wanted = Recipe { membrane, bending };
        measured.iter().find(|m| m.recipe == wanted).expect("it is one of those measured")
    };
    let share = |m: &Measured| 100.0 * FLOPS_PER_MEMBRANE * m.ours.median() / m.peak.best();
    let stvk_hinge = find(STVK, HINGE);
    let mut bars = vec![Bar::at_least(
        "naive path, St. Venant–Kirchhoff + hinge, million forces a second (below this the ratios mean nothing)",
        stvk_hinge.naive.best() / 1e6,
        15.0,
    )];
    for (membrane, bending) in [(STVK, HINGE), (STVK, MIDEDGE), (NEO, HINGE), (NEO, MIDEDGE)] {
        let m = find(membrane, bending);
        bars.push(Bar::at_least(
            format!("{}: times as fast as the naive path", m.recipe.name()),
            m.ratio.median(),
            3.5,
        ));
    }
    for membrane in [STVK, NEO] {
        let m = find(membrane, None);
        bars.push(Bar::at_least(
            format!("{} membrane: % of the peak, counted as 110 flops", m.recipe.name()),
            share(m),
            15.0,
        ));
    }
    for membrane in [STVK, NEO] {
        let m = find(membrane, MIDEDGE);
        bars.push(Bar::at_least(
            format!("whole shells, {}: million triangle-steps a second", m.recipe.name()),
            m.ours.median() / 2e6,
            20.0,
        ));
    }
    let mut table = Table::new(
        "Million forces a second; the ratio is taken within each round.",
        &[
            "elements",
            "ours, median:",
            "best:",
            "naive, median:",
            "best:",
            "compiled for",
            "ratio, median:",
            "best:",
            "our formulas, plain loops:",
        ],
    );
    for m in &measured {
        table.row([
            m.recipe.name(),
            figures(m.ours.median() / 1e6),
            figures(m.ours.best() / 1e6),
            figures(m.naive.median() / 1e6),
            figures(m.naive.best() / 1e6),
            match m.naive_build {
                Build::Baseline => "any x86-64".into(),
                Build::Native => "this machine".into(),
            },
            figures(m.ratio.median()),
            figures(m.ratio.best()),
            figures(m.lean.median() / 1e6),
        ]);
    }
    let peak = measured.iter().map(|m| m.peak.best()).fold(0.0, f64::max);
    Page {
        title: "Kernels",
        about: format!(
            "Gradients of elements per second of processor time on one core, gather, scatter, kicks and drifts included: a sphere of {} triangles, \
             all on one step. Ours, both compilations of the [naive path](index.md#the-naive-path) and the peak are measured alternately; the last column has membranes by our own formulas in the same plain loops. There are {} rounds. The \
             measured peak of this core is {} GFLOP/s in f64.",
            20 * frequency * frequency,
            effort.rounds(),
            figures(peak / 1e9)
        ),
        bars,
        tables: vec![table],
        ..Page::default()
    }
}

fn measure(recipe: Recipe, frequency: usize, rounds: usize) -> Measured {
    let Both { system, state, mut naive, mut lean, step_s } = sphere(frequency, recipe);
    let steps = (3_000_000 / naive.elements()).max(20) as u64;
    let quanta = system.spans()[0].quanta() * steps;
    let mut going = Going::start(MethodKind::Carom, &system, &state);
    let forces = naive.elements() as f64 * steps as f64;
    let plain = |side: &mut Naive, build| {
        let ((), took) = thread_time(|| side.run(build, step_s, steps));
        forces / took.as_secs_f64()
    };
    let sides = each_in_turn(rounds, 6, |side| match side {
        0 => going.advance(quanta).rate(),
        1 => plain(&mut naive, Build::Baseline),
        2 => plain(&mut naive, Build::Native),
        3 => plain(&mut lean, Build::Baseline),
        4 => plain(&mut lean, Build::Native),
        _ => peak::flops_per_second(),
    });
    let [ours, baseline, native, lean_baseline, lean_native, peak] =
        <[Samples; 6]>::try_from(sides).expect("six sides were asked for");
    let (naive, naive_build) = faster(baseline, native);
    let (lean, _) = faster(lean_baseline, lean_native);
    let ratio = ours.over(&naive);
    Measured { recipe, ours, naive, naive_build, lean, ratio, peak }
}

/// The compilation that is faster here.
fn faster(baseline: Samples, native: Samples) -> (Samples, Build) {
    if baseline.median() > native.median() { (baseline, Build::Baseline) } else { (native, Build::Native) }
}
