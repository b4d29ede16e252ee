//! Which vertices the potentials of each clock read.

use carom_model::System;
use carom_time::Span;

/// The vertices that the potentials of each clock read.
pub struct ClockVertices {
    /// For dyadic clocks: how many vertices the clocks 0..=c read, the first of the engine's numbering.
    pub leading: Vec<usize>,
    /// The vertices of each clock, ascending.
    pub members: Vec<Vec<u32>>,
    /// Scratch: which vertices have been gathered.
    is_gathered: Vec<bool>,
}

impl ClockVertices {
    /// The vertices of the clocks `spans`; vertex `v` of the system is called `renumbered[v]` here.
    pub fn new(system: &System, spans: &[Span], renumbered: &[u32]) -> Self {
        let mut members = vec![Vec::new(); spans.len()];
        for (family, schedule) in system.families.iter().zip(&system.schedules) {
            for (e, span) in schedule.spans.iter().enumerate() {
                let clock = spans.binary_search(span).expect("every step is among the distinct steps");
                members[clock].extend(family.stencil(e).iter().map(|&v| renumbered[v as usize]));
            }
        }
        let mut leading = Vec::with_capacity(spans.len());
        let mut count = 0;
        for list in &mut members {
            list.sort_unstable();
            list.dedup();
            count = count.max(list.last().map_or(0, |&v| v as usize + 1));
            leading.push(count);
        }
        Self { leading, members, is_gathered: vec![false; renumbered.len()] }
    }

    /// Lists the vertices of the given clocks in `list`, each once; the list must be empty.
    pub fn gather(&mut self, clocks: &[usize], list: &mut Vec<u32>) {
        for &clock in clocks {
            for &v in &self.members[clock] {
                if !core::mem::replace(&mut self.is_gathered[v as usize], true) {
                    list.push(v);
                }
            }
        }
        for &v in &*list {
            self.is_gathered[v as usize] = false;
        }
    }
}
