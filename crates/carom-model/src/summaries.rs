//! What contact, and Decomposition Contact Response, did in a run, in a few numbers.
//!
//! Methods count them, programs read them, and `summary.json` keeps them: the names that differ there are given beside the fields.
//!
//! **Never here:** a number that later bits depend on.

use serde::{Deserialize, Serialize};

/// How contact went.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContactSummary {
    /// The smallest distance at a kick, in m; not finite if no layer pushed.
    #[serde(rename = "min_distance", with = "finite_or_null")]
    pub smallest_distance_m: f64,
    /// The deepest layer that pushed.
    pub deepest_layer: u32,
    /// The most pairs that were active at once.
    #[serde(rename = "pairs")]
    pub most_active: u64,
    /// Searches for candidates.
    pub searches: u64,
    /// Distances measured to certify layers.
    pub measures: u64,
}

impl ContactSummary {
    /// Two runs one after the other, as one.
    #[must_use]
    pub fn and(&self, next: &Self) -> Self {
        Self {
            smallest_distance_m: self.smallest_distance_m.min(next.smallest_distance_m),
            deepest_layer: self.deepest_layer.max(next.deepest_layer),
            most_active: self.most_active.max(next.most_active),
            searches: self.searches + next.searches,
            measures: self.measures + next.measures,
        }
    }
}

/// What projections and jumps did: work that the energy balance does not contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DcrSummary {
    /// Steps so far.
    pub steps: u64,
    /// Steps in which positions were projected.
    pub projections: u64,
    /// Steps in which velocities jumped.
    pub jumps: u64,
    /// Contacts that were reflected, in all jumps together.
    pub reflected: u64,
    /// The deepest penetration in a predicted configuration, in m.
    #[serde(rename = "largest_penetration", with = "finite_or_null")]
    pub deepest_m: f64,
    /// Change of the potential energy by projections, in J.
    #[serde(rename = "projection_work", with = "finite_or_null")]
    pub projection_work_j: f64,
    /// The work of projections with every one counted positive, in J.
    #[serde(rename = "projection_work_gross", with = "finite_or_null")]
    pub projection_work_gross_j: f64,
    /// Change of the kinetic energy where correctors took the forces of projected positions, in J.
    #[serde(rename = "corrector_work", with = "finite_or_null")]
    pub corrector_work_j: f64,
    /// Change of the kinetic energy by jumps, less the work of obstacles that move, in J.
    #[serde(rename = "jump_work", with = "finite_or_null")]
    pub jump_work_j: f64,
}

/// A number in JSON, which has no word for one that is not finite: that is written as `null`, and read back as NaN.
pub mod finite_or_null {
    use serde::{Deserialize, Deserializer, Serializer};

    /// Writes the number, or nothing where it is not finite.
    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        if value.is_finite() { serializer.serialize_f64(*value) } else { serializer.serialize_none() }
    }

    /// Reads a number; NaN where there is none.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
    }
}
