//! Lists of a fixed length. serde's own arrays let extra items of a TOML list pass unseen.

use core::fmt::Formatter;
use core::marker::PhantomData;
use core::ops::Deref;
#[cfg(feature = "schema")]
use std::borrow::Cow;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::at::{At, Span};

/// Exactly `N` values, and where they were written.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixed<T, const N: usize>(At<Inner<T, N>>);

#[derive(Clone, Debug, PartialEq)]
struct Inner<T, const N: usize>([T; N]);

impl<T, const N: usize> Fixed<T, N> {
    /// Default values, which have no place in the source.
    pub fn nowhere(values: [T; N]) -> Self {
        Self(At::nowhere(Inner(values)))
    }

    /// Place of the values in the source.
    pub fn span(&self) -> Span {
        self.0.span()
    }
}

impl<T, const N: usize> Deref for Fixed<T, N> {
    type Target = [T; N];

    fn deref(&self) -> &[T; N] {
        &self.0.0
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Fixed<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        At::deserialize(deserializer).map(Self)
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Inner<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ListVisitor<T, const N: usize>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for ListVisitor<T, N> {
            type Value = Inner<T, N>;

            fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
                write!(f, "a list of {N} values")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Inner<T, N>, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = seq.next_element::<T>()? {
                    values.push(value);
                }
                let found = values.len();
                let wrong =
                    |_| A::Error::custom(format_args!("expected a list of {N} values, found {found}"));
                values.try_into().map(Inner).map_err(wrong)
            }
        }
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

impl<T: Serialize, const N: usize> Serialize for Fixed<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(feature = "schema")]
impl<T: JsonSchema, const N: usize> JsonSchema for Fixed<T, N> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("{N} of {}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let items = generator.subschema_for::<T>();
        json_schema!({ "type": "array", "items": items, "minItems": N, "maxItems": N })
    }
}
