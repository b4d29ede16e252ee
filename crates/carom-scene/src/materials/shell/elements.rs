//! The potentials of a shell: membranes and bending.

use carom_elastic::registry::{AddBending, AddToInnerEdge, AddToTriangle, Bending, Membrane, Site};
use carom_geometry::mesh::area_normal;
use carom_geometry::{Mesh, Topology};
use carom_model::{Owner, Part};

use super::ShellMaterial;
use crate::build::{Assembly, InSeries, MadeOf};
use crate::format::Body;
use crate::number::Positive;
use crate::report::Problem;

impl Assembly<'_> {
    /// Adds the potentials of the shell added last.
    pub(super) fn add_shell(&mut self, body: &Body, material: &ShellMaterial) {
        let number = self.bodies.len() - 1;
        let made = self.bodies[number].makeup.materials(material, &self.scene.file.parts);
        // The mesh is lent out while its elements are added.
        let mesh = core::mem::take(&mut self.bodies[number].mesh);
        let topology = Topology::new(&mesh.triangles).expect("the mesh is sound");
        let step_s = body.step.as_ref().map(Positive::get);
        let shell = Shell { number, step_s, made, mesh: &mesh };
        self.add_membranes(&shell, material.membrane());
        let bending = material.bending.get();
        match bending.map(|bending| bending.add) {
            Some(AddBending::ToTriangles(add)) => self.add_to_triangles(&shell, &topology, add),
            Some(AddBending::ToInnerEdges(add)) => {
                self.add_to_inner_edges(&shell, &topology, add);
                self.bodies[number].edges_numbered = topology.edges.len();
            }
            None => {}
        }
        self.warn_about_mesh(body, bending, &topology);
        self.bodies[number].mesh = mesh;
    }

    fn add_membranes(&mut self, shell: &Shell<'_>, membrane: &Membrane) {
        for (face, triangle) in (0..).zip(&shell.mesh.triangles) {
            let area = area_normal(shell.mesh.corners(triangle)).length();
            let site = self.site(shell, *triangle, Part::Face(face), area);
            let added = (membrane.add)(&mut self.builder, &site, &shell.sheet(face));
            self.give_step(added, shell.step_s);
            self.damp(added, shell.damping(face));
        }
    }

    fn add_to_triangles(&mut self, shell: &Shell<'_>, topology: &Topology, add: AddToTriangle) {
        for (face, (triangle, across)) in (0..).zip(shell.mesh.triangles.iter().zip(&topology.neighbours)) {
            let far = across.map(|n| n.map(|n| n.opposite));
            let area = area_normal(shell.mesh.corners(triangle)).length();
            let site = self.site(shell, with_far_corners(*triangle, far), Part::Face(face), area);
            let added = add(&mut self.builder, &site, far.map(|f| f.is_some()), &shell.sheet(face));
            self.give_step(added, shell.step_s);
            self.damp(added, shell.damping(face));
        }
    }

    fn add_to_inner_edges(&mut self, shell: &Shell<'_>, topology: &Topology, add: AddToInnerEdge) {
        for edge in &topology.interior {
            let ([a, b], [c, d]) = (edge.vertices, edge.opposite);
            let area = |t: u32| area_normal(shell.mesh.corners(&shell.mesh.triangles[t as usize])).length();
            let areas = edge.triangles.map(area);
            let extent = (areas[0] + areas[1]) / 3.0;
            let rigidities = edge.triangles.map(|t| shell.sheet(t).bending_rigidity());
            let both = InSeries { extents: areas, stiffnesses: rigidities };
            let number = topology.edges.binary_search(&edge.vertices).expect("it is an edge") as u32;
            let site = self.site(shell, [a, b, c, d], Part::Edge(number), extent);
            let added = add(&mut self.builder, &site, both.stiffness());
            self.give_step(added, shell.step_s);
            self.damp(added, both.damping(edge.triangles.map(|t| shell.damping(t))));
        }
    }

    /// The place of an element on these vertices of the shell, with its area in m².
    fn site<const N: usize>(&self, shell: &Shell<'_>, element: [u32; N], part: Part, area: f64) -> Site<N> {
        Site {
            stencil: element.map(|v| v + self.bodies[shell.number].first),
            rest: shell.mesh.corners(&element),
            owner: shell.owner(part),
            extent: area,
        }
    }

    fn warn_about_mesh(&mut self, body: &Body, bending: Option<&Bending>, topology: &Topology) {
        let shape = body.shape.kind();
        if let Some(bending) = bending
            && shape.has_alternating_diagonals()
            && bending.errs_on_alternating_diagonals
        {
            let message = format!("{} bending is wrong where diagonals alternate", bending.name);
            self.warn(Problem::new(&body.shape.span(), message).help("take the pattern \"equilateral\""));
        }
        let Some(file) = shape.mesh_file() else {
            return;
        };
        let triangles = topology.neighbours.len();
        if triangles > 1 && topology.interior.is_empty() {
            let message = format!("no two of the {triangles} triangles of {file} share an edge");
            self.warn(Problem::new(&file.span(), message).help("merge vertices that coincide"));
        } else if file.to_ascii_lowercase().ends_with(".stl") && !topology.is_closed() {
            let open = topology.boundary.len();
            let message = format!("{file} is not watertight: {open} edges have one triangle");
            self.warn(Problem::new(&file.span(), message).help("close it if it should be closed"));
        }
    }
}

/// The corners of a triangle, then those across its edges, a missing one replaced by the triangle's own.
fn with_far_corners([a, b, c]: [u32; 3], far: [Option<u32>; 3]) -> [u32; 6] {
    [a, b, c, far[0].unwrap_or(a), far[1].unwrap_or(b), far[2].unwrap_or(c)]
}

/// The shell that potentials are added for.
struct Shell<'m> {
    number: usize,
    step_s: Option<f64>,
    made: MadeOf<ShellMaterial>,
    mesh: &'m Mesh,
}

impl Shell<'_> {
    fn owner(&self, part: Part) -> Owner {
        Owner { body: self.number as u32, part }
    }

    /// Material of a triangle.
    fn sheet(&self, triangle: u32) -> carom_elastic::ShellMaterial {
        self.made.of(triangle as usize).numbers()
    }

    /// Damping time of a triangle, in s.
    fn damping(&self, triangle: u32) -> Option<f64> {
        self.made.of(triangle as usize).damping.as_ref().map(Positive::get)
    }
}
