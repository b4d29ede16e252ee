//! The external ledger: what came into the system from outside it.
//!
//! Momentum is constant only up to what fields, pins and obstacles put in. Every such impulse is booked
//! where it acts, with compensated sums, so that momentum minus the ledger is constant to
//! round-off however long the run. Energy is constant only up to the work of obstacles that move and
//! of loads that are driven, and what friction, impacts and damping take.
//!
//! The angles of a rod's edges stand outside the angular momentum too: an edge that turns keeps its spin about itself, whatever its
//! direction, so spin that was put in along one direction comes back along another. What potentials pass from angles to places is
//! booked as it passes.

use carom_math::{Sum, Vec3, Vec3Sum};

use crate::DofKind;

/// Impulses from outside, since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ExternalLedger {
    /// From fields, such as gravity.
    pub fields: Impulse,
    /// From pins, which hold a vertex along an axis, and from obstacles.
    pub pins: Impulse,
    /// Couples of friction across a gap, which push at two points: angular only.
    pub couples: Vec3Sum,
    /// Angular impulse from the twist of edges, about themselves, in N·m·s.
    pub twists: Vec3Sum,
    /// Work of obstacles that move and of driven loads, in J.
    pub work: Sum,
    /// What resistance took.
    pub losses: Losses,
}

/// Energy that resistance took since the start, in J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// By impacts that are not elastic.
    pub restitution: Sum,
    /// By friction.
    pub friction: Sum,
    /// By the damping of elements, and by drag.
    pub damping: Sum,
}

impl Losses {
    /// All of it, in J.
    #[must_use]
    pub fn total_j(&self) -> f64 {
        self.restitution.value() + self.friction.value() + self.damping.value()
    }
}

impl ExternalLedger {
    /// Books the impulse `j` with which something from outside keeps a vertex of this `dof_kind` on its way: at `x`, moving at `u`.
    #[inline]
    pub fn hold(&mut self, dof_kind: DofKind, x: Vec3, u: Vec3, j: Vec3) {
        match dof_kind {
            DofKind::Position => self.pins.add(x, j),
            DofKind::Spin => self.pins.angular.add(j),
            DofKind::Twist | DofKind::Memory => {}
        }
        self.work.add(j.dot(u));
    }
}

/// A total of the external ledger: linear and angular impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Impulse {
    /// Linear impulse, in N·s.
    pub linear: Vec3Sum,
    /// Angular impulse about the origin, in N·m·s.
    pub angular: Vec3Sum,
}

impl Impulse {
    /// Books an impulse `j` applied at `x`.
    #[inline]
    pub fn add(&mut self, x: Vec3, j: Vec3) {
        self.linear.add(j);
        self.angular.add(x.cross(j));
    }

    /// Books a couple: an angular impulse alone, in N·m·s.
    #[inline]
    pub fn add_couple(&mut self, couple: Vec3) {
        self.angular.add(couple);
    }
}
