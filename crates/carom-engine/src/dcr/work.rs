//! What a projection does to the energy.
//!
//! Putting vertices elsewhere changes the potential energy by `ΔV`, and the forces with which the corrector ends the step by `ΔF`. Newmark's
//! step keeps `T + V − h²/8 aᵀMa` where forces are linear; with the force at the new place instead of the old one that changes by
//!
//! `ΔV + h/2 wᵀ ΔF`, w the velocity of the flight: the first term is potential, the second ends up as kinetic energy.
//!
//! Only potentials that read a moved vertex change.

use carom_math::{Sum, Vec3};
use carom_model::System;

/// The flight that a projection ends.
pub struct StraightMotion<'a> {
    /// Velocity of each vertex, in m/s.
    pub velocities: &'a [Vec3],
    /// How long it was, in s.
    pub step_s: f64,
}

/// What a projection does to the energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// `ΔV`, in J.
    pub potential_j: f64,
    /// `h/2 wᵀ ΔF`, in J.
    pub kinetic_j: f64,
}

/// Which potentials read each vertex.
pub struct Readers {
    /// For vertex `v`, its part of `potentials` is from `first[v]` to `first[v + 1]`.
    first: Vec<u32>,
    /// Family and element.
    potentials: Vec<(u32, u32)>,
}

impl Readers {
    /// The readers of every vertex of `system`.
    pub fn new(system: &System) -> Self {
        let mut first = vec![0_u32; system.vertices() + 1];
        for family in &system.families {
            (0..family.len()).flat_map(|e| family.stencil(e)).for_each(|v| first[*v as usize + 1] += 1);
        }
        for v in 1..first.len() {
            first[v] += first[v - 1];
        }
        let mut next = first.clone();
        let mut potentials = vec![(0, 0); first.last().map_or(0, |n| *n as usize)];
        for (f, family) in (0..).zip(&system.families) {
            for e in 0..family.len() {
                for &v in family.stencil(e) {
                    potentials[next[v as usize] as usize] = (f, e as u32);
                    next[v as usize] += 1;
                }
            }
        }
        Self { first, potentials }
    }

    /// What putting the vertices `moved` from `before` to `after` does to the energy, if no others differ.
    pub fn work(
        &self,
        system: &System,
        moved: &[u32],
        [before, after]: [&[Vec3]; 2],
        motion: &StraightMotion,
    ) -> Work {
        let of_vertex = |v: &u32| {
            &self.potentials[self.first[*v as usize] as usize..self.first[*v as usize + 1] as usize]
        };
        let mut affected: Vec<(u32, u32)> = moved.iter().flat_map(of_vertex).copied().collect();
        affected.sort_unstable();
        affected.dedup();
        let (mut potential, mut kinetic) = (Sum::default(), Sum::default());
        let (mut x, mut gradient) = (Vec::new(), Vec::new());
        for (f, e) in affected {
            let (family, e) = (&system.families[f as usize], e as usize);
            let stencil = family.stencil(e);
            gradient.resize(stencil.len(), Vec3::ZERO);
            for (at, sign) in [(before, -1.0), (after, 1.0)] {
                x.clear();
                x.extend(stencil.iter().map(|v| at[*v as usize]));
                potential.add(sign * family.energy(e, &x));
                family.gradient(e, &x, &mut gradient);
                for (&v, g) in stencil.iter().zip(&gradient).filter(|(v, _)| !system.is_held(**v as usize)) {
                    kinetic.add(-0.5 * motion.step_s * sign * g.dot(motion.velocities[v as usize]));
                }
            }
        }
        Work { potential_j: potential.value(), kinetic_j: kinetic.value() }
    }
}
