//! How far two primitives have gone into each other: a gap and its gradient.
//!
//! | measure | gap | a contact is found where |
//! | --- | --- | --- |
//! | [`nearest`] | signed distance of the nearest points, less the thickness | it is negative |
//! | [`intersection`] | height of the tetrahedron that the four vertices span, signed | the primitives passed through each other |
//!
//! Both are signed by the last accepted configuration: a shell has two sides, and the one on which a vertex was is the one to which it
//! returns. Both depend on differences of positions only and turn with the pair, so the pushes along their gradients add up to no
//! force and no torque. Rods and grains have no surface elements that could intersect: they are always measured by `nearest`.

pub mod intersection;
pub mod nearest;

use carom_contact::{Pair, PairRules, vertices_of};
use carom_math::Vec3;
use carom_model::PairKind;

use super::contacts::Row;

/// How penetration is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Penetration {
    /// By the signed distance of nearest points, less the thickness.
    #[default]
    Nearest,
    /// By the signed volume that the vertices of two surface elements span.
    Intersection,
}

/// Gap and gradient of a pair.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// The gap, in m: negative if they penetrate.
    pub value: f64,
    /// Derivative with respect to each vertex.
    pub gradient: [Vec3; 4],
    /// Weights of the vertices in the distance between the points that touch.
    pub weights: [f64; 4],
}

impl Penetration {
    /// The measure that suits a pair.
    fn of(self, pair: &Pair) -> Self {
        let flat = matches!(pair.id.kind, PairKind::VertexFace | PairKind::EdgeEdge);
        if flat && pair.radius == 0.0 { self } else { Self::Nearest }
    }

    /// The distance in m at which a pair is found at the earliest.
    pub fn reach(self, pair: &Pair, thickness: f64) -> f64 {
        if self.of(pair) == Self::Nearest { thickness } else { 0.0 }
    }

    /// Whether a pair penetrates at `now`, having been apart at `before`.
    pub fn finds(self, pair: &Pair, thickness: f64, before: &[Vec3; 4], now: &[Vec3; 4]) -> bool {
        match self.of(pair) {
            Self::Nearest => nearest::penetrates(pair, thickness, before, now),
            Self::Intersection => intersection::passed_through(pair, thickness, before, now),
        }
    }

    /// Gap and gradient of a pair at `now`, on the side on which it was at `before`.
    pub fn gap(self, pair: &Pair, thickness: f64, before: &[Vec3; 4], now: &[Vec3; 4]) -> Gap {
        match self.of(pair) {
            Self::Nearest => nearest::gap(pair, thickness, before, now),
            Self::Intersection => intersection::gap(pair, thickness, before, now),
        }
    }

    /// Depth and gradient of a pair as a row of a set of contacts, with vertex `v` at `now(v)`, and at `before(v)` in the last accepted configuration.
    pub fn row(
        self,
        pair: &Pair,
        thickness: f64,
        before: impl Fn(u32) -> Vec3,
        now: impl Fn(u32) -> Vec3,
    ) -> Row {
        let at = [PairRules::positions(pair, before), PairRules::positions(pair, now)];
        let Gap { value: gap, gradient, weights } = self.gap(pair, thickness, &at[0], &at[1]);
        let mut vertices = pair.vertices;
        vertices[vertices_of(pair.id.kind)..].fill(pair.vertices[0]);
        Row { id: pair.id, vertices, first_primitive: pair.first_primitive(), gradient, weights, gap }
    }
}
