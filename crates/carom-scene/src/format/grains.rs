//! Grains: spheres, where they are and how large.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TableFile;
use crate::at::At;
use crate::fixed::Fixed;
use crate::number::{NonNegative, OpenFraction, Poisson, Positive, Ratio, Vector};
use crate::whole::{Count, Index};

/// Spheres: some number of them in a box, or at given places, or from a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrainsShape {
    /// Number of grains in the box of the given size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// Size along x, y and z of the box that they are put in, in m. They lie inside it, or reach through its faces where the
    /// scene is periodic with just that length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Fixed<Positive, 3>>,
    /// Arrangement of the grains in the box.
    #[serde(default, skip_serializing_if = "is_default")]
    pub arrange: At<Arrange>,
    /// How far grains of a lattice are moved at random, as a part of what there is room for.
    #[serde(default = "none", skip_serializing_if = "is_none")]
    pub jitter: Ratio,
    /// Positions of the grains, in m, instead of a box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<At<Vec<Vector>>>,
    /// A table with a line for each, instead of a box: x y z radius, or x y z radius vx vy vz, in m and m/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableFile>,
    /// Radius of each, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Positive>,
    /// Radii that differ, instead of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radii: Option<At<Radii>>,
    /// Least distance between the surfaces of grains in the box, in m; if not given, a little more than the thickness of contact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<NonNegative>,
    /// Seed of the random numbers: another number gives other places and radii.
    #[serde(default = "zero")]
    pub seed: Index,
}

/// Arrangement of grains in a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arrange {
    /// On a simple cubic lattice.
    Cubic,
    /// On a face-centred cubic lattice: the densest.
    #[default]
    Fcc,
    /// One after the other at random places where there is room: up to about a third of the volume.
    Random,
}

/// Radii of grains, drawn at random.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Radii {
    /// Uniformly distributed between two radii.
    Uniform(RadiusRange),
    /// Normally distributed, those outside a range left out.
    Normal(NormalRadii),
    /// Lognormally distributed, radii outside of a range left out.
    Lognormal(LognormalRadii),
    /// A few sizes.
    List(RadiusList),
}

/// Any radius between two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RadiusRange {
    /// The smallest, in m.
    pub from: Positive,
    /// The largest, in m.
    pub to: Positive,
}

/// Normally distributed radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NormalRadii {
    /// Mean, in m.
    pub mean: Positive,
    /// Standard deviation, in m.
    pub deviation: Positive,
    /// The smallest, in m.
    pub from: Positive,
    /// The largest, in m.
    pub to: Positive,
}

/// Radii whose logarithm is normally distributed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LognormalRadii {
    /// Half of them are larger, in m.
    pub median: Positive,
    /// Standard deviation of the natural logarithm.
    pub deviation: Positive,
    /// The smallest, in m.
    pub from: Positive,
    /// The largest, in m.
    pub to: Positive,
}

/// A few radii.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RadiusList {
    /// The radii, in m.
    pub values: At<Vec<Positive>>,
    /// Relative frequency of each radius; equal without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares: Option<At<Vec<NonNegative>>>,
}

/// A box of walls, open inside: an obstacle that holds grains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoomShape {
    /// Size along x, y and z, in m.
    pub size: Fixed<Positive, 3>,
    /// Walls that are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Wall>,
}

/// A wall of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Wall {
    /// The wall at the lowest x.
    XMin,
    /// The wall at the highest x.
    XMax,
    /// The wall at the lowest y.
    YMin,
    /// The wall at the highest y.
    YMax,
    /// The wall at the lowest z.
    ZMin,
    /// The wall at the highest z.
    ZMax,
}

/// Material of grains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrainMaterial {
    /// Density, in kg/m³: a grain is a whole sphere.
    pub density: Positive,
    /// Soft contact by the law of Hertz; without it grains are hard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hertz: Option<Hertz>,
}

/// Elastic spheres that press into each other by the law of Hertz; a hard core keeps them from passing through.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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

fn is_default(arrange: &At<Arrange>) -> bool {
    **arrange == Arrange::default()
}

fn is_none(jitter: &Ratio) -> bool {
    jitter.get() == 0.0
}

fn none() -> Ratio {
    Ratio::nowhere(0.0)
}

fn zero() -> Index {
    Index::nowhere(0)
}
