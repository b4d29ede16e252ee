//! Eight pairs side by side: where positions are finite, every lane has the bits of the kernel for one pair.
//!
//! Where the kernel for one pair branches, this one computes both branches and selects one.

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

/// Nearest points of eight pairs of a vertex and a face, as by [`vertex_face`](super::vertex_face).
#[inline(always)]
#[must_use]
pub fn vertex_face_eight<S: Plain>(&[p, a, b, c]: &[Vec3<S>; 4]) -> Eight<S> {
    let (zero, one) = (S::zero(), S::constant(1.0));
    let plane = PlaneFoot::of(p - a, b - a, c - a);
    let first = one - (plane.s + plane.t);
    let is_inside = plane.is_there.and(zero, first).and(zero, plane.s).and(zero, plane.t);

    let (ab, bc, ca) = (Foot::of(p, a, b), Foot::of(p, b, c), Foot::of(p, c, a));
    let best = NearestSoFar::new(ab, [one, ab.t - one, -ab.t, zero])
        .or_nearer(NearestSoFar::new(bc, [one, zero, bc.t - one, -bc.t]))
        .or_nearer(NearestSoFar::new(ca, [one, -ca.t, zero, ca.t - one]));
    let inside = Eight { weights: [one, -first, -plane.s, -plane.t], separation: plane.separation };
    is_inside.choose(inside, best.eight)
}

/// Nearest points of eight pairs of edges, as by [`edge_edge`](super::edge_edge).
#[inline(always)]
#[must_use]
pub fn edge_edge_eight<S: Plain>(&[a, b, c, d]: &[Vec3<S>; 4]) -> Eight<S> {
    let (zero, one) = (S::zero(), S::constant(1.0));
    let plane = PlaneFoot::of(c - a, b - a, c - d);
    let (s, t) = (plane.s, plane.t);
    let is_inside = plane.is_there.and(zero, s).and(s, one).and(zero, t).and(t, one);

    let (of_a, of_b) = (Foot::of(a, c, d), Foot::of(b, c, d));
    let (of_c, of_d) = (Foot::of(c, a, b).turned(), Foot::of(d, a, b).turned());
    let best = NearestSoFar::new(of_a, [one, zero, of_a.t - one, -of_a.t])
        .or_nearer(NearestSoFar::new(of_b, [zero, one, of_b.t - one, -of_b.t]))
        .or_nearer(NearestSoFar::new(of_c, [-(of_c.t - one), of_c.t, -one, -zero]))
        .or_nearer(NearestSoFar::new(of_d, [-(of_d.t - one), of_d.t, -zero, -one]));
    let inside = Eight { weights: [one - s, s, t - one, -t], separation: -plane.separation };
    is_inside.choose(inside, best.eight)
}

/// A condition in each lane: one where it holds, zero where it does not.
#[derive(Clone, Copy)]
struct Truth<S>(S);

impl<S: Plain> Truth<S> {
    /// The lanes in which this condition holds and `low` is at most `high`.
    #[inline(always)]
    fn and(self, low: S, high: S) -> Self {
        Self(self.0.where_at_most(low, high, S::zero()))
    }

    #[inline(always)]
    fn choose(self, this: Eight<S>, that: Eight<S>) -> Eight<S> {
        this.where_at_most(S::constant(1.0), self.0, that)
    }
}

impl<S: Plain> Eight<S> {
    /// Itself where `low` is at most `high`, and `that` elsewhere.
    #[inline(always)]
    fn where_at_most(self, low: S, high: S, that: Self) -> Self {
        let ([a, b, c, d], Vec3 { x, y, z }) = (self.weights, self.separation);
        let ([e, f, g, h], Vec3 { x: u, y: v, z: w }) = (that.weights, that.separation);
        Self {
            weights: [
                a.where_at_most(low, high, e),
                b.where_at_most(low, high, f),
                c.where_at_most(low, high, g),
                d.where_at_most(low, high, h),
            ],
            separation: Vec3 {
                x: x.where_at_most(low, high, u),
                y: y.where_at_most(low, high, v),
                z: z.where_at_most(low, high, w),
            },
        }
    }
}

/// The nearest points found so far.
#[derive(Clone, Copy)]
struct NearestSoFar<S> {
    distance_sq: S,
    eight: Eight<S>,
}

impl<S: Plain> NearestSoFar<S> {
    #[inline(always)]
    fn new(Foot { separation, distance_sq, .. }: Foot<S>, weights: [S; 4]) -> Self {
        Self { distance_sq, eight: Eight { weights, separation } }
    }

    /// The nearer of two, the first on a tie.
    #[inline(always)]
    fn or_nearer(self, other: Self) -> Self {
        let (here, there) = (self.distance_sq, other.distance_sq);
        Self {
            distance_sq: here.where_at_most(here, there, there),
            eight: self.eight.where_at_most(here, there, other.eight),
        }
    }
}

struct PlaneFoot<S> {
    is_there: Truth<S>,
    s: S,
    t: S,
    separation: Vec3<S>,
}

impl<S: Plain> PlaneFoot<S> {
    /// The foot of `q` as by `plane::foot`; in lanes without a foot the numbers have no meaning.
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
    /// The foot of a vertex on an edge, as by the kernel for one pair.
    #[inline(always)]
    fn of(p: Vec3<S>, a: Vec3<S>, b: Vec3<S>) -> Self {
        let (e, q) = (b - a, p - a);
        let (along, length_sq) = (q.dot(e), e.length_sq());
        let (zero, end) = (S::zero(), p - b);
        let t = along / length_sq;
        let between = q - e * t;
        let separation = Vec3 {
            x: on_edge(along, length_sq, [q.x, between.x, end.x]),
            y: on_edge(along, length_sq, [q.y, between.y, end.y]),
            z: on_edge(along, length_sq, [q.z, between.z, end.z]),
        };
        let t = on_edge(along, length_sq, [zero, t, S::constant(1.0)]);
        Self { t, separation, distance_sq: separation.length_sq() }
    }

    /// The same pair with its primitives exchanged.
    #[inline(always)]
    fn turned(self) -> Self {
        Self { separation: -self.separation, ..self }
    }
}

/// Of three values the one that applies before an edge begins, along it, or after its end.
#[inline(always)]
fn on_edge<S: Plain>(along: S, length_sq: S, [before, between, after]: [S; 3]) -> S {
    before.where_at_most(along, S::zero(), after.where_at_most(length_sq, along, between))
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

    /// Kernel for tests: both kinds of pairs in registers.
    struct Both<'a>(&'a [Vec3<Lanes>; 4]);

    impl Kernel for Both<'_> {
        type Output = [Eight<Lanes>; 2];

        #[inline(always)]
        fn run(self, width: impl Width) -> Self::Output {
            let x = self.0.map(|v| Vec3 { x: width.load(&v.x), y: width.load(&v.y), z: width.load(&v.z) });
            [vertex_face_eight(&x), edge_edge_eight(&x)].map(|Eight { weights, separation }| Eight {
                weights: weights.map(|w| width.store(w)),
                separation: width.store_vector(separation),
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
