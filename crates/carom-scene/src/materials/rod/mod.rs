//! A thin elastic rod, or a string.

mod elements;
mod joint;

use carom_geometry::Mesh;
use serde::{Deserialize, Serialize};

use super::{Elements, MaterialKind, RestBody};
use crate::at::{At, Span};
use crate::build::{Assembly, Varies};
use crate::built::BodyMaterial;
use crate::format::{Body, Part};
use crate::number::{Number, Poisson, Positive};
use crate::report::Problem;

/// A thin elastic rod of circular section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RodMaterial {
    /// Radius of the section, in m.
    pub radius: Positive,
    /// Young's modulus, in Pa.
    pub young: Positive,
    /// Density, in kg/m³.
    pub density: Positive,
    /// Whether the rod resists bending; a string does not.
    #[serde(default = "yes")]
    pub bend: bool,
    /// How long a strain would take to relax if nothing else acted, in s: stiffness times this is the viscosity. Without it
    /// nothing is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damping: Option<Positive>,
    /// Whether it resists twist too: its edges then have angles, and its natural curvature has a direction.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub twist: bool,
    /// Poisson's ratio, for the shear modulus of a rod that twists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub poisson: Option<Poisson>,
    /// Curvature without load, in 1/m, instead of that of the rest shape; 0 is straight. It is about the direction about which the
    /// shape bends; where that is straight about z across the rod, or y if the rod runs along z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub natural_curvature: Option<Number>,
}

fn yes() -> bool {
    true
}

impl Varies for RodMaterial {
    fn with(self, part: &Part) -> Self {
        let poisson = part.poisson.clone().or(self.poisson.clone());
        Self { poisson, ..with_numbers_of!(part, self, radius, young, density) }
    }
}

impl RodMaterial {
    /// The area of the section, in m².
    fn section_m2(&self) -> f64 {
        core::f64::consts::PI * self.radius.get() * self.radius.get()
    }
}

impl MaterialKind for RodMaterial {
    /// Twist is for rods that bend, and they need a shear modulus.
    fn check(&self, span: &Span, _body: &Body, _parts: &[At<Part>], problems: &mut Vec<Problem>) {
        if self.twist && !self.bend {
            let problem = Problem::new(span, "a string that does not bend cannot twist");
            problems.push(problem.help("leave `bend = false` out, or `twist = true`"));
        }
        if self.twist && self.poisson.is_none() {
            let problem = Problem::new(span, "a rod that twists needs `poisson`, for its shear modulus");
            problems.push(problem.help("add poisson = 0.3"));
        }
        if let (false, Some(curvature)) = (self.twist, &self.natural_curvature)
            && curvature.get() < 0.0
        {
            let problem =
                Problem::new(&curvature.span(), "without twist, natural curvature has no direction");
            problems.push(problem.help("give its size, or add twist = true"));
        }
        if let (false, Some(poisson)) = (self.twist, &self.poisson) {
            let problem = Problem::new(&poisson.span(), "`poisson` counts only in a rod that twists");
            problems.push(problem.help("add twist = true, or leave it out"));
        }
    }

    fn elements(&self) -> Option<Elements> {
        let (body_of_parts, part_keys): (_, &[_]) = if self.twist {
            ("a rod", &["radius", "young", "poisson", "density", "damping"])
        } else {
            ("a rod that does not twist", &["radius", "young", "density", "damping"])
        };
        Some(Elements {
            body: "a rod",
            needs: "edges: a rod or a ring",
            keep: |mesh| Mesh { tets: Vec::new(), triangles: Vec::new(), ..mesh },
            body_of_parts,
            part_keys,
        })
    }

    fn check_mesh(&self, mesh: &Mesh, span: &Span, body: &Body) -> Option<Problem> {
        if !self.twist {
            return None;
        }
        let vertex = joint::chains(mesh.positions.len(), &mesh.edges).err()?;
        let message =
            format!("the edges of a rod that twists must follow each other, and do not at vertex {vertex}");
        let problem = Problem::new(&body.shape.span(), message).and(span, "it twists");
        Some(problem.help("list the edges in one direction and without branches, or leave `twist` out"))
    }

    fn masses(&self, of: &RestBody<'_>) -> Vec<f64> {
        let made = of.materials(self);
        of.shared(&of.mesh.edges, |i, e| {
            let (m, [a, b]) = (made.of(i), of.mesh.corners(e));
            m.density.get() * m.section_m2() * (b - a).length()
        })
    }

    fn add(&self, assembly: &mut Assembly<'_>, body: &Body) {
        assembly.add_rod(body, self);
    }

    fn in_bulk(&self, of: &RestBody<'_>) -> BodyMaterial {
        BodyMaterial::stiffest(of.materials(self).kinds().map(|own| BodyMaterial {
            modulus_pa: Some(own.young.get()),
            density_kg_m3: Some(own.density.get()),
            thickness_or_radius_m: Some(own.radius.get()),
        }))
    }

    fn between_elements(&self) -> Option<[String; 2]> {
        let words = ["the joints of a rod lie between edges", "give the body one `step`"];
        self.bend.then(|| words.map(str::to_owned))
    }

    fn radius_m(&self) -> Option<f64> {
        Some(self.radius.get())
    }

    fn damping(&self) -> Option<&Positive> {
        self.damping.as_ref()
    }

    fn twists(&self) -> bool {
        self.twist
    }
}
