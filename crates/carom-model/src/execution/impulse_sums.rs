//! The impulses of one instant, as they are being summed.
//!
//! Each stage of an instant adds impulses and then takes the sum of every vertex. The part that driven loads add is kept beside it over
//! all stages, since its work depends on the velocities before and after the whole instant.

use carom_math::{ImpulseAccumulator, Vec3, prefetch};

use crate::ExternalLedger;

/// The sum of impulses on each vertex at one instant, and the external ledger.
#[derive(Clone, Debug, Default)]
pub struct ImpulseSums {
    accumulators: Vec<ImpulseAccumulator>,
    /// The part of each sum that is driven; empty until something is.
    driven: Vec<Vec3>,
    /// The vertices driven at this instant.
    driven_now: Vec<u32>,
    /// Whether a stage of this instant has ended.
    is_later_stage: bool,
    /// What came into the system from outside since the start.
    pub external: ExternalLedger,
}

impl ImpulseSums {
    /// Room for `vertices` vertices.
    #[must_use]
    pub fn new(vertices: usize) -> Self {
        Self {
            accumulators: vec![ImpulseAccumulator::default(); vertices],
            driven: Vec::new(),
            driven_now: Vec::new(),
            is_later_stage: false,
            external: ExternalLedger::default(),
        }
    }

    /// The accumulator of each vertex.
    pub fn accumulators_mut(&mut self) -> &mut [ImpulseAccumulator] {
        &mut self.accumulators
    }

    /// The accumulator of each vertex, and the external ledger.
    pub(crate) fn accumulators_and_external(&mut self) -> (&mut [ImpulseAccumulator], &mut ExternalLedger) {
        (&mut self.accumulators, &mut self.external)
    }

    /// Whether a driven load acts at this instant: its work is booked in the order of vertices.
    #[must_use]
    pub fn is_driven(&self) -> bool {
        !self.driven_now.is_empty()
    }

    /// Sum of the impulses on a vertex so far, in N·s.
    #[inline(always)]
    #[must_use]
    pub fn sum(&self, vertex: usize) -> Vec3 {
        self.accumulators[vertex].sum()
    }

    /// Takes the sum of a vertex and clears it; `None` if no potential had a non-zero component on it.
    #[inline(always)]
    pub fn take(&mut self, vertex: usize) -> Option<Vec3> {
        self.accumulators[vertex].take()
    }

    /// Adds one impulse of a driven family to one vertex.
    pub fn drive(&mut self, vertex: u32, impulse: Vec3) {
        self.driven.resize(self.accumulators.len(), Vec3::ZERO);
        self.driven[vertex as usize] += impulse;
        self.driven_now.push(vertex);
        self.add(vertex, impulse);
    }

    /// Books the work of what drives a vertex at this instant, `J·(v⁻ + v⁺)/2`, as its velocity goes from `before` to `after` in a stage of it:
    /// later stages only change `v⁺`.
    #[inline(always)]
    pub fn book_driven(&mut self, vertex: usize, before: Vec3, after: Vec3) {
        if let Some(driven) = self.driven.get(vertex).filter(|driven| !driven.is_zero()) {
            let twice_mean = if self.is_later_stage { after - before } else { before + after };
            self.external.work.add(0.5 * driven.dot(twice_mean));
        }
    }

    /// Ends a stage of an instant, after its vertices have been kicked.
    pub fn end_stage(&mut self) {
        self.is_later_stage = true;
    }

    /// Ends an instant, after its last stage.
    pub fn end_instant(&mut self) {
        self.is_later_stage = false;
        for v in self.driven_now.drain(..) {
            self.driven[v as usize] = Vec3::ZERO;
        }
    }

    /// Asks memory for the sum of a vertex that will be needed soon.
    #[inline(always)]
    pub fn prefetch(&self, vertex: u32) {
        prefetch(&self.accumulators, vertex as usize);
    }

    /// Adds one impulse to one vertex.
    #[inline(always)]
    pub fn add(&mut self, vertex: u32, impulse: Vec3) {
        self.accumulators[vertex as usize].add(impulse);
    }
}
