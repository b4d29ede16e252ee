//! What a run must keep, as numbers.

use crate::format::{self, Statistic};

/// Expectations of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expectations {
    /// Largest band of the total energy, on its scale.
    pub energy_band: Option<f64>,
    /// How far the energy may be off for a good verdict where there is no bound for its band; `None` if it is "none".
    pub energy_tolerance: Option<f64>,
    /// Largest drift of the total energy, on its scale.
    pub energy_drift: Option<f64>,
    /// Largest error of the linear momentum, on its scale.
    pub momentum: Option<f64>,
    /// Largest error of the angular momentum, on its scale.
    pub angular_momentum: Option<f64>,
    /// Least distance between surfaces, in m.
    pub contact_min_distance: Option<f64>,
    /// Deepest layer of contact.
    pub contact_deepest_layer: Option<u32>,
    /// Numbers of probes.
    pub probes: Vec<Expected>,
}

/// A number that a column of a probe must have.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The name of the probe.
    pub probe: String,
    /// The column.
    pub column: String,
    /// Statistic of the column.
    pub statistic: Statistic,
    /// Expected value.
    pub value: f64,
    /// Tolerance of the value.
    pub tolerance: Tolerance,
}

/// Tolerance of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Tolerance as a fraction of the number.
    Relative(f64),
    /// Tolerance in the unit of the number.
    Absolute(f64),
}

impl Expected {
    /// Whether a value meets the expectation.
    #[must_use]
    pub fn holds(&self, found: f64) -> bool {
        let allowed = match self.tolerance {
            Tolerance::Relative(fraction) => fraction * self.value.abs(),
            Tolerance::Absolute(allowed) => allowed,
        };
        // A NaN keeps nothing.
        (found - self.value).abs() <= allowed
    }

    /// The expected quantity in words: `tip.z max`.
    #[must_use]
    pub fn quantity(&self) -> String {
        format!("{}.{} {}", self.probe, self.column, self.statistic.name())
    }

    /// The bound, in words: `0.5 ± 1 %`.
    #[must_use]
    pub fn bound(&self) -> String {
        match self.tolerance {
            Tolerance::Relative(fraction) if fraction < 1e-4 => {
                format!("{} within {fraction:e} of it", self.value)
            }
            // Rounded to a short decimal: 0.07 · 100 is not 7 in binary.
            Tolerance::Relative(fraction) => {
                format!("{} ± {} %", self.value, (fraction * 1e8).round() / 1e6)
            }
            Tolerance::Absolute(allowed) => format!("{} ± {allowed}", self.value),
        }
    }
}

impl Statistic {
    /// Name in scenes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Final => "final",
            Self::Min => "min",
            Self::Max => "max",
            Self::Mean => "mean",
            Self::Period => "period",
            Self::Frequency => "frequency",
        }
    }
}

impl Expectations {
    /// What a scene expects.
    pub(crate) fn of(file: &format::SceneFile) -> Self {
        let expect = &file.expect;
        let get = |bound: &Option<crate::Positive>| bound.as_ref().map(crate::Positive::get);
        let probes = expect.probes.iter().map(|p| Expected {
            probe: p.name.to_string(),
            column: p.column.to_string(),
            statistic: p.statistic,
            value: p.value.get(),
            tolerance: match (&p.relative, &p.absolute) {
                (Some(fraction), _) => Tolerance::Relative(fraction.get()),
                (None, absolute) => {
                    Tolerance::Absolute(absolute.as_ref().map_or(0.0, crate::NonNegative::get))
                }
            },
        });
        Self {
            energy_band: get(&expect.energy_band),
            energy_tolerance: file.clocks.energy_tolerance.get(),
            energy_drift: get(&expect.energy_drift),
            momentum: get(&expect.momentum),
            angular_momentum: get(&expect.angular_momentum),
            contact_min_distance: get(&expect.contact_min_distance),
            contact_deepest_layer: expect.contact_deepest_layer.as_ref().map(crate::Index::get),
            probes: probes.collect(),
        }
    }

    /// The tolerance for which rounding alone is no error of the energy.
    #[must_use]
    pub fn rounding_tolerance(&self) -> f64 {
        self.energy_tolerance.unwrap_or(format::DEFAULT_ENERGY_TOLERANCE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_kept_within_its_tolerance_and_nan_never() {
        let expected = |tolerance| Expected {
            probe: "tip".to_owned(),
            column: "z".to_owned(),
            statistic: Statistic::Max,
            value: -2.0,
            tolerance,
        };
        let relative = expected(Tolerance::Relative(0.01));
        assert!(relative.holds(-2.019) && !relative.holds(-2.03) && !relative.holds(f64::NAN));
        let absolute = expected(Tolerance::Absolute(0.5));
        assert!(absolute.holds(-1.6) && !absolute.holds(-1.4));
        assert_eq!(expected(Tolerance::Relative(0.07)).bound(), "-2 ± 7 %");
        assert_eq!(expected(Tolerance::Relative(1e-9)).bound(), "-2 within 1e-9 of it");
        assert_eq!((relative.quantity(), relative.bound()), ("tip.z max".to_owned(), "-2 ± 1 %".to_owned()));
    }
}
