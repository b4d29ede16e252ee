//! The kinds of potential there are: one entry each, for messages, `carom inspect` and the book.

/// A kind of potential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name, as in scenes and files.
    pub kind: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// What it is made from, with units.
    pub parameters: &'static str,
}

/// All kinds, in the order in which their impulses are summed: by name.
pub const KINDS: &[Kind] = &[
    Kind {
        kind: "bending-hinge",
        about: "Bending of a shell at an edge between two triangles (Discrete Shells).",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio, thickness in m",
    },
    Kind {
        kind: "bending-midedge",
        about: "Bending of a shell in a triangle, by the normals at the middles of its edges.",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio, thickness in m",
    },
    Kind {
        kind: "bending-quadratic",
        about: "Bending of a sheet that is flat at rest, at an edge between two triangles, quadratic in the positions.",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio, thickness in m",
    },
    Kind {
        kind: "closure",
        about: "A user's potential on any stencil, unchanged by rigid motion.",
        parameters: "energy in J, gradient in N, step in s",
    },
    Kind {
        kind: "closure-field",
        about: "A user's potential on any stencil that pushes from outside.",
        parameters: "energy in J, gradient in N, step in s",
    },
    Kind {
        kind: "drag",
        about: "Drag of a medium at rest, in proportion to mass; it stores no energy.",
        parameters: "mass in kg, rate in 1/s",
    },
    Kind {
        kind: "drag-spin",
        about: "Drag of a medium at rest on the spin of a grain; it stores no energy.",
        parameters: "moment of inertia in kg·m², rate in 1/s",
    },
    Kind {
        kind: "drag-twist",
        about: "Drag of a medium at rest on the angle of a rod's edge; it stores no energy.",
        parameters: "moment of inertia in kg·m², rate in 1/s",
    },
    Kind {
        kind: "driven",
        about: "A force that changes with time, a pressure, or a force along the normal of a surface.",
        parameters: "force in N or pressure in Pa, factor over time in s",
    },
    Kind {
        kind: "gravity",
        about: "The weight of a vertex in a uniform field.",
        parameters: "mass in kg, acceleration in m/s²",
    },
    Kind {
        kind: "load",
        about: "A constant force on a vertex, which keeps its direction.",
        parameters: "force in N",
    },
    Kind {
        kind: "membrane-neo-hookean",
        about: "Stretch and shear of a shell in a triangle that cannot be collapsed.",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio, thickness in m",
    },
    Kind {
        kind: "membrane-stvk",
        about: "Stretch and shear of a shell in a triangle (St. Venant–Kirchhoff).",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio, thickness in m",
    },
    Kind {
        kind: "pair-inverse-distance",
        about: "Two points with an energy of one over their distance: charges, masses.",
        parameters: "strength in J·m, closest approach in m",
    },
    Kind {
        kind: "pair-lennard-jones",
        about: "Two points that attract from afar and repel when near.",
        parameters: "depth of the well in J, diameter in m",
    },
    Kind {
        kind: "rod-bend",
        about: "Bending of a rod at a joint of two edges, the same in all directions.",
        parameters: "rest shape in m, bending stiffness in N·m²",
    },
    Kind {
        kind: "rod-joint",
        about: "Bending and twist of a rod at a joint of two edges, with material frames.",
        parameters: "bending and twisting stiffness in N·m², natural curvature without unit",
    },
    Kind {
        kind: "spring",
        about: "A linear spring between two points; also the stretch of a rod's edge.",
        parameters: "stiffness in N/m, rest length in m",
    },
    Kind {
        kind: "tet-neo-hookean",
        about: "A tetrahedron of a solid that cannot be inverted.",
        parameters: "rest shape in m; Young's modulus in Pa, Poisson's ratio",
    },
    Kind {
        kind: "tet-stvk",
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
    use std::collections::BTreeSet;

    /// What the source files call their kinds.
    fn kinds_in_source() -> BTreeSet<String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        let files = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path());
        let mut kinds = BTreeSet::new();
        for file in files.filter(|f| !f.ends_with("check.rs") && !f.ends_with("registry.rs")) {
            let text = std::fs::read_to_string(&file).unwrap();
            let found: Vec<&str> = ["const KIND: &'static str = \"", "Self { kind: \""]
                .iter()
                .flat_map(|mark| text.split(mark).skip(1))
                .map(|rest| rest.split('"').next().unwrap())
                .collect();
            let elements = text.matches("impl Element<").count() + text.matches("impl Family for").count();
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
    fn entries_are_sorted_by_name_and_unique() {
        assert!(KINDS.windows(2).all(|pair| pair[0].kind < pair[1].kind));
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
