//! The contract, read aloud: the oracle that every other method must agree with, bit for bit.
//!
//! A heap of (tick, potential). At each tick everything is evaluated on the positions of that tick [Vouga2010, eq. gAVIDEL]:
//!
//! 1. Vertices of prescribed paths that have a corner here turn.
//! 2. The potentials that are due, then all pairs, add their impulses in the order of ids; each vertex is kicked once.
//! 3. Damped elements and drag answer the velocities, all at once; each vertex is kicked once.
//! 4. The laws of the pairs that acted answer what that leaves, all at once; each vertex is kicked once.
//! 5. What resistance took goes on the external ledger; potentials that remember take down what they saw.
//! 6. Every pair is tested against the floor.
//!
//! Every pair and every layer is live at every tick, in plain loops that share nothing with the fast engine but the kernels of elements
//! and of nearest points, and the types of the model. Slow on purpose. (One text lies here for both: `joint`, where steps change. What it must keep is
//! measured: no reading jumps.)
//!
//! | rule | where |
//! | --- | --- |
//! | which pairs there are, their weights and first layers | `pairs` |
//! | thickness, step and strength of layers | `layers` |
//! | the normal force of a pair | `push` |
//! | damping, restitution, friction | `laws` |
//! | how far velocities are ahead of the motion | `lag` |
//! | what goes on the external ledger | `external` |
//! | when a run cannot go on | `floor` |
//! | what became of contact | `touches` |
//! | where steps change | `joint` |

mod external;
mod floor;
mod impulses;
mod joint;
mod lag;
mod laws;
mod layers;
mod near;
mod pairs;
mod push;
mod touches;

use core::ops::ControlFlow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use carom_contact::Touch;
use carom_math::Vec3;
use carom_model::{Contact, DofKind, ExternalLedger, Fault, PairId, PotentialId, Start, State, System};
use carom_time::{Span, Tick};

use crate::checkpoint::Effort;
use crate::{
    Checkpoint, InstantListener, InstantReport, Method, MethodSummary, PartTimes, Progress, ResumeError,
};
use impulses::Impulses;
pub(crate) use joint::joint;
use lag::Lag;
use laws::{LossyPair, UnspentFriction};
use layers::Layers;
use pairs::Pair;
use touches::Touches;

/// The oracle.
pub struct Reference {
    system: Arc<System>,
    state: State,
    queue: BinaryHeap<Reverse<(Tick, PotentialId)>>,
    contact: Option<Touching>,
    /// Every instant up to this tick has happened.
    reached: Tick,
    /// How it is about to start; `None` once it has.
    due_start: Option<Start>,
    /// Where every vertex is at the current instant, in m, and how fast it was before it, in m/s.
    now: Vec<Vec3>,
    before: Vec<Vec3>,
    impulses: Impulses,
    unspent: UnspentFriction,
    lag: Lag,
    external: ExternalLedger,
    evaluations: Vec<u64>,
    instants: u64,
}

/// All that may touch.
struct Touching {
    contact: Arc<Contact>,
    layers: Vec<Layers>,
    pairs: Vec<Pair>,
    touches: Touches,
}

impl Touching {
    fn new(system: &System, find: impl FnOnce(&System, &Contact, &[Layers]) -> Vec<Pair>) -> Option<Self> {
        let contact = Arc::clone(system.contact.as_ref()?);
        let quantum = system.line.quantum;
        let layers: Vec<Layers> =
            contact.layers.iter().map(|spec| Layers::new(spec, contact.max_layers, quantum)).collect();
        let pairs = find(system, &contact, &layers);
        Some(Self { contact, layers, pairs, touches: Touches::new() })
    }

    /// The next tick after `tick` at which a layer fires or pairs are tested.
    fn next_tick(&self, system: &System, tick: Tick) -> Tick {
        let spans = self.layers.iter().flat_map(|layers| layers.list.iter().map(|layer| layer.span));
        let floor = floor::span(system, &self.layers);
        let next = |span: Span| tick.floor(span).after(span);
        spans.map(next).fold(next(floor), Tick::min)
    }
}

impl Reference {
    /// Starts at tick 0.
    #[must_use]
    pub fn new(system: &Arc<System>, state: State) -> Self {
        let contact = Touching::new(system, pairs::every_pair);
        Self::with(system, &Checkpoint::start(system, Tick::START, state), contact)
    }

    /// Goes on from a checkpoint of `system`.
    pub fn resume(system: &Arc<System>, from: &Checkpoint) -> Result<Self, ResumeError> {
        from.must_fit(system)?;
        Ok(Self::with(system, from, Touching::new(system, pairs::every_pair)))
    }

    fn with(system: &Arc<System>, from: &Checkpoint, mut contact: Option<Touching>) -> Self {
        if let Some(contact) = &mut contact {
            contact.touches.restore(from);
        }
        let state = from.state.clone();
        let mut queue = BinaryHeap::new();
        for (family, schedule) in system.schedules.iter().enumerate() {
            for (place, &element) in schedule.order.iter().enumerate() {
                let id = PotentialId { family: family as u32, place: place as u32 };
                let span = schedule.spans[element as usize];
                queue.push(Reverse((from.tick.floor(span).after(span), id)));
            }
        }
        Self {
            queue,
            contact,
            reached: from.tick,
            due_start: from.due_start,
            now: state.positions.clone(),
            before: state.velocities.clone(),
            impulses: Impulses::new(state.len()),
            unspent: UnspentFriction::of(&state),
            lag: Lag::new(system, from),
            external: from.external.clone(),
            evaluations: from.evaluations_of(system),
            instants: from.effort.instants,
            state,
            system: Arc::clone(system),
        }
    }

    /// One instant by the letter: the state after everything due at `tick`, which is not the first, has fired on `state`.
    ///
    /// Of the pairs, those within their layers at that tick: all others push nothing.
    pub fn instant(system: &Arc<System>, state: State, tick: Tick) -> Result<State, Fault> {
        let x: Vec<Vec3> = (0..state.len()).map(|v| state.position_at(v, tick)).collect();
        let contact =
            Touching::new(system, |system, contact, layers| near::near_pairs(system, contact, layers, &x));
        let before = Checkpoint::without_history(system, Tick::START, state);
        let mut reference = Self::with(system, &before, contact);
        let ids = reference.queue.drain().map(|Reverse((_, id))| id);
        let mut due: Vec<PotentialId> = ids.filter(|id| tick.is_multiple_of(span_of(system, *id))).collect();
        due.sort_unstable();
        reference.fire(tick, &due, 1.0)?;
        Ok(reference.state())
    }

    /// The next tick, unless it is after `end`, and the potentials due there, in the order of ids.
    fn pop_until(&mut self, end: Tick) -> Option<(Tick, Vec<PotentialId>)> {
        let elastic = self.queue.peek().map(|Reverse((tick, _))| *tick);
        let contact = self.contact.as_ref().map(|contact| contact.next_tick(&self.system, self.reached));
        let corners = self.system.paths.iter().flat_map(|path| &path.ticks);
        let corner = corners.copied().filter(|tick| *tick > self.reached).min();
        let tick = elastic.into_iter().chain(contact).chain(corner).min().filter(|tick| *tick <= end)?;
        let mut due = Vec::new();
        while let Some(&Reverse((t, id))) = self.queue.peek()
            && t == tick
        {
            self.queue.pop();
            self.queue.push(Reverse((tick.after(span_of(&self.system, id)), id)));
            due.push(id);
        }
        Some((tick, due))
    }

    /// The first instant: half a kick of everything, or none.
    fn begin(&mut self, start: Start) -> Result<(), Fault> {
        let tick = self.reached;
        if start == Start::HalfKick {
            let mut all: Vec<PotentialId> = self.queue.iter().map(|Reverse((_, id))| *id).collect();
            all.sort_unstable();
            self.fire(tick, &all, 0.5)
        } else {
            self.apply_keyframes(tick);
            self.test_gaps(tick)
        }
    }

    /// One instant: all of `due`, then all pairs, fire with `fraction` of their steps.
    fn fire(&mut self, tick: Tick, due: &[PotentialId], fraction: f64) -> Result<(), Fault> {
        self.instants += 1;
        self.reached = tick;
        self.now = (0..self.state.len()).map(|v| self.state.position_at(v, tick)).collect();
        self.before.clone_from(&self.state.velocities);
        self.apply_keyframes(tick);
        let remembered = self.push_elements(tick, due, fraction);
        let acting = self.push_pairs(tick, fraction);
        self.kick(tick, true)?;
        self.resist(tick, due, fraction, acting)?;
        self.impulses.end_instant();
        for (v, memory) in remembered {
            self.state.positions[v as usize] = memory;
        }
        self.test_gaps(tick)
    }

    /// Turns the vertices of paths that have a corner at `tick`.
    fn apply_keyframes(&mut self, tick: Tick) {
        for path in &self.system.paths {
            let Some(key) = path.ticks.iter().position(|corner| *corner == tick) else { continue };
            for (i, &v) in path.vertices.iter().enumerate() {
                let place = self.now[v as usize];
                self.state.positions[v as usize] = place;
                self.state.velocities[v as usize] = path.velocity(key, i, place, self.state.quantum());
                self.state.kicked_at[v as usize] = tick;
            }
        }
    }

    /// Adds the impulses of the potentials `due`; returns what they remember of this instant, by vertex.
    fn push_elements(&mut self, tick: Tick, due: &[PotentialId], fraction: f64) -> Vec<(u32, Vec3)> {
        let system = Arc::clone(&self.system);
        let mut remembered = Vec::new();
        self.lag.begin();
        for (i, &id) in due.iter().enumerate() {
            let family = &system.families[id.family as usize];
            let element = system.schedules[id.family as usize].order[id.place as usize] as usize;
            let h = fraction * system.line.quantum.step(span_of(&system, id));
            let stencil = family.stencil(element);
            let x: Vec<Vec3> = stencil.iter().map(|v| self.now[*v as usize]).collect();
            let mut gradient = vec![Vec3::ZERO; stencil.len()];
            family.gradient_at(element, system.line.quantum.time(tick), &x, &mut gradient);
            self.evaluations[id.family as usize] += 1;

            let impulses: Vec<Vec3> = gradient.iter().map(|g| *g * -h).collect();
            for (&v, &impulse) in stencil.iter().zip(&impulses) {
                self.impulses.add(v, impulse);
                if family.properties().is_driven {
                    self.impulses.driven[v as usize] += impulse;
                }
            }
            external::element(&mut self.external, family.as_ref(), element, (&x, &impulses));

            let mut memory = vec![Vec3::ZERO; family.properties().memory_vertices];
            family.remember(element, &x, &mut memory);
            remembered.extend(stencil[stencil.len() - memory.len()..].iter().copied().zip(memory));

            let clock = |id: PotentialId| (id.family as usize, span_of(&system, id));
            if due.get(i + 1).is_none_or(|next| clock(*next) != clock(id)) {
                self.lag.note_elements(clock(id), fraction, &self.impulses);
            }
        }
        remembered
    }

    /// Adds the impulses of all pairs; returns those that acted and whose law is not ideal.
    fn push_pairs(&mut self, tick: Tick, fraction: f64) -> Vec<LossyPair> {
        let mut acting = Vec::new();
        let Some(Touching { contact, layers, pairs, touches }) = &mut self.contact else { return acting };
        touches.begin();
        for pair in pairs.iter() {
            let layers = &layers[pair.layers];
            if !layers.fires_at(tick) {
                continue;
            }
            touches.effort.evaluations += 1;
            let at = pair.nearest(&self.now);
            let Some(impulses) = push::impulses(pair, layers, &at, &self.now, (tick, fraction)) else {
                continue;
            };
            for (&v, &impulse) in pair.vertices.iter().zip(&impulses) {
                self.impulses.add(v, impulse);
            }
            if pair.is_periodic() {
                external::across_the_border(&mut self.external, at.periods, impulses[0]);
            }
            self.lag.note_pair((pair, &impulses), layers, at.distance_m, (tick, fraction));
            touches.add(contact, (pair, layers), &at, (tick, &impulses), &self.state.velocities);
            let law = (layers.spec.law, layers.spec.friction_window);
            if !layers.spec.law.is_ideal() {
                acting.push(LossyPair::new(contact, law, pair, &at, (&self.now, &impulses)));
            }
        }
        *self.evaluations.last_mut().expect("contact is counted") = touches.effort.evaluations;
        acting
    }

    /// The second and the third stage: what resists motion answers the velocities.
    fn resist(
        &mut self,
        tick: Tick,
        due: &[PotentialId],
        fraction: f64,
        acting: Vec<LossyPair>,
    ) -> Result<(), Fault> {
        let damped = laws::damping(&self.system, due, fraction, &self.now, &self.state.velocities);
        for element in &damped {
            for (&v, &impulse) in element.vertices.iter().zip(&element.impulses) {
                self.impulses.add(v, impulse);
            }
        }
        self.kick(tick, false)?;
        let answers = self.unspent.answers(&self.system, &acting, &self.state.velocities, tick);
        for (pair, answer) in acting.iter().zip(&answers) {
            for (v, impulse) in pair.impulses(answer) {
                self.impulses.add(v, impulse);
            }
        }
        self.kick(tick, false)?;
        let answered: Vec<_> = acting.into_iter().zip(answers).collect();
        let motion = (self.before.as_slice(), self.state.velocities.as_slice());
        let lag = |v: usize| external::lag_of(&self.system, &self.lag, v, tick);
        external::losses(&mut self.external, (&damped, &answered), motion, &self.now, lag);
        Ok(())
    }

    /// Ends a stage: changes the velocity of every vertex that was touched.
    fn kick(&mut self, tick: Tick, is_first_stage: bool) -> Result<(), Fault> {
        let mut broken = None;
        for v in 0..self.state.len() {
            let Some(sum) = self.impulses.take(v) else { continue };
            let before = self.state.velocities[v];
            let after = before + sum.scaled_by(self.system.inverse_masses[v]);
            self.state.positions[v] = self.now[v];
            self.state.velocities[v] = after;
            self.state.kicked_at[v] = tick;
            let driven = self.impulses.driven[v];
            if !driven.is_zero() {
                external::driven(&mut self.external, driven, [before, after], is_first_stage);
            }
            if self.system.is_pinned(v) {
                // A corner of a path lies between two velocities.
                let from = if self.system.is_held(v) { self.before[v] } else { after };
                let motion = (self.now[v], (from + after) * 0.5);
                external::pin(&mut self.external, &self.system, v, motion, sum);
            }
            if !after.is_finite() && broken.is_none() {
                broken = Some(v);
            }
        }
        broken.map_or(Ok(()), |v| Err(floor::not_finite(&self.system, v, tick, &self.now)))
    }

    /// Whether all pairs are still apart.
    fn test_gaps(&self, tick: Tick) -> Result<(), Fault> {
        let Some(Touching { contact, layers, pairs, .. }) = &self.contact else { return Ok(()) };
        floor::test(&self.system, contact, (pairs, layers), &self.state, (tick, &self.now))
    }

    /// Tells a listener of the instant that just happened.
    fn report(
        &self,
        tick: Tick,
        gap_minimum_m: Option<f64>,
        listener: &mut dyn InstantListener,
    ) -> ControlFlow<()> {
        if listener.wants_kicks() {
            for v in 0..self.state.len() {
                // What is remembered does not fly.
                if self.state.kicked_at[v] == tick && self.system.dof_kind(v) != DofKind::Memory {
                    listener.kicked(v as u32, tick, self.state.positions[v], self.state.velocities[v]);
                }
            }
        }
        let nearest_push_m = self.contact.as_ref().map_or(f64::INFINITY, |c| c.touches.nearest_now_m);
        listener.after_instant(&InstantReport { tick, nearest_push_m, gap_minimum_m })
    }
}

/// The step of a potential.
fn span_of(system: &System, id: PotentialId) -> Span {
    let schedule = &system.schedules[id.family as usize];
    schedule.spans[schedule.order[id.place as usize] as usize]
}

impl Method for Reference {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        listener: &mut dyn InstantListener,
    ) -> Result<Progress, Fault> {
        if let Some(start) = self.due_start.take() {
            self.begin(start)?;
            if self.report(self.reached, None, listener).is_break() {
                return Ok(Progress::Paused(self.reached));
            }
        }
        while let Some((tick, due)) = self.pop_until(end) {
            self.fire(tick, &due, 1.0)?;
            let gap_minimum_m = self.contact.as_mut().and_then(|contact| contact.touches.gap_minimum());
            let answer = self.report(tick, gap_minimum_m, listener);
            if stop.load(Ordering::Relaxed) {
                return Ok(Progress::Stopped(tick));
            }
            if answer.is_break() {
                return Ok(Progress::Paused(tick));
            }
        }
        self.reached = self.reached.max(end);
        Ok(Progress::Reached)
    }

    fn tick(&self) -> Tick {
        self.reached
    }

    fn system(&self) -> &Arc<System> {
        &self.system
    }

    fn state(&self) -> State {
        let mut state = self.state.clone();
        state.unspent = self.unspent.after(self.reached);
        state
    }

    fn external(&self) -> ExternalLedger {
        self.external.clone()
    }

    fn pairs(&self) -> Vec<PairId> {
        self.contact.iter().flat_map(|contact| &contact.pairs).map(|pair| pair.id).collect()
    }

    fn touches(&self, tick: Tick) -> Vec<Touch> {
        self.contact.as_ref().map_or_else(Vec::new, |contact| contact.touches.at(tick))
    }

    fn save(&self) -> Checkpoint {
        let (mut contact, gap_minimum, of_contact) = match &self.contact {
            Some(Touching { touches, .. }) => touches.save(self.reached),
            None => Default::default(),
        };
        contact.layer_impulses = self.lag.save_layers(self.reached);
        Checkpoint {
            tick: self.reached,
            due_start: self.due_start,
            state: self.state(),
            external: self.external.clone(),
            evaluations: self.evaluations[..self.system.families.len()].to_vec(),
            last_kicks: self.lag.save_elements(),
            contact,
            gap_minimum,
            dcr: None,
            tolerance: None,
            effort: Effort { instants: self.instants, contact: of_contact },
        }
    }

    fn summary(&self) -> MethodSummary {
        let contact = self.contact.as_ref().map(|Touching { touches, .. }| {
            touches.effort.summary(touches.smallest_distance_m, touches.deepest_layer)
        });
        MethodSummary {
            instants: self.instants,
            evaluations: self.evaluations.clone(),
            times: PartTimes::default(),
            contact,
            dcr: None,
            refinements: Vec::new(),
            given_up: None,
        }
    }
}
