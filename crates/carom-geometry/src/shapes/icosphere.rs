//! A sphere from an icosahedron: 20 `f²` near-equilateral triangles at frequency `f`.

use super::icosahedron::{FACES, Lattice};
use super::{Rules, ShapeError, steps};
use crate::Mesh;

/// The mean edge is that of equilateral triangles with the area of the sphere: `√(4π/(5√3)) / f` radii.
const MEAN_EDGE: f64 = 1.204_6;

/// A sphere in 20 · `frequency`² triangles: every edge of an icosahedron is divided into `frequency`.
pub fn icosphere(radius: f64, frequency: usize) -> Result<Mesh, ShapeError> {
    let rules = Rules("icosphere");
    rules.length("radius", radius)?;
    rules.count("frequency", frequency, 1)?;
    rules.elements("frequency", frequency as f64, 20.0 * (frequency as f64).powi(2))?;
    Ok(build(radius, frequency as u32))
}

/// A sphere with edges of about `edge`, in m.
pub fn sphere(radius: f64, edge: f64) -> Result<Mesh, ShapeError> {
    let rules = Rules("sphere");
    rules.length("radius", radius)?;
    rules.length("edge", edge)?;
    rules.elements("edge", edge, 20.0 * (MEAN_EDGE * radius / edge).powi(2))?;
    Ok(build(radius, steps(MEAN_EDGE * radius, edge, 1) as u32))
}

fn build(radius: f64, f: u32) -> Mesh {
    let lattice = Lattice::new(f);
    let positions = lattice.positions().iter().map(|p| *p * radius).collect();
    let mut mesh = Mesh { positions, ..Mesh::default() };
    for face in 0..FACES.len() {
        let vertex = |a, b| lattice.number(face, [a, b, f - a - b]);
        for a in 0..f {
            for b in 0..f - a {
                mesh.triangles.push([vertex(a, b), vertex(a + 1, b), vertex(a, b + 1)]);
                if a + b + 1 < f {
                    mesh.triangles.push([vertex(a + 1, b), vertex(a + 1, b + 1), vertex(a, b + 1)]);
                }
            }
        }
    }
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::area_normal;
    use crate::shapes::ruler;
    use core::f64::consts::PI;

    #[test]
    fn a_sphere_is_closed_faces_outward_and_has_twenty_triangles_per_frequency_squared() {
        for f in [1, 2, 3, 7] {
            let mesh = icosphere(2.0, f).unwrap();
            let topology = ruler::surface(&mesh);
            assert!(topology.is_closed());
            assert_eq!(topology.euler_characteristic(), 2);
            assert_eq!(mesh.triangles.len(), 20 * f * f);
            assert!(mesh.enclosed_volume() > 0.0);
        }
    }

    #[test]
    fn its_area_and_volume_converge_with_the_square_of_the_edge() {
        let [coarse, fine] = [16, 32].map(|f| icosphere(1.0, f).unwrap());
        assert!((ruler::error_ratio(4.0 * PI, coarse.area(), fine.area()) - 4.0).abs() < 0.05);
        let (v0, v1) = (coarse.enclosed_volume(), fine.enclosed_volume());
        assert!((ruler::error_ratio(4.0 / 3.0 * PI, v0, v1) - 4.0).abs() < 0.05);
    }

    #[test]
    fn its_triangles_are_nearly_equilateral_and_nearly_equal() {
        let mesh = icosphere(1.0, 20).unwrap();
        assert!(ruler::smallest_degrees(&mesh) > 50.0);
        let areas = || mesh.triangles.iter().map(|t| area_normal(mesh.corners(t)).length());
        assert!(areas().fold(0.0, f64::max) < 1.25 * areas().fold(1.0, f64::min));
    }

    #[test]
    fn a_sphere_by_edge_has_edges_of_that_length() {
        let mesh = sphere(0.5, 0.02).unwrap();
        let mean = (mesh.area() / mesh.triangles.len() as f64 / (0.75_f64.sqrt() / 2.0)).sqrt();
        assert!((mean / 0.02 - 1.0).abs() < 0.02, "{mean}");
    }

    #[test]
    fn bad_arguments_are_named() {
        assert_eq!(icosphere(1.0, 0).unwrap_err().parameter, "frequency");
        assert_eq!(icosphere(1.0, 1_000_000).unwrap_err().parameter, "frequency");
        assert_eq!(sphere(1.0, 1e-9).unwrap_err().parameter, "edge");
        assert_eq!(sphere(f64::NAN, 0.1).unwrap_err().parameter, "radius");
    }
}
