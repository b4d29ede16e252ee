//! What probes read off a reading.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_engine::{Reading, Snapshot};
use carom_math::{F64x4, Vec3};
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

    /// Position and velocity of the centre of mass.
    fn motion(&self, vertices: &[u32], reading: &Reading) -> Vec<f64> {
        let (mut mass, mut x, mut u) = (0.0, Vec3::ZERO, Vec3::ZERO);
        for &v in vertices {
            let m = self.system.masses[v as usize];
            mass += m;
            x += reading.positions[v as usize] * m;
            u += reading.velocities[v as usize] * m;
        }
        [x * (1.0 / mass), u * (1.0 / mass)].iter().flat_map(|v| v.to_array()).collect()
    }

    /// Momentum, angular momentum and energies; what nothing can move carries none.
    fn body(&self, body: u32, vertices: core::ops::Range<u32>, reading: &Reading) -> Vec<f64> {
        let (mut p, mut l, mut kinetic) = (Vec3::ZERO, Vec3::ZERO, 0.0);
        for v in (vertices.start as usize..vertices.end as usize).filter(|v| !self.system.is_held(*v)) {
            let m = self.system.masses[v];
            let (x, u) = (reading.positions[v], reading.velocities[v]);
            p += u * m;
            l += x.cross(u * m);
            kinetic += 0.5 * m * u.length_sq();
        }
        for (v, auxiliary) in
            (self.system.places()..).zip(&self.system.auxiliary_dofs).filter(|(_, g)| g.body == body)
        {
            let (m, u) = (self.system.masses[v], reading.velocities[v]);
            kinetic += if self.system.is_held(v) { 0.0 } else { 0.5 * m * u.length_sq() };
            l += if auxiliary.dof_kind == DofKind::Spin { u * m } else { Vec3::ZERO };
        }
        let potential = self.potential(body, &reading.positions);
        let mut values: Vec<f64> = [p, l].iter().flat_map(|v| v.to_array()).collect();
        values.extend([kinetic, potential, kinetic + potential]);
        values
    }

    /// Energy of the potentials that belong to a body, in J.
    fn potential(&self, body: u32, x: &[Vec3]) -> f64 {
        let rows: Vec<F64x4> = x.iter().map(|&x| x.into()).collect();
        self.potentials[&body].iter().flat_map(|family| family.energies(&rows)).fold(0.0, |sum, e| sum + e)
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

/// The force with which a pin holds its vertices: the opposite of what pulls at them.
fn reaction(pin: &PinSet, vertices: &[u32], reading: &Reading) -> Vec<f64> {
    let pull: Vec3 = vertices.iter().map(|&v| reading.forces[v as usize]).sum();
    let held = |axis: bool, f: f64| if axis { -f } else { 0.0 };
    vec![held(pin.axes.x, pull.x), held(pin.axes.y, pull.y), held(pin.axes.z, pull.z)]
}
