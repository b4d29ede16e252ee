use super::*;
use crate::{Closures, DrivenLoads, Spring};
use carom_math::{Real, Vec3};
use carom_model::{BuildError, ClockOptions, Element, Family, Part};
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
        let elements = text.matches("impl Element<").count() + text.matches("impl Potentials for").count();
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
