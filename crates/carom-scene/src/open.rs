//! Tables with keys that registered kinds bring along, beside those that the format has itself.
//!
//! The keys of the format are a struct; [`Keys`] lists the others with what they mean. Both are read, written and described as one table,
//! with the same errors: a wrong value at its place, an unknown key with what was meant.

#[cfg(feature = "schema")]
mod schema;

use core::fmt::{Debug, Formatter};
use core::marker::PhantomData;
use core::ops::Deref;

use carom_model::{Absent, Parameter, Range};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, Error, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::at::{At, Span};
use crate::number::{NonNegative, Number, Poisson, Positive, Ratio, Vector};

/// A key that a registered kind brings along.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenKey {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub about: &'static str,
    /// What it is set to.
    pub form: Form,
}

/// What a key is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A number in a range, and what holds without it.
    Number(Range, Absent),
    /// Three numbers.
    Vector,
    /// A table of numbers.
    Table(&'static [Parameter]),
}

impl From<&Parameter> for OpenKey {
    fn from(parameter: &Parameter) -> Self {
        let Parameter { name, about, range, absent, .. } = *parameter;
        Self { name, about, form: Form::Number(range, absent) }
    }
}

/// The value of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(At<f64>),
    /// Three numbers.
    Vector(Vector),
    /// A table of numbers, by name.
    Table(Vec<(&'static str, At<f64>)>),
}

impl Value {
    /// The number of this name in a table.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<f64> {
        let Self::Table(numbers) = self else { return None };
        numbers.iter().find(|(key, _)| *key == name).map(|(_, value)| **value)
    }
}

/// The keys that registered kinds bring to a table.
pub trait Keys: 'static {
    /// All of them.
    fn keys() -> Vec<OpenKey>;
}

/// A table of the format `T` and of the keys `K`.
pub struct Open<T, K> {
    format: T,
    given: Vec<(&'static str, Value)>,
    keys: PhantomData<K>,
}

impl<T, K> Open<T, K> {
    /// The value of a key that a registered kind brings along, if it is given or has a default.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.given.iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The number that a key is set to, and where it was written, if it is given or has a default.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<&At<f64>> {
        if let Some(Value::Number(number)) = self.value(name) { Some(number) } else { None }
    }
}

impl<T, K> Deref for Open<T, K> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.format
    }
}

impl<T: Clone, K> Clone for Open<T, K> {
    fn clone(&self) -> Self {
        Self { format: self.format.clone(), given: self.given.clone(), keys: PhantomData }
    }
}

impl<T: PartialEq, K> PartialEq for Open<T, K> {
    fn eq(&self, other: &Self) -> bool {
        self.format == other.format && self.given == other.given
    }
}

impl<T: Debug, K> Debug for Open<T, K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Open").field("format", &self.format).field("given", &self.given).finish()
    }
}

impl<'de, T: Deserialize<'de>, K: Keys> Deserialize<'de> for Open<T, K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let keys = K::keys();
        let (format, mut given) =
            deserializer.deserialize_map(Both::<T> { keys: &keys, format: PhantomData })?;
        for key in &keys {
            if let Form::Number(_, Absent::Means(default)) = key.form
                && given.iter().all(|(name, _)| *name != key.name)
            {
                given.push((key.name, Value::Number(At::nowhere(default))));
            }
        }
        given.sort_by_key(|(name, _)| keys.iter().position(|key| key.name == *name));
        Ok(Self { format, given, keys: PhantomData })
    }
}

/// Reads a table of both kinds of keys.
struct Both<'k, T> {
    keys: &'k [OpenKey],
    format: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Both<'_, T> {
    type Value = (T, Vec<(&'static str, Value)>);

    fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let mut given = Vec::new();
        let others = Others { map, keys: self.keys, given: &mut given };
        let format = T::deserialize(MapAccessDeserializer::new(others))?;
        Ok((format, given))
    }
}

/// The keys of a table that no registered kind brings along; the others are put aside on the way.
struct Others<'k, A> {
    map: A,
    keys: &'k [OpenKey],
    given: &'k mut Vec<(&'static str, Value)>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Others<'_, A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        let mut seed = Some(seed);
        loop {
            let sorter = Sorter { keys: self.keys, seed: &mut seed };
            match self.map.next_key_seed(sorter)? {
                None => return Ok(None),
                Some(Sorted::Other(key)) => return Ok(Some(key)),
                Some(Sorted::Ours(key)) => {
                    let value = self.map.next_value_seed(key.form)?;
                    self.given.push((key.name, value));
                }
            }
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// Tells a key that a registered kind brings along from one for `seed`.
struct Sorter<'k, S> {
    keys: &'k [OpenKey],
    /// Taken at most once.
    seed: &'k mut Option<S>,
}

enum Sorted<T> {
    Ours(OpenKey),
    Other(T),
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Sorter<'_, S> {
    type Value = Sorted<S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for Sorter<'_, S> {
    type Value = Sorted<S::Value>;

    fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        if let Some(key) = self.keys.iter().find(|key| key.name == name) {
            return Ok(Sorted::Ours(*key));
        }
        let seed = self.seed.take().expect("a key of the format ends the search");
        let key = seed.deserialize(StrDeserializer::<E>::new(name));
        // The format knows its own keys only: whoever reads the message shall see all.
        let names: Vec<String> = self.keys.iter().map(|key| format!(", `{}`", key.name)).collect();
        key.map(Sorted::Other)
            .map_err(|error| E::custom(format!("{}{}", error.to_string().trim_end(), names.concat())))
    }
}

impl<'de> DeserializeSeed<'de> for Form {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self {
            Self::Number(range, _) => number(range, deserializer).map(Value::Number),
            Self::Vector => Vector::deserialize(deserializer).map(Value::Vector),
            Self::Table(parameters) => deserializer.deserialize_map(Numbers(parameters)).map(Value::Table),
        }
    }
}

/// Reads a number in a range.
fn number<'de, D: Deserializer<'de>>(range: Range, deserializer: D) -> Result<At<f64>, D::Error> {
    let at = |(value, span): (f64, Span)| At::new(value, span);
    match range {
        Range::Any => Number::deserialize(deserializer).map(|n| at((n.get(), n.span()))),
        Range::AboveZero => Positive::deserialize(deserializer).map(|n| at((n.get(), n.span()))),
        Range::ZeroOrMore => NonNegative::deserialize(deserializer).map(|n| at((n.get(), n.span()))),
        Range::ZeroToOne => Ratio::deserialize(deserializer).map(|n| at((n.get(), n.span()))),
        Range::Poisson => Poisson::deserialize(deserializer).map(|n| at((n.get(), n.span()))),
    }
}

/// Reads a table of numbers.
struct Numbers(&'static [Parameter]);

impl<'de> Visitor<'de> for Numbers {
    type Value = Vec<(&'static str, At<f64>)>;

    fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str("a table of numbers")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut numbers = Vec::new();
        while let Some(Parameter { name, range, .. }) = map.next_key_seed(Name(self.0))? {
            numbers.push((name, map.next_value_seed(InRange(range))?));
        }
        let is_given = |name: &str| numbers.iter().any(|(given, _)| *given == name);
        match self.0.iter().find(|p| p.absent == Absent::Refused && !is_given(p.name)) {
            Some(missing) => Err(A::Error::missing_field(missing.name)),
            None => Ok(numbers),
        }
    }
}

struct InRange(Range);

impl<'de> DeserializeSeed<'de> for InRange {
    type Value = At<f64>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<At<f64>, D::Error> {
        number(self.0, deserializer)
    }
}

/// Reads the name of one of some numbers.
struct Name(&'static [Parameter]);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Parameter;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Parameter, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Name {
    type Value = Parameter;

    fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Parameter, E> {
        let known = || self.0.iter().map(|p| format!("`{}`", p.name)).collect::<Vec<_>>().join(", ");
        let unknown = || E::custom(format!("unknown field `{name}`, expected one of {}", known()));
        self.0.iter().find(|parameter| parameter.name == name).copied().ok_or_else(unknown)
    }
}

impl<T: Serialize, K> Serialize for Open<T, K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Flat<'a, T> {
            #[serde(flatten)]
            given: Given<'a>,
            #[serde(flatten)]
            format: &'a T,
        }
        Flat { given: Given(&self.given), format: &self.format }.serialize(serializer)
    }
}

struct Given<'a>(&'a [(&'static str, Value)]);

impl Serialize for Given<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Vector(vector) => vector.serialize(serializer),
            Self::Table(numbers) => serializer.collect_map(numbers.iter().map(|(name, value)| (name, value))),
        }
    }
}
