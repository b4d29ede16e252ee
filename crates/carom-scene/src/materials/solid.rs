//! A solid of tetrahedra.

use carom_elastic::registry::{Site, Solid};
use carom_geometry::Mesh;
use carom_geometry::mesh::signed_volume;
use carom_model::Owner;
use serde::{Deserialize, Serialize};

use super::{Elements, MaterialKind, RestBody};
use crate::build::{Assembly, Varies};
use crate::built::BodyMaterial;
use crate::format::{Body, Chosen, Part};
use crate::number::{Poisson, Positive};
use crate::report::Problem;

/// A solid of tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SolidMaterial {
    /// Young's modulus, in Pa.
    pub young: Positive,
    /// Poisson's ratio.
    pub poisson: Poisson,
    /// Density, in kg/m³.
    pub density: Positive,
    /// The energy of deformation.
    #[serde(default)]
    pub law: Chosen<Solid>,
    /// How long a strain would take to relax if nothing else acted, in s: stiffness times this is the viscosity. Without it
    /// nothing is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Positive>,
}

impl Varies for SolidMaterial {
    fn with(self, part: &Part) -> Self {
        with_numbers_of!(part, self, young, poisson, density)
    }
}

impl SolidMaterial {
    /// The numbers that potentials are made from.
    fn numbers(&self) -> carom_elastic::SolidMaterial {
        carom_elastic::SolidMaterial { young: self.young.get(), poisson: self.poisson.get() }
    }

    fn law(&self) -> &'static Solid {
        self.law.get().expect("a solid has a law")
    }
}

impl MaterialKind for SolidMaterial {
    fn elements(&self) -> Option<Elements> {
        Some(Elements {
            body: "a solid",
            needs: "tetrahedra: a box or a ball",
            keep: |mesh| Mesh { triangles: Vec::new(), edges: Vec::new(), ..mesh },
            body_of_parts: "a solid",
            part_keys: &["young", "poisson", "density", "damping"],
        })
    }

    fn masses(&self, of: &RestBody<'_>) -> Vec<f64> {
        let made = of.materials(self);
        of.shared(&of.mesh.tets, |i, t| made.of(i).density.get() * signed_volume(of.mesh.corners(t)))
    }

    fn add(&self, assembly: &mut Assembly<'_>, body: &Body) {
        let number = assembly.bodies.len() - 1;
        let step_s = body.step.as_ref().map(Positive::get);
        let made = assembly.bodies[number].makeup.materials(self, &assembly.scene.file.parts);
        let law = self.law();
        for own in made.kinds().filter(|m| m.poisson.get() < 0.0) {
            if let Some([message, help]) = law.negative_poisson {
                assembly.warn(Problem::new(&own.poisson.span(), message).help(help));
            }
        }
        for (cell, tet) in (0..).zip(assembly.bodies[number].mesh.tets.clone()) {
            let rest = assembly.bodies[number].mesh.corners(&tet);
            let stencil = tet.map(|v| v + assembly.bodies[number].first);
            let material = made.of(cell as usize);
            let owner = Owner { body: number as u32, part: carom_model::Part::Cell(cell) };
            let site = Site { stencil, rest, owner, extent: signed_volume(rest) };
            let added = (law.add)(&mut assembly.builder, &site, &material.numbers());
            assembly.give_step(added, step_s);
            assembly.damp(added, material.damping().map(Positive::get));
        }
    }

    fn in_bulk(&self, of: &RestBody<'_>) -> BodyMaterial {
        BodyMaterial::stiffest(of.materials(self).kinds().map(|own| BodyMaterial {
            modulus_pa: Some((own.law().modulus)(&own.numbers())),
            density_kg_m3: Some(own.density.get()),
            thickness_or_radius_m: None,
        }))
    }

    fn damping(&self) -> Option<&Positive> {
        self.damping.as_ref()
    }
}
