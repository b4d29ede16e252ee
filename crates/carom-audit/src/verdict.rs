//! What the judge found.

use crate::Pair;

/// A pair that reached distance 0, or the sum of its hard radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Primitives of the pair.
    pub pair: Pair,
    /// Time of the first contact in ticks: seldom a whole number.
    pub tick: f64,
    /// Time of the first contact, in s.
    pub time_s: f64,
}

/// The smallest distance of any pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Distance less the hard radii, in m, up to rounding of the coordinates.
    pub distance_m: f64,
    /// Proven lower bound of the distance of all pairs: one part in a million below the distance, or less where rounding hides more.
    pub at_least_m: f64,
    /// Primitives of the nearest pair.
    pub pair: Pair,
    /// Time of the smallest distance, in s.
    pub time_s: f64,
}

/// A vertex that was not where its last position and velocity take it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// Number of the vertex.
    pub vertex: u32,
    /// The tick of the stored position.
    pub tick: u64,
}

/// Amount of work of an audit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Stored positions.
    pub corners: u64,
    /// Number of windows.
    pub windows: u64,
    /// Searches for pairs that may come near.
    pub searches: u64,
    /// Pairs tested in a window.
    pub pairs: u64,
    /// Interval tests of a pair in a part of a window.
    pub interval_tests: u64,
    /// Straight pieces decided by exact arithmetic.
    pub exact_decisions: u64,
}

/// What the judge found in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The first crossing of every pair that crossed, by time.
    pub crossings: Vec<Crossing>,
    /// The nearest pair; none if all stayed farther apart than `look_within_m`.
    pub closest: Option<Closest>,
    /// Distance up to which the smallest distance is measured, in m.
    pub look_within_m: f64,
    /// Number of motions between kicks that were not straight.
    pub bends: u64,
    /// The first motion that was not straight.
    pub first_bend: Option<Bend>,
    /// Amount of work.
    pub work: Work,
}

impl Verdict {
    /// Whether nothing passed through anything, and all motion between kicks was straight.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.crossings.is_empty() && self.bends == 0
    }
}

/// The nearest pair so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nearest {
    distance_m: f64,
    /// Proven lower bound where the nearest pair could not be determined.
    proven_m: f64,
    pub found: Option<(Pair, f64)>,
}

impl Nearest {
    pub fn within(look_within_m: f64) -> Self {
        Self { distance_m: look_within_m, proven_m: f64::INFINITY, found: None }
    }

    /// A distance of a pair at an instant, in ticks.
    pub fn offer(&mut self, distance_m: f64, pair: Pair, tick: f64) {
        if distance_m < self.distance_m {
            *self = Self { distance_m, proven_m: self.proven_m, found: Some((pair, tick)) };
        }
    }

    /// Notes that a pair is proven apart by no more than this.
    pub fn prove_no_more_than(&mut self, distance_m: f64) {
        self.proven_m = self.proven_m.min(distance_m.max(0.0));
    }

    /// Proven lower bound of the distance of all pairs.
    pub fn at_least_m(&self) -> f64 {
        self.floor().min(self.proven_m)
    }

    pub fn distance_m(&self) -> f64 {
        self.distance_m
    }

    /// A pair proven farther apart than this is of no interest any more: the nearest is known to one part in a million.
    pub fn floor(&self) -> f64 {
        self.distance_m * (1.0 - 1e-6)
    }
}
