//! What a run must keep.

use serde::{Deserialize, Serialize};

use crate::at::At;
use crate::number::{NonNegative, Number, Positive};
use crate::whole::Index;

/// The bounds that the run must keep; a run that does not ends with exit code 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Largest deviation of the total energy, over the larger of its start and the largest kinetic energy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_band: Option<Positive>,
    /// Largest drift of the total energy over the run, on the same scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub energy_drift: Option<Positive>,
    /// Largest error of the linear momentum, over Σ m|v|.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub momentum: Option<Positive>,
    /// Largest error of the angular momentum, over Σ m|x||v|.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angular_momentum: Option<Positive>,
    /// Smallest distance that surfaces may have come to, in m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_min_distance: Option<Positive>,
    /// The deepest layer of contact that may have pushed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contact_deepest_layer: Option<Index>,
    /// Numbers of probes.
    #[serde(rename = "probe", skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<At<ExpectProbe>>,
}

/// A number that a column of a probe must have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExpectProbe {
    /// The probe.
    pub name: At<String>,
    /// Column of the probe: each kind of probe has its own.
    pub column: At<String>,
    /// Statistic of the column.
    #[serde(default)]
    pub statistic: Statistic,
    /// Expected value.
    pub value: Number,
    /// Tolerance, as a fraction of value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<NonNegative>,
    /// Tolerance, in the unit of the column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub absolute: Option<NonNegative>,
}

/// A number made from a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The last value.
    #[default]
    Final,
    /// The smallest value.
    Min,
    /// The largest value.
    Max,
    /// The mean over the run.
    Mean,
    /// The mean time between upward crossings of the mean, in s.
    Period,
    /// The inverse of the period, in Hz.
    Frequency,
}
