//! What a scene is held against: other methods, other settings.

#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::Method;
use crate::at::At;

/// The scene beside variants of itself, drawn together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Compare {
    /// What the line of the scene itself is called; without it, the name of its method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<At<String>>,
    /// The lines that `carom run` runs after the scene itself; `carom compare` runs all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<At<String>>,
    /// The variants.
    #[serde(rename = "line", skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<At<CompareLine>>,
}

/// A variant of the scene: what is different about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CompareLine {
    /// Name of the line in legends and tables, and of its folder.
    pub name: At<String>,
    /// Method of the line; without it, that of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// Keys of the scene with other values: { "time.end" = 0.001 }.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, Setting>,
}

/// Any value: the key decides its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Setting(pub toml::Value);

#[cfg(feature = "schema")]
impl JsonSchema for Setting {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "setting".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!(true)
    }
}
