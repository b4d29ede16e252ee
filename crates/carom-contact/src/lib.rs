//! Contact as one more family of potentials: nested layers between pairs of primitives, each a function of
//! distance with a clock of its own.
//!
//! | what | where |
//! | --- | --- |
//! | how hard a layer pushes, and when | [`Layers`] |
//! | how much of the surface a pair stands for | [`Spread`] |
//! | distance, force and energy of a pair | [`Pair`] |
//! | the primitives of bodies, and their shares of the surface | [`BodySurface`], [`Grains`] |
//! | how stiff and how fast, unless the scene says | [`tune_contact`] |
//! | which pairs there are | [`PairRules`] |
//! | which layers may sleep, and for how long | [`Watch`]: [`Certificates`], [`SpeedBound`], [`BruteForce`] |
//! | what it does beside its normal force | [`DissipativeContact`] |
//! | when nothing can be certified any more | [`SeparationFailure`] |
//! | what became of it, body by body | [`Touch`] |
//! | which pairs are near, and which too near at rest | [`near_pairs`], [`near_pairs_with_skin`], [`too_near_at_rest`] |
//!
//! **Never here:** changing a position or a velocity, files.

mod geodesic_bound;
mod law;
mod layers;
mod minimum_gap;
mod pair;
mod pair_rules;
mod surface;
#[cfg(test)]
mod testing;
mod touch;
mod tuning;
mod watch;
mod weight;

pub use law::{ContactImpulse, DissipativeContact};
pub use layers::{Layer, Layers, step_of_layer};
pub use minimum_gap::{FailureReason, MinimumGapTest, SeparationFailure};
pub use pair::{Measure, Pair, vertices_of};
pub use pair_rules::{PairRules, TooNear};
pub use surface::{BodySurface, Grains, SoftGrains};
pub use touch::{ContactEvent, Touch, Touches};
pub use tuning::{
    ContactOptions, ContactTuning, MAX_LAYERS, tune_contact, tune_contact_with_grains, with_contact,
};
pub use watch::{
    BruteForce, CandidateDistance, Certificates, Claim, ContactCounters, Motion, Sharing, SpeedBound,
    TouchedVertices, Watch, WatchKind, near_pairs, near_pairs_with_skin, start_watch, too_near_at_rest,
};
pub use weight::Spread;
