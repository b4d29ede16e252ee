//! Contacts and small scenes for tests.

use std::sync::Arc;

use carom_contact::{BodySurface, ContactOptions, Pair, tune_contact, with_contact};
use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::{ClockOptions, PairId, PairKind, State, System, SystemBuilder};
use proptest::prelude::*;

use super::contacts::Row;
use super::penetration::Penetration;

/// Vertices that move, and contacts between any four of them: with few vertices most contacts are redundant.
#[derive(Clone, Debug)]
pub struct Crowd {
    pub positions: Vec<Vec3>,
    pub velocities: Vec<Vec3>,
    pub masses: Vec<f64>,
    pub rows: Vec<Row>,
}

impl Crowd {
    pub fn inverse_masses(&self) -> Vec<Vec3> {
        self.masses.iter().map(|m| Vec3::splat(1.0 / m)).collect()
    }

    pub fn kinetic(&self, velocities: &[Vec3]) -> f64 {
        self.masses.iter().zip(velocities).map(|(m, v)| 0.5 * m * v.length_sq()).sum()
    }

    /// Velocities after impulses on some vertices.
    pub fn after(&self, vertices: &[u32], impulses: &[Vec3]) -> Vec<Vec3> {
        let mut velocities = self.velocities.clone();
        for (v, j) in vertices.iter().zip(impulses) {
            velocities[*v as usize] += *j * (1.0 / self.masses[*v as usize]);
        }
        velocities
    }
}

/// A pair of one kind on these vertices.
pub fn pair(kind: PairKind, number: u32, vertices: [u32; 4]) -> Pair {
    let id = PairId { kind, a: number, b: number + 1 };
    let period = Vec3::ZERO;
    Pair {
        id,
        vertices,
        bodies: [0, 1],
        layers: 0,
        first_layer: 1,
        radius: 0.0,
        weight: 1.0,
        fade: 0.0,
        period,
    }
}

/// Any crowd: five to seven vertices and up to thirty contacts, some of them twice.
pub fn crowd() -> impl Strategy<Value = Crowd> {
    let place = || prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from);
    let vertex = (place(), place(), 0.1..10.0f64);
    let contact =
        (any::<bool>(), any::<bool>(), prop::sample::subsequence((0..5_u32).collect::<Vec<_>>(), 4));
    (prop::collection::vec(vertex, 5..8), prop::collection::vec((contact, 0..3_u32), 1..30), any::<bool>())
        .prop_map(|(vertices, contacts, twice)| {
            let positions: Vec<Vec3> = vertices.iter().map(|v| v.0).collect();
            let n = vertices.len() as u32;
            let mut rows = Vec::new();
            for (number, ((edges, volumes, four), shift)) in (0..).zip(contacts) {
                let kind = if edges { PairKind::EdgeEdge } else { PairKind::VertexFace };
                let measure = if volumes { Penetration::Intersection } else { Penetration::Nearest };
                let vertices = core::array::from_fn(|i| (four[i] + shift) % n);
                let at = |v: u32| positions[v as usize];
                rows.push(measure.row(&pair(kind, number, vertices), 0.01, at, at));
            }
            if twice {
                rows.extend(rows.clone());
            }
            Crowd {
                velocities: vertices.iter().map(|v| v.1).collect(),
                masses: vertices.iter().map(|v| v.2).collect(),
                positions,
                rows,
            }
        })
}

/// Bodies of these meshes, each vertex of the mass given; what has none is driven. Contact is `thickness` thick.
pub fn scene(things: &[(Mesh, f64)], thickness: f64) -> (Arc<System>, State) {
    let mut builder = SystemBuilder::new();
    let mut surfaces = Vec::new();
    for (number, (mesh, mass)) in things.iter().enumerate() {
        builder.body(format!("{number}"));
        let first_vertex = builder.positions().len() as u32;
        for x in &mesh.positions {
            let v = builder.vertex(*x, Vec3::ZERO, if *mass > 0.0 { *mass } else { 1.0 });
            if *mass == 0.0 {
                builder.drive(v);
            }
        }
        surfaces.push(BodySurface { mesh, first_vertex, thickness, radius: 0.0 });
    }
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let options = ContactOptions { step_s: Some(1e-3), ..ContactOptions::default() };
    let (contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
    (Arc::new(with_contact(&system, contact)), state)
}
