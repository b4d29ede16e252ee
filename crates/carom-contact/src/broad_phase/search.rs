//! The search for candidates: the pairs that trees find, measured, without those that are too far.

use carom_math::{F64x4, LANES, Vec3};
use carom_model::PairId;
use rayon::prelude::*;

use super::self_contact::{CulledBodies, CullingOfBodies};
use super::skin::{half_thickness, least_skins};
use super::trees::BroadPhase;
use crate::pairs::pairs8::Pairs8;
use crate::{Motion, Pair, PairRules, Sharing, TooNear};

/// A candidate, as the search measured it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidateDistance {
    /// The pair.
    pub pair: Pair,
    /// Distance between the surfaces, in m.
    pub distance: f64,
    /// A bound on the error of the distance, in m.
    pub error: f64,
}

/// All pairs within their first layer, in the order of ids, with vertex `v` at `x[v]`.
#[must_use]
pub fn near_pairs(rules: &PairRules, x: &[Vec3]) -> Vec<CandidateDistance> {
    near_pairs_with_skin(rules, x, &vec![0.0; x.len()])
}

/// Pairs of one body whose rest distance suits no layer, in the order of ids.
#[must_use]
pub fn too_near_at_rest(rules: &PairRules) -> Vec<(PairId, TooNear)> {
    let x = side_by_side(rules);
    let ids = BroadPhase::new(rules, Sharing::NONE).candidates(rules, (&x, &vec![0.0; x.len()]), None);
    ids.into_iter().filter_map(|id| rules.too_near_at_rest(id).map(|why| (id, why))).collect()
}

/// Positions of vertices at rest, the bodies so far from each other that none finds another.
pub(super) fn side_by_side(rules: &PairRules) -> Vec<Vec3> {
    let mut x = vec![Vec3::ZERO; rules.vertices()];
    let rest = &rules.contact().rest;
    let size = rest.iter().fold(0.0, |m: f64, x| m.max(x.x.abs()).max(x.y.abs()).max(x.z.abs()));
    let reach = half_thickness(rules).into_iter().fold(0.0, f64::max);
    for vertex in &rules.contact().vertices {
        let aside = 3.0 * (size + reach + vertex.radius) * f64::from(vertex.body);
        x[rules.renumbered(vertex.vertex) as usize] = rest[vertex.vertex as usize] + Vec3::X * aside;
    }
    x
}

/// All candidates in the order of ids, with vertex `v` at `x[v]` and free to move by `skin[v]`, in m.
#[must_use]
pub fn near_pairs_with_skin(rules: &PairRules, x: &[Vec3], skin: &[f64]) -> Vec<CandidateDistance> {
    let mut found = Vec::new();
    find_candidates(&mut BroadPhase::new(rules, Sharing::NONE), rules, (x, skin), None, &mut found);
    found
}

/// All candidates in the order of ids, by trees that may be left from an earlier search, without pairs of one body that its shape rules out.
pub(super) fn find_candidates(
    broad_phase: &mut BroadPhase,
    rules: &PairRules,
    (x, skin): (&[Vec3], &[f64]),
    culled: Option<&CulledBodies>,
    found: &mut Vec<CandidateDistance>,
) {
    found.clear();
    let ids = broad_phase.candidates(rules, (x, skin), culled);
    let at: Vec<F64x4> = x.iter().map(|x| (*x).into()).collect();
    let keep_near = |ids: &[PairId], found: &mut Vec<CandidateDistance>| {
        measure(rules, ids, &at, |pair, distance, error| {
            found.extend(near(rules, pair, distance, error, skin));
        });
    };
    let sharing = broad_phase.sharing();
    if sharing.is_shared {
        found.par_extend(ids.par_chunks(sharing.candidates).flat_map_iter(|ids| {
            let mut found = Vec::new();
            keep_near(ids, &mut found);
            found
        }));
    } else {
        keep_near(&ids, found);
    }
}

/// The search for candidates from epoch to epoch.
pub(crate) struct CandidateSearch {
    trees: BroadPhase,
    culling: CullingOfBodies,
    /// The least skin of each vertex, in m; infinite inside solids, where nothing can be touched.
    least_skin: Vec<f64>,
}

impl CandidateSearch {
    /// No search yet. If a team of threads leads, now and at every search, it shares the work.
    pub fn new(rules: &PairRules, motion: &Motion, sharing: Sharing) -> Self {
        let least_skin = least_skins(rules, motion);
        let culling = CullingOfBodies::new(rules, &least_skin, sharing);
        Self { trees: BroadPhase::new(rules, sharing), culling, least_skin }
    }

    /// The least skin of each vertex, in m; infinite inside solids, where nothing can be touched.
    #[inline(always)]
    pub fn least_skin(&self) -> &[f64] {
        &self.least_skin
    }

    /// Finds all candidates in the order of ids: all other pairs stay out of their first layers while no vertex moves farther from `x` than
    /// its skin. Skins may be made narrower, never narrower than `least`, in m.
    pub fn search(
        &mut self,
        rules: &PairRules,
        x: &[Vec3],
        (least, skins): (&[f64], &mut [f64]),
        found: &mut Vec<CandidateDistance>,
    ) {
        let culled = self.culling.cull(x, least, skins);
        find_candidates(&mut self.trees, rules, (x, skins), Some(&culled), found);
    }
}

/// Tells of every id that is a pair: the pair, incomplete, its distance, and a bound on the error of that, in m; vertex `v` is at `at[v]`.
pub(super) fn measure(rules: &PairRules, ids: &[PairId], at: &[F64x4], mut tell: impl FnMut(Pair, f64, f64)) {
    for block in ids.chunks(LANES) {
        let pairs: [Option<Pair>; LANES] =
            core::array::from_fn(|i| block.get(i).and_then(|id| rules.incomplete(*id)));
        if let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g), Some(h)] = &pairs
            && Pairs8::is_for(a.id.kind)
            && block.iter().all(|id| id.kind == a.id.kind)
        {
            let pairs8 =
                Pairs8 { kind: a.id.kind, stencils: [a, b, c, d, e, f, g, h].map(|pair| &pair.vertices) };
            let [lengths, scales] = pairs8.distances(at);
            for (lane, pair) in pairs.into_iter().flatten().enumerate() {
                let error = pair.distance_error_at(scales.0[lane]);
                tell(pair, lengths.0[lane] - pair.radius, error);
            }
        } else {
            for pair in pairs.into_iter().flatten() {
                let x = PairRules::positions(&pair, |v| at[v as usize].xyz());
                tell(pair, pair.measure(&x).distance, pair.distance_error(&x));
            }
        }
    }
}

/// Completes a pair, if it is near enough to be a candidate.
#[inline]
fn near(rules: &PairRules, pair: Pair, distance: f64, error: f64, skin: &[f64]) -> Option<CandidateDistance> {
    let (first, second) = pair.stencil().split_at(pair.first_primitive());
    let skin_of = |part: &[u32]| part.iter().map(|v| skin[*v as usize]).fold(0.0, f64::max);
    let skins = skin_of(first) + skin_of(second);
    // A little farther: the bound is on true distances, and this one is rounded.
    let is_near = |pair: &Pair| {
        let reach = rules.layers_of(pair).thickness(pair.first_layer) + skins;
        distance <= reach * (1.0 + 1e-9) + 4.0 * error
    };
    // Most pairs are far from all layers: what the rest shape says is computed for the others alone.
    let pair = is_near(&pair).then(|| rules.complete(pair))??;
    is_near(&pair).then_some(CandidateDistance { pair, distance, error })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Thing, points, rod, scene, sheet};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_search_finds_what_trying_all_pairs_finds(
            x in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from), 20),
            skin in prop::collection::vec(0.0..0.3f64, 20),
            thickness in 0.01..0.5f64, radius in 0.0..0.2f64, is_shared: bool,
        ) {
            let some = points(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], radius);
            let held = Thing { is_held: true, ..sheet(0.6) };
            let things = [sheet(0.8), held, some, rod(4, 0.7, radius), sheet(0.7)];
            let rules = PairRules::with_own_numbers(&scene(&things, thickness, 6).0);
            let mut expected = Vec::new();
            let mut on_the_verge = Vec::new();
            rules.for_each(|pair| {
                let (first, second) = pair.stencil().split_at(pair.first_primitive());
                let most = |part: &[u32]| part.iter().map(|v| skin[*v as usize]).fold(0.0, f64::max);
                let reach = rules.layers_of(&pair).thickness(pair.first_layer) + most(first) + most(second);
                let distance = pair.measure(&PairRules::positions(&pair, |v| x[v as usize])).distance;
                if distance <= reach {
                    expected.push(pair);
                } else if distance <= reach + 1e-8 {
                    on_the_verge.push(pair);
                }
            });
            // With trees that were built elsewhere.
            let mut broad_phase = BroadPhase::new(&rules, is_shared.into());
            let elsewhere: Vec<Vec3> = x.iter().rev().copied().collect();
            let mut found = Vec::new();
            find_candidates(&mut broad_phase, &rules, (&elsewhere, &skin), None, &mut found);
            find_candidates(&mut broad_phase, &rules, (&x, &skin), None, &mut found);
            for CandidateDistance { pair, distance, error } in &found {
                let x = PairRules::positions(pair, |v| x[v as usize]);
                prop_assert_eq!(distance.to_bits(), pair.measure(&x).distance.to_bits());
                prop_assert_eq!(error.to_bits(), pair.distance_error(&x).to_bits());
            }
            let found: Vec<Pair> = found.iter().map(|found| found.pair).collect();
            prop_assert!(found.is_sorted_by(|a, b| a.id < b.id));
            let found: Vec<Pair> = found.into_iter().filter(|pair| !on_the_verge.contains(pair)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
