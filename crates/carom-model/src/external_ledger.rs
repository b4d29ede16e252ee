//! The external ledger: what came into the system from outside it.
//!
//! Momentum is constant only up to what fields, pins and obstacles put in. Every such impulse is booked
//! where it acts, so that momentum minus the ledger is constant to
//! round-off however long the run. Energy is constant only up to the work of obstacles that move and
//! of loads that are driven, and what friction, impacts and damping take.
//!
//! The angles of a rod's edges stand outside the angular momentum too: an edge that turns keeps its spin about itself, whatever its
//! direction, so spin that was put in along one direction comes back along another. What potentials pass from angles to places is
//! booked as it passes.
//!
//! Every total is the exact sum of its terms, rounded once when it is read ([`ExactSum`]): no order of booking, no number of threads and
//! no vector width changes a bit of it. What one term is, each rounded as it is computed, stands beside each total. A term belongs to
//! one vertex, element or pair at one tick; an element's terms are booked once, by whoever owns the first vertex of its stencil.

use carom_math::{ExactLanesSum, ExactLanesVec3Sum, ExactSum, ExactVec3Sum, LANES, Lanes, Vec3};

use crate::DofKind;

/// Impulses from outside, since the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExternalLedger {
    /// From fields, such as gravity: a term for each potential and vertex of its stencil that fires, for what each damped one takes
    /// (drag), and for the couple of each pair that pushes across a period.
    pub fields: ImpulseInLanes,
    /// From pins, which hold a vertex along an axis, and from obstacles: a term for each vertex and stage that kicks it.
    pub pins: Impulse,
    /// Couples of friction across a gap, which push at two points: angular only. A term for each pair and tick.
    pub couples: ExactVec3Sum,
    /// Angular impulse from the twist of edges, about themselves, in N·m·s: a term for each potential that fires or damps.
    pub twists: ExactVec3Sum,
    /// Work of obstacles that move and of driven loads, in J: a term for each vertex that is held or driven and stage that kicks it.
    pub work: ExactSum,
    /// What resistance took.
    pub losses: Losses,
}

/// Energy that resistance took since the start, in J.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losses {
    /// By impacts that are not elastic: a term for each pair and tick.
    pub restitution: ExactSum,
    /// By friction: a term for each pair and tick.
    pub friction: ExactSum,
    /// By the damping of elements, and by drag: a term for each element and tick, which adds what its vertices lose in the order of its
    /// stencil.
    pub damping: ExactLanesSum,
}

impl Losses {
    /// All of it, in J.
    #[must_use]
    pub fn total_j(&self) -> f64 {
        let mut total = self.restitution.clone();
        total.merge(&self.friction);
        total.merge(&self.damping.sum());
        total.value()
    }
}

impl ExternalLedger {
    /// Books the impulse `j` with which something from outside keeps a vertex of this `dof_kind` on its way: at `x`, moving at `u`.
    #[inline]
    pub fn hold(&mut self, dof_kind: DofKind, x: Vec3, u: Vec3, j: Vec3) {
        // Most of what is held nothing pulls at.
        if j.is_zero() {
            return;
        }
        match dof_kind {
            DofKind::Position => self.pins.add(x, j),
            DofKind::Spin => self.pins.angular.add(j),
            DofKind::Twist | DofKind::Memory => {}
        }
        self.work.add(j.dot(u));
    }

    /// Books all that another ledger has.
    pub fn merge(&mut self, other: &Self) {
        let Self { fields, pins, couples, twists, work, losses } = other;
        let mut of_fields = Impulse::default();
        fields.add_to(&mut of_fields);
        self.fields.linear.merge(&of_fields.linear);
        self.fields.angular.merge(&of_fields.angular);
        self.pins.merge(pins);
        self.couples.merge(couples);
        self.twists.merge(twists);
        self.work.merge(work);
        self.losses.restitution.merge(&losses.restitution);
        self.losses.friction.merge(&losses.friction);
        self.losses.damping.merge(&losses.damping.sum());
    }
}

/// A total of the external ledger: linear and angular impulse.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impulse {
    /// Linear impulse, in N·s.
    pub linear: ExactVec3Sum,
    /// Angular impulse about the origin, in N·m·s.
    pub angular: ExactVec3Sum,
}

impl Impulse {
    /// Books an impulse `j` applied at `x`: the terms are `j` and `x × j`.
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

    /// Books all that another total has.
    pub fn merge(&mut self, other: &Self) {
        self.linear.merge(&other.linear);
        self.angular.merge(&other.angular);
    }
}

/// An [`Impulse`] to which those of eight elements can be added at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImpulseInLanes {
    /// Linear impulse, in N·s.
    pub linear: ExactLanesVec3Sum,
    /// Angular impulse about the origin, in N·m·s.
    pub angular: ExactLanesVec3Sum,
}

impl ImpulseInLanes {
    /// Books an impulse `j` applied at `x`, as [`Impulse::add`].
    #[inline]
    pub fn add(&mut self, x: Vec3, j: Vec3) {
        self.linear.add(j);
        self.angular.add(x.cross(j));
    }

    /// Books the impulses `j` in the first `lanes` lanes, applied at `x`.
    #[inline(always)]
    pub fn add_lanes(&mut self, x: &Vec3<Lanes>, j: &Vec3<Lanes>, lanes: usize) {
        self.linear.add_lanes(j, lanes);
        self.angular.add_lanes(&x.cross(*j), lanes);
    }

    /// Books a couple: an angular impulse alone, in N·m·s.
    #[inline]
    pub fn add_couple(&mut self, couple: Vec3) {
        self.angular.add(couple);
    }

    /// Books impulses that were collected.
    #[inline(always)]
    pub fn add_collected(&mut self, eight: &EightImpulses) {
        self.add_lanes(&eight.x, &eight.j, eight.count);
    }

    /// Books all of it in a total.
    pub fn add_to(&self, total: &mut Impulse) {
        self.linear.add_to(&mut total.linear);
        self.angular.add_to(&mut total.angular);
    }
}

/// Impulses that come one by one and are booked eight at once.
#[derive(Clone, Copy, Debug)]
pub struct EightImpulses {
    x: Vec3<Lanes>,
    j: Vec3<Lanes>,
    count: usize,
}

impl Default for EightImpulses {
    fn default() -> Self {
        Self { x: Vec3::zero(), j: Vec3::zero(), count: 0 }
    }
}

impl EightImpulses {
    /// Collects an impulse `j` applied at `x`; books all so far once there are eight.
    #[inline(always)]
    pub fn add(&mut self, x: Vec3, j: Vec3, total: &mut ImpulseInLanes) {
        self.x.set_lane(self.count, x);
        self.j.set_lane(self.count, j);
        self.count += 1;
        if self.count == LANES {
            total.add_collected(self);
            self.count = 0;
        }
    }
}
