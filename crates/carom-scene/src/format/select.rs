//! Choosing vertices of a body.

use core::fmt::Formatter;
#[cfg(feature = "schema")]
use std::borrow::Cow;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::at::At;
use crate::number::Vector;
use crate::whole::Index;

/// Vertices of one body: those that meet every condition given. Coordinates are those of the rest
/// shape, before the body is placed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Selection {
    /// Every vertex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<Yes>,
    /// The vertex with this number, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<Index>,
    /// The vertices with these numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indices: Option<At<Vec<Index>>>,
    /// The vertices in this box, its faces included.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub in_box: Option<At<SelectBox>>,
    /// The vertices on the boundary: the rim of a sheet, the ends of a rod, the skin of a solid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub boundary: Option<Yes>,
    /// The vertices of this group of the shape or the mesh file: of an OBJ file a group, object or material, of a Gmsh file a
    /// physical group, of a PLY file a colour such as "#ff0000".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<At<String>>,
    /// The vertices of the selection of this name, which the scene defines for the same body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named: Option<At<String>>,
    /// The one vertex nearest to this point, among those that meet the other conditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Vector>,
}

/// A box along the axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SelectBox {
    /// Lowest corner, in m.
    pub min: Vector,
    /// Highest corner, in m.
    pub max: Vector,
}

/// Vertices of a body, under a name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct NamedSelection {
    /// Name of the selection, for `select.named`.
    pub name: At<String>,
    /// The body.
    pub body: At<String>,
    /// The selected vertices.
    pub select: At<Selection>,
}

/// Vertices of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Among {
    /// The body.
    pub body: At<String>,
    /// The selected vertices.
    pub select: At<Selection>,
}

/// `true`; the key is left out otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Yes;

impl<'de> Deserialize<'de> for Yes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct YesVisitor;

        impl Visitor<'_> for YesVisitor {
            type Value = Yes;

            fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
                f.write_str("true")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Yes, E> {
                if value { Ok(Yes) } else { Err(E::custom("expected true, found false: leave the key out")) }
            }
        }
        deserializer.deserialize_bool(YesVisitor)
    }
}

impl Serialize for Yes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(true)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Yes {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "yes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "boolean", "const": true })
    }
}

/// A vertex by body and number, "beam:12".
#[derive(Clone, Debug, PartialEq)]
pub struct VertexName {
    /// The body.
    pub body: String,
    /// The vertex, counted from 0.
    pub index: u32,
}

impl<'de> Deserialize<'de> for VertexName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;

        impl Visitor<'_> for NameVisitor {
            type Value = VertexName;

            fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
                f.write_str("a vertex \"body:number\", such as \"beam:12\"")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<VertexName, E> {
                let parts = text.rsplit_once(':');
                let vertex = parts.and_then(|(body, index)| Some((body, index.trim().parse().ok()?)));
                let (body, index) =
                    vertex.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))?;
                Ok(VertexName { body: body.to_owned(), index })
            }
        }
        deserializer.deserialize_str(NameVisitor)
    }
}

impl Serialize for VertexName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{}:{}", self.body, self.index))
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for VertexName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "vertex".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^.+:[0-9]+$" })
    }
}
