//! Meshes in space: where meshes come from, whether they are sound, how near they are.
//!
//! | module | what |
//! | --- | --- |
//! | [`mesh`] | the plain data: positions, elements, named groups of vertices |
//! | [`topology`] | which element touches which: edges, neighbours, boundaries, the skin of a solid |
//! | [`quality`] | angles of triangles, shapes of tetrahedra |
//! | [`soundness`] | what is wrong with a mesh, in words, with the remedy |
//! | [`shapes`] | meshes that need no file: grids, discs, spheres, tubes, rods, boxes, balls |
//! | [`nearest`] | nearest points of vertices, edges and faces, with a proven bound on the error |
//! | [`crossings`] | does a mesh cross itself |
//! | [`Bvh`] | which of many boxes overlap |
//!
//! Whatever is listed here is in an order that depends on the mesh alone: things are found by
//! sorting, never by walking a hash table.
//!
//! **Never here:** mass, force, files.

mod bounds;
mod bvh;
pub mod crossings;
pub mod mesh;
pub mod nearest;
pub mod quality;
pub mod shapes;
pub mod soundness;
pub mod topology;

pub use bounds::Bounds;
pub use bvh::{Bvh, Part};
pub use mesh::{Group, Mesh};
pub use soundness::{Defect, check};
pub use topology::Topology;
