//! Position and velocity of a vertex, or of the centre of mass of some.

use std::sync::Arc;

use carom_engine::{Reading, Snapshot, weighted_sum};
use carom_math::ExactSum;
use carom_model::System;

use super::{Column, Names, ProbeKeys, ProbeKind, ProbeTarget, ReadProbe, Resolved};
use crate::build::Assembly;
use crate::check::unknown_name;
use crate::report::Problem;

/// Motion of vertices.
pub const KIND: ProbeKind = ProbeKind {
    name: "motion",
    about: "Position and velocity of a vertex, or of the centre of mass of the selected vertices of a body.",
    key: "vertex",
    example: "\"sheet:0\"",
    page: "keys",
    columns: &[
        Column::new("x", "m", "Position along x."),
        Column::new("y", "m", "Position along y."),
        Column::new("z", "m", "Position along z."),
        Column::new("vx", "m/s", "Velocity along x."),
        Column::new("vy", "m/s", "Velocity along y."),
        Column::new("vz", "m/s", "Velocity along z."),
    ],
    is_given: |keys| keys.vertex.is_some(),
    check,
    resolve,
};

fn check(keys: &ProbeKeys, names: &Names<'_>, problems: &mut Vec<Problem>) {
    if let Some(vertex) = &keys.vertex {
        problems.extend(unknown_name("body", &vertex.body, &vertex.span(), &names.bodies));
    }
}

fn resolve(keys: &ProbeKeys, assembly: &Assembly<'_>) -> Resolved {
    let vertices = match (&keys.vertex, &keys.body, &keys.select) {
        (Some(vertex), _, _) => vec![assembly.vertex(vertex)?],
        (None, Some(body), Some(select)) => assembly.select(body, select)?,
        _ => unreachable!("a selection has a body: it was checked"),
    };
    Ok(Arc::new(Motion(vertices)))
}

/// Vertices of the system.
#[derive(Debug)]
struct Motion(Vec<u32>);

impl ProbeTarget for Motion {
    fn reader(&self, system: &Arc<System>) -> Box<dyn ReadProbe> {
        let with_mass = |&vertex: &u32| (vertex as usize, system.masses[vertex as usize]);
        let vertices: Vec<(usize, f64)> = self.0.iter().map(with_mass).collect();
        let mass_kg = vertices.iter().map(|(_, m)| *m).collect::<ExactSum>().value();
        Box::new(Reader { vertices, mass_kg })
    }
}

struct Reader {
    /// Each vertex, with its mass in kg.
    vertices: Vec<(usize, f64)>,
    /// All of them together, in kg.
    mass_kg: f64,
}

impl ReadProbe for Reader {
    /// From the sums of `m`, `m x` and `m v`, a term for each vertex.
    fn values(&self, _snapshot: &Snapshot, reading: &Reading) -> Vec<f64> {
        let sums = [&reading.positions, &reading.velocities].map(|a| weighted_sum(&self.vertices, a));
        let per_mass = 1.0 / self.mass_kg;
        sums.iter().flat_map(|sum| (*sum * per_mass).to_array()).collect()
    }
}
