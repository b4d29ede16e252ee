use super::*;
use crate::disk;
use crate::ledger::{Ledger, LedgerRow};
use crate::xml::tags;

fn swinging() -> Ledger {
    let row = |i: u64| {
        let t = i as f64 * 1e-3;
        let kinetic = (3.0 * t).cos().powi(2);
        LedgerRow {
            tick: i,
            time_s: t,
            kinetic_j: kinetic,
            energy_scale_j: 1.0,
            potentials_j: vec![0.7 * (1.0 - kinetic), 0.3 * (1.0 - kinetic) + 2e-6 * (300.0 * t).sin()],
            ..LedgerRow::default()
        }
    };
    Ledger { kinds: vec!["membrane".into(), "mid-edge bending".into()], rows: (0..10_000).map(row).collect() }
}

#[test]
fn the_energy_plot_has_both_panels_every_kind_and_the_verdict() {
    let svg = energy("drum", &swinging()).to_svg();
    for text in ["drum", "Relative error of the energy", "Where the energy is", "time, s", "energy, J"] {
        assert!(svg.contains(text), "{text}");
    }
    for name in ["total", "kinetic", "membrane", "mid-edge bending"] {
        assert!(svg.contains(&format!(">{name}</text>")), "{name}");
    }
    assert!(svg.contains("band 2.0×10⁻⁶"), "the verdict stands beside the title");
    assert!(!svg.contains("dissipated"), "what is zero throughout is not drawn");
    assert!(svg.contains("error / scale, 10⁻⁶"));
}

#[test]
fn on_the_way_to_rest_there_is_no_error_of_the_energy() {
    let svg = energy_of_rest("bar", &swinging()).to_svg();
    assert!(svg.contains("Where the energy is") && svg.contains("membrane"), "{svg}");
    assert!(!svg.contains("error") && !svg.contains("band"), "{svg}");
}

#[test]
fn a_long_ledger_makes_no_large_file() {
    let svg = energy("drum", &swinging()).to_svg();
    assert!(svg.len() < 300_000, "{} bytes", svg.len());
}

#[test]
fn a_ledger_of_nothing_and_one_at_rest_are_drawn_without_numbers_that_are_none() {
    let rest = Ledger {
        kinds: vec!["spring".into()],
        rows: vec![LedgerRow { potentials_j: vec![0.0], ..LedgerRow::default() }; 3],
    };
    for ledger in [Ledger::default(), rest] {
        let svg = energy("still", &ledger).to_svg();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn a_plot_on_disk_is_the_plot() {
    let folder = crate::scratch::Scratch::new();
    let path = folder.path().join("energy.svg");
    write_svg(&path, &energy("drum", &swinging())).unwrap();
    assert_eq!(disk::read_text(&path).unwrap(), energy("drum", &swinging()).to_svg());
}

#[test]
fn several_runs_share_one_panel() {
    let runs = [("carom", &swinging()), ("synchronous", &swinging())];
    let series = runs.iter().enumerate().map(|(i, (name, ledger))| energy_error(name, colour(i), ledger));
    let panel = Panel { series: series.collect(), ..Panel::default() };
    let svg = Plot { panels: vec![panel], ..Plot::default() }.to_svg();
    assert!(svg.contains("carom") && svg.contains("synchronous") && svg.contains(colour(1)));
}

#[test]
fn convergence_is_drawn_with_dots_on_decades() {
    let line = Series::new("order 2", INK, vec![(1e-2, 1e-4), (1e-3, 1e-6), (1e-4, 1e-8)]);
    let svg = convergence("order", "step, s", "error", vec![line]).to_svg();
    assert!(svg.contains("10⁻³") && tags(&svg).filter(|t| t.name == "circle").count() == 3);
}
