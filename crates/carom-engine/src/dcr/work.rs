//! The work of moving positions: the change of potential energy where vertices were put elsewhere.
//!
//! Only potentials that read a moved vertex change.

use carom_math::{Sum, Vec3};
use carom_model::System;

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

    /// Change of the potential energy from `before` to `after`, in J, if only the vertices `moved` differ.
    pub fn work(&self, system: &System, moved: &[u32], before: &[Vec3], after: &[Vec3]) -> f64 {
        let of_vertex = |v: &u32| &self.potentials[self.first[*v as usize] as usize..self.first[*v as usize + 1] as usize];
        let mut reached: Vec<(u32, u32)> = moved.iter().flat_map(of_vertex).copied().collect();
        reached.sort_unstable();
        reached.dedup();
        let mut work = Sum::default();
        let mut x = Vec::new();
        for (f, e) in reached {
            let family = &system.families[f as usize];
            let mut energy = |at: &[Vec3]| {
                x.clear();
                x.extend(family.stencil(e as usize).iter().map(|v| at[*v as usize]));
                family.energy(e as usize, &x)
            };
            work.add(energy(after) - energy(before));
        }
        work.value()
    }
}
