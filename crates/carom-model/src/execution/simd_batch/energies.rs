//! What reads packed elements and moves nothing: energies, forces, and what is to be remembered.

use carom_math::vectorize::Kernel;
use carom_math::{F64x4, ImpulseAccumulator, LANES, Lanes, Real, Vec3, Width, prefetch};

use super::{BLOCKS_AHEAD, SimdBatch};
use crate::Element;

/// Adds the values of the first lanes, one after the other. Of all of them without a loop: most blocks are full.
#[inline(always)]
fn add_lanes(total: &mut f64, params: Lanes, lanes: usize) {
    if lanes == LANES {
        for lane in 0..LANES {
            *total += params.0[lane];
        }
    } else {
        for lane in 0..lanes {
            *total += params.0[lane];
        }
    }
}

/// [`Batch::energy_and_forces`](super::Batch::energy_and_forces) for any width.
pub(super) struct EnergyAndForces<'a, E, const N: usize, const P: usize> {
    pub batch: &'a SimdBatch<E, N, P>,
    pub x: &'a [F64x4],
    pub forces: &'a mut [ImpulseAccumulator],
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kernel for EnergyAndForces<'_, E, N, P> {
    type Output = f64;

    #[inline(always)]
    fn run(self, width: impl Width) -> f64 {
        if SimdBatch::<E, N, P>::BY_ROWS { self.by_rows(width) } else { self.in_lanes(width) }
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> EnergyAndForces<'_, E, N, P> {
    /// Eight elements at a time, side by side.
    #[inline(always)]
    fn in_lanes(self, width: impl Width) -> f64 {
        let Self { batch, x, forces } = self;
        let mut total = 0.0;
        for (b, block) in batch.blocks.iter().enumerate() {
            prefetch(&batch.blocks, b + BLOCKS_AHEAD);
            let at = width.gather(x, &block.stencil);
            let (energy, mut forces_on) = E::energy_and_gradient(&block.params(width), &at);
            for force in &mut forces_on {
                *force = -*force;
            }
            let lanes = batch.lanes_in(b);
            add_lanes(&mut total, width.store(energy), lanes);
            width.scatter(&forces_on, lanes, &block.stencil, 0, forces);
        }
        total
    }

    /// One element after the other, as a kick does it. Forces that are only read need no marks.
    #[inline(always)]
    fn by_rows(self, width: impl Width) -> f64 {
        let Self { batch, x, forces } = self;
        let mut total = 0.0;
        let mut axes = [F64x4::zero(); LANES];
        for (b, block) in batch.blocks.iter().enumerate() {
            prefetch(&batch.blocks, b + BLOCKS_AHEAD);
            let lanes = batch.lanes_in(b);
            block.stencil.add_each(
                x,
                lanes,
                0,
                forces,
                #[inline(always)]
                |lane, at| {
                    let (params, points) = block.axes(lane, at);
                    axes[lane] = E::energy(&params, &points);
                    block.rows::<E>(lane, 1.0, at)
                },
            );
            let Vec3 { x, y, z } = width.points(axes.each_ref());
            add_lanes(&mut total, width.store(x + y + z), lanes);
        }
        total
    }
}

/// [`Batch::energies`](super::Batch::energies) for any width.
pub(super) struct Energies<'a, E, const N: usize, const P: usize> {
    pub batch: &'a SimdBatch<E, N, P>,
    pub x: &'a [F64x4],
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kernel for Energies<'_, E, N, P> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run(self, width: impl Width) -> Vec<f64> {
        let Self { batch, x } = self;
        let mut energies = Vec::with_capacity(batch.len);
        for (b, block) in batch.blocks.iter().enumerate() {
            let energy = E::energy(&block.params(width), &width.gather(x, &block.stencil));
            energies.extend_from_slice(&width.store(energy).0[..batch.lanes_in(b)]);
        }
        energies
    }
}

/// [`Batch::remember`](super::Batch::remember) for any width.
pub(super) struct Remember<'a, E, const N: usize, const P: usize> {
    pub batch: &'a SimdBatch<E, N, P>,
    pub x: &'a [F64x4],
    pub positions: &'a mut [Vec3],
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kernel for Remember<'_, E, N, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, width: impl Width) {
        let Self { batch, x, positions } = self;
        for (b, block) in batch.blocks.iter().enumerate() {
            let after = E::remember(&block.params(width), &width.gather(x, &block.stencil));
            let after = width.store_vectors(&after);
            for lane in 0..batch.lanes_in(b) {
                for i in N - E::MEMORY..N {
                    positions[block.stencil.index(i, lane) as usize] = after[i].lane(lane);
                }
            }
        }
    }
}
