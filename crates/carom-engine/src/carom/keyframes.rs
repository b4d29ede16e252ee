//! Prescribed motions, as the engine applies them.

use carom_model::{Corner, Path, System, corners};
use carom_time::Tick;

use super::instant_vertices::InstantVertices;
use super::vertices::Vertices;
use crate::Checkpoint;

/// The paths of a system in the engine's numbering, and how far they have been followed.
pub struct Keyframes {
    paths: Vec<Path>,
    /// Where paths change direction, in the order of ticks.
    corners: Vec<Corner>,
    /// How many corners have been applied.
    applied: usize,
}

impl Keyframes {
    /// The paths of a system at a checkpoint; vertex `v` is called `renumbered[v]` here.
    pub fn new(system: &System, renumbered: &[u32], from: &Checkpoint) -> Self {
        let renamed = |path: &Path| path.vertices.iter().map(|&v| renumbered[v as usize]).collect();
        let paths: Vec<Path> =
            system.paths.iter().map(|path| Path { vertices: renamed(path), ..path.clone() }).collect();
        let corners = corners(&paths);
        // A start applies the corners at its own tick.
        let is_applied =
            |corner: &Corner| corner.tick < from.tick || corner.tick == from.tick && from.due_start.is_none();
        let applied = corners.partition_point(is_applied);
        Self { paths, corners, applied }
    }

    /// The tick of the next corner.
    pub fn next_tick(&self) -> Option<Tick> {
        self.corners.get(self.applied).map(|corner| corner.tick)
    }

    /// Gives the vertices of paths that have a corner at `tick` their new velocities.
    pub fn apply(&mut self, tick: Tick, vertices: &mut Vertices, visited: &mut InstantVertices) {
        while let Some(corner) = self.corners.get(self.applied).filter(|corner| corner.tick <= tick) {
            let path = &self.paths[corner.path];
            vertices.apply_keyframe(path, corner.key);
            let before = visited.listed.len();
            visited.listed.extend(&path.vertices);
            vertices.keep_unvisited(visited, before, tick);
            self.applied += 1;
        }
    }
}
