//! Which pairs of many are near, where someone looks.

use carom_math::{F64x4, LANES, Vec3};
use carom_model::PairId;

use super::pair_evaluation::Pairs8;
use crate::{Measure, Pair, PairRules};

impl PairRules {
    /// Visits each pair of `ids` that some layer reaches, in their order, with vertex `v` at `at[v]`: eight of a kind are measured side by side.
    pub fn near_among(
        &self,
        ids: &[PairId],
        at: &[F64x4],
        mut visit: impl FnMut(&Pair, &[Vec3; 4], &Measure),
    ) {
        for block in ids.chunks(LANES) {
            let outlines: [Option<Pair>; LANES] =
                core::array::from_fn(|i| block.get(i).and_then(|id| self.outline(*id)));
            if let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g), Some(h)] = &outlines
                && Pairs8::is_for(a.id.kind)
                && block.iter().all(|id| id.kind == a.id.kind)
            {
                let pairs8 =
                    Pairs8 { kind: a.id.kind, stencils: [a, b, c, d, e, f, g, h].map(|pair| &pair.vertices) };
                let measured = pairs8.measure_at(at);
                for (lane, outline) in [a, b, c, d, e, f, g, h].into_iter().enumerate() {
                    let (x, measure) = measured.lane(lane, outline.radius);
                    if let Some(pair) = self.complete_if_near(outline, &measure) {
                        visit(&pair, &x, &measure);
                    }
                }
            } else {
                for outline in outlines.iter().flatten() {
                    let x = Self::positions(outline, |v| at[v as usize].xyz());
                    let measure = outline.measure(&x);
                    if let Some(pair) = self.complete_if_near(outline, &measure) {
                        visit(&pair, &x, &measure);
                    }
                }
            }
        }
    }

    /// The pair of an outline, if some layer of it reaches as far as it is. Most do not: those are told by their distance alone.
    #[inline]
    fn complete_if_near(&self, outline: &Pair, measure: &Measure) -> Option<Pair> {
        let reaches = |pair: &Pair| measure.distance < self.layers_of(pair).thickness(pair.first_layer);
        let pair = reaches(outline).then(|| self.complete(*outline))??;
        reaches(&pair).then_some(pair)
    }
}
