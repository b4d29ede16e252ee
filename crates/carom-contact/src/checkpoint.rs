//! What must be known of contact for a run to go on as if it had never stopped.
//!
//! Vertices are numbered as in the system, lists are sorted, and what no longer counts at the tick of the checkpoint is left out: so two engines
//! that obey the contract have equal checkpoints. Certificates, candidates and active pairs are not among it: they change no bit and are
//! found anew.

use carom_math::{ExactSum, ExactVec3Sum, Vec3};
use carom_model::{ContactSummary, PairId};
use carom_time::{Span, Tick};

use crate::Touch;

/// What became of contact up to a tick.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactCheckpoint {
    /// Bodies that touched, in the order in which they first did.
    pub touches: Vec<TouchRecord>,
    /// Meetings of grains that are not over, in the order of ids.
    pub meetings: Vec<Meeting>,
    /// The smallest distance at a kick, in m; infinite if no layer pushed.
    pub smallest_distance_m: f64,
    /// The deepest layer that pushed; 0 if none did.
    pub deepest_layer: u32,
    /// What layers gave at the last multiple of their step, by step from short to long; recorded where contact takes energy.
    pub layer_impulses: Vec<LayerImpulses>,
}

impl Default for ContactCheckpoint {
    /// Nothing has touched.
    fn default() -> Self {
        Self {
            touches: Vec::new(),
            meetings: Vec::new(),
            smallest_distance_m: f64::INFINITY,
            deepest_layer: 0,
            layer_impulses: Vec::new(),
        }
    }
}

/// Contact between two bodies since the start, with totals that are not rounded yet.
#[derive(Clone, Debug, PartialEq)]
pub struct TouchRecord {
    /// All but the totals, which are zeros here.
    pub touch: Touch,
    /// The terms of [`Touch::impulse`].
    pub impulse: ExactVec3Sum,
    /// The terms of [`Touch::virial`].
    pub virial: ExactSum,
    /// The terms of [`Touch::approaches`].
    pub approaches: ExactSum,
}

/// Two grains that meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Their pair.
    pub pair: PairId,
    /// Their bodies, the smaller number first.
    pub bodies: [u32; 2],
    /// The last kick that pushed.
    pub last: Tick,
    /// It is over once longer than this has gone by without a kick.
    pub longest: Span,
    /// The smallest distance of the centres so far, in m.
    pub approach_m: f64,
}

/// What layers of one step gave at the last multiple of that step.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerImpulses {
    /// Their step.
    pub span: Span,
    /// The vertices that they pushed, ascending, and what each got, in N·s.
    pub impulses: Vec<(u32, Vec3)>,
}

/// What contact took so far: effort that is no part of the contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContactEffort {
    /// Gradients of pairs computed, a pair once per instant.
    pub evaluations: u64,
    /// Distances measured to certify layers.
    pub measures: u64,
    /// Searches for candidates.
    pub searches: u64,
    /// The most pairs that were active at once.
    pub most_active: u64,
}

impl ContactEffort {
    /// What a summary says of contact that took this, came so near, in m, and went down to this layer.
    #[must_use]
    pub fn summary(&self, smallest_distance_m: f64, deepest_layer: u32) -> ContactSummary {
        let Self { measures, searches, most_active, .. } = *self;
        ContactSummary { smallest_distance_m, deepest_layer, most_active, searches, measures }
    }
}
