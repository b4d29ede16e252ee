//! The contract, read aloud.
//!
//! A heap of (tick, potential). At each tick: pop every event, evaluate them one by one in the
//! order of ids on the positions of that tick, sum the impulses of each vertex in that order
//! starting from +0.0, then kick each vertex once [Vouga2010, eq. gAVIDEL]. A vertex on which no
//! potential had a non-zero component is not touched. Then damped elements answer the new velocities,
//! likewise all at once, and then the laws of pairs. Last, potentials that remember take down what they saw.
//!
//! Slow on purpose: every other method must give these bits.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use carom_contact::{CertifierKind, ContactPipeline, Motion, PairRules, Sharing, Touch, TouchedVertices};
use carom_math::Vec3;
use carom_model::{DofKind, ExternalLedger, Fault, Kicks, PairId, PotentialId, Start, State, System};
use carom_time::{Span, Tick};

use crate::gap_minimum::GapMinimum;
use crate::resist::Resistances;
use crate::sync_correction::SyncCorrection;
use crate::{ContactSummary, KickListener, Method, Progress, diagnosis};

/// The oracle.
pub struct Reference {
    system: Arc<System>,
    state: State,
    queue: BinaryHeap<Reverse<(Tick, PotentialId)>>,
    /// Every pair, every layer, every tick, if there is contact.
    contact: Option<ContactPipeline>,
    gap_minimum: GapMinimum,
    /// Every instant up to this tick has happened.
    reached: Tick,
    start_is_due: bool,
    /// Velocities before the instant.
    before: Vec<Vec3>,
    resistances: Resistances,
    sync_correction: SyncCorrection,
    kicks: Kicks,
    evaluations: Vec<u64>,
    instants: u64,
}

impl Reference {
    /// Starts at tick 0.
    #[must_use]
    pub fn new(system: &Arc<System>, state: State) -> Self {
        let everything = |_| {
            let rules = PairRules::with_own_numbers(system);
            ContactPipeline::new(CertifierKind::BruteForce, system, rules, &Motion::of(&state), Sharing::NONE)
        };
        let contact = system.contact.as_ref().map(everything);
        Self::with_contact(system, state, contact)
    }

    fn with_contact(system: &Arc<System>, state: State, contact: Option<ContactPipeline>) -> Self {
        let mut queue = BinaryHeap::new();
        for (family, schedule) in system.schedules.iter().enumerate() {
            for (place, &element) in schedule.order.iter().enumerate() {
                let id = PotentialId { family: family as u32, place: place as u32 };
                queue.push(Reverse((Tick::START.after(schedule.spans[element as usize]), id)));
            }
        }
        Self {
            contact,
            gap_minimum: GapMinimum::default(),
            before: state.velocities.clone(),
            resistances: Resistances::new(&state),
            sync_correction: SyncCorrection::new(system),
            kicks: Kicks::new(system.vertices()),
            state,
            queue,
            reached: Tick::START,
            start_is_due: true,
            evaluations: vec![0; system.kinds().len()],
            instants: 0,
            system: Arc::clone(system),
        }
    }

    /// One instant by the letter: the state after everything due at `tick`, which is not the first, has fired on `state`.
    ///
    /// Of the pairs, those within their layers at that tick: all others push nothing.
    pub fn instant(system: &Arc<System>, state: State, tick: Tick) -> Result<State, Fault> {
        let touching = |_| {
            let x: Vec<Vec3> = (0..state.len()).map(|v| state.position_at(v, tick)).collect();
            ContactPipeline::at_one_instant(system, &x)
        };
        let contact = system.contact.as_ref().map(touching);
        let mut reference = Self::with_contact(system, state, contact);
        let is_due = |id: &PotentialId| {
            let schedule = &system.schedules[id.family as usize];
            tick.is_multiple_of(schedule.spans[schedule.order[id.place as usize] as usize])
        };
        let mut due: Vec<PotentialId> =
            reference.queue.drain().map(|Reverse((_, id))| id).filter(is_due).collect();
        due.sort_unstable();
        reference.fire(tick, &due, 1.0)?;
        Ok(reference.state())
    }

    /// The next tick, unless it is after `end`, and the potentials due there, in the order of ids.
    fn pop_until(&mut self, end: Tick) -> Option<(Tick, Vec<PotentialId>)> {
        let elastic = self.queue.peek().map(|Reverse((tick, _))| *tick);
        let contact = self.contact.as_ref().and_then(ContactPipeline::next_tick);
        let corners = self.system.paths.iter().flat_map(|path| &path.ticks);
        let corner = corners.copied().filter(|tick| *tick > self.reached).min();
        let tick = elastic.into_iter().chain(contact).chain(corner).min().filter(|tick| *tick <= end)?;
        let mut due = Vec::new();
        while let Some(&Reverse((t, id))) = self.queue.peek()
            && t == tick
        {
            self.queue.pop();
            let schedule = &self.system.schedules[id.family as usize];
            let span = schedule.spans[schedule.order[id.place as usize] as usize];
            self.queue.push(Reverse((tick.after(span), id)));
            due.push(id);
        }
        Some((tick, due))
    }

    /// One instant: all of `due`, then all pairs, fire with `fraction` of their steps.
    fn fire(&mut self, tick: Tick, due: &[PotentialId], fraction: f64) -> Result<(), Fault> {
        self.before.clone_from(&self.state.velocities);
        self.apply_keyframes(tick);
        let mut remembered = Vec::new();
        for (i, id) in due.iter().enumerate() {
            let family = &self.system.families[id.family as usize];
            let schedule = &self.system.schedules[id.family as usize];
            let element = schedule.order[id.place as usize] as usize;
            let h = fraction * self.state.quantum().step(schedule.spans[element]);

            let stencil = family.stencil(element);
            let x: Vec<Vec3> = stencil.iter().map(|&v| self.state.position_at(v as usize, tick)).collect();
            let mut gradient = vec![Vec3::ZERO; stencil.len()];
            family.gradient_at(element, self.state.quantum().time(tick), &x, &mut gradient);
            self.evaluations[id.family as usize] += 1;

            let impulses: Vec<Vec3> = gradient.iter().map(|g| *g * -h).collect();
            for ((&v, &x), &impulse) in stencil.iter().zip(&x).zip(&impulses) {
                if family.is_driven() {
                    self.kicks.drive(v, impulse);
                } else {
                    self.kicks.add(v, impulse);
                }
                if !family.is_internal() {
                    self.kicks.external.fields.add(x, impulse);
                }
            }
            if family.has_angular_dofs() {
                self.kicks.external.twists.add(family.reaction_torque(element, &x, &impulses));
            }
            let mut memory = vec![Vec3::ZERO; family.memory()];
            family.remember(element, &x, &mut memory);
            remembered.extend(stencil[stencil.len() - memory.len()..].iter().copied().zip(memory));
            let clock = self.clock_of(*id);
            if self.sync_correction.is_kept()
                && due.get(i + 1).is_none_or(|next| self.clock_of(*next) != clock)
            {
                self.sync_correction.note(clock, fraction, &self.kicks, 0..self.state.len());
            }
        }
        if self.sync_correction.is_kept() {
            self.sync_correction.end(tick, 0..self.state.len());
        }
        if let Some(contact) = &mut self.contact {
            contact.apply_impulses(
                tick,
                fraction,
                &Motion::of(&self.state),
                &mut self.kicks,
                &mut Vec::new(),
            );
            *self.evaluations.last_mut().expect("contact is counted") = contact.counters().evaluations;
        }
        self.instants += 1;
        self.reached = tick;
        self.kick(tick)?;
        self.resist(tick, due, fraction)?;
        self.kicks.end_instant();
        for (v, memory) in remembered {
            self.state.positions[v as usize] = memory;
        }
        self.update_certificates(tick)
    }

    /// The family of a potential, and its step.
    fn clock_of(&self, id: PotentialId) -> (usize, Span) {
        let schedule = &self.system.schedules[id.family as usize];
        (id.family as usize, schedule.spans[schedule.order[id.place as usize] as usize])
    }

    /// The second and the third stage: what resists motion answers the velocities.
    fn resist(&mut self, tick: Tick, due: &[PotentialId], fraction: f64) -> Result<(), Fault> {
        self.resistances.begin();
        for id in due {
            let family = &self.system.families[id.family as usize];
            let schedule = &self.system.schedules[id.family as usize];
            let element = schedule.order[id.place as usize] as usize;
            if self.system.is_damped && family.damping_s(element) > 0.0 {
                let h = fraction * self.state.quantum().step(schedule.spans[element]);
                let stencil = family.stencil(element);
                let x: Vec<Vec3> =
                    stencil.iter().map(|&v| self.state.position_at(v as usize, tick)).collect();
                let u: Vec<Vec3> = stencil.iter().map(|&v| self.state.velocities[v as usize]).collect();
                self.resistances.element((family.as_ref(), element), stencil, (&x, &u), h);
            }
        }
        let masses = &self.system.inverse_masses;
        self.resistances.apply_damping(&self.state.velocities, masses, &mut self.kicks);
        self.kick(tick)?;
        let acting = self.contact.as_ref().map_or(&[][..], ContactPipeline::dissipative);
        let masses = &self.system.inverse_masses;
        self.resistances.apply_contact_laws(tick, acting, (&self.state.velocities, masses), &mut self.kicks);
        self.kick(tick)?;
        let x = |v: u32| self.state.position_at(v as usize, tick);
        let by_contact =
            |v: u32| self.contact.as_ref().map_or(Vec3::ZERO, |contact| contact.pending_impulse(v, tick));
        let masses = &self.system.inverse_masses;
        let lag = |v: u32| (self.sync_correction.due(v) + by_contact(v)).scaled_by(masses[v as usize]);
        self.resistances.book(x, (&self.before, &self.state.velocities), lag, &mut self.kicks.external);
        Ok(())
    }

    /// Turns the vertices of paths that have a corner at `tick`.
    fn apply_keyframes(&mut self, tick: Tick) {
        let system = Arc::clone(&self.system);
        for path in &system.paths {
            let Ok(key) = path.ticks.binary_search(&tick) else { continue };
            for (i, &v) in path.vertices.iter().enumerate() {
                let place = self.state.position_at(v as usize, tick);
                let velocity = path.velocity(key, i, place, self.state.quantum());
                let before = self.state.velocities[v as usize];
                self.state.kick(v as usize, tick, Vec3::ZERO);
                self.state.velocities[v as usize] = velocity;
                self.before[v as usize] = before;
            }
        }
    }

    /// Tells a witness of the kicks of this instant.
    fn tell(&self, tick: Tick, listener: &mut dyn KickListener) {
        let State { positions, velocities, kicked_at, .. } = &self.state;
        // What is remembered does not fly.
        let flies = |v: &usize| self.system.dof_kind(*v) != DofKind::Memory;
        for v in (0..kicked_at.len()).filter(|&v| kicked_at[v] == tick).filter(flies) {
            listener.kicked(v as u32, tick, positions[v], velocities[v]);
        }
    }

    fn kick(&mut self, tick: Tick) -> Result<(), Fault> {
        let mut broken = None;
        for v in 0..self.state.len() {
            let Some(sum) = self.kicks.take(v) else { continue };
            let inverse_mass = self.system.inverse_masses[v];
            let before = self.state.velocities[v];
            self.state.kick(v, tick, sum.scaled_by(inverse_mass));
            self.kicks.book_driven(v, before, self.state.velocities[v]);
            if self.system.is_pinned(v) {
                // A corner lies between two velocities.
                let held = self.system.is_held(v);
                let before = if held { self.before[v] } else { self.state.velocities[v] };
                let (x, u) = (self.state.positions[v], (before + self.state.velocities[v]) * 0.5);
                self.kicks.external.hold(self.system.dof_kind(v), x, u, held_back(sum, inverse_mass));
            }
            if !self.state.velocities[v].is_finite() && broken.is_none() {
                broken = Some(v);
            }
        }
        self.kicks.end_stage();
        broken.map_or(Ok(()), |v| Err(diagnosis::of_vertex(&self.system, &self.state, v, tick)))
    }

    /// Whether all pairs are still apart.
    fn update_certificates(&mut self, tick: Tick) -> Result<(), Fault> {
        let Some(contact) = &mut self.contact else { return Ok(()) };
        let all = TouchedVertices { prefix: self.state.len() as u32, others: &[] };
        contact
            .update_certificates(tick, &Motion::of(&self.state), all)
            .map_err(|failure| diagnosis::of_separation_failure(&self.system, &failure))
    }

    /// The first instant: half a kick of everything, or none.
    fn begin(&mut self) -> Result<(), Fault> {
        if self.system.start == Start::HalfKick {
            let mut all: Vec<PotentialId> = self.queue.iter().map(|Reverse((_, id))| *id).collect();
            all.sort_unstable();
            self.fire(Tick::START, &all, 0.5)?;
        } else {
            self.apply_keyframes(Tick::START);
        }
        self.update_certificates(Tick::START)
    }
}

/// The impulse with which a pin or an obstacle answers `sum`: its opposite along the axes without inverse mass.
pub(crate) fn held_back(sum: Vec3, inverse_mass: Vec3) -> Vec3 {
    let held = |w: f64, j: f64| if w == 0.0 { -j } else { 0.0 };
    Vec3::new(held(inverse_mass.x, sum.x), held(inverse_mass.y, sum.y), held(inverse_mass.z, sum.z))
}

impl Method for Reference {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        mut listener: Option<&mut dyn KickListener>,
    ) -> Result<Progress, Fault> {
        if core::mem::take(&mut self.start_is_due) {
            self.begin()?;
            if let Some(listener) = &mut listener {
                self.tell(Tick::START, &mut **listener);
            }
        }
        while let Some((tick, due)) = self.pop_until(end) {
            self.fire(tick, &due, 1.0)?;
            if let Some(listener) = &mut listener {
                self.tell(tick, &mut **listener);
            }
            if stop.load(Ordering::Relaxed) {
                return Ok(Progress::Stopped(tick));
            }
            let nearest = self.contact.as_ref().map_or(f64::INFINITY, ContactPipeline::nearest_push);
            if let Some(distance) = self.gap_minimum.at(nearest) {
                return Ok(Progress::GapMinimum { tick, distance });
            }
        }
        self.reached = end;
        Ok(Progress::Reached)
    }

    fn state(&self) -> State {
        let mut state = self.state.clone();
        state.unspent = self.resistances.unspent(self.reached);
        state
    }

    fn external(&self) -> ExternalLedger {
        self.kicks.external
    }

    fn evaluations(&self) -> &[u64] {
        &self.evaluations
    }

    fn instants(&self) -> u64 {
        self.instants
    }

    fn pairs(&self) -> Vec<PairId> {
        self.contact.as_ref().map_or_else(Vec::new, ContactPipeline::active_pairs)
    }

    fn contact(&self) -> Option<ContactSummary> {
        self.contact.as_ref().map(|contact| ContactSummary::of(contact, Duration::ZERO, Duration::ZERO))
    }

    fn touches(&self) -> Vec<Touch> {
        self.contact.as_ref().map_or_else(Vec::new, |contact| contact.touches().to_vec())
    }
}
