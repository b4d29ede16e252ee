//! What acts on bodies: gravity, springs, pairs, pins and loads.

use core::fmt::Formatter;
#[cfg(feature = "schema")]
use std::borrow::Cow;

use carom_elastic::registry::{Descriptor, PairLaw, choices};
use carom_model::Axes;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Among, Selection, VertexName};
use crate::at::At;
use crate::build::{LOADS, LoadKind};
use crate::fixed::Fixed;
use crate::number::{NonNegative, Number, Positive, Vector};
use crate::open::{Form, Keys, Open, OpenKey};

/// Uniform gravity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Gravity {
    /// Acceleration, in m/s².
    pub acceleration: Vector,
}

/// Springs: between two vertices, between two selections, or along all edges of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Spring {
    /// The two vertices, "body:number".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<Fixed<At<VertexName>, 2>>,
    /// The vertices the springs start from, with to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Among>,
    /// The vertices the springs end at: as many as in from, in the same order, or one for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Among>,
    /// A body whose edges all become springs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<At<String>>,
    /// Stiffness of each spring, in N/m.
    pub stiffness: Positive,
    /// Length at which it pulls nothing, in m; the length in the rest shape or, between bodies, at the
    /// start if it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest_length: Option<NonNegative>,
    /// Step of the springs, in s, instead of the one they propose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Positive>,
    /// How long a stretch would take to relax if nothing else acted, in s: stiffness times this is the viscosity. Without it
    /// nothing is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Positive>,
}

/// A potential between all pairs of vertices of some bodies: the keys of the format, and one for each registered potential.
pub type Pair = Open<PairFormat, PairLaws>;

/// A potential between all pairs of vertices of some bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "Pair"))]
pub struct PairFormat {
    /// The bodies; all of them if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<At<String>>>,
    /// Step of the pairs, in s, instead of the one they propose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Positive>,
}

/// The potentials between two points, by name.
pub enum PairLaws {}

impl Keys for PairLaws {
    fn keys() -> Vec<OpenKey> {
        let key = |(kind, law): (&Descriptor, &PairLaw)| OpenKey {
            name: law.name,
            about: law.about,
            form: Form::Table(kind.parameters),
        };
        choices().map(key).collect()
    }
}

/// Vertices that are held where they start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// A name, for probes of its reaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<At<String>>,
    /// The body.
    pub body: At<String>,
    /// The vertices to pin.
    pub select: At<Selection>,
    /// The axes along which they are held: any of the letters x, y and z.
    #[serde(default)]
    pub axes: PinAxes,
    /// Whether the angles of a rod's edges between these vertices are held too: a clamp.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub twist: bool,
}

/// Axes along which a pin holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PinAxes(pub Axes);

impl Default for PinAxes {
    fn default() -> Self {
        Self(Axes::ALL)
    }
}

impl<'de> Deserialize<'de> for PinAxes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AxesVisitor;

        impl Visitor<'_> for AxesVisitor {
            type Value = PinAxes;

            fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
                f.write_str("some of the letters x, y and z, such as \"xyz\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<PinAxes, E> {
                if text.is_empty() || text.contains(|c| !"xyz".contains(c)) {
                    return Err(E::invalid_value(serde::de::Unexpected::Str(text), &self));
                }
                Ok(PinAxes(Axes { x: text.contains('x'), y: text.contains('y'), z: text.contains('z') }))
            }
        }
        deserializer.deserialize_str(AxesVisitor)
    }
}

impl Serialize for PinAxes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let held = [(self.0.x, 'x'), (self.0.y, 'y'), (self.0.z, 'z')];
        let letters: String = held.into_iter().filter(|(held, _)| *held).map(|(_, letter)| letter).collect();
        serializer.serialize_str(&letters)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for PinAxes {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "axes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[xyz]+$", "examples": ["xyz", "z"] })
    }
}

/// What pushes some vertices or faces from outside: the keys of the format, and one for each kind of load.
pub type Load = Open<LoadFormat, LoadKeys>;

/// What pushes some vertices or faces from outside: a force, an acceleration, a pressure or a force along normals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "Load"))]
pub struct LoadFormat {
    /// The body.
    pub body: At<String>,
    /// The vertices that the load acts on.
    pub select: At<Selection>,
    /// How the vertices share the force.
    #[serde(default)]
    pub share: Share,
    /// How it changes with time: pairs of a time in s and a factor, straight between them, constant before and after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<At<Vec<Fixed<Number, 2>>>>,
}

/// The kinds of load, by name.
pub enum LoadKeys {}

impl Keys for LoadKeys {
    fn keys() -> Vec<OpenKey> {
        LOADS.iter().map(LoadKind::key).collect()
    }
}

/// How vertices share a force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Share {
    /// Equal parts for all.
    #[default]
    Equally,
    /// Parts in proportion to masses.
    ByMass,
    /// Parts in proportion to the area, length or volume around each vertex at rest.
    ByArea,
    /// The whole force acts on each vertex.
    Each,
}
