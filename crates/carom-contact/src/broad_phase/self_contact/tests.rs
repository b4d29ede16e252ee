//! Self-contact culling against all pairs.

use super::super::frames::{Frames, Parting};
use super::super::search::{SearchInput, find_candidates};
use super::super::trees::BroadPhase;
use super::*;
use crate::testing::{Thing, points, rod, scene};
use carom_geometry::Mesh;
use carom_geometry::shapes::{disc, grid, sphere};

fn thing(kind: usize, edge: f64) -> Thing {
    let mesh: Mesh = match kind {
        0 => grid(1.0, 0.8, edge).unwrap(),
        1 => disc(0.5, edge).unwrap(),
        _ => sphere(0.5, edge).unwrap(),
    };
    Thing { mesh, ..Thing::default() }
}

/// Numbers from −1 to 1 that look random.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, most: f64) -> Vec3 {
        Vec3::new(self.roll(), self.roll(), self.roll()) * most
    }
}

/// Turned, stretched, bent along a wave, and dented.
fn bent(rest: &[Vec3], axis: Vec3, stretch: Vec3, [wave, dent]: [Vec3; 2]) -> Vec<Vec3> {
    let turn = Mat3::rotation(axis, 3.0 * axis.length());
    let place = |x: &Vec3| {
        let ripple = Vec3::new(0.1, -0.1, 0.2) * (1.0 + 2.0 * x.dot(wave)).sin();
        let dent = dent * (-(*x - Vec3::X * 0.5).length_sq() / 0.02).exp();
        turn.apply(x.scaled_by(Vec3::splat(1.0) + stretch) + ripple + dent) + Vec3::new(3.0, -1.0, 2.0)
    };
    rest.iter().map(place).collect()
}

/// The pairs within their layers.
fn touching(rules: &PairRules, x: &[Vec3]) -> Vec<PairId> {
    let mut touching = Vec::new();
    rules.for_each(|pair| {
        let at = pair.measure(&PairRules::positions(&pair, |v| x[v as usize]));
        if at.distance < rules.layers_of(&pair).thickness(pair.first_layer) {
            touching.push(pair.id);
        }
    });
    touching
}

/// Where vertices come to that move by all of their skins: towards each other, those of the nearest pairs.
fn closed(rules: &PairRules, x: &[Vec3], skins: &[f64], dice: &mut Dice) -> Vec<Vec3> {
    let mut ways: Vec<Vec3> = x.iter().map(|_| dice.vector(1.0)).collect();
    let mut nearest = vec![f64::INFINITY; x.len()];
    rules.for_each(|pair| {
        let at = pair.measure(&PairRules::positions(&pair, |v| x[v as usize]));
        for (i, &v) in pair.stencil().iter().enumerate() {
            if at.distance < nearest[v as usize] {
                nearest[v as usize] = at.distance;
                let side = if i < pair.first_primitive() { -1.0 } else { 1.0 };
                ways[v as usize] = at.separation * side;
            }
        }
    });
    (0..x.len()).map(|v| x[v] + ways[v] * (0.999 * skins[v] / ways[v].length())).collect()
}

#[test]
fn whatever_touches_while_skins_last_is_found_where_bodies_are_culled() {
    let dice = &mut Dice(7);
    let (mut apart, mut partly, mut always, mut touches) = (0, 0, 0, 0);
    for case in 0..96 {
        let edge = if case % 2 == 0 { 0.25 } else { 0.11 };
        let thickness = edge * (0.4 + 0.3 * dice.roll());
        let rules = PairRules::with_own_numbers(&scene(&[thing(case % 3, edge)], thickness, 6).0);
        let rest = &rules.contact().rest;
        let least = vec![0.01 * edge; rest.len()];
        let culling = CullingOfBodies::new(&rules, &least, Sharing::NONE);
        let (mut broad_phase, mut found) = (BroadPhase::new(&rules, (case % 5 == 0).into()), Vec::new());
        // The same trees serve one shape after the other.
        for _ in 0..2 {
            let (axis, stretch) = (dice.vector(1.0), dice.vector(0.08));
            let x = bent(rest, axis, stretch, [dice.vector(0.15), dice.vector(0.1)]);
            let mut skins = vec![0.2 * edge; x.len()];
            let culled = culling.cull(&x, &least, &mut skins);
            apart += u32::from(culled.states == [CullState::Apart]);
            partly += u32::from(culled.states == [CullState::Partly]);
            always += culled.always_candidates.len();
            let frames = Frames::one(1);
            let parting = &Parting::none(&frames);
            let input = SearchInput { x: &x, skin: &skins, parting, culled: Some(&culled) };
            find_candidates(&mut broad_phase, &rules, &input, &mut found);
            for id in touching(&rules, &closed(&rules, &x, &skins, dice)) {
                touches += 1;
                let is_found = found.binary_search_by_key(&id, |found| found.pair.id).is_ok();
                assert!(is_found, "case {case}: {id} touches, and {:?}", culled.states);
            }
        }
    }
    assert!(apart > 20 && partly > 5 && always > 100 && touches > 500, "{apart} {partly} {always} {touches}");
}

#[test]
fn no_two_primitives_without_a_common_corner_are_nearer_at_rest_than_heights_say() {
    let dice = &mut Dice(11);
    for case in 0..12 {
        let mut thing = thing(case % 3, 0.2);
        // Triangles of all sizes and slopes, within a convex outline.
        let is_within = |x: &&mut Vec3| case % 3 == 2 || x.length() < 0.35;
        thing.mesh.positions.iter_mut().filter(is_within).for_each(|x| *x += dice.vector(0.02));
        let rules = PairRules::with_own_numbers(&scene(&[thing], 1e-3, 6).0);
        let culling = CullingOfBodies::new(&rules, &vec![0.0; rules.vertices()], Sharing::NONE);
        let SelfContactCulling { gaps, always_candidates, geodesic_bound, lowest, .. } =
            culling.0[0].as_ref().unwrap();
        let mut nearest = f64::INFINITY;
        let rest = &rules.contact().rest;
        rules.for_each(|pair| {
            let at = PairRules::positions(&pair, |v| rest[v as usize]);
            nearest = nearest.min(pair.measure(&at).distance);
        });
        assert!(always_candidates.is_empty() && gaps.len() == 1);
        assert_eq!(gaps[0].at_rest, INWARD * geodesic_bound.chord(*lowest));
        assert!(
            gaps[0].at_rest <= nearest && gaps[0].at_rest > 0.4 * nearest,
            "{} {nearest}",
            gaps[0].at_rest
        );
    }
}

#[test]
fn the_search_at_rest_finds_what_always_is_a_candidate_and_how_near_all_others_are() {
    // Heights say enough of the coarse sheet alone.
    let (system, _) = scene(&[thing(0, 0.25), thing(1, 0.1), thing(2, 0.06)], 0.05, 6);
    let rules = PairRules::with_own_numbers(&system);
    let least = vec![0.001; rules.vertices()];
    let found: [Vec<SelfContactCulling>; 2] = [false, true].map(|is_shared| {
        CullingOfBodies::new(&rules, &least, is_shared.into()).0.into_iter().flatten().collect()
    });
    let always: usize = found[0].iter().map(|shape| shape.always_candidates.len()).sum();
    assert!(
        found[0].len() == 3
            && found[0][0].gaps.len() == 1
            && found[0][0].always_candidates.is_empty()
            && always > 100
    );
    for (alone, shared) in found[0].iter().zip(&found[1]) {
        let numbers = |shape: &SelfContactCulling| {
            shape.gaps.iter().map(|gap| [gap.reach, gap.at_rest]).collect::<Vec<_>>()
        };
        assert_eq!((numbers(alone), &alone.always_candidates), (numbers(shared), &shared.always_candidates));
    }
    let rest = &rules.contact().rest;
    rules.for_each(|pair| {
        let [a, b] = pair.bodies;
        let shape = &found[0][a as usize];
        if a != b || shape.always_candidates.binary_search(&pair.id).is_ok() {
            return;
        }
        let distance = pair.measure(&PairRules::positions(&pair, |v| rest[v as usize])).distance;
        let reach = rules.layers_of(&pair).thickness(pair.first_layer);
        let is_covered = |gap: &Gap| gap.reach >= reach && gap.at_rest <= distance;
        assert!(shape.gaps.iter().any(is_covered), "{}: {distance} at rest", pair.id);
    });
}

#[test]
fn a_sheet_that_is_pinched_touches_itself_there_and_is_searched_around_it() {
    let rules = PairRules::with_own_numbers(&scene(&[thing(0, 0.05)], 0.018, 6).0);
    let mut x = rules.contact().rest.clone();
    for x in &mut x {
        let away = *x - Vec3::new(0.25, 0.0, 0.0);
        *x -= away * (0.75 * (-away.length_sq() / 0.005).exp());
    }
    let least = vec![0.0005; x.len()];
    let culling = CullingOfBodies::new(&rules, &least, Sharing::NONE);
    let culled = culling.cull(&x, &least, &mut vec![0.01; x.len()]);
    let touching = touching(&rules, &x);
    assert_eq!(
        (culled.states[0], culled.always_candidates.is_empty(), touching.is_empty()),
        (CullState::Partly, true, false)
    );
    let searched = culled.is_searched.iter().filter(|is_searched| **is_searched).count();
    assert!(searched < x.len() / 4, "{searched} of {}", x.len());
    // The ring around what is strained is searched too: a way across it may be short enough.
    let shape = culling.0[0].as_ref().unwrap();
    let strains = shape.strains(&x).unwrap();
    let is_strained = |v: &u32| {
        let mut own = shape.triangles.iter().zip(&strains).filter(|(t, _)| t.corners.contains(v));
        own.any(|(_, strain)| shape.room(*strain) < NARROW * 0.0005)
    };
    let strained: Vec<u32> = (0..x.len() as u32).filter(is_strained).collect();
    let is_ring = |t: &Triangle| t.corners.iter().any(|v| strained.contains(v));
    let ring = shape.triangles.iter().filter(|t| is_ring(t)).flat_map(|t| t.corners);
    assert!(ring.into_iter().all(|v| culled.is_searched[v as usize]) && searched > strained.len());
}

#[test]
fn nothing_is_known_of_a_sheet_with_a_vertex_that_is_nowhere() {
    let rules = PairRules::with_own_numbers(&scene(&[thing(0, 0.05)], 0.018, 6).0);
    let mut x = rules.contact().rest.clone();
    let least = vec![0.0005; x.len()];
    let culling = CullingOfBodies::new(&rules, &least, Sharing::NONE);
    assert_eq!(culling.cull(&x, &least, &mut least.clone()).states, [CullState::Apart]);
    // One that does not help to tell how the body is turned.
    let triangles = &culling.0[0].as_ref().unwrap().triangles;
    let sampled = || triangles.iter().step_by(1 + triangles.len() / SAMPLE).flat_map(|t| t.corners);
    let lost = (0..x.len() as u32).find(|v| sampled().all(|w| w != *v)).unwrap();
    x[lost as usize] = Vec3::splat(f64::NAN);
    assert_eq!(culling.cull(&x, &least, &mut least.clone()).states, [CullState::Unknown]);
}

#[test]
fn a_sheet_with_a_sliver_has_no_shape_and_one_at_its_limit_comes_to_an_end() {
    let rules_of =
        |mesh: Mesh| PairRules::with_own_numbers(&scene(&[Thing { mesh, ..Thing::default() }], 0.01, 6).0);
    let mut mesh = grid(1.0, 0.8, 0.1).unwrap();
    let rules = rules_of(mesh.clone());
    let culling = CullingOfBodies::new(&rules, &vec![0.001; mesh.positions.len()], Sharing::NONE);
    let squeezed: Vec<Vec3> = mesh.positions.iter().map(|x| Vec3::new(x.x, 1e-12 * x.y, x.z)).collect();
    let least = vec![0.001; squeezed.len()];
    assert_eq!(culling.cull(&squeezed, &least, &mut least.clone()).states, [CullState::Unknown]);
    let [a, b, c] = mesh.triangles[40].map(|v| v as usize);
    mesh.positions[a] =
        (mesh.positions[b] + mesh.positions[c]) * 0.5 + (mesh.positions[a] - mesh.positions[b]) * 1e-4;
    let rules = rules_of(mesh);
    assert!(CullingOfBodies::new(&rules, &least, Sharing::NONE).0[0].is_none());
}

#[test]
fn a_body_that_moves_as_a_whole_keeps_its_shape_and_one_that_is_folded_does_not() {
    for kind in 0..3 {
        let (system, state) = scene(&[thing(kind, 0.25), points(&[Vec3::Z], 0.1), rod(3, 0.4, 0.0)], 0.05, 6);
        let rules = PairRules::with_own_numbers(&system);
        let culling = CullingOfBodies::new(&rules, &vec![0.0; state.len()], Sharing::NONE);
        let turn = Mat3::rotation(Vec3::new(0.3, 1.0, -0.2), 2.0);
        let cull = |x: &[Vec3], least: f64| {
            let mut skins = vec![1.0; x.len()];
            (culling.cull(x, &vec![least; x.len()], &mut skins).states, skins[0])
        };
        let moved: Vec<Vec3> = state.positions.iter().map(|x| turn.apply(*x) + Vec3::splat(5.0)).collect();
        let (states, skin) = cull(&moved, 0.0);
        assert_eq!(states, [CullState::Apart, CullState::Unknown, CullState::Unknown]);
        assert!(skin > 0.02 && skin < 0.1, "{skin}");
        assert_ne!(cull(&moved, 1.1 * skin).0[0], CullState::Apart);
        let folded: Vec<Vec3> = state.positions.iter().map(|x| Vec3::new(x.x.abs(), x.y, x.z)).collect();
        assert_eq!(cull(&folded, 0.0).0[0], CullState::Unknown);
        assert_eq!(cull(&vec![Vec3::ZERO; moved.len()], 0.0).0[0], CullState::Unknown);
    }
}
