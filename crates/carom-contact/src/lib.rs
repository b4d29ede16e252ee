//! Contact as one more family of potentials: nested layers, each a function of distance with a
//! clock of its own.
//!
//! **Never here:** how near pairs are found, files.

mod layers;

pub use layers::{LayerFamily, Layers};
