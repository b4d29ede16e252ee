//! Energy and momentum at a tick.
//!
//! A kick of step h stands for the impulse of the interval h around it, so the velocity of a
//! vertex between kicks is ahead or behind. Energy is read with synchronised velocities
//!
//! `v_sync = v + Σᵢ M⁻¹ Fᵢ(q(t)) (t − tᵢ − hᵢ/2)`
//!
//! over all potentials, with `tᵢ` the last multiple of `hᵢ` (0 counts) and `v` after the kick at t.
//! Momentum is what the vertices carry, less what fields, pins and obstacles put in, corrected likewise. Vertices that
//! nothing can move carry none, and no energy: what they give or take is on the books. So is what the twist of a rod's
//! edges gives and takes; a spin carries its angular momentum itself.

use std::sync::Arc;

use carom_contact::{Catalogue, Layers};
use carom_math::{Quad, Sum, Tally, Vec3, Vec3Sum};
use carom_model::{Batch, Books, Impulse, Meaning, PairId, State, System};
use carom_time::{Span, Tick};

use crate::reference::held_back;

/// What can be read off a system at a tick.
#[derive(Clone, Debug)]
pub struct Reading {
    /// When.
    pub tick: Tick,
    /// When, in s.
    pub time_s: f64,
    /// Positions, in m; of ghosts, the last ones, what they mean.
    pub positions: Vec<Vec3>,
    /// Synchronised velocities, in m/s.
    pub velocities: Vec<Vec3>,
    /// Net force of all potentials on each vertex, in N.
    pub forces: Vec<Vec3>,
    /// The pairs that are within their layers, in the order of ids.
    pub near: Vec<Near>,
    /// Kinetic energy, in J.
    pub kinetic_j: f64,
    /// Potential energy of each kind ([`System::kinds`]), in J.
    pub potential_j: Vec<f64>,
    /// Linear momentum, in kg·m/s.
    pub momentum: Vec3,
    /// Angular momentum about the origin, in kg·m²/s.
    pub angular_momentum: Vec3,
    /// Work of moving obstacles and driven loads since the start, in J.
    pub work_j: f64,
    /// Energy that restitution, friction and damping took since the start, in J.
    pub losses_j: [f64; 3],
    /// Linear momentum that came from fields, pins and obstacles since the start, in kg·m/s.
    pub momentum_in: Vec3,
    /// Angular momentum that came from fields, pins, obstacles and the twist of edges since the start, in kg·m²/s.
    pub angular_momentum_in: Vec3,
    /// `Σ m|v|`, in kg·m/s: the scale of momentum errors.
    pub momentum_scale: f64,
    /// `Σ m|x||v|`, in kg·m²/s: the scale of angular momentum errors.
    pub angular_momentum_scale: f64,
}

/// A pair within its layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The bodies of its primitives.
    pub bodies: [u32; 2],
    /// Distance between the surfaces, in m.
    pub distance: f64,
    /// How many of its vertices belong to the first primitive.
    pub first_primitive: usize,
    /// The force on each of its vertices, in N, and zeros.
    pub pushes: [Vec3; 4],
}

impl Reading {
    /// Kinetic and potential energy together, in J.
    #[must_use]
    pub fn total_j(&self) -> f64 {
        let parts = self.potential_j.iter().copied().chain([self.kinetic_j]);
        parts.collect::<Sum>().value()
    }

    /// What restitution, friction and damping took together, in J.
    #[must_use]
    pub fn dissipated_j(&self) -> f64 {
        self.losses_j.iter().sum()
    }
}

/// Where the pushes of pairs are added up.
struct Push<'a> {
    forces: &'a mut [Tally],
    ahead: &'a mut [Tally],
    fields: &'a mut Impulse,
}

struct Group {
    family: usize,
    span: Span,
    internal: bool,
    driven: bool,
    batch: Box<dyn Batch>,
}

/// Reads a system without touching it.
pub struct Reader {
    system: Arc<System>,
    groups: Vec<Group>,
    /// The pairs, if there is contact.
    catalogue: Option<Catalogue>,
}

impl Reader {
    /// A reader for `system`.
    #[must_use]
    pub fn new(system: &Arc<System>) -> Self {
        let same: Vec<u32> = (0..system.vertices() as u32).collect();
        let mut groups = Vec::new();
        for (f, (family, schedule)) in system.families.iter().zip(&system.schedules).enumerate() {
            for rung in &schedule.rungs {
                let batch = family.batch(&schedule.order[rung.places.clone()], &same);
                let (internal, driven) = (family.is_internal(), family.is_driven());
                groups.push(Group { family: f, span: rung.span, internal, driven, batch });
            }
        }
        let catalogue = system.contact.as_ref().map(|_| Catalogue::with_own_numbers(system));
        Self { system: Arc::clone(system), groups, catalogue }
    }

    /// The system it reads.
    #[must_use]
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }

    /// The reading at `tick`, every instant up to which must have happened to `state` and `books`; every pair that stores
    /// energy is among `pairs`, which come in the order of ids.
    #[must_use]
    pub fn read(&self, state: &State, books: &Books, pairs: &[PairId], tick: Tick) -> Reading {
        let n = state.len();
        let positions: Vec<Vec3> = (0..n).map(|v| state.position_at(v, tick)).collect();
        let rows: Vec<Quad> = positions.iter().map(|&x| x.into()).collect();
        let mut potential_j = vec![0.0; self.system.kinds().len()];
        let mut forces = vec![Tally::default(); n];
        let mut ahead = vec![Tally::default(); n];
        let mut fields = Impulse::default();
        let mut twists = Vec3Sum::default();
        let mut driven = Vec::new();
        let time_s = state.quantum().time(tick);
        for group in &self.groups {
            let weight_s = self.seconds_ahead(group.span, tick);
            let mut from_field = if group.internal { Vec::new() } else { vec![Tally::default(); n] };
            let target = if group.internal { &mut ahead } else { &mut from_field };
            potential_j[group.family] += group.batch.look_at(time_s, weight_s, &rows, &mut forces, target);
            for (v, impulse) in from_field.iter().map(Tally::sum).enumerate() {
                ahead[v].add(impulse);
                fields.add(positions[v], impulse);
            }
            twists.add(group.batch.passed(weight_s, &rows));
            if group.driven {
                driven.push(from_field);
            }
        }
        let mut near = Vec::new();
        if let (Some(catalogue), Some(energy_j)) = (&self.catalogue, potential_j.last_mut()) {
            let push = Push { forces: &mut forces, ahead: &mut ahead, fields: &mut fields };
            (near, *energy_j) = self.read_pairs(catalogue, pairs, tick, &positions, push);
        }
        let mut held = Books::default();
        let mut velocities = state.velocities.clone();
        for v in 0..n {
            let inverse_mass = self.system.inverse_masses[v];
            let ahead = ahead[v].sum();
            velocities[v] += ahead.scaled_by(inverse_mass);
            if self.system.is_pinned(v) {
                let j = held_back(ahead, inverse_mass);
                held.hold(self.system.meaning(v), positions[v], velocities[v], j);
            }
            for impulses in &driven {
                held.work.add(0.5 * impulses[v].sum().dot(state.velocities[v] + velocities[v]));
            }
        }
        let from = |f: fn(&Impulse) -> Vec3| f(&books.fields) + f(&books.pins) + f(&fields) + f(&held.pins);
        let mut reading = Reading {
            tick,
            time_s,
            positions,
            velocities,
            forces: forces.iter().map(Tally::sum).collect(),
            near,
            kinetic_j: 0.0,
            potential_j,
            momentum: Vec3::ZERO,
            angular_momentum: Vec3::ZERO,
            work_j: books.work.value() + held.work.value(),
            losses_j: [&books.losses.restitution, &books.losses.friction, &books.losses.damping]
                .map(Sum::value),
            momentum_in: from(|i| i.linear.value()),
            angular_momentum_in: from(|i| i.angular.value())
                + books.couples.value()
                + books.twists.value()
                + twists.value(),
            momentum_scale: 0.0,
            angular_momentum_scale: 0.0,
        };
        self.add_up_motion(&mut reading);
        reading
    }

    /// The pairs that are within their layers, and the energy of all, in J; adds their forces, and the impulses by which velocities are
    /// ahead.
    fn read_pairs(
        &self,
        catalogue: &Catalogue,
        pairs: &[PairId],
        tick: Tick,
        positions: &[Vec3],
        Push { forces, ahead, fields }: Push<'_>,
    ) -> (Vec<Near>, f64) {
        let seconds_ahead: Vec<Vec<f64>> =
            catalogue.all_layers().iter().map(|layers| self.seconds_ahead_of_layers(layers, tick)).collect();
        let (mut all, mut energy) = (Vec::new(), Sum::default());
        for &id in pairs {
            let Some((pair, x, at)) = catalogue.near(id, |v| positions[v as usize]) else { continue };
            let (layers, seconds) = (catalogue.layers_of(&pair), &seconds_ahead[pair.layers as usize]);
            energy.add(pair.energy(layers, &x, &at));
            let pushes = pair.pushes(layers, &x, &at, |_, _| 1.0).unwrap_or_default();
            let impulses = pair.pushes(layers, &x, &at, |l, _| seconds[l as usize - 1]).unwrap_or_default();
            for (i, &v) in pair.stencil().iter().enumerate() {
                forces[v as usize].add(pushes[i]);
                ahead[v as usize].add(impulses[i]);
            }
            fields.turn(pair.couple(&x, &impulses));
            let (bodies, first_primitive) = (pair.bodies, pair.first_primitive());
            all.push(Near { bodies, distance: at.distance, first_primitive, pushes });
        }
        (all, energy.value())
    }

    /// `t − tᵢ − hᵢ/2` of each layer, in s.
    fn seconds_ahead_of_layers(&self, layers: &Layers, tick: Tick) -> Vec<f64> {
        (1..=layers.deepest()).map(|l| self.seconds_ahead(layers.layer(l).span, tick)).collect()
    }

    /// `t − tᵢ − hᵢ/2` in s.
    fn seconds_ahead(&self, span: Span, tick: Tick) -> f64 {
        let quantum = self.system.line.quantum;
        quantum.seconds_between(tick.floor(span), tick) - 0.5 * quantum.step(span)
    }

    fn add_up_motion(&self, reading: &mut Reading) {
        let (mut kinetic, mut scale, mut angular_scale) = (Sum::default(), Sum::default(), Sum::default());
        let (mut linear, mut angular) = (Vec3Sum::default(), Vec3Sum::default());
        for (v, &m) in self.system.masses.iter().enumerate() {
            if self.system.is_held(v) {
                continue;
            }
            let (x, u) = (reading.positions[v], reading.velocities[v]);
            kinetic.add(0.5 * m * u.length_sq());
            match self.system.meaning(v) {
                Meaning::Place => {
                    linear.add(u * m);
                    angular.add(x.cross(u * m));
                    scale.add(m * u.length());
                    angular_scale.add(m * x.length() * u.length());
                }
                Meaning::Spin => {
                    angular.add(u * m);
                    angular_scale.add(m * u.length());
                }
                Meaning::Twist | Meaning::Memory => {}
            }
        }
        reading.kinetic_j = kinetic.value();
        reading.momentum = linear.value();
        reading.angular_momentum = angular.value();
        reading.momentum_scale = scale.value();
        reading.angular_momentum_scale = angular_scale.value();
    }
}
