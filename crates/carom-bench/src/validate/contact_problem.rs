//! Contact problems: bodies that may touch, and a run of them.

use std::sync::Arc;

use carom::Simulation;
use carom_contact::{BodySurface, ContactOptions, ContactTuning, tune_contact, with_contact};
use carom_elastic::{
    BendingMidedge, Gravity, MembraneNeoHookean, ShellMaterial, SolidMaterial, Spring, TetNeoHookean,
};
use carom_engine::{ContactSummary, MethodKind, Reading};
use carom_geometry::mesh::{area_normal, signed_volume};
use carom_geometry::{Mesh, Topology};
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, Owner, Part, State, System, SystemBuilder};
use carom_time::Tick;

/// Material of a body.
#[derive(Clone, Copy)]
pub enum BodyMaterial {
    /// Neo-Hookean tetrahedra, of so many kg/m³.
    Solid(SolidMaterial, f64),
    /// Neo-Hookean membranes with mid-edge bending, of so many kg/m³.
    Shell(ShellMaterial, f64),
    /// Linear springs along a rod of stiffness `EA`, in N, and of so many kg/m.
    Rod(f64, f64),
    /// Points of so many kg each.
    Points(f64),
    /// Something that never moves.
    Wall,
}

/// A body.
pub struct ProblemBody {
    pub mesh: Mesh,
    pub material: BodyMaterial,
    /// Velocity, in m/s.
    pub velocity: Vec3,
    /// Thickness `η₁`, in m.
    pub thickness: f64,
}

/// Bodies with their contact and where they start.
pub struct ContactProblem {
    pub system: Arc<System>,
    pub state: State,
    /// Number of each body's first vertex.
    pub first: Vec<u32>,
    pub choices: Vec<ContactTuning>,
}

impl ContactProblem {
    /// These bodies, in a uniform field of `gravity` in m/s².
    ///
    /// # Panics
    /// If they are unsound: the problems here are known to be sound.
    pub fn new(
        bodies: &[ProblemBody],
        gravity: Vec3,
        contact: &ContactOptions,
        clocks: &ClockOptions,
    ) -> Self {
        let mut builder = SystemBuilder::new();
        let mut first = Vec::new();
        for (i, given) in bodies.iter().enumerate() {
            let body = builder.body(format!("{i}"));
            first.push(builder.positions().len() as u32);
            given.add_to(&mut builder, body, first[i]);
            if !gravity.is_zero() && !matches!(given.material, BodyMaterial::Wall) {
                for v in first[i]..builder.positions().len() as u32 {
                    let weight = Gravity { mass: builder.masses()[v as usize], acceleration: gravity };
                    builder.add(weight, [v], Owner { body, part: Part::Vertex(v - first[i]) }, 1.0);
                }
            }
        }
        let (system, state) = builder.build(clocks).expect("a sound system");
        let mut surfaces = Vec::new();
        for (&ProblemBody { ref mesh, thickness, .. }, &first_vertex) in bodies.iter().zip(&first) {
            surfaces.push(BodySurface { mesh, first_vertex, thickness, radius: 0.0 });
        }
        let (contact, choices) =
            tune_contact(&system, &state, &surfaces, contact).expect("steps on the time line");
        Self { system: Arc::new(with_contact(&system, contact)), state, first, choices }
    }

    /// Runs until `end_s`, and calls `see` with evenly spaced readings.
    ///
    /// # Panics
    /// If the run has to stop.
    pub fn run(&self, end_s: f64, samples: u64, mut see: impl FnMut(&Reading)) -> ContactSummary {
        let end = self.system.line.tick_at(end_s).expect("an end on the time line");
        let simulation =
            Simulation::of_system(Arc::clone(&self.system), self.state.clone(), MethodKind::Carom);
        let mut simulation = simulation.expect("a sound start");
        for sample in 0..=samples {
            let tick = Tick((u128::from(end.0) * u128::from(sample) / u128::from(samples)) as u64);
            simulation.advance_to_tick(tick).expect("nothing is squeezed");
            see(&simulation.reading());
        }
        simulation.summary().contact.expect("there is contact")
    }

    /// Mean velocity of body `b` in a reading, in m/s.
    pub fn velocity(&self, b: usize, reading: &Reading) -> Vec3 {
        let vertices = self.system.bodies[b].vertices.clone();
        let mass: f64 = vertices.clone().map(|v| self.system.masses[v as usize]).sum();
        let momentum: Vec3 =
            vertices.map(|v| reading.velocities[v as usize] * self.system.masses[v as usize]).sum();
        momentum * (1.0 / mass)
    }
}

impl ProblemBody {
    fn add_to(&self, builder: &mut SystemBuilder, body: u32, first: u32) {
        let mesh = &self.mesh;
        for &x in &mesh.positions {
            let mass = match self.material {
                BodyMaterial::Points(mass) => mass,
                BodyMaterial::Wall => 1.0,
                _ => 0.0,
            };
            let v = builder.vertex(x, self.velocity, mass);
            if matches!(self.material, BodyMaterial::Wall) {
                builder.pin(v, Axes::ALL);
            }
        }
        match self.material {
            BodyMaterial::Solid(material, density) => {
                for (i, t) in (0..).zip(&mesh.tets) {
                    let corners = mesh.corners(t);
                    let volume = signed_volume(corners);
                    for v in t {
                        builder.add_mass(v + first, density * volume / 4.0);
                    }
                    let owner = Owner { body, part: Part::Cell(i) };
                    let element = TetNeoHookean::from_rest(&corners, &material);
                    builder.add(element, t.map(|v| v + first), owner, volume);
                }
            }
            BodyMaterial::Shell(material, density) => {
                let topology = Topology::new(&mesh.triangles).expect("a surface");
                for (i, &t) in mesh.triangles.iter().enumerate() {
                    let corners = mesh.corners(&t);
                    let area = area_normal(corners).length();
                    let mass = density * material.thickness * area / 3.0;
                    for v in &t {
                        builder.add_mass(v + first, mass);
                    }
                    let owner = Owner { body, part: Part::Face(i as u32) };
                    let membrane = MembraneNeoHookean::from_rest(&corners, &material);
                    builder.add(membrane, t.map(|v| v + first), owner, area);
                    let across = topology.neighbours[i].map(|n| n.map(|n| n.opposite));
                    let stencil = BendingMidedge::stencil(t, across);
                    let rest = stencil.map(|v| mesh.positions[v as usize]);
                    let bending = BendingMidedge::from_rest(&rest, across.map(|a| a.is_some()), &material);
                    builder.add(bending, stencil.map(|v| v + first), owner, area);
                }
            }
            BodyMaterial::Rod(stiffness, density) => {
                for (i, e) in (0..).zip(&mesh.edges) {
                    let [a, b] = e.map(|v| mesh.positions[v as usize]);
                    let rest_length = (b - a).length();
                    for v in e {
                        builder.add_mass(v + first, 0.5 * density * rest_length);
                    }
                    let spring = Spring { stiffness: stiffness / rest_length, rest_length };
                    let owner = Owner { body, part: Part::Edge(i) };
                    builder.add(spring, e.map(|v| v + first), owner, rest_length);
                }
            }
            BodyMaterial::Points(_) | BodyMaterial::Wall => {}
        }
    }
}
