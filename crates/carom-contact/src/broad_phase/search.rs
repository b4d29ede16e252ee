//! The search for candidates: the pairs that trees find, measured, without those that are too far.

use carom_math::{F64x4, LANES, Vec3};
use carom_model::PairId;
use rayon::prelude::*;

use super::frames::{Frames, Parting};
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
    let frames = Frames::one(rules.contact().bodies);
    let at = (&x[..], &vec![0.0; x.len()][..]);
    let ids = BroadPhase::new(rules, Sharing::NONE).candidates(rules, at, &Parting::none(&frames), None);
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
    let frames = Frames::one(rules.contact().bodies);
    let input = SearchInput { x, skin, parting: &Parting::none(&frames), culled: None };
    let mut found = Vec::new();
    find_candidates(&mut BroadPhase::new(rules, Sharing::NONE), rules, &input, &mut found);
    found
}

/// What a search is given: where everything is, and may be until the next one.
pub(super) struct SearchInput<'a> {
    /// Positions of vertices, in m.
    pub x: &'a [Vec3],
    /// How far they may move in the frames of their bodies, in m.
    pub skin: &'a [f64],
    /// How these frames part.
    pub parting: &'a Parting<'a>,
    /// Which pairs of one body its shape rules out, if that is known.
    pub culled: Option<&'a CulledBodies>,
}

/// All candidates in the order of ids, by trees that may be left from an earlier search, without pairs of one body that its shape rules out.
pub(super) fn find_candidates(
    broad_phase: &mut BroadPhase,
    rules: &PairRules,
    &SearchInput { x, skin, parting, culled }: &SearchInput,
    found: &mut Vec<CandidateDistance>,
) {
    found.clear();
    let ids = broad_phase.candidates(rules, (x, skin), parting, culled);
    let at: Vec<F64x4> = x.iter().map(|x| (*x).into()).collect();
    let keep_near = |ids: &[PairId], found: &mut Vec<CandidateDistance>| {
        measure(rules, ids, &at, |pair, distance, error| {
            found.extend(near(rules, pair, (distance, error), skin, parting));
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
    /// The least of these of each body, in m.
    least_of_body: Vec<f64>,
}

impl CandidateSearch {
    /// No search yet. If a team of threads leads, now and at every search, it shares the work.
    pub fn new(rules: &PairRules, motion: &Motion, sharing: Sharing) -> Self {
        let least_skin = least_skins(rules, motion);
        let culling = CullingOfBodies::new(rules, &least_skin, sharing);
        let mut least_of_body = vec![f64::INFINITY; rules.contact().bodies];
        for v in &rules.contact().vertices {
            let least = &mut least_of_body[v.body as usize];
            *least = least.min(least_skin[rules.renumbered(v.vertex) as usize]);
        }
        Self { trees: BroadPhase::new(rules, sharing), culling, least_skin, least_of_body }
    }

    /// The least skin of each vertex, in m; infinite inside solids, where nothing can be touched.
    #[inline(always)]
    pub fn least_skin(&self) -> &[f64] {
        &self.least_skin
    }

    /// The least skin of any vertex, in m; infinite if nothing can be touched.
    pub fn least_skin_of_all(&self) -> f64 {
        self.least_of_body.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Finds all candidates in the order of ids: all other pairs stay out of their first layers while no vertex moves farther from `x` than
    /// its skin, in the frame of its body, and for as long as this returns, in s. Skins may be made narrower, never narrower than `least`, in m.
    pub fn search(
        &mut self,
        rules: &PairRules,
        x: &[Vec3],
        (least, skins): (&[f64], &mut [f64]),
        frames: &Frames,
        found: &mut Vec<CandidateDistance>,
    ) -> f64 {
        let culled = self.culling.cull(x, least, skins);
        let parting = self.trees.parting(frames, (x, skins), &self.least_of_body);
        let input = SearchInput { x, skin: skins, parting: &parting, culled: Some(&culled) };
        find_candidates(&mut self.trees, rules, &input, found);
        parting.lasts_s
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
fn near(
    rules: &PairRules,
    pair: Pair,
    (distance, error): (f64, f64),
    skin: &[f64],
    parting: &Parting,
) -> Option<CandidateDistance> {
    let (first, second) = pair.stencil().split_at(pair.first_primitive());
    let skin_of = |part: &[u32]| part.iter().map(|v| skin[*v as usize]).fold(0.0, f64::max);
    let skins = skin_of(first) + skin_of(second) + parting.farthest(pair.bodies);
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

    fn place() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn whatever_comes_near_while_frames_part_is_a_candidate(
            x in prop::collection::vec(place(), 16), goes in prop::collection::vec(place(), 16),
            velocities in prop::array::uniform2(place()), speed in 0.0..30.0f64, parts in prop::array::uniform8(0.0..=1.0f64),
        ) {
            let bodies = [sheet(0.6), Thing { is_held: true, ..sheet(0.8) }, sheet(0.7), rod(4, 0.7, 0.05)];
            let (system, state) = scene(&bodies, 0.1, 6);
            let rules = PairRules::with_own_numbers(&system);
            let [a, b] = velocities.map(|v| v * speed);
            let (velocities, of_body) = (vec![Vec3::ZERO, a, b], vec![1, 0, 1, 2]);
            let frames = Frames { velocities, of_body, own: 3, between: Vec::new(), beyond_s: 1e-3 };
            // Each body a little way from the others.
            let centres = [Vec3::ZERO, Vec3::X * 1.5, Vec3::Y * 1.5, Vec3::Z * -1.5];
            let x: Vec<Vec3> = x.iter().enumerate().map(|(v, x)| *x + centres[v / 4]).collect();
            let mut search = CandidateSearch::new(&rules, &Motion::of(&state), Sharing::NONE);
            let (least, mut skins) = (vec![0.0; 16], vec![0.02; 16]);
            let mut found = Vec::new();
            let lasts_s = search.search(&rules, &x, (&least, &mut skins), &frames, &mut found);
            let until_s = if lasts_s.is_finite() { lasts_s } else { 1.0 };
            for part in parts {
                let at = |v: usize| {
                    let frame = frames.velocities[frames.of_body[v / 4] as usize];
                    x[v] + frame * (part * until_s) + goes[v] * (skins[v] / goes[v].length())
                };
                rules.for_each(|pair| {
                    let distance = pair.measure(&PairRules::positions(&pair, |v| at(v as usize))).distance;
                    // What a step of the gap test needs where frames part, beside the first layer.
                    let [c, d] = pair.bodies.map(|body| frames.velocities[frames.of_body[body as usize] as usize]);
                    let reach = rules.layers_of(&pair).thickness(pair.first_layer) + (c - d).length() * frames.beyond_s;
                    let is_found = found.binary_search_by_key(&pair.id, |found| found.pair.id).is_ok();
                    assert!(distance > reach || is_found, "{}: {distance} after {part} of {lasts_s}", pair.id);
                });
            }
        }

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
            let frames = Frames::one(things.len());
            let mut broad_phase = BroadPhase::new(&rules, is_shared.into());
            let elsewhere: Vec<Vec3> = x.iter().rev().copied().collect();
            let mut found = Vec::new();
            let parting = &Parting::none(&frames);
            for x in [&elsewhere, &x] {
                let input = SearchInput { x, skin: &skin, parting, culled: None };
                find_candidates(&mut broad_phase, &rules, &input, &mut found);
            }
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
