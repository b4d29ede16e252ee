//! Crumpling sheets: bent into an open tube that collapses onto itself.

use std::sync::Arc;

use carom_contact::{BodySurface, ContactOptions, MAX_LAYERS, tune_contact, with_contact};
use carom_elastic::{BendingHinge, BendingMidedge, MembraneNeoHookean, ShellMaterial};
use carom_geometry::mesh::area_normal;
use carom_geometry::{Mesh, Topology, shapes};
use carom_math::Vec3;
use carom_model::{ClockOptions, Owner, Part, State, System, SystemBuilder};

use crate::noise::Noise;

/// What crumples.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    pub seed: u64,
    /// About how many.
    pub triangles: usize,
    pub speed: f64,
    /// Mid-edge bending instead of hinges.
    pub is_midedge: bool,
    /// Thickness of the first layer, over the length of an edge.
    pub thickness: f64,
    /// The way flown in a step of the first layer, over its thickness: the more, the harder the impact.
    pub hardness: f64,
    pub max_layers: u32,
}

impl Sheet {
    pub fn random(seed: u64, triangles: usize, max_layers: u32) -> Self {
        let mut noise = Noise::new(seed);
        Self {
            seed,
            triangles,
            speed: noise.between(5.0, 30.0),
            is_midedge: noise.next() > 0.0,
            thickness: noise.between(0.2, 0.5),
            hardness: noise.between(0.03, 0.11),
            max_layers,
        }
    }

    pub fn full_depth(seed: u64, triangles: usize) -> Self {
        Self::random(seed, triangles, MAX_LAYERS)
    }
}

/// Half of the angle that the sheet goes around, in radians: the tube stays open by a sixth.
const HALF_ANGLE: f64 = 2.6;

/// The sheet as it starts, and how long it takes to fall flat, in s.
pub fn sheet(case: &Sheet) -> (Arc<System>, State, f64) {
    let mut noise = Noise::new(case.seed);
    // An equilateral triangle of edge 1 has area √3/4.
    let edge = (4.0 / (3f64.sqrt() * case.triangles as f64)).sqrt();
    let mesh = shapes::grid(1.0, 1.0, edge).unwrap();
    let material = ShellMaterial { young: 1e5, poisson: 0.3, thickness: 0.02 };
    let radius = 0.5 / HALF_ANGLE;
    let mut builder = SystemBuilder::new();
    builder.body("sheet");
    for x in &mesh.positions {
        let angle = x.x / radius;
        let bent = Vec3::new(radius * angle.cos(), x.y, radius * angle.sin());
        // Top and bottom fall onto each other, and no two vertices alike.
        let down = Vec3::new(0.0, 0.0, -case.speed * angle.sin());
        let wild = noise.vector() * (0.2 * case.speed);
        builder.vertex(bent + noise.vector() * (0.05 * edge), down + wild, 1.0 / mesh.positions.len() as f64);
    }
    add_membranes(&mut builder, &mesh, &material);
    if case.is_midedge {
        add_midedge(&mut builder, &mesh, &material);
    } else {
        add_hinges(&mut builder, &mesh, &material);
    }
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let thickness = case.thickness * edge;
    let surface = BodySurface { mesh: &mesh, first_vertex: 0, thickness, radius: 0.0 };
    let options = ContactOptions {
        step_s: Some(case.hardness * thickness / case.speed),
        max_layers: case.max_layers,
        ..ContactOptions::default()
    };
    let (contact, _) = tune_contact(&system, &state, &[surface], &options).unwrap();
    (Arc::new(with_contact(&system, contact)), state, 1.5 * radius / case.speed)
}

fn add_membranes(builder: &mut SystemBuilder, mesh: &Mesh, material: &ShellMaterial) {
    for (face, &triangle) in (0..).zip(&mesh.triangles) {
        let rest = mesh.corners(&triangle);
        let owner = Owner { body: 0, part: Part::Face(face) };
        let area = area_normal(rest).length();
        builder.add(MembraneNeoHookean::from_rest(&rest, material), triangle, owner, area);
    }
}

fn add_hinges(builder: &mut SystemBuilder, mesh: &Mesh, material: &ShellMaterial) {
    let topology = Topology::new(&mesh.triangles).unwrap();
    for (number, edge) in (0..).zip(&topology.interior) {
        let ([a, b], [c, d]) = (edge.vertices, edge.opposite);
        let hinge = BendingHinge::from_rest(&mesh.corners(&[a, b, c, d]), material);
        builder.add(hinge, [a, b, c, d], Owner { body: 0, part: Part::Edge(number) }, 1.0);
    }
}

fn add_midedge(builder: &mut SystemBuilder, mesh: &Mesh, material: &ShellMaterial) {
    let topology = Topology::new(&mesh.triangles).unwrap();
    for (face, (triangle, across)) in (0..).zip(mesh.triangles.iter().zip(&topology.neighbours)) {
        let far = across.map(|n| n.map(|n| n.opposite));
        let stencil = BendingMidedge::stencil(*triangle, far);
        let rest = mesh.corners(&stencil);
        let bending =
            BendingMidedge::from_rest(&rest, far.map(|f| f.is_some()), material).with_free_borders();
        builder.add(bending, stencil, Owner { body: 0, part: Part::Face(face) }, 1.0);
    }
}
