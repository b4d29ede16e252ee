//! How pictures of the scene are best taken: hints for `carom render`.

use carom_model::ColourBy;
use serde::{Deserialize, Serialize};

use crate::at::At;
use crate::fixed::Fixed;
use crate::number::{NonNegative, Number, Positive};

/// How `carom render` draws a run of the scene, unless its command line says otherwise; no run depends on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Picture {
    /// Direction of the camera, in degrees: the angle around the vertical, from x towards y where z is up, and the angle above the horizon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Fixed<Number, 2>>,
    /// When the picture is taken, in s: at the frame nearest to it; at the last without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<NonNegative>,
    /// What colours mean.
    pub colour: ColourBy,
    /// How many times larger everything is drawn than fits the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zoom: Option<Positive>,
    /// Bodies that are drawn transparent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub see_through: Vec<At<String>>,
    /// Bodies that are drawn opaque, also where they hide much of what moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub solid: Vec<At<String>>,
    /// Bodies that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hide: Vec<At<String>>,
}
