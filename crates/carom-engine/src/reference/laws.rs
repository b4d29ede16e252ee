//! What resists motion: the second and the third stage of an instant.
//!
//! **Second stage: damping and drag.** Every damped element that fires answers the velocities v* after the conservative kicks, all of them the same
//! v*. With `kᵢ` the number of damped elements at vertex i, an element whose impulses would be `Jᵢ = h Rᵢ` gives `min(1, −Σ Jᵢ·v*ᵢ / Σ kᵢ Jᵢ·Jᵢ/mᵢ)` of
//! them, and nothing if it would speed anything up.
//!
//! **Third stage: restitution and friction.** Every pair that acted and whose law is not ideal answers the velocities after the second
//! stage, all of them the same. u is the velocity of its first nearest point against the second, `u_n` along the normal n, which points to the first,
//! `u_t` the rest; `J_n` the normal impulse just given.
//!
//! | restitution | `(1 − e²) min(J_n, m u_n)` against n, if that is positive |
//! | friction | `min(μ J, m′‖u_t‖)` against `u_t`, μJ from what is left of `J_n` and from what friction has not used before |
//! | unspent friction | `μJ` less friction, kept up to and with the next multiple of the window's span; at a multiple nothing is kept |
//! | `1/m` | `Σ kᵢ wᵢ²/mᵢ`, kᵢ the number of answering pairs at vertex i, `mᵢ` the least mass along any axis |
//! | `1/m′` | `1/m + Σ kₛ |r|²/I`, over the grains that spin, r the arm from the centre to the contact |
//!
//! Arms end where the surfaces meet: of two grains that spin, in the ratio of their radii on the separation; of one, on the other surface.

use std::collections::BTreeMap;

use carom_math::Vec3;
use carom_model::{Contact, ContactImpulse, Law, PairId, PairKind, PotentialId, State, System, Unspent};
use carom_time::{Span, Tick};

use super::pairs::{Nearest, Pair};

/// What a damped element gives.
pub(super) struct DampedElement {
    pub vertices: Vec<u32>,
    /// On its vertices, in N·s.
    pub impulses: Vec<Vec3>,
    /// Whether its impulses cancel, as those of drag do not.
    pub is_internal: bool,
    /// Angular impulse that it passes from angles to places, in N·m·s.
    pub reaction_torque: Vec3,
}

/// What the damped elements among `due` give, in the order of ids.
pub(super) fn damping(
    system: &System,
    due: &[PotentialId],
    fraction: f64,
    x: &[Vec3],
    velocities: &[Vec3],
) -> Vec<DampedElement> {
    let mut damped = Vec::new();
    for id in due.iter().filter(|_| system.is_damped) {
        let (family, schedule) =
            (&system.families[id.family as usize], &system.schedules[id.family as usize]);
        let element = schedule.order[id.place as usize] as usize;
        if family.damping_s(element) <= 0.0 {
            continue;
        }
        let h = fraction * system.line.quantum.step(schedule.spans[element]);
        let vertices = family.stencil(element).to_vec();
        let at: Vec<Vec3> = vertices.iter().map(|v| x[*v as usize]).collect();
        let moving: Vec<Vec3> = vertices.iter().map(|v| velocities[*v as usize]).collect();
        let mut forces = vec![Vec3::ZERO; vertices.len()];
        family.resistance(element, &at, &moving, &mut forces);
        let impulses: Vec<Vec3> = forces.iter().map(|force| *force * h).collect();
        let reaction_torque = if family.properties().has_angular_dofs {
            family.reaction_torque(element, &at, &impulses)
        } else {
            Vec3::ZERO
        };
        damped.push(DampedElement {
            vertices,
            impulses,
            is_internal: family.properties().is_internal,
            reaction_torque,
        });
    }
    limit(&mut damped, system, velocities);
    damped
}

/// Takes as much off damped elements as it takes for all of them together not to add energy.
fn limit(damped: &mut [DampedElement], system: &System, velocities: &[Vec3]) {
    let counts = count(damped.iter().flat_map(|element| &element.vertices), velocities.len());
    for element in damped {
        let (mut power, mut pull) = (0.0, 0.0);
        for (&v, j) in element.vertices.iter().zip(&element.impulses) {
            let v = v as usize;
            power -= j.dot(velocities[v]);
            pull += f64::from(counts[v]) * j.dot(j.scaled_by(system.inverse_masses[v]));
        }
        let share = if power > 0.0 && pull > 0.0 { (power / pull).min(1.0) } else { 0.0 };
        element.reaction_torque = element.reaction_torque * share;
        for j in &mut element.impulses {
            *j = *j * share;
        }
    }
}

/// How often each vertex is named.
fn count<'a>(named: impl Iterator<Item = &'a u32>, vertices: usize) -> Vec<u32> {
    let mut counts = vec![0; vertices];
    for v in named {
        counts[*v as usize] += 1;
    }
    counts
}

/// A pair that acted at an instant and whose law is not ideal.
pub(super) struct LossyPair {
    id: PairId,
    pub vertices: Vec<u32>,
    weights: [f64; 4],
    normal: Vec3,
    /// From the nearest point of the second primitive to that of the first, in m.
    separation: Vec3,
    /// By how much the nearest image is away from the second primitive, in m.
    image: Vec3,
    arms: Vec<Arm>,
    /// In N·s.
    normal_impulse: f64,
    law: Law,
    /// Up to the next multiple of this, normal impulses pay for friction.
    window: Span,
}

/// A grain that spins, in a pair.
struct Arm {
    /// The vertex of the system that is its spin.
    spin: u32,
    /// From its centre to the contact, in m.
    reach: Vec3,
    /// 1 on the first primitive, −1 on the second.
    sign: f64,
}

impl LossyPair {
    /// A pair that gave these impulses to its vertices, with vertex `v` at `x[v]`.
    pub fn new(
        contact: &Contact,
        (law, window): (Law, Span),
        pair: &Pair,
        at: &Nearest,
        (x, impulses): (&[Vec3], &[Vec3]),
    ) -> Self {
        let normal = at.separation * (1.0 / at.separation.length());
        let mut on_first = Vec3::ZERO;
        for j in &impulses[..pair.of_first] {
            on_first += *j;
        }
        let place = |i: usize| x[pair.vertices[i] as usize];
        let image = if pair.is_periodic() { place(0) - place(1) - at.separation } else { Vec3::ZERO };
        Self {
            id: pair.id,
            vertices: pair.vertices.clone(),
            weights: at.weights,
            normal,
            separation: at.separation,
            image,
            arms: arms(contact, pair.id, at.separation),
            normal_impulse: on_first.dot(normal),
            law,
            window,
        }
    }

    /// The velocity of the first nearest point against the second, in m/s, if vertex v moves at `velocity(v)`.
    pub fn relative(&self, velocity: impl Fn(usize) -> Vec3) -> Vec3 {
        let mut u = Vec3::ZERO;
        for (i, &v) in self.vertices.iter().enumerate() {
            u += velocity(v as usize) * self.weights[i];
        }
        for arm in &self.arms {
            u += velocity(arm.spin as usize).cross(arm.reach) * arm.sign;
        }
        u
    }

    /// Its vertices and its spins.
    fn touched(&self) -> impl Iterator<Item = &u32> {
        self.vertices.iter().chain(self.arms.iter().map(|arm| &arm.spin))
    }

    /// `1/m` and `1/m′`, in 1/kg.
    fn inverse_masses(&self, system: &System, counts: &[u32]) -> [f64; 2] {
        let part = |v: u32, square: f64| {
            let w = system.inverse_masses[v as usize];
            f64::from(counts[v as usize]) * (square * w.x.max(w.y).max(w.z))
        };
        let (mut places, mut spins) = (0.0, 0.0);
        for (i, &v) in self.vertices.iter().enumerate() {
            places += part(v, self.weights[i] * self.weights[i]);
        }
        for arm in &self.arms {
            spins += part(arm.spin, arm.reach.length_sq());
        }
        [places, places + spins]
    }

    /// What it answers to moving at `u`, if friction has not used `unspent` in N·s before.
    fn impulse_at(&self, u: Vec3, [normal, tangential]: [f64; 2], unspent: f64) -> ContactImpulse {
        let Law { restitution: e, friction: mu } = self.law;
        let (m, m_tangential) = (1.0 / normal, 1.0 / tangential);
        let u_n = u.dot(self.normal);
        let given_back = (1.0 - e * e) * self.normal_impulse.min(m * u_n).max(0.0);
        let u_t = u - self.normal * u_n;
        let speed = u_t.length();
        let most = unspent + mu * (self.normal_impulse - given_back);
        let taken = most.min(m_tangential * speed);
        let direction = if speed > 0.0 { u_t * (1.0 / speed) } else { Vec3::ZERO };
        ContactImpulse {
            restitution: self.normal * -given_back,
            friction: direction * -taken,
            unspent: most - taken,
        }
    }

    /// What an answer gives to its vertices and spins, in N·s and N·m·s.
    pub fn impulses(&self, answer: &ContactImpulse) -> Vec<(u32, Vec3)> {
        let mut impulses = Vec::new();
        for (i, &v) in self.vertices.iter().enumerate() {
            impulses.push((v, (answer.restitution + answer.friction) * self.weights[i]));
        }
        for arm in &self.arms {
            impulses.push((arm.spin, arm.reach.cross(answer.friction) * arm.sign));
        }
        impulses
    }

    /// The angular impulse of an answer that turns nothing: friction acts at two points, and on an image of the second. In N·m·s.
    pub fn couple(&self, answer: &ContactImpulse) -> Vec3 {
        let mut gap = self.separation;
        for arm in &self.arms {
            gap += arm.reach * arm.sign;
        }
        gap.cross(answer.friction) + self.image.cross(answer.restitution + answer.friction)
    }
}

/// The arms of the grains of a pair that spin.
fn arms(contact: &Contact, id: PairId, separation: Vec3) -> Vec<Arm> {
    let grain = |number: u32| &contact.vertices[number as usize];
    let spins = match id.kind {
        PairKind::EdgeEdge => [None, None],
        PairKind::VertexFace | PairKind::VertexEdge => [grain(id.a).spin, None],
        PairKind::VertexVertex | PairKind::Soft => [grain(id.a).spin, grain(id.b).spin],
    };
    let of_first = match spins {
        [Some(_), Some(_)] => grain(id.a).radius / (grain(id.a).radius + grain(id.b).radius),
        [Some(_), None] => 1.0,
        [None, _] => 0.0,
    };
    let shares = [(-of_first, 1.0), (1.0 - of_first, -1.0)];
    let arm = |(spin, (share, sign)): (Option<u32>, (f64, f64))| {
        Some(Arm { spin: spin?, reach: separation * share, sign })
    };
    spins.into_iter().zip(shares).filter_map(arm).collect()
}

/// What friction may still take, by pair.
pub(super) struct UnspentFriction(BTreeMap<PairId, Unspent>);

impl UnspentFriction {
    /// As it stands in a state.
    pub fn of(state: &State) -> Self {
        Self(state.unspent.iter().copied().collect())
    }

    /// What still counts after `tick`, in the order of ids.
    pub fn after(&self, tick: Tick) -> Vec<(PairId, Unspent)> {
        self.0.iter().filter(|(_, left)| left.until > tick).map(|(id, left)| (*id, *left)).collect()
    }

    /// What the pairs answer to `velocities` at `tick`, in the order of ids.
    pub fn answers(
        &mut self,
        system: &System,
        pairs: &[LossyPair],
        velocities: &[Vec3],
        tick: Tick,
    ) -> Vec<ContactImpulse> {
        let counts = count(pairs.iter().flat_map(LossyPair::touched), velocities.len());
        let mut answers = Vec::new();
        for pair in pairs {
            let left = self.0.get(&pair.id).filter(|left| tick <= left.until);
            let unspent = left.map_or(0.0, |left| left.impulse);
            let u = pair.relative(|v| velocities[v]);
            let answer = pair.impulse_at(u, pair.inverse_masses(system, &counts), unspent);
            self.keep(pair, answer.unspent, tick);
            answers.push(answer);
        }
        answers
    }

    fn keep(&mut self, pair: &LossyPair, impulse: f64, tick: Tick) {
        if tick.is_multiple_of(pair.window) {
            self.0.remove(&pair.id);
        } else if pair.law.friction > 0.0 {
            let until = tick.floor(pair.window).after(pair.window);
            self.0.insert(pair.id, Unspent { impulse, until });
        }
    }
}
