//! What the tests of all shapes measure with.

use crate::quality::smallest_angle;
use crate::soundness::check;
use crate::topology::{Topology, boundary_of_tets};
use crate::{Defect, Mesh};

/// Asserts a sound surface with consistent normals, and returns its topology.
pub fn surface(mesh: &Mesh) -> Topology {
    assert_eq!(check(mesh), [], "a shape is sound");
    let topology = Topology::new(&mesh.triangles).unwrap();
    assert!(topology.is_oriented());
    topology
}

/// Asserts a sound solid whose skin is one closed sphere with the volume of the tetrahedra inside.
pub fn solid(mesh: &Mesh) -> Mesh {
    assert_eq!(check(mesh), [], "a shape is sound");
    let skin = Mesh { triangles: boundary_of_tets(&mesh.tets), ..mesh.clone() };
    let topology = Topology::new(&skin.triangles).unwrap();
    assert!(topology.is_closed() && topology.is_oriented());
    assert_eq!(topology.euler_characteristic(), 2);
    assert!((skin.enclosed_volume() - mesh.volume()).abs() < 1e-12 * mesh.volume());
    skin
}

/// The smallest angle of all triangles, in degrees.
pub fn smallest_degrees(mesh: &Mesh) -> f64 {
    smallest_angle(mesh).to_degrees()
}

/// By what factor the error of `measure` falls when the shape has `n` times finer elements.
pub fn error_ratio(exact: f64, coarse: f64, fine: f64) -> f64 {
    (coarse - exact).abs() / (fine - exact).abs()
}

#[test]
fn the_ruler_refuses_a_flipped_triangle() {
    let mut mesh = super::disc(1.0, 0.5).unwrap();
    mesh.triangles[3].swap(0, 1);
    assert!(matches!(check(&mesh)[..], [Defect::Misoriented { .. }]));
    assert!(std::panic::catch_unwind(|| surface(&mesh)).is_err());
}
