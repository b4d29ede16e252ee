//! Step and energy density of each cell of a frame.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Field, Owner, System};

/// Which potentials belong to which cell.
pub struct Cells {
    system: Arc<System>,
    count: usize,
    /// (family, element, cell) of every potential that belongs to a cell.
    potentials: Vec<(usize, usize, usize)>,
    /// Area, length or volume of each cell.
    extents: Vec<f64>,
    /// Shortest step of each cell's potentials, in s; infinite where it has none.
    steps_s: Vec<f64>,
}

impl Cells {
    /// Sorts the potentials of `system` into `count` cells.
    pub fn new(system: &Arc<System>, count: usize, cell_of: impl Fn(Owner) -> Option<usize>) -> Self {
        let (mut extents, mut steps_s) = (vec![0.0_f64; count], vec![f64::INFINITY; count]);
        let mut potentials = Vec::new();
        for (f, (family, schedule)) in system.families.iter().zip(&system.schedules).enumerate() {
            for e in (0..family.len()).filter(|_| family.is_internal()) {
                if let Some(cell) = cell_of(family.owner(e)) {
                    potentials.push((f, e, cell));
                    extents[cell] = extents[cell].max(family.extent(e));
                    steps_s[cell] = steps_s[cell].min(system.line.quantum.step(schedule.spans[e]));
                }
            }
        }
        Self { system: Arc::clone(system), count, potentials, extents, steps_s }
    }

    /// The fields of a frame with vertices at `x`.
    pub fn fields(&self, x: &[Vec3]) -> Vec<Field> {
        let mut density = vec![0.0; self.count];
        let mut at = Vec::new();
        for &(f, e, cell) in &self.potentials {
            let family = &self.system.families[f];
            at.clear();
            at.extend(family.stencil(e).iter().map(|&v| x[v as usize]));
            density[cell] += family.energy(e, &at) / self.extents[cell];
        }
        let step_s = self.steps_s.iter().map(|s| if s.is_finite() { *s } else { 0.0 }).collect();
        vec![
            Field { name: "step_s".to_owned(), values: step_s },
            Field { name: "energy_density".to_owned(), values: density },
        ]
    }
}
