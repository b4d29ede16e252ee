//! One frame as a VTK unstructured grid (`.vtu`), for ParaView, VTK and meshio.
//!
//! | where | array | type |
//! | --- | --- | --- |
//! | field data | `TimeValue` in s, `tick` | Float64, UInt64 |
//! | field data, if something twists or spins | `ghost_body`, `ghost_position`, `ghost_velocity`: auxiliary degrees of freedom (angles, spins, stored frames) | UInt32, Float64 × 3 |
//! | points | positions, in m | Float64 × 3 |
//! | point data | `velocity` in m/s, `body`, the frame's vertex fields | Float64 × 3, UInt32, Float64 |
//! | cell data | `body`, the frame's cell fields (`step_s`, `energy_density`, …) | UInt32, Float64 |
//!
//! The arrays are appended raw, little-endian, in blocks compressed by zlib, with UInt64 headers;
//! every bit comes back ([`read`] is tested on that). Cells are vertices, lines, triangles and
//! tetrahedra, in the order of [`Topology`](carom_model::Topology).
//!
//! **Never here:** the list of frames (see [`pvd`](crate::pvd)); reading grids of other programs.

mod blocks;
mod decode;
mod encode;

use std::path::Path;

use carom_model::Frame;

use crate::{OutputError, disk};

pub use decode::decode;
pub(crate) use encode::{Packer, encode};

/// Names of arrays that every frame has; a field cannot take them.
const VELOCITY: &str = "velocity";
const BODY: &str = "body";
const TIME: &str = "TimeValue";
const TICK: &str = "tick";
const GHOST_BODY: &str = "ghost_body";
const GHOST_POSITION: &str = "ghost_position";
const GHOST_VELOCITY: &str = "ghost_velocity";

/// The numbers by which VTK knows the kinds of cell, in the order of our cells, with their vertices.
const CELL_TYPES: [(u8, usize); 4] = [(1, 1), (3, 2), (5, 3), (10, 4)];

/// Writes one frame; the file is whole or not there.
pub(crate) fn write(path: &Path, frame: &Frame, packer: &mut Packer) -> Result<(), OutputError> {
    disk::replace(path, &encode(frame, packer)?)
}

/// Reads a frame of a run.
pub fn read(path: &Path) -> Result<Frame, OutputError> {
    decode(&disk::read(path)?).map_err(|what| OutputError::malformed(path, what))
}

#[cfg(test)]
mod tests;
