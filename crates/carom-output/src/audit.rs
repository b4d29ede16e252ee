//! Results of an audit, for scripts: part of `summary.json`, and what `carom audit --json` prints.
//!
//! Keys are only ever added.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::summary::optional_number;

/// Results of an audit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditSummary {
    /// Pairs that reached distance 0, or the sum of their hard radii, at some instant.
    pub crossings: u64,
    /// The first of them.
    pub first_crossings: Vec<CrossingPair>,
    /// Smallest distance of any pair at any instant, less hard radii, in m; `null` if all stayed farther apart than `looked_within`.
    #[serde(with = "optional_number")]
    pub min_distance: Option<f64>,
    /// Proven lower bound of the smallest distance, in m.
    #[serde(with = "optional_number")]
    pub min_distance_at_least: Option<f64>,
    /// The pair that came nearest.
    pub nearest_pair: Option<String>,
    /// Time of the smallest distance, in s.
    #[serde(with = "optional_number")]
    pub nearest_at_s: Option<f64>,
    /// Distance up to which the smallest distance is measured, in m.
    pub looked_within: f64,
    /// Kicks that differ from the contract, and motions between kicks that were not straight.
    pub contract_violations: u64,
    /// The first of them, in words.
    pub first_violation: Option<String>,
    /// Instants that were recomputed exactly as the contract says.
    pub instants_sampled: u64,
    /// Amount of work: `positions`, `windows`, `searches`, `pairs` tested in windows, `close_looks` (interval tests), `exact_decisions`.
    pub work: BTreeMap<String, u64>,
}

/// A pair that crossed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrossingPair {
    /// `vertex–face`, `edge–edge`, `vertex–edge` or `vertex–vertex`.
    pub kind: String,
    /// Vertices of the first primitive.
    pub first: Vec<u32>,
    /// Vertices of the second.
    pub second: Vec<u32>,
    /// Time of the first contact, in s.
    pub time_s: f64,
}

impl AuditSummary {
    /// Whether the audit found no crossing and no violation of the contract.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.crossings == 0 && self.contract_violations == 0
    }

    /// The results as a few lines of text.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![match self.crossings {
            0 => "nothing passed through anything, at any instant".to_owned(),
            1 => "1 pair CROSSED".to_owned(),
            n => format!("{n} pairs CROSSED"),
        }];
        let shown = self.first_crossings.iter().take(8);
        lines.extend(
            shown.map(|c| format!("  {} {:?} {:?} at {:.9e} s", c.kind, c.first, c.second, c.time_s)),
        );
        lines.push(match (self.min_distance, &self.nearest_pair, self.nearest_at_s) {
            (Some(distance), Some(pair), Some(time)) => {
                format!("smallest distance {distance:.6e} m: {pair} at {time:.6e} s")
            }
            _ => format!("every pair stayed more than {:.3e} m apart", self.looked_within),
        });
        lines.push(match (self.contract_violations, &self.first_violation) {
            (0, _) => format!(
                "kicks follow the contract at {} instants; every flight is straight",
                self.instants_sampled
            ),
            (n, first) => {
                format!("{n} VIOLATIONS of the contract, first {}", first.as_deref().unwrap_or_default())
            }
        });
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_told_of_crossings_and_violations_and_scripts_find_the_keys() {
        let clean = AuditSummary { looked_within: 0.5, ..AuditSummary::default() };
        assert!(clean.is_clean());
        assert!(
            clean.lines()[0].starts_with("nothing passed") && clean.lines()[1].contains("5.000e-1 m apart")
        );
        let crossing =
            CrossingPair { kind: "edge–edge".into(), first: vec![1, 2], second: vec![3, 4], time_s: 0.25 };
        let bad = AuditSummary {
            crossings: 2,
            first_crossings: vec![crossing],
            contract_violations: 1,
            first_violation: Some("vertex 7 at tick 9".into()),
            ..clean
        };
        let text = bad.lines().join("\n");
        assert!(
            !bad.is_clean() && text.contains("2 pairs CROSSED") && text.contains("[1, 2] [3, 4] at 2.5"),
            "{text}"
        );
        assert!(text.contains("vertex 7 at tick 9"), "{text}");
        let json = serde_json::to_value(&bad).unwrap();
        assert_eq!((&json["crossings"], &json["contract_violations"]), (&2.into(), &1.into()));
        assert!(json["min_distance"].is_null());
        assert_eq!(serde_json::from_value::<AuditSummary>(json).unwrap(), bad);
    }
}
