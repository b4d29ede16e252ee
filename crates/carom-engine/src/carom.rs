//! The fast engine: instants are batches.
//!
//! Potentials are packed by (kind, step), so what fires at an instant is a few contiguous runs.
//! Vertices are renumbered by the shortest step of the potentials that read them, then by first use: with dyadic clocks the vertices
//! of an instant are then the first of every array, and drift, forces and kicks each walk memory
//! once. Nothing is allocated but for searches, and for lists of contacts that grow.
//!
//! Renumbering and packing change the order of work, never the order of a vertex's sum: batches
//! fire in the order of ids, and each adds its elements in that order.
//!
//! | | file |
//! | --- | --- |
//! | one instant, step by step | `instant` |
//! | when elements fire, and which vertices that concerns | `schedule`, `clock_vertices`, `instant_vertices` |
//! | packed potentials, on one thread or several | `group` |
//! | damped elements | `damping` |
//! | positions, velocities, kicks | `vertices`, `numbering` |
//! | prescribed motions | `keyframes` |
//! | contact | `contact` |

mod clock_vertices;
mod contact;
mod damping;
mod group;
mod instant;
mod instant_vertices;
mod keyframes;
mod numbering;
mod schedule;
mod vertices;

use core::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom_contact::{CertifierKind, Sharing, Touch};
use carom_model::{DofKind, ExternalLedger, Fault, ImpulseSums, PairId, Start, State, System};
use carom_time::{Instants, Tick};

use contact::EngineContact;
use damping::Damping;
use group::Group;
use instant_vertices::InstantVertices;
use keyframes::Keyframes;
use numbering::Numbering;
use schedule::{EngineSchedule, Firing, next_instant};
use vertices::Vertices;

use crate::checkpoint::Effort;
use crate::contact_laws::ContactLaws;
use crate::part_times::Stopwatch;
use crate::sync_correction::SyncCorrection;
use crate::team::Team;
use crate::threads::Threads;
use crate::{
    Checkpoint, InstantListener, InstantReport, Method, MethodSummary, PartTimes, Progress, ResumeError,
};

/// The fast engine: potentials in batches by kind and step.
pub struct Carom {
    system: Arc<System>,
    schedule: EngineSchedule,
    vertices: Vertices,
    /// The vertices that the last instant visited.
    visited: InstantVertices,
    /// Packed potentials, in the order of ids.
    groups: Vec<Group>,
    sums: ImpulseSums,
    keyframes: Keyframes,
    /// `None` for a system without contact.
    contact: Option<EngineContact>,
    damping: Damping,
    contact_laws: ContactLaws,
    sync_correction: SyncCorrection,
    /// Gradients computed so far, by kind.
    evaluations: Vec<u64>,
    /// Where its time goes: for people, never for decisions.
    times: PartTimes,
    team: Team,
}

impl Carom {
    /// Starts at tick 0.
    #[must_use]
    pub fn new(system: &Arc<System>, state: &State) -> Self {
        Self::on_threads(system, state, 1)
    }

    /// Starts at tick 0 on as many threads: they change no bit.
    #[must_use]
    pub fn on_threads(system: &Arc<System>, state: &State, threads: impl Into<Threads>) -> Self {
        let start = Checkpoint::start(system, Tick::START, state.clone());
        Self::with(system, &start, CertifierKind::default(), threads.into())
    }

    /// Starts at tick 0, with another way to certify layers of contact: it changes no bit.
    #[must_use]
    pub fn with_certifier(system: &Arc<System>, state: &State, kind: CertifierKind) -> Self {
        Self::with(system, &Checkpoint::start(system, Tick::START, state.clone()), kind, 1.into())
    }

    /// Goes on from a checkpoint of `system`, with as many threads and whatever way to certify layers of contact: they change no bit.
    pub fn resume(
        system: &Arc<System>,
        from: &Checkpoint,
        kind: CertifierKind,
        threads: impl Into<Threads>,
    ) -> Result<Self, ResumeError> {
        from.must_fit(system)?;
        Ok(Self::with(system, from, kind, threads.into()))
    }

    fn with(system: &Arc<System>, from: &Checkpoint, kind: CertifierKind, threads: Threads) -> Self {
        let started = Instant::now();
        let mut engine = Self::untimed(system, from, kind, threads);
        engine.times.start = started.elapsed().saturating_sub(engine.searching());
        engine
    }

    /// The same, without the time that it takes.
    fn untimed(system: &Arc<System>, from: &Checkpoint, kind: CertifierKind, threads: Threads) -> Self {
        let team = team_for(system, threads);
        let is_shared = team.size() > 1;
        let threads = Threads { count: team.size(), ..threads };
        let spans = system.spans();
        let Numbering { names, renumbered } = Numbering::in_order_of_use(system);
        let vertices = Vertices::new(system, &from.state, names, is_shared.then_some(threads.worth_sharing));
        let sharing = if is_shared { threads.contact } else { Sharing::NONE };
        let mut sums = ImpulseSums::new(system.vertices());
        sums.external = from.external.clone();
        let mut sync_correction = SyncCorrection::new(system);
        sync_correction.restore(&from.last_kicks, &renumbered);
        Self {
            schedule: EngineSchedule::new(system, &spans, &renumbered, from),
            visited: InstantVertices::default(),
            groups: Group::all(system, &spans, &renumbered, threads),
            sums,
            keyframes: Keyframes::new(system, &renumbered, from),
            damping: Damping::new(system, &spans, &renumbered),
            contact: EngineContact::new(system, from, renumbered, &vertices, (kind, sharing, &team)),
            vertices,
            contact_laws: ContactLaws::new(system.vertices()),
            sync_correction,
            evaluations: from.evaluations_of(system),
            times: PartTimes::default(),
            team,
            system: Arc::clone(system),
        }
    }

    /// The start: half a kick of everything, or none.
    fn begin(&mut self, start: Start) -> Result<(), Fault> {
        let tick = self.schedule.advanced_to;
        if start == Start::HalfKick {
            let clocks: Vec<usize> = (0..self.schedule.clocks()).collect();
            self.fire(Firing { tick, clocks: &clocks, fraction: 0.5 }, &mut Stopwatch::start())?;
        }
        self.keyframes.apply(tick, &mut self.vertices, &mut self.visited);
        self.vertices.end_keyframes();
        self.certify_all(tick)
    }

    /// Certificates and the minimum gap test for all vertices, at a tick whose instants have happened.
    fn certify_all(&mut self, tick: Tick) -> Result<(), Fault> {
        self.visited.listed.clear();
        self.visited.leading = self.system.vertices();
        self.update_certificates(tick, &mut Stopwatch::start())
    }

    /// Time spent on searches for candidates.
    fn searching(&self) -> Duration {
        self.contact.as_ref().map_or(Duration::ZERO, EngineContact::searching)
    }

    /// As [`Method::advance`], on a thread of the team.
    fn advance_on_team(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        listener: &mut dyn InstantListener,
    ) -> Result<Progress, Fault> {
        // Instants lend the clocks that fire while everything else changes.
        let mut instants = core::mem::replace(&mut self.schedule.instants, Instants::new(&[], Tick::START));
        let outcome = self.walk(&mut instants, end, stop, listener);
        self.schedule.instants = instants;
        if outcome == Ok(Progress::Reached) {
            self.schedule.advanced_to = self.schedule.advanced_to.max(end);
        }
        outcome
    }

    /// Makes the instants up to `end` happen, one after the other.
    fn walk(
        &mut self,
        instants: &mut Instants,
        end: Tick,
        stop: &AtomicBool,
        listener: &mut dyn InstantListener,
    ) -> Result<Progress, Fault> {
        let from = self.schedule.advanced_to;
        if let Some(start) = self.schedule.due_start.take() {
            self.begin(start)?;
            if self.report(from, None, listener).is_break() {
                return Ok(Progress::Paused(from));
            }
        }
        if core::mem::take(&mut self.schedule.resumes) {
            self.certify_all(from)?;
        }
        let mut watch = Stopwatch::start();
        while let Some((tick, clocks)) = next_instant(instants, self.tick_beside_elements(), end) {
            self.fire(Firing { tick, clocks, fraction: 1.0 }, &mut watch)?;
            let gap_minimum_m = self.contact.as_mut().and_then(EngineContact::gap_minimum); // 11
            let answer = self.report(tick, gap_minimum_m, listener);
            if stop.load(Ordering::Relaxed) {
                return Ok(Progress::Stopped(tick));
            }
            if answer.is_break() {
                return Ok(Progress::Paused(tick));
            }
        }
        Ok(Progress::Reached)
    }

    /// The next tick at which contact or a keyframe is due, whether or not elements fire there.
    fn tick_beside_elements(&self) -> Option<Tick> {
        let contact = self.contact.as_ref().and_then(EngineContact::next_tick);
        contact.into_iter().chain(self.keyframes.next_tick()).min()
    }

    /// Tells a listener of the instant that just happened.
    fn report(
        &self,
        tick: Tick,
        gap_minimum_m: Option<f64>,
        listener: &mut dyn InstantListener,
    ) -> ControlFlow<()> {
        if listener.wants_kicks() {
            self.report_kicks(tick, listener);
        }
        let nearest_push_m = self.contact.as_ref().map_or(f64::INFINITY, EngineContact::nearest_push);
        listener.after_instant(&InstantReport { tick, nearest_push_m, gap_minimum_m })
    }

    /// Tells a listener of the kicks of the instant that just happened.
    fn report_kicks(&self, tick: Tick, listener: &mut dyn InstantListener) {
        let Vertices { names, positions, velocities, kicked_at, dof_kinds, .. } = &self.vertices;
        for i in self.visited.iter() {
            // What is remembered does not move between instants.
            if kicked_at[i] == tick && dof_kinds[i] != DofKind::Memory {
                listener.kicked(names[i], tick, positions[i], velocities[i]);
            }
        }
    }

    /// The state in the numbering of the system.
    fn state_now(&self) -> State {
        let mut state = self.vertices.state();
        let unspent = self.contact.as_ref().map(|contact| contact.unspent_after(self.schedule.advanced_to));
        state.unspent = unspent.unwrap_or_default();
        state
    }
}

/// As many threads as were asked for, or one where no work is large enough to be shared.
fn team_for(system: &System, threads: Threads) -> Team {
    let rungs = system.schedules.iter().flat_map(|schedule| &schedule.rungs);
    let in_contact = system.contact.as_ref().map_or(0, |contact| contact.vertices.len());
    let largest = rungs.map(|rung| rung.places.len()).fold(in_contact, usize::max);
    Team::new(if largest < threads.worth_sharing { 1 } else { threads.count })
}

impl Method for Carom {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        listener: &mut dyn InstantListener,
    ) -> Result<Progress, Fault> {
        let team = self.team.clone();
        team.lead(|| self.advance_on_team(end, stop, listener))
    }

    fn tick(&self) -> Tick {
        self.schedule.advanced_to
    }

    fn system(&self) -> &Arc<System> {
        &self.system
    }

    fn state(&self) -> State {
        self.state_now()
    }

    fn external(&self) -> ExternalLedger {
        self.sums.external.clone()
    }

    fn pairs(&self) -> Vec<PairId> {
        self.contact.as_ref().map_or_else(Vec::new, EngineContact::active_pairs)
    }

    fn touches(&self, tick: Tick) -> Vec<Touch> {
        self.contact.as_ref().map_or_else(Vec::new, |contact| contact.touches(tick))
    }

    fn save(&self) -> Checkpoint {
        let EngineSchedule { advanced_to: tick, due_start, instants_done: instants, .. } = self.schedule;
        let contact = self.contact.as_ref().map(|contact| contact.save(tick));
        let (contact, gap_minimum, of_contact) = contact.unwrap_or_default();
        Checkpoint {
            tick,
            due_start,
            state: self.state_now(),
            external: self.sums.external.clone(),
            evaluations: self.evaluations[..self.system.families.len()].to_vec(),
            last_kicks: self.sync_correction.save(&self.vertices.names),
            contact,
            gap_minimum,
            dcr: None,
            tolerance: None,
            effort: Effort { instants, contact: of_contact },
        }
    }

    fn summary(&self) -> MethodSummary {
        MethodSummary {
            instants: self.schedule.instants_done,
            evaluations: self.evaluations.clone(),
            times: PartTimes { searches: self.searching(), ..self.times },
            contact: self.contact.as_ref().map(EngineContact::summary),
            dcr: None,
            refinements: Vec::new(),
            given_up: None,
        }
    }
}
