//! Materials, in SI units: one file or folder for each kind, with its keys, what can be wrong with them, and the masses and potentials
//! that it gives a mesh.
//!
//! A new material is a file here and an entry in the list below, with `mod` above it. Scenes, their JSON Schema, errors, the template of
//! `carom new`, the reference of keys, `carom inspect` and what the golden runs must touch follow from that.
//!
//! **Never here:** shapes; where a body is placed.

/// A material with the numbers that a part gives, its damping among them.
macro_rules! with_numbers_of {
    ($part:ident, $material:ident, $($key:ident),*) => {
        Self { $($key: $part.$key.clone().unwrap_or($material.$key),)* damping: $part.damping.clone().or($material.damping), ..$material }
    };
}

mod grains;
mod points;
mod rod;
mod shell;
mod solid;

pub use grains::{GrainMaterial, Hertz};
pub use points::PointMaterial;
pub use rod::RodMaterial;
pub use shell::ShellMaterial;
pub use solid::SolidMaterial;

use carom_geometry::Mesh;
use serde::{Deserialize, Serialize};

use crate::at::{At, Span};
use crate::build::{Assembly, MadeOf, Makeup, Varies};
use crate::built::BodyMaterial;
use crate::format::{Body, Part};
use crate::number::Positive;
use crate::report::Problem;

/// The choice among all materials, and the way from each to its kind.
macro_rules! materials {
    ($(#[$about:meta])+ pub enum Material { $($(#[doc = $doc:literal])+ $name:literal on $page:literal: $Variant:ident($Keys:ty),)+ }) => {
        $(#[$about])+
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum Material {
            $($(#[doc = $doc])+ #[serde(rename = $name)] $Variant($Keys),)+
        }

        /// All materials.
        pub const MATERIALS: &[MaterialDescriptor] =
            &[$(MaterialDescriptor { name: $name, about: concat!($($doc),+).trim_ascii(), page: $page },)+];

        impl Material {
            /// Name of the material in scenes.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$Variant(_) => $name,)+
                }
            }

            pub(crate) fn kind(&self) -> &dyn MaterialKind {
                match self {
                    $(Self::$Variant(keys) => keys,)+
                }
            }
        }
    };
}

materials! {
    /// What a body is made of. A shell needs triangles, a rod edges, a solid tetrahedra, grains the shape of that name.
    pub enum Material {
        /// A thin sheet.
        "shell" on "scenes": Shell(ShellMaterial),
        /// A thin elastic rod, or a string.
        "rod" on "scenes": Rod(RodMaterial),
        /// A solid of tetrahedra.
        "solid" on "scenes": Solid(SolidMaterial),
        /// Points without any force of their own.
        "points" on "scenes": Points(PointMaterial),
        /// Spheres that move freely until they touch.
        "grains" on "grains": Grains(GrainMaterial),
    }
}

impl Material {
    /// Radius of the section of a rod, in m; no other material has one.
    #[must_use]
    pub fn radius_m(&self) -> Option<f64> {
        self.kind().radius_m()
    }
}

/// A kind of material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaterialDescriptor {
    /// Its key in `material` of a body.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub about: &'static str,
    /// Its page in the book: `docs/guide/<page>.md`.
    pub page: &'static str,
}

/// What there is to know of a kind of material, given its keys.
pub(crate) trait MaterialKind {
    /// Keys that contradict each other or those of parts of the body; the material is written at `span`.
    fn check(&self, _span: &Span, _body: &Body, _parts: &[At<Part>], _problems: &mut Vec<Problem>) {}

    /// The elements that it is made of; points have none.
    fn elements(&self) -> Option<Elements>;

    /// The problem with the rest shape `mesh`, which is sound and has the right elements, if there is one. The material is written at `span`.
    fn check_mesh(&self, _mesh: &Mesh, _span: &Span, _body: &Body) -> Option<Problem> {
        None
    }

    /// The mass of each vertex, in kg.
    fn masses(&self, of: &RestBody<'_>) -> Vec<f64>;

    /// Adds the potentials of the body added last.
    fn add(&self, _assembly: &mut Assembly<'_>, _body: &Body) {}

    /// The numbers that it has in bulk: those of its stiffest part.
    fn in_bulk(&self, _of: &RestBody<'_>) -> BodyMaterial {
        BodyMaterial::default()
    }

    /// Potentials that lie between elements, so that none shares a clock with them: which they are, and what to do if they should.
    fn between_elements(&self) -> Option<[String; 2]> {
        None
    }

    /// Radius of the section of a rod, in m.
    fn radius_m(&self) -> Option<f64> {
        None
    }

    /// How long a strain would take to relax, if it is damped.
    fn damping(&self) -> Option<&Positive> {
        None
    }

    /// Whether it resists twist.
    fn twists(&self) -> bool {
        false
    }

    /// Whether it is for spheres.
    fn is_grains(&self) -> bool {
        false
    }

    /// Soft contact of spheres.
    fn hertz(&self) -> Option<&Hertz> {
        None
    }

    /// Whether it is points without elements between them.
    fn is_points(&self) -> bool {
        self.elements().is_none()
    }
}

/// The elements of a body.
pub(crate) struct Elements {
    /// A body of them: "a shell".
    pub body: &'static str,
    /// What it needs of a shape, and shapes that have it.
    pub needs: &'static str,
    /// The mesh without other elements.
    pub keep: fn(Mesh) -> Mesh,
    /// A body whose parts have the numbers below: "a rod that does not twist".
    pub body_of_parts: &'static str,
    /// The numbers that a part can change.
    pub part_keys: &'static [&'static str],
}

/// A body at rest, before it is placed.
pub(crate) struct RestBody<'a> {
    /// The rest shape with the elements of its material.
    pub mesh: &'a Mesh,
    /// Materials of its elements.
    pub makeup: &'a Makeup,
    /// All parts of the scene.
    pub parts: &'a [At<Part>],
    /// Radius of each vertex, in m, if they are grains.
    pub grain_radii: Option<&'a [f64]>,
}

impl RestBody<'_> {
    /// The material of each element, where the body is made of `base`.
    fn materials<M: Varies>(&self, base: &M) -> MadeOf<M> {
        self.makeup.materials(base, self.parts)
    }

    /// The mass of each vertex, in kg, where every one of the `elements` gives its corners equal parts of its `mass`.
    fn shared<const N: usize>(
        &self,
        elements: &[[u32; N]],
        mass: impl Fn(usize, &[u32; N]) -> f64,
    ) -> Vec<f64> {
        let mut masses = vec![0.0; self.mesh.positions.len()];
        for (i, element) in elements.iter().enumerate() {
            let part = mass(i, element) / N as f64;
            for v in element {
                masses[*v as usize] += part;
            }
        }
        masses
    }
}
