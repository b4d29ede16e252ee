//! Our values beside the expected ones, mesh by mesh, with tolerances.
//!
//! A [`Study`] is a problem in one setting; a [`Series`] is one quantity of it, over meshes from
//! coarse to fine. The last mesh of a series with a tolerance must be within it; those before show the convergence, with the observed order
//! `ln(e₁/e₂)/ln(ℓ₁/ℓ₂)` of the errors `e` at the sizes `ℓ`. An
//! error about to change its sign shows any order at all; where it grows or has changed, none is shown.

/// A problem in one setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Study {
    /// Title of the study.
    pub title: &'static str,
    /// What was built and how the quantity is measured.
    pub setting: String,
    /// Where the expected values come from.
    pub source: &'static str,
    /// What the sizes of its points are, as an axis of a plot says it; empty where nothing is refined.
    pub size: &'static str,
    /// The quantities.
    pub series: Vec<Series>,
}

/// One quantity over meshes, from coarse to fine.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name of the quantity.
    pub what: String,
    /// Expected value; errors are relative to it, unless it is zero.
    pub expected: f64,
    /// Tolerance on the last mesh; `None` for values that are only shown.
    pub tolerance: Option<f64>,
    /// The order at which the last two meshes must converge at least, but for [`ORDER_SHORTFALL`].
    pub order: Option<f64>,
    /// Measured values.
    pub points: Vec<Point>,
}

impl Series {
    /// One measurement, within a tolerance of what is expected.
    pub fn alone(what: &str, expected: f64, tolerance: f64, mesh: &str, ours: f64) -> Self {
        let points = vec![Point { mesh: mesh.to_owned(), size: 1.0, ours }];
        Self { what: what.to_owned(), expected, tolerance: Some(tolerance), order: None, points }
    }
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
    /// Measured value.
    pub ours: f64,
}

/// A line of the report.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Quantity and mesh.
    pub setting: [String; 2],
    /// Expected value.
    pub expected: f64,
    /// Measured value.
    pub ours: f64,
    /// `ours/expected − 1`; `ours` where nothing is expected.
    pub error: f64,
    /// Order of convergence from the mesh before to this one, where the error shrinks and keeps its sign.
    pub order: Option<f64>,
    /// Tolerance, on a line that has one.
    pub tolerance: Option<f64>,
    /// Whether a line with a tolerance is within it and has the expected order.
    pub passed: Option<bool>,
}

impl Series {
    /// `ours/expected − 1` at a point; `ours` where nothing is expected.
    pub fn error(&self, point: &Point) -> f64 {
        if self.expected == 0.0 { point.ours } else { point.ours / self.expected - 1.0 }
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
    /// All lines of all quantities.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        self.series.iter().flat_map(Series::rows)
    }

    /// Whether every value with a tolerance is within it.
    #[cfg(test)]
    pub fn passed(&self) -> bool {
        self.rows().all(|row| row.passed != Some(false))
    }
}

impl Row {
    /// The error over the tolerance, on a line that has one: above 1 the line fails, though not only then.
    pub fn share(&self) -> Option<f64> {
        let share = |allowed: f64| if self.error == 0.0 { 0.0 } else { self.error.abs() / allowed };
        // No number at all is worse than any.
        self.tolerance.map(share).map(|share| if share.is_nan() { f64::INFINITY } else { share })
    }
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
    fn where_nothing_is_expected_the_error_is_what_there_is() {
        let nothing = Series {
            expected: 0.0,
            points: vec![Point { mesh: String::new(), size: 1.0, ours: -3e-7 }],
            ..converging(None, 1e-6, &[])
        };
        let row = nothing.rows().remove(0);
        assert_eq!((row.error, row.passed), (-3e-7, Some(true)));
        assert!((row.share().unwrap() - 0.3).abs() < 1e-12);
    }

    #[test]
    fn the_share_of_no_number_is_beyond_all_and_that_of_no_error_none() {
        let share = |errors: &[f64], tolerance| converging(None, tolerance, errors).rows()[0].share();
        assert_eq!(share(&[f64::NAN], 0.1), Some(f64::INFINITY));
        assert_eq!(share(&[0.0], 0.0), Some(0.0));
        assert_eq!(share(&[0.5], 0.0), Some(f64::INFINITY));
    }
}
