//! Which pairs of a list some layer reaches, for readings of energy and forces.

use carom_math::{F64x4, LANES, Vec3};
use carom_model::PairId;

use super::pairs8::Pairs8;
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
            let incomplete: [Option<Pair>; LANES] =
                core::array::from_fn(|i| block.get(i).and_then(|id| self.incomplete(*id)));
            if let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g), Some(h)] = &incomplete
                && Pairs8::is_for(a.id.kind)
                && block.iter().all(|id| id.kind == a.id.kind)
            {
                let pairs8 =
                    Pairs8 { kind: a.id.kind, stencils: [a, b, c, d, e, f, g, h].map(|pair| &pair.vertices) };
                let measured = pairs8.measure(at);
                for (lane, pair) in [a, b, c, d, e, f, g, h].into_iter().enumerate() {
                    let (x, measure) = measured.lane(lane, pair.radius);
                    if let Some(pair) = self.complete_if_near(pair, &measure) {
                        visit(&pair, &x, &measure);
                    }
                }
            } else {
                for pair in incomplete.iter().flatten() {
                    let x = Self::positions(pair, |v| at[v as usize].xyz());
                    let measure = pair.measure(&x);
                    if let Some(pair) = self.complete_if_near(pair, &measure) {
                        visit(&pair, &x, &measure);
                    }
                }
            }
        }
    }

    /// Completes a pair, if some layer of it reaches as far as it is. Most do not: those are ruled out by their distance alone.
    #[inline]
    fn complete_if_near(&self, pair: &Pair, measure: &Measure) -> Option<Pair> {
        let reaches = |pair: &Pair| measure.distance < self.layers_of(pair).thickness(pair.first_layer);
        let pair = reaches(pair).then(|| self.complete(*pair))??;
        reaches(&pair).then_some(pair)
    }
}
