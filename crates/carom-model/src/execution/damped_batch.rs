//! Damped elements of one kind that fire together, packed in blocks of eight.
//!
//! The second stage of an instant: an element whose impulses would be `Jᵢ = −h τ (Bᵀ C B v)ᵢ` gives
//! `min(1, −Σ Jᵢ·vᵢ / Σ kᵢ Jᵢ·Jᵢ/mᵢ)` of them, with `kᵢ` the number of damped elements on vertex i at this instant. So however many share
//! a vertex, together they never add energy.

use carom_math::vectorize::{self, Kernel};
use carom_math::{F64x4, LANES, Lanes, Plain, Real, StencilIndices, Vec3, Width, prefetch};

use super::ImpulseSums;
use crate::{Element, ExternalLedger};

/// How many blocks ahead of the one that is computed memory is asked for.
const BLOCKS_AHEAD: usize = 2;

/// What damped elements read, by vertex in the numbering of their batch.
#[derive(Clone, Copy)]
pub struct DampedMotion<'a> {
    /// Positions, in m.
    pub x: &'a [F64x4],
    /// Velocities that are answered, in m/s.
    pub v: &'a [F64x4],
    /// Inverse masses along the axes, in 1/kg.
    pub inverse_masses: &'a [F64x4],
    /// How many damped elements fire on each vertex, three times over.
    pub counts: &'a [F64x4],
}

/// Damped potentials that fire together, packed.
pub trait DampedBatch: Send + Sync {
    /// Adds the impulses with which the potentials resist for a step of `h`, in s, in order, to `sums`, and keeps them.
    fn resist(&mut self, h: f64, motion: DampedMotion<'_>, sums: &mut ImpulseSums);

    /// Books what the impulses kept took from vertices at `x` whose mean velocities of the instant are `means`.
    fn book(&self, x: &[F64x4], means: &[F64x4], external: &mut ExternalLedger);
}

/// Eight damped elements side by side. A block that is not full repeats its last element.
struct Block<const N: usize, const P: usize> {
    params: [Lanes; P],
    /// `−τ`, in s.
    minus_damping: Lanes,
    stencil: StencilIndices<N>,
    /// The impulses of the last stage, in N·s.
    impulses: [Vec3<Lanes>; N],
    /// The angular impulse on places that answers theirs on angles, in N·m·s.
    reaction_torque: Vec3<Lanes>,
}

/// A damped element: its parameters, its damping in s, and the vertices it reads.
pub type DampedElement<const N: usize, const P: usize> = ([f64; P], f64, [u32; N]);

/// A run of damped elements in blocks of eight.
pub struct SimdDampedBatch<E, const N: usize, const P: usize> {
    blocks: Vec<Block<N, P>>,
    len: usize,
    kind: core::marker::PhantomData<E>,
}

impl<E: Element<N, P>, const N: usize, const P: usize> SimdDampedBatch<E, N, P> {
    /// Packs elements.
    pub fn new(elements: &[DampedElement<N, P>]) -> Self {
        let pack = |chunk: &[DampedElement<N, P>]| {
            let at = |lane: usize| &chunk[lane.min(chunk.len() - 1)];
            Block {
                params: core::array::from_fn(|p| Lanes(core::array::from_fn(|lane| at(lane).0[p]))),
                minus_damping: Lanes(core::array::from_fn(|lane| -at(lane).1)),
                stencil: StencilIndices::new(core::array::from_fn(|i| {
                    core::array::from_fn(|lane| at(lane).2[i])
                })),
                impulses: [Vec3::zero(); N],
                reaction_torque: Vec3::zero(),
            }
        };
        let blocks = elements.chunks(LANES).map(pack).collect();
        Self { blocks, len: elements.len(), kind: core::marker::PhantomData }
    }
}

impl<E: Element<N, P>, const N: usize, const P: usize> DampedBatch for SimdDampedBatch<E, N, P> {
    fn resist(&mut self, h: f64, motion: DampedMotion<'_>, sums: &mut ImpulseSums) {
        vectorize::run(Resist { batch: self, h, motion, sums });
    }

    fn book(&self, x: &[F64x4], means: &[F64x4], external: &mut ExternalLedger) {
        vectorize::run(Book { batch: self, x, means, external });
    }
}

/// [`DampedBatch::resist`] for any width.
struct Resist<'a, E, const N: usize, const P: usize> {
    batch: &'a mut SimdDampedBatch<E, N, P>,
    h: f64,
    motion: DampedMotion<'a>,
    sums: &'a mut ImpulseSums,
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kernel for Resist<'_, E, N, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, width: impl Width) {
        let Self { batch, h, motion, sums } = self;
        let len = batch.len;
        let accumulators = sums.accumulators_mut();
        for b in 0..batch.blocks.len() {
            prefetch(&batch.blocks, b + BLOCKS_AHEAD);
            let block = &mut batch.blocks[b];
            let (impulses, reaction_torque) = block.impulses::<E, _>(width, h, motion);
            width.scatter(&impulses, LANES.min(len - b * LANES), &block.stencil, 0, accumulators);
            block.impulses = width.store_vectors(&impulses);
            block.reaction_torque = width.store_vector(reaction_torque);
        }
    }
}

impl<const N: usize, const P: usize> Block<N, P> {
    /// The impulses of the eight elements, and the angular impulse on places that answers theirs on angles.
    #[inline(always)]
    fn impulses<E: Element<N, P>, W: Width>(
        &self,
        width: W,
        h: f64,
        motion: DampedMotion<'_>,
    ) -> ([Vec3<W::Numbers>; N], Vec3<W::Numbers>) {
        let mut params = [W::Numbers::zero(); P];
        for p in 0..P {
            params[p] = width.load(&self.params[p]);
        }
        let minus_damping = width.load(&self.minus_damping);
        let [x, v] = [width.gather(motion.x, &self.stencil), width.gather(motion.v, &self.stencil)];
        let mut impulses = E::resistance(&params, &x, &v);
        for i in 0..N {
            impulses[i] = impulses[i] * minus_damping * W::Numbers::constant(h);
        }
        let inverse_masses = width.gather(motion.inverse_masses, &self.stencil);
        let counts = width.gather(motion.counts, &self.stencil);
        let zero = W::Numbers::zero();
        let (mut power, mut pull) = (zero, zero);
        for i in 0..N {
            let j = impulses[i];
            power = power - j.dot(v[i]);
            pull = pull + counts[i].x * j.dot(j.scaled_by(inverse_masses[i]));
        }
        // What would speed up, or cannot move at all, does not resist.
        let (ratio, all) = (power / pull, W::Numbers::constant(1.0));
        let share = ratio.where_at_most(ratio, all, all);
        let share = share.where_below(zero, power, zero).where_below(zero, pull, zero);
        let mut reaction_torque = Vec3::zero();
        if E::HAS_ANGULAR_DOFS {
            reaction_torque = E::reaction_torque(&x, &impulses) * share;
        }
        for i in 0..N {
            impulses[i] = impulses[i] * share;
        }
        (impulses, reaction_torque)
    }
}

/// [`DampedBatch::book`] for any width.
struct Book<'a, E, const N: usize, const P: usize> {
    batch: &'a SimdDampedBatch<E, N, P>,
    x: &'a [F64x4],
    means: &'a [F64x4],
    external: &'a mut ExternalLedger,
}

impl<E: Element<N, P>, const N: usize, const P: usize> Kernel for Book<'_, E, N, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, width: impl Width) {
        let Self { batch, x, means, external } = self;
        for (b, block) in batch.blocks.iter().enumerate() {
            prefetch(&batch.blocks, b + BLOCKS_AHEAD);
            let lanes = LANES.min(batch.len - b * LANES);
            let means = width.gather(means, &block.stencil);
            let mut taken_j = Real::zero();
            for i in 0..N {
                let Vec3 { x, y, z } = &block.impulses[i];
                let impulse = Vec3::new(width.load(x), width.load(y), width.load(z));
                taken_j = taken_j - impulse.dot(means[i]);
            }
            external.losses.damping.add_lanes(width.store(taken_j), lanes);
            if !E::INTERNAL {
                let at = width.store_vectors(&width.gather(x, &block.stencil));
                for i in 0..N {
                    external.fields.add_lanes(&at[i], &block.impulses[i], lanes);
                }
            }
            if E::HAS_ANGULAR_DOFS {
                for lane in 0..lanes {
                    external.twists.add(block.reaction_torque.lane(lane));
                }
            }
        }
    }
}
