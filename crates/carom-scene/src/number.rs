//! Numbers with a bound, checked where they are read.
//!
//! A key of the scene file whose number must be positive has the type [`Positive`], so no number
//! out of bounds gets past the parser, NaN and infinity included, and none can be forgotten.

use core::fmt::{Debug, Formatter};
use core::marker::PhantomData;
#[cfg(feature = "schema")]
use std::borrow::Cow;

use carom_math::Vec3;
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::at::{At, Span};
use crate::fixed::Fixed;

/// A condition on a number, in addition to being finite.
pub trait Bound {
    /// The bound in words, after "a number".
    const WORDS: &'static str;
    /// Whether `value` satisfies the condition.
    fn admits(value: f64) -> bool;
    /// The bound as keys of a JSON Schema.
    #[cfg(feature = "schema")]
    fn schema() -> serde_json::Value;
}

macro_rules! bound {
    ($name:ident, $words:literal, $value:ident => $admits:expr, $schema:tt) => {
        #[doc = concat!("A number ", $words, ".")]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $name {}

        impl Bound for $name {
            const WORDS: &'static str = $words;

            fn admits($value: f64) -> bool {
                $admits
            }

            #[cfg(feature = "schema")]
            fn schema() -> serde_json::Value {
                serde_json::json!($schema)
            }
        }
    };
}

bound!(Any, "that is finite", value => value.is_finite(), {});
bound!(AboveZero, "greater than 0", value => value > 0.0 && value.is_finite(), { "exclusiveMinimum": 0.0 });
bound!(ZeroOrMore, "of 0 or more", value => value >= 0.0 && value.is_finite(), { "minimum": 0.0 });
bound!(UpToOne, "greater than 0 and at most 1", value => value > 0.0 && value <= 1.0, {
    "exclusiveMinimum": 0.0, "maximum": 1.0
});
bound!(ZeroToOne, "from 0 to 1", value => (0.0..=1.0).contains(&value), { "minimum": 0.0, "maximum": 1.0 });
bound!(BelowOne, "greater than 0 and less than 1", value => value > 0.0 && value < 1.0, {
    "exclusiveMinimum": 0.0, "exclusiveMaximum": 1.0
});
bound!(PoissonRange, "greater than −1 and less than 0.5", value => value > -1.0 && value < 0.5, {
    "exclusiveMinimum": -1.0, "exclusiveMaximum": 0.5
});

/// A finite number.
pub type Number = Bounded<Any>;
/// A number greater than 0.
pub type Positive = Bounded<AboveZero>;
/// A number of 0 or more.
pub type NonNegative = Bounded<ZeroOrMore>;
/// A number greater than 0 and at most 1.
pub type Fraction = Bounded<UpToOne>;
/// A number greater than 0 and less than 1.
pub type OpenFraction = Bounded<BelowOne>;
/// A number from 0 to 1.
pub type Ratio = Bounded<ZeroToOne>;
/// A Poisson ratio.
pub type Poisson = Bounded<PoissonRange>;

/// A number that satisfies the bound `B`, and where it was written.
pub struct Bounded<B>(At<Checked<B>>);

struct Checked<B>(f64, PhantomData<B>);

impl<B: Bound> Bounded<B> {
    /// A default number, which has no place in the source.
    ///
    /// # Panics
    /// If the default violates the bound.
    #[must_use]
    pub fn nowhere(value: f64) -> Self {
        assert!(B::admits(value), "the default {value} is not a number {}", B::WORDS);
        Self(At::nowhere(Checked(value, PhantomData)))
    }

    /// The number.
    #[must_use]
    pub fn get(&self) -> f64 {
        self.0.0
    }

    /// Place of the number in the source.
    #[must_use]
    pub fn span(&self) -> Span {
        self.0.span()
    }
}

impl<B> Clone for Bounded<B> {
    fn clone(&self) -> Self {
        Self(At::new(Checked(self.0.0, PhantomData), self.0.span()))
    }
}

impl<B> Debug for Bounded<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        self.0.0.fmt(f)
    }
}

impl<B> PartialEq for Bounded<B> {
    fn eq(&self, other: &Self) -> bool {
        self.0.0 == other.0.0
    }
}

impl<'de, B: Bound> Deserialize<'de> for Bounded<B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        At::deserialize(deserializer).map(Self)
    }
}

/// The check happens inside the visitor, so that the error carries the place of the number itself
/// and not that of the array around it.
impl<'de, B: Bound> Deserialize<'de> for Checked<B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberVisitor<B>(PhantomData<B>);

        impl<B: Bound> Visitor<'_> for NumberVisitor<B> {
            type Value = Checked<B>;

            fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
                write!(f, "a number {}", B::WORDS)
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Checked<B>, E> {
                if B::admits(value) {
                    Ok(Checked(value, PhantomData))
                } else {
                    Err(E::custom(format_args!("expected a number {}, found {value:?}", B::WORDS)))
                }
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Checked<B>, E> {
                self.visit_f64(value as f64)
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<Checked<B>, E> {
                self.visit_f64(value as f64)
            }
        }
        deserializer.deserialize_f64(NumberVisitor(PhantomData))
    }
}

impl<B> Serialize for Bounded<B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.0)
    }
}

#[cfg(feature = "schema")]
impl<B: Bound> JsonSchema for Bounded<B> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "number".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({ "type": "number" });
        if let serde_json::Value::Object(bounds) = B::schema() {
            for (key, value) in bounds {
                schema.insert(key, value);
            }
        }
        schema
    }
}

/// Three finite numbers, `[x, y, z]`.
pub type Vector = Fixed<Number, 3>;

impl Vector {
    /// The zero vector as a default.
    #[must_use]
    pub fn zero() -> Self {
        Self::nowhere([0.0; 3].map(Number::nowhere))
    }

    /// The vector.
    #[must_use]
    pub fn get(&self) -> Vec3 {
        Vec3::new(self[0].get(), self[1].get(), self[2].get())
    }
}

impl Default for Vector {
    fn default() -> Self {
        Self::zero()
    }
}
