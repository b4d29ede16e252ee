//! A tolerance, or the word that there is none.

use core::fmt::{Debug, Formatter};
#[cfg(feature = "schema")]
use std::borrow::Cow;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The word for no tolerance at all.
const NO_TOLERANCE: &str = "none";

/// What a tolerance must be, in words.
const WORDS: &str = "a number greater than 0 and at most 1, or \"none\"";

/// How far the energy may be off, over the energy turned over, unless the scene says otherwise.
pub const DEFAULT_ENERGY_TOLERANCE: f64 = 1e-3;

/// A relative tolerance; nothing where the scene says "none".
#[derive(Clone, Copy, PartialEq)]
pub struct Tolerance(Option<f64>);

impl Default for Tolerance {
    fn default() -> Self {
        Self(Some(DEFAULT_ENERGY_TOLERANCE))
    }
}

impl Tolerance {
    /// The tolerance, if there is one.
    #[must_use]
    pub fn get(self) -> Option<f64> {
        self.0
    }
}

impl Debug for Tolerance {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            Some(relative) => relative.fmt(f),
            None => f.write_str(NO_TOLERANCE),
        }
    }
}

impl Serialize for Tolerance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(relative) => serializer.serialize_f64(relative),
            None => serializer.serialize_str(NO_TOLERANCE),
        }
    }
}

impl<'de> Deserialize<'de> for Tolerance {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrWord;

        impl Visitor<'_> for NumberOrWord {
            type Value = Tolerance;

            fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
                f.write_str(WORDS)
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Tolerance, E> {
                if value > 0.0 && value <= 1.0 {
                    Ok(Tolerance(Some(value)))
                } else {
                    Err(E::custom(format_args!("expected {WORDS}, found {value:?}")))
                }
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Tolerance, E> {
                self.visit_f64(value as f64)
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Tolerance, E> {
                if word == NO_TOLERANCE {
                    Ok(Tolerance(None))
                } else {
                    Err(E::custom(format_args!("expected {WORDS}, found {word:?}")))
                }
            }
        }
        deserializer.deserialize_any(NumberOrWord)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for Tolerance {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "tolerance".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string"], "exclusiveMinimum": 0.0, "maximum": 1.0, "pattern": "^none$" })
    }
}
