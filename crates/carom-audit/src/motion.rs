//! How every vertex moved: the polyline through its stored positions.
//!
//! A vertex moves in a straight line from one *corner* (a kick, with the position stored there) to the next; such a piece is called a
//! *flight*. Only a window of corners is kept; corners that have been judged are dropped, except the one at which a flight began.
//!
//! A flight whose end is not stored yet is judged to the end of the window by the velocity it left with. That is the line up to
//! rounding: with u half an epsilon, the position foreseen and the one that will be stored are each within
//! 3u(|x| + |v|Δt) of x + vΔt in every coordinate, and the chord to the stored one is nearer to the line than its end. So the
//! foreseen piece may be off by 6u(|x| + |v|Δt) at most, and that is its *slack*: whatever is proven holds for every piece
//! within the slack. Every stored position is compared with the extrapolated one, so the velocity need not be trusted.

use carom_math::Vec3;
use carom_time::{Quantum, Tick};

use crate::Beginning;
use crate::interval::{Interval, PositionBounds};

/// A position of a vertex that was stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub tick: u64,
    pub position: Vec3,
}

/// A straight piece of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Piece {
    pub from: Corner,
    pub to: Corner,
}

/// The polylines of all vertices over a window.
#[derive(Clone)]
pub(crate) struct Polylines {
    quantum: Quantum,
    corners: Vec<Vec<Corner>>,
    /// Velocity since the last corner, in m/s.
    velocities: Vec<Vec3>,
    /// How far a vertex may be off its polyline, in m along each axis: zero unless its last corner is foreseen.
    slacks: Vec<f64>,
    /// Number of stored corners.
    pub stored: usize,
}

impl Polylines {
    pub fn new(beginning: &Beginning) -> Self {
        let first = |(&position, tick): (&Vec3, &Tick)| vec![Corner { tick: tick.0, position }];
        let corners: Vec<Vec<Corner>> =
            beginning.positions.iter().zip(beginning.stored_at).map(first).collect();
        Self {
            quantum: beginning.quantum,
            velocities: beginning.velocities.to_vec(),
            slacks: vec![0.0; corners.len()],
            stored: corners.len(),
            corners,
        }
    }

    pub fn vertices(&self) -> usize {
        self.corners.len()
    }

    /// Adds the next corner of a vertex; returns whether the vertex moved straight to it.
    #[inline]
    pub fn add(&mut self, vertex: usize, tick: Tick, position: Vec3, velocity: Vec3) -> bool {
        if !position.is_finite() || !velocity.is_finite() {
            // The run has ended, for whatever reason; the motion so far can still be judged.
            return false;
        }
        let (expected, slack) = self.foreseen(vertex, tick);
        let straight = (position - expected).max_abs() <= slack;
        let corners = &mut self.corners[vertex];
        match corners.last_mut() {
            Some(last) if last.tick == tick.0 => last.position = position,
            _ => {
                corners.push(Corner { tick: tick.0, position });
                self.stored += 1;
            }
        }
        self.velocities[vertex] = velocity;
        straight
    }

    /// Declares that no vertex moves from `tick` on.
    pub fn stop_at(&mut self, tick: Tick) {
        for vertex in 0..self.corners.len() {
            let (position, _) = self.foreseen(vertex, tick);
            self.add(vertex, tick, position, Vec3::ZERO);
        }
    }

    /// Where a vertex is at `tick` if nothing kicks it, and how far off that may be along each axis.
    #[inline]
    fn foreseen(&self, vertex: usize, tick: Tick) -> (Vec3, f64) {
        let last = self.corners[vertex].last().expect("a motion has a start");
        let flown = self.velocities[vertex] * self.quantum.seconds_between(Tick(last.tick), tick);
        // 6u is 3 epsilons; the rest covers the roundings of this line.
        (last.position + flown, 4.0 * f64::EPSILON * (last.position.max_abs() + flown.max_abs()))
    }

    /// Gives every polyline an end at `tick` or later. At the end of the run what is foreseen is the motion itself.
    pub fn foresee(&mut self, tick: Tick, is_end_of_run: bool) {
        for vertex in 0..self.corners.len() {
            if self.corners[vertex].last().is_some_and(|last| last.tick >= tick.0) {
                continue;
            }
            let (position, slack) = self.foreseen(vertex, tick);
            self.slacks[vertex] = if is_end_of_run { 0.0 } else { slack.max(f64::MIN_POSITIVE) };
            self.corners[vertex].push(Corner { tick: tick.0, position });
        }
    }

    /// Drops extrapolated corners, and all corners before `tick` except those at which the flights at `tick` began.
    pub fn forget_before(&mut self, tick: Tick) {
        self.stored = 0;
        for (corners, slack) in self.corners.iter_mut().zip(&mut self.slacks) {
            if core::mem::take(slack) > 0.0 {
                corners.pop();
            }
            let past = corners.partition_point(|c| c.tick <= tick.0);
            corners.drain(..past.saturating_sub(1));
            self.stored += corners.len();
        }
    }

    /// The corners of a vertex, from the one its flight at the start of the window began at.
    pub fn corners(&self, vertex: usize) -> &[Corner] {
        &self.corners[vertex]
    }

    /// How far a vertex may be off its polyline, in m along each axis.
    pub fn slack(&self, vertex: usize) -> f64 {
        self.slacks[vertex]
    }

    /// The piece of a vertex's motion that holds `tick`, of two the earlier one.
    pub fn piece(&self, vertex: usize, tick: u64) -> Piece {
        let corners = &self.corners[vertex];
        let to = corners.partition_point(|c| c.tick < tick).clamp(1, corners.len() - 1);
        Piece { from: corners[to - 1], to: corners[to] }
    }

    /// Bounds of the position of a vertex at `tick`, proven.
    pub fn place(&self, vertex: usize, tick: u64) -> PositionBounds {
        self.piece(vertex, tick).place(tick).widened(self.slacks[vertex])
    }
}

impl Piece {
    /// Position of the vertex at `tick`, rounded.
    pub fn position(&self, tick: u64) -> Vec3 {
        let part = (tick - self.from.tick) as f64 / (self.to.tick - self.from.tick) as f64;
        self.from.position + (self.to.position - self.from.position) * part
    }

    fn place(&self, tick: u64) -> PositionBounds {
        if tick == self.from.tick {
            return PositionBounds::exactly(self.from.position);
        }
        if tick == self.to.tick {
            return PositionBounds::exactly(self.to.position);
        }
        let length = |quanta: u64| {
            let x = quanta as f64;
            // Above 2^53 the count itself is rounded.
            Interval { low: x.next_down(), high: x.next_up() }
        };
        let (flown, whole) = (length(tick - self.from.tick), length(self.to.tick - self.from.tick));
        let part = Interval {
            low: Interval::quotient(flown.low, whole.high).low.max(0.0),
            high: Interval::quotient(flown.high, whole.low).high.min(1.0),
        };
        PositionBounds::between(
            PositionBounds::exactly(self.from.position),
            PositionBounds::exactly(self.to.position),
            part,
        )
    }
}
