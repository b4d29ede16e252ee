//! From a material to the elements, masses and potentials of a body.

use carom_elastic::SolidMaterial;
use carom_elastic::registry::{AddBending, Bending, Site};
use carom_geometry::Mesh;
use carom_geometry::mesh::{area_normal, signed_volume};
use carom_model::{Owner, Part};

use super::Assembly;
use super::part::Makeup;
use crate::at::At;
use crate::format::{self, Body, Chosen, ClockPer, Material, Part as ScenePart, Shape};
use crate::report::Problem;

/// The mesh with the elements that the material needs, and no others; or what is wrong with it.
pub fn elements_of(mesh: Mesh, body: &At<Body>) -> Result<Mesh, Vec<Problem>> {
    let span = body.shape.span();
    let Some(given) = &body.material else {
        let mesh = outermost(mesh);
        // An obstacle needs no mass, so it may be nothing but points.
        let is_points = mesh.triangles.is_empty() && mesh.tets.is_empty() && mesh.edges.is_empty();
        return if is_points { Ok(mesh) } else { sound(mesh, body) };
    };
    let (kept, material, wants) = match &**given {
        Material::Shell(_) => (
            Mesh { tets: Vec::new(), edges: Vec::new(), ..mesh },
            "a shell",
            "triangles: a grid, a disc, a tube",
        ),
        Material::Rod(_) => {
            (Mesh { tets: Vec::new(), triangles: Vec::new(), ..mesh }, "a rod", "edges: a rod or a ring")
        }
        Material::Solid(_) => (
            Mesh { triangles: Vec::new(), edges: Vec::new(), ..mesh },
            "a solid",
            "tetrahedra: a box or a ball",
        ),
        Material::Points(_) | Material::Grains(_) => return Ok(mesh),
    };
    if kept.triangles.is_empty() && kept.tets.is_empty() && kept.edges.is_empty() {
        let message = format!("{material} cannot be made of this shape, which has no such elements");
        let problem = Problem::new(&given.span(), message).and(&span, "this shape");
        return Err(vec![problem.help(format!("{material} needs {wants}, or a mesh that has them"))]);
    }
    let kept = sound(kept, body)?;
    if let Some(bent) = super::shell::not_flat(&kept, given).filter(|_| !body.obstacle) {
        return Err(vec![bent.and(&span, "its rest shape")]);
    }
    if matches!(&**given, Material::Rod(rod) if rod.twist)
        && let Err(vertex) = super::rod_joint::chains(kept.positions.len(), &kept.edges)
    {
        let message =
            format!("the edges of a rod that twists must follow each other, and do not at vertex {vertex}");
        let problem = Problem::new(&span, message).and(&given.span(), "it twists");
        return Err(vec![
            problem.help("list the edges in one direction and without branches, or leave `twist` out"),
        ]);
    }
    Ok(kept)
}

/// The elements of an obstacle: those of the highest dimension.
fn outermost(mesh: Mesh) -> Mesh {
    if !mesh.tets.is_empty() {
        Mesh { triangles: Vec::new(), edges: Vec::new(), ..mesh }
    } else if !mesh.triangles.is_empty() {
        Mesh { edges: Vec::new(), ..mesh }
    } else {
        mesh
    }
}

/// The mesh, if its elements are sound.
fn sound(kept: Mesh, body: &At<Body>) -> Result<Mesh, Vec<Problem>> {
    let span = body.shape.span();
    let file = match &*body.shape {
        Shape::Mesh(mesh) => format!("{}: ", mesh.file),
        _ => String::new(),
    };
    let problem = |defect| Problem::new(&span, format!("{file}{defect}"));
    let problems: Vec<Problem> = carom_geometry::check(&kept).into_iter().map(problem).collect();
    if problems.is_empty() { Ok(kept) } else { Err(problems) }
}

/// The mass of each vertex, in kg: every element gives its corners equal parts. That of an obstacle counts nowhere.
pub fn masses(mesh: &Mesh, body: &Body, makeup: &Makeup, parts: &[At<ScenePart>]) -> Vec<f64> {
    let material = match body.material.as_deref() {
        Some(material) if !body.obstacle => material,
        _ => return vec![1.0; mesh.positions.len()],
    };
    let mut masses = vec![0.0; mesh.positions.len()];
    match material {
        Material::Shell(m) => {
            let made = makeup.materials(m, parts);
            share(&mut masses, &mesh.triangles, |i, t| {
                let m = made.of(i);
                m.density.get() * m.thickness.get() * area_normal(mesh.corners(t)).length()
            });
        }
        Material::Rod(m) => {
            let made = makeup.materials(m, parts);
            share(&mut masses, &mesh.edges, |i, e| {
                let (m, [a, b]) = (made.of(i), mesh.corners(e));
                m.density.get() * super::rod::section(m.radius.get()) * (b - a).length()
            });
        }
        Material::Solid(m) => {
            let made = makeup.materials(m, parts);
            share(&mut masses, &mesh.tets, |i, t| made.of(i).density.get() * signed_volume(mesh.corners(t)));
        }
        Material::Points(m) => masses.fill(m.mass.get()),
        Material::Grains(_) => unreachable!("the masses of grains come from their radii"),
    }
    masses
}

fn share<const N: usize>(masses: &mut [f64], elements: &[[u32; N]], mass: impl Fn(usize, &[u32; N]) -> f64) {
    for (i, element) in elements.iter().enumerate() {
        let part = mass(i, element) / N as f64;
        for v in element {
            masses[*v as usize] += part;
        }
    }
}

/// The numbers that potentials of a solid are made from.
fn solid(material: &format::SolidMaterial) -> SolidMaterial {
    SolidMaterial { young: material.young.get(), poisson: material.poisson.get() }
}

impl Assembly<'_> {
    /// The stiffness that a body sets against being pressed, in Pa: that of its stiffest part. Obstacles, points and grains have none.
    pub(super) fn modulus(&self, number: usize) -> Option<f64> {
        let body = &self.scene.file.bodies[number];
        let (makeup, parts) = (&self.bodies[number].makeup, &self.scene.file.parts);
        let material = body.material.as_deref().filter(|_| !body.obstacle)?;
        let moduli: Vec<f64> = match material {
            Material::Shell(m) => {
                let membrane = m.membrane.get()?;
                makeup
                    .materials(m, parts)
                    .kinds()
                    .map(|m| (membrane.modulus)(&super::shell::sheet(m)))
                    .collect()
            }
            Material::Solid(m) => {
                let law = m.law.get()?;
                makeup.materials(m, parts).kinds().map(|m| (law.modulus)(&solid(m))).collect()
            }
            Material::Rod(m) => makeup.materials(m, parts).kinds().map(|m| m.young.get()).collect(),
            Material::Points(_) | Material::Grains(_) => Vec::new(),
        };
        moduli.into_iter().reduce(f64::max)
    }

    /// Adds the potentials of the body added last.
    pub(super) fn add_material(&mut self, body: &Body) {
        let Some(material) = body.material.as_ref().filter(|_| !body.obstacle) else {
            return;
        };
        match &**material {
            Material::Shell(material) => self.add_shell(body, material),
            Material::Rod(material) => self.add_rod(body, material),
            Material::Solid(material) => self.add_solid(body, material),
            Material::Points(_) | Material::Grains(_) => {}
        }
        self.warn_of_lone_clocks(material);
    }

    /// Hinges and joints lie between elements: no triangle or edge owns them, so none shares its clock with them.
    fn warn_of_lone_clocks(&mut self, material: &At<Material>) {
        if self.scene.file.clocks.per != ClockPer::Element {
            return;
        }
        let is_between = |bending: &Bending| matches!(bending.add, AddBending::ToInnerEdges(_));
        let (what, remedy) = match &**material {
            Material::Shell(m) if m.bending.get().is_some_and(is_between) => {
                let other = Chosen::<Bending>::default();
                let remedy = format!("take bending = \"{}\"", other.name());
                ("the hinges of a shell lie between triangles", remedy)
            }
            Material::Rod(m) if m.bend => {
                ("the joints of a rod lie between edges", "give the body one `step`".to_owned())
            }
            _ => return,
        };
        let message = format!("{what} and keep clocks of their own, whatever clocks.per says");
        self.warn(Problem::new(&material.span(), message).help(format!("{remedy} if they should share")));
    }

    fn add_solid(&mut self, body: &Body, material: &format::SolidMaterial) {
        let number = self.bodies.len() - 1;
        let step_s = body.step.as_ref().map(crate::Positive::get);
        let made = self.bodies[number].makeup.materials(material, &self.scene.file.parts);
        let law = material.law.get().expect("a solid has a law");
        for own in made.kinds().filter(|m| m.poisson.get() < 0.0) {
            if let Some([message, help]) = law.negative_poisson {
                self.warn(Problem::new(&own.poisson.span(), message).help(help));
            }
        }
        for (cell, tet) in (0..).zip(self.bodies[number].mesh.tets.clone()) {
            let rest = self.bodies[number].mesh.corners(&tet);
            let stencil = tet.map(|v| v + self.bodies[number].first);
            let material = made.of(cell as usize);
            let owner = Owner { body: number as u32, part: Part::Cell(cell) };
            let site = Site { stencil, rest, owner, extent: signed_volume(rest) };
            let added = (law.add)(&mut self.builder, &site, &solid(material));
            self.give_step(added, step_s);
            self.damp(added, material.damping.as_ref().map(crate::Positive::get));
        }
    }
}
