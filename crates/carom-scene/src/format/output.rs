//! What a run writes down.

use serde::{Deserialize, Serialize};

use crate::at::At;
use crate::number::{NonNegative, Positive};
use crate::whole::{Index, Whole};

/// How much is written down. The numbers of the run do not depend on it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// Frames for ParaView, evenly spaced, the start not counted; 0 for none.
    pub frames: Index,
    /// Rows of ledger.csv and probes.csv, evenly spaced: 2,000 if not given, and 10,000 in a scene that
    /// expects a drift below 1e-6.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<Whole<2>>,
    /// More rows of ledger.csv in a part of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zoom: Option<At<Zoom>>,
}

/// A part of the run with extra rows in the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Zoom {
    /// Start of the part, in s.
    pub from: NonNegative,
    /// End of the part, in s.
    pub to: Positive,
    /// Rows, evenly spaced.
    pub rows: Whole<2>,
}

impl Default for Output {
    fn default() -> Self {
        Self { frames: Index::nowhere(200), rows: None, zoom: None }
    }
}
