//! Bounds of the motion of every vertex during a window.
//!
//! A *sweep* is a chord and a sag: at each instant of a stretch of time the vertex is within `sag` of the point that moves at constant
//! velocity from `start` to `end`. Unlike a box it follows a common motion: neighbours in a fast body stay apart. A window is halved
//! twice, so that what the whole window cannot prove, a quarter of it may.
//!
//! Rounding. Let M bound all coordinates and u be half an epsilon. A point between two corners is off by at most 13u·M along each axis
//! (quotient of ticks 3u, difference of positions 2u·M, product and sum the rest), a corner's height above a chord so by 13u·M for each
//! end, as much for the point on the chord, and 4u·M for difference and length: below 45u·M along an axis, 80u·M in all. A foreseen corner is off by 6u·3M
//! along each axis. The [`noise`] of 64 epsilons, 128u, times M is above the sum, and every sag includes it once; that of a longer stretch once more for
//! each halving.

use carom_math::Vec3;
use carom_time::Tick;

use crate::motion::{Corner, Piece, Polylines};
use crate::tree::Cuboid;

/// Times a window is halved.
const HALVINGS: u32 = 2;
/// Stretches of the shortest kind.
const LEAVES: usize = 1 << HALVINGS;

/// Bound of the rounding error of a position among coordinates up to `largest`.
pub(crate) fn noise(largest: f64) -> f64 {
    64.0 * f64::EPSILON * largest + f64::MIN_POSITIVE
}

/// Motion of one vertex during one stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sweep {
    pub start: Vec3,
    pub end: Vec3,
    pub sag: f64,
}

/// A stretch of a window: the whole is number 1, the halves of number k are 2k and 2k + 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch(usize);

impl Stretch {
    pub const WHOLE: Self = Self(1);

    /// The two halves of the stretch, unless it is of the shortest kind.
    pub fn halves(self) -> Option<[Self; 2]> {
        (self.0 < LEAVES).then(|| [Self(2 * self.0), Self(2 * self.0 + 1)])
    }

    /// The leaves in it.
    fn leaves(self) -> core::ops::Range<usize> {
        let level = self.0.ilog2();
        let each = LEAVES >> level;
        let first = (self.0 - (1 << level)) * each;
        first..first + each
    }
}

/// The sweeps of all vertices over a window and its parts.
#[derive(Clone)]
pub(crate) struct Sweeps {
    /// Ticks at which the leaves begin, and at which the last one ends.
    ticks: [u64; LEAVES + 1],
    /// By stretch, then by vertex; there is no stretch 0.
    by_stretch: [Vec<Sweep>; 2 * LEAVES],
    /// Box of each vertex during the window.
    pub boxes: Vec<Cuboid>,
    /// Bound of the rounding error of positions.
    pub noise: f64,
}

impl Sweeps {
    pub fn new() -> Self {
        Self { ticks: [0; LEAVES + 1], by_stretch: Default::default(), boxes: Vec::new(), noise: 0.0 }
    }

    /// The sweeps of one stretch, by vertex.
    pub fn of(&self, stretch: Stretch) -> &[Sweep] {
        &self.by_stretch[stretch.0]
    }

    /// First and last tick of a stretch.
    pub fn ticks(&self, stretch: Stretch) -> [u64; 2] {
        let leaves = stretch.leaves();
        [self.ticks[leaves.start], self.ticks[leaves.end]]
    }

    /// Measures a window. Every motion has a corner at its start or before and at its end or after.
    pub fn measure(&mut self, motion: &Polylines, from: Tick, to: Tick) {
        let length = u128::from(to.0 - from.0);
        self.ticks = core::array::from_fn(|i| from.0 + (length * i as u128 / LEAVES as u128) as u64);
        let corners = (0..motion.vertices()).flat_map(|v| motion.corners(v));
        self.noise = noise(corners.fold(0.0, |most: f64, c| most.max(c.position.max_abs())));
        self.by_stretch.iter_mut().for_each(Vec::clear);
        self.boxes.clear();
        for vertex in 0..motion.vertices() {
            self.measure_leaves(motion.corners(vertex));
            for k in (1..LEAVES).rev() {
                self.join_halves(Stretch(k), vertex);
            }
            let mut bounds = Cuboid::EMPTY;
            let mut sag = 0.0_f64;
            for leaf in &self.by_stretch[LEAVES..] {
                bounds = bounds.with_point(leaf[vertex].start).with_point(leaf[vertex].end);
                sag = sag.max(leaf[vertex].sag);
            }
            self.boxes.push(bounds.grown(sag));
        }
    }

    fn measure_leaves(&mut self, corners: &[Corner]) {
        let mut next = 1;
        let mut start = at(corners, &mut next, self.ticks[0]);
        for leaf in 0..LEAVES {
            let [from, to] = [self.ticks[leaf], self.ticks[leaf + 1]];
            let first_inside = next;
            let end = at(corners, &mut next, to);
            let across = end - start;
            let per_tick = 1.0 / (to - from).max(1) as f64;
            let mut sag_sq = 0.0_f64;
            for corner in &corners[first_inside..next] {
                let on_chord = start + across * ((corner.tick - from) as f64 * per_tick);
                sag_sq = sag_sq.max((corner.position - on_chord).length_sq());
            }
            self.by_stretch[LEAVES + leaf].push(Sweep { start, end, sag: sag_sq.sqrt() + self.noise });
            start = end;
        }
    }

    /// A stretch from its halves: they leave its chord by no more than their common end does.
    fn join_halves(&mut self, stretch: Stretch, vertex: usize) {
        let halves = stretch.halves().expect("leaves are measured, not joined");
        let [one, other] = halves.map(|half| self.by_stretch[half.0][vertex]);
        let ([from, to], [_, middle]) = (self.ticks(stretch), self.ticks(halves[0]));
        let part = (middle - from) as f64 / (to - from).max(1) as f64;
        let on_chord = one.start + (other.end - one.start) * part;
        let sag = one.sag.max(other.sag) + (one.end - on_chord).length() + self.noise;
        self.by_stretch[stretch.0].push(Sweep { start: one.start, end: other.end, sag });
    }
}

/// Position of a vertex at `tick`; `next` is the corner after the last position that was computed, and moves on.
fn at(corners: &[Corner], next: &mut usize, tick: u64) -> Vec3 {
    while *next + 1 < corners.len() && corners[*next].tick <= tick {
        *next += 1;
    }
    Piece { from: corners[*next - 1], to: corners[*next] }.position(tick)
}
