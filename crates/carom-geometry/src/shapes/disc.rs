//! A flat disc of concentric rings: ring k has 6 k vertices.
//!
//! Its edges are about as long as the rings are wide, and no angle is below 40°.

use super::revolution::Revolution;
use super::{Rules, ShapeError, steps};
use crate::{Group, Mesh};

/// A disc of the given radius with edges of about `edge`, in m.
pub fn disc(radius: f64, edge: f64) -> Result<Mesh, ShapeError> {
    let rules = Rules("disc");
    rules.length("radius", radius)?;
    rules.length("edge", edge)?;
    let rings = radius / edge;
    rules.elements("edge", edge, 6.0 * rings * rings)?;
    let rings = steps(radius, edge, 1);

    let mut disc = Revolution::default();
    disc.pole(0.0);
    for k in 1..=rings {
        disc.ring(6 * k, radius * k as f64 / rings as f64, 0.0, false);
    }
    let rim = Group::new("rim", disc.last_ring());
    Ok(Mesh { groups: vec![Group::new("centre", [0]), rim], ..disc.finish() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::ruler;
    use carom_math::Vec3;
    use core::f64::consts::PI;

    #[test]
    fn a_disc_is_sound_faces_up_and_has_six_triangles_per_ring_squared() {
        let mesh = disc(2.0, 0.25).unwrap();
        let topology = ruler::surface(&mesh);
        assert_eq!(topology.euler_characteristic(), 1);
        assert_eq!(mesh.triangles.len(), 6 * 8 * 8);
        assert_eq!(topology.boundary_vertices, mesh.group("rim").unwrap().vertices);
        let up = crate::mesh::area_normal(mesh.corners(&mesh.triangles[100]));
        assert!(up.dot(Vec3::Z) > 0.0);
    }

    #[test]
    fn its_area_converges_to_the_exact_one_with_the_square_of_the_edge() {
        let [coarse, fine] = [0.1, 0.05].map(|edge| disc(1.0, edge).unwrap().area());
        assert!(fine < PI && PI - fine < 2e-3);
        assert!((ruler::error_ratio(PI, coarse, fine) - 4.0).abs() < 0.01);
    }

    #[test]
    fn no_angle_is_below_forty_degrees() {
        for edge in [1.0, 0.5, 0.1, 0.02] {
            assert!(ruler::smallest_degrees(&disc(1.0, edge).unwrap()) > 40.0);
        }
    }

    #[test]
    fn a_bad_argument_is_named_with_its_value_and_the_bound() {
        let message = |radius, edge| disc(radius, edge).unwrap_err().to_string();
        assert_eq!(message(-1.0, 0.1), "disc: radius is -1; it must be a length between 1e-100 and 1e100");
        assert_eq!(message(1.0, f64::NAN), "disc: edge is NaN; it must be a length between 1e-100 and 1e100");
        assert!(message(1.0, 1e-9).starts_with("disc: edge is 0.000000001; it must be such that"));
    }
}
