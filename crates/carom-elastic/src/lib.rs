//! Energies of deformation and fields: one term of physics per file, pure functions.
//!
//! A file's header gives the energy, its gradient, the stable step and the degenerate case, in
//! that order. To add a potential, write such a file and one line here; CONTRIBUTING.md has the
//! recipe.
//!
//! **Never here:** indices of vertices, time, files.

mod bending_hinge;
mod bending_midedge;
mod gravity;
mod inverse_distance;
mod lennard_jones;
mod load;
mod logarithm;
mod material;
mod membrane_neo_hookean;
mod membrane_stvk;
mod rod_bend;
mod spring;
mod tet_neo_hookean;
mod tet_stvk;
mod tetrahedron;
mod triangle;

pub use bending_hinge::BendingHinge;
pub use bending_midedge::BendingMidedge;
pub use gravity::Gravity;
pub use inverse_distance::InverseDistance;
pub use lennard_jones::LennardJones;
pub use load::Load;
pub use material::{Lame, MaterialError, ShellMaterial, SolidMaterial};
pub use membrane_neo_hookean::MembraneNeoHookean;
pub use membrane_stvk::MembraneStvk;
pub use rod_bend::RodBend;
pub use spring::Spring;
pub use tet_neo_hookean::TetNeoHookean;
pub use tet_stvk::TetStvk;

#[cfg(test)]
mod check;
