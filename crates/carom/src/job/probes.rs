//! What probes read off a reading.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_engine::{MovingMasses, Reading, Snapshot};
use carom_math::{ExactLanesSum, ExactSum, ExactVec3Sum, F64x4, Vec3, vectorize};
use carom_model::{Batch, Family, System};
use carom_scene::{PinSet, Probe, Target};

use super::touches;

/// Reads the probes of a scene.
pub struct Probes {
    system: Arc<System>,
    all: Vec<Probe>,
    pins: Vec<PinSet>,
    /// The bodies that are probed.
    bodies: BTreeMap<u32, Body>,
}

/// What adds to the totals of a body.
struct Body {
    moving: MovingMasses,
    /// A term of the potential energy for each.
    potentials: Vec<Box<dyn Batch>>,
}

impl Probes {
    pub fn new(system: &Arc<System>, probes: &[Probe], pins: &[PinSet]) -> Self {
        let bodies = probes.iter().filter_map(|probe| match probe.target {
            Target::Body { body, ref vertices } => {
                let moving = MovingMasses::of_body(system, body, vertices.clone());
                Some((body, Body { moving, potentials: potentials_of(body, system) }))
            }
            _ => None,
        });
        let bodies = bodies.collect();
        Self { system: Arc::clone(system), all: probes.to_vec(), pins: pins.to_vec(), bodies }
    }

    /// The names of all columns: `probe.column`.
    pub fn columns(&self) -> Vec<String> {
        let of = |probe: &Probe| {
            let name = probe.name.clone();
            probe.kind().columns().iter().map(move |column| format!("{name}.{column}"))
        };
        self.all.iter().flat_map(of).collect()
    }

    /// The values of all columns.
    pub fn values(&self, snapshot: &Snapshot, reading: &Reading) -> Vec<f64> {
        self.all.iter().flat_map(|probe| self.value(probe, snapshot, reading)).collect()
    }

    fn value(&self, probe: &Probe, snapshot: &Snapshot, reading: &Reading) -> Vec<f64> {
        match &probe.target {
            Target::Motion(vertices) => self.motion(vertices, reading),
            Target::Body { body, .. } => self.body(*body, reading),
            Target::Reaction { pin, vertices } => reaction(&self.pins[*pin], vertices, reading),
            Target::Contact(bodies) => touches::values(*bodies, snapshot, reading),
        }
    }

    /// Position and velocity of the centre of mass, from the sums of `m`, `m x` and `m v`, a term for each vertex.
    fn motion(&self, vertices: &[u32], reading: &Reading) -> Vec<f64> {
        let (mut mass, mut x, mut u) =
            (ExactSum::default(), ExactVec3Sum::default(), ExactVec3Sum::default());
        for &v in vertices {
            let m = self.system.masses[v as usize];
            mass.add(m);
            x.add(reading.positions[v as usize] * m);
            u.add(reading.velocities[v as usize] * m);
        }
        let per_mass = 1.0 / mass.value();
        [x, u].iter().flat_map(|sum| (sum.value() * per_mass).to_array()).collect()
    }

    /// Momentum, angular momentum and energies, with the terms of [`Reading`]; what nothing can move carries none.
    fn body(&self, body: u32, reading: &Reading) -> Vec<f64> {
        let rows = |vectors: &[Vec3]| vectors.iter().map(|&v| v.into()).collect::<Vec<F64x4>>();
        let x = rows(&reading.positions);
        let Body { moving, potentials } = &self.bodies[&body];
        let motion = moving.add_up(&x, &rows(&reading.velocities));
        let mut potential_j = ExactLanesSum::default();
        for family in potentials {
            let energies_j = family.energies(&x);
            vectorize::run(
                #[inline(always)]
                || potential_j.add_all(&energies_j),
            );
        }
        let (kinetic_j, potential_j) = (motion.kinetic_j, potential_j.sum());
        let mut total_j = kinetic_j.clone();
        total_j.merge(&potential_j);
        let vectors = [motion.momentum, motion.angular_momentum];
        let mut values: Vec<f64> = vectors.iter().flat_map(|v| v.to_array()).collect();
        values.extend([kinetic_j, potential_j, total_j].iter().map(ExactSum::value));
        values
    }
}

/// The potentials of a body, by family.
fn potentials_of(body: u32, system: &System) -> Vec<Box<dyn Batch>> {
    let same: Vec<u32> = (0..system.vertices() as u32).collect();
    let of_family = |family: &Arc<dyn Family>| {
        let elements: Vec<u32> =
            (0..family.len()).filter(|&e| family.owner(e).body == body).map(|e| e as u32).collect();
        family.batch(&elements, &same)
    };
    system.families.iter().map(of_family).collect()
}

/// The force with which a pin holds its vertices: the opposite of what pulls at them, a term for each vertex.
fn reaction(pin: &PinSet, vertices: &[u32], reading: &Reading) -> Vec<f64> {
    let pull = vertices.iter().map(|&v| reading.forces[v as usize]).collect::<ExactVec3Sum>().value();
    let held = |axis: bool, f: f64| if axis { -f } else { 0.0 };
    vec![held(pin.axes.x, pull.x), held(pin.axes.y, pull.y), held(pin.axes.z, pull.z)]
}
