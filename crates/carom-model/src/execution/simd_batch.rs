//! Elements of one kind that fire together, packed in blocks of eight.

mod energies;

use core::ops::Range;

use carom_math::vectorize::{self, Kernel};
use carom_math::{
    Baseline, F64x4, ImpulseAccumulator, LANES, Lanes, Plain, Real, StencilIndices, Vec3, Width, prefetch,
};

use super::{Batch, ImpulseSums, Share};
use crate::{Element, ExternalLedger};
use energies::{Energies, EnergyAndForces, Remember};

/// How many blocks ahead of the one that is computed memory is asked for: half a microsecond and more.
const BLOCKS_AHEAD: usize = 4;

/// Eight elements side by side. A block that is not full repeats its last element.
struct Block<const N: usize, const P: usize> {
    params: [Lanes; P],
    stencil: StencilIndices<N>,
}

impl<const N: usize, const P: usize> Block<N, P> {
    /// The parameters of the eight elements, in lanes.
    #[inline(always)]
    fn params<W: Width>(&self, width: W) -> [W::Numbers; P] {
        let mut params = [W::Numbers::zero(); P];
        for p in 0..P {
            params[p] = width.load(&self.params[p]);
        }
        params
    }

    /// The parameters and the points of the element in one lane, the axes side by side: a kernel that treats them alike and apart sees but one.
    #[inline(always)]
    fn axes(&self, lane: usize, at: [F64x4; N]) -> ([F64x4; P], [Vec3<F64x4>; N]) {
        let mut params = [F64x4::zero(); P];
        for p in 0..P {
            params[p] = F64x4::constant(self.params[p].0[lane]);
        }
        let mut points = [Vec3::<F64x4>::zero(); N];
        for i in 0..N {
            points[i].x = at[i];
        }
        (params, points)
    }

    /// The impulses `−h ∇V` of the element in one lane, by rows.
    #[inline(always)]
    fn rows<E: Element<N, P>>(&self, lane: usize, h: f64, at: [F64x4; N]) -> [F64x4; N] {
        let (params, points) = self.axes(lane, at);
        let gradient = E::gradient(&params, &points);
        let mut rows = [F64x4::zero(); N];
        for i in 0..N {
            rows[i] = gradient[i].x * F64x4::constant(-h);
        }
        rows
    }
}

/// Vectors times one factor.
#[inline(always)]
fn scaled<S: Real, const N: usize>(mut vectors: [Vec3<S>; N], factor: f64) -> [Vec3<S>; N] {
    // A loop: `array::map` does not inline, and would send every lane through memory.
    for vector in &mut vectors {
        *vector = *vector * S::constant(factor);
    }
    vectors
}

/// A run of elements in blocks of eight.
pub struct SimdBatch<E, const N: usize, const P: usize> {
    blocks: Vec<Block<N, P>>,
    len: usize,
    /// The vertices of all elements, where impulses are computed by rows.
    vertices: Vec<Range<u32>>,
    kind: core::marker::PhantomData<E>,
}

impl<E: Element<N, P>, const N: usize, const P: usize> SimdBatch<E, N, P> {
    /// Whether the impulses of a kick are computed by rows, with nothing to be transposed into lanes; what goes on the external ledger is in lanes.
    const BY_ROWS: bool = E::AXES_APART && E::INTERNAL && !E::HAS_ANGULAR_DOFS;

    /// Packs elements, given as their parameters and the vertices they read.
    pub fn new(elements: &[([f64; P], [u32; N])]) -> Self {
        let blocks = elements
            .chunks(LANES)
            .map(|chunk| {
                let at = |lane: usize| &chunk[lane.min(chunk.len() - 1)];
                Block {
                    params: core::array::from_fn(|p| Lanes(core::array::from_fn(|lane| at(lane).0[p]))),
                    stencil: StencilIndices::new(core::array::from_fn(|i| {
                        core::array::from_fn(|lane| at(lane).1[i])
                    })),
                }
            })
            .collect();
        let vertices = elements.iter().filter(|_| Self::BY_ROWS).flat_map(|(_, stencil)| stencil).copied();
        Self {
            blocks,
            len: elements.len(),
            vertices: ranges(vertices.collect()),
            kind: core::marker::PhantomData,
        }
    }

    /// How many lanes of block `b` are elements of their own.
    #[inline(always)]
    fn lanes_in(&self, b: usize) -> usize {
        LANES.min(self.len - b * LANES)
    }

    /// Books what the impulses of block `b` bring in from outside, or pass from angles to places.
    #[inline(always)]
    fn book(
        &self,
        b: usize,
        at: &[Vec3<Lanes>; N],
        impulses: &[Vec3<Lanes>; N],
        external: &mut ExternalLedger,
    ) {
        let passed = if E::HAS_ANGULAR_DOFS { E::reaction_torque(at, impulses) } else { Vec3::zero() };
        for lane in 0..self.lanes_in(b) {
            if !E::INTERNAL {
                for i in 0..N {
                    external.fields.add(at[i].lane(lane), impulses[i].lane(lane));
                }
            }
            if E::HAS_ANGULAR_DOFS {
                external.twists.add(passed.lane(lane));
            }
        }
    }
}

/// Numbers of vertices as ranges, in rising order.
fn ranges(mut params: Vec<u32>) -> Vec<Range<u32>> {
    params.sort_unstable();
    params.dedup();
    params.chunk_by(|one, next| one + 1 == *next).map(|run| run[0]..run[run.len() - 1] + 1).collect()
}

/// Whether nothing is in any of these rows.
#[inline(always)]
fn are_zero<const N: usize>(rows: &[F64x4; N]) -> bool {
    let mut sizes = F64x4::zero();
    for i in 0..N {
        sizes = sizes + rows[i].abs();
    }
    sizes.is_zero()
}

/// [`Batch::kick`] for any width, of the vertices from `first` on.
struct Kick<'a, E, const N: usize, const P: usize> {
    batch: &'a SimdBatch<E, N, P>,
    h: f64,
    x: &'a [F64x4],
    first: u32,
    accumulators: &'a mut [ImpulseAccumulator],
    /// For what comes from outside, or passes from angles to places.
    external: Option<&'a mut ExternalLedger>,
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kernel for Kick<'_, E, N, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, width: impl Width) {
        if SimdBatch::<E, N, P>::BY_ROWS { self.by_rows() } else { self.in_lanes(width) }
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kick<'_, E, N, P> {
    /// Eight elements at a time, side by side.
    #[inline(always)]
    fn in_lanes(self, width: impl Width) {
        let Self { batch, h, x, first, accumulators, mut external } = self;
        // Nothing but sums: four blocks at a time.
        let (fours, rest) = if E::INTERNAL && !E::HAS_ANGULAR_DOFS {
            batch.blocks.as_chunks::<4>()
        } else {
            (&[][..], &batch.blocks[..])
        };
        for (b, blocks) in (0..).step_by(4).zip(fours) {
            E::four_gradients(
                #[inline(always)]
                |k| blocks[k].params(width),
                #[inline(always)]
                |k| {
                    prefetch(&batch.blocks, b + k + BLOCKS_AHEAD);
                    width.gather(x, &blocks[k].stencil)
                },
                #[inline(always)]
                |k, gradient| {
                    let lanes = batch.lanes_in(b + k);
                    width.scatter(&scaled(gradient, -h), lanes, &blocks[k].stencil, first, accumulators);
                },
            );
        }
        for (b, block) in (batch.blocks.len() - rest.len()..).zip(rest) {
            prefetch(&batch.blocks, b + BLOCKS_AHEAD);
            let at = width.gather(x, &block.stencil);
            let impulses = scaled(E::gradient(&block.params(width), &at), -h);
            width.scatter(&impulses, batch.lanes_in(b), &block.stencil, first, accumulators);
            if let Some(external) = external.as_deref_mut().filter(|_| !E::INTERNAL || E::HAS_ANGULAR_DOFS) {
                batch.book(b, &width.store_vectors(&at), &width.store_vectors(&impulses), external);
            }
        }
    }

    /// One element after the other, the axes side by side: a point is a row already. Marks would cost half as much again, and are of use only
    /// where a sum is zero.
    #[inline(always)]
    fn by_rows(mut self) {
        for (b, block) in self.batch.blocks.iter().enumerate() {
            prefetch(&self.batch.blocks, b + BLOCKS_AHEAD);
            block.stencil.add_each(
                self.x,
                self.batch.lanes_in(b),
                self.first,
                self.accumulators,
                #[inline(always)]
                |lane, at| block.rows::<E>(lane, self.h, at),
            );
        }
        if !self.mark_by_sums() {
            self.mark_by_impulses();
        }
    }

    /// Marks the vertices whose sums show that they were touched. Returns whether that is all vertices.
    #[inline(always)]
    fn mark_by_sums(&mut self) -> bool {
        let (first, end) = (self.first, self.first + self.accumulators.len() as u32);
        let mut are_touched = true;
        for range in &self.batch.vertices {
            let (from, to) = (range.start.clamp(first, end), range.end.clamp(first, end));
            for accumulator in &mut self.accumulators[(from - first) as usize..(to - first) as usize] {
                are_touched &= accumulator.settle();
            }
        }
        are_touched
    }

    /// Marks what single impulses touched, where a sum of zero shows nothing.
    #[inline(always)]
    fn mark_by_impulses(self) {
        let place = |v: u32| v.wrapping_sub(self.first) as usize;
        for (b, block) in self.batch.blocks.iter().enumerate() {
            for lane in 0..self.batch.lanes_in(b) {
                let stencil = block.stencil.of(lane);
                if stencil
                    .iter()
                    .all(|&v| self.accumulators.get(place(v)).is_none_or(ImpulseAccumulator::is_touched))
                {
                    continue;
                }
                let mut at = [F64x4::zero(); N];
                for i in 0..N {
                    at[i] = self.x[stencil[i] as usize];
                }
                let rows = block.rows::<E>(lane, self.h, at);
                // A flat sheet at rest has nothing but zeros.
                if are_zero(&rows) {
                    continue;
                }
                for i in 0..N {
                    if let Some(accumulator) = self.accumulators.get_mut(place(stencil[i])) {
                        accumulator.touch(rows[i].xyz());
                    }
                }
            }
        }
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> Share for SimdBatch<E, N, P> {
    fn kick_range(&self, h: f64, x: &[F64x4], first: u32, accumulators: &mut [ImpulseAccumulator]) {
        vectorize::run(Kick { batch: self, h, x, first, accumulators, external: None });
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> Batch for SimdBatch<E, N, P> {
    fn kick(&self, h: f64, x: &[F64x4], sums: &mut ImpulseSums) {
        let (accumulators, external) = sums.accumulators_and_external();
        vectorize::run(Kick { batch: self, h, x, first: 0, accumulators, external: Some(external) });
    }

    fn energy_and_forces(&self, x: &[F64x4], forces: &mut [ImpulseAccumulator]) -> f64 {
        vectorize::run(EnergyAndForces { batch: self, x, forces })
    }

    fn energies(&self, x: &[F64x4]) -> Vec<f64> {
        vectorize::run(Energies { batch: self, x })
    }

    fn remember(&self, x: &[F64x4], positions: &mut [Vec3]) {
        if E::MEMORY > 0 {
            vectorize::run(Remember { batch: self, x, positions });
        }
    }

    fn reaction_torque(&self, h: f64, x: &[F64x4]) -> Vec3 {
        let mut total = Vec3::ZERO;
        if E::HAS_ANGULAR_DOFS {
            for (b, block) in self.blocks.iter().enumerate() {
                let at = Baseline.gather(x, &block.stencil);
                let impulses = scaled(E::gradient(&block.params, &at), -h);
                let passed = E::reaction_torque(&at, &impulses);
                for lane in 0..self.lanes_in(b) {
                    total += passed.lane(lane);
                }
            }
        }
        total
    }
}

#[cfg(test)]
mod tests;
