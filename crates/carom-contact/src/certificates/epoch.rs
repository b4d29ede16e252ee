//! Epochs: the time between two searches. All vertices share a translating frame, and rounding is bounded.
//!
//! **Rounding.** Let L bound all coordinates, and the way of the frame, during an epoch.
//! A position in the frame takes ten roundings of numbers below 4L, a displacement one more: `ROUNDING`·L bounds
//! what a computed displacement can miss. It is taken off the slack of every pair, four times, with four times the error of the
//! distance kernel: once for this measure and once for the distance that brute force would compute later.

use carom_math::Vec3;
use carom_model::System;
use carom_time::Tick;

use super::budgets::Budget;
use super::max_displacement::{fastest, fastest_position};
use super::vertex_motion::VertexMotion;
use crate::{Motion, PairRules, TouchedVertices};

/// What a computed displacement can miss, over the largest coordinate of an epoch: 32 roundings of 4L.
pub(super) const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The frame that displacements are measured in, and how far they can be trusted.
pub(super) struct Epoch {
    /// Velocity of the frame, in m/s.
    pub frame: Vec3,
    /// When it began.
    pub since: Tick,
    /// The frame must not go farther: rounding is bounded up to here.
    pub end: Option<Tick>,
    /// What a computed displacement can miss, in m.
    pub rounding_bound: f64,
}

impl Epoch {
    /// A frame at rest from tick 0 on.
    pub const START: Self = Self { frame: Vec3::ZERO, since: Tick::START, end: None, rounding_bound: 0.0 };

    /// The motion of `v` from `tick` on, in the frame.
    #[inline(always)]
    pub fn motion_of(&self, v: u32, tick: Tick, motion: &Motion) -> VertexMotion {
        self.motion_from(motion.position_at(v, tick), v, tick, motion)
    }

    /// The motion of `v` from `tick` on, in the frame, where it is known that it is at `x`, in m.
    #[inline(always)]
    pub fn motion_from(&self, x: Vec3, v: u32, tick: Tick, motion: &Motion) -> VertexMotion {
        let quantum = motion.quantum;
        let here = x - self.frame * quantum.seconds_between(self.since, tick);
        let velocity = motion.velocities[v as usize] - self.frame;
        VertexMotion { tick, here, velocity, speed: velocity.length(), quantum }
    }

    /// Bounds rounding while no coordinate exceeds `size`, in m, and ends where the frame has gone as far.
    pub fn bound_rounding(&mut self, size: f64, motion: &Motion) {
        let quanta = size / (self.frame.length() * motion.quantum.seconds());
        let last = (Tick::LAST.0 - self.since.0) as f64;
        self.end = (quanta < last).then(|| Tick(self.since.0 + quanta as u64));
        self.rounding_bound = ROUNDING * size;
    }
}

/// What the frame of an epoch is chosen by.
pub(super) struct FrameChoice {
    /// In kg, by numbers in pairs.
    masses: Vec<f64>,
    /// Whether a vertex is held where it is: then the frame stands still.
    anything_held: bool,
    /// Which vertices are positions, if some are not: an angle that changes is no speed.
    is_position: Option<Vec<bool>>,
}

impl FrameChoice {
    /// For the vertices of a system.
    pub fn new(system: &System, rules: &PairRules) -> Self {
        let mut masses = vec![0.0; system.vertices()];
        let mut anything_held = false;
        for v in 0..system.places() {
            masses[rules.renumbered(v as u32) as usize] = system.masses[v];
            anything_held |= system.inverse_masses[v].is_zero();
        }
        let is_position = (!system.auxiliary_dofs.is_empty()).then(|| {
            let mut is_position = vec![false; system.vertices()];
            (0..system.places() as u32).for_each(|v| is_position[rules.renumbered(v) as usize] = true);
            is_position
        });
        Self { masses, anything_held, is_position }
    }

    /// Whether vertex `v` is a position.
    pub fn is_position(&self, v: usize) -> bool {
        self.is_position.as_ref().is_none_or(|is_position| is_position[v])
    }

    /// Velocity of the frame, in m/s: the mean of all, or zero if anything is held.
    pub fn velocity(&self, velocities: &[Vec3]) -> Vec3 {
        if self.anything_held {
            return Vec3::ZERO;
        }
        let total: f64 = self.masses.iter().sum();
        let momentum = self.masses.iter().zip(velocities).fold(Vec3::ZERO, |p, (m, v)| p + *v * *m);
        momentum * (1.0 / total)
    }

    /// Speed of the fastest touched position in `frame`, in m/s.
    pub fn fastest(&self, touched: TouchedVertices, velocities: &[Vec3], frame: Vec3) -> f64 {
        match &self.is_position {
            None => fastest(touched, velocities, frame),
            Some(is_position) => fastest_position(touched, velocities, frame, is_position),
        }
    }

    /// The largest of all coordinates and finite skins, in m.
    pub fn size(&self, x: &[Vec3], budgets: &[Budget], motion: &Motion) -> f64 {
        let mut size: f64 = 0.0;
        for (v, x) in x.iter().enumerate().filter(|(v, _)| self.is_position(*v)) {
            // A long straight motion rounds like the far position where it began.
            for x in [x, &motion.positions[v]] {
                size = size.max(x.x.abs()).max(x.y.abs()).max(x.z.abs());
            }
            if budgets[v].skin.is_finite() {
                size = size.max(budgets[v].skin);
            }
        }
        size
    }
}
