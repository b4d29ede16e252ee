//! Rows of the ledger, made from readings.

use std::sync::Arc;

use carom_engine::{EnergyScale, MomentumScale, Reading, Snapshot};
use carom_model::System;
use carom_output::LedgerRow;

/// Makes the rows of one run; the first reading is that of its start.
pub(crate) struct RowMaker {
    system: Arc<System>,
    /// The tolerance of the energy, for which rounding alone is no error.
    tolerance: f64,
    /// What errors are measured against, once the start is known.
    scales: Option<(EnergyScale, MomentumScale)>,
}

impl RowMaker {
    pub fn new(system: &Arc<System>, tolerance: f64) -> Self {
        Self { system: Arc::clone(system), tolerance, scales: None }
    }

    /// The row of a snapshot and its reading.
    pub fn row(&mut self, snapshot: &Snapshot, reading: &Reading) -> LedgerRow {
        let (energy, momentum) = self.scales.get_or_insert_with(|| {
            let energy = EnergyScale::new(&self.system, reading);
            let momentum = MomentumScale::new(&self.system, reading, &energy);
            (energy, momentum)
        });
        let [momentum_scale, angular_momentum_scale] = momentum.at(reading);
        LedgerRow {
            tick: reading.tick.0,
            time_s: reading.time_s,
            kinetic_j: reading.kinetic_j,
            potentials_j: reading.potential_j.clone(),
            work_j: reading.work_j,
            dissipated_j: reading.dissipated_j(),
            momentum: reading.momentum,
            angular_momentum: reading.angular_momentum,
            impulse: reading.from_outside.linear,
            angular_impulse: reading.from_outside.angular,
            energy_scale_j: energy.at(reading, self.tolerance),
            momentum_scale,
            angular_momentum_scale,
            extra: snapshot.row.is_none(),
            refinements: snapshot.refinements,
        }
    }
}
