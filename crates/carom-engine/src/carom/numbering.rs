//! The engine's own numbering of vertices.

use carom_model::System;

/// The numbering of an engine against that of its system.
pub struct Numbering {
    /// The number in the system of each vertex of the engine.
    pub names: Vec<u32>,
    /// The number in the engine of each vertex of the system.
    pub renumbered: Vec<u32>,
}

impl Numbering {
    /// Vertices sorted by the shortest step of the potentials that read them, then in the order in which potentials first do: what is
    /// computed together lies together.
    pub fn in_order_of_use(system: &System) -> Self {
        let mut shortest = vec![u64::MAX; system.vertices()];
        let mut names = Vec::with_capacity(system.vertices());
        let mut is_named = vec![false; system.vertices()];
        for (family, schedule) in system.families.iter().zip(&system.schedules) {
            for (e, span) in schedule.spans.iter().enumerate() {
                for &v in family.stencil(e) {
                    let s = &mut shortest[v as usize];
                    *s = (*s).min(span.quanta());
                    if !core::mem::replace(&mut is_named[v as usize], true) {
                        names.push(v);
                    }
                }
            }
        }
        names.extend((0..system.vertices() as u32).filter(|v| !is_named[*v as usize]));
        names.sort_by_key(|&v| shortest[v as usize]);
        let mut renumbered = vec![0_u32; names.len()];
        for (i, &v) in names.iter().enumerate() {
            renumbered[v as usize] = i as u32;
        }
        Self { names, renumbered }
    }
}
