//! How the time of one element force grows with the number of elements.

use carom_engine::MethodKind;
use carom_output::plot::{Panel, Plot, Scale, Series, colour};

use super::Effort;
use super::engine::Going;
use super::measure::each_in_turn;
use super::page::{Bar, Page, Table, figures};
use super::shells::{Bending, Membrane, Recipe, sphere};

/// Spheres of 1,280 to a million triangles.
const FREQUENCIES: [usize; 6] = [8, 23, 45, 71, 132, 224];

const SHELL: Recipe = Recipe { membrane: Some(Membrane::NeoHookean), bending: Some(Bending::Midedge) };

pub fn page(effort: Effort) -> Page {
    let sizes = if effort == Effort::Quick { &FREQUENCIES[..4] } else { &FREQUENCIES[..] };
    let triangles: Vec<usize> = sizes.iter().map(|f| 20 * f * f).collect();
    let mut runs: Vec<(Going, u64)> = sizes
        .iter()
        .map(|&frequency| {
            let both = sphere(frequency, SHELL);
            let elements = both.naive.elements();
            drop((both.naive, both.lean));
            let steps = (3_000_000 / elements).max(2) as u64;
            (
                Going::start(MethodKind::Carom, &both.system, &both.state),
                both.system.spans()[0].quanta() * steps,
            )
        })
        .collect();
    // The first stretch of each touches its memory for the first time.
    for (going, quanta) in &mut runs {
        going.advance(*quanta);
    }
    let nanoseconds = each_in_turn(effort.rounds(), runs.len(), |i| {
        let (going, quanta) = &mut runs[i];
        1e9 / going.advance(*quanta).rate()
    });

    let mut table = Table::new(
        "Nanoseconds for one element force.",
        &["triangles:", "median:", "least:", "million forces a second:", "over that of 10⁴:"],
    );
    let at_ten_thousand = nanoseconds[1].median();
    for (triangles, ns) in triangles.iter().zip(&nanoseconds) {
        table.row([
            triangles.to_string(),
            figures(ns.median()),
            figures(ns.least()),
            figures(1e3 / ns.median()),
            figures(ns.median() / at_ten_thousand),
        ]);
    }
    let large: Vec<f64> = nanoseconds[1..].iter().map(super::measure::Samples::median).collect();
    let spread =
        large.iter().copied().fold(0.0, f64::max) / large.iter().copied().fold(f64::INFINITY, f64::min);
    let points = triangles.iter().zip(&nanoseconds).map(|(t, ns)| (*t as f64, ns.median())).collect();
    let line = Series { dots: true, ..Series::new("membrane + mid-edge bending", colour(0), points) };
    let plot = Plot {
        title: "Time of one element force against the number of triangles".into(),
        panels: vec![Panel {
            title: String::new(),
            x_label: "triangles".into(),
            y_label: "ns for a force".into(),
            x_scale: Scale::Log,
            series: vec![line],
            ..Panel::default()
        }],
        panel_height: 260.0,
        ..Plot::default()
    };
    Page {
        title: "Many elements",
        about: "Spheres of neo-Hookean membranes with mid-edge bending, all on one step, one core. The sizes are measured alternately, each after a warm-up.".into(),
        bars: vec![Bar::at_most(
            format!("time of one element force, slowest over fastest size, 10⁴ to {} triangles", figures(triangles[triangles.len() - 1] as f64)),
            spread,
            1.3,
        )],
        tables: vec![table],
        plots: vec![("elements", plot)],
        ..Page::default()
    }
}
