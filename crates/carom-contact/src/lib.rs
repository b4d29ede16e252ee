//! Contact as one more family of potentials: nested layers between pairs of primitives, each a function of
//! distance with a clock of its own.
//!
//! | what | where |
//! | --- | --- |
//! | how hard a layer pushes, and when | [`Layers`] |
//! | how much of the surface a pair stands for | [`Spread`] |
//! | distance, force and energy of a pair | [`Pair`] |
//! | the primitives of bodies, and their shares of the surface | [`BodySurface`], [`Grains`] |
//! | how stiff and how fast, unless the scene says | [`choose`] |
//! | which pairs there are | [`Catalogue`] |
//! | which layers may sleep, and for how long | [`Watch`]: [`Certificates`], [`MiddleWay`], [`BruteForce`] |
//! | what it does beside its normal force | [`Acting`] |
//! | when nothing can be certified any more | [`Squeeze`] |
//! | what became of it, body by body | [`Touch`] |
//! | which pairs are near, and which too near at rest | [`near_pairs`], [`near_pairs_with_skin`], [`too_near_at_rest`] |
//!
//! **Never here:** changing a position or a velocity, files.

mod catalogue;
mod choice;
mod detour;
mod law;
mod layers;
mod pair;
mod squeeze;
mod surface;
#[cfg(test)]
mod testing;
mod touch;
mod watch;
mod weight;

pub use catalogue::{Catalogue, TooNear};
pub use choice::{Choice, ContactOptions, MAX_LAYERS, choose, choose_with_grains, with_contact};
pub use law::{Acting, Answer};
pub use layers::{Layer, Layers, step_of_layer};
pub use pair::{Measure, Pair, vertices_of};
pub use squeeze::{Floor, Squeeze, Why};
pub use surface::{BodySurface, Grains, SoftGrains};
pub use touch::{Push, Touch, Touches};
pub use watch::{
    BruteForce, Certificates, Claim, Effort, Found, MiddleWay, Motion, Visited, Watch, WatchKind, near_pairs,
    near_pairs_with_skin, start_watch, too_near_at_rest,
};
pub use weight::Spread;
