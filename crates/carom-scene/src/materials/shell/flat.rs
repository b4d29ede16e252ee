//! Bending for sheets that are flat at rest, on a sheet that is not.

use carom_elastic::BendingHinge;
use carom_elastic::registry::{Bending, choices};
use carom_geometry::{Mesh, Topology};

use super::ShellMaterial;
use crate::at::Span;
use crate::report::Problem;

/// The largest angle at which an edge counts as flat, in radians: a file in single precision puts the corners of a mesh a
/// thousand edges wide off by 6e-5 of an edge.
const FLAT_RAD: f64 = 1e-4;

/// The problem with bending that only sheets have that are flat at rest, if this is no such sheet. The material is written at `span`.
pub fn problem(shell: &ShellMaterial, mesh: &Mesh, span: &Span) -> Option<Problem> {
    let bending = shell.bending.get().filter(|bending| bending.is_for_flat_sheets)?;
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
            "{} bending is for sheets that are flat at rest, and at the edge between vertices {a} and {b} this one is bent by \
             {degrees:.3}°",
            bending.name
        );
        let others = choices::<Bending>().filter(|(_, other)| !other.is_for_flat_sheets);
        let others: Vec<String> = others.map(|(_, other)| format!("\"{}\"", other.name)).collect();
        Problem::new(span, message).help(format!("take bending = {}", others.join(" or ")))
    })
}
