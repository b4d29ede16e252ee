//! The kinds of potential there are. A [`Descriptor`] says all that others need to know of a kind: scenes are read by it, systems are
//! built by it, and messages, `carom inspect` and the book quote it.
//!
//! Each stands in the file of its kind; the list of them, [`KINDS`], in `lib.rs`.
//!
//! **Never here:** the name of a single kind.

use carom_math::Vec3;
use carom_model::{ElementRef, Owner, Parameter, SystemBuilder};

pub use crate::KINDS;
use crate::{ShellMaterial, SolidMaterial};

/// A kind of potential.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// The name, in files and messages.
    pub kind: &'static str,
    /// Where it comes in the sums of an instant: smaller numbers first.
    ///
    /// Sums round, so their order decides bits. A new kind takes a number that is free; a number once given stays.
    pub order: u32,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// The numbers it is made from, beside its rest shape.
    pub parameters: &'static [Parameter],
    /// Its page in the book: `docs/elements/<page>.md`.
    pub page: &'static str,
    /// Whether it can be damped.
    pub damps: bool,
    /// How a scene asks for it.
    pub role: Role,
}

/// How a scene asks for a kind.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// By name, as `material.shell.membrane`.
    Membrane(Membrane),
    /// By name, as `material.shell.bending`.
    Bending(Bending),
    /// By name, as `material.solid.law`.
    Solid(Solid),
    /// By the key of its name in a `[[pair]]`.
    Pair(PairLaw),
    /// By keys that have no other meaning, here in words.
    Fixed(&'static str),
}

/// The place of an element with `N` vertices.
#[derive(Clone, Copy, Debug)]
pub struct Site<const N: usize> {
    /// Its vertices in the system.
    pub stencil: [u32; N],
    /// Where they are at rest, in m.
    pub rest: [Vec3; N],
    /// What it belongs to.
    pub owner: Owner,
    /// Its area, length or volume, in m², m or m³.
    pub extent: f64,
}

/// The stretching of a shell, triangle by triangle.
#[derive(Clone, Copy, Debug)]
pub struct Membrane {
    /// The name by which a scene chooses it.
    pub name: &'static str,
    /// What it is, for someone who chooses.
    pub about: &'static str,
    /// Adds one, on the corners of a triangle.
    pub add: fn(&mut SystemBuilder, &Site<3>, &ShellMaterial) -> ElementRef,
    /// The stiffness that it sets against being pressed, in Pa.
    pub modulus: fn(&ShellMaterial) -> f64,
}

/// The bending of a shell.
#[derive(Clone, Copy, Debug)]
pub struct Bending {
    /// The name by which a scene chooses it.
    pub name: &'static str,
    /// What it is, for someone who chooses.
    pub about: &'static str,
    /// Adds one.
    pub add: AddBending,
    /// Whether the sheet must be flat at rest.
    pub is_for_flat_sheets: bool,
    /// Whether it is wrong on a grid whose diagonals alternate.
    pub errs_on_alternating_diagonals: bool,
}

/// How bending is added to a shell.
#[derive(Clone, Copy, Debug)]
pub enum AddBending {
    /// To each triangle.
    ToTriangles(AddToTriangle),
    /// To each edge between two triangles.
    ToInnerEdges(AddToInnerEdge),
}

/// Adds bending to a triangle and the corners across its edges, a missing one replaced by a corner of its own: which of them are
/// there, and the material of the triangle.
pub type AddToTriangle = fn(&mut SystemBuilder, &Site<6>, [bool; 3], &ShellMaterial) -> ElementRef;

/// Adds bending to an edge and the corners opposite it, with a bending rigidity in N·m.
pub type AddToInnerEdge = fn(&mut SystemBuilder, &Site<4>, f64) -> ElementRef;

/// The deformation of a solid, tetrahedron by tetrahedron.
#[derive(Clone, Copy, Debug)]
pub struct Solid {
    /// The name by which a scene chooses it.
    pub name: &'static str,
    /// What it is, for someone who chooses.
    pub about: &'static str,
    /// Adds one.
    pub add: fn(&mut SystemBuilder, &Site<4>, &SolidMaterial) -> ElementRef,
    /// The stiffness that it sets against being pressed, in Pa.
    pub modulus: fn(&SolidMaterial) -> f64,
    /// What is wrong with a negative Poisson's ratio, and what to do, if something is.
    pub negative_poisson: Option<[&'static str; 2]>,
}

/// A potential between two points.
#[derive(Clone, Copy, Debug)]
pub struct PairLaw {
    /// The key by which a scene chooses it.
    pub name: &'static str,
    /// What it is, for someone who chooses.
    pub about: &'static str,
    /// Numbers of which exactly one is given; none where each stands alone.
    pub one_of: &'static [&'static str],
    /// Adds one between two points with these masses in kg, from its numbers by name.
    pub add: fn(&mut SystemBuilder, &PairSite, &dyn Fn(&str) -> Option<f64>) -> ElementRef,
}

/// The place of a potential between two points.
#[derive(Clone, Copy, Debug)]
pub struct PairSite {
    /// The points, in the system.
    pub stencil: [u32; 2],
    /// Their masses, in kg.
    pub masses: [f64; 2],
    /// What it belongs to.
    pub owner: Owner,
}

/// A kind that a scene chooses among others for the same place.
pub trait Choice: Copy + 'static {
    /// The name by which a scene chooses it.
    fn name(&self) -> &'static str;

    /// What it is, for someone who chooses.
    fn about(&self) -> &'static str;

    /// The choice that a kind is, if it is one of these.
    fn of(role: &'static Role) -> Option<&'static Self>;
}

macro_rules! choice {
    ($($slot:ident($choice:ident)),*) => {
        $(impl Choice for $choice {
            fn name(&self) -> &'static str {
                self.name
            }

            fn about(&self) -> &'static str {
                self.about
            }

            fn of(role: &'static Role) -> Option<&'static Self> {
                if let Role::$slot(choice) = role { Some(choice) } else { None }
            }
        })*
    };
}

choice!(Membrane(Membrane), Bending(Bending), Solid(Solid), Pair(PairLaw));

/// What a scene can choose for a place, with the kind that each choice is; in the order of kinds.
pub fn choices<C: Choice>() -> impl Iterator<Item = (&'static Descriptor, &'static C)> {
    KINDS.iter().filter_map(|kind| Some((*kind, C::of(&kind.role)?)))
}

/// The entry of `kind`, if there is one.
#[must_use]
pub fn find(kind: &str) -> Option<&'static Descriptor> {
    KINDS.iter().copied().find(|k| k.kind == kind)
}

#[cfg(test)]
mod tests;
