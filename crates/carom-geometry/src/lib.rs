//! Meshes: vertices, triangles, tetrahedra, edges; where they come from and whether they are sound.

mod bounds;
mod bvh;
pub mod ccd;
pub mod crossings;
mod dyadic;
pub mod nearest;

pub use bounds::Bounds;
pub use bvh::Bvh;
