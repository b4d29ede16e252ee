//! Whole numbers with a least value, checked where they are read.

use core::fmt::Formatter;
#[cfg(feature = "schema")]
use std::borrow::Cow;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::at::{At, Span};

/// A whole number of at least `LEAST`, and where it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole<const LEAST: u32>(At<Inner<LEAST>>);

/// A count: 1 or more.
pub type Count = Whole<1>;
/// An index, counted from 0.
pub type Index = Whole<0>;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Inner<const LEAST: u32>(u32);

impl<const LEAST: u32> Whole<LEAST> {
    /// A default number, which has no place in the source.
    #[must_use]
    pub fn nowhere(value: u32) -> Self {
        Self(At::nowhere(Inner(value)))
    }

    /// The number.
    #[must_use]
    pub fn get(&self) -> u32 {
        self.0.0
    }

    /// Place of the number in the source.
    #[must_use]
    pub fn span(&self) -> Span {
        self.0.span()
    }
}

impl<'de, const LEAST: u32> Deserialize<'de> for Whole<LEAST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        At::deserialize(deserializer).map(Self)
    }
}

impl<'de, const LEAST: u32> Deserialize<'de> for Inner<LEAST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WholeVisitor<const LEAST: u32>;

        impl<const LEAST: u32> Visitor<'_> for WholeVisitor<LEAST> {
            type Value = Inner<LEAST>;

            fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
                write!(f, "a whole number of {LEAST} or more")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Inner<LEAST>, E> {
                u32::try_from(value).ok().filter(|v| *v >= LEAST).map(Inner).ok_or_else(|| {
                    E::custom(format_args!("expected a whole number of {LEAST} or more, found {value}"))
                })
            }
        }
        deserializer.deserialize_u32(WholeVisitor)
    }
}

impl<const LEAST: u32> Serialize for Whole<LEAST> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.get())
    }
}

#[cfg(feature = "schema")]
impl<const LEAST: u32> JsonSchema for Whole<LEAST> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "whole".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": LEAST })
    }
}
