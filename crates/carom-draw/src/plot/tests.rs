use super::draw::{LEFT, RIGHT, legend_places};
use super::*;

/// A long run's energies: an error that flickers, and parts that swing against each other.
fn swinging() -> Plot {
    let line = |name: &str, i: usize, of: &dyn Fn(f64) -> f64| {
        let points = (0..10_000).map(|k| f64::from(k) * 1e-3).map(|t| (t, of(t)));
        Series::new(name, colour(i), points.collect())
    };
    let kinetic = |t: f64| (3.0 * t).cos().powi(2);
    let flicker = |t: f64| 2e-6 * (300.0 * t).sin();
    let error = Panel {
        series: vec![line("error", 0, &flicker)],
        y_label: "error / scale".into(),
        ..Panel::default()
    };
    let split = Panel {
        x_label: "time, s".into(),
        y_label: "energy, J".into(),
        series: vec![
            line("total", 1, &|t| 1.0 + flicker(t)),
            line("kinetic", 2, &kinetic),
            line("membrane", 3, &|t| 0.7 * (1.0 - kinetic(t))),
            line("bending", 4, &|t| 0.3 * (1.0 - kinetic(t)) + flicker(t)),
        ],
        ..Panel::default()
    };
    Plot { title: "drum".into(), panels: vec![error, split], ..Plot::default() }
}

fn coordinates(svg: &str) -> Vec<(f64, f64)> {
    let lists = svg.split("<polyline points=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let pair = |p: &str| {
        let (x, y) = p.split_once(',').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    lists.flat_map(|list| list.split(' ').map(pair).collect::<Vec<_>>()).collect()
}

#[test]
fn every_line_stays_within_its_panel_and_a_long_run_makes_no_large_file() {
    let plot = swinging();
    let svg = plot.to_svg();
    assert!(svg.len() < 300_000, "{} bytes", svg.len());
    let all = coordinates(&svg);
    assert!(all.len() > 1000);
    assert!(all.iter().all(|&(x, y)| x >= LEFT && x <= plot.width - RIGHT && y > 0.0));
}

#[test]
fn a_legend_that_does_not_fit_takes_another_row() {
    let series = (0..20).map(|i| Series::new(&format!("kind number {i}"), colour(i), vec![(0.0, 1.0)]));
    let panel = Panel { series: series.collect(), ..Panel::default() };
    let places = legend_places(&panel, 500.0);
    assert!(places.last().unwrap().1 >= 3.0);
    assert!(places.iter().all(|&(x, _)| x < 500.0));
}
