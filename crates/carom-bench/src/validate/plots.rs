//! How the errors of a problem fall with its meshes and steps, drawn.

use carom_output::plot::{Panel, Plot, Scale, Series as Line, colour};

use super::report::{Series, Study};

/// Slopes that the eye compares with.
const GREY: &str = "#b8bcc6";

/// Series with errors below this are round-off and have no convergence.
const ROUND_OFF: f64 = 1e-12;

/// A panel for each study that refines something; `None` if none does.
pub fn convergence(id: &str, studies: &[Study]) -> Option<Plot> {
    let panels: Vec<Panel> = studies.iter().filter_map(panel).collect();
    (!panels.is_empty()).then(|| Plot {
        title: format!("{id}: error against refinement"),
        panels,
        panel_height: 260.0,
        ..Plot::default()
    })
}

fn panel(study: &Study) -> Option<Panel> {
    let mut lines: Vec<Line> = Vec::new();
    for series in &study.series {
        let points = errors(series);
        if points.len() > 1 && points.iter().any(|&(_, error)| error > ROUND_OFF) {
            let line = Line::new(&series.what, colour(lines.len()), points);
            lines.push(Line { dots: true, ..line });
        }
    }
    let slopes = slopes(&lines);
    (!lines.is_empty()).then(|| Panel {
        title: study.title.into(),
        x_label: study.size.into(),
        y_label: "|error|".into(),
        x_scale: Scale::Log,
        y_scale: Scale::Log,
        series: slopes.into_iter().chain(lines).collect(),
        ..Panel::default()
    })
}

/// Sizes and errors that a logarithm can show.
fn errors(series: &Series) -> Vec<(f64, f64)> {
    let all = series.points.iter().map(|point| (point.size, series.error(point).abs()));
    all.filter(|&(_, error)| error.is_finite() && error > 0.0).collect()
}

/// First and second order from the largest error at the largest size on.
fn slopes(lines: &[Line]) -> Vec<Line> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let [smallest, largest] = points().fold([f64::INFINITY, 0.0_f64], |[s, l], p| [s.min(p.0), l.max(p.0)]);
    if smallest >= largest {
        return Vec::new();
    }
    let top = points().filter(|p| p.0 == largest).fold(0.0_f64, |top, p| top.max(p.1));
    let slope = |name: &str, order: i32| {
        let end = (smallest, top * (smallest / largest).powi(order));
        Line { width: 1.0, ..Line::new(name, GREY, vec![(largest, top), end]) }
    };
    vec![slope("first order", 1), slope("second order", 2)]
}

#[cfg(test)]
mod tests {
    use super::super::report::Point;
    use super::*;

    fn study(errors: &[f64]) -> Study {
        let point = |(i, e): (usize, &f64)| Point {
            mesh: String::new(),
            size: 0.5_f64.powi(i as i32),
            ours: 2.0 * (1.0 + e),
        };
        let points = errors.iter().enumerate().map(point).collect();
        let series = Series { what: "period".into(), expected: 2.0, tolerance: None, order: None, points };
        Study {
            title: "Swing",
            setting: String::new(),
            source: "",
            size: "edge over length",
            series: vec![series],
        }
    }

    #[test]
    fn a_refined_problem_is_drawn_with_its_slopes_and_one_of_a_single_mesh_is_not() {
        let plot = convergence("swing", &[study(&[0.1, -0.02, 0.005]), study(&[0.1])]).unwrap();
        assert_eq!(plot.panels.len(), 1);
        let lines = &plot.panels[0].series;
        let last = lines[2].points[2];
        assert!((last.0 - 0.25).abs() < 1e-12 && (last.1 - 0.005).abs() < 1e-12, "{last:?}");
        assert!((lines[1].points[1].1 - 0.1 / 16.0).abs() < 1e-12);
        assert!(convergence("swing", &[study(&[0.1])]).is_none());
    }

    #[test]
    fn round_off_is_not_drawn() {
        assert!(convergence("swing", &[study(&[4e-16, -8e-16, 2e-15])]).is_none());
    }

    #[test]
    fn an_error_of_nothing_is_left_out_of_a_logarithm() {
        let plot = convergence("swing", &[study(&[0.1, 0.0, 0.005])]).unwrap();
        assert_eq!(plot.panels[0].series[2].points.len(), 2);
    }
}
