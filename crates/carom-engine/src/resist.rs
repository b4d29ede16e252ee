//! What resists motion: the second and the third stage of an instant.
//!
//! The conservative kicks give v*. Damped elements and drag answer it, all from the same v*, in the order of ids: the second stage.
//! The laws of pairs answer what that leaves, likewise: the third, the last, so that what sticks leaves the instant at rest. Each answer is
//! limited so that its stage can never add energy. With `kᵢ` the number of resisting things of its stage on vertex i, an element whose
//! impulses would be `Jᵢ` gives `min(1, −Σ Jᵢ·v*ᵢ / Σ kᵢ Jᵢ·Jᵢ/mᵢ)` of them; what pairs give is told in `carom_contact::DissipativeContact`. In one stage
//! with the elements, a vertex of a damped solid would have k above ten, and a block on a slope would creep.
//!
//! The work of an impulse is `J·(v⁻ + v⁺)/2`, from before the first stage to after the last. With the velocities of one stage alone a
//! block that rests on a slope would seem to lose energy at every kick: gravity pulls, friction holds, and nothing moves. For the same
//! reason both velocities are those of the motion, which kicks between two ticks of a slower potential are not (see `ahead`).

use std::collections::BTreeMap;

use carom_contact::{ContactImpulse, DissipativeContact};
use carom_math::Vec3;
use carom_model::{ExternalLedger, Family, ImpulseSums, PairId, State, Unspent};
use carom_time::Tick;

/// So many pairs may always be remembered before those that no longer count are dropped.
const LEAST_KEPT: usize = 1024;

/// What resists at an instant, as it is being collected.
#[derive(Default)]
pub(crate) struct Resistances {
    elements: Vec<Damped>,
    /// The vertices of the elements and the impulses on them, in N·s.
    vertices: Vec<u32>,
    impulses: Vec<Vec3>,
    pairs: Vec<(DissipativeContact, ContactImpulse)>,
    /// How many resisting things of one stage each vertex has.
    counts: Vec<u32>,
    /// The mean velocity at this instant of each vertex of the elements, in m/s.
    means: Vec<Vec3>,
    /// What friction may still take, by pair.
    unspent: BTreeMap<PairId, Unspent>,
    /// With more of these, those that no longer count are dropped.
    sweep_above: usize,
}

/// A damped element: its part of the lists.
struct Damped {
    range: core::ops::Range<usize>,
    /// Whether its impulses cancel, as those of drag do not.
    internal: bool,
    /// What it passes from angles to places, in N·m·s.
    reaction_torque: Vec3,
}

impl Resistances {
    /// As it stands in `state`.
    pub fn new(state: &State) -> Self {
        Self {
            counts: vec![0; state.len()],
            means: vec![Vec3::ZERO; state.len()],
            unspent: state.unspent.iter().copied().collect(),
            sweep_above: LEAST_KEPT,
            ..Self::default()
        }
    }

    /// What friction may still take after `tick`, by pair, in the order of ids.
    pub fn unspent(&self, tick: Tick) -> Vec<(PairId, Unspent)> {
        self.unspent.iter().filter(|(_, left)| left.until > tick).map(|(id, left)| (*id, *left)).collect()
    }

    /// Forgets the last instant.
    pub fn begin(&mut self) {
        self.elements.clear();
        self.vertices.clear();
        self.impulses.clear();
        self.pairs.clear();
    }

    /// Adds a damped element of a family, its vertices called `stencil` here, at `x` and moving at `u`, for a step of `h` in s.
    pub fn element(
        &mut self,
        (family, element): (&dyn Family, usize),
        stencil: &[u32],
        (x, u): (&[Vec3], &[Vec3]),
        h: f64,
    ) {
        let start = self.vertices.len();
        self.vertices.extend(stencil);
        self.impulses.resize(self.vertices.len(), Vec3::ZERO);
        let impulses = &mut self.impulses[start..];
        family.resistance(element, x, u, impulses);
        for j in impulses.iter_mut() {
            *j = *j * h;
        }
        let kind = family.properties();
        let reaction_torque =
            if kind.has_angular_dofs { family.reaction_torque(element, x, impulses) } else { Vec3::ZERO };
        let range = start..self.vertices.len();
        self.elements.push(Damped { range, internal: kind.is_internal, reaction_torque });
    }

    /// The second stage: limits the elements by the velocities v* and adds them to `kicks`. Returns whether there are any.
    pub fn apply_damping(
        &mut self,
        velocities: &[Vec3],
        inverse_masses: &[Vec3],
        kicks: &mut ImpulseSums,
    ) -> bool {
        for &v in &self.vertices {
            self.counts[v as usize] += 1;
        }
        for Damped { range, reaction_torque, .. } in &mut self.elements {
            let (stencil, impulses) = (&self.vertices[range.clone()], &mut self.impulses[range.clone()]);
            let (mut power, mut pull) = (0.0, 0.0);
            for (&v, j) in stencil.iter().zip(impulses.iter()) {
                power -= j.dot(velocities[v as usize]);
                pull += f64::from(self.counts[v as usize]) * j.dot(j.scaled_by(inverse_masses[v as usize]));
            }
            // What would speed up, or cannot move at all, does not resist.
            let share = if power > 0.0 && pull > 0.0 { (power / pull).min(1.0) } else { 0.0 };
            *reaction_torque = *reaction_torque * share;
            for (&v, j) in stencil.iter().zip(impulses) {
                *j = *j * share;
                kicks.add(v, *j);
            }
        }
        for &v in &self.vertices {
            self.counts[v as usize] = 0;
        }
        !self.elements.is_empty()
    }

    /// The third stage: adds what the pairs answer to `velocities` to `kicks`. Returns whether there are any.
    pub fn apply_contact_laws(
        &mut self,
        tick: Tick,
        acting: &[DissipativeContact],
        (velocities, inverse_masses): (&[Vec3], &[Vec3]),
        kicks: &mut ImpulseSums,
    ) -> bool {
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
            self.pairs.push((*pair, answer));
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

    /// Books what it took, with the velocities before the instant and after it, less what they are ahead of the motion of vertex v
    /// because of potentials that do not fire, `−lag(v)`; the vertices at `x`.
    pub fn book(
        &mut self,
        x: impl Fn(u32) -> Vec3,
        (before, after): (&[Vec3], &[Vec3]),
        lag: impl Fn(u32) -> Vec3,
        external: &mut ExternalLedger,
    ) {
        let mean = |v: u32| (before[v as usize] + after[v as usize]) * 0.5 + lag(v);
        // Many elements share a vertex, and its mean takes longer than all else here.
        for &v in &self.vertices {
            let count = &mut self.counts[v as usize];
            if *count == 0 {
                *count = 1;
                self.means[v as usize] = mean(v);
            }
        }
        for Damped { range, internal, reaction_torque } in &self.elements {
            if !reaction_torque.is_zero() {
                external.twists.add(*reaction_torque);
            }
            let mut taken_j = 0.0;
            for (&v, &j) in self.vertices[range.clone()].iter().zip(&self.impulses[range.clone()]) {
                taken_j -= j.dot(self.means[v as usize]);
                if !internal {
                    external.fields.add(x(v), j);
                }
            }
            external.losses.damping.add(taken_j);
        }
        for &v in &self.vertices {
            self.counts[v as usize] = 0;
        }
        for (pair, answer) in &self.pairs {
            let u = pair.relative(mean);
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
    use carom_model::{ElementStore, Law, Owner, PairKind, Part};
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
        // Pairs pressed at tick 1 slide at tick 2, when what is left from tick 1 ends; before them so many new ones are pressed that the
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
        let mut resistances = Resistances::new(&State::new(still.clone(), still.clone(), Quantum::new(1.0)));
        let pressed: Vec<DissipativeContact> = old.clone().map(|i| pair(i, 1.0, 2)).collect();
        resistances.apply_contact_laws(
            Tick(1),
            &pressed,
            (&still, &inverse),
            &mut ImpulseSums::new(vertices),
        );
        let rubbing = new.map(|i| pair(i, 1.0, 4)).chain(old.clone().map(|i| pair(i, 0.0, 2)));
        let mut kicks = ImpulseSums::new(vertices);
        resistances.begin();
        resistances.apply_contact_laws(
            Tick(2),
            &rubbing.collect::<Vec<_>>(),
            (&sliding, &inverse),
            &mut kicks,
        );
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
            let mut resistances = Resistances::new(&state);
            resistances.begin();
            let mut springs = ElementStore::<Spring, 2, 2>::new();
            for (i, (ends, along, stiffness)) in crowd.damped.iter().enumerate() {
                let owner = Owner { body: 0, part: Part::Edge(i as u32) };
                springs.push(Spring { stiffness: *stiffness, rest_length: 1.0 }, [0, 1], owner, 1.0);
                springs.damp(i, 1.0);
                let (x, u) = ([Vec3::ZERO, Vec3::from(*along)], ends.map(|v| velocities[v]));
                if ends[0] != ends[1] {
                    resistances.element((&springs, i), &ends.map(|v| v as u32), (&x, &u), 1.0);
                }
            }
            let acting = crowd.acting();
            let mut now = velocities;
            for is_last in [false, true] {
                let mut kicks = ImpulseSums::new(ALL);
                if is_last {
                    resistances.apply_contact_laws(Tick::START, &acting, (&now, &inverse), &mut kicks);
                } else {
                    resistances.apply_damping(&now, &inverse, &mut kicks);
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
