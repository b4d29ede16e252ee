//! Meshes: vertices, triangles, tetrahedra, edges; where they come from and whether they are sound.

pub mod ccd;
pub mod nearest;
