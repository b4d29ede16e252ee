//! `summary.json`: how a run ended, for scripts.
//!
//! Keys are only ever added. A number that is not finite is written as `null`, since JSON has
//! no other word for it, and read back as NaN.

use std::collections::BTreeMap;
use std::path::Path;

use carom_model::{ContactSummary, DcrSummary, finite_or_null as number};
use serde::{Deserialize, Serialize};

use crate::statistics::{EnergyStatistics, MomentumStatistics};
pub use crate::verdict::{Decider, EnergyVerdict, Verdict};
use crate::words::{count, seconds};
use crate::{AuditSummary, OutputError, disk};

/// The format that this version writes.
pub const FORMAT: u32 = 1;

/// The machine-readable verdict on a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The format of this file: [`FORMAT`].
    pub format: u32,
    /// The version of the program.
    pub version: String,
    /// Name of the scene.
    pub scene: String,
    /// Name of the method.
    pub method: String,
    /// Hash of every bit of every vertex at the end, as 32 hexadecimal digits.
    pub fingerprint: String,
    /// Hash of `scene.toml` as the run wrote it, as 32 hexadecimal digits; meshes are named there by their content.
    #[serde(default)]
    pub scene_fingerprint: String,
    /// How the run ended.
    pub verdict: Verdict,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// Why the run had to stop, if it had to.
    pub fault: Option<String>,
    /// The expectations of the scene, and what became of them.
    pub expectations: Vec<Expectation>,
    /// The last tick reached.
    pub ticks: u64,
    /// The last time reached, in s.
    #[serde(with = "number")]
    pub end_s: f64,
    /// Length of a tick, in s.
    #[serde(with = "number")]
    pub quantum_s: f64,
    /// Number of ticks at which something fired.
    pub instants: u64,
    /// Number of vertices.
    pub vertices: u64,
    /// Number of potentials.
    pub elements: u64,
    /// Statistics of the energy.
    pub energy: EnergyStatistics,
    /// What was asked of the energy, if the run is no relaxation and reached its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub energy_verdict: Option<EnergyVerdict>,
    /// Statistics of the momenta.
    pub momentum: MomentumStatistics,
    /// Contact statistics, if the scene has contact.
    #[serde(default)]
    pub contact: Option<ContactSummary>,
    /// Work of projections and jumps, if the method has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dcr: Option<DcrSummary>,
    /// Where the run went back to take shorter steps, in that order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refinements: Vec<Refinement>,
    /// Where a run failed with no step left to shorten, if it came to that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub given_up: Option<GivenUp>,
    /// Results of a relaxation, if the run is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relax: Option<Relax>,
    /// Gradients of elements and contact pairs that were computed.
    pub evaluations: Evaluations,
    /// Times, by part.
    pub seconds: Seconds,
    /// The clocks: potentials of one kind with one step.
    pub steps: Vec<Step>,
    /// Results of the audit, if the run was audited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditSummary>,
}

/// A run that went back to take shorter steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refinement {
    /// How often steps had been shortened, this time included.
    pub level: u32,
    /// The time from which on steps are shorter, in s.
    #[serde(with = "number")]
    pub from_s: f64,
    /// The time at which the longer ones failed, in s.
    #[serde(with = "number")]
    pub failed_at_s: f64,
    /// What failed.
    pub cause: String,
    /// The error that was left where shorter steps did not help.
    #[serde(default)]
    pub in_vain: Option<f64>,
    /// How many potentials of elements got shorter steps.
    pub elements: u64,
    /// Between how many pairs of bodies contact did.
    pub layers: u64,
}

impl Refinement {
    /// What got shorter steps: `24 elements and 1 contact of two bodies`.
    #[must_use]
    pub fn shortened_in_words(&self) -> String {
        let of = |many: u64, name: &str, names: &str| {
            (many > 0).then(|| format!("{} {}", count(many), if many == 1 { name } else { names }))
        };
        let elements = of(self.elements, "element", "elements");
        let layers = of(self.layers, "contact of two bodies", "contacts of two bodies");
        elements.into_iter().chain(layers).collect::<Vec<_>>().join(" and ")
    }
}

/// A run that failed with no step left to shorten: it went on as it was, or ended in a Fault.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenUp {
    /// The time of the check that failed, or of the Fault, in s.
    #[serde(with = "number")]
    pub failed_at_s: f64,
    /// What failed.
    pub cause: String,
    /// How far the energy was off, in J; 0 with a Fault.
    #[serde(with = "number")]
    pub off_j: f64,
}

/// Results of a relaxation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Relax {
    /// Residual force over the scale of the loads.
    #[serde(with = "number")]
    pub residual: f64,
    /// The residual to reach.
    #[serde(with = "number")]
    pub tolerance: f64,
    /// The scale of the loads, in N.
    #[serde(with = "number")]
    pub loads: f64,
    /// Number of stops.
    pub falls: u64,
    /// Steps of the one clock.
    pub steps: u64,
    /// Whether masses were scaled for that clock.
    pub scaled_masses: bool,
}

/// Gradients really computed; gravity, pins, observers and tangents do not count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evaluations {
    /// All evaluations.
    pub total: u64,
    /// By kind of potential.
    pub by_kind: BTreeMap<String, u64>,
}

/// Times, in s.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// On the clock on the wall.
    #[serde(with = "number")]
    pub wall: f64,
    /// CPU time of all threads together.
    #[serde(with = "number")]
    pub cpu: f64,
    /// By part of the program.
    pub by_part: BTreeMap<String, f64>,
}

/// Potentials of one kind with one step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The kind.
    pub kind: String,
    /// The step, in quanta.
    pub quanta: u64,
    /// The step, in s.
    #[serde(with = "number")]
    pub seconds: f64,
    /// Number of potentials.
    pub count: u64,
}

/// A bound of the scene, and whether it was kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The bounded quantity, as the scene names it: `energy.band`.
    pub quantity: String,
    /// The bound in words: `at most 1e-4`.
    pub bound: String,
    /// The value of the run.
    #[serde(with = "number")]
    pub found: f64,
    /// Whether the value is within the bound.
    pub kept: bool,
}

impl Summary {
    /// The verdict with the size of the error of the energy: `finished, energy off by 3 %`.
    #[must_use]
    pub fn verdict_in_words(&self) -> String {
        self.energy_verdict
            .map_or_else(|| self.verdict.to_string(), |energy| energy.verdict_in_words(self.verdict))
    }

    /// The range of steps of each kind: `membrane 82.6 ns to 1.32 µs on 5 clocks`.
    #[must_use]
    pub fn steps_in_short(&self) -> Vec<String> {
        let mut kinds: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for step in &self.steps {
            kinds.entry(&step.kind).or_default().push(step.seconds);
        }
        let of = |(kind, steps): (&str, Vec<f64>)| {
            let (first, last) = (seconds(steps[0]), seconds(steps[steps.len() - 1]));
            match steps.len() {
                1 => format!("{kind} {first}"),
                n => format!("{kind} {first} to {last} on {n} clocks"),
            }
        };
        kinds.into_iter().map(of).collect()
    }

    /// The text of the file.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a summary has only text, numbers and lists") + "\n"
    }

    /// Writes the file, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        disk::replace(path, self.to_json().as_bytes())
    }

    /// Reads a file that [`write`](Self::write) wrote.
    pub fn read(path: &Path) -> Result<Self, OutputError> {
        let text = disk::read_text(path)?;
        serde_json::from_str(&text).map_err(|e| OutputError::malformed(path, e.to_string()))
    }
}

/// A number, or `null` where there is none or it is not finite.
pub(crate) mod optional_number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde hands out references")]
    pub fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        value.filter(|x| x.is_finite()).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        Option::deserialize(deserializer)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::scratch::Scratch;

    pub(crate) fn summary() -> Summary {
        Summary {
            format: FORMAT,
            version: "0.1.0".into(),
            scene: "drum".into(),
            method: "carom".into(),
            fingerprint: "00ff".into(),
            scene_fingerprint: "ff00".into(),
            verdict: Verdict::ExpectationFailed,
            warnings: vec!["loud".into()],
            fault: None,
            expectations: vec![Expectation {
                quantity: "energy.band".into(),
                bound: "at most 1e-4".into(),
                found: 0.1 + 0.2,
                kept: false,
            }],
            ticks: (1 << 60) + 1,
            end_s: 0.5,
            quantum_s: 1e-13,
            instants: 1_000_000,
            vertices: 4,
            elements: 2,
            energy: EnergyStatistics {
                initial: 1.5,
                scale: 2.5,
                band: 0.1 + 0.2,
                drift: -1e-9,
                drift_stderr: 3e-10,
            },
            energy_verdict: Some(EnergyVerdict {
                tolerance: None,
                off: 0.1 + 0.2,
                kept: true,
                decided_by: Decider::Scene,
            }),
            momentum: MomentumStatistics { linear_error: 1e-15, angular_error: 0.0 },
            contact: Some(ContactSummary {
                smallest_distance_m: 1e-3,
                deepest_layer: 4,
                most_active: 12,
                searches: 3,
                measures: 99,
            }),
            dcr: Some(DcrSummary {
                steps: 50,
                projections: 7,
                jumps: 6,
                reflected: 60,
                deepest_m: 1e-6,
                projection_work_j: -0.1,
                projection_work_gross_j: 0.2,
                corrector_work_j: 0.01,
                jump_work_j: 1e-17,
            }),
            refinements: vec![Refinement {
                level: 1,
                from_s: 0.1,
                failed_at_s: 0.2,
                cause: "the energy was off by 2e-3".into(),
                in_vain: Some(1.9e-3),
                elements: 12,
                layers: 1,
            }],
            given_up: Some(GivenUp {
                failed_at_s: 0.3,
                cause: "the energy was off by 3e-3".into(),
                off_j: 0.1 + 0.2,
            }),
            relax: Some(Relax {
                residual: 1e-7,
                tolerance: 1e-6,
                loads: 9.81,
                falls: 12,
                steps: 3456,
                scaled_masses: true,
            }),
            evaluations: Evaluations { total: 7, by_kind: BTreeMap::from([("spring".into(), 7)]) },
            seconds: Seconds { wall: 2.0, cpu: 1.9, by_part: BTreeMap::from([("kicks".into(), 1.5)]) },
            steps: vec![Step { kind: "spring".into(), quanta: 1 << 20, seconds: 1e-7, count: 2 }],
            audit: None,
        }
    }

    #[test]
    fn a_summary_comes_back_from_disk() {
        let folder = Scratch::new();
        let path = folder.path().join("summary.json");
        summary().write(&path).unwrap();
        assert_eq!(Summary::read(&path).unwrap(), summary());
    }

    #[test]
    fn scripts_find_the_keys_they_rely_on() {
        let json: serde_json::Value = serde_json::from_str(&summary().to_json()).unwrap();
        let keys = [
            "/scene",
            "/method",
            "/fingerprint",
            "/scene_fingerprint",
            "/verdict",
            "/warnings",
            "/energy/initial",
            "/energy/scale",
            "/energy_verdict/tolerance",
            "/energy_verdict/off",
            "/energy_verdict/kept",
            "/energy_verdict/decided_by",
            "/energy/band",
            "/energy/drift",
            "/energy/drift_stderr",
            "/momentum/linear_error",
            "/momentum/angular_error",
            "/refinements/0/from_s",
            "/refinements/0/cause",
            "/given_up/failed_at_s",
            "/given_up/off_j",
            "/relax/residual",
            "/relax/steps",
            "/evaluations/total",
            "/evaluations/by_kind/spring",
            "/seconds/wall",
            "/seconds/cpu",
            "/seconds/by_part/kicks",
            "/steps/0/count",
            "/steps/0/seconds",
        ];
        for key in keys {
            assert!(json.pointer(key).is_some(), "{key}");
        }
        assert_eq!(json["verdict"], "expectation failed");
        assert_eq!(json["ticks"], (1_u64 << 60) + 1);
        let keys_of = |part: &str| {
            let mut keys: Vec<&str> = json[part].as_object().unwrap().keys().map(String::as_str).collect();
            keys.sort_unstable();
            keys.join(" ")
        };
        assert_eq!(keys_of("contact"), "deepest_layer measures min_distance pairs searches");
        assert_eq!(
            keys_of("dcr"),
            "corrector_work jump_work jumps largest_penetration projection_work projection_work_gross projections reflected steps"
        );
    }

    #[test]
    fn summaries_of_before_know_neither_the_scale_nor_who_decided() {
        let mut json: serde_json::Value = serde_json::from_str(&summary().to_json()).unwrap();
        json.as_object_mut().unwrap().remove("energy_verdict");
        json["energy"].as_object_mut().unwrap().remove("scale");
        let back: Summary = serde_json::from_value(json).unwrap();
        assert!(back.energy.scale.is_nan() && back.energy_verdict.is_none());
        assert_eq!(back.verdict_in_words(), "expectation failed");
    }

    #[test]
    fn a_number_that_is_none_is_null() {
        let mut broken = summary();
        broken.energy.band = f64::NAN;
        broken.energy.drift = f64::INFINITY;
        let json = broken.to_json();
        assert!(json.contains("\"band\": null") && json.contains("\"drift\": null"));
        let back: Summary = serde_json::from_str(&json).unwrap();
        assert!(back.energy.band.is_nan());
    }
}
