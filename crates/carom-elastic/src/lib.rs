//! Energies of deformation and fields: one term of physics per file, pure functions.
//!
//! A file's header gives the energy, its gradient, the stable step and the degenerate case, in
//! that order. To add a potential, write such a file and one line here; CONTRIBUTING.md has the
//! recipe.
//!
//! **Never here:** indices of vertices, time, files.

mod bending_midedge;
mod logarithm;
mod material;
mod membrane_neo_hookean;
mod membrane_stvk;
mod spring;
mod triangle;

pub use bending_midedge::BendingMidedge;
pub use material::{Lame, MaterialError, ShellMaterial, SolidMaterial};
pub use membrane_neo_hookean::MembraneNeoHookean;
pub use membrane_stvk::MembraneStvk;
pub use spring::Spring;

#[cfg(test)]
mod check;
