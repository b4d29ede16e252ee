//! How well shaped elements are.
//!
//! | measure | best | worst |
//! | --- | --- | --- |
//! | smallest angle of a triangle | 60° | 0 |
//! | shape of a tetrahedron, `6√2 V / ℓ³` with `ℓ` the root mean square of its edges | 1 (regular) | 0 (flat), negative (inverted) |
//!
//! The time step of an explicit run follows its worst element, so shapes promise a bound on both.

use carom_math::{Real, Vec3};

use crate::mesh::{Mesh, signed_volume};

/// The angles of a triangle at its three corners, in radians; zero where it has no area.
#[must_use]
pub fn angles([a, b, c]: [Vec3; 3]) -> [f64; 3] {
    let at = |apex: Vec3, p: Vec3, q: Vec3| {
        let (u, v) = (p - apex, q - apex);
        Real::atan2(u.cross(v).length(), u.dot(v))
    };
    [at(a, b, c), at(b, c, a), at(c, a, b)]
}

/// The smallest angle of all triangles, in radians; π if there are none.
#[must_use]
pub fn smallest_angle(mesh: &Mesh) -> f64 {
    mesh.triangles.iter().flat_map(|t| angles(mesh.corners(t))).fold(core::f64::consts::PI, f64::min)
}

/// The shape of a tetrahedron: 1 if regular, 0 if flat, negative if inverted.
#[must_use]
pub fn tet_shape(corners: [Vec3; 4]) -> f64 {
    let [a, b, c, d] = corners;
    let sum_sq: f64 = [b - a, c - a, d - a, c - b, d - b, d - c].iter().map(|e| e.length_sq()).sum();
    let mean_sq = sum_sq / 6.0;
    if mean_sq == 0.0 {
        return 0.0;
    }
    6.0 * core::f64::consts::SQRT_2 * signed_volume(corners) / (mean_sq * mean_sq.sqrt())
}

/// The worst shape of all tetrahedra; 1 if there are none.
#[must_use]
pub fn worst_tet_shape(mesh: &Mesh) -> f64 {
    mesh.tets.iter().map(|t| tet_shape(mesh.corners(t))).fold(1.0, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_angles_of_a_triangle_add_up_to_half_a_turn() {
        let corners = [Vec3::ZERO, Vec3::new(2.0, 0.1, 0.3), Vec3::new(-0.4, 1.0, 5.0)];
        let total: f64 = angles(corners).iter().sum();
        assert!((total - core::f64::consts::PI).abs() < 1e-15);
    }

    #[test]
    fn a_regular_tet_has_shape_one_its_mirror_image_minus_one_and_a_flat_one_zero() {
        let p = [(1.0, 1.0, 1.0), (1.0, -1.0, -1.0), (-1.0, 1.0, -1.0), (-1.0, -1.0, 1.0)];
        let [a, b, c, d] = p.map(|(x, y, z)| Vec3::new(x, y, z));
        assert!((tet_shape([a, c, b, d]).abs() - 1.0).abs() < 1e-15);
        assert_eq!(tet_shape([a, b, c, d]), -tet_shape([a, c, b, d]));
        assert_eq!(tet_shape([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y]), 0.0);
        assert_eq!(tet_shape([a; 4]), 0.0);
    }
}
