//! The potentials of a shell: membranes and bending.

use carom_elastic::{
    BendingHinge, BendingMidedge, BendingQuadratic, MembraneNeoHookean, MembraneStvk, ShellMaterial,
};
use carom_geometry::mesh::area_normal;
use carom_geometry::{Mesh, Topology};
use carom_model::{Owner, Part};

use super::Assembly;
use super::part::{InSeries, MadeOf};
use crate::at::At;
use crate::format::{self, Bending, Body, GridPattern, Material, Membrane, Shape};
use crate::number::Positive;
use crate::report::Problem;

impl Assembly<'_> {
    /// Adds the potentials of the shell added last.
    pub(super) fn add_shell(&mut self, body: &Body, material: &format::ShellMaterial) {
        let number = self.bodies.len() - 1;
        let made = self.bodies[number].makeup.materials(material, &self.scene.file.parts);
        // The mesh is lent out while its elements are added.
        let mesh = core::mem::take(&mut self.bodies[number].mesh);
        let topology = Topology::new(&mesh.triangles).expect("the mesh is sound");
        let step_s = body.step.as_ref().map(Positive::get);
        let shell = Shell { number, step_s, made, mesh: &mesh };
        self.add_membranes(&shell, material.membrane);
        match material.bending {
            Bending::MidEdge => self.add_midedge(&shell, &topology),
            Bending::Hinge | Bending::Quadratic => {
                self.add_hinges(&shell, &topology, material.bending);
                self.bodies[number].edges_numbered = topology.edges.len();
            }
            Bending::None => {}
        }
        self.warn_about_mesh(body, material.bending, &topology);
        self.bodies[number].mesh = mesh;
    }

    fn add_membranes(&mut self, shell: &Shell<'_>, membrane: Membrane) {
        for (face, triangle) in (0..).zip(&shell.mesh.triangles) {
            let rest = shell.mesh.corners(triangle);
            let area = area_normal(rest).length();
            let stencil = self.global(shell, *triangle);
            let owner = shell.owner(Part::Face(face));
            let sheet = shell.sheet(face);
            let added = match membrane {
                Membrane::NeoHookean => {
                    self.builder.add(MembraneNeoHookean::from_rest(&rest, &sheet), stencil, owner, area)
                }
                Membrane::Stvk => {
                    self.builder.add(MembraneStvk::from_rest(&rest, &sheet), stencil, owner, area)
                }
            };
            self.give_step(added, shell.step_s);
            self.damp(added, shell.damping(face));
        }
    }

    fn add_midedge(&mut self, shell: &Shell<'_>, topology: &Topology) {
        for (face, (triangle, across)) in (0..).zip(shell.mesh.triangles.iter().zip(&topology.neighbours)) {
            let far = across.map(|n| n.map(|n| n.opposite));
            let stencil = BendingMidedge::stencil(*triangle, far);
            let rest = shell.mesh.corners(&stencil);
            let element = BendingMidedge::from_rest(&rest, far.map(|f| f.is_some()), &shell.sheet(face))
                .with_free_borders();
            let area = area_normal(shell.mesh.corners(triangle)).length();
            let stencil = self.global(shell, stencil);
            let added = self.builder.add(element, stencil, shell.owner(Part::Face(face)), area);
            self.give_step(added, shell.step_s);
            self.damp(added, shell.damping(face));
        }
    }

    /// Hinges, or what is quadratic in the positions in their place.
    fn add_hinges(&mut self, shell: &Shell<'_>, topology: &Topology, bending: Bending) {
        for edge in &topology.interior {
            let ([a, b], [c, d]) = (edge.vertices, edge.opposite);
            let rest = shell.mesh.corners(&[a, b, c, d]);
            let area = |t: u32| area_normal(shell.mesh.corners(&shell.mesh.triangles[t as usize])).length();
            let areas = edge.triangles.map(area);
            let extent = (areas[0] + areas[1]) / 3.0;
            let rigidities = edge.triangles.map(|t| shell.sheet(t).bending_rigidity());
            let both = InSeries { extents: areas, stiffnesses: rigidities };
            let number = topology.edges.binary_search(&edge.vertices).expect("it is an edge") as u32;
            let (stencil, owner) = (self.global(shell, [a, b, c, d]), shell.owner(Part::Edge(number)));
            let added = if bending == Bending::Quadratic {
                let element = BendingQuadratic::with_rigidity(&rest, both.stiffness());
                self.builder.add(element, stencil, owner, extent)
            } else {
                let element = BendingHinge::with_rigidity(&rest, both.stiffness());
                self.builder.add(element, stencil, owner, extent)
            };
            self.give_step(added, shell.step_s);
            self.damp(added, both.damping(edge.triangles.map(|t| shell.damping(t))));
        }
    }

    fn global<const N: usize>(&self, shell: &Shell<'_>, element: [u32; N]) -> [u32; N] {
        element.map(|v| v + self.bodies[shell.number].first)
    }

    fn warn_about_mesh(&mut self, body: &Body, bending: Bending, topology: &Topology) {
        if let (Shape::Grid(grid), Bending::MidEdge) = (&*body.shape, bending)
            && grid.pattern == GridPattern::Alternating
        {
            let message = "mid-edge bending is wrong where diagonals alternate";
            self.warn(Problem::new(&body.shape.span(), message).help("take the pattern \"equilateral\""));
        }
        let Shape::Mesh(mesh) = &*body.shape else {
            return;
        };
        let triangles = topology.neighbours.len();
        if triangles > 1 && topology.interior.is_empty() {
            let message = format!("no two of the {triangles} triangles of {} share an edge", mesh.file);
            self.warn(Problem::new(&mesh.file.span(), message).help("merge vertices that coincide"));
        } else if mesh.file.to_ascii_lowercase().ends_with(".stl") && !topology.is_closed() {
            let open = topology.boundary.len();
            let message = format!("{} is not watertight: {open} edges have one triangle", mesh.file);
            self.warn(Problem::new(&mesh.file.span(), message).help("close it if it should be closed"));
        }
    }
}

/// The largest angle at which an edge counts as flat, in radians: a file in single precision puts the corners of a mesh a
/// thousand edges wide off by 6e-5 of an edge.
const FLAT_RAD: f64 = 1e-4;

/// The problem with bending that only sheets have that are flat at rest, if this is no such sheet.
pub fn not_flat(mesh: &Mesh, material: &At<Material>) -> Option<Problem> {
    let Material::Shell(format::ShellMaterial { bending: Bending::Quadratic, .. }) = &**material else {
        return None;
    };
    let topology = Topology::new(&mesh.triangles).expect("the mesh is sound");
    let angles = topology.interior.iter().map(|edge| {
        let ([a, b], [c, d]) = (edge.vertices, edge.opposite);
        (BendingHinge::with_rigidity(&mesh.corners(&[a, b, c, d]), 1.0).rest_angle.abs(), [a, b])
    });
    let ([a, b], angle) =
        angles.fold(
            ([0; 2], 0.0),
            |(edge, largest), (angle, other)| {
                if angle > largest { (other, angle) } else { (edge, largest) }
            },
        );
    (angle > FLAT_RAD).then(|| {
        let degrees = angle.to_degrees();
        let message = format!(
            "quadratic bending is for sheets that are flat at rest, and at the edge between vertices {a} and {b} this one is \
             bent by {degrees:.3}°"
        );
        Problem::new(&material.span(), message).help("take bending = \"hinge\" or \"mid-edge\"")
    })
}

/// The shell that potentials are added for.
struct Shell<'m> {
    number: usize,
    step_s: Option<f64>,
    made: MadeOf<format::ShellMaterial>,
    mesh: &'m Mesh,
}

impl Shell<'_> {
    fn owner(&self, part: Part) -> Owner {
        Owner { body: self.number as u32, part }
    }

    /// Material of a triangle.
    fn sheet(&self, triangle: u32) -> ShellMaterial {
        let material = self.made.of(triangle as usize);
        ShellMaterial {
            young: material.young.get(),
            poisson: material.poisson.get(),
            thickness: material.thickness.get(),
        }
    }

    /// Damping time of a triangle, in s.
    fn damping(&self, triangle: u32) -> Option<f64> {
        self.made.of(triangle as usize).damping.as_ref().map(Positive::get)
    }
}
