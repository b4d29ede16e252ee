//! Bodies: what they are, where they start and how they move.

use serde::{Deserialize, Serialize};

use super::{BodyContact, Field, Material, MeshFile, Shape, VelocityField};
use crate::at::At;
use crate::number::{Number, Positive, Vector};

/// A body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// A name of its own, for pins, probes and files.
    pub name: At<String>,
    /// The rest shape.
    pub shape: At<Shape>,
    /// The material of the body; an obstacle needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub material: Option<At<Material>>,
    /// Whether the body is an obstacle: no force moves it; it stands still, or keeps its velocity.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub obstacle: bool,
    /// Contact settings of this body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<At<BodyContact>>,
    /// Position of the shape's origin, in m.
    #[serde(default)]
    pub position: Vector,
    /// Rotation of the shape about its origin, before it is moved to its position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<Rotation>,
    /// A shape to start from, other than the rest shape.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<At<StartShape>>,
    /// Velocity of the whole body, in m/s.
    #[serde(default)]
    pub velocity: Vector,
    /// Angular velocity about the centre of mass, in rad/s.
    #[serde(default)]
    pub spin: Vector,
    /// A velocity that varies over the body, added to the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity_field: Option<At<VelocityField>>,
    /// One step for all potentials of this body, in s, instead of the ones they propose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Positive>,
    /// Drag of a medium at rest, in 1/s: the rate at which velocities, spins and twist would fall if nothing else
    /// acted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag: Option<Positive>,
}

/// A rotation about an axis through the origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// The axis; its length does not matter.
    pub axis: Vector,
    /// The angle, in degrees, counter-clockwise when viewed against the axis.
    pub degrees: Number,
}

/// A shape to start from: positions from a mesh or a table, then scaled, then displaced, then twisted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct StartShape {
    /// A mesh with the same vertices at other places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
    /// A table with a line for each vertex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableFile>,
    /// Factors along x, y and z.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<Vector>,
    /// A displacement, in m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displace: Option<Field>,
    /// Twist from the first edge of a rod to its last, or once around a ring, in degrees, spread evenly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twist: Option<Number>,
}

/// A table with a line for each vertex: x y z, or x y z vx vy vz, in m and m/s, separated by spaces,
/// tabs, commas or semicolons. A first line of names and lines that begin with # are skipped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TableFile {
    /// The file, beside the scene unless it is an absolute path.
    pub file: At<String>,
}
