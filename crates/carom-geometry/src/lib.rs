//! Meshes: vertices, triangles, tetrahedra, edges; where they come from and whether they are sound.
//!
//! | module | what |
//! | --- | --- |
//! | [`mesh`] | the plain data: positions, elements, named groups of vertices |
//! | [`topology`] | which element touches which: edges, neighbours, boundaries, the skin of a solid |
//! | [`quality`] | angles of triangles, shapes of tetrahedra |
//! | [`soundness`] | what is wrong with a mesh, in words, with the remedy |
//! | [`shapes`] | meshes that need no file: grids, discs, spheres, tubes, rods, boxes, balls |
//!
//! Whatever is listed here is in an order that depends on the mesh alone: things are found by
//! sorting, never by walking a hash table.
//!
//! **Never here:** mass, force, time, files.

pub mod mesh;
pub mod quality;
pub mod shapes;
pub mod soundness;
pub mod topology;

pub use mesh::{Group, Mesh};
pub use soundness::{Defect, check};
pub use topology::Topology;
