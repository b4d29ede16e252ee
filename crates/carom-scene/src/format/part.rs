//! Parts of bodies that are made of something else.

use serde::{Deserialize, Serialize};

use super::Selection;
use crate::at::At;
use crate::number::{Poisson, Positive};

/// Elements of a body that are made of something else: those all of whose vertices are selected. What is not given is as in the rest
/// of the body; where parts overlap, the later one counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The body: a shell, a rod or a solid.
    pub body: At<String>,
    /// The vertices of the part: elements with all vertices selected belong to it.
    pub select: At<Selection>,
    /// Thickness of a shell, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thickness: Option<Positive>,
    /// Radius of the section of a rod, in m. In contact the rod keeps one radius everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Positive>,
    /// Young's modulus, in Pa.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub young: Option<Positive>,
    /// Poisson's ratio.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson: Option<Poisson>,
    /// Density, in kg/m³.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<Positive>,
    /// How long a strain would take to relax if nothing else acted, in s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Positive>,
}
