//! The search for near pairs.
//!
//! A pair is near if its distance is at most its first thickness plus the skins of both primitives: what is not in the list
//! cannot touch a layer while no vertex moves farther than its skin. Boxes around the primitives, grown by skin, radius and
//! half the thickness, find the candidates; most of these lie askew in their boxes, and a look along the line between their
//! centres tells them apart before anything is measured. Within a body that has kept its [shape](super::shape), none are
//! looked for.

use carom_math::{F64x4, LANES, Vec3};
use carom_model::PairId;
use rayon::prelude::*;

use super::broad_phase::BroadPhase;
use super::pair_evaluation::Pairs8;
use super::shape::Known;
use crate::{Pair, PairRules, TooNear};

/// A near pair, as the search measured it.
pub struct CandidateDistance {
    /// The pair.
    pub pair: Pair,
    /// Distance between the surfaces, in m.
    pub distance: f64,
    /// A bound on the error of the distance, in m.
    pub error: f64,
}

/// All pairs within their first layer, in the order of ids, with vertex `v` of pairs at `x[v]`.
#[must_use]
pub fn near_pairs(rules: &PairRules, x: &[Vec3]) -> Vec<CandidateDistance> {
    search(rules, x, &vec![0.0; x.len()])
}

/// Pairs of one body whose rest distance suits no layer, in the order of ids.
#[must_use]
pub fn too_near_at_rest(rules: &PairRules) -> Vec<(PairId, TooNear)> {
    let x = side_by_side(rules);
    let ids = BroadPhase::new(rules, false).candidates(rules, (&x, &vec![0.0; x.len()]), None);
    ids.into_iter().filter_map(|id| rules.too_near_at_rest(id).map(|why| (id, why))).collect()
}

/// Where vertices are at rest, the bodies so far from each other that none finds another.
pub(super) fn side_by_side(rules: &PairRules) -> Vec<Vec3> {
    let mut x = vec![Vec3::ZERO; rules.vertices()];
    let rest = &rules.contact().rest;
    let size = rest.iter().fold(0.0, |m: f64, x| m.max(x.x.abs()).max(x.y.abs()).max(x.z.abs()));
    let reach = half_thickness(rules).into_iter().fold(0.0, f64::max);
    for vertex in &rules.contact().vertices {
        let aside = 3.0 * (size + reach + vertex.radius) * f64::from(vertex.body);
        x[rules.name(vertex.vertex) as usize] = rest[vertex.vertex as usize] + Vec3::X * aside;
    }
    x
}

/// All near pairs in the order of ids, with vertex `v` of pairs at `x[v]` and free to move by `skin[v]`, in m.
#[must_use]
pub fn search(rules: &PairRules, x: &[Vec3], skin: &[f64]) -> Vec<CandidateDistance> {
    let mut found = Vec::new();
    search_in(&mut BroadPhase::new(rules, false), rules, (x, skin), None, &mut found);
    found
}

/// As [`search`], into room that is there already, in a forest that may have trees of an earlier search, and without pairs of one body that its shape rules out.
pub(super) fn search_in(
    broad_phase: &mut BroadPhase,
    rules: &PairRules,
    (x, skin): (&[Vec3], &[f64]),
    known: Option<&Known>,
    found: &mut Vec<CandidateDistance>,
) {
    found.clear();
    let ids = broad_phase.candidates(rules, (x, skin), known);
    let at: Vec<F64x4> = x.iter().map(|x| (*x).into()).collect();
    let near_among = |ids: &[PairId], found: &mut Vec<CandidateDistance>| {
        measure(rules, ids, &at, |pair, distance, error| {
            found.extend(near(rules, pair, distance, error, skin));
        });
    };
    let sharing = broad_phase.sharing();
    if sharing.is_shared {
        found.par_extend(ids.par_chunks(sharing.candidates).flat_map_iter(|ids| {
            let mut found = Vec::new();
            near_among(ids, &mut found);
            found
        }));
    } else {
        near_among(&ids, found);
    }
}

/// Tells of every candidate that is a pair its outline, its distance, and a bound on the error of it, in m; vertex `v` of pairs is at `at[v]`.
pub(super) fn measure(rules: &PairRules, ids: &[PairId], at: &[F64x4], mut tell: impl FnMut(Pair, f64, f64)) {
    for block in ids.chunks(LANES) {
        let outlines: [Option<Pair>; LANES] =
            core::array::from_fn(|i| block.get(i).and_then(|id| rules.outline(*id)));
        if let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f), Some(g), Some(h)] = &outlines
            && Pairs8::is_for(a.id.kind)
            && block.iter().all(|id| id.kind == a.id.kind)
        {
            let pairs8 =
                Pairs8 { kind: a.id.kind, stencils: [a, b, c, d, e, f, g, h].map(|pair| &pair.vertices) };
            let [lengths, scales] = pairs8.distances(at);
            for (lane, pair) in outlines.into_iter().flatten().enumerate() {
                let error = pair.distance_error_at(scales.0[lane]);
                tell(pair, lengths.0[lane] - pair.radius, error);
            }
        } else {
            for pair in outlines.into_iter().flatten() {
                let x = PairRules::positions(&pair, |v| at[v as usize].xyz());
                tell(pair, pair.measure(&x).distance, pair.distance_error(&x));
            }
        }
    }
}

/// A pair of which the outline is known, if it is near.
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
    // Most candidates are far from all layers: what the rest shape says is asked for the others alone.
    let pair = is_near(&pair).then(|| rules.complete(pair))??;
    is_near(&pair).then_some(CandidateDistance { pair, distance, error })
}

/// Half of the thickest first layer of each body, in m.
pub(super) fn half_thickness(rules: &PairRules) -> Vec<f64> {
    let contact = rules.contact();
    let thickness = |a: u32, b: u32| contact.layers[contact.layers_between(a, b) as usize].thickness;
    let bodies = contact.bodies as u32;
    (0..bodies).map(|a| (0..bodies).map(|b| 0.5 * thickness(a, b)).fold(0.0, f64::max)).collect()
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
            // In a forest that was planted elsewhere.
            let mut broad_phase = BroadPhase::new(&rules, is_shared);
            let elsewhere: Vec<Vec3> = x.iter().rev().copied().collect();
            let mut found = Vec::new();
            search_in(&mut broad_phase, &rules, (&elsewhere, &skin), None, &mut found);
            search_in(&mut broad_phase, &rules, (&x, &skin), None, &mut found);
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
