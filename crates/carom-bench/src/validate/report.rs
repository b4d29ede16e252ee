//! Ours beside the expected value, mesh by mesh.
//!
//! A [`Study`] is a problem in one setting; a [`Series`] is one quantity of it, over meshes from
//! coarse to fine. The last mesh of a judged series is held to the tolerance; those before show
//! the way there, with the observed order `ln(e₁/e₂)/ln(ℓ₁/ℓ₂)` of the errors `e` at the sizes `ℓ`. An
//! error about to change its sign shows any order at all; where it grows or has changed, none is shown.

use std::fmt::Write as _;

/// A problem in one setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// What is looked at.
    pub title: &'static str,
    /// What was built and how the quantity is measured.
    pub setting: String,
    /// Where the expected values come from.
    pub source: &'static str,
    /// The quantities.
    pub series: Vec<Series>,
}

/// One quantity over meshes, from coarse to fine.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name of the quantity.
    pub what: String,
    /// What it should be.
    pub expected: f64,
    /// The relative error allowed on the last mesh; `None` shows without judging.
    pub tolerance: Option<f64>,
    /// The order at which the last two meshes must converge at least, but for [`ORDER_SHORTFALL`].
    pub order: Option<f64>,
    /// What was measured.
    pub points: Vec<Point>,
}

/// How much of a promised order may be missing on meshes that are not yet fine.
pub const ORDER_SHORTFALL: f64 = 0.3;

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The mesh, in words.
    pub mesh: String,
    /// Size of its elements, in any unit that the series keeps to.
    pub size: f64,
    /// What was measured.
    pub ours: f64,
}

/// A line of the report.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Quantity and mesh.
    pub setting: [String; 2],
    /// What it should be.
    pub expected: f64,
    /// What was measured.
    pub ours: f64,
    /// `ours/expected − 1`.
    pub error: f64,
    /// Order of convergence from the mesh before to this one, where the error shrinks and keeps its sign.
    pub order: Option<f64>,
    /// The error allowed, on a judged line.
    pub tolerance: Option<f64>,
    /// Whether a judged line keeps its tolerance and its order.
    pub passed: Option<bool>,
}

impl Series {
    fn error(&self, point: &Point) -> f64 {
        point.ours / self.expected - 1.0
    }

    /// The point before `i` and the point itself.
    fn pair(&self, i: usize) -> Option<[&Point; 2]> {
        Some([self.points.get(i.checked_sub(1)?)?, self.points.get(i)?])
    }

    fn order_at(&self, i: usize) -> Option<f64> {
        let [before, here] = self.pair(i)?;
        let ratio = self.error(before) / self.error(here);
        (ratio > 1.0).then(|| ratio.ln() / (before.size / here.size).ln())
    }

    /// Whether the error at point `i` is at most what the promised order makes of the one before.
    fn converges_at(&self, i: usize) -> bool {
        let Some(order) = self.order else { return true };
        self.pair(i).is_some_and(|[before, here]| {
            let shrinks_to = (here.size / before.size).powf(order - ORDER_SHORTFALL);
            self.error(here).abs() <= self.error(before).abs() * shrinks_to
        })
    }

    /// The lines of this quantity.
    pub fn rows(&self) -> Vec<Row> {
        let last = self.points.len() - 1;
        let row = |(i, point): (usize, &Point)| {
            let (error, order) = (self.error(point), self.order_at(i));
            let tolerance = self.tolerance.filter(|_| i == last);
            Row {
                setting: [self.what.clone(), point.mesh.clone()],
                expected: self.expected,
                ours: point.ours,
                error,
                order,
                tolerance,
                passed: tolerance.map(|t| error.abs() <= t && self.converges_at(i)),
            }
        };
        self.points.iter().enumerate().map(row).collect()
    }
}

impl Study {
    /// Whether every judged value is within its tolerance.
    pub fn passed(&self) -> bool {
        self.series.iter().flat_map(Series::rows).all(|r| r.passed != Some(false))
    }
}

/// The whole report.
pub fn markdown(studies: &[Study], command: &str) -> String {
    let mut text = format!(
        "# Results\n\nProblems with a known answer, measured. The same program fails if a judged value leaves its tolerance.\n\n\
         Made by `{command}`.\n"
    );
    for study in studies {
        let _ = write!(text, "\n## {}\n\n{}\n\nExpected: {}.\n\n", study.title, study.setting, study.source);
        text.push_str("| quantity | mesh | expected | ours | error | order | tolerance | |\n");
        text.push_str("| --- | --- | ---: | ---: | ---: | ---: | ---: | --- |\n");
        for row in study.series.iter().flat_map(Series::rows) {
            text.push_str(&line(&row));
        }
    }
    let judged: Vec<bool> =
        studies.iter().flat_map(|s| &s.series).flat_map(Series::rows).filter_map(|r| r.passed).collect();
    let passed = judged.iter().filter(|p| **p).count();
    let _ = write!(text, "\n{passed} of {} judged values are within tolerance.\n", judged.len());
    text
}

fn line(row: &Row) -> String {
    let order = row.order.map_or("–".into(), |p| format!("{p:.2}"));
    let tolerance = row.tolerance.map_or("–".into(), |t| format!("{} %", round(100.0 * t)));
    let verdict = match row.passed {
        Some(true) => "passed",
        Some(false) => "**missed**",
        None => "",
    };
    format!(
        "| {} | {} | {:.5} | {:.5} | {:+.3} % | {order} | {tolerance} | {verdict} |\n",
        row.setting[0],
        row.setting[1],
        row.expected,
        row.ours,
        100.0 * row.error
    )
}

/// Without the digits that a factor of 100 adds.
fn round(percent: f64) -> f64 {
    (percent * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converging(order: Option<f64>, tolerance: f64, errors: &[f64]) -> Series {
        let points = errors.iter().enumerate().map(|(i, e)| Point {
            mesh: format!("mesh {i}"),
            size: 0.5_f64.powi(i as i32),
            ours: 10.0 * (1.0 + e),
        });
        Series {
            what: "period".into(),
            expected: 10.0,
            tolerance: Some(tolerance),
            order,
            points: points.collect(),
        }
    }

    #[test]
    fn only_the_finest_mesh_is_judged_and_the_order_is_that_of_the_errors() {
        let rows = converging(Some(2.0), 0.01, &[0.08, 0.02, 0.005]).rows();
        assert_eq!(rows.iter().map(|r| r.passed).collect::<Vec<_>>(), [None, None, Some(true)]);
        assert_eq!(rows[0].order, None);
        assert!((rows[2].order.unwrap() - 2.0).abs() < 1e-9 && (rows[2].error - 0.005).abs() < 1e-12);
    }

    #[test]
    fn a_value_outside_its_tolerance_or_of_the_wrong_order_or_no_number_is_missed() {
        let verdict = |series: Series| series.rows().last().unwrap().passed;
        assert_eq!(verdict(converging(None, 0.004, &[0.02, 0.005])), Some(false));
        assert_eq!(verdict(converging(Some(2.0), 0.01, &[0.01, 0.005])), Some(false));
        assert_eq!(verdict(converging(Some(2.0), 0.01, &[0.005])), Some(false));
        assert_eq!(verdict(converging(None, 0.01, &[f64::NAN])), Some(false));
        assert_eq!(verdict(converging(None, 0.01, &[-0.02, 0.005])), Some(true));
        assert_eq!(verdict(converging(Some(2.0), 0.01, &[-0.02, 0.005])), Some(true));
    }

    #[test]
    fn the_report_counts_what_passed() {
        let series = vec![converging(None, 0.01, &[0.005]), converging(None, 0.01, &[0.05])];
        let study = Study { title: "Swing", setting: "A swing.".into(), source: "a book", series };
        let text = markdown(std::slice::from_ref(&study), "carom-bench");
        assert!(
            text.contains("| period | mesh 0 | 10.00000 | 10.50000 | +5.000 % | – | 1 % | **missed** |"),
            "{text}"
        );
        assert!(text.ends_with("1 of 2 judged values are within tolerance.\n") && !study.passed());
    }
}
