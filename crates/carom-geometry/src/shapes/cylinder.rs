//! A closed cylinder: the wall of a tube with a disc on either end.
//!
//! The number of rows is even, so that both discs meet the wall alike.

use super::revolution::Revolution;
use super::{EQUILATERAL_HEIGHT, Rules, ShapeError, steps, tube};
use crate::{Group, Mesh};

/// A closed cylinder about the z axis of the given radius and height, with edges of about `edge`, in m.
///
/// The groups `top` and `bottom` are the two discs, their rims included.
pub fn cylinder(radius: f64, height: f64, edge: f64) -> Result<Mesh, ShapeError> {
    let rules = Rules("cylinder");
    rules.length("radius", radius)?;
    rules.length("height", height)?;
    rules.length("edge", edge)?;
    let (sixth, row) = (core::f64::consts::TAU / 6.0 * radius, EQUILATERAL_HEIGHT * edge);
    let (rings, rows) = ((sixth / edge).max(1.0), (height / row).max(2.0));
    rules.elements("edge", edge, 12.0 * rings * (rings + rows))?;
    let (rings, rows) = (steps(sixth, edge, 1), 2 * steps(height, 2.0 * row, 1));

    let mut surface = Revolution::default();
    let (high, low) = (0.5 * height, -0.5 * height);
    surface.pole(high);
    for k in 1..rings {
        surface.ring(6 * k, radius * k as f64 / rings as f64, high, false);
    }
    tube::wall(&mut surface, radius, height, [6 * rings, rows]);
    for k in (1..rings).rev() {
        surface.ring(6 * k, radius * k as f64 / rings as f64, low, false);
    }
    surface.pole(low);

    let mesh = surface.finish();
    let count = mesh.positions.len() as u32;
    let in_disc = (1 + 3 * rings * (rings + 1)) as u32;
    let groups = vec![Group::new("top", 0..in_disc), Group::new("bottom", count - in_disc..count)];
    Ok(Mesh { groups, ..mesh })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::ruler;
    use core::f64::consts::PI;

    #[test]
    fn a_cylinder_is_a_closed_sphere_of_triangles() {
        let topology = ruler::surface(&cylinder(0.5, 2.0, 0.1).unwrap());
        assert!(topology.is_closed());
        assert_eq!(topology.euler_characteristic(), 2);
    }

    #[test]
    fn its_volume_and_area_converge_to_the_exact_ones() {
        let [coarse, fine] = [0.1, 0.05].map(|edge| cylinder(1.0, 3.0, edge).unwrap());
        assert!(ruler::error_ratio(3.0 * PI, coarse.enclosed_volume(), fine.enclosed_volume()) > 3.5);
        assert!(ruler::error_ratio(8.0 * PI, coarse.area(), fine.area()) > 3.5);
    }

    #[test]
    fn its_top_and_bottom_are_equal_discs_at_half_the_height() {
        let mesh = cylinder(1.0, 3.0, 0.2).unwrap();
        for (name, z) in [("top", 1.5), ("bottom", -1.5)] {
            let group = mesh.group(name).unwrap();
            let all = (0..).zip(&mesh.positions).filter(|(_, p)| p.z == z).map(|(v, _)| v);
            assert_eq!(group.vertices, all.collect::<Vec<u32>>());
        }
    }

    #[test]
    fn its_angles_stay_above_forty_degrees() {
        assert!(ruler::smallest_degrees(&cylinder(1.0, 3.0, 0.1).unwrap()) > 40.0);
    }

    #[test]
    fn bad_arguments_are_named() {
        assert_eq!(cylinder(f64::INFINITY, 1.0, 0.1).unwrap_err().parameter, "radius");
        assert_eq!(cylinder(1.0, 1e9, 1e-3).unwrap_err().parameter, "edge");
    }
}
