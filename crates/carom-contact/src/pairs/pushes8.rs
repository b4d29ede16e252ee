//! What eight pairs of a kind push with, side by side: the same operations in the same order as [`Pair::impulses`](crate::Pair::impulses) one by one, so the
//! same bits.

use carom_geometry::nearest::Eight;
use carom_math::vectorize::{self, Kernel};
use carom_math::{F64x4, LANES, Lanes, Plain, Real, Vec3, Width};
use carom_model::PairKind;

use super::pair::{fade_of, pushed, turned};
use super::pairs8::{Measured, Measuring, Pairs8};
use crate::{Layers, Measure};

/// Eight pairs of one kind with four vertices and with the same layers, and which of these fire.
pub(crate) struct Pushing8<'a> {
    pub pairs8: Pairs8<'a>,
    pub layers: &'a Layers,
    /// The layers of each pair that fire, layer 1 in the lowest bit; none before its first.
    pub firing: [u64; LANES],
    /// The part of their steps that impulses are for.
    pub fraction: f64,
    /// Sums of hard radii, in m.
    pub radii: Lanes,
    /// Areas that the pairs stand for, in m².
    pub weights: Lanes,
    /// `1/sin²θ₀` of edges; 0 without a fade.
    pub fades: Lanes,
}

/// What eight pairs push with, pair by pair.
pub(crate) struct Pushes8 {
    /// Impulses on the first to the fourth vertex of each, in N·s.
    pub impulses: [[F64x4; LANES]; 4],
    /// From the nearest point of the second primitive to that of the first, and how long that is, in m.
    pub separations: [F64x4; LANES],
    /// Weights of the vertices in the separation.
    pub weights: [F64x4; LANES],
    /// Distances between the surfaces, in m.
    pub distances: Lanes,
    /// Forces, and energies of all layers that fire: where both are zero nothing is pushed.
    pub sums: [Lanes; 2],
}

impl Pushing8<'_> {
    /// What all eight push with; vertex `v` is at `at[v]`.
    #[inline(always)]
    pub fn pushes(&self, at: &[F64x4]) -> Pushes8 {
        vectorize::run(Run { pushing: self, at })
    }
}

/// The kernel.
struct Run<'a> {
    pushing: &'a Pushing8<'a>,
    at: &'a [F64x4],
}

impl Kernel for Run<'_> {
    type Output = Pushes8;

    #[inline(always)]
    fn run(self, width: impl Width) -> Pushes8 {
        let Pushing8 { pairs8, layers, firing, fraction, radii, weights, fades } = self.pushing;
        let is_faded = pairs8.kind == PairKind::EdgeEdge && fades.0 != [0.0; LANES];
        let (radii, weights, fades) = (width.load(radii), width.load(weights), width.load(fades));
        let Measured { x, eight, lengths } = Measuring { pairs8, at: self.at }.nearest(width);
        let Eight { weights: shares, separation } = eight;
        let at = Measure { weights: shares, separation, distance: lengths - radii };
        let [force, energy] = layers.sums_of_eight(width, firing, at.distance, *fraction);
        let pushes = if is_faded {
            faded(&at, &x, [force, energy], [radii, weights, fades])
        } else {
            pushed(&at, radii, weights * force)
        };
        // One after the other: arrays of arrays of lanes would be copied.
        let mut impulses = [[F64x4::ZERO; LANES]; 4];
        for (to, Vec3 { x, y, z }) in impulses.iter_mut().zip(pushes) {
            *to = width.rows([x, y, z, Real::zero()]);
        }
        Pushes8 {
            impulses,
            separations: width.rows([separation.x, separation.y, separation.z, lengths]),
            weights: width.rows(shares),
            distances: width.store(at.distance),
            sums: [width.store(force), width.store(energy)],
        }
    }
}

/// What edges push with: nearly parallel ones less, and they are turned.
#[inline(always)]
fn faded<S: Plain>(
    at: &Measure<S>,
    x: &[Vec3<S>; 4],
    [force, energy]: [S; 2],
    [radii, weights, fades]: [S; 3],
) -> [Vec3<S>; 4] {
    let [fade, slope] = fade_of(x, fades);
    let fade = fade.where_nonzero(fades, S::constant(1.0));
    let slope = slope.where_nonzero(fades, S::zero());
    let mut pushes = pushed(at, radii, weights * fade * force);
    let with_turn = turned(pushes, x, weights * energy * slope);
    for (push, turned) in pushes.iter_mut().zip(with_turn) {
        push.x = turned.x.where_nonzero(slope, push.x);
        push.y = turned.y.where_nonzero(slope, push.y);
        push.z = turned.z.where_nonzero(slope, push.z);
    }
    pushes
}
