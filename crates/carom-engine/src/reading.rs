//! Energy and momentum at a tick.
//!
//! A kick of step h stands for the impulse of the interval h around it, so the velocity of a
//! vertex between kicks is ahead or behind. Energy is read with synchronised velocities
//!
//! `v_sync = v + Σᵢ M⁻¹ Fᵢ(q(t)) (t − tᵢ − hᵢ/2)`
//!
//! over all potentials, with `tᵢ` the last multiple of `hᵢ` (0 counts) and `v` after the kick at t. The forces of all that share a clock
//! are summed before they are taken times its `t − tᵢ − hᵢ/2`.
//! Momentum is what the vertices carry, less what fields, pins and obstacles put in, corrected likewise. Vertices that
//! nothing can move carry none, and no energy: what they give or take is on the external ledger. So is what the twist of a rod's
//! edges gives and takes; a spin carries its angular momentum itself.
//!
//! Every total is the exact sum of its terms, rounded once: neither threads nor the numbering of vertices or the width of vectors change
//! a bit of it. What one term is, each rounded as it is computed, stands beside each total.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_contact::{Layers, PairRules, near_pairs};
use carom_math::vectorize::{self, Kernel};
use carom_math::{
    ExactLanesSum, ExactSum, ExactVec3Sum, F64x4, ImpulseAccumulator, LANES, Real, Vec3, Width,
};
use carom_model::{Batch, ExternalLedger, Impulse, ImpulseInLanes, PairId, State, System};
use carom_time::{Span, Tick};

use crate::motion_totals::{MovingMasses, eight};
use crate::pins::held_back;

/// What can be read off a system at a tick.
#[derive(Clone, Debug)]
pub struct Reading {
    /// When.
    pub tick: Tick,
    /// When, in s.
    pub time_s: f64,
    /// Positions, in m; of auxiliary degrees of freedom, which come last, their own values.
    pub positions: Vec<Vec3>,
    /// Synchronised velocities, in m/s.
    pub velocities: Vec<Vec3>,
    /// Net force of all potentials on each vertex, in N.
    pub forces: Vec<Vec3>,
    /// The pairs that are within their layers, in the order of ids.
    pub contacts: Vec<ReadContact>,
    /// Kinetic energy, in J: a term `½ m |v|²` for each vertex.
    pub kinetic_j: f64,
    /// Potential energy of each kind ([`System::kinds`]), in J: a term for each potential or pair of the kind.
    pub potential_j: Vec<f64>,
    /// Linear momentum, in kg·m/s: a term `m v` for each vertex.
    pub momentum: Vec3,
    /// Angular momentum about the origin, in kg·m²/s: a term `x × m v` for each vertex, `m v` for each spin.
    pub angular_momentum: Vec3,
    /// Work of moving obstacles and driven loads since the start, in J: the terms of the external ledger, and of what synchronises velocities one
    /// for each vertex that is held and one for each that is driven, by clock.
    pub work_j: f64,
    /// Energy that restitution, friction and damping took since the start, in J.
    pub losses_j: [f64; 3],
    /// Momentum that came from outside since the start.
    pub from_outside: MomentumFromOutside,
    /// `Σ m|v|`, in kg·m/s: the terms of the momentum, each counted positive.
    pub momentum_scale: f64,
    /// `Σ m|x||v|`, in kg·m²/s: the terms of the angular momentum, each counted positive.
    pub angular_momentum_scale: f64,
}

/// Momentum that fields, pins and obstacles, and of the angular one the twist of edges, have given since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MomentumFromOutside {
    /// Linear momentum, in kg·m/s: the terms of the external ledger, and of what synchronises velocities one for each vertex and clock of
    /// fields and one for each vertex that is held.
    pub linear: Vec3,
    /// The part of [`linear`](Self::linear) that fields gave, in kg·m/s.
    pub linear_from_fields: Vec3,
    /// Angular momentum, in kg·m²/s: terms as for the linear momentum, and one for each pair and each potential that twists.
    pub angular: Vec3,
    /// The part of [`angular`](Self::angular) that fields gave, in kg·m²/s.
    pub angular_from_fields: Vec3,
}

/// A pair within its layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReadContact {
    /// Which pair.
    pub id: PairId,
    /// The bodies of its primitives.
    pub bodies: [u32; 2],
    /// The deepest layer it is in, counted from 1.
    pub layer: u32,
    /// Distance between the surfaces, in m.
    pub distance: f64,
    /// How many of its vertices belong to the first primitive.
    pub first_primitive: usize,
    /// The force on each of its vertices, in N, and zeros.
    pub forces: [Vec3; 4],
}

impl Reading {
    /// Kinetic and potential energy together, in J: a term for each kind.
    #[must_use]
    pub fn total_j(&self) -> f64 {
        let parts = self.potential_j.iter().copied().chain([self.kinetic_j]);
        parts.collect::<ExactSum>().value()
    }

    /// What would stay the same if energy were kept exactly, in J: total + dissipated − work.
    #[must_use]
    pub fn balance_j(&self) -> f64 {
        self.total_j() + self.dissipated_j() - self.work_j
    }

    /// What restitution, friction and damping took together, in J.
    #[must_use]
    pub fn dissipated_j(&self) -> f64 {
        self.losses_j.into_iter().collect::<ExactSum>().value()
    }
}

/// Sums of forces and of impulses: rows of x, y, z and a number that counts for nothing.
struct ForceSums {
    /// On each vertex, in N.
    forces: Vec<F64x4>,
    /// What each vertex has yet to get, in N·s; negative where it got it early.
    impulses: Vec<F64x4>,
    /// What fields put in of these.
    fields: ImpulseInLanes,
}

/// A system at a tick, with the velocities that belong to it.
struct Synchronised {
    /// Where every vertex is, in m.
    x: Vec<F64x4>,
    /// Synchronised velocities, in m/s.
    velocities: Vec<F64x4>,
    /// Net force of all potentials on each vertex, in N.
    forces: Vec<F64x4>,
    /// Potential energy of each kind, in J.
    potential_j: Vec<ExactLanesSum>,
    contacts: Vec<ReadContact>,
    /// What synchronising takes from outside.
    external: ExternalLedger,
}

/// What fires together and is booked alike.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Clock {
    span: Span,
    internal: bool,
    driven: bool,
}

/// Potentials of one family, by its number.
struct Group {
    family: usize,
    batch: Box<dyn Batch>,
}

/// Reads a system without touching it.
pub struct Reader {
    system: Arc<System>,
    groups: BTreeMap<Clock, Vec<Group>>,
    /// The pairs, if there is contact.
    rules: Option<PairRules>,
    /// Inverse mass of each vertex along the axes, in 1/kg.
    inverse_masses: Vec<F64x4>,
    /// Whether some vertex is kept on its way.
    has_pins: bool,
    moving: MovingMasses,
}

impl Reader {
    /// A reader for `system`.
    #[must_use]
    pub fn new(system: &Arc<System>) -> Self {
        let same: Vec<u32> = (0..system.vertices() as u32).collect();
        let mut groups = BTreeMap::<Clock, Vec<Group>>::new();
        for (f, (family, schedule)) in system.families.iter().zip(&system.schedules).enumerate() {
            for rung in &schedule.rungs {
                let batch = family.batch(&schedule.order[rung.places.clone()], &same);
                let (internal, driven) = (family.properties().is_internal, family.properties().is_driven);
                let clock = Clock { span: rung.span, internal, driven };
                groups.entry(clock).or_default().push(Group { family: f, batch });
            }
        }
        let rules = system.contact.as_ref().map(|_| PairRules::with_own_numbers(system));
        Self {
            system: Arc::clone(system),
            groups,
            rules,
            inverse_masses: system.inverse_masses.iter().map(|&w| w.into()).collect(),
            has_pins: (0..system.vertices()).any(|v| system.is_pinned(v)),
            moving: MovingMasses::new(system),
        }
    }

    /// The system it reads.
    #[must_use]
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }

    /// The reading at `tick`, every instant up to which must have happened to `state` and `external`; every pair that stores
    /// energy is among `pairs`, which come in the order of ids.
    #[must_use]
    pub fn read(&self, state: &State, external: &ExternalLedger, pairs: &[PairId], tick: Tick) -> Reading {
        let Synchronised { x, velocities, forces, potential_j, contacts, external: of_sync } =
            self.synchronise(state, pairs, tick);
        let mut from_fields = Impulse::default();
        for ledger in [&of_sync, external] {
            ledger.fields.add_to(&mut from_fields);
        }
        let (linear_from_fields, angular_from_fields) =
            (from_fields.linear.value(), from_fields.angular.value());
        let mut from_outside = from_fields;
        for ledger in [&of_sync, external] {
            from_outside.merge(&ledger.pins);
            from_outside.angular.merge(&ledger.couples);
            from_outside.angular.merge(&ledger.twists);
        }
        let mut work = of_sync.work;
        work.merge(&external.work);
        let losses = &external.losses;
        let motion = self.moving.add_up(&x, &velocities);
        Reading {
            tick,
            time_s: state.quantum().time(tick),
            positions: vectors(&x),
            velocities: vectors(&velocities),
            forces: vectors(&forces),
            contacts,
            kinetic_j: motion.kinetic_j.value(),
            potential_j: potential_j.iter().map(ExactLanesSum::value).collect(),
            momentum: motion.momentum,
            angular_momentum: motion.angular_momentum,
            work_j: work.value(),
            losses_j: [losses.restitution.value(), losses.friction.value(), losses.damping.value()],
            from_outside: MomentumFromOutside {
                linear: from_outside.linear.value(),
                linear_from_fields,
                angular: from_outside.angular.value(),
                angular_from_fields,
            },
            momentum_scale: motion.momentum_scale,
            angular_momentum_scale: motion.angular_momentum_scale,
        }
    }

    /// Every vertex where it is at `tick`, with its synchronised velocity; and what the change of velocities takes from outside. Friction that is
    /// left over is not kept.
    #[must_use]
    pub fn synchronised(&self, state: &State, tick: Tick) -> (State, ExternalLedger) {
        let x: Vec<Vec3> = (0..state.len()).map(|v| state.position_at(v, tick)).collect();
        let near = self.rules.iter().flat_map(|rules| near_pairs(rules, &x));
        let pairs: Vec<PairId> = near.map(|near| near.pair.id).collect();
        let Synchronised { velocities, external, .. } = self.synchronise(state, &pairs, tick);
        let mut synchronised = State::new(x, vectors(&velocities), state.quantum());
        synchronised.kicked_at.fill(tick);
        (synchronised, external)
    }

    /// The impulse of each contact of a reading on the first of its primitives when each of its layers fires once, in N·s: layer by layer its force times its step.
    #[must_use]
    pub fn contact_impulses(&self, reading: &Reading) -> Vec<Vec3> {
        let Some(rules) = &self.rules else { return Vec::new() };
        let x: Vec<F64x4> = reading.positions.iter().map(|&x| x.into()).collect();
        let ids: Vec<PairId> = reading.contacts.iter().map(|contact| contact.id).collect();
        let mut all = Vec::with_capacity(ids.len());
        rules.near_among(&ids, &x, |pair, x, at| {
            let layers = rules.layers_of(pair);
            let step_s = |l: u32| self.system.line.quantum.step(layers.layer(l).span);
            let (_, [_, impulses]) = pair.energy_forces_and_impulses(layers, x, at, step_s);
            let first = impulses.iter().take(pair.first_primitive()).copied();
            all.push(first.collect::<ExactVec3Sum>().value());
        });
        all
    }

    /// Positions, forces and synchronised velocities at `tick`.
    fn synchronise(&self, state: &State, pairs: &[PairId], tick: Tick) -> Synchronised {
        let n = state.len();
        let x = vectorize::run(Positions { state, tick });
        let mut potential_j = vec![ExactLanesSum::default(); self.system.kinds().len()];
        let zeros = vec![F64x4::default(); n];
        let mut sums =
            ForceSums { forces: zeros.clone(), impulses: zeros, fields: ImpulseInLanes::default() };
        let mut external = ExternalLedger::default();
        let mut driven = Vec::new();
        let time_s = state.quantum().time(tick);
        for (clock, groups) in &self.groups {
            let weight_s = self.seconds_ahead(clock.span, tick);
            let mut forces = vec![ImpulseAccumulator::default(); n];
            for group in groups {
                group.batch.energy_and_forces_at(time_s, &x, &mut forces, &mut potential_j[group.family]);
                group.batch.reaction_torque(weight_s, &x, &mut external.twists);
            }
            sums.add(&forces, weight_s);
            if !clock.internal {
                sums.book(&x, &forces, weight_s);
            }
            if clock.driven {
                driven.push((weight_s, forces));
            }
        }
        let mut contacts = Vec::new();
        if let (Some(rules), Some(energy_j)) = (&self.rules, potential_j.last_mut()) {
            contacts = self.read_pairs(rules, pairs, tick, &x, &mut sums, energy_j);
        }
        let ForceSums { forces, impulses, fields } = sums;
        external.fields = fields;
        let kicked = Kicked {
            velocities: &state.velocities,
            impulses: &impulses,
            inverse_masses: &self.inverse_masses,
        };
        let velocities = vectorize::run(kicked);
        let kept = if self.has_pins || !driven.is_empty() { 0..n } else { 0..0 };
        for v in kept {
            let (u, inverse_mass) = (velocities[v].xyz(), self.system.inverse_masses[v]);
            if self.system.is_pinned(v) {
                let j = held_back(impulses[v].xyz(), inverse_mass);
                external.hold(self.system.dof_kind(v), x[v].xyz(), u, j);
            }
            for (weight_s, forces) in &driven {
                let impulse = forces[v].sum() * *weight_s;
                external.work.add(0.5 * impulse.dot(state.velocities[v] + u));
            }
        }
        Synchronised { x, velocities, forces, potential_j, contacts, external }
    }

    /// The pairs that are within their layers; adds their energies, their forces, and the impulses by which velocities are ahead.
    fn read_pairs(
        &self,
        rules: &PairRules,
        pairs: &[PairId],
        tick: Tick,
        at: &[F64x4],
        ForceSums { forces, impulses: sums, fields }: &mut ForceSums,
        total_j: &mut ExactLanesSum,
    ) -> Vec<ReadContact> {
        let seconds_ahead: Vec<Vec<f64>> =
            rules.all_layers().iter().map(|layers| self.seconds_ahead_of_layers(layers, tick)).collect();
        let mut all = Vec::with_capacity(pairs.len());
        rules.near_among(pairs, at, |pair, x, at| {
            let (layers, seconds) = (rules.layers_of(pair), &seconds_ahead[pair.layers as usize]);
            let (energy_j, [on_vertices, impulses]) =
                pair.energy_forces_and_impulses(layers, x, at, |l| seconds[l as usize - 1]);
            total_j.add(energy_j);
            for (i, &v) in pair.stencil().iter().enumerate() {
                let v = v as usize;
                forces[v] = forces[v] + on_vertices[i].into();
                sums[v] = sums[v] + impulses[i].into();
            }
            fields.add_couple(pair.couple(x, &impulses));
            all.push(ReadContact {
                id: pair.id,
                bodies: pair.bodies,
                layer: layers.depth_at(at.distance),
                distance: at.distance,
                first_primitive: pair.first_primitive(),
                forces: on_vertices,
            });
        });
        all
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
}

impl ForceSums {
    /// Adds forces, and the impulses that come with them in a time.
    fn add(&mut self, forces: &[ImpulseAccumulator], seconds: f64) {
        let sums = self.forces.iter_mut().zip(&mut self.impulses);
        for ((force_sum, impulse_sum), force) in sums.zip(forces) {
            *force_sum = *force_sum + force.row();
            *impulse_sum = *impulse_sum + force.row() * seconds;
        }
    }

    /// Books what forces from outside put in, in a time, at `x`.
    fn book(&mut self, x: &[F64x4], forces: &[ImpulseAccumulator], seconds: f64) {
        let forces: Vec<F64x4> = forces.iter().map(ImpulseAccumulator::row).collect();
        vectorize::run(Book { x, forces: &forces, seconds, fields: &mut self.fields });
    }
}

/// [`ForceSums::book`], eight vertices at a time.
struct Book<'a> {
    x: &'a [F64x4],
    forces: &'a [F64x4],
    seconds: f64,
    fields: &'a mut ImpulseInLanes,
}

impl Kernel for Book<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, width: impl Width) {
        for (x, forces) in self.x.chunks(LANES).zip(self.forces.chunks(LANES)) {
            let impulses = eight(width, forces) * Real::constant(self.seconds);
            let [x, impulses] = width.store_vectors(&[eight(width, x), impulses]);
            self.fields.add_lanes(&x, &impulses, forces.len());
        }
    }
}

/// Where every vertex is at a tick, in m.
struct Positions<'a> {
    state: &'a State,
    tick: Tick,
}

impl Kernel for Positions<'_> {
    type Output = Vec<F64x4>;

    #[inline(always)]
    fn run(self, _: impl Width) -> Vec<F64x4> {
        let mut rows = vec![F64x4::default(); self.state.len()];
        for (v, row) in rows.iter_mut().enumerate() {
            *row = self.state.position_at(v, self.tick).into();
        }
        rows
    }
}

/// Velocities after impulses, in m/s.
struct Kicked<'a> {
    velocities: &'a [Vec3],
    impulses: &'a [F64x4],
    inverse_masses: &'a [F64x4],
}

impl Kernel for Kicked<'_> {
    type Output = Vec<F64x4>;

    #[inline(always)]
    fn run(self, _: impl Width) -> Vec<F64x4> {
        let mut rows = vec![F64x4::default(); self.velocities.len()];
        let changes = self.impulses.iter().zip(self.inverse_masses);
        let before = self.velocities.iter().zip(changes);
        for (row, (&velocity, (&impulse, &inverse_mass))) in rows.iter_mut().zip(before) {
            *row = F64x4::from(velocity) + impulse * inverse_mass;
        }
        rows
    }
}

fn vectors(rows: &[F64x4]) -> Vec<Vec3> {
    rows.iter().map(|row| row.xyz()).collect()
}
