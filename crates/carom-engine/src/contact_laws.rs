//! The third stage of an instant: restitution and friction answer the velocities that damping left.
//!
//! It is the last, so that what sticks leaves the instant at rest. In one stage with the elements, a vertex of a damped solid would have
//! a count above ten, and a block on a slope would creep. What a pair gives is told in `carom_contact::DissipativeContact`; all answer the
//! same velocities, in the order of ids, each limited so that together they never add energy.
//!
//! The work of an impulse is `J·(v⁻ + v⁺)/2`, from before the first stage to after the last. With the velocities of one stage alone a
//! block that rests on a slope would seem to lose energy at every kick: gravity pulls, friction holds, and nothing moves. For the same
//! reason both velocities are those of the motion, which kicks between two ticks of a slower potential are not (see `sync_correction`).

use std::collections::BTreeMap;

use carom_contact::{ContactImpulse, DissipativeContact};
use carom_math::Vec3;
use carom_model::{ExternalLedger, ImpulseSums, PairId, State, Unspent};
use carom_time::Tick;

/// So many pairs may always be remembered before those that no longer count are dropped.
const LEAST_KEPT: usize = 1024;

/// The contact laws of a run: what pairs answer at an instant, and what friction remembers.
pub(crate) struct ContactLaws {
    /// The pairs of this instant, and what they answered.
    answers: Vec<(DissipativeContact, ContactImpulse)>,
    /// How many of them each vertex is in.
    counts: Vec<u32>,
    /// What friction may still take, by pair.
    unspent: BTreeMap<PairId, Unspent>,
    /// With more of these, those that no longer count are dropped.
    sweep_above: usize,
}

impl ContactLaws {
    /// As they stand in `state`.
    pub fn new(state: &State) -> Self {
        Self {
            answers: Vec::new(),
            counts: vec![0; state.len()],
            unspent: state.unspent.iter().copied().collect(),
            sweep_above: LEAST_KEPT,
        }
    }

    /// What friction may still take after `tick`, by pair, in the order of ids.
    pub fn unspent(&self, tick: Tick) -> Vec<(PairId, Unspent)> {
        self.unspent.iter().filter(|(_, left)| left.until > tick).map(|(id, left)| (*id, *left)).collect()
    }

    /// Adds what the pairs of an instant answer to `velocities` to `kicks`. Returns whether there are any.
    pub fn apply(
        &mut self,
        tick: Tick,
        acting: &[DissipativeContact],
        (velocities, inverse_masses): (&[Vec3], &[Vec3]),
        kicks: &mut ImpulseSums,
    ) -> bool {
        self.answers.clear();
        for v in acting.iter().flat_map(DissipativeContact::touched) {
            self.counts[v as usize] += 1;
        }
        for pair in acting {
            let u = pair.relative(|v| velocities[v as usize]);
            let lightness = pair.lightness(inverse_masses, &self.counts);
            let left = self.unspent.get(&pair.id).filter(|left| left.until >= tick);
            let left = left.map_or(0.0, |left| left.impulse);
            let answer = pair.impulse_at(u, lightness, left);
            self.keep(pair, answer.unspent, tick);
            self.answers.push((*pair, answer));
            for (v, j) in pair.impulses(&answer) {
                kicks.add(v, j);
            }
        }
        for v in acting.iter().flat_map(DissipativeContact::touched) {
            self.counts[v as usize] = 0;
        }
        !acting.is_empty()
    }

    /// Keeps what friction did not use until the next multiple of the loads' clock.
    fn keep(&mut self, pair: &DissipativeContact, impulse: f64, tick: Tick) {
        if tick.is_multiple_of(pair.friction_window) {
            self.unspent.remove(&pair.id);
        } else if pair.law.friction > 0.0 {
            let until = tick.floor(pair.friction_window).after(pair.friction_window);
            self.unspent.insert(pair.id, Unspent { impulse, until });
        }
        // Pairs that parted leave theirs behind; sweeping costs no more than keeping did. What ends at this tick is still due to the
        // pairs of this instant that have not answered yet.
        if self.unspent.len() > self.sweep_above {
            self.unspent.retain(|_, left| left.until >= tick);
            self.sweep_above = (2 * self.unspent.len()).max(LEAST_KEPT);
        }
    }

    /// Books what they took, with the mean velocity of each vertex in the instant.
    pub fn book(&self, mean: impl Fn(u32) -> Vec3, external: &mut ExternalLedger) {
        for (pair, answer) in &self.answers {
            let u = pair.relative(&mean);
            external.losses.restitution.add(-answer.restitution.dot(u));
            external.losses.friction.add(-answer.friction.dot(u));
            external.couples.add(pair.couple(answer));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_elastic::Spring;
    use carom_math::F64x4;
    use carom_model::{DampedMotion, ElementStore, Law, Owner, Packing as _, PairKind, Part};
    use carom_time::{Quantum, Span};
    use proptest::prelude::*;

    const VERTICES: usize = 6;

    /// Each vertex may spin, too: those come after them, with a moment of inertia of a hundredth of their mass.
    const ALL: usize = 2 * VERTICES;

    /// Vertices with velocities and masses, and pairs and springs that share them in any way.
    #[derive(Clone, Debug)]
    struct Crowd {
        velocities: Vec<[f64; 3]>,
        masses: Vec<f64>,
        pairs: Vec<AnyPair>,
        damped: Vec<([usize; 2], [f64; 3], f64)>,
    }

    #[derive(Clone, Debug)]
    struct AnyPair {
        vertices: [usize; 3],
        /// Where on its edge the nearest point is.
        way: f64,
        normal: [f64; 3],
        impulse: f64,
        law: [f64; 2],
    }

    fn crowd() -> impl Strategy<Value = Crowd> {
        let vector = prop::array::uniform3(-1.0..1.0f64);
        let vertex = 0..VERTICES;
        let pair = (
            prop::array::uniform3(vertex.clone()),
            0.0..1.0f64,
            vector.clone(),
            0.0..3.0f64,
            prop::array::uniform2(0.0..1.0f64),
        );
        let pair = pair.prop_map(|(vertices, way, normal, impulse, law)| AnyPair {
            vertices,
            way,
            normal,
            impulse,
            law,
        });
        let damped = (prop::array::uniform2(vertex), vector.clone(), 0.0..5.0f64);
        (
            prop::collection::vec(vector, VERTICES),
            prop::collection::vec(prop_oneof![Just(f64::INFINITY), 0.01..2.0f64], VERTICES),
            prop::collection::vec(pair, 0..12),
            prop::collection::vec(damped, 0..12),
        )
            .prop_map(|(velocities, masses, pairs, damped)| Crowd {
                velocities,
                masses,
                pairs,
                damped,
            })
    }

    impl Crowd {
        /// Adds what its springs answer to `velocities`, each stretched along a line of its own.
        fn damp(&self, velocities: &[Vec3], inverse: &[Vec3], kicks: &mut ImpulseSums) {
            let springs = || self.damped.iter().filter(|(ends, ..)| ends[0] != ends[1]);
            let mut counts = vec![0.0; ALL];
            springs().flat_map(|(ends, ..)| ends).for_each(|v| counts[*v] += 1.0);
            let rows = |vectors: &[Vec3]| vectors.iter().map(|v| F64x4::from(*v)).collect::<Vec<_>>();
            let counts: Vec<F64x4> = counts.into_iter().map(|k| Vec3::splat(k).into()).collect();
            let renumbered: Vec<u32> = (0..ALL as u32).collect();
            for (ends, along, stiffness) in springs() {
                let mut store = ElementStore::<Spring, 2, 2>::new();
                let spring = Spring { stiffness: *stiffness, rest_length: 1.0 };
                store.push(spring, ends.map(|v| v as u32), Owner { body: 0, part: Part::Edge(0) }, 1.0);
                store.damp(0, 1.0);
                let mut x = vec![Vec3::ZERO; ALL];
                x[ends[1]] = Vec3::from(*along);
                let motion = DampedMotion {
                    x: &rows(&x),
                    v: &rows(velocities),
                    inverse_masses: &rows(inverse),
                    counts: &counts,
                };
                store.damped_batch(&[0], &renumbered).expect("springs damp").resist(1.0, motion, kicks);
            }
        }

        fn acting(&self) -> Vec<DissipativeContact> {
            let acting = |(i, pair): (usize, &AnyPair)| {
                let &AnyPair { vertices: [a, b, c], way, impulse, law: [restitution, friction], .. } = pair;
                let normal = Vec3::from(pair.normal).try_normalize()?;
                let moves = pair.vertices.iter().any(|v| self.masses[*v].is_finite());
                (a != b && b != c && c != a && moves).then(|| DissipativeContact {
                    id: PairId { kind: PairKind::VertexEdge, a: i as u32, b: 0 },
                    vertices: [a as u32, b as u32, c as u32, 0],
                    count: 3,
                    weights: [1.0, -way, way - 1.0, 0.0],
                    normal,
                    separation: normal * 0.1,
                    image: Vec3::ZERO,
                    arms: [(way > 0.5).then_some((VERTICES as u32 + a as u32, normal * -0.1)), None],
                    normal_impulse: impulse,
                    law: Law::new(restitution, friction),
                    friction_window: Span::ONE,
                })
            };
            self.pairs.iter().enumerate().filter_map(acting).collect()
        }
    }

    #[test]
    fn however_many_pairs_are_remembered_each_may_use_what_friction_left_it() {
        // Pairs pressed at tick 1 rub at tick 2, when what is left from tick 1 ends; before them so many new ones are pressed that the
        // list is swept.
        let (new, old) = (0..4 * LEAST_KEPT as u32, 4 * LEAST_KEPT as u32..5 * LEAST_KEPT as u32);
        let pair = |i: u32, impulse: f64, loads: u64| DissipativeContact {
            id: PairId { kind: PairKind::VertexVertex, a: 2 * i, b: 2 * i + 1 },
            vertices: [2 * i, 2 * i + 1, 0, 0],
            count: 2,
            weights: [1.0, -1.0, 0.0, 0.0],
            normal: Vec3::Z,
            separation: Vec3::Z,
            image: Vec3::ZERO,
            arms: [None, None],
            normal_impulse: impulse,
            law: Law::new(1.0, 1.0),
            friction_window: Span::new(loads).unwrap(),
        };
        let vertices = 2 * old.end as usize;
        let still = vec![Vec3::ZERO; vertices];
        let sliding: Vec<Vec3> = (0..vertices).map(|v| Vec3::X * (v % 2) as f64).collect();
        let inverse = vec![Vec3::splat(1.0); vertices];
        let mut laws = ContactLaws::new(&State::new(still.clone(), still.clone(), Quantum::new(1.0)));
        let pressed: Vec<DissipativeContact> = old.clone().map(|i| pair(i, 1.0, 2)).collect();
        laws.apply(Tick(1), &pressed, (&still, &inverse), &mut ImpulseSums::new(vertices));
        let rubbing = new.map(|i| pair(i, 1.0, 4)).chain(old.clone().map(|i| pair(i, 0.0, 2)));
        let mut kicks = ImpulseSums::new(vertices);
        laws.apply(Tick(2), &rubbing.collect::<Vec<_>>(), (&sliding, &inverse), &mut kicks);
        assert!(old.into_iter().all(|i| kicks.sum(2 * i as usize).x > 0.4));
    }

    proptest! {
        #[test]
        fn however_much_resists_on_the_same_vertices_no_stage_adds_energy_or_momentum(crowd in crowd()) {
            let places = crowd.velocities.iter().map(|v| Vec3::from(*v));
            let velocities: Vec<Vec3> = places.clone().chain(places.map(|v| v * 7.0)).collect();
            let masses = crowd.masses.iter();
            let inverse: Vec<Vec3> =
                masses.clone().map(|m| 1.0 / m).chain(masses.map(|m| 100.0 / m)).map(Vec3::splat).collect();
            let state = State::new(vec![Vec3::ZERO; ALL], velocities.clone(), Quantum::new(1.0));
            let mut laws = ContactLaws::new(&state);
            let acting = crowd.acting();
            let mut now = velocities;
            for is_last in [false, true] {
                let mut kicks = ImpulseSums::new(ALL);
                if is_last {
                    laws.apply(Tick::START, &acting, (&now, &inverse), &mut kicks);
                } else {
                    crowd.damp(&now, &inverse, &mut kicks);
                }
                let momentum = (0..VERTICES).fold(Vec3::ZERO, |sum, v| sum + kicks.sum(v));
                prop_assert!(momentum.length() < 1e-13, "{momentum:?}");
                // The work of a stage, in the frame in which what cannot move is at its velocity.
                let after: Vec<Vec3> =
                    (0..ALL).map(|v| now[v] + kicks.sum(v).scaled_by(inverse[v])).collect();
                let work: f64 = (0..ALL).map(|v| kicks.sum(v).dot((now[v] + after[v]) * 0.5)).sum();
                prop_assert!(work < 1e-13, "{work} J");
                now = after;
            }
        }
    }
}
