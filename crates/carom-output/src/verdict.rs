//! How a run ended, and what decided it.

use carom_model::finite_or_null as number;
use serde::{Deserialize, Serialize};

use crate::summary::optional_number;
use crate::words::percent;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// The run reached its end, every expectation of its scene was met, and the energy was kept.
    #[serde(rename = "as expected")]
    AsExpected,
    /// The run reached its end and kept its energy; the scene expects nothing.
    #[serde(rename = "finished within tolerance")]
    WithinTolerance,
    /// The run reached its end, and nothing bounds its energy: the method promises nothing, or the scene asks for nothing.
    #[serde(rename = "finished")]
    Finished,
    /// The run reached its end, and its energy is off, or is not a number.
    #[serde(rename = "finished, energy off")]
    EnergyOff,
    /// The run reached its end, but an expectation was not met.
    #[serde(rename = "expectation failed")]
    ExpectationFailed,
    /// The run had to stop.
    #[serde(rename = "fault")]
    Fault,
    /// The user stopped the run.
    #[serde(rename = "interrupted")]
    Interrupted,
}

impl Verdict {
    /// All verdicts.
    pub const ALL: [Self; 7] = [
        Self::AsExpected,
        Self::WithinTolerance,
        Self::Finished,
        Self::EnergyOff,
        Self::ExpectationFailed,
        Self::Fault,
        Self::Interrupted,
    ];

    /// The exit code of the program for a run that ended so.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::AsExpected | Self::WithinTolerance | Self::Finished => 0,
            Self::EnergyOff | Self::ExpectationFailed => 1,
            Self::Fault => 3,
            Self::Interrupted => 130,
        }
    }

    /// Whether the run kept what was promised and asked for.
    #[must_use]
    pub fn is_good(self) -> bool {
        matches!(self, Self::AsExpected | Self::WithinTolerance)
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::AsExpected => "as expected",
            Self::WithinTolerance => "finished within tolerance",
            Self::Finished => "finished",
            Self::EnergyOff => "finished, energy off",
            Self::ExpectationFailed => "expectation failed",
            Self::Fault => "fault",
            Self::Interrupted => "interrupted",
        })
    }
}

/// What was asked of the energy of a run that reached its end, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnergyVerdict {
    /// The largest error allowed, over the energy turned over: `clocks.energy_tolerance`. `null` if that is "none".
    #[serde(with = "optional_number")]
    pub tolerance: Option<f64>,
    /// The largest error: that of the band, of a drift that chance does not explain unless the scene bounds drifts, and of what the run gave up at.
    /// `null` if the energy is not a number.
    #[serde(with = "number")]
    pub off: f64,
    /// Whether the error is within the tolerance.
    pub kept: bool,
    /// What decides the verdict.
    pub decided_by: Decider,
}

/// What decides whether the energy of a run was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decider {
    /// `clocks.energy_tolerance`.
    Tolerance,
    /// The bound that the scene has for the band.
    Scene,
    /// Nobody: the method promises nothing, or the tolerance is "none".
    Nobody,
}

impl EnergyVerdict {
    /// Whether the energy is off: what is not a number always is.
    #[must_use]
    pub fn is_off(&self) -> bool {
        self.off.is_nan() || (self.decided_by == Decider::Tolerance && !self.kept)
    }

    /// The verdict with the size of the error: `finished, energy off by 3 %`.
    #[must_use]
    pub fn verdict_in_words(&self, verdict: Verdict) -> String {
        match verdict {
            Verdict::EnergyOff if self.off.is_nan() => "finished, energy is not a number".to_owned(),
            Verdict::EnergyOff => format!("finished, energy off by {}", percent(self.off)),
            Verdict::Finished => format!("finished, energy off by {} and not judged", percent(self.off)),
            _ => verdict.to_string(),
        }
    }

    /// What is to be said where the energy is off, or is more off than the tolerance and the scene takes it.
    #[must_use]
    pub fn complaint(&self) -> Option<String> {
        if self.off.is_nan() {
            return Some("it is not a number".to_owned());
        }
        let tolerance = self.tolerance.filter(|_| !self.kept)?;
        let says = format!(
            "off by {} of what was turned over, clocks.energy_tolerance is {tolerance:e}",
            percent(self.off)
        );
        match self.decided_by {
            Decider::Tolerance => Some(says),
            Decider::Scene => Some(format!("{says}; the bound of the scene decides")),
            Decider::Nobody => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(off: f64, decided_by: Decider) -> EnergyVerdict {
        EnergyVerdict { tolerance: Some(1e-3), off, kept: off <= 1e-3, decided_by }
    }

    #[test]
    fn a_verdict_reads_the_same_in_the_file_and_on_the_screen() {
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::to_value(verdict).unwrap(), verdict.to_string());
            for of in [0.03, f64::NAN] {
                let said = off(of, Decider::Tolerance).verdict_in_words(verdict);
                let word = if of.is_nan() { "finished" } else { &verdict.to_string() };
                assert!(said.starts_with(word) || verdict.to_string() == said, "{said}");
            }
        }
        assert_eq!(Verdict::ALL.map(Verdict::exit_code), [0, 0, 0, 1, 1, 3, 130]);
        assert!(Verdict::ALL.iter().all(|verdict| !verdict.is_good() || verdict.exit_code() == 0));
    }

    #[test]
    fn an_error_is_told_in_percent() {
        let words = |of, verdict| off(of, Decider::Tolerance).verdict_in_words(verdict);
        assert_eq!(words(0.03, Verdict::EnergyOff), "finished, energy off by 3 %");
        assert_eq!(words(f64::NAN, Verdict::EnergyOff), "finished, energy is not a number");
        assert_eq!(words(2e-4, Verdict::Finished), "finished, energy off by 0.02 % and not judged");
    }

    #[test]
    fn the_tolerance_decides_unless_the_scene_has_a_bound_and_what_is_no_number_is_always_off() {
        assert!(off(0.03, Decider::Tolerance).is_off() && !off(9e-4, Decider::Tolerance).is_off());
        assert!(!off(0.03, Decider::Scene).is_off() && !off(0.03, Decider::Nobody).is_off());
        for decider in [Decider::Tolerance, Decider::Scene, Decider::Nobody] {
            assert!(off(f64::NAN, decider).is_off());
            assert_eq!(off(f64::NAN, decider).complaint().unwrap(), "it is not a number");
        }
        assert_eq!(off(9e-4, Decider::Tolerance).complaint(), None);
        let said = off(0.03, Decider::Scene).complaint().unwrap();
        assert!(
            said.starts_with("off by 3 % ") && said.ends_with("the bound of the scene decides"),
            "{said}"
        );
    }
}
