//! What the probes of a scene read off a run.

use std::sync::Arc;

use carom_engine::{Reading, Snapshot};
use carom_model::System;
use carom_scene::{Probe, ReadProbe};

/// Reads the probes of a scene.
pub struct Probes {
    columns: Vec<String>,
    readers: Vec<Box<dyn ReadProbe>>,
}

impl Probes {
    pub fn new(system: &Arc<System>, probes: &[Probe]) -> Self {
        let columns_of = |probe: &Probe| {
            let name = probe.name.clone();
            probe.kind.columns.iter().map(move |column| format!("{name}.{}", column.name))
        };
        Self {
            columns: probes.iter().flat_map(columns_of).collect(),
            readers: probes.iter().map(|probe| probe.target.reader(system)).collect(),
        }
    }

    /// The names of all columns: `probe.column`.
    pub fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }

    /// The values of all columns.
    pub fn values(&self, snapshot: &Snapshot, reading: &Reading) -> Vec<f64> {
        self.readers.iter().flat_map(|reader| reader.values(snapshot, reading)).collect()
    }
}
