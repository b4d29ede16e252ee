//! Contact as one more family of potentials: nested layers between pairs of primitives, each a function of
//! distance with a clock of its own.
//!
//! Five rooms in the order of the data flow, on what [pairs](Pair) all share:
//!
//! | room | answers | made of |
//! | --- | --- | --- |
//! | `pairs` | which two primitives are a pair, how far apart, how hard they push | [`PairRules`], [`Pair`], [`Layers`], [`Spread`], [`BodySurface`], [`Motion`] |
//! | 1 `broad_phase` | which pairs may touch before the next search: the candidates | [`near_pairs`], [`near_pairs_with_skin`], [`too_near_at_rest`] |
//! | 2 `certificates` | which layers a candidate certainly does not enter, and until when | [`CertifierKind`], [`MinimumGapTest`], [`SeparationFailure`], [`too_thin`] |
//! | 3 `active_pairs` | which pairs have other layers, and when these fire; what friction left to each | [`UnspentFriction`] |
//! | 4 `pair_forces` | the impulses of due pairs, in the order of ids | |
//! | 5 `laws` | restitution and friction of pairs that push | [`DissipativeContact`], [`ContactImpulse`] |
//! | `prescribed` | whether held parts cross, before the start | [`first_prescribed_crossing`] |
//! | `touch` | what became of it, body by body | [`Touch`] |
//! | `checkpoint` | what a run that goes on must know of it | [`ContactCheckpoint`], [`ContactEffort`] |
//! | `tuning` | how stiff and how fast, unless the scene says | [`tune_contact`] |
//!
//! Threads share the work as [`Sharing`] says. [`ContactPipeline`] joins the rooms: the engine asks it for impulses at an instant, and tells it after the kicks what moved.
//!
//! **Never here:** changing a position or a velocity, files.

mod active_pairs;
mod broad_phase;
mod certificates;
mod checkpoint;
mod laws;
mod pair_forces;
mod pairs;
mod pipeline;
mod prescribed;
mod sharing;
#[cfg(test)]
mod testing;
mod touch;
mod tuning;

pub use active_pairs::UnspentFriction;
pub use broad_phase::{CandidateDistance, near_pairs, near_pairs_with_skin, too_near_at_rest};
pub use certificates::{FailureReason, MinimumGapTest, SeparationFailure, TooThin, too_thin};
pub use checkpoint::{ContactCheckpoint, ContactEffort, LayerImpulses, Meeting, TouchRecord};
pub use laws::{ContactImpulse, DissipativeContact};
pub use pairs::{
    BodySurface, Grains, Layer, Layers, Measure, Motion, Pair, PairRules, SoftGrains, Spread, TooNear,
    TouchedVertices, layer_count, step_of_layer, vertices_of,
};
pub use pipeline::{CertifierKind, Claim, ContactPipeline};
pub use prescribed::{PrescribedCrossing, first_prescribed_crossing};
pub use sharing::Sharing;
pub use touch::{ContactEvent, Touch, Touches};
pub use tuning::{
    Complaint, ContactBodies, ContactOptions, ContactTuning, MAX_LAYERS, PressedBody, Pressing, Reasons,
    SpeedReason, StepReason, tune_contact, tune_contact_of, with_contact,
};
