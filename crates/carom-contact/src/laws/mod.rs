//! Laws beside the normal force: what a pair that pushes answers to the velocities of its vertices.
//!
//! The engine asks for the answers of all such pairs at once, after the conservative kicks of an instant. Nothing here knows of
//! layers, candidates or clocks: a [`DissipativeContact`] carries all that an answer needs.

mod dissipative;

pub use carom_model::ContactImpulse;
pub use dissipative::DissipativeContact;
