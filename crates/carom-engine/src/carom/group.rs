//! Potentials of one family on one clock, packed: for one thread, or for several.

use core::ops::Range;

use carom_math::{F64x4, ImpulseAccumulator, Vec3};
use carom_model::{Batch, Family, Kicks, Share};
use carom_time::Span;

use crate::team::{Divisible, share};
use crate::threads::Threads;

/// Potentials of one family on one clock, packed.
pub struct Group {
    pub family: usize,
    /// Index of its step among the system's distinct steps.
    pub clock: usize,
    pub span: Span,
    pub h: f64,
    pub count: u64,
    pub remembers: bool,
    pub work: Work,
    /// Those of its elements that are damped, with their vertices, in the order of ids.
    pub damped: Vec<(usize, Vec<u32>)>,
}

impl Group {
    /// Whether it fires when these clocks do, in rising order.
    pub fn fires(&self, firing: &[usize]) -> bool {
        firing.binary_search(&self.clock).is_ok()
    }
}

/// Who does it.
pub enum Work {
    /// One thread.
    Whole(Box<dyn Batch>),
    /// Several: each has the elements that reach its vertices, so those on a border are computed twice.
    Shared(Vec<Piece>),
}

/// What one thread does.
pub struct Piece {
    /// The vertices it keeps the sums of.
    vertices: Range<u32>,
    share: Box<dyn Share>,
}

impl Work {
    /// The elements of `family` for a team of `threads`.
    pub fn new(family: &dyn Family, elements: &[u32], renumbered: &[u32], threads: Threads) -> Self {
        // Each has at least half of what is worth it.
        let threads = threads.count.min(2 * elements.len() / threads.worth_sharing);
        let shared = (threads > 1).then(|| pieces(family, elements, renumbered, threads)).flatten();
        shared.map_or_else(|| Self::Whole(family.batch(elements, renumbered)), Self::Shared)
    }

    /// Adds the impulses of all of them at `time_s`.
    pub fn kick(&self, time_s: f64, h: f64, x: &[F64x4], kicks: &mut Kicks) {
        match self {
            Self::Whole(batch) => batch.kick_at(time_s, h, x, kicks),
            Self::Shared(pieces) => {
                share(Summing { pieces, h, x, first: 0, accumulators: kicks.accumulators_mut() })
            }
        }
    }

    /// Writes what they remember into `positions`.
    pub fn remember(&self, x: &[F64x4], positions: &mut [Vec3]) {
        if let Self::Whole(batch) = self {
            batch.remember(x, positions);
        }
    }
}

/// The pieces of a team: vertices are split so that each has about as many corners of elements on its own.
fn pieces(family: &dyn Family, elements: &[u32], renumbered: &[u32], threads: usize) -> Option<Vec<Piece>> {
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
            Some(Piece { vertices: start..end, share: family.share(&own, renumbered)? })
        })
        .collect()
}

/// Pieces at work, on the tallies from number `first` on.
struct Summing<'a> {
    pieces: &'a [Piece],
    h: f64,
    x: &'a [F64x4],
    first: u32,
    accumulators: &'a mut [ImpulseAccumulator],
}

impl Divisible for Summing<'_> {
    type Outcome = ();

    fn divide(self) -> Result<(Self, Self), Self> {
        if self.pieces.len() < 2 {
            return Err(self);
        }
        let Self { pieces, h, x, first, accumulators } = self;
        let (before, after) = pieces.split_at(pieces.len() / 2);
        let border = after[0].vertices.start;
        let (low, high) = accumulators.split_at_mut((border - first) as usize);
        Ok((
            Self { pieces: before, h, x, first, accumulators: low },
            Self { pieces: after, h, x, first: border, accumulators: high },
        ))
    }

    fn work(self) {
        for piece in self.pieces {
            piece.share.kick_some(self.h, self.x, self.first, self.accumulators);
        }
    }

    fn join((): (), (): ()) {}
}
