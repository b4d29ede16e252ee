//! Where the time of an integration goes: for people, never for decisions.

use std::time::{Duration, Instant};

/// Time spent on the parts of an integration; nothing where a method does not measure it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartTimes {
    /// Making the engine ready, without the search for candidates.
    pub start: Duration,
    /// Finding the next instant, drifts, kicks, and listeners.
    pub motion: Duration,
    /// Gradients of elements.
    pub elements: Duration,
    /// Damping, restitution and friction.
    pub losses: Duration,
    /// Checks of the energy tolerance: copies, readings, going back.
    pub checks: Duration,
    /// Forces of pairs.
    pub pairs: Duration,
    /// Certificates of pairs, searches left out.
    pub certificates: Duration,
    /// Searches for candidates.
    pub searches: Duration,
}

impl core::ops::Add for PartTimes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            start: self.start + other.start,
            motion: self.motion + other.motion,
            elements: self.elements + other.elements,
            losses: self.losses + other.losses,
            checks: self.checks + other.checks,
            pairs: self.pairs + other.pairs,
            certificates: self.certificates + other.certificates,
            searches: self.searches + other.searches,
        }
    }
}

/// Tells how long things took that happen one after the other, with one look at the clock between two of them.
pub(crate) struct Stopwatch {
    last: Instant,
}

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self { last: Instant::now() }
    }

    /// The time since it started, or since the lap before.
    pub fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - core::mem::replace(&mut self.last, now)
    }
}
