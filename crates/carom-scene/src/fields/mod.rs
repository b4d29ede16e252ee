//! Fields: vectors that vary over a body at its start. One file for each kind, with its keys, what can be wrong with them, and its values.
//!
//! A new field is a file here and an entry in the list below, with `mod` above it. Scenes, their JSON Schema, errors, the template of
//! `carom new` and the reference of keys follow from that.
//!
//! **Never here:** which body has a field; how a body rotates.

mod bump;
mod noise;
mod sine;

pub use bump::Bump;
pub use noise::Noise;
pub use sine::Sine;

use carom_math::Vec3;
use serde::{Deserialize, Serialize};

use crate::report::Problem;

/// The tables that name fields, and the way from each to the values of what it names.
macro_rules! fields {
    (
        of places { $($(#[doc = $doc:literal])+ $key:ident on $page:literal: $Keys:ty,)+ }
        of vertices { $($(#[doc = $own_doc:literal])+ $own_key:ident on $own_page:literal: $OwnKeys:ty,)+ }
    ) => {
        /// All kinds of field.
        pub const FIELDS: &[FieldDescriptor] = &[
            $(FieldDescriptor { name: stringify!($key), about: concat!($($doc),+).trim_ascii(), is_of_places: true, page: $page },)+
            $(FieldDescriptor { name: stringify!($own_key), about: concat!($($own_doc),+).trim_ascii(), is_of_places: false, page: $own_page },)+
        ];

        /// A vector that varies over the rest shape: the sum of what is given.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields, default)]
        pub struct Field {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $key: Option<$Keys>,)+
        }

        impl Field {
            /// Whether no kind of field is given.
            pub(crate) fn is_empty(&self) -> bool {
                $(self.$key.is_none())&&+
            }

            pub(crate) fn check(&self, problems: &mut Vec<Problem>) {
                $(self.$key.iter().for_each(|field| field.check(problems));)+
            }

            /// The sum of what is given, at the point `x` of the rest shape.
            pub(crate) fn at(&self, x: Vec3) -> Vec3 {
                sum([$(self.$key.as_ref().map_or(Vec3::ZERO, |field| field.at(x))),+])
            }
        }

        /// A velocity that varies over the rest shape and rotates with the body: the sum of what is given, in m/s.
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields, default)]
        pub struct VelocityField {
            $($(#[doc = $doc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $key: Option<$Keys>,)+
            $($(#[doc = $own_doc])+ #[serde(skip_serializing_if = "Option::is_none")] pub $own_key: Option<$OwnKeys>,)+
            /// Whether a velocity and a spin of the whole body are taken out, so that the field carries no
            /// momentum and no angular momentum.
            pub balanced: bool,
        }

        impl VelocityField {
            /// Whether no kind of field is given.
            pub(crate) fn is_empty(&self) -> bool {
                $(self.$key.is_none() &&)+ $(self.$own_key.is_none())&&+
            }

            pub(crate) fn check(&self, problems: &mut Vec<Problem>) {
                $(self.$key.iter().for_each(|field| field.check(problems));)+
            }

            /// The sum of what every place has, at the point `x` of the rest shape, in m/s.
            pub(crate) fn at(&self, x: Vec3) -> Vec3 {
                sum([$(self.$key.as_ref().map_or(Vec3::ZERO, |field| field.at(x))),+])
            }

            /// The velocities that vertices of these masses in kg have beside, in m/s: a list for each kind that is given.
            pub(crate) fn of_vertices(&self, masses: &[f64]) -> Vec<Vec<Vec3>> {
                let given = [$(self.$own_key.as_ref().map(|field| field.velocities(masses))),+];
                given.into_iter().flatten().collect()
            }
        }
    };
}

fields! {
    of places {
        /// A smooth bump.
        bump on "scenes": Bump,
        /// Half waves along a line.
        sine on "scenes": Sine,
    }
    of vertices {
        /// A random velocity for each vertex.
        noise on "scenes": Noise,
    }
}

/// A kind of field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldDescriptor {
    /// Its key in `velocity_field` of a body and, if it is of places, in `start.displace`.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// Whether it gives every place of the rest shape a vector; otherwise it gives every vertex a velocity.
    pub is_of_places: bool,
    /// Its page in the book: `docs/guide/<page>.md`.
    pub page: &'static str,
}

/// A field that gives every place of the rest shape a vector.
trait PlaceField {
    /// Keys that contradict each other.
    fn check(&self, _problems: &mut Vec<Problem>) {}

    /// The vector at the point `x` of the rest shape.
    fn at(&self, x: Vec3) -> Vec3;
}

/// A field that gives every vertex a velocity.
trait VertexField {
    /// Velocities of vertices with these masses in kg, in m/s.
    fn velocities(&self, masses: &[f64]) -> Vec<Vec3>;
}

fn sum<const N: usize>(values: [Vec3; N]) -> Vec3 {
    values.into_iter().reduce(|a, b| a + b).unwrap_or(Vec3::ZERO)
}
