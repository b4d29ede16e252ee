//! One traversal of two trees: which of their primitives may be near each other.

use carom_geometry::{Bvh, Part};
use carom_model::{PairId, PairKind};

use super::primitives::{PrimitiveStatics, SweptBoundsOfAll};

/// A traversal of a part of two trees.
pub(super) struct Traversal<'a> {
    /// The bodies of the two trees.
    pub bodies: [u32; 2],
    /// The kind of pair that it finds.
    pub kind: PairKind,
    /// The tree of first primitives.
    pub first: &'a Bvh,
    /// The tree of second primitives.
    pub second: &'a Bvh,
    /// Which part of the two.
    pub part: Part,
}

impl Traversal<'_> {
    /// The pairs that may be near, in the order of the trees, where the frames of the bodies part by so much, in m.
    pub fn candidates(
        &self,
        statics: &PrimitiveStatics,
        swept: &SweptBoundsOfAll,
        parting: f64,
    ) -> Vec<PairId> {
        let (first, second) = match self.kind {
            PairKind::EdgeEdge => ((&statics.edges, &swept.edges), (&statics.edges, &swept.edges)),
            PairKind::VertexEdge => ((&statics.vertices, &swept.vertices), (&statics.edges, &swept.edges)),
            _ => ((&statics.vertices, &swept.vertices), (&statics.faces, &swept.faces)),
        };
        let mut ids = Vec::new();
        self.first.pairs_in(self.second, self.part, |a, b| {
            let (i, j) = (a as usize, b as usize);
            // Numbers of vertices first: they lie close together, and rule out two thirds of all.
            if first.0[i].may_touch(&second.0[j]) && !first.1[i].is_apart_from(&second.1[j], parting) {
                let [a, b] = if self.kind == PairKind::EdgeEdge { [a.min(b), a.max(b)] } else { [a, b] };
                ids.push(PairId { kind: self.kind, a, b });
            }
        });
        ids
    }
}
