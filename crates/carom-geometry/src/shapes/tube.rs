//! An open tube: the wall of a cylinder, in near-equilateral triangles.
//!
//! Every other ring is rotated by half a step.

use super::revolution::Revolution;
use super::{EQUILATERAL_HEIGHT, Rules, ShapeError, steps};
use crate::{Group, Mesh};

/// A tube about the z axis of the given radius and height, with edges of about `edge`, in m.
pub fn tube(radius: f64, height: f64, edge: f64) -> Result<Mesh, ShapeError> {
    let rules = Rules("tube");
    rules.length("radius", radius)?;
    rules.length("height", height)?;
    rules.length("edge", edge)?;
    let around = core::f64::consts::TAU * radius;
    let row = EQUILATERAL_HEIGHT * edge;
    rules.elements("edge", edge, 2.0 * (around / edge).max(3.0) * (height / row).max(1.0))?;

    let mut tube = Revolution::default();
    wall(&mut tube, radius, height, [steps(around, edge, 3), steps(height, row, 1)]);
    let bottom = Group::new("bottom", tube.last_ring());
    let top = Group::new("top", 0..bottom.vertices.len() as u32);
    Ok(Mesh { groups: vec![top, bottom], ..tube.finish() })
}

/// Lays the wall from the top ring to the bottom one.
pub(super) fn wall(surface: &mut Revolution, radius: f64, height: f64, [around, rows]: [usize; 2]) {
    for row in 0..=rows {
        let z = height * (0.5 - row as f64 / rows as f64);
        surface.ring(around, radius, z, row % 2 == 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::ruler;
    use core::f64::consts::PI;

    #[test]
    fn a_tube_is_sound_has_two_rims_and_faces_outward() {
        let mesh = tube(0.3, 2.0, 0.1).unwrap();
        let topology = ruler::surface(&mesh);
        assert_eq!(topology.euler_characteristic(), 0);
        let [top, bottom] = ["top", "bottom"].map(|name| mesh.group(name).unwrap().vertices.clone());
        assert_eq!(topology.boundary_vertices, [top, bottom].concat());
        for t in &mesh.triangles {
            let corners = mesh.corners(t);
            assert!(
                crate::mesh::area_normal(corners).dot(corners[0].scaled_by([1.0, 1.0, 0.0].into())) > 0.0
            );
        }
    }

    #[test]
    fn its_triangles_are_nearly_equilateral_and_its_area_converges() {
        let [coarse, fine] = [0.1, 0.05].map(|edge| tube(1.0, 3.0, edge).unwrap());
        assert!(ruler::smallest_degrees(&fine) > 58.0);
        assert!(ruler::error_ratio(6.0 * PI, coarse.area(), fine.area()) > 3.5);
    }

    #[test]
    fn a_tube_of_no_height_is_refused_and_a_coarse_one_is_a_prism() {
        assert_eq!(tube(1.0, 0.0, 0.1).unwrap_err().parameter, "height");
        assert_eq!(tube(1.0, 1.0, 1e-6).unwrap_err().parameter, "edge");
        assert_eq!(tube(1.0, 1.0, 50.0).unwrap().triangles.len(), 6);
    }
}
