//! How potentials are evaluated: packed, several elements side by side, into the sums of impulses of one instant.
//!
//! | | |
//! | --- | --- |
//! | [`Batch`] | potentials of one family that fire together, packed for one thread |
//! | [`Share`] | the same for one thread of several, which owns a range of vertices |
//! | [`SimdBatch`] | elements of one kind in blocks of eight lanes: the batch and the share of an element store |
//! | [`DampedBatch`] | damped potentials that fire together, which answer velocities |
//! | [`ImpulseSums`] | the impulses of one instant on each vertex, and the external ledger |
//!
//! **Never here:** which potentials fire when, threads.

mod damped_batch;
mod impulse_sums;
mod simd_batch;

use carom_math::{ExactLanesSum, ExactVec3Sum, F64x4, ImpulseAccumulator, Vec3};

pub(crate) use damped_batch::SimdDampedBatch;
pub use damped_batch::{DampedBatch, DampedMotion};
pub use impulse_sums::ImpulseSums;
pub(crate) use simd_batch::SimdBatch;

/// Potentials of which one thread keeps the impulses on a range of vertices.
pub trait Share: Send + Sync {
    /// As [`Batch::kick`], for the vertices from `first` on that `accumulators` has room for; impulses on other vertices are dropped.
    fn kick_range(&self, h: f64, x: &[F64x4], first: u32, accumulators: &mut [ImpulseAccumulator]);
}

/// Potentials that fire together, packed.
pub trait Batch: Send + Sync {
    /// Adds the impulses `−h ∇V` of all potentials, in order, to `sums`; `x` are the positions now.
    fn kick(&self, h: f64, x: &[F64x4], sums: &mut ImpulseSums);

    /// Adds the energy of each potential at positions `x` to `energy_j`, a term for each, and the forces `−∇V` to `forces`, whose marks may
    /// stay as they are.
    fn energy_and_forces(&self, x: &[F64x4], forces: &mut [ImpulseAccumulator], energy_j: &mut ExactLanesSum);

    /// The energy of each potential at positions `x`, in order.
    fn energies(&self, x: &[F64x4]) -> Vec<f64>;

    /// After a kick at positions `x`: writes what the potentials remember into `positions`.
    fn remember(&self, x: &[F64x4], positions: &mut [Vec3]) {
        let _ = (x, positions);
    }

    /// Adds the angular impulse that a kick `−h ∇V` of each potential at positions `x` passes from angles to positions, in N·m·s.
    fn reaction_torque(&self, h: f64, x: &[F64x4], total: &mut ExactVec3Sum) {
        let _ = (h, x, total);
    }

    /// [`Batch::kick`] at a time: the same at any, unless the family is driven.
    fn kick_at(&self, time_s: f64, h: f64, x: &[F64x4], sums: &mut ImpulseSums) {
        let _ = time_s;
        self.kick(h, x, sums);
    }

    /// [`Batch::energy_and_forces`] at a time: the same at any, unless the family is driven.
    fn energy_and_forces_at(
        &self,
        time_s: f64,
        x: &[F64x4],
        forces: &mut [ImpulseAccumulator],
        energy_j: &mut ExactLanesSum,
    ) {
        let _ = time_s;
        self.energy_and_forces(x, forces, energy_j);
    }
}
