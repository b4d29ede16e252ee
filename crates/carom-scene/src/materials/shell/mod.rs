//! A thin sheet.

mod elements;
mod flat;

use carom_elastic::registry::{AddBending, Bending, Membrane, choices};
use carom_geometry::Mesh;
use carom_geometry::mesh::area_normal;
use serde::{Deserialize, Serialize};

use super::{Elements, MaterialKind, RestBody};
use crate::at::{At, Span};
use crate::build::{Assembly, Varies};
use crate::built::BodyMaterial;
use crate::format::{Body, Chosen, Part};
use crate::number::{Poisson, Positive};
use crate::report::Problem;

/// A thin sheet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ShellMaterial {
    /// Thickness, in m.
    pub thickness: Positive,
    /// Young's modulus, in Pa.
    pub young: Positive,
    /// Poisson's ratio.
    pub poisson: Poisson,
    /// Density, in kg/m³.
    pub density: Positive,
    /// The energy of stretching.
    #[serde(default)]
    pub membrane: Chosen<Membrane>,
    /// The energy of bending.
    #[serde(default)]
    pub bending: Chosen<Bending>,
    /// How long a strain would take to relax if nothing else acted, in s: stiffness times this is the viscosity. Without it
    /// nothing is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Positive>,
}

impl Varies for ShellMaterial {
    fn with(self, part: &Part) -> Self {
        with_numbers_of!(part, self, thickness, young, poisson, density)
    }
}

impl ShellMaterial {
    /// The numbers that potentials are made from.
    fn numbers(&self) -> carom_elastic::ShellMaterial {
        carom_elastic::ShellMaterial {
            young: self.young.get(),
            poisson: self.poisson.get(),
            thickness: self.thickness.get(),
        }
    }

    fn membrane(&self) -> &'static Membrane {
        self.membrane.get().expect("a shell has a membrane")
    }
}

impl MaterialKind for ShellMaterial {
    /// Not all bending can be damped: what it would be damped by may resist rotation.
    fn check(&self, span: &Span, body: &Body, parts: &[At<Part>], problems: &mut Vec<Problem>) {
        if body.obstacle || self.bending.kind().is_none_or(|kind| kind.damps) {
            return;
        }
        let other = choices::<Bending>().find(|(kind, _)| kind.damps).map_or("none", |(_, other)| other.name);
        let of_parts = parts.iter().filter(|part| *part.body == *body.name).map(|part| &part.damping);
        for damping in of_parts.chain([&self.damping]).flatten() {
            let message =
                format!("\"{}\" has {} bending, which cannot be damped", body.name, self.bending.name());
            let problem = Problem::new(&damping.span(), message).and(span, "its material");
            problems.push(problem.help(format!("take bending = \"{other}\", or leave `damping` out")));
        }
    }

    fn elements(&self) -> Option<Elements> {
        Some(Elements {
            body: "a shell",
            needs: "triangles: a grid, a disc, a tube",
            keep: |mesh| Mesh { tets: Vec::new(), edges: Vec::new(), ..mesh },
            body_of_parts: "a shell",
            part_keys: &["thickness", "young", "poisson", "density", "damping"],
        })
    }

    fn check_mesh(&self, mesh: &Mesh, span: &Span, body: &Body) -> Option<Problem> {
        let bent = flat::problem(self, mesh, span).filter(|_| !body.obstacle)?;
        Some(bent.and(&body.shape.span(), "its rest shape"))
    }

    fn masses(&self, of: &RestBody<'_>) -> Vec<f64> {
        let made = of.materials(self);
        of.shared(&of.mesh.triangles, |i, t| {
            let m = made.of(i);
            m.density.get() * m.thickness.get() * area_normal(of.mesh.corners(t)).length()
        })
    }

    fn add(&self, assembly: &mut Assembly<'_>, body: &Body) {
        assembly.add_shell(body, self);
    }

    fn in_bulk(&self, of: &RestBody<'_>) -> BodyMaterial {
        BodyMaterial::stiffest(of.materials(self).kinds().map(|own| BodyMaterial {
            modulus_pa: Some((own.membrane().modulus)(&own.numbers())),
            density_kg_m3: Some(own.density.get()),
            thickness_or_radius_m: Some(own.thickness.get()),
        }))
    }

    fn between_elements(&self) -> Option<[String; 2]> {
        let is_between = |bending: &&Bending| matches!(bending.add, AddBending::ToInnerEdges(_));
        self.bending.get().filter(is_between)?;
        let other = Chosen::<Bending>::default();
        let remedy = format!("take bending = \"{}\"", other.name());
        Some(["the hinges of a shell lie between triangles".to_owned(), remedy])
    }

    fn damping(&self) -> Option<&Positive> {
        self.damping.as_ref()
    }
}
