//! The numbers of a run, kept in memory: what a job writes to its tables, without a folder.

use std::io;
use std::sync::Arc;

use carom_engine::{Observer, Reading, Snapshot};
use carom_model::System;
use carom_output::LedgerRow;
use carom_scene::{DEFAULT_ENERGY_TOLERANCE, Probe};
use carom_time::Tick;

use super::probes::Probes;
use super::rows::RowMaker;

/// An observer that keeps the rows of the ledger and of the probes, for [`Simulation::run`](crate::Simulation::run): what a job writes, without a folder.
pub struct Numbers {
    probes: Probes,
    row_maker: RowMaker,
    /// Energies and momenta, row by row.
    pub ledger: Vec<LedgerRow>,
    /// Values of the probes, row by row.
    pub readings: Vec<ProbeRow>,
}

/// Values of all probes at one tick, in [`Numbers`].
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeRow {
    /// Tick of the row.
    pub tick: Tick,
    /// The values of all columns, in the order of the probes.
    pub values: Vec<f64>,
}

impl Numbers {
    /// An empty record of `system` and these probes.
    #[must_use]
    pub fn new(system: &Arc<System>, probes: &[Probe]) -> Self {
        let row_maker = RowMaker::new(system, DEFAULT_ENERGY_TOLERANCE);
        Self { probes: Probes::new(system, probes), row_maker, ledger: Vec::new(), readings: Vec::new() }
    }
}

impl Observer for Numbers {
    fn observe(&mut self, snapshot: &Snapshot, reading: &Reading) -> io::Result<()> {
        self.ledger.push(self.row_maker.row(snapshot, reading));
        if snapshot.row.is_some() || snapshot.is_end {
            let values = self.probes.values(snapshot, reading);
            self.readings.push(ProbeRow { tick: reading.tick, values });
        }
        Ok(())
    }
}
