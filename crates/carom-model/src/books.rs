//! The books: what came into the system from outside it.
//!
//! Momentum is constant only up to what fields, pins and obstacles put in. Every such impulse is booked
//! where it acts, with compensated sums, so that momentum minus the books is constant to
//! round-off however long the run. Energy is constant only up to the work of obstacles that move
//! and of loads that are driven.

use carom_math::{Sum, Vec3};

use crate::family::Impulse;

/// Impulses from outside, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Books {
    /// From fields, such as gravity.
    pub fields: Impulse,
    /// From pins, which hold a vertex along an axis, and from obstacles.
    pub pins: Impulse,
    /// Work of obstacles that move and of driven loads, in J.
    pub work: Sum,
}

impl Books {
    /// Books the impulse `j` with which something from outside keeps a vertex on its way: at `x`, moving at `u`.
    #[inline]
    pub fn hold(&mut self, x: Vec3, u: Vec3, j: Vec3) {
        self.pins.add(x, j);
        self.work.add(j.dot(u));
    }
}
