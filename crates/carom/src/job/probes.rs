//! What probes read off a reading.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_engine::{Reading, Snapshot};
use carom_math::{ExactSum, ExactVec3Sum, F64x4, Vec3};
use carom_model::{Batch, DofKind, Family, System};
use carom_scene::{PinSet, Probe, Target};

use super::touches;

/// Reads the probes of a scene.
pub struct Probes {
    system: Arc<System>,
    all: Vec<Probe>,
    pins: Vec<PinSet>,
    /// The potentials that belong to each body that is probed.
    potentials: BTreeMap<u32, Vec<Box<dyn Batch>>>,
}

impl Probes {
    pub fn new(system: &Arc<System>, probes: &[Probe], pins: &[PinSet]) -> Self {
        let bodies = probes.iter().filter_map(|probe| match probe.target {
            Target::Body { body, .. } => Some((body, potentials_of(body, system))),
            _ => None,
        });
        let potentials = bodies.collect();
        Self { system: Arc::clone(system), all: probes.to_vec(), pins: pins.to_vec(), potentials }
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
            Target::Body { body, vertices } => self.body(*body, vertices.clone(), reading),
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
    fn body(&self, body: u32, vertices: core::ops::Range<u32>, reading: &Reading) -> Vec<f64> {
        let (mut p, mut l, mut kinetic) =
            (ExactVec3Sum::default(), ExactVec3Sum::default(), ExactSum::default());
        for v in (vertices.start as usize..vertices.end as usize).filter(|v| !self.system.is_held(*v)) {
            let m = self.system.masses[v];
            let (x, u) = (reading.positions[v], reading.velocities[v]);
            p.add(u * m);
            l.add(x.cross(u * m));
            kinetic.add(0.5 * m * u.length_sq());
        }
        for (v, auxiliary) in
            (self.system.places()..).zip(&self.system.auxiliary_dofs).filter(|(_, g)| g.body == body)
        {
            let (m, u) = (self.system.masses[v], reading.velocities[v]);
            if !self.system.is_held(v) {
                kinetic.add(0.5 * m * u.length_sq());
            }
            if auxiliary.dof_kind == DofKind::Spin {
                l.add(u * m);
            }
        }
        let potential = self.potential(body, &reading.positions);
        let mut values: Vec<f64> = [p, l].iter().flat_map(|sum| sum.value().to_array()).collect();
        let mut total = kinetic.clone();
        total.merge(&potential);
        values.extend([&kinetic, &potential, &total].map(ExactSum::value));
        values
    }

    /// Energy of the potentials that belong to a body, in J: a term for each.
    fn potential(&self, body: u32, x: &[Vec3]) -> ExactSum {
        let rows: Vec<F64x4> = x.iter().map(|&x| x.into()).collect();
        self.potentials[&body].iter().flat_map(|family| family.energies(&rows)).collect()
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
