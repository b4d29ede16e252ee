//! Step and energy density of each cell of a frame.
//!
//! A potential of a triangle or a tetrahedron belongs to it. Any other belongs in equal parts to the cells
//! all of whose vertices it reads: a hinge to its two triangles, a joint to its two edges, a
//! spring to the line that draws it. So the densities add up to the energy of the bodies.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_math::{F64x4, Vec3};
use carom_model::{Batch, Family, Field, System, Topology};
use carom_scene::Built;

/// A part of a potential that belongs to a cell.
struct Share {
    family: usize,
    element: usize,
    cell: usize,
    part: f64,
}

/// The potentials of each cell.
pub struct Cells {
    /// The potentials of each family.
    families: Vec<Box<dyn Batch>>,
    shares: Vec<Share>,
    /// Length, area or volume of each cell at the start; 1 for a point.
    extents: Vec<f64>,
    /// Shortest step of each cell's potentials, in s; infinite where it has none.
    steps_s: Vec<f64>,
}

impl Cells {
    /// Sorts the potentials of `system` into the cells of `built`.
    pub fn new(built: &Built, system: &Arc<System>) -> Self {
        let topology = &built.topology;
        let by_vertices: BTreeMap<Vec<u32>, usize> =
            topology.stencils().enumerate().map(|(cell, stencil)| (sorted(stencil), cell)).collect();
        let same: Vec<u32> = (0..system.vertices() as u32).collect();
        let all =
            |family: &Arc<dyn Family>| family.batch(&(0..family.len() as u32).collect::<Vec<_>>(), &same);
        let mut cells = Self {
            families: system.families.iter().map(all).collect(),
            shares: Vec::new(),
            extents: extents(topology, &built.state.positions),
            steps_s: vec![f64::INFINITY; topology.cells()],
        };
        for (f, (family, schedule)) in system.families.iter().zip(&system.schedules).enumerate() {
            for e in (0..family.len()).filter(|_| family.properties().is_internal) {
                let owners = match built.cell_of(family.owner(e)) {
                    Some(cell) => vec![cell],
                    None => inside(family.stencil(e), &by_vertices),
                };
                let (part, step_s) = (1.0 / owners.len() as f64, system.line.quantum.step(schedule.spans[e]));
                for cell in owners {
                    cells.shares.push(Share { family: f, element: e, cell, part });
                    cells.steps_s[cell] = cells.steps_s[cell].min(step_s);
                }
            }
        }
        cells
    }

    /// The fields of a frame with vertices at `x`.
    pub fn fields(&self, x: &[Vec3]) -> Vec<Field> {
        let mut density = vec![0.0; self.extents.len()];
        let rows: Vec<F64x4> = x.iter().map(|&x| x.into()).collect();
        let energies: Vec<Vec<f64>> = self.families.iter().map(|family| family.energies(&rows)).collect();
        for share in &self.shares {
            let energy = energies[share.family][share.element];
            density[share.cell] += share.part * energy / self.extents[share.cell];
        }
        let step_s = self.steps_s.iter().map(|s| if s.is_finite() { *s } else { 0.0 }).collect();
        vec![
            Field { name: "step_s".to_owned(), values: step_s },
            Field { name: "energy_density".to_owned(), values: density },
        ]
    }
}

fn sorted(vertices: &[u32]) -> Vec<u32> {
    let mut vertices = vertices.to_vec();
    vertices.sort_unstable();
    vertices
}

/// The cells all of whose vertices are in `stencil`: the largest kind of which there is one.
fn inside(stencil: &[u32], by_vertices: &BTreeMap<Vec<u32>, usize>) -> Vec<usize> {
    // A stencil with more vertices than a hinge belongs to no cell in particular.
    if stencil.len() > 4 {
        return Vec::new();
    }
    let subsets = (1_u32..1 << stencil.len()).map(|bits| {
        let chosen = stencil.iter().enumerate().filter(|(i, _)| bits & (1 << i) != 0);
        sorted(&chosen.map(|(_, &v)| v).collect::<Vec<_>>())
    });
    let found: Vec<(usize, usize)> =
        subsets.filter_map(|set| by_vertices.get(&set).map(|cell| (set.len(), *cell))).collect();
    let largest = found.iter().map(|(size, _)| *size).max().unwrap_or(0);
    found.into_iter().filter(|(size, _)| *size == largest).map(|(_, cell)| cell).collect()
}

fn extents(topology: &Topology, x: &[Vec3]) -> Vec<f64> {
    let extent = |stencil: &[u32]| {
        let from_first = |i: usize| x[stencil[i] as usize] - x[stencil[0] as usize];
        match stencil.len() {
            2 => from_first(1).length(),
            3 => 0.5 * from_first(1).cross(from_first(2)).length(),
            4 => from_first(1).cross(from_first(2)).dot(from_first(3)).abs() / 6.0,
            _ => 1.0,
        }
    };
    topology.stencils().map(extent).collect()
}
