//! Prescribed motion: what may be said of it.

use serde::{Deserialize, Serialize};

use super::{MeshFile, Selection};
use crate::at::At;
use crate::number::{NonNegative, Number, Vector};

/// Prescribed motion of vertices: a whole obstacle, or some vertices of a body. They start where the body does, move in straight lines from
/// key to key, and stop at the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// The body.
    pub body: At<String>,
    /// The driven vertices; all of the body if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select: Option<At<Selection>>,
    /// Keys: when the vertices are where, in the order of time.
    pub keys: At<Vec<At<DriveKey>>>,
    /// The axis of rotation; its length does not matter.
    #[serde(default = "up", skip_serializing_if = "is_up")]
    pub axis: Vector,
    /// A point on the axis of rotation, in m; the position of the body if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<Vector>,
    /// Timing between two keys.
    #[serde(default)]
    pub pace: DriveTiming,
}

/// A moment of prescribed motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DriveKey {
    /// Time of the key, in s.
    pub time: NonNegative,
    /// Displacement from the start, in m.
    #[serde(default)]
    pub shift: Vector,
    /// Rotation about the axis before the shift, in degrees.
    #[serde(default = "none")]
    pub degrees: Number,
    /// A mesh with all vertices of the body where they are then, instead of where they started; it is placed as the body is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
}

/// Timing between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DriveTiming {
    /// At constant speed, which jumps at the keys.
    #[default]
    Steady,
    /// From rest to rest, in 32 pieces or more.
    Smooth,
}

fn up() -> Vector {
    Vector::nowhere([0.0, 0.0, 1.0].map(Number::nowhere))
}

fn is_up(axis: &Vector) -> bool {
    axis.get() == up().get()
}

fn none() -> Number {
    Number::nowhere(0.0)
}
