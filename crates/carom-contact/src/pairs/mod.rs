//! What all rooms share: which two primitives are a pair, its constants, its distance, force and energy.
//!
//! | what | where |
//! | --- | --- |
//! | how hard a layer pushes, and when | [`Layers`] |
//! | how much of the surface a pair stands for | [`Spread`] |
//! | distance, force and energy of a pair | [`Pair`] |
//! | distances and impulses of eight pairs side by side | [`Pairs8`](pairs8::Pairs8), [`Pushing8`](pushes8::Pushing8) |
//! | the primitives of bodies, and their shares of the surface | [`BodySurface`], [`Grains`] |
//! | which pairs there are | [`PairRules`] |
//! | positions and velocities, as contact reads them | [`Motion`] |

mod layers;
mod motion;
mod near_among;
mod pair;
mod pair_rules;
pub(crate) mod pairs8;
pub(crate) mod pushes8;
pub(crate) mod surface;
pub(crate) mod weight;

pub use layers::{Layer, Layers, layer_count, step_of_layer};
pub use motion::{Motion, TouchedVertices};
pub use pair::{Measure, Pair, vertices_of};
pub use pair_rules::{PairRules, TooNear};
pub use surface::{BodySurface, Grains, SoftGrains};
pub use weight::Spread;
