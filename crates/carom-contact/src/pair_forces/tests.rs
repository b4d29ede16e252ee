//! Pair forces alone: candidates and due layers from the test, no broad phase and no certificates.

use super::*;
use crate::testing::{Thing, points, rod, scene, sheet};
use carom_model::{State, System};
use proptest::prelude::*;

/// Sheets, a rod and points, thrown together.
fn crowd() -> (System, State) {
    let things: [Thing; 5] = [
        sheet(0.8),
        sheet(0.7),
        rod(4, 0.5, 0.05),
        points(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], 0.1),
        sheet(0.6),
    ];
    scene(&things, 0.5, 6)
}

/// All pairs as candidates, and which of them are due with which layers.
fn candidates(rules: &PairRules) -> (Candidates, Vec<Pair>) {
    let mut pairs = Vec::new();
    rules.for_each(|pair| pairs.push(pair));
    let mut candidates = Candidates::default();
    candidates.replace(pairs.iter());
    (candidates, pairs)
}

/// The bits of impulses by vertices, the bits of distances by pairs, and the vertices of pairs that push.
type Applied = (Vec<[u64; 3]>, Vec<(u32, u64)>, Vec<u32>);

/// The impulses of all `due` pairs.
fn impulses(
    rules: &PairRules,
    due: (&Candidates, &[(u32, u64)]),
    state: &State,
    sharing: Sharing,
) -> Applied {
    let mut kicks = ImpulseSums::new(state.len());
    let (mut reached, mut distances) = (Vec::new(), Vec::new());
    let motion = Motion::of(state);
    let firing = Firing { tick: Tick(7), fraction: 0.5, motion: &motion };
    let mut forces = PairForces::new(rules, sharing);
    forces.apply_impulses(rules, due, &firing, (&mut kicks, &mut reached), |index, _, _, distance| {
        distances.push((index, distance.to_bits()));
    });
    assert_eq!(forces.records().stats.evaluations, due.1.len() as u64);
    let bits = |v: usize| kicks.sum(v).to_array().map(f64::to_bits);
    ((0..state.len()).map(bits).collect(), distances, reached)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn eight_at_a_time_and_shared_by_threads_pairs_have_the_bits_of_one_by_one(
        x in prop::collection::vec(prop::array::uniform3(-0.6..0.6f64).prop_map(Vec3::from), 20),
        v in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from), 20),
        skipped in 1_u32..4, layers in 1_u64..64,
    ) {
        let (system, mut state) = crowd();
        prop_assert_eq!(state.len(), x.len());
        (state.positions, state.velocities) = (x, v);
        let rules = PairRules::with_own_numbers(&system);
        let (candidates, pairs) = candidates(&rules);
        let due: Vec<(u32, u64)> =
            (0..pairs.len() as u32).filter(|i| i % 3 != skipped).map(|i| (i, layers ^ u64::from(i % 2))).collect();
        let due: Vec<(u32, u64)> = due.into_iter().filter(|(_, layers)| *layers != 0).collect();
        let eight = impulses(&rules, (&candidates, &due), &state, Sharing::NONE);
        prop_assert_eq!(&impulses(&rules, (&candidates, &due), &state, Sharing::EVERYTHING), &eight);

        // One by one, literally.
        let motion = Motion::of(&state);
        let mut kicks = ImpulseSums::new(state.len());
        let (mut reached, mut distances) = (Vec::new(), Vec::new());
        for &(index, layers) in &due {
            let pair = &pairs[index as usize];
            let x = PairRules::positions(pair, |v| motion.position_at(v, Tick(7)));
            let at = pair.measure(&x);
            distances.push((index, at.distance.to_bits()));
            let factor = |l: u32, step_s: f64| if layers >> (l - 1) & 1 == 1 { 0.5 * step_s } else { 0.0 };
            let pushes = pair.impulses(rules.layers_of(pair), &x, &at, |l, layer| factor(l, layer.step_s));
            if let Some(pushes) = pushes {
                reached.extend(pair.stencil());
                for (&v, push) in pair.stencil().iter().zip(pushes) {
                    kicks.add(v, push);
                }
            }
        }
        let bits = |v: usize| kicks.sum(v).to_array().map(f64::to_bits);
        prop_assert!(!reached.is_empty());
        prop_assert_eq!(&eight, &((0..state.len()).map(bits).collect(), distances, reached));
    }
}

#[test]
fn between_its_ticks_a_layer_still_owes_or_has_lent_a_part_of_its_impulse() {
    let (system, state) = scene(&[points(&[Vec3::ZERO], 0.0), points(&[Vec3::X * 0.3], 0.0)], 0.4, 3);
    let rules = PairRules::with_own_numbers(&system);
    let mut pairs = Vec::new();
    rules.for_each(|pair| pairs.push(pair));
    let (pair, layers) = (&pairs[0], rules.layers_of(&pairs[0]));
    let (span, impulses) = (layers.layer(1).span, [Vec3::X, -Vec3::X, Vec3::ZERO, Vec3::ZERO]);
    let mut last = LastImpulses::of(&rules);
    assert!(!last.is_kept(), "nothing takes energy here");
    let firing = Firing { tick: Tick(span.quanta()), fraction: 1.0, motion: &Motion::of(&state) };
    let distance = 0.9 * layers.thickness(1);
    let impulses = impulses.map(F64x4::from);
    let evaluation = PairEvaluation { impulses, distance, ..PairEvaluation::NONE };
    last.record(&rules, pair, (&firing, 1), &evaluation);
    let mut owed = |quarters: u64| {
        last.end_recording(Tick(span.quanta() + quarters * span.quanta() / 4));
        last.pending_impulse(0)
    };
    assert_eq!([owed(0), owed(1), owed(2), owed(3)], [0.0, -0.25, 0.0, 0.25].map(|part| Vec3::X * part));
    // It did not fire at its next tick: nothing is known of it any more.
    assert_eq!(owed(5), Vec3::ZERO);
}
