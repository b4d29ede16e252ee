//! Prescribed motion: what may be said of it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{MeshFile, Selection};
use crate::at::At;
use crate::number::{NonNegative, Number, Vector};

/// Vertices that go where they are told: a whole obstacle, or some vertices of a body. They start where the body does, fly straight from
/// key to key, and stop at the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// The body.
    pub body: At<String>,
    /// Which of its vertices; all if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select: Option<At<Selection>>,
    /// When and where to, in the order of time.
    pub keys: At<Vec<At<DriveKey>>>,
    /// The axis of turns; its length does not matter.
    #[serde(default = "up", skip_serializing_if = "is_up")]
    pub axis: Vector,
    /// A point that turns leave where it is, in m; the position of the body if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centre: Option<Vector>,
    /// How the way from key to key is gone.
    #[serde(default)]
    pub pace: DriveTiming,
}

/// A moment of prescribed motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DriveKey {
    /// When, in s.
    pub time: NonNegative,
    /// How far from where they started, in m.
    #[serde(default)]
    pub shift: Vector,
    /// By how much they are turned about the axis before they are shifted, in degrees.
    #[serde(default = "none")]
    pub degrees: Number,
    /// A mesh with all vertices of the body where they are then, instead of where they started; it is placed as the body is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshFile>,
}

/// How the way from key to key is gone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DriveTiming {
    /// At one speed, which jumps at the keys.
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
