//! Momentum, angular momentum and energies of a body.

use core::ops::Range;
use std::sync::Arc;

use carom_engine::{MovingMasses, Reading, Snapshot};
use carom_math::{ExactLanesSum, ExactSum, F64x4, vectorize};
use carom_model::{Batch, Family, System};

use super::{Column, Names, ProbeKeys, ProbeKind, ProbeTarget, ReadProbe};
use crate::build::Assembly;
use crate::check::check_reference;
use crate::report::Problem;

/// Totals of a body.
pub const KIND: ProbeKind = ProbeKind {
    name: "body",
    about: "Momentum, angular momentum and energies of a body; what nothing can move carries none.",
    key: "body",
    example: "\"sheet\"",
    page: "keys",
    columns: &[
        Column::new("px", "N·s", "Momentum along x."),
        Column::new("py", "N·s", "Momentum along y."),
        Column::new("pz", "N·s", "Momentum along z."),
        Column::new("lx", "N·m·s", "Angular momentum about the origin, along x."),
        Column::new("ly", "N·m·s", "Angular momentum about the origin, along y."),
        Column::new("lz", "N·m·s", "Angular momentum about the origin, along z."),
        Column::new("kinetic", "J", "Kinetic energy."),
        Column::new("potential", "J", "Energy of the potentials of the body."),
        Column::new("energy", "J", "The sum of both."),
    ],
    is_given: |keys| keys.body.is_some(),
    check,
    resolve: |keys, assembly| Ok(target(keys, assembly)),
};

fn check(keys: &ProbeKeys, names: &Names<'_>, problems: &mut Vec<Problem>) {
    if let Some(body) = &keys.body {
        check_reference("body", body, &names.bodies, problems);
    }
}

fn target(keys: &ProbeKeys, assembly: &Assembly<'_>) -> Arc<dyn ProbeTarget> {
    let name = keys.body.as_ref().expect("the key that asks for this probe");
    let (body, vertices) = assembly.vertices_of(name);
    Arc::new(Body { body, vertices })
}

/// A body of the system, and its vertices.
#[derive(Debug)]
struct Body {
    body: u32,
    vertices: Range<u32>,
}

impl ProbeTarget for Body {
    fn reader(&self, system: &Arc<System>) -> Box<dyn ReadProbe> {
        let moving = MovingMasses::of_body(system, self.body, self.vertices.clone());
        Box::new(Reader { moving, potentials: potentials_of(self.body, system) })
    }
}

/// The potentials of a body, by family.
fn potentials_of(body: u32, system: &System) -> Vec<Box<dyn Batch>> {
    let same: Vec<u32> = (0..system.vertices() as u32).collect();
    let of_family = |family: &Arc<dyn Family>| {
        let elements: Vec<u32> =
            (0..family.len()).filter(|&e| family.owner(e).body == body).map(|e| e as u32).collect();
        (!elements.is_empty()).then(|| family.batch(&elements, &same))
    };
    system.families.iter().filter_map(of_family).collect()
}

/// What adds to the totals of a body.
struct Reader {
    moving: MovingMasses,
    /// A term of the potential energy for each.
    potentials: Vec<Box<dyn Batch>>,
}

impl ReadProbe for Reader {
    /// With the terms of [`Reading`].
    fn values(&self, _snapshot: &Snapshot, reading: &Reading) -> Vec<f64> {
        let motion = self.moving.add_up_vectors(&reading.positions, &reading.velocities);
        let positions = if self.potentials.is_empty() { &[][..] } else { &reading.positions };
        let x: Vec<F64x4> = positions.iter().map(|&x| x.into()).collect();
        let mut potential_j = ExactLanesSum::default();
        for family in &self.potentials {
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
