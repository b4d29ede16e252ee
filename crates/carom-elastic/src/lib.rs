//! Energies of deformation and fields: one term of physics per file, pure functions.
//!
//! A file's header gives the energy, its gradient, the stable step and the degenerate case, in
//! that order; its [`registry::Descriptor`] says how a scene asks for it. To add a potential, write such a file and name
//! it here three times, the last time in [`KINDS`]; CONTRIBUTING.md has the recipe.
//!
//! | what | potentials |
//! | --- | --- |
//! | shell | [`MembraneStvk`] or [`MembraneNeoHookean`] per triangle, with [`BendingMidedge`] per triangle, or [`BendingHinge`] or [`BendingQuadratic`] per inner edge |
//! | rod | [`Spring::of_rod`] per edge, [`RodBend`] per joint, or [`RodJoint`] where twist or the direction of natural curvature matters |
//! | solid | [`TetStvk`] or [`TetNeoHookean`] per tetrahedron |
//! | points | [`Spring`], [`LennardJones`], [`InverseDistance`] per pair; [`Gravity`], [`Load`] per vertex |
//! | anything else | [`Closure`], on any stencil |
//!
//! Kernels run on eight elements side by side. They take arrays apart by pattern and write sums
//! out: a closure given to `array::map` or `array::from_fn` stays a call on eight lanes, and costs
//! a factor of four (`examples/throughput.rs` tells).
//!
//! **Never here:** indices of vertices, time, files.

mod bending_hinge;
mod bending_midedge;
mod bending_quadratic;
mod closure;
mod drag;
mod driven;
mod gravity;
mod inverse_distance;
mod lennard_jones;
mod load;
mod logarithm;
mod material;
mod membrane_neo_hookean;
mod membrane_stvk;
pub mod registry;
mod rod_bend;
mod rod_joint;
mod spring;
mod tet_neo_hookean;
mod tet_stvk;
mod tetrahedron;
mod triangle;

pub use bending_hinge::BendingHinge;
pub use bending_midedge::BendingMidedge;
pub use bending_quadratic::BendingQuadratic;
pub use closure::{Closure, Closures, EnergyFn, Formula, GradientFn, HessianFn};
pub use drag::{Drag, Slowed, Spins, Translations, Twists};
pub use driven::{DrivenForce, DrivenLoad, DrivenLoads, Profile};
pub use gravity::Gravity;
pub use inverse_distance::InverseDistance;
pub use lennard_jones::LennardJones;
pub use load::Load;
pub use material::{Lame, MaterialError, ShellMaterial, SolidMaterial};
pub use membrane_neo_hookean::MembraneNeoHookean;
pub use membrane_stvk::MembraneStvk;
pub use rod_bend::RodBend;
pub use rod_joint::RodJoint;
pub use spring::Spring;
pub use tet_neo_hookean::TetNeoHookean;
pub use tet_stvk::TetStvk;

/// All kinds of potential, in the order in which their impulses are summed.
pub const KINDS: &[&registry::Descriptor] = &[
    &BendingHinge::DESCRIPTOR,
    &BendingMidedge::DESCRIPTOR,
    &BendingQuadratic::DESCRIPTOR,
    &Closures::INTERNAL,
    &Closures::FIELD,
    &Drag::<Translations>::DESCRIPTOR,
    &Drag::<Spins>::DESCRIPTOR,
    &Drag::<Twists>::DESCRIPTOR,
    &DrivenLoads::DESCRIPTOR,
    &Gravity::DESCRIPTOR,
    &Load::DESCRIPTOR,
    &MembraneNeoHookean::DESCRIPTOR,
    &MembraneStvk::DESCRIPTOR,
    &InverseDistance::DESCRIPTOR,
    &LennardJones::DESCRIPTOR,
    &RodBend::DESCRIPTOR,
    &RodJoint::DESCRIPTOR,
    &Spring::DESCRIPTOR,
    &TetNeoHookean::DESCRIPTOR,
    &TetStvk::DESCRIPTOR,
];

#[cfg(test)]
mod check;
