//! Which vertices an instant reaches.

use carom_model::System;
use carom_time::Span;

/// Which vertices the potentials of each clock reach.
pub struct ClockVertices {
    /// For dyadic clocks: how many vertices the clocks 0..=c reach, a prefix of all.
    pub prefix: Vec<usize>,
    /// The vertices of each clock, ascending.
    pub members: Vec<Vec<u32>>,
    /// Scratch: the union over the clocks of one instant.
    pub union: Vec<u32>,
    pub seen: Vec<bool>,
}

impl ClockVertices {
    pub fn new(system: &System, spans: &[Span], renumbered: &[u32]) -> Self {
        let mut members = vec![Vec::new(); spans.len()];
        for (family, schedule) in system.families.iter().zip(&system.schedules) {
            for (e, span) in schedule.spans.iter().enumerate() {
                let clock = spans.binary_search(span).expect("every step is among the distinct steps");
                members[clock].extend(family.stencil(e).iter().map(|&v| renumbered[v as usize]));
            }
        }
        let mut prefix = Vec::with_capacity(spans.len());
        let mut reached = 0;
        for list in &mut members {
            list.sort_unstable();
            list.dedup();
            reached = reached.max(list.last().map_or(0, |&v| v as usize + 1));
            prefix.push(reached);
        }
        Self {
            prefix,
            members,
            union: Vec::with_capacity(renumbered.len()),
            seen: vec![false; renumbered.len()],
        }
    }

    /// Fills `union` with the vertices that the clocks `firing` reach.
    pub fn gather(&mut self, firing: &[usize]) {
        self.union.clear();
        for &clock in firing {
            for &v in &self.members[clock] {
                if !core::mem::replace(&mut self.seen[v as usize], true) {
                    self.union.push(v);
                }
            }
        }
        for &v in &self.union {
            self.seen[v as usize] = false;
        }
    }
}
