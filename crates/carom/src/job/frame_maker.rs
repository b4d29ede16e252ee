//! Frames of a run.

use std::sync::Arc;

use carom_engine::Reading;
use carom_model::{AuxiliaryFrame, Field, Frame, System, Topology};
use carom_scene::Built;

use super::cells::Cells;

/// Makes the frames of a run, for observers that show or write them: positions, velocities, cells, and step and energy density of each cell.
pub struct FrameMaker {
    cells: Cells,
    topology: Arc<Topology>,
    /// Number of spatial vertices: auxiliary degrees of freedom come after them.
    places: usize,
    /// The body of each auxiliary degree of freedom.
    auxiliary_bodies: Vec<u32>,
    /// Radius of each vertex, in m; empty without grains.
    radii: Vec<f64>,
}

impl FrameMaker {
    /// For runs of a scene on the system of a method.
    #[must_use]
    pub fn new(built: &Built, system: &Arc<System>) -> Self {
        Self {
            cells: Cells::new(built, system),
            topology: Arc::clone(&built.topology),
            places: system.places(),
            auxiliary_bodies: system.auxiliary_dofs.iter().map(|auxiliary| auxiliary.body).collect(),
            radii: built.radii.clone(),
        }
    }

    /// The frame of a reading.
    #[must_use]
    pub fn frame(&self, reading: &Reading) -> Frame {
        let radius = Field::new("radius_m", self.radii.clone());
        Frame {
            tick: reading.tick,
            time_s: reading.time_s,
            positions: reading.positions[..self.places].to_vec(),
            velocities: reading.velocities[..self.places].to_vec(),
            topology: Arc::clone(&self.topology),
            vertex_fields: if self.radii.is_empty() { Vec::new() } else { vec![radius] },
            cell_fields: self.cells.fields(&reading.positions),
            auxiliary_dofs: AuxiliaryFrame {
                bodies: self.auxiliary_bodies.clone(),
                positions: reading.positions[self.places..].to_vec(),
                velocities: reading.velocities[self.places..].to_vec(),
            },
        }
    }
}
