//! Scenes: what a person writes, and the meshes it names.
//!
//! [`import`] turns the bytes of a mesh file into a [`Mesh`](carom_geometry::Mesh).

pub mod import;
