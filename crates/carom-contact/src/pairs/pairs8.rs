//! Distances of eight pairs of a kind side by side: the same operations in the same order as [`Pair::measure`](crate::Pair::measure) one by one, so
//! the same bits.

use carom_geometry::nearest::{Eight, edge_edge_eight, vertex_face_eight};
use carom_math::vectorize::{self, Kernel};
use carom_math::{F64x4, LANES, Lanes, Plain, Real, Vec3, Width};
use carom_model::PairKind;

use crate::Measure;
use crate::pairs::vertices_of;

/// Eight pairs of one kind with four vertices.
pub(crate) struct Pairs8<'a> {
    pub kind: PairKind,
    pub stencils: [&'a [u32; 4]; LANES],
}

/// The nearest points of eight pairs.
pub(crate) struct Measured<S = Lanes> {
    pub(super) x: [Vec3<S>; 4],
    pub(super) eight: Eight<S>,
    /// Lengths of the separations, in m.
    pub(super) lengths: S,
}

impl Pairs8<'_> {
    /// Whether pairs of this kind can be measured eight at a time: those with four vertices.
    pub fn is_for(kind: PairKind) -> bool {
        vertices_of(kind) == 4
    }

    /// The nearest points of all eight; vertex `v` is at `at[v]`.
    #[inline(always)]
    pub fn measure(&self, at: &[F64x4]) -> Measured {
        vectorize::run(Measuring { pairs8: self, at })
    }

    /// The distances of all eight, radii left out, and the scales that bound their errors, in m; vertex `v` is at `at[v]`.
    #[inline(always)]
    pub fn distances(&self, at: &[F64x4]) -> [Lanes; 2] {
        vectorize::run(Sizing(Measuring { pairs8: self, at }))
    }
}

impl Measured {
    /// Positions of the vertices of the pair in `lane`, and its nearest points.
    #[inline(always)]
    pub fn lane(&self, lane: usize, radius: f64) -> ([Vec3; 4], Measure) {
        let [a, b, c, d] = &self.x;
        let x = [a.lane(lane), b.lane(lane), c.lane(lane), d.lane(lane)];
        let [e, f, g, h] = &self.eight.weights;
        let weights = [e.0[lane], f.0[lane], g.0[lane], h.0[lane]];
        let (separation, length) = (self.eight.separation.lane(lane), self.lengths.0[lane]);
        (x, Measure { weights, separation, distance: length - radius })
    }
}

/// The kernel of nearest points.
pub(super) struct Measuring<'a> {
    pub pairs8: &'a Pairs8<'a>,
    pub at: &'a [F64x4],
}

impl Measuring<'_> {
    #[inline(always)]
    pub fn nearest<W: Width>(&self, width: W) -> Measured<W::Numbers> {
        let mut x = [Vec3::zero(); 4];
        for (i, x) in x.iter_mut().enumerate() {
            let at = |lane: usize| &self.at[self.pairs8.stencils[lane][i] as usize];
            *x = width.points([at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)]);
        }
        let eight = match self.pairs8.kind {
            PairKind::EdgeEdge => edge_edge_eight(&x),
            _ => vertex_face_eight(&x),
        };
        Measured { x, eight, lengths: eight.separation.length() }
    }
}

impl Kernel for Measuring<'_> {
    type Output = Measured;

    #[inline(always)]
    fn run(self, width: impl Width) -> Measured {
        let Measured { x, eight: Eight { weights: [a, b, c, d], separation }, lengths } = self.nearest(width);
        // One after the other: arrays of arrays of lanes would be copied.
        let (lanes, vector) = (Lanes::zero(), Vec3::zero());
        let eight = Eight { weights: [lanes; 4], separation: vector };
        let mut measured = Measured { x: [vector; 4], eight, lengths: lanes };
        for (to, of) in measured.x.iter_mut().zip(x) {
            *to = width.store_vector(of);
        }
        for (to, of) in measured.eight.weights.iter_mut().zip([a, b, c, d]) {
            *to = width.store(of);
        }
        measured.eight.separation = width.store_vector(separation);
        measured.lengths = width.store(lengths);
        measured
    }
}

/// The kernel of distances alone.
struct Sizing<'a>(Measuring<'a>);

impl Kernel for Sizing<'_> {
    type Output = [Lanes; 2];

    #[inline(always)]
    fn run(self, width: impl Width) -> [Lanes; 2] {
        let Measured { x: [a, b, c, d], lengths, .. } = self.0.nearest(width);
        let extents = Vec3 {
            x: extent([a.x, b.x, c.x, d.x]),
            y: extent([a.y, b.y, c.y, d.y]),
            z: extent([a.z, b.z, c.z, d.z]),
        };
        [width.store(lengths), width.store(larger(larger(extents.x, extents.y), extents.z))]
    }
}

#[inline(always)]
fn larger<S: Plain>(a: S, b: S) -> S {
    a.where_at_most(b, a, b)
}

#[inline(always)]
fn smaller<S: Plain>(a: S, b: S) -> S {
    a.where_at_most(a, b, b)
}

/// The largest less the least of four numbers.
#[inline(always)]
fn extent<S: Plain>([a, b, c, d]: [S; 4]) -> S {
    larger(larger(a, b), larger(c, d)) - smaller(smaller(a, b), smaller(c, d))
}
