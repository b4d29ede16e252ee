//! The Scordelis-Lo roof: a cylindrical shell on two end diaphragms, under its weight.
//!
//! | | |
//! | --- | --- |
//! | Setting | radius 25, length 50, half angle 40°, thickness 0.25, `E = 4.32e8`, `ν = 0`, 90 per area downward; the whole roof, near-equilateral triangles |
//! | Measured | vertical displacement at the middle of a free edge, at rest |
//! | Source | 0.3024 [MacNeal1985, Scordelis-Lo roof]; converged shells give 0.3006 to 0.3024 |
//!
//! The reference is linear, the engine is not, and the full load moves the edge by more than the thickness: a hundredth of
//! the load is taken, and the displacement a hundred times.
//!
//! The diaphragms hold the ends across the axis and let them rotate. One vertex is held along the axis, where no force acts.

use carom_elastic::ShellMaterial;
use carom_geometry::{Mesh, shapes};
use carom_math::Vec3;
use carom_model::Axes;

use super::Effort;
use super::report::{Point, Series, Study};
use super::shells::{ROW, Shell};

const RADIUS: f64 = 25.0;
const LENGTH: f64 = 50.0;
const HALF_ANGLE: f64 = 40.0 / 180.0 * core::f64::consts::PI;
const MATERIAL: ShellMaterial = ShellMaterial { young: 4.32e8, poisson: 0.0, thickness: 0.25 };
const WEIGHT: f64 = 90.0;
const EXPECTED: f64 = 0.3024;

/// Part of the load that is taken.
const PART: f64 = 0.01;

pub fn studies(effort: Effort) -> Vec<Study> {
    let (edges, tolerance): (&[u32], f64) =
        if effort == Effort::Quick { (&[12], 0.12) } else { (&[8, 16, 32], 0.05) };
    let point = |&n: &u32| Point {
        mesh: format!("{n} edges along the arc"),
        size: 1.0 / f64::from(n),
        ours: deflection(n),
    };
    vec![Study {
        title: "Scordelis-Lo roof",
        setting: format!(
            "R = 25, L = 50, 2 × 40°, t = 0.25, E = 4.32e8, ν = 0, {WEIGHT} per area, of which {PART} is taken; neo-Hookean membranes and \
             mid-edge bending; the whole roof, relaxed to a residual of {TOLERANCE:e}."
        ),
        source: "MacNeal and Harder 1985; converged shells give 0.3006 to 0.3024",
        size: "edge over arc",
        series: vec![Series {
            what: "edge, downward".into(),
            expected: EXPECTED,
            tolerance: Some(tolerance),
            order: None,
            points: edges.iter().map(point).collect(),
        }],
    }]
}

const TOLERANCE: f64 = 1e-6;

/// How far the middle of a free edge goes down, scaled to the whole load.
fn deflection(edges: u32) -> f64 {
    let mut shell = Shell::new(mesh(edges), &MATERIAL);
    let at_end = |p: Vec3| (p.y.abs() - 0.5 * LENGTH).abs() < 1e-9;
    shell.pin(Axes { x: true, y: false, z: true }, at_end);
    let crown = shell.mesh.positions[shell.nearest(Vec3::Z * RADIUS) as usize];
    shell.pin(Axes { x: false, y: true, z: false }, |p| p == crown);
    shell.load_per_area(Vec3::Z * (-PART * WEIGHT));
    let edge = shell.nearest(Vec3::new(HALF_ANGLE.sin(), 0.0, HALF_ANGLE.cos()) * RADIUS) as usize;
    let before = shell.mesh.positions[edge].z;
    (before - shell.at_rest(TOLERANCE)[edge].z) / PART
}

/// The roof, its axis along y, in an even number of rows: one of them lies in the middle.
fn mesh(edges: u32) -> Mesh {
    let arc = 2.0 * HALF_ANGLE * RADIUS;
    let edge = arc / f64::from(edges);
    let rows = 4.0 * (LENGTH / (ROW * edge) / 4.0).round();
    // The height is made to fit the rows, and set right below.
    let mut mesh = shapes::grid(arc, rows * ROW * edge, edge).expect("a sheet");
    for p in &mut mesh.positions {
        let angle = p.x / RADIUS;
        *p = Vec3::new(RADIUS * angle.sin(), p.y * LENGTH / (rows * ROW * edge), RADIUS * angle.cos());
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roof_has_a_vertex_in_the_middle_of_its_free_edge() {
        let shell = Shell::new(mesh(8), &MATERIAL);
        let wanted = Vec3::new(HALF_ANGLE.sin(), 0.0, HALF_ANGLE.cos()) * RADIUS;
        let found = shell.mesh.positions[shell.nearest(wanted) as usize];
        assert!((found - wanted).length() < 1e-9, "{found:?}");
    }
}
