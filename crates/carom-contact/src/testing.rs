//! Small scenes for tests: things without potentials, at rest.

use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::{Axes, ClockOptions, State, System, SystemBuilder};

use crate::{BodySurface, ContactOptions, tune_contact, with_contact};

/// Something to touch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thing {
    pub mesh: Mesh,
    pub radius: f64,
    pub is_held: bool,
}

/// Two triangles with a common edge of length `size`, its third corners at either side.
pub(crate) fn sheet(size: f64) -> Thing {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let positions = corners.map(|x| Vec3::from(x) * size).to_vec();
    Thing {
        mesh: Mesh { positions, triangles: vec![[0, 1, 2], [1, 3, 2]], ..Mesh::default() },
        ..Thing::default()
    }
}

/// A rod along x.
pub(crate) fn rod(vertices: u32, edge: f64, radius: f64) -> Thing {
    let positions = (0..vertices).map(|i| Vec3::X * (edge * f64::from(i))).collect();
    let edges = (1..vertices).map(|i| [i - 1, i]).collect();
    Thing { mesh: Mesh { positions, edges, ..Mesh::default() }, radius, is_held: false }
}

/// Points.
pub(crate) fn points(positions: &[Vec3], radius: f64) -> Thing {
    Thing { mesh: Mesh { positions: positions.to_vec(), ..Mesh::default() }, radius, is_held: false }
}

/// A scene of these things, of one thickness, with so many layers.
pub(crate) fn scene(things: &[Thing], thickness: f64, max_layers: u32) -> (System, State) {
    let mut builder = SystemBuilder::new();
    let mut surfaces = Vec::new();
    for (number, Thing { mesh, radius, is_held }) in things.iter().enumerate() {
        builder.body(format!("thing {number}"));
        let first_vertex = builder.positions().len() as u32;
        for x in &mesh.positions {
            let v = builder.vertex(*x, Vec3::ZERO, 1.0);
            if *is_held {
                builder.pin(v, Axes::ALL);
            }
        }
        surfaces.push(BodySurface { mesh, first_vertex, thickness, radius: *radius });
    }
    let (system, state) = builder.build(&ClockOptions::default()).unwrap();
    let options = ContactOptions { step_s: Some(1e-3), max_layers, ..ContactOptions::default() };
    let (contact, _) = tune_contact(&system, &state, &surfaces, &options).unwrap();
    (with_contact(&system, contact), state)
}
