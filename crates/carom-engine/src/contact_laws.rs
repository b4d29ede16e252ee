//! The third stage of an instant: restitution and friction answer the velocities that damping left.
//!
//! It is the last, so that what sticks leaves the instant at rest. In one stage with the elements, a vertex of a damped solid would have
//! a count above ten, and a block on a slope would creep. What a pair gives is told in `carom_contact::DissipativeContact`; all answer the
//! same velocities, in the order of ids, each limited so that together they never add energy.
//!
//! The work of an impulse is `J·(v⁻ + v⁺)/2`, from before the first stage to after the last. With the velocities of one stage alone a
//! block that rests on a slope would seem to lose energy at every kick: gravity pulls, friction holds, and nothing moves. For the same
//! reason both velocities are those of the motion, which kicks between two ticks of a slower potential are not (see `sync_correction`).

use carom_contact::{ContactImpulse, DissipativeContact, UnspentFriction};
use carom_math::Vec3;
use carom_model::{ExternalLedger, ImpulseSums};
use carom_time::Tick;

/// What the pairs of an instant answer to the velocities of their vertices.
pub(crate) struct ContactLaws {
    /// What the pairs of this instant answered.
    answers: Vec<ContactImpulse>,
    /// How many of them each vertex is in; all zero before an instant, and after it is booked.
    counts: Vec<u32>,
    /// The mean velocity in the instant of each vertex of these pairs, in m/s.
    means: Vec<Vec3>,
}

impl ContactLaws {
    /// For so many vertices.
    pub fn new(vertices: usize) -> Self {
        Self { answers: Vec::new(), counts: vec![0; vertices], means: vec![Vec3::ZERO; vertices] }
    }

    /// Adds what the pairs of an instant answer to `velocities` to `kicks`. Returns whether there are any.
    pub fn apply(
        &mut self,
        tick: Tick,
        (acting, unspent): (&[DissipativeContact], &mut UnspentFriction),
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
            let answer = pair.impulse_at(u, lightness, unspent.of(pair.candidate, tick));
            unspent.keep(pair, answer.unspent, tick);
            for (v, j) in pair.impulses(&answer) {
                kicks.add(v, j);
            }
            self.answers.push(answer);
        }
        !acting.is_empty()
    }

    /// Books what the pairs of the instant took, with the mean velocity of each vertex in it.
    pub fn book(
        &mut self,
        acting: &[DissipativeContact],
        mean: impl Fn(u32) -> Vec3,
        external: &mut ExternalLedger,
    ) {
        for v in acting.iter().flat_map(DissipativeContact::touched) {
            if core::mem::take(&mut self.counts[v as usize]) > 0 {
                self.means[v as usize] = mean(v);
            }
        }
        for (pair, answer) in acting.iter().zip(&self.answers) {
            let u = pair.relative(|v| self.means[v as usize]);
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
    use carom_model::{DampedMotion, ElementStore, Law, Owner, Packing as _, Part};
    use carom_time::Span;
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
                    candidate: i as u32,
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

    proptest! {
        #[test]
        fn however_much_resists_on_the_same_vertices_no_stage_adds_energy_or_momentum(crowd in crowd()) {
            let places = crowd.velocities.iter().map(|v| Vec3::from(*v));
            let velocities: Vec<Vec3> = places.clone().chain(places.map(|v| v * 7.0)).collect();
            let masses = crowd.masses.iter();
            let inverse: Vec<Vec3> =
                masses.clone().map(|m| 1.0 / m).chain(masses.map(|m| 100.0 / m)).map(Vec3::splat).collect();
            let mut laws = ContactLaws::new(ALL);
            let acting = crowd.acting();
            let mut unspent = UnspentFriction::of_candidates(crowd.pairs.len());
            let mut now = velocities;
            for is_last in [false, true] {
                let mut kicks = ImpulseSums::new(ALL);
                if is_last {
                    laws.apply(Tick::START, (&acting, &mut unspent), (&now, &inverse), &mut kicks);
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
