//! Choices by name among the kinds of potential that are registered for a place.
//!
//! They read, write and describe themselves as an enum of their names would: a new kind is one more choice without a line here.

use core::fmt::{Debug, Formatter};
#[cfg(feature = "schema")]
use std::borrow::Cow;

use carom_elastic::registry::{Bending, Choice, Descriptor, Membrane, Solid, choices};
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The name of no choice at all.
const NONE: &str = "none";

/// A place for which a scene chooses a kind.
pub trait Slot: Choice {
    /// What it is called in the JSON Schema.
    const SCHEMA: &'static str;
    /// What it is.
    const ABOUT: &'static str;
    /// The choice if the scene makes none.
    const DEFAULT: &'static str;
    /// What it means to choose "none", where that is a choice.
    const WITHOUT: Option<&'static str> = None;
}

impl Slot for Membrane {
    const SCHEMA: &'static str = "Membrane";
    const ABOUT: &'static str = "The energy of stretching a sheet.";
    const DEFAULT: &'static str = "neo-hookean";
}

impl Slot for Bending {
    const SCHEMA: &'static str = "Bending";
    const ABOUT: &'static str = "The energy of bending a sheet.";
    const DEFAULT: &'static str = "mid-edge";
    const WITHOUT: Option<&'static str> = Some("No bending stiffness.");
}

impl Slot for Solid {
    const SCHEMA: &'static str = "SolidLaw";
    const ABOUT: &'static str = "The energy of deforming a solid.";
    const DEFAULT: &'static str = "neo-hookean";
}

/// The kind chosen for a place; nothing where the scene says "none".
#[derive(Clone, Copy)]
pub struct Chosen<S: Slot>(Option<(&'static Descriptor, &'static S)>);

impl<S: Slot> Chosen<S> {
    /// The choice of this name.
    fn called(name: &str) -> Option<Self> {
        if S::WITHOUT.is_some() && name == NONE {
            return Some(Self(None));
        }
        choices::<S>().find(|(_, choice)| choice.name() == name).map(|found| Self(Some(found)))
    }

    /// The choice, if there is one.
    #[must_use]
    pub fn get(&self) -> Option<&'static S> {
        self.0.map(|(_, choice)| choice)
    }

    /// The kind that it is, if there is one.
    #[must_use]
    pub fn kind(&self) -> Option<&'static Descriptor> {
        self.0.map(|(kind, _)| kind)
    }

    /// Its name in a scene.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.get().map_or(NONE, Choice::name)
    }
}

/// Names and meanings of all choices, the default first.
fn all<S: Slot>() -> Vec<(&'static str, &'static str)> {
    let mut all: Vec<_> = choices::<S>().map(|(_, choice)| (choice.name(), choice.about())).collect();
    all.sort_by_key(|(name, _)| *name != S::DEFAULT);
    all.extend(S::WITHOUT.map(|about| (NONE, about)));
    all
}

impl<S: Slot> Default for Chosen<S> {
    fn default() -> Self {
        Self::called(S::DEFAULT).expect("the default is registered")
    }
}

impl<S: Slot> PartialEq for Chosen<S> {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl<S: Slot> Debug for Chosen<S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

impl<S: Slot> Serialize for Chosen<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de, S: Slot> Deserialize<'de> for Chosen<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Name<S>(core::marker::PhantomData<S>);

        impl<S: Slot> Visitor<'_> for Name<S> {
            type Value = Chosen<S>;

            fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
                write!(f, "one of {}", names::<S>())
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Chosen<S>, E> {
                let unknown =
                    || E::custom(format!("unknown variant `{name}`, expected one of {}", names::<S>()));
                Chosen::called(name).ok_or_else(unknown)
            }
        }
        deserializer.deserialize_str(Name(core::marker::PhantomData))
    }
}

/// All names, for messages.
fn names<S: Slot>() -> String {
    all::<S>().iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(feature = "schema")]
impl<S: Slot> JsonSchema for Chosen<S> {
    fn schema_name() -> Cow<'static, str> {
        S::SCHEMA.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let choice = |(name, about): (&str, &str)| serde_json::json!({ "description": about, "type": "string", "const": name });
        let choices: Vec<_> = all::<S>().into_iter().map(choice).collect();
        json_schema!({ "description": S::ABOUT, "oneOf": choices })
    }
}
