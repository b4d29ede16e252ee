//! How long a step each element can bear.
//!
//! An element of extent `a` (area, length, volume) owns at each of its vertices the part `a/Σa` of
//! the mass, summed over the elements of its own kind there. Kinds do not share: the bending of a
//! shell keeps its slow clock beside the fast membrane, and a soft element its slow clock beside
//! a stiff one.

use carom_math::Vec3;

use crate::Family;

/// The stability limit of each element alone, in s, with its share of the masses.
#[must_use]
pub fn element_limits_s(family: &dyn Family, positions: &[Vec3], masses: &[f64]) -> Vec<f64> {
    let mut extent_at = vec![0.0; positions.len()];
    for e in 0..family.len() {
        for &v in family.stencil(e) {
            extent_at[v as usize] += family.extent(e);
        }
    }
    let (mut x, mut share) = (Vec::new(), Vec::new());
    (0..family.len())
        .map(|e| {
            let stencil = family.stencil(e);
            x.clear();
            x.extend(stencil.iter().map(|&v| positions[v as usize]));
            share.clear();
            share.extend(
                stencil.iter().map(|&v| masses[v as usize] * family.extent(e) / extent_at[v as usize]),
            );
            family.stable_step(e, &x, &share)
        })
        .collect()
}
