//! Continuous collision detection that never misses.
//!
//! Two primitives whose vertices move in straight lines during the time [0, 1]: is there a time at
//! which they share a point, and what is the first? The answer does not depend on rounding:
//!
//! 1. `advance`: separating planes, moved forward until none is found. Most pairs end here as
//!    misses; the others have a time before which there is provably no contact.
//! 2. `certain`: a proof, by interval arithmetic, that a contact follows at once.
//! 3. `exact`: whole numbers decide what is left: grazing contacts, contacts on an edge or a corner,
//!    coplanar motion, primitives without area or length, no motion at all.
//!
//! Primitives and interval are closed: touching is contact, also at time 0 and at time 1.
//!
//! [`judge_queries`] tests it on queries with known results: that is `carom ccd`.
//!
//! It is a crate of its own since no run uses it: contact finds and certifies pairs by distances, and the audit of a run, which shares no code with
//! what it judges, has its own detection. Tests of both use this crate as an independent check. It uses the nearest points of `carom-geometry`, which
//! the audit must not use.
//!
//! **Never here:** thickness (a pair of positive thickness is a matter of distances), search, files.

mod advance;
mod certain;
pub mod dyadic;
mod exact;
mod interval;
mod judge;
mod polynomial;
mod queries;

pub use judge::{VerdictCounts, judge_queries};
pub use queries::{Query, QueryError, kind_of_path, parse_queries};

use carom_math::Vec3;

/// Which primitives the four vertices make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A vertex, then the three corners of a face.
    VertexFace,
    /// The two ends of an edge, then those of another.
    EdgeEdge,
}

impl Kind {
    /// How many of the four vertices belong to the first primitive.
    const fn split(self) -> usize {
        match self {
            Self::VertexFace => 1,
            Self::EdgeEdge => 2,
        }
    }
}

/// Bounds on a time in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bracket {
    /// Lower bound of the time.
    pub low: f64,
    /// Upper bound of the time.
    pub high: f64,
}

impl Bracket {
    const START: Self = Self { low: 0.0, high: 0.0 };
}

/// A time is never earlier than the exact one by more than this.
pub const EARLY: f64 = 1e-6;

/// The first time in [0, 1] at which the two closed primitives share a point, if there is one.
///
/// `Some` exactly when there is one. The time is never later than the exact one and earlier by at most
/// [`EARLY`]. Coordinates that are not finite count as contact at time 0: nothing is known of them.
#[must_use]
pub fn first_contact(kind: Kind, start: &[Vec3; 4], end: &[Vec3; 4]) -> Option<f64> {
    if !start.iter().chain(end).all(|x| x.is_finite()) {
        return Some(0.0);
    }
    if advance::apart_along_an_axis(kind, start, end) {
        return None;
    }
    let free_until = advance::free_until(kind, start, end)?;
    if certain::contact_follows(kind, start, end, free_until) {
        return Some(free_until);
    }
    // 2^-30 is far below EARLY, and shorter to reach than the last bit.
    exact::first_contact(kind, start, end, 30).map(|time| time.low.max(free_until))
}

/// The first contact by exact arithmetic alone, bounded on both sides to better than 2^-50.
#[must_use]
pub fn first_contact_exact(kind: Kind, start: &[Vec3; 4], end: &[Vec3; 4]) -> Option<Bracket> {
    if !start.iter().chain(end).all(|x| x.is_finite()) {
        return Some(Bracket::START);
    }
    exact::first_contact(kind, start, end, 51)
}

#[cfg(test)]
mod tests;
