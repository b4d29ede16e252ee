//! What pins and obstacles answer.

use carom_math::Vec3;

/// The impulse with which a pin or an obstacle answers `sum`: its opposite along the axes without inverse mass.
pub(crate) fn held_back(sum: Vec3, inverse_mass: Vec3) -> Vec3 {
    let held = |w: f64, j: f64| if w == 0.0 { -j } else { 0.0 };
    Vec3::new(held(inverse_mass.x, sum.x), held(inverse_mass.y, sum.y), held(inverse_mass.z, sum.z))
}
