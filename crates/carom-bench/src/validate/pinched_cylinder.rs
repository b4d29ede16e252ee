//! A cylinder on end diaphragms, pinched by two opposite forces.
//!
//! | | |
//! | --- | --- |
//! | Setting | radius 300, length 600, thickness 3, `E = 3e6`, `ν = 0.3`, two forces of 1 in the middle; the whole cylinder, near-equilateral triangles |
//! | Measured | displacement under a force, at rest |
//! | Source | 1.8248e-5 [Belytschko1985, pinched cylinder] |
//!
//! The reference is linear; forces are taken 2,000 times as large, which moves the wall by 1.2 % of its thickness, so that
//! rounding (`E t` times the last bit of a coordinate) is small against them.

use core::f64::consts::TAU;

use carom_elastic::ShellMaterial;
use carom_geometry::Mesh;
use carom_math::Vec3;
use carom_model::Axes;

use super::Effort;
use super::report::{Point, Series, Study};
use super::shells::{ROW, Shell};

const RADIUS: f64 = 300.0;
const LENGTH: f64 = 600.0;
const MATERIAL: ShellMaterial = ShellMaterial { young: 3e6, poisson: 0.3, thickness: 3.0 };
const EXPECTED: f64 = 1.8248e-5;

/// Factor by which the force of the problem is multiplied.
const TIMES: f64 = 2000.0;

const TOLERANCE: f64 = 1e-6;

pub fn studies(effort: Effort) -> Vec<Study> {
    let (edges, tolerance): (&[u32], f64) =
        if effort == Effort::Quick { (&[32], 0.25) } else { (&[60, 120, 240], 0.05) };
    let point = |&n: &u32| Point {
        mesh: format!("{} edges in a quarter", n / 4),
        size: 1.0 / f64::from(n),
        // In millionths: the report shows five digits behind the point.
        ours: 1e6 * deflection(n),
    };
    vec![Study {
        title: "Pinched cylinder with end diaphragms",
        setting: format!(
            "R = 300, L = 600, t = 3, E = 3e6, ν = 0.3, two forces of 1 taken {TIMES} times; neo-Hookean membranes and mid-edge \
             bending; the whole cylinder, relaxed to a residual of {TOLERANCE:e}."
        ),
        source: "Belytschko et al. 1985, 1.8248e-5",
        size: "edge over circumference",
        series: vec![Series {
            what: "under the force, × 10⁶".into(),
            expected: 1e6 * EXPECTED,
            tolerance: Some(tolerance),
            order: None,
            points: edges.iter().map(point).collect(),
        }],
    }]
}

/// Deflection of the wall under a force of 1.
fn deflection(around: u32) -> f64 {
    let mut shell = Shell::new(mesh(around), &MATERIAL);
    let at_end = |p: Vec3| (p.y.abs() - 0.5 * LENGTH).abs() < 1e-9;
    shell.pin(Axes { x: true, y: false, z: true }, at_end);
    let [top, bottom] = [1.0, -1.0].map(|side| shell.nearest(Vec3::Z * (side * RADIUS)));
    let side = shell.mesh.positions[shell.nearest(Vec3::X * RADIUS) as usize];
    shell.pin(Axes { x: false, y: true, z: false }, |p| p == side);
    shell.load(top, Vec3::Z * -TIMES);
    shell.load(bottom, Vec3::Z * TIMES);
    let before = shell.mesh.positions[top as usize].z;
    (before - shell.at_rest(TOLERANCE)[top as usize].z) / TIMES
}

/// The cylinder along y: rows of `around` vertices, every other row half an edge further round.
fn mesh(around: u32) -> Mesh {
    let edge = TAU * RADIUS / f64::from(around);
    let rows = 4 * (LENGTH / (ROW * edge) / 4.0).round() as u32;
    let mut mesh = Mesh::default();
    for j in 0..=rows {
        let y = LENGTH * (f64::from(j) / f64::from(rows) - 0.5);
        for i in 0..around {
            let angle = TAU * (f64::from(i) + 0.5 * f64::from(j % 2)) / f64::from(around);
            mesh.positions.push(Vec3::new(RADIUS * angle.sin(), y, RADIUS * angle.cos()));
        }
    }
    for j in 0..rows {
        let at = |j: u32, i: u32| j * around + i % around;
        for i in 0..around {
            // The row with the shift has its vertices after those of the other.
            let (next, same) = if j % 2 == 0 { (i + 1, i) } else { (i + 1, i + 1) };
            mesh.triangles.push([at(j, i), at(j, next), at(j + 1, same)]);
            mesh.triangles.push([at(j, next), at(j + 1, same + 1), at(j + 1, same)]);
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::Topology;
    use carom_geometry::mesh::area_normal;

    #[test]
    fn the_cylinder_is_closed_round_near_equilateral_and_has_vertices_under_the_forces() {
        let mesh = mesh(32);
        let topology = Topology::new(&mesh.triangles).unwrap();
        assert_eq!(topology.boundary_vertices.len(), 64);
        for t in &mesh.triangles {
            let [a, b, c] = mesh.corners(t);
            let sides = [(b - a).length(), (c - b).length(), (a - c).length()];
            let ratio = sides.iter().copied().fold(0.0, f64::max) / sides.iter().copied().fold(1e9, f64::min);
            assert!(ratio < 1.15, "{ratio}");
            let normal = area_normal([a, b, c]);
            assert!(
                normal.dot(Vec3::new(a.x, 0.0, a.z))
                    * area_normal(mesh.corners(&mesh.triangles[0])).dot(Vec3::Z)
                    > 0.0
            );
        }
        assert!(mesh.positions.contains(&Vec3::new(0.0, 0.0, RADIUS)));
    }
}
