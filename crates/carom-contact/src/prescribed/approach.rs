//! The first contact of two primitives whose vertices move straight.
//!
//! A direction n keeps the primitives apart while every vertex of the first is ahead of every vertex of the second along n, by more than
//! the hard radii. If n is fixed, each of these is linear in time: enough at two times means enough in between. If n turns evenly, from one direction to another, each is quadratic,
//! and its least value is known. From a time without contact, take the direction of the widest gap, and go as far as it keeps the pair apart; there, take the next.
//!
//! What only grazes turns fast for how near it is: a fixed direction comes forward by distance over length, a turning one by the root of that. Two edges that line up 1e-12 m apart
//! are passed in some twenty steps, where fixed directions would need millions.
//!
//! **Directions.** The gap is widest along one of a few: from an end of an edge, or a vertex, to the other edge, or across both edges, or across the face. Where a pair is nearly flat or nearly lined up,
//! what is computed of these has a part along an edge that is rounding alone, and next to a small gap it tells; it is taken out once more.
//!
//! **Rounding.** A pair counts as in contact where its widest gap is at most twice the noise of its coordinates, and a direction keeps it apart by more
//! than the noise. So no contact is missed, every step goes forward, and what is reported too early is so by less than coordinates can say.

use carom_geometry::nearest;
use carom_math::Vec3;
use carom_model::PairKind;

use crate::Pair;

/// So many steps are made before a pair that hardly moves on counts as in contact: none of a million random ones needed a hundred.
const MOST_STEPS: u32 = 1000;

/// A turning direction is tried over the whole way that is left, and then over parts of it, each by this much shorter.
const SHORTER: f64 = 0.25;

/// The part of the way at which the pair comes into contact while its vertices move straight from one place to the other; `None` if it does
/// not. Coordinates are known up to `noise_m`.
pub(super) fn first_contact(pair: &Pair, from: &[Vec3; 4], to: &[Vec3; 4], noise_m: f64) -> Option<f64> {
    if !from.iter().chain(to).all(|x| x.is_finite()) {
        // Nothing is known of it.
        return Some(0.0);
    }
    let at = |part: f64| -> [Vec3; 4] { core::array::from_fn(|i| from[i] + (to[i] - from[i]) * part) };
    let mut now = 0.0;
    for _ in 0..MOST_STEPS {
        let here = at(now);
        let direction = Direction::of_widest_gap(pair, &here);
        if direction.gap_m <= 2.0 * noise_m {
            return Some(now);
        }
        let left = 1.0 - now;
        let part = if pair.period.is_zero() {
            apart_until(pair, direction.n, [&here, to], noise_m)
        } else {
            // Another image may come nearer meanwhile, but none faster than this.
            (direction.gap_m - noise_m) / way_left(pair, &here, to)
        };
        if part >= 1.0 {
            return None;
        }
        let tries = core::iter::successors(Some(1.0), |whole| Some(whole * SHORTER));
        let longer =
            tries.take_while(|longer| pair.period.is_zero() && *longer > 2.0 * part).find(|longer| {
                let there = at(now + left * longer);
                let then = Direction::of_widest_gap(pair, &there);
                is_apart_between(pair, [direction.n, then.n], [&here, &there], noise_m)
            });
        if longer == Some(1.0) {
            return None;
        }
        now += left * longer.unwrap_or(part);
    }
    Some(now)
}

/// A direction, and how far all of the first primitive is ahead of the second along it.
struct Direction {
    /// Of length 1.
    n: Vec3,
    /// Without the hard radii, in m.
    gap_m: f64,
}

impl Direction {
    /// That along which the gap is widest, with the vertices at `x`.
    fn of_widest_gap(pair: &Pair, x: &[Vec3; 4]) -> Self {
        let [a, b, c, d] = *x;
        let mut widest = Self { n: Vec3::ZERO, gap_m: f64::NEG_INFINITY };
        let mut consider = |way: Vec3, edge: Vec3| {
            let n = unit(way);
            // A way or an edge without length has no direction.
            for n in [n, unit(without(n, unit(edge)))].into_iter().filter(|n| n.is_finite()) {
                let ahead = across(pair).map(|[i, j]| (x[i] - x[j]).dot(n));
                let gap_m = ahead.fold(f64::INFINITY, f64::min) - pair.radius;
                if gap_m > widest.gap_m {
                    widest = Self { n, gap_m };
                }
            }
        };
        let foot = |p: Vec3, from: Vec3, to: Vec3| nearest::vertex_edge(&[p, from, to]).separation;
        match pair.id.kind {
            PairKind::EdgeEdge => {
                for (p, from, to) in [(a, c, d), (b, c, d)] {
                    consider(foot(p, from, to), to - from);
                }
                for (p, from, to) in [(c, a, b), (d, a, b)] {
                    consider(-foot(p, from, to), to - from);
                }
                let normal = (b - a).cross(d - c);
                consider(normal, b - a);
                consider(-normal, b - a);
            }
            PairKind::VertexFace => {
                for (from, to) in [(b, c), (c, d), (d, b)] {
                    consider(foot(a, from, to), to - from);
                }
                let normal = (c - b).cross(d - b);
                consider(normal, c - b);
                consider(-normal, c - b);
            }
            PairKind::VertexEdge => consider(foot(a, b, c), c - b),
            PairKind::VertexVertex | PairKind::Soft => consider(pair.measure(x).separation, Vec3::ZERO),
        }
        widest
    }
}

fn unit(v: Vec3) -> Vec3 {
    v * (1.0 / v.length())
}

/// A vector without its part along a direction.
fn without(v: Vec3, direction: Vec3) -> Vec3 {
    v - direction * v.dot(direction)
}

/// The part of the way from one place to another on which a direction keeps the pair apart.
fn apart_until(pair: &Pair, n: Vec3, [here, there]: [&[Vec3; 4]; 2], noise_m: f64) -> f64 {
    let mut part = f64::INFINITY;
    for [a, b] in across(pair) {
        let ahead = |x: &[Vec3; 4]| (x[a] - x[b]).dot(n) - pair.radius - noise_m;
        let (now, then) = (ahead(here), ahead(there));
        if then < 0.0 {
            part = part.min((now / (now - then)).max(0.0));
        }
    }
    part
}

/// Whether a direction that turns evenly from one to another keeps the pair apart all the way from one place to another. On the way it is shorter than 1, never longer.
fn is_apart_between(
    pair: &Pair,
    [now, then]: [Vec3; 2],
    [here, there]: [&[Vec3; 4]; 2],
    noise_m: f64,
) -> bool {
    across(pair).all(|[a, b]| {
        let (first, last) = (here[a] - here[b], there[a] - there[b]);
        let ends = [first.dot(now), last.dot(then)];
        let middle = 0.5 * (first.dot(then) + last.dot(now));
        least_on_the_way(ends, middle) > pair.radius + noise_m
    })
}

/// The least value of `start·(1−s)² + 2·middle·s(1−s) + end·s²` for s from 0 to 1.
fn least_on_the_way([start, end]: [f64; 2], middle: f64) -> f64 {
    let (least, most) = (start.min(end), start.max(end));
    if middle >= least {
        return least;
    }
    let (fall, rise) = (least - middle, most - middle);
    least - fall * (fall / (fall + rise))
}

/// The longest way of a vertex relative to one of the other primitive, in m.
fn way_left(pair: &Pair, here: &[Vec3; 4], there: &[Vec3; 4]) -> f64 {
    across(pair).map(|[a, b]| ((there[a] - here[a]) - (there[b] - here[b])).length()).fold(0.0, f64::max)
}

/// Every vertex of the first primitive with every vertex of the second, by their places in the pair.
fn across(pair: &Pair) -> impl Iterator<Item = [usize; 2]> + use<> {
    let (first, all) = (pair.first_primitive(), pair.stencil().len());
    (0..first).flat_map(move |a| (first..all).map(move |b| [a, b]))
}
