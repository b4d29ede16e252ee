//! Grains: what they are made of.

use serde::{Deserialize, Serialize};

use crate::number::{OpenFraction, Poisson, Positive};

/// Material of grains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GrainMaterial {
    /// Density, in kg/m³: a grain is a whole sphere.
    pub density: Positive,
    /// Soft contact by the law of Hertz; without it grains are hard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hertz: Option<Hertz>,
}

/// Elastic spheres that press into each other by the law of Hertz; a hard core keeps them from passing through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Hertz {
    /// Young's modulus, in Pa.
    pub young: Positive,
    /// Poisson's ratio.
    pub poisson: Poisson,
    /// Radius of the hard core, as a part of the grain's.
    #[serde(default = "core")]
    pub core: OpenFraction,
}

fn core() -> OpenFraction {
    OpenFraction::nowhere(0.8)
}
