//! From a material to the elements, masses and potentials of a body.

use carom_geometry::Mesh;

use super::Assembly;
use crate::at::At;
use crate::built::BodyMaterial;
use crate::format::{Body, ClockPer, Material};
use crate::materials::RestBody;
use crate::report::Problem;

/// The mesh with the elements that the material needs, and no others; or what is wrong with it.
pub fn elements_of(mesh: Mesh, body: &At<Body>) -> Result<Mesh, Vec<Problem>> {
    let span = body.shape.span();
    let Some(material) = &body.material else {
        let mesh = outermost(mesh);
        // An obstacle needs no mass, so it may be nothing but points.
        let is_points = mesh.triangles.is_empty() && mesh.tets.is_empty() && mesh.edges.is_empty();
        return if is_points { Ok(mesh) } else { sound(mesh, body) };
    };
    let Some(elements) = material.kind().elements() else { return Ok(mesh) };
    let kept = (elements.keep)(mesh);
    if kept.triangles.is_empty() && kept.tets.is_empty() && kept.edges.is_empty() {
        let message = format!("{} cannot be made of this shape, which has no such elements", elements.body);
        let problem = Problem::new(&material.span(), message).and(&span, "this shape");
        let help = format!("{} needs {}, or a mesh that has them", elements.body, elements.needs);
        return Err(vec![problem.help(help)]);
    }
    let kept = sound(kept, body)?;
    match material.kind().check_mesh(&kept, &material.span(), body) {
        Some(problem) => Err(vec![problem]),
        None => Ok(kept),
    }
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
    let file = body.shape.kind().mesh_file().map_or(String::new(), |file| format!("{file}: "));
    let problem = |defect| Problem::new(&span, format!("{file}{defect}"));
    let problems: Vec<Problem> = carom_geometry::check(&kept).into_iter().map(problem).collect();
    if problems.is_empty() { Ok(kept) } else { Err(problems) }
}

/// The material of a body that moves. That of an obstacle counts nowhere.
fn of_moving(body: &Body) -> Option<&At<Material>> {
    body.material.as_ref().filter(|_| !body.obstacle)
}

/// The mass of each vertex, in kg.
pub fn masses(body: &Body, at_rest: &RestBody<'_>) -> Vec<f64> {
    of_moving(body)
        .map_or_else(|| vec![1.0; at_rest.mesh.positions.len()], |material| material.kind().masses(at_rest))
}

impl Assembly<'_> {
    /// The numbers that the material of a body has in bulk; obstacles have none.
    pub(super) fn in_bulk(&self, number: usize) -> BodyMaterial {
        let body = &self.bodies[number];
        let at_rest = RestBody {
            mesh: &body.mesh,
            makeup: &body.makeup,
            parts: &self.scene.file.parts,
            grain_radii: body.grain_radii.as_deref(),
        };
        let material = of_moving(&self.scene.file.bodies[number]);
        material.map_or_else(BodyMaterial::default, |material| material.kind().in_bulk(&at_rest))
    }

    /// Adds the potentials of the body added last.
    pub(super) fn add_material(&mut self, body: &Body) {
        let Some(material) = of_moving(body) else { return };
        material.kind().add(self, body);
        if self.scene.file.clocks.per == ClockPer::Element {
            self.warn_of_lone_clocks(material);
        }
    }

    /// Hinges and joints lie between elements: no triangle or edge owns them, so none shares its clock with them.
    fn warn_of_lone_clocks(&mut self, material: &At<Material>) {
        if let Some([what, remedy]) = material.kind().between_elements() {
            let message = format!("{what} and keep clocks of their own, whatever clocks.per says");
            let problem = Problem::new(&material.span(), message);
            self.warn(problem.help(format!("{remedy} if they should share")));
        }
    }
}
