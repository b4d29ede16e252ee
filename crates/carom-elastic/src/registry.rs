//! The kinds of potential there are. A [`Descriptor`] says all that others need to know of a kind: scenes are read by it, systems are
//! built by it, and messages, `carom inspect` and the book quote it.
//!
//! Each stands in the file of its kind; the list of them, [`KINDS`], in `lib.rs`.
//!
//! **Never here:** the name of a single kind.

use carom_math::Vec3;
use carom_model::{Element, ElementRef, Owner, Parameter, SystemBuilder};

pub use crate::KINDS;
use crate::{ShellMaterial, SolidMaterial};

/// A kind of potential.
#[derive(Clone, Copy, Debug)]
pub struct Descriptor {
    /// The name, in files and messages.
    pub kind: &'static str,
    /// The name under which its energy is drawn, together with that of all kinds of the group.
    pub group: &'static str,
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

impl<const N: usize> Site<N> {
    /// Adds an element there.
    pub fn add<E: Element<N, P>, const P: usize>(
        &self,
        builder: &mut SystemBuilder,
        element: E,
    ) -> ElementRef {
        builder.add(element, self.stencil, self.owner, self.extent)
    }
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
    pub add: fn(&mut SystemBuilder, &PairSite, NumberByName<'_>) -> ElementRef,
}

/// The number of this name, if it is given.
pub type NumberByName<'a> = &'a dyn Fn(&str) -> Option<f64>;

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

/// The group with which the energy of `kind` is drawn: its own name if it is not registered, as contact is not.
#[must_use]
pub fn group_of(kind: &str) -> &str {
    find(kind).map_or(kind, |found| found.group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Closures, DrivenLoads, Spring};
    use carom_math::{Real, Vec3};
    use carom_model::{BuildError, ClockOptions, Family, Part};
    use std::collections::BTreeSet;

    /// What the source files call their kinds.
    fn kinds_in_source() -> BTreeSet<String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        let files = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path());
        let mut kinds = BTreeSet::new();
        let sources = files.filter(|f| f.extension().is_some_and(|ending| ending == "rs"));
        for file in sources.filter(|f| !f.ends_with("check.rs") && !f.ends_with("registry.rs")) {
            let text = std::fs::read_to_string(&file).unwrap();
            let found: Vec<&str> = ["const KIND: &'static str = \"", "        kind: \""]
                .iter()
                .flat_map(|mark| text.split(mark).skip(1))
                .map(|rest| rest.split('"').next().unwrap())
                .collect();
            let elements =
                text.matches("impl Element<").count() + text.matches("impl Potentials for").count();
            assert!(elements == 0 || !found.is_empty(), "{} has an element without a kind", file.display());
            kinds.extend(found.into_iter().map(String::from));
        }
        kinds
    }

    #[test]
    fn every_kind_of_the_source_has_its_entry_and_no_entry_is_idle() {
        let registered: BTreeSet<String> = KINDS.iter().map(|k| k.kind.into()).collect();
        assert_eq!(registered, kinds_in_source());
    }

    #[test]
    fn every_kind_has_an_order_number_of_its_own_and_entries_are_in_that_order() {
        assert!(KINDS.windows(2).all(|pair| pair[0].order < pair[1].order));
    }

    #[test]
    fn families_say_the_order_that_is_registered() {
        let families: [&dyn Family; 3] = [&Closures::internal(), &Closures::field(), &DrivenLoads::default()];
        for family in families {
            assert_eq!(
                find(family.kind()).map(|kind| kind.order),
                Some(family.properties().order),
                "{}",
                family.kind()
            );
        }
    }

    /// A kind of a user, with the number of springs.
    #[derive(Clone, Copy)]
    struct Usurper;

    impl Element<1, 0> for Usurper {
        const KIND: &'static str = "usurper";
        const ORDER: u32 = Spring::ORDER;

        fn params(&self) -> [f64; 0] {
            []
        }

        fn energy<S: Real>(_: &[S; 0], _: &[Vec3<S>; 1]) -> S {
            S::constant(0.0)
        }

        fn gradient<S: Real>(_: &[S; 0], _: &[Vec3<S>; 1]) -> [Vec3<S>; 1] {
            [Vec3::constant(Vec3::ZERO)]
        }
    }

    #[test]
    fn two_kinds_with_one_order_number_are_no_system() {
        let mut builder = SystemBuilder::new();
        let [a, b] = [Vec3::ZERO, Vec3::X].map(|x| builder.vertex(x, Vec3::ZERO, 1.0));
        let owner = Owner { body: 0, part: Part::Vertex(0) };
        builder.add(Spring { stiffness: 1.0, rest_length: 1.0 }, [a, b], owner, 1.0);
        builder.add(Usurper, [a], owner, 1.0);
        let refused = builder.build(&ClockOptions::default()).err();
        let same = BuildError::SameOrder { first: "spring", second: "usurper", order: Spring::ORDER };
        assert_eq!(refused, Some(same));
    }

    #[test]
    fn numbers_once_given_stay_since_they_decide_bits() {
        const GIVEN: [(&str, u32); 20] = [
            ("bending-hinge", 10),
            ("bending-midedge", 20),
            ("bending-quadratic", 30),
            ("closure", 40),
            ("closure-field", 50),
            ("drag", 60),
            ("drag-spin", 70),
            ("drag-twist", 80),
            ("driven", 90),
            ("gravity", 100),
            ("load", 110),
            ("membrane-neo-hookean", 120),
            ("membrane-stvk", 130),
            ("pair-inverse-distance", 140),
            ("pair-lennard-jones", 150),
            ("rod-bend", 160),
            ("rod-joint", 170),
            ("spring", 180),
            ("tet-neo-hookean", 190),
            ("tet-stvk", 200),
        ];
        for (kind, order) in GIVEN {
            assert_eq!(find(kind).map(|found| found.order), Some(order), "{kind}");
        }
    }

    #[test]
    fn the_table_of_the_contract_has_every_kind_with_its_order_number() {
        let page = include_str!("../../../docs/theory/contract.md");
        let table = page.split_once("| kind | order | kind | order |").expect("there is a table of kinds").1;
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let cells: Vec<&str> = rows.flat_map(|row| row.trim_matches('|').split('|')).map(str::trim).collect();
        let mut found: Vec<(&str, u32)> = cells
            .chunks(2)
            .filter(|cells| !cells[0].is_empty())
            .map(|cells| (cells[0].trim_matches('`'), cells[1].parse().expect("a number")))
            .collect();
        found.sort_by_key(|(_, order)| *order);
        assert_eq!(found, KINDS.iter().map(|kind| (kind.kind, kind.order)).collect::<Vec<_>>());
    }

    #[test]
    fn an_entry_is_one_sentence_and_its_numbers_name_their_units() {
        for kind in KINDS {
            assert!(kind.about.ends_with('.'), "{}", kind.kind);
            for Parameter { name, unit, about, .. } in kind.parameters {
                let names_unit = unit.is_empty() || about.contains(&format!(" in {unit}"));
                assert!(about.ends_with('.') && names_unit, "{name} of {}", kind.kind);
            }
            assert_eq!(find(kind.kind).map(|found| found.order), Some(kind.order));
        }
        assert!(find("perpetual-motion").is_none());
    }

    #[test]
    fn every_entry_has_a_page_in_the_book() {
        for kind in KINDS {
            let page = format!("{}/../../docs/elements/{}.md", env!("CARGO_MANIFEST_DIR"), kind.page);
            assert!(std::path::Path::new(&page).is_file(), "{}: {page}", kind.kind);
        }
    }

    #[test]
    fn choices_for_the_same_place_have_names_of_their_own() {
        fn names<C: Choice>() -> Vec<&'static str> {
            choices::<C>().map(|(_, choice)| choice.name()).collect()
        }
        assert!(names::<Membrane>().starts_with(&["neo-hookean", "stvk"]));
        for names in [names::<Membrane>(), names::<Bending>(), names::<Solid>(), names::<PairLaw>()] {
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
        }
    }
}
