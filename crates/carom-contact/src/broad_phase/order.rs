//! Ids of pairs in their order, each once.
//!
//! Most primitives are in a few pairs only: ids are put into buckets by their first primitive, and the few of each bucket are sorted. Of many ids, that
//! takes a fifth of the time that sorting all of them takes; of a few, it would take longer.

use carom_model::{Contact, PairId, PairKind};

/// With more buckets for each id, all ids are sorted at once.
const BUCKETS_PER_ID: usize = 16;

/// Sorts ids of pairs and leaves out what is there twice.
pub(super) fn put_in_order(ids: &mut Vec<PairId>, contact: &Contact) {
    let buckets = Buckets::of(contact);
    if ids.len() < buckets.count / BUCKETS_PER_ID {
        ids.sort_unstable();
        ids.dedup();
        return;
    }
    // Where the bucket of each first primitive begins; while ids are put into buckets, where the next one goes.
    let mut next = vec![0_u32; buckets.count + 1];
    for id in &*ids {
        next[buckets.bucket_of(id) + 1] += 1;
    }
    for i in 1..next.len() {
        next[i] += next[i - 1];
    }
    let mut sorted = ids.clone();
    for id in &*ids {
        let place = &mut next[buckets.bucket_of(id)];
        sorted[*place as usize] = *id;
        *place += 1;
    }
    let mut begin = 0;
    for end in &next[..buckets.count] {
        sorted[begin..*end as usize].sort_unstable();
        begin = *end as usize;
    }
    sorted.dedup();
    *ids = sorted;
}

/// One bucket for each first primitive of each kind of pair.
struct Buckets {
    /// How many buckets there are before those of each kind.
    before: [usize; 5],
    count: usize,
}

impl Buckets {
    fn of(Contact { vertices, edges, .. }: &Contact) -> Self {
        let (v, e) = (vertices.len(), edges.len());
        // In the order of kinds.
        Self { before: [0, v, v + e, 2 * v + e, 3 * v + e], count: 4 * v + e }
    }

    #[inline]
    fn bucket_of(&self, id: &PairId) -> usize {
        let kind = match id.kind {
            PairKind::VertexFace => 0,
            PairKind::EdgeEdge => 1,
            PairKind::VertexEdge => 2,
            PairKind::VertexVertex => 3,
            PairKind::Soft => 4,
        };
        self.before[kind] + id.a as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points, rod, scene, sheet};
    use carom_math::Vec3;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ids_come_in_their_order_and_once(
            drawn in prop::collection::vec((0..5_usize, 0..100_u32, 0..9_u32), 0..60),
        ) {
            let things = [sheet(1.0), rod(4, 1.0, 0.1), points(&[Vec3::X, Vec3::Y], 0.1)];
            let contact = scene(&things, 0.01, 6).0.contact.unwrap();
            let kinds = [
                PairKind::VertexFace,
                PairKind::EdgeEdge,
                PairKind::VertexEdge,
                PairKind::VertexVertex,
                PairKind::Soft,
            ];
            let firsts = |kind| if kind == PairKind::EdgeEdge { contact.edges.len() } else { contact.vertices.len() };
            let id = |&(kind, a, b): &(usize, u32, u32)| {
                let kind = kinds[kind];
                PairId { kind, a: a % firsts(kind) as u32, b }
            };
            let mut ids: Vec<PairId> = drawn.iter().map(id).collect();
            let mut expected = ids.clone();
            expected.sort_unstable();
            expected.dedup();
            put_in_order(&mut ids, &contact);
            prop_assert_eq!(ids, expected);
        }
    }
}
