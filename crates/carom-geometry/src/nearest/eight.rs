//! Eight pairs side by side: where positions are finite, every lane has the bits of the kernel for one pair.
//!
//! Where that one asks, this one computes both answers and takes one.

use carom_math::{Plain, Vec3};

use super::plane::NO_LENGTH_SQ;

/// The nearest points of eight pairs of four vertices.
#[derive(Clone, Copy, Debug)]
pub struct Eight<S> {
    /// Weights of the vertices in the separations.
    pub weights: [S; 4],
    /// From the nearest points of the second primitives to those of the first, in m.
    pub separation: Vec3<S>,
}

/// As [`vertex_face`](super::vertex_face).
#[inline(always)]
#[must_use]
pub fn vertex_face_eight<S: Plain>(&[p, a, b, c]: &[Vec3<S>; 4]) -> Eight<S> {
    let (zero, one) = (S::zero(), S::constant(1.0));
    let plane = PlaneFoot::of(p - a, b - a, c - a);
    let first = one - (plane.s + plane.t);
    let is_inside = plane.is_there.and(zero, first).and(zero, plane.s).and(zero, plane.t);

    let (ab, bc, ca) = (Foot::of(p, a, b), Foot::of(p, b, c), Foot::of(p, c, a));
    let on_edge = |Foot { t, separation, .. }: Foot<S>, place: fn(S, S) -> [S; 3]| {
        let [a, b, c] = place(t - one, -t);
        Eight { weights: [one, a, b, c], separation }
    };
    let mut best = (ab.distance_sq, on_edge(ab, |from, to| [from, to, S::zero()]));
    best = nearer(best, (bc.distance_sq, on_edge(bc, |from, to| [S::zero(), from, to])));
    best = nearer(best, (ca.distance_sq, on_edge(ca, |from, to| [to, S::zero(), from])));
    let inside = Eight { weights: [one, -first, -plane.s, -plane.t], separation: plane.separation };
    is_inside.choose(&inside, &best.1)
}

/// As [`edge_edge`](super::edge_edge).
#[inline(always)]
#[must_use]
pub fn edge_edge_eight<S: Plain>(&[a, b, c, d]: &[Vec3<S>; 4]) -> Eight<S> {
    let (zero, one) = (S::zero(), S::constant(1.0));
    let plane = PlaneFoot::of(c - a, b - a, c - d);
    let (s, t) = (plane.s, plane.t);
    let is_inside = plane.is_there.and(zero, s).and(s, one).and(zero, t).and(t, one);

    let (of_a, of_b) = (Foot::of(a, c, d), Foot::of(b, c, d));
    let (of_c, of_d) = (Foot::of(c, a, b), Foot::of(d, a, b));
    let first = |Foot { t, separation, .. }: Foot<S>, own: [S; 2]| Eight {
        weights: [own[0], own[1], t - one, -t],
        separation,
    };
    let second = |Foot { t, separation, .. }: Foot<S>, own: [S; 2]| Eight {
        weights: [-(t - one), t, -own[0], -own[1]],
        separation: -separation,
    };
    let mut best = (of_a.distance_sq, first(of_a, [one, zero]));
    best = nearer(best, (of_b.distance_sq, first(of_b, [zero, one])));
    best = nearer(best, (of_c.distance_sq, second(of_c, [one, zero])));
    best = nearer(best, (of_d.distance_sq, second(of_d, [zero, one])));
    let inside = Eight { weights: [one - s, s, t - one, -t], separation: -plane.separation };
    is_inside.choose(&inside, &best.1)
}

/// In which lanes something holds: those that are one, not zero.
#[derive(Clone, Copy)]
struct Truth<S>(S);

impl<S: Plain> Truth<S> {
    /// And where also `low` is at most `high`.
    #[inline(always)]
    fn and(self, low: S, high: S) -> Self {
        Self(self.0.where_at_most(low, high, S::zero()))
    }

    #[inline(always)]
    fn choose(self, this: &Eight<S>, that: &Eight<S>) -> Eight<S> {
        let pick = |this: S, that: S| this.where_at_most(S::constant(1.0), self.0, that);
        this.or(that, pick)
    }
}

impl<S: Plain> Eight<S> {
    #[inline(always)]
    fn or(&self, that: &Self, pick: impl Fn(S, S) -> S) -> Self {
        let [a, b, c, d] = self.weights;
        let [e, f, g, h] = that.weights;
        let (u, v) = (self.separation, that.separation);
        Self {
            weights: [pick(a, e), pick(b, f), pick(c, g), pick(d, h)],
            separation: Vec3::new(pick(u.x, v.x), pick(u.y, v.y), pick(u.z, v.z)),
        }
    }
}

/// The nearer of two, the first on a tie.
#[inline(always)]
fn nearer<S: Plain>(one: (S, Eight<S>), other: (S, Eight<S>)) -> (S, Eight<S>) {
    let pick = |a: S, b: S| a.where_at_most(one.0, other.0, b);
    (pick(one.0, other.0), one.1.or(&other.1, pick))
}

struct PlaneFoot<S> {
    is_there: Truth<S>,
    s: S,
    t: S,
    separation: Vec3<S>,
}

impl<S: Plain> PlaneFoot<S> {
    /// As `plane::foot`; where there is none, the numbers mean nothing.
    #[inline(always)]
    fn of(q: Vec3<S>, e: Vec3<S>, f: Vec3<S>) -> Self {
        let e_sq = e.length_sq();
        let alpha = f.dot(e) / e_sq;
        let across = f - e * alpha;
        let across_sq = across.length_sq();
        let sigma = q.dot(e) / e_sq;
        let rest = q - e * sigma;
        let t = rest.dot(across) / across_sq;
        let least = S::constant(NO_LENGTH_SQ);
        let is_there = Truth(S::constant(1.0)).and(least, e_sq).and(least, across_sq);
        Self { is_there, s: sigma - t * alpha, t, separation: rest - across * t }
    }
}

#[derive(Clone, Copy)]
struct Foot<S> {
    t: S,
    separation: Vec3<S>,
    distance_sq: S,
}

impl<S: Plain> Foot<S> {
    /// As that of a vertex on an edge.
    #[inline(always)]
    fn of(p: Vec3<S>, a: Vec3<S>, b: Vec3<S>) -> Self {
        let (e, q) = (b - a, p - a);
        let (along, length_sq) = (q.dot(e), e.length_sq());
        let (zero, end) = (S::zero(), p - b);
        let t = along / length_sq;
        let pick = |start: S, end: S, between: S| {
            start.where_at_most(along, zero, end.where_at_most(length_sq, along, between))
        };
        let between = q - e * t;
        let separation =
            Vec3::new(pick(q.x, end.x, between.x), pick(q.y, end.y, between.y), pick(q.z, end.z, between.z));
        Self { t: pick(zero, S::constant(1.0), t), separation, distance_sq: separation.length_sq() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact_check::four;
    use super::super::{edge_edge, vertex_face};
    use super::*;
    use carom_math::vectorize::{self, Kernel};
    use carom_math::{Baseline, LANES, Lanes, Width};
    use proptest::prelude::*;

    fn side_by_side(x: &[[Vec3; 4]]) -> [Vec3<Lanes>; 4] {
        core::array::from_fn(|i| {
            let lanes = |f: fn(Vec3) -> f64| Lanes(core::array::from_fn(|lane| f(x[lane][i])));
            Vec3::new(lanes(|v| v.x), lanes(|v| v.y), lanes(|v| v.z))
        })
    }

    /// Both kinds in registers.
    struct Both<'a>(&'a [Vec3<Lanes>; 4]);

    impl Kernel for Both<'_> {
        type Output = [Eight<Lanes>; 2];

        #[inline(always)]
        fn run(self, width: impl Width) -> Self::Output {
            let x = self.0.map(|v| Vec3 { x: width.load(&v.x), y: width.load(&v.y), z: width.load(&v.z) });
            [vertex_face_eight(&x), edge_edge_eight(&x)].map(|Eight { weights, separation }| Eight {
                weights: weights.map(|w| width.store(w)),
                separation: width.store_vectors(&[separation])[0],
            })
        }
    }

    fn bits(eight: &Eight<Lanes>, lane: usize) -> [u64; 7] {
        let [a, b, c, d] = eight.weights;
        let Vec3 { x, y, z } = eight.separation;
        [a, b, c, d, x, y, z].map(|lanes| lanes.0[lane].to_bits())
    }

    fn bits_of_one(weights: [f64; 4], separation: Vec3) -> [u64; 7] {
        let [a, b, c, d] = weights;
        let Vec3 { x, y, z } = separation;
        [a, b, c, d, x, y, z].map(f64::to_bits)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn each_lane_has_the_bits_of_the_kernel_for_one(x in prop::collection::vec(four(), LANES)) {
            let together = side_by_side(&x);
            let [faces, edges] = vectorize::run(Both(&together));
            let [plain_faces, plain_edges] = Both(&together).run(Baseline);
            for (lane, x) in x.iter().enumerate() {
                let one = vertex_face(x);
                let expected = bits_of_one(one.weights, one.separation);
                prop_assert_eq!([bits(&faces, lane), bits(&plain_faces, lane)], [expected; 2], "{:?}", one);
                let one = edge_edge(x);
                let expected = bits_of_one(one.weights, one.separation);
                prop_assert_eq!([bits(&edges, lane), bits(&plain_edges, lane)], [expected; 2], "{:?}", one);
            }
        }
    }
}
