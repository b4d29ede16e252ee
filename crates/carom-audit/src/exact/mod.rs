//! The first contact of two primitives in straight motion, decided in exact arithmetic.
//!
//! Let the primitives have distance above `reach` at time 0. At the first time at which it is `reach`, take nearest
//! points. Each lies inside a face, inside an edge or on a vertex, and that pair of *features* has one of three
//! polynomials of time vanish, with `q`, `w` from one feature to the other, `e`, `u`, `v` along edges, `n` across:
//!
//! | features | vanishes | and not outside | and has an extent |
//! | --- | --- | --- | --- |
//! | vertex, vertex | `q² − reach²` | | |
//! | vertex, edge | `(q × e)² − reach² e²` | `q·e ≥ 0`, `e² − q·e ≥ 0` | `e² > 0` |
//! | vertex, face or edge, edge | `(w·n)² − reach² n²` | weights of the nearest points, each times `n²` | `n² > 0` |
//!
//! Conversely a root with these signs is a time at which the distance is at most `reach`. So the first contact is the first such root
//! of any pair of features. A face without area is its edges, parallel edges are nearest at an end, an edge without length is its
//! ends: what has no extent is left to smaller features. A polynomial that vanishes at all times can be left out too: were the nearest
//! points inside its features at the first contact, they would have been inside, at that distance, a moment before.
//!
//! **Never here:** rounding.

mod polynomial;
mod root;
mod whole;

use carom_math::Vec3;
use dashu_int::IBig;

use crate::Kind;
use polynomial::{Dyadic, Polynomial};
use root::{Root, first_root};
pub(crate) use whole::whole_numbers;

/// Bounds on a time in [0, 1], at most 2⁻⁵² apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// Lower bound of the time.
    pub low: f64,
    /// Upper bound of the time.
    pub high: f64,
}

/// A position at time 0 and one at time 1, in any unit of length that is the same for all.
#[derive(Clone, Debug)]
pub(crate) struct WholeFlight {
    pub start: [IBig; 3],
    pub end: [IBig; 3],
}

/// The first time in [0, 1] at which two closed primitives in straight motion share a point.
///
/// Vertex–face takes the vertex, then the corners; edge–edge the ends of one, then those of the other; the other kinds leave
/// the last places unused. Coordinates must be finite.
#[must_use]
pub fn exact_first_contact(kind: Kind, start: &[Vec3; 4], end: &[Vec3; 4]) -> Option<Times> {
    let coordinates: Vec<f64> = start.iter().chain(end).flat_map(|x| x.to_array()).collect();
    let mut whole = whole_numbers(&coordinates).into_iter();
    let mut points = [(); 8].map(|()| [(); 3].map(|()| whole.next().expect("eight points of three numbers")));
    let flights: [WholeFlight; 4] = core::array::from_fn(|i| WholeFlight {
        start: core::mem::take(&mut points[i]),
        end: core::mem::take(&mut points[4 + i]),
    });
    first_contact(kind, &flights[..kind.vertices()], &IBig::ZERO)
}

/// The first time at which the distance is at most `reach`, which is in the unit of length of the motions.
pub(crate) fn first_contact(kind: Kind, flights: &[WholeFlight], reach: &IBig) -> Option<Times> {
    let paths: Vec<Path> = flights.iter().map(Path::of).collect();
    let (a, b) = paths.split_at(kind.first_has());
    let features = feature_pairs(a, b, reach);
    if features.iter().any(|f| f.in_reach_at_start(reach)) {
        return Some(Times { low: 0.0, high: 0.0 });
    }
    let earlier = |x: Times, y: Times| Times { low: x.low.min(y.low), high: x.high.min(y.high) };
    features.iter().filter_map(FeaturePair::first_contact).reduce(earlier)
}

/// Two features and what must hold for their distance to be in reach.
struct FeaturePair {
    /// Zero where the features' lines or planes have distance `reach`.
    out_of_reach: Polynomial,
    /// Positive where the feature has an extent.
    extent: Polynomial,
    /// Polynomials that are all at least zero where the nearest points of the lines or planes lie inside of the features.
    inside: Vec<Polynomial>,
}

impl FeaturePair {
    fn in_reach_at_start(&self, reach: &IBig) -> bool {
        let zero = Dyadic { numerator: IBig::ZERO, halvings: 0 };
        // Without reach the sign is that of a side, not of a distance.
        let near = match self.out_of_reach.sign_at(&zero) {
            0 => true,
            sign => sign < 0 && !reach.is_zero(),
        };
        near && self.extent.sign_at(&zero) > 0 && self.inside.iter().all(|p| p.sign_at(&zero) >= 0)
    }

    fn first_contact(&self) -> Option<Times> {
        let holds = |root: &mut Root| {
            root.sign_of(&self.extent) > 0 && self.inside.iter().all(|p| root.sign_of(p) >= 0)
        };
        first_root(&self.out_of_reach, holds)
    }

    fn vertices(p: &Path, a: &Path, reach: &IBig) -> Self {
        let q = a.minus(p);
        let one = constant(IBig::ONE);
        Self { out_of_reach: q.square().minus(&constant(reach * reach)), extent: one, inside: Vec::new() }
    }

    fn vertex_and_edge(p: &Path, a: &Path, b: &Path, reach: &IBig) -> Self {
        let (e, q) = (b.minus(a), p.minus(a));
        let (extent, along) = (e.square(), q.dot(&e));
        let beyond = extent.minus(&along);
        let out_of_reach = q.cross(&e).square().minus(&extent.times(&constant(reach * reach)));
        Self { out_of_reach, extent, inside: vec![along, beyond] }
    }

    fn vertex_and_face(p: &Path, [a, b, c]: [&Path; 3], reach: &IBig) -> Self {
        let (e, f, q) = (b.minus(a), c.minus(a), p.minus(a));
        let n = e.cross(&f);
        let extent = n.square();
        let (weight_b, weight_c) = (q.cross(&f).dot(&n), e.cross(&q).dot(&n));
        let weight_a = extent.minus(&weight_b).minus(&weight_c);
        let out_of_reach = beside_plane(&q, &n, &extent, reach);
        Self { out_of_reach, extent, inside: vec![weight_a, weight_b, weight_c] }
    }

    fn edges([a, b]: [&Path; 2], [c, d]: [&Path; 2], reach: &IBig) -> Self {
        let (u, v, w) = (b.minus(a), d.minus(c), c.minus(a));
        let n = u.cross(&v);
        let extent = n.square();
        let (weight_b, weight_d) = (w.cross(&v).dot(&n), w.cross(&u).dot(&n));
        let (weight_a, weight_c) = (extent.minus(&weight_b), extent.minus(&weight_d));
        let out_of_reach = beside_plane(&w, &n, &extent, reach);
        Self { out_of_reach, extent, inside: vec![weight_a, weight_b, weight_c, weight_d] }
    }
}

/// Zero where `q` is `reach` away from the plane across `n`.
fn beside_plane(q: &Path, n: &Path, n_sq: &Polynomial, reach: &IBig) -> Polynomial {
    let side = q.dot(n);
    if reach.is_zero() {
        // The same roots with half the degree.
        return side;
    }
    side.times(&side).minus(&n_sq.times(&constant(reach * reach)))
}

/// All pairs of a feature of one primitive and a feature of the other.
fn feature_pairs(a: &[Path], b: &[Path], reach: &IBig) -> Vec<FeaturePair> {
    let mut pairs = Vec::new();
    for (p, q) in a.iter().flat_map(|p| b.iter().map(move |q| (p, q))) {
        pairs.push(FeaturePair::vertices(p, q, reach));
    }
    for (points, corners) in [(a, b), (b, a)] {
        for p in points {
            for [i, j] in edges_of(corners.len()) {
                pairs.push(FeaturePair::vertex_and_edge(p, &corners[*i], &corners[*j], reach));
            }
        }
    }
    match (a, b) {
        ([p], [x, y, z]) => pairs.push(FeaturePair::vertex_and_face(p, [x, y, z], reach)),
        ([p, q], [x, y]) => pairs.push(FeaturePair::edges([p, q], [x, y], reach)),
        _ => {}
    }
    pairs
}

/// The edges of a primitive by the number of its corners.
fn edges_of(corners: usize) -> &'static [[usize; 2]] {
    match corners {
        2 => &[[0, 1]],
        3 => &[[0, 1], [1, 2], [2, 0]],
        _ => &[],
    }
}

fn constant(value: IBig) -> Polynomial {
    Polynomial::new(vec![value])
}

/// A vector whose components are polynomials in time.
struct Path([Polynomial; 3]);

impl Path {
    fn of(flight: &WholeFlight) -> Self {
        Self(core::array::from_fn(|k| {
            Polynomial::new(vec![flight.start[k].clone(), &flight.end[k] - &flight.start[k]])
        }))
    }

    fn minus(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|k| self.0[k].minus(&other.0[k])))
    }

    fn dot(&self, other: &Self) -> Polynomial {
        let [x, y, z] = core::array::from_fn(|k| self.0[k].times(&other.0[k]));
        x.plus(&y).plus(&z)
    }

    fn square(&self) -> Polynomial {
        self.dot(self)
    }

    fn cross(&self, other: &Self) -> Self {
        Self(core::array::from_fn(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            self.0[i].times(&other.0[j]).minus(&self.0[j].times(&other.0[i]))
        }))
    }
}

#[cfg(test)]
mod tests;
