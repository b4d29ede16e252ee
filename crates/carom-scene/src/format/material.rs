//! Materials, in SI units.

use carom_elastic::registry::{Bending, Membrane, Solid};
use serde::{Deserialize, Serialize};

use super::{Chosen, GrainMaterial};
use crate::number::{Number, Poisson, Positive};

/// What a body is made of. A shell needs triangles, a rod edges, a solid tetrahedra, grains the shape of that name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Material {
    /// A thin sheet.
    Shell(ShellMaterial),
    /// A thin elastic rod, or a string.
    Rod(RodMaterial),
    /// A solid of tetrahedra.
    Solid(SolidMaterial),
    /// Points without any force of their own.
    Points(PointMaterial),
    /// Spheres that move freely until they touch.
    Grains(GrainMaterial),
}

/// A thin sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShellMaterial {
    /// Thickness, in m.
    pub thickness: Positive,
    /// Young's modulus, in Pa.
    pub young: Positive,
    /// Poisson's ratio.
    pub poisson: Poisson,
    /// Density, in kg/m³.
    pub density: Positive,
    /// The energy of stretching.
    #[serde(default)]
    pub membrane: Chosen<Membrane>,
    /// The energy of bending.
    #[serde(default)]
    pub bending: Chosen<Bending>,
    /// How long a strain would take to relax if nothing else acted, in s: stiffness times this is the viscosity. Without it
    /// nothing is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Positive>,
}

/// A thin elastic rod of circular section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RodMaterial {
    /// Radius of the section, in m.
    pub radius: Positive,
    /// Young's modulus, in Pa.
    pub young: Positive,
    /// Density, in kg/m³.
    pub density: Positive,
    /// Whether the rod resists bending; a string does not.
    #[serde(default = "yes")]
    pub bend: bool,
    /// How long a strain would take to relax if nothing else acted, in s: stiffness times this is the viscosity. Without it
    /// nothing is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Positive>,
    /// Whether it resists twist too: its edges then have angles, and its natural curvature has a direction.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub twist: bool,
    /// Poisson's ratio, for the shear modulus of a rod that twists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson: Option<Poisson>,
    /// Curvature without load, in 1/m, instead of that of the rest shape; 0 is straight. It is about the direction about which the
    /// shape bends; where that is straight about z across the rod, or y if the rod runs along z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub natural_curvature: Option<Number>,
}

/// A solid of tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SolidMaterial {
    /// Young's modulus, in Pa.
    pub young: Positive,
    /// Poisson's ratio.
    pub poisson: Poisson,
    /// Density, in kg/m³.
    pub density: Positive,
    /// The energy of deformation.
    #[serde(default)]
    pub law: Chosen<Solid>,
    /// How long a strain would take to relax if nothing else acted, in s: stiffness times this is the viscosity. Without it
    /// nothing is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Positive>,
}

/// Points without any force of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PointMaterial {
    /// Mass of each point, in kg.
    pub mass: Positive,
}

fn yes() -> bool {
    true
}
