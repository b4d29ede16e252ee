//! The kinds of potential there are: one entry each, for messages, `carom inspect` and the documentation.

use carom_model::Element;

use crate::order;
use crate::{
    BendingHinge, BendingMidedge, BendingQuadratic, Drag, Gravity, InverseDistance, LennardJones, Load,
    MembraneNeoHookean, MembraneStvk, RodBend, RodJoint, SpinDrag, Spring, TetNeoHookean, TetStvk, TwistDrag,
};

/// A kind of potential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name, as in scenes and files.
    pub kind: &'static str,
    /// Where it comes in the sums of an instant: smaller numbers first.
    pub order: u32,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// What it is made from, with units.
    pub parameters: &'static str,
}

/// All kinds, in the order in which their impulses are summed.
pub const KINDS: &[Kind] = &[
    Kind {
        kind: "bending-hinge",
        order: BendingHinge::ORDER,
        about: "Bending of a shell at an edge between two triangles (Discrete Shells).",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio, thickness in m",
    },
    Kind {
        kind: "bending-midedge",
        order: BendingMidedge::ORDER,
        about: "Bending of a shell in a triangle, by the normals at the middles of its edges.",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio, thickness in m",
    },
    Kind {
        kind: "bending-quadratic",
        order: BendingQuadratic::ORDER,
        about: "Bending of a sheet that is flat at rest, at an edge between two triangles, quadratic in the positions.",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio, thickness in m",
    },
    Kind {
        kind: "closure",
        order: order::CLOSURE,
        about: "A user's potential on any stencil, unchanged by rigid motion.",
        parameters: "energy in J, gradient in N, step in s",
    },
    Kind {
        kind: "closure-field",
        order: order::CLOSURE_FIELD,
        about: "A user's potential on any stencil that pushes from outside.",
        parameters: "energy in J, gradient in N, step in s",
    },
    Kind {
        kind: "drag",
        order: Drag::ORDER,
        about: "Drag of a medium at rest, in proportion to mass; it stores no energy.",
        parameters: "mass in kg, rate in 1/s",
    },
    Kind {
        kind: "drag-spin",
        order: SpinDrag::ORDER,
        about: "Drag of a medium at rest on the spin of a grain; it stores no energy.",
        parameters: "moment of inertia in kg·m², rate in 1/s",
    },
    Kind {
        kind: "drag-twist",
        order: TwistDrag::ORDER,
        about: "Drag of a medium at rest on the angle of a rod's edge; it stores no energy.",
        parameters: "moment of inertia in kg·m², rate in 1/s",
    },
    Kind {
        kind: "driven",
        order: order::DRIVEN,
        about: "A force that changes with time, a pressure, or a force along the normal of a surface.",
        parameters: "force in N or pressure in Pa, factor over time in s",
    },
    Kind {
        kind: "gravity",
        order: Gravity::ORDER,
        about: "The weight of a vertex in a uniform field.",
        parameters: "mass in kg, acceleration in m/s²",
    },
    Kind {
        kind: "load",
        order: Load::ORDER,
        about: "A constant force on a vertex, which keeps its direction.",
        parameters: "force in N",
    },
    Kind {
        kind: "membrane-neo-hookean",
        order: MembraneNeoHookean::ORDER,
        about: "Stretch and shear of a shell in a triangle that cannot be collapsed.",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio, thickness in m",
    },
    Kind {
        kind: "membrane-stvk",
        order: MembraneStvk::ORDER,
        about: "Stretch and shear of a shell in a triangle (St. Venant–Kirchhoff).",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio, thickness in m",
    },
    Kind {
        kind: "pair-inverse-distance",
        order: InverseDistance::ORDER,
        about: "Two points with an energy of one over their distance: charges, masses.",
        parameters: "strength in J·m, closest approach in m",
    },
    Kind {
        kind: "pair-lennard-jones",
        order: LennardJones::ORDER,
        about: "Two points that attract from afar and repel when near.",
        parameters: "depth of the well in J, diameter in m",
    },
    Kind {
        kind: "rod-bend",
        order: RodBend::ORDER,
        about: "Bending of a rod at a joint of two edges, the same in all directions.",
        parameters: "rest shape in m, bending stiffness in N·m²",
    },
    Kind {
        kind: "rod-joint",
        order: RodJoint::ORDER,
        about: "Bending and twist of a rod at a joint of two edges, with material frames.",
        parameters: "bending and twisting stiffness in N·m², natural curvature without unit",
    },
    Kind {
        kind: "spring",
        order: Spring::ORDER,
        about: "A linear spring between two points; also the stretch of a rod's edge.",
        parameters: "stiffness in N/m, rest length in m",
    },
    Kind {
        kind: "tet-neo-hookean",
        order: TetNeoHookean::ORDER,
        about: "A tetrahedron of a solid that cannot be inverted.",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio",
    },
    Kind {
        kind: "tet-stvk",
        order: TetStvk::ORDER,
        about: "A tetrahedron of a solid (St. Venant–Kirchhoff).",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio",
    },
];

/// The entry of `kind`, if there is one.
#[must_use]
pub fn find(kind: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|k| k.kind == kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Closures, DrivenLoads};
    use carom_math::{Real, Vec3};
    use carom_model::{BuildError, ClockOptions, Family, Owner, Part, SystemBuilder};
    use std::collections::BTreeSet;

    /// What the source files call their kinds.
    fn kinds_in_source() -> BTreeSet<String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        let files = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path());
        let mut kinds = BTreeSet::new();
        for file in files.filter(|f| !f.ends_with("check.rs") && !f.ends_with("registry.rs")) {
            let text = std::fs::read_to_string(&file).unwrap();
            let found: Vec<&str> = ["const KIND: &'static str = \"", "FamilyProperties::internal(\""]
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
    fn an_entry_is_one_sentence_and_names_its_units() {
        for kind in KINDS {
            assert!(kind.about.ends_with('.') && kind.parameters.contains(" in "), "{}", kind.kind);
            assert_eq!(find(kind.kind), Some(kind));
        }
        assert_eq!(find("perpetual-motion"), None);
    }
}
