//! Epochs: the time between two searches. All vertices share a translating frame, and rounding is bounded.
//!
//! **Frame.** Any velocity is safe: a budget counts motion in the frame, and the distance of a pair is the same in all. Which one is chosen decides
//! the cost alone. It must follow from relative motion, so that a scene that flies as a whole costs what it costs at rest: walls are in many
//! pairs and should stand still, so the frame goes with what is held; where held parts move differently, with those that what is
//! free moves with most.
//!
//! **Rounding.** Let L bound all coordinates, and the way of the frame, during an epoch.
//! A position in the frame takes ten roundings of numbers below 4L, a displacement one more: `ROUNDING`·L bounds
//! what a computed displacement can miss. It is taken off the slack of every pair, four times, with four times the error of the
//! distance kernel: once for this measure and once for the distance that brute force would compute later.

use carom_math::Vec3;
use carom_model::{Body, System};
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
    /// What is free to move, in kg, by numbers in pairs: zero for what is held.
    free_masses: Vec<f64>,
    /// The held vertices of each body that has some, by numbers in pairs.
    held: Vec<Vec<u32>>,
    /// Which vertices are positions, if some are not: an angle that changes is no speed.
    is_position: Option<Vec<bool>>,
}

impl FrameChoice {
    /// For the vertices of a system.
    pub fn new(system: &System, rules: &PairRules) -> Self {
        let mut free_masses = vec![0.0; system.vertices()];
        for v in (0..system.places()).filter(|&v| !system.is_held(v)) {
            free_masses[rules.renumbered(v as u32) as usize] = system.masses[v];
        }
        let held_of = |body: &Body| -> Vec<u32> {
            let held = body.vertices.clone().filter(|&v| system.is_held(v as usize));
            held.map(|v| rules.renumbered(v)).collect()
        };
        let held = system.bodies.iter().map(held_of).filter(|held| !held.is_empty()).collect();
        let is_position = (!system.auxiliary_dofs.is_empty()).then(|| {
            let mut is_position = vec![false; system.vertices()];
            (0..system.places() as u32).for_each(|v| is_position[rules.renumbered(v) as usize] = true);
            is_position
        });
        Self { free_masses, held, is_position }
    }

    /// Whether vertex `v` is a position.
    pub fn is_position(&self, v: usize) -> bool {
        self.is_position.as_ref().is_none_or(|is_position| is_position[v])
    }

    /// Velocity of the frame, in m/s: of the held parts that of the body nearest to the mean of what is free, or that mean if nothing is held.
    pub fn velocity(&self, velocities: &[Vec3]) -> Vec3 {
        let total: f64 = self.free_masses.iter().sum();
        let momentum = self.free_masses.iter().zip(velocities).fold(Vec3::ZERO, |p, (m, v)| p + *v * *m);
        let free = (total > 0.0).then(|| momentum * (1.0 / total));
        let held = || self.held.iter().map(|part| mean(part, velocities));
        let Some(free) = free else { return held().next().unwrap_or(Vec3::ZERO) };
        let nearer = |a: &Vec3, b: &Vec3| (*a - free).length_sq().total_cmp(&(*b - free).length_sq());
        held().min_by(nearer).unwrap_or(free)
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

/// Mean velocity of some vertices, in m/s; exactly theirs if they share one.
fn mean(vertices: &[u32], velocities: &[Vec3]) -> Vec3 {
    let first = velocities[vertices[0] as usize];
    let beside = vertices.iter().map(|v| velocities[*v as usize] - first).sum::<Vec3>();
    first + beside * (1.0 / vertices.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Thing, points, scene, sheet};
    use proptest::prelude::*;

    fn velocity() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn the_frame_goes_with_the_held_part_that_moves_most_like_what_is_free(
            free in velocity(), parts in prop::array::uniform2(velocity()), wind in velocity(), speed in 0.0..1e4f64,
        ) {
            let held = |size: f64| Thing { is_held: true, ..sheet(size) };
            let (system, _) = scene(&[points(&[Vec3::ZERO, Vec3::X], 0.0), held(0.3), held(0.5)], 0.1, 4);
            let rules = PairRules::with_own_numbers(&system);
            let choice = FrameChoice::new(&system, &rules);
            let frame = |wind: Vec3| {
                let own = [free, parts[0], parts[1]].map(|v| v + wind);
                let all = system.bodies.iter().zip(own);
                let all: Vec<Vec3> = all.flat_map(|(body, v)| body.vertices.clone().map(move |_| v)).collect();
                choice.velocity(&all)
            };
            let off = parts.map(|part| (part - free).length());
            prop_assume!((off[0] - off[1]).abs() > 1e-6);
            let nearest = parts[usize::from(off[1] < off[0])];
            prop_assert_eq!(frame(Vec3::ZERO), nearest);
            prop_assert_eq!(frame(wind * speed), nearest + wind * speed);
        }

        #[test]
        fn without_held_parts_the_frame_is_the_mean_of_all(a in velocity(), b in velocity()) {
            let (system, _) = scene(&[points(&[Vec3::ZERO, Vec3::X], 0.0)], 0.1, 4);
            let choice = FrameChoice::new(&system, &PairRules::with_own_numbers(&system));
            let mean = (a * system.masses[0] + b * system.masses[1]) * (1.0 / (system.masses[0] + system.masses[1]));
            prop_assert!((choice.velocity(&[a, b]) - mean).length() < 1e-12);
        }
    }
}
