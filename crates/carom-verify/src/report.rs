//! What the checks found.
//!
//! **Never here:** how a check is made; tables and colours, which are the caller's.

/// How a check ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The residual is within its bound.
    Passed,
    /// The residual is above its bound or not a number, or the run could not go on.
    Failed,
    /// There was nothing to check, and why.
    Skipped(String),
}

/// One claim about the integrator and how well it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// A short name.
    pub name: &'static str,
    /// The claim, in one sentence.
    pub what: &'static str,
    /// By how much the claim is missed, relative to a scale that the check's own page defines.
    pub residual: f64,
    /// The largest residual that passes.
    pub bound: f64,
    /// Whether the claim holds.
    pub verdict: Verdict,
    /// Measured values, line by line.
    pub details: Vec<String>,
}

/// A claim, before it is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Property {
    pub name: &'static str,
    pub what: &'static str,
    pub bound: f64,
}

/// A residual with what was measured on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Measurement {
    pub residual: f64,
    pub details: Vec<String>,
}

/// Why a check found nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoMeasurement {
    /// The check does not apply.
    Skipped(String),
    /// The run could not go on, or was not the engine's.
    Failed(String),
}

impl Property {
    /// The claim together with its result.
    pub fn judged(self, found: Result<Measurement, NoMeasurement>) -> Check {
        let Self { name, what, bound } = self;
        let check = |residual, verdict, details| Check { name, what, residual, bound, verdict, details };
        match found {
            Ok(Measurement { residual, details }) => {
                let verdict = if residual <= bound { Verdict::Passed } else { Verdict::Failed };
                check(residual, verdict, details)
            }
            Err(NoMeasurement::Skipped(why)) => check(0.0, Verdict::Skipped(why), Vec::new()),
            Err(NoMeasurement::Failed(why)) => check(f64::INFINITY, Verdict::Failed, vec![why]),
        }
    }
}

/// All checks, in the order they were made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The checks.
    pub checks: Vec<Check>,
}

impl Report {
    /// Whether no check failed.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.verdict != Verdict::Failed)
    }
}

/// The largest of many residuals. A residual that is not a number is larger than any other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Worst(pub f64);

impl Worst {
    pub fn see(&mut self, residual: f64) {
        if residual.is_nan() || residual > self.0 {
            self.0 = residual;
        }
    }
}

impl FromIterator<f64> for Worst {
    fn from_iter<I: IntoIterator<Item = f64>>(residuals: I) -> Self {
        let mut worst = Self::default();
        residuals.into_iter().for_each(|residual| worst.see(residual));
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIM: Property = Property { name: "test", what: "Nothing is claimed.", bound: 1e-10 };

    #[test]
    fn a_residual_that_is_not_a_number_fails_and_is_never_lost_among_others() {
        let residual = [1e-3, f64::NAN, 2.0].into_iter().collect::<Worst>().0;
        assert!(residual.is_nan());
        let check = CLAIM.judged(Ok(Measurement { residual, details: vec![] }));
        assert_eq!(check.verdict, Verdict::Failed);
    }

    #[test]
    fn a_report_passes_unless_a_check_failed() {
        let skipped = CLAIM.judged(Err(NoMeasurement::Skipped("no potentials".into())));
        let passed = CLAIM.judged(Ok(Measurement { residual: 1e-10, details: vec![] }));
        let failed = CLAIM.judged(Err(NoMeasurement::Failed("a fault".into())));
        assert!(Report { checks: vec![skipped.clone(), passed.clone()] }.passed());
        assert!(!Report { checks: vec![skipped, failed, passed] }.passed());
    }
}
