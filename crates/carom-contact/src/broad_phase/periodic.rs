//! The search among points, across the borders of a periodic box.
//!
//! Positions are never wrapped; here, and only here, a copy of them is: into the box from 0 to L along each periodic axis. A
//! point that is near a border of the box, as near as the farthest reach of any two points, is looked for again from the
//! other side of it. What is found there are candidates: the distance to the nearest image is measured by the pair itself.

use carom_geometry::{Bounds, Bvh};
use carom_math::Vec3;

use super::primitives::SweptBounds;

/// Visits the numbers of every two of `points` whose surroundings may overlap, also those of their images: at least once, the smaller first.
/// The tree of an earlier search is fitted to where they are, and stays for later ones.
pub(super) fn self_pairs(
    points: &[u32],
    swept: &[SweptBounds],
    period: Vec3,
    tree: &mut Option<Bvh>,
    mut visit: impl FnMut(u32, u32),
) {
    let bounds: Vec<Bounds> = points.iter().map(|p| wrapped(&swept[*p as usize], period)).collect();
    let tree = match tree {
        Some(tree) => {
            tree.refit(|i| bounds[i as usize]);
            tree
        }
        None => tree.insert(Bvh::new(&bounds)),
    };
    tree.self_pairs(|a, b| visit(points[a as usize], points[b as usize]));
    if period.is_zero() {
        return;
    }
    // Half the width of a box holds margin and rounding.
    let reach = bounds.iter().map(|b| 0.5 * (b.max - b.min).max_abs()).fold(0.0, f64::max);
    for (a, own) in (0..).zip(&bounds) {
        let wide = own.grown(reach);
        for_each_shift(&wide, period, |shift| {
            let image = Bounds { min: own.min + shift, max: own.max + shift }.grown(rounding(own, period));
            tree.overlapping(&image, |b| {
                if a != b {
                    visit(points[a.min(b) as usize], points[a.max(b) as usize]);
                }
            });
        });
    }
}

/// The box around a point, moved into the periodic box.
fn wrapped(swept: &SweptBounds, period: Vec3) -> Bounds {
    let own = swept.bounds;
    if period.is_zero() {
        return own;
    }
    let along = |x: f64, period: f64| if period > 0.0 { period * (x / period).floor() } else { 0.0 };
    let Vec3 { x, y, z } = swept.centre;
    let back = Vec3::new(along(x, period.x), along(y, period.y), along(z, period.z));
    Bounds { min: own.min - back, max: own.max - back }.grown(rounding(&own, period))
}

/// Covers what moving a box by some periods may lose: 4 roundings of numbers as large as its coordinates and the period.
fn rounding(own: &Bounds, period: Vec3) -> f64 {
    8.0 * f64::EPSILON * (own.min.max_abs().max(own.max.max_abs()) + period.max_abs())
}

/// Visits the ways, other than none, to move a box that reaches over the border by a period along some axes, back to the other side.
fn for_each_shift(wide: &Bounds, period: Vec3, mut visit: impl FnMut(Vec3)) {
    let ways = |axis: usize| {
        let length = period[axis];
        let low = length > 0.0 && wide.min[axis] <= 0.0;
        let high = length > 0.0 && wide.max[axis] >= length;
        [Some(0.0), low.then_some(length), high.then_some(-length)].into_iter().flatten()
    };
    for x in ways(0) {
        for y in ways(1) {
            for z in ways(2) {
                let shift = Vec3::new(x, y, z);
                if !shift.is_zero() {
                    visit(shift);
                }
            }
        }
    }
}
