//! A judge of distances that shares nothing with the kernels it judges.
//!
//! Take a direction of length 1 and how far along it the second primitive begins after the first one ends: that *gap* is never
//! more than the distance, whatever the direction, and the most it can be is the distance. It is so for a direction across
//! features of the two: from a vertex to a vertex, across an edge to a vertex, across two edges. So the distance is the largest gap
//! over these few. And while all vertices move evenly the gap along a fixed direction is a least of linear functions: it is
//! nowhere less than at one of the two ends of the time. What one direction does not prove is halved.

use carom_math::Vec3;

/// How often a time is halved before the judge gives up: 2⁻⁴⁰ of it is below rounding.
const HALVINGS: u32 = 40;

/// Rounding of a gap, over the largest coordinate: some twenty roundings of numbers up to twice that.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The vertices of a pair: those of its first primitive, then of its second.
#[derive(Clone, Debug)]
pub struct PositionsAt {
    x: [Vec3; 4],
    first: usize,
    all: usize,
}

impl PositionsAt {
    /// `first` vertices of the first primitive, and those of the second.
    pub fn new(first: &[Vec3], second: &[Vec3]) -> Self {
        let mut x = [Vec3::ZERO; 4];
        for (x, at) in x.iter_mut().zip(first.iter().chain(second)) {
            *x = *at;
        }
        Self { x, first: first.len(), all: first.len() + second.len() }
    }

    fn first(&self) -> &[Vec3] {
        &self.x[..self.first]
    }

    fn second(&self) -> &[Vec3] {
        &self.x[self.first..self.all]
    }

    /// A part of the way from here to `to`.
    fn towards(&self, to: &Self, part: f64) -> Self {
        let mut x = self.x;
        for (x, to) in x.iter_mut().zip(to.x) {
            *x = *x * (1.0 - part) + to * part;
        }
        Self { x, ..*self }
    }

    /// What the distance certainly is not below, as far as `direction` can tell.
    fn gap(&self, direction: Vec3) -> f64 {
        let origin = self.x[0];
        let along = |p: &Vec3| (*p - origin).dot(direction);
        let begins = self.second().iter().map(along).fold(f64::INFINITY, f64::min);
        let ends = self.first().iter().map(along).fold(f64::NEG_INFINITY, f64::max);
        let size = self.x[..self.all].iter().fold(0.0, |m: f64, x| m.max(x.length()));
        (begins - ends) - ROUNDING * size
    }

    /// The direction along which the gap is largest.
    fn across(&self) -> Vec3 {
        let (a, b) = (self.first(), self.second());
        let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
        let mut offer = |v: Vec3| {
            for v in [v, -v] {
                if let Some(n) = v.try_normalize() {
                    let n = n * (1.0 - 8.0 * f64::EPSILON);
                    let gap = self.gap(n);
                    if gap > best.0 {
                        best = (gap, n);
                    }
                }
            }
        };
        for p in a {
            for q in b {
                offer(*q - *p);
            }
            edges(b).for_each(|[q, r]| offer(without(*p - q, r - q)));
        }
        for q in b {
            edges(a).for_each(|[p, r]| offer(without(*q - p, r - p)));
        }
        let sides = |of: &[Vec3]| edges(of).map(|[p, q]| q - p).collect::<Vec<_>>();
        let (u, v) = (sides(a), sides(b));
        for (i, d) in v.iter().enumerate() {
            u.iter().chain(&v[..i]).for_each(|c| offer(c.cross(*d)));
        }
        best.1
    }

    /// The distance, as near as doubles tell.
    pub fn distance(&self) -> f64 {
        self.gap(self.across())
    }
}

/// The edges of a primitive.
fn edges(of: &[Vec3]) -> impl Iterator<Item = [Vec3; 2]> + '_ {
    (0..of.len()).flat_map(move |i| (0..i).map(move |j| [of[j], of[i]]))
}

/// The part of `v` that is not along `e`.
fn without(v: Vec3, e: Vec3) -> Vec3 {
    v - e * (v.dot(e) / e.length_sq())
}

/// Whether all vertices, moving evenly from one set of places to the other, certainly keep this distance all the way.
pub fn keeps(distance: f64, from: &PositionsAt, to: &PositionsAt) -> bool {
    keeps_between(distance, from, to, HALVINGS)
}

fn keeps_between(distance: f64, from: &PositionsAt, to: &PositionsAt, halvings: u32) -> bool {
    let proves = |n: Vec3| from.gap(n) >= distance && to.gap(n) >= distance;
    let middle = from.towards(to, 0.5);
    // Most are far apart, and almost any direction will do.
    let rough = (middle.second()[0] - middle.first()[0]).try_normalize();
    if rough.is_some_and(|n| proves(n * (1.0 - 8.0 * f64::EPSILON))) || proves(middle.across()) {
        return true;
    }
    halvings > 0
        && middle.distance() >= distance
        && keeps_between(distance, from, &middle, halvings - 1)
        && keeps_between(distance, &middle, to, halvings - 1)
}

mod tests {
    use super::{PositionsAt, keeps};
    use carom_geometry::nearest;
    use carom_math::Vec3;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn the_largest_gap_is_the_distance(x in prop::array::uniform4(point())) {
            let [a, b, c, d] = x;
            let near = |places: PositionsAt, distance: f64| (places.distance() - distance).abs() < 1e-9;
            prop_assert!(near(PositionsAt::new(&[a], &[b, c, d]), nearest::vertex_face(&x).distance()));
            prop_assert!(near(PositionsAt::new(&[a, b], &[c, d]), nearest::edge_edge(&x).distance()));
            prop_assert!(near(PositionsAt::new(&[a], &[b, c]), nearest::vertex_edge(&[a, b, c]).distance()));
            prop_assert!(near(PositionsAt::new(&[a], &[b]), (a - b).length()));
        }

        #[test]
        fn two_points_keep_the_distance_at_which_they_pass_and_no_more(from in point(), to in point(), at in point()) {
            let (way, start) = (to - from, from - at);
            let part = (-start.dot(way) / way.length_sq()).clamp(0.0, 1.0);
            let least = (start + way * part).length();
            let [from, to] = [from, to].map(|x| PositionsAt::new(&[x], &[at]));
            prop_assume!(least > 1e-3);
            prop_assert!(keeps(least * (1.0 - 1e-9), &from, &to));
            prop_assert!(!keeps(least * (1.0 + 1e-9), &from, &to));
        }

        #[test]
        fn a_vertex_that_goes_through_a_triangle_keeps_no_distance(
            corners in prop::array::uniform3(point()), weights in prop::array::uniform3(0.1..1.0f64), way in point(),
        ) {
            let sum: f64 = weights.iter().sum();
            let hit = corners.iter().zip(weights).map(|(x, w)| *x * (w / sum)).sum::<Vec3>();
            let [from, to] = [hit - way, hit + way].map(|x| PositionsAt::new(&[x], &corners));
            prop_assert!(!keeps(1e-9, &from, &to));
        }
    }
}
