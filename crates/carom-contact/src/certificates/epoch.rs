//! Epochs: the time between two searches. Every body has a translating frame, and rounding is bounded.
//!
//! **Frames.** A certificate counts the motion of its vertices in one frame, common to both bodies of its pair, so that its distance shrinks by no more than
//! what they use. A vertex has a budget in the frame of its body, which holds its skin as well, and one in every other frame in which a candidate
//! of its counts. An epoch ends before frames part by more than its search [covers](crate::broad_phase).
//!
//! **Rounding.** Let L bound all coordinates, and the ways of the frames, during an epoch.
//! A position in a frame takes ten roundings of numbers below 4L, a displacement one more: `ROUNDING`·L bounds
//! what a computed displacement can miss. It is taken off the slack of every pair, four times, with four times the error of the
//! distance kernel: once for this measure and once for the distance that brute force would compute later.

use carom_math::Vec3;
use carom_time::Tick;

use super::budgets::Budget;
use super::vertex_motion::VertexMotion;
use super::{FrameChoice, INWARD};
use crate::Motion;
use crate::broad_phase::Frames;

/// What a computed displacement can miss, over the largest coordinate of an epoch: 32 roundings of 4L.
pub(super) const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// What displacements may miss in any case, over the least skin: where coordinates are small, frames may go farther than these.
const NEGLIGIBLE: f64 = 1e-8;

/// The frames that displacements are measured in, and how far they can be trusted.
pub(super) struct Epoch {
    /// The frames of bodies.
    pub frames: Frames,
    /// The frame of the body of each vertex; nothing if all share one.
    pub frame_of: Vec<u32>,
    /// When it began.
    pub since: Tick,
    /// Frames must not go farther: rounding, and what they part, is bounded up to here.
    pub end: Option<Tick>,
    /// What a computed displacement can miss, in m.
    pub rounding_bound: f64,
}

impl Epoch {
    /// One frame at rest from tick 0 on.
    pub fn start() -> Self {
        let frames = Frames::one(0);
        Self { frames, frame_of: Vec::new(), since: Tick::START, end: None, rounding_bound: 0.0 }
    }

    /// Begins at `since`, with these frames.
    pub fn begin(&mut self, choice: &FrameChoice, since: Tick, frames: Frames) {
        self.since = since;
        self.frames = frames;
        self.frame_of.clear();
        if !self.frames.is_one() {
            self.frame_of = choice.frame_of_vertices(&self.frames);
        }
    }

    /// The frame of the body of `v`.
    #[inline(always)]
    pub fn frame_of(&self, v: u32) -> u32 {
        if self.frames.is_one() { 0 } else { self.frame_of[v as usize] }
    }

    /// The speed of `v` in a frame, in m/s.
    pub fn speed_in(&self, frame: u32, v: u32, motion: &Motion) -> f64 {
        (motion.velocities[v as usize] - self.frames.velocities[frame as usize]).length()
    }

    /// The motion of `v` from `tick` on, in a frame.
    #[inline(always)]
    pub fn motion_of(&self, (v, frame): (u32, u32), tick: Tick, motion: &Motion) -> VertexMotion {
        self.motion_from(motion.position_at(v, tick), (v, frame), tick, motion)
    }

    /// The motion of `v` from `tick` on, in a frame, where it is known that it is at `x`, in m.
    #[inline(always)]
    pub fn motion_from(&self, x: Vec3, (v, frame): (u32, u32), tick: Tick, motion: &Motion) -> VertexMotion {
        let quantum = motion.quantum;
        let frame = self.frames.velocities[frame as usize];
        let here = x - frame * quantum.seconds_between(self.since, tick);
        let velocity = motion.velocities[v as usize] - frame;
        VertexMotion { tick, here, velocity, speed: velocity.length(), quantum }
    }

    /// Bounds rounding while no coordinate exceeds `size`, in m, and ends where a frame has gone as far, or when the search no longer
    /// lasts, in s. Nothing is lost where displacements miss far less than the least skin, in m.
    pub fn bound(&mut self, size: f64, lasts_s: f64, least_skin: f64, motion: &Motion) {
        let size = if least_skin.is_finite() { size.max(NEGLIGIBLE * least_skin / ROUNDING) } else { size };
        let fastest = self.frames.velocities.iter().map(|v| v.length()).fold(0.0, f64::max);
        let quanta = (size / fastest).min(INWARD * lasts_s) / motion.quantum.seconds();
        let last = (Tick::LAST.0 - self.since.0) as f64;
        self.end = (quanta < last).then(|| Tick(self.since.0 + quanta as u64));
        self.rounding_bound = ROUNDING * size;
    }
}

/// The largest of all coordinates and finite skins, in m.
pub(super) fn size(choice: &FrameChoice, x: &[Vec3], budgets: &[Budget], motion: &Motion) -> f64 {
    let mut size: f64 = 0.0;
    for (v, x) in x.iter().enumerate().filter(|(v, _)| choice.is_position(*v)) {
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
