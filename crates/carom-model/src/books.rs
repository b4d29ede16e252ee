//! The books: what came into the system from outside it.
//!
//! Momentum is constant only up to what fields and pins put in. Every such impulse is booked
//! where it acts, with compensated sums, so that momentum minus the books is constant to
//! round-off however long the run.

use crate::family::Impulse;

/// Impulses from outside, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Books {
    /// From fields, such as gravity.
    pub fields: Impulse,
    /// From pins, which hold a vertex along an axis.
    pub pins: Impulse,
}
