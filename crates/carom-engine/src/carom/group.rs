//! Potentials of one family on one clock, packed: for one thread, or for several.

use core::ops::Range;

use carom_math::{F64x4, ImpulseAccumulator, Vec3};
use carom_model::{Batch, Family, ImpulseSums, Share, System};
use carom_time::Span;

use super::schedule::Firing;
use crate::team::{Divisible, share};
use crate::threads::Threads;

/// Potentials of one family on one clock, packed.
pub struct Group {
    pub family: usize,
    /// Index of its step among the system's distinct steps.
    pub clock: usize,
    pub span: Span,
    /// Its step, in s.
    pub h: f64,
    /// How many potentials it has.
    pub count: u64,
    /// Whether its potentials remember something after they have fired.
    pub remembers: bool,
    pub batches: ThreadBatches,
}

impl Group {
    /// The potentials of a system by family and clock, in the order of ids, for a team of `threads`.
    pub fn all(system: &System, spans: &[Span], renumbered: &[u32], threads: Threads) -> Vec<Self> {
        let mut groups = Vec::new();
        for (f, (family, schedule)) in system.families.iter().zip(&system.schedules).enumerate() {
            for rung in &schedule.rungs {
                let elements = &schedule.order[rung.places.clone()];
                groups.push(Self {
                    family: f,
                    clock: clock_of(rung.span, spans),
                    span: rung.span,
                    h: system.line.quantum.step(rung.span),
                    count: rung.places.len() as u64,
                    remembers: family.properties().memory_vertices > 0,
                    batches: ThreadBatches::new(family.as_ref(), elements, renumbered, threads),
                });
            }
        }
        groups
    }

    /// Whether the group fires at this instant.
    pub fn fires(&self, firing: Firing<'_>) -> bool {
        firing.clocks.binary_search(&self.clock).is_ok()
    }
}

/// Index of a step among the distinct steps of a system.
pub fn clock_of(span: Span, spans: &[Span]) -> usize {
    spans.binary_search(&span).expect("every step is among the distinct steps")
}

/// The batches of a group, by who computes them.
pub enum ThreadBatches {
    /// One thread computes all.
    One(Box<dyn Batch>),
    /// Each of several has the elements that reach its vertices, so those on a border are computed twice.
    Several(Vec<VertexRange>),
}

/// What one thread computes: the impulses on a range of vertices.
pub struct VertexRange {
    vertices: Range<u32>,
    share: Box<dyn Share>,
}

impl ThreadBatches {
    /// The elements of `family` for a team of `threads`.
    fn new(family: &dyn Family, elements: &[u32], renumbered: &[u32], threads: Threads) -> Self {
        // Each has at least half of what is worth it.
        let threads = threads.count.min(2 * elements.len() / threads.worth_sharing);
        let shared = (threads > 1).then(|| vertex_ranges(family, elements, renumbered, threads)).flatten();
        shared.map_or_else(|| Self::One(family.batch(elements, renumbered)), Self::Several)
    }

    /// Adds the impulses of all potentials of the group at `time_s`.
    pub fn kick(&self, time_s: f64, h: f64, x: &[F64x4], sums: &mut ImpulseSums) {
        match self {
            Self::One(batch) => batch.kick_at(time_s, h, x, sums),
            Self::Several(ranges) => {
                share(RangeKicks { ranges, h, x, first: 0, accumulators: sums.accumulators_mut() });
            }
        }
    }

    /// Writes what the potentials remember into `positions`.
    pub fn remember(&self, x: &[F64x4], positions: &mut [Vec3]) {
        if let Self::One(batch) = self {
            batch.remember(x, positions);
        }
    }
}

/// The ranges of a team: vertices are split so that each has about as many corners of elements on its own.
fn vertex_ranges(
    family: &dyn Family,
    elements: &[u32],
    renumbered: &[u32],
    threads: usize,
) -> Option<Vec<VertexRange>> {
    let corners = |e: u32| family.stencil(e as usize).iter().map(|&v| renumbered[v as usize]);
    let mut all: Vec<u32> = elements.iter().flat_map(|&e| corners(e)).collect();
    all.sort_unstable();
    let mut borders: Vec<u32> = (1..threads).map(|i| all[i * all.len() / threads]).collect();
    borders.dedup();
    let starts = core::iter::once(0).chain(borders.iter().copied());
    let ends = borders.iter().copied().chain([renumbered.len() as u32]);
    starts
        .zip(ends)
        .map(|(start, end)| {
            let own: Vec<u32> =
                elements.iter().copied().filter(|&e| corners(e).any(|v| start <= v && v < end)).collect();
            Some(VertexRange { vertices: start..end, share: family.share(&own, renumbered)? })
        })
        .collect()
}

/// The kicks of some ranges, into the accumulators of the vertices from number `first` on.
struct RangeKicks<'a> {
    ranges: &'a [VertexRange],
    h: f64,
    x: &'a [F64x4],
    first: u32,
    accumulators: &'a mut [ImpulseAccumulator],
}

impl Divisible for RangeKicks<'_> {
    type Outcome = ();

    fn divide(self) -> Result<(Self, Self), Self> {
        if self.ranges.len() < 2 {
            return Err(self);
        }
        let Self { ranges, h, x, first, accumulators } = self;
        let (before, after) = ranges.split_at(ranges.len() / 2);
        let border = after[0].vertices.start;
        let (low, high) = accumulators.split_at_mut((border - first) as usize);
        Ok((
            Self { ranges: before, h, x, first, accumulators: low },
            Self { ranges: after, h, x, first: border, accumulators: high },
        ))
    }

    fn work(self) {
        for range in self.ranges {
            range.share.kick_range(self.h, self.x, self.first, self.accumulators);
        }
    }

    fn join((): (), (): ()) {}
}
