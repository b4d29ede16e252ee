//! Which element owns which part of a vertex's mass: `Σ_K T^K = T`.
//!
//! The action of Lew et al. gives every element K its own kinetic energy `T^K` [Lew2003, §2]. Here
//! K is an owner of potentials: a tetrahedron, a triangle, an edge. At each vertex the owners of the
//! highest dimension there (solid before surface before line) share the mass in proportion to their
//! extents. The vertices of an owner are those of its smallest stencil: bending reads the corners of
//! neighbouring triangles, and owns nothing there. A vertex without owner is an element of its own.

use std::collections::BTreeMap;

use carom_math::{Sum, Vec3};
use carom_model::{Owner, Part, System};

use crate::Options;
use crate::random::Random;
use crate::report::{Measurement, Property, Worst};

/// Number of random velocities at which `Σ T^K = T` is checked.
const VELOCITIES: usize = 8;

/// The mass that each element K owns at each of its vertices, in kg.
pub(crate) struct Shares(Vec<Vec<(usize, f64)>>);

pub(crate) fn claim(options: &Options) -> Property {
    Property {
        name: "kinetic energy per element",
        what: "The elements' shares of the kinetic energy add up to all of it: Σ T^K = T.",
        bound: options.bound,
    }
}

pub(crate) fn check(system: &System, options: &Options) -> Measurement {
    let shares = Shares::new(system);
    let details = vec![format!("{} elements, {VELOCITIES} random velocities", shares.0.len())];
    Measurement { residual: defect(system, &shares, options), details }
}

/// The largest `│Σ T^K − T│/T` at random velocities.
fn defect(system: &System, shares: &Shares, options: &Options) -> f64 {
    let mut random = Random::new(options.seed);
    let mut worst = Worst::default();
    for _ in 0..VELOCITIES {
        let velocities: Vec<Vec3> = system.masses.iter().map(|_| random.vector()).collect();
        let kinetic = |(v, m): (usize, f64)| 0.5 * m * velocities[v].length_sq();
        let of_elements =
            shares.0.iter().map(|k| k.iter().copied().map(kinetic).sum::<f64>()).collect::<Sum>();
        let of_all = system.masses.iter().copied().enumerate().map(kinetic).collect::<Sum>();
        worst.see((of_elements.value() - of_all.value()).abs() / of_all.value());
    }
    worst.0
}

impl Shares {
    pub fn new(system: &System) -> Self {
        let elements = elements(system);
        let mut dimension = vec![0; system.vertices()];
        let mut extent = vec![0.0; system.vertices()];
        for (owner, (stencil, _)) in &elements {
            for &v in *stencil {
                dimension[v as usize] = dimension_of(owner).max(dimension[v as usize]);
            }
        }
        let owned = |owner: &Owner, stencil: &[u32]| -> Vec<usize> {
            let highest = |v: &usize| dimension[*v] == dimension_of(owner);
            stencil.iter().map(|&v| v as usize).filter(highest).collect()
        };
        for (owner, (stencil, a)) in &elements {
            for v in owned(owner, stencil) {
                extent[v] += a;
            }
        }
        let of_element = |(owner, (stencil, a)): (&Owner, &(&[u32], f64))| {
            owned(owner, stencil).into_iter().map(|v| (v, system.masses[v] * a / extent[v])).collect()
        };
        let mut shares: Vec<Vec<(usize, f64)>> = elements.iter().map(of_element).collect();
        let alone = (0..system.vertices()).filter(|&v| dimension[v] == 0);
        shares.extend(alone.map(|v| vec![(v, system.masses[v])]));
        Self(shares)
    }

    /// `Σ_K m^K` at each vertex, in kg.
    pub fn masses(&self, vertices: usize) -> Vec<f64> {
        let mut masses = vec![0.0; vertices];
        for &(v, m) in self.0.iter().flatten() {
            masses[v] += m;
        }
        masses
    }
}

/// The smallest stencil of each owner, and the extent that goes with it.
fn elements(system: &System) -> BTreeMap<Owner, (&[u32], f64)> {
    let mut elements: BTreeMap<Owner, (&[u32], f64)> = BTreeMap::new();
    for family in &system.families {
        for e in 0..family.len() {
            let new = (family.stencil(e), family.extent(e));
            let smallest = elements.entry(family.owner(e)).or_insert(new);
            if new.0.len() < smallest.0.len() {
                *smallest = new;
            }
        }
    }
    elements
}

fn dimension_of(owner: &Owner) -> u32 {
    match owner.part {
        Part::Cell(_) => 5,
        Part::Face(_) => 4,
        Part::Edge(_) => 3,
        Part::Other(_) => 2,
        Part::Vertex(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{ladder, pinned_ladder};
    use carom_time::Clocks;

    #[test]
    fn the_shares_of_springs_add_up_and_a_weight_owns_nothing_beside_them() {
        for (system, _) in [ladder(Clocks::Dyadic), pinned_ladder(Clocks::Dyadic)] {
            assert!(check(&system, &Options::default()).residual < 1e-15);
        }
        let (system, _) = pinned_ladder(Clocks::Dyadic);
        assert!(Shares::new(&system).0.iter().any(Vec::is_empty));
    }

    #[test]
    fn shares_that_leave_a_gram_out_are_refused() {
        let (system, _) = ladder(Clocks::Dyadic);
        let mut shares = Shares::new(&system);
        shares.0[2][0].1 -= 1e-3;
        assert!(defect(&system, &shares, &Options::default()) > 1e-5);
    }
}
