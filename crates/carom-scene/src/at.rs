//! Values that remember where they were written.

use core::ops::{Deref, Range};
#[cfg(feature = "schema")]
use std::borrow::Cow;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Spanned;

/// A range of bytes of the source; empty at 0 for defaults.
pub type Span = Range<usize>;

/// A value and where it was written. Two are equal if their values are.
#[derive(Clone, Debug)]
pub struct At<T> {
    value: T,
    span: Span,
}

impl<T> At<T> {
    /// A value that was written at `span`.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }

    /// A default value, which has no place in the source.
    pub fn nowhere(value: T) -> Self {
        Self { value, span: 0..0 }
    }

    /// Place of the value in the source.
    pub fn span(&self) -> Span {
        self.span.clone()
    }

    /// The value, to change it.
    pub fn value_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T> Deref for At<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: PartialEq> PartialEq for At<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Default> Default for At<T> {
    fn default() -> Self {
        Self::nowhere(T::default())
    }
}

impl<T: core::fmt::Display> core::fmt::Display for At<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.value.fmt(f)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<T>::deserialize(deserializer)?;
        let span = spanned.span();
        Ok(Self { value: spanned.into_inner(), span })
    }
}

impl<T: Serialize> Serialize for At<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
