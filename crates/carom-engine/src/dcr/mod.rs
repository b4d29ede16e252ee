//! Decomposition Contact Response [Cirak2005, summary]: contact by projection and reflection.
//!
//! All potentials share one step h. A step is Newmark's, explicit, with contact between predictor and corrector:
//!
//! | | | file |
//! | --- | --- | --- |
//! | predict | `x* = x + h v + h²/2 a(x)` | here |
//! | search | which pairs penetrate at x*? | `near`, `penetration` |
//! | project | `x' = x* + δ`, the least δ after which none does | `projection` |
//! | correct | `v* = v + h/2 (a(x) + a(x'))` | here |
//! | jump | normal part reflected, sliding part rubbed, at the pairs that penetrated | `decomposition` |
//!
//! The jump may also come before the corrector, and reflect the predictor's velocity `v + h/2 a(x)`: [`JumpOf`].
//!
//! Without contact it is Störmer–Verlet. A [`State`] holds velocities after the kick of their tick, `v + h/2 a`, so that reading
//! one takes half a kick back and sees Newmark's v.
//!
//! It is here for comparison, outside the contract: positions are moved by hand, and nothing promises that surfaces stay apart or that
//! energy is kept. What the hand does is booked for people in [`DcrSummary`], and never taken off the energy balance.
//!
//! **Never here:** layers, certificates, clocks other than the one.

mod contacts;
mod decomposition;
mod near;
mod options;
mod penetration;
mod projection;
mod solve;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod work;

use core::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom_contact::{ContactCheckpoint, ContactEffort, ContactEvent, Touch, Touches};
use carom_math::{F64x4, Vec3};
use carom_model::{Batch, ExternalLedger, Fault, ImpulseSums, PairId, Start, State, System};
use carom_time::{Span, Tick};

use crate::pins::held_back;
use crate::{
    Checkpoint, ContactSummary, DcrCheckpoint, DcrSummary, Effort, GapMinimum, InstantListener,
    InstantReport, Method, MethodSummary, PartTimes, Progress, ResumeError, diagnosis,
};

use decomposition::{Jump, Law};
use near::NearPairs;
pub use options::{DcrOptions, JumpOf};
pub use penetration::Penetration;
use projection::{Projected, project};
use work::{Readers, StraightMotion};

/// Potentials of one family, packed.
struct Group {
    family: usize,
    count: u64,
    batch: Box<dyn Batch>,
}

/// What contact did so far.
struct ContactRecord {
    touches: Touches,
    most_contacts: u64,
    /// The smallest distance of two primitives in contact, in m.
    smallest_distance: f64,
    /// Time spent on jumps: for people, never for decisions.
    jump_time: Duration,
    /// Time spent on projections, searches included: for people, never for decisions.
    projection_time: Duration,
}

/// What it took so far.
struct Counts {
    summary: DcrSummary,
    /// Gradients computed, by kind.
    evaluations: Vec<u64>,
    /// Steps, and the half kick of the start.
    instants: u64,
}

/// Newmark's explicit step with projection and reflection.
pub struct Dcr {
    system: Arc<System>,
    options: DcrOptions,
    step: Option<Span>,
    groups: Vec<Group>,
    state: State,
    /// The tick of the last step.
    now: Tick,
    /// Every step up to this tick has been taken.
    reached: Tick,
    /// Whether it is about to start: always with half a kick.
    due_start: Option<Start>,
    /// The configuration of the step under way.
    next: Vec<Vec3>,
    /// The configuration of the step under way, as potentials read it.
    rows: Vec<F64x4>,
    sums: ImpulseSums,
    near: Option<NearPairs>,
    readers: Readers,
    record: ContactRecord,
    counts: Counts,
}

impl Dcr {
    /// Starts at tick 0 on `system`, whose potentials share one clock.
    #[must_use]
    pub fn new(system: &Arc<System>, state: State, options: DcrOptions) -> Self {
        Self::with(system, &Checkpoint::start(system, Tick::START, state), options)
    }

    /// Goes on from a checkpoint of `system`, whose potentials share one clock.
    pub fn resume(system: &Arc<System>, from: &Checkpoint, options: DcrOptions) -> Result<Self, ResumeError> {
        from.must_fit(system)?;
        Ok(Self::with(system, from, options))
    }

    fn with(system: &Arc<System>, from: &Checkpoint, options: DcrOptions) -> Self {
        let (state, effort) = (from.state.clone(), from.effort.contact);
        let same: Vec<u32> = (0..system.vertices() as u32).collect();
        let mut groups = Vec::new();
        for (f, (family, schedule)) in system.families.iter().zip(&system.schedules).enumerate() {
            for rung in &schedule.rungs {
                let batch = family.batch(&schedule.order[rung.places.clone()], &same);
                groups.push(Group { family: f, count: rung.places.len() as u64, batch });
            }
        }
        let near = |_| match &from.dcr {
            Some(listed) => NearPairs::listed(system, options.penetration, listed, effort),
            None => NearPairs::new(system, options.penetration, &state.positions),
        };
        let mut sums = ImpulseSums::new(system.vertices());
        sums.external = from.external.clone();
        let step = options.step_of(system);
        Self {
            near: system.contact.as_ref().map(near),
            readers: Readers::new(system),
            step,
            groups,
            next: state.positions.clone(),
            rows: Vec::with_capacity(state.len()),
            sums,
            state,
            now: step.map_or(from.tick, |step| from.tick.floor(step)),
            reached: from.tick,
            due_start: from.due_start,
            record: ContactRecord {
                touches: Touches::restore(&from.contact.touches, &from.contact.meetings),
                most_contacts: effort.most_active,
                smallest_distance: from.contact.smallest_distance_m,
                jump_time: Duration::ZERO,
                projection_time: Duration::ZERO,
            },
            counts: Counts {
                summary: from.dcr.as_ref().map_or_else(DcrSummary::default, |dcr| dcr.summary),
                evaluations: from.evaluations_of(system),
                instants: from.effort.instants,
            },
            options,
            system: Arc::clone(system),
        }
    }

    /// One step, to `tick`.
    fn take_step(&mut self, tick: Tick) -> Result<(), Fault> {
        self.counts.summary.steps += 1;
        self.predict(tick);
        let projected = self.project();
        self.add_forces(tick, 1.0);
        let jump = projected.as_ref().map(|projected| self.jump(projected, tick));
        self.correct(tick, jump.as_ref())
    }

    /// Where every vertex would be at `tick` without contact.
    fn predict(&mut self, tick: Tick) {
        for (v, next) in self.next.iter_mut().enumerate() {
            *next = self.state.position_at(v, tick);
        }
    }

    /// Moves the predicted configuration out of penetration.
    fn project(&mut self) -> Option<Projected> {
        let near = self.near.as_mut()?;
        let started = Instant::now();
        let (before, masses) = (&self.state.positions, &self.system.inverse_masses);
        let projected = project(near, self.options.penetration, masses, before, &mut self.next);
        if let Some(projected) = &projected {
            let mut predicted = self.next.clone();
            projected.predicted.iter().for_each(|(v, x)| predicted[*v as usize] = *x);
            let moved: Vec<u32> = projected.predicted.iter().map(|(v, _)| *v).collect();
            let step_s = self.step.map_or(0.0, |step| self.state.quantum().step(step));
            let motion = StraightMotion { velocities: &self.state.velocities, step_s };
            let work = self.readers.work(&self.system, &moved, [&predicted, &self.next], &motion);
            self.counts.summary.projections += 1;
            self.counts.summary.projection_work_j += work.potential_j;
            self.counts.summary.projection_work_gross_j += work.potential_j.abs();
            self.counts.summary.corrector_work_j += work.kinetic_j;
            self.counts.summary.deepest_m = self.counts.summary.deepest_m.max(projected.deepest);
            self.record.most_contacts = self.record.most_contacts.max(projected.pairs.len() as u64);
        }
        self.record.projection_time += started.elapsed();
        projected
    }

    /// Impulses of all potentials at the new configuration.
    fn add_forces(&mut self, tick: Tick, fraction: f64) {
        self.counts.instants += 1;
        let Some(step) = self.step else { return };
        let h = fraction * self.state.quantum().step(step);
        let time_s = self.state.quantum().time(tick);
        self.rows.clear();
        self.rows.extend(self.next.iter().map(|&x| F64x4::from(x)));
        for group in &self.groups {
            group.batch.kick_at(time_s, h, &self.rows, &mut self.sums);
            self.counts.evaluations[group.family] += group.count;
        }
    }

    /// The jump of the velocities that the options name; the impulses of this step's forces are half the corrector.
    fn jump(&mut self, projected: &Projected, tick: Tick) -> Jump {
        let started = Instant::now();
        let (before, after) = (&self.state.positions, &self.next);
        let row = |(pair, thickness): &(carom_contact::Pair, f64)| {
            self.options.penetration.row(pair, *thickness, |v| before[v as usize], |v| after[v as usize])
        };
        let rows: Vec<_> = projected.pairs.iter().map(row).collect();
        let masses = &self.system.inverse_masses;
        let corrector = |v: u32| (self.sums.sum(v as usize) * 0.5).scaled_by(masses[v as usize]);
        let motion = |v: u32| self.state.velocities[v as usize];
        let law = Law { restitution: self.options.restitution, friction: self.options.friction };
        let jump = match self.options.jump {
            JumpOf::Corrected => decomposition::jump(&rows, masses, law, |v| motion(v) + corrector(v)),
            JumpOf::Predicted => {
                let mut jump = decomposition::jump(&rows, masses, law, motion);
                // What the jump kept is not yet Newmark's velocity: the corrector comes on top.
                let after = jump.vertices.iter().zip(&jump.impulses).map(|(v, j)| j.dot(corrector(*v)));
                jump.energy_j += after.sum::<f64>();
                jump
            }
        };
        if jump.reflected > 0 {
            self.counts.summary.jumps += 1;
            self.counts.summary.reflected += jump.reflected;
            self.counts.summary.jump_work_j += jump.energy_j;
        }
        if let Some(contacts) = self.counts.evaluations.last_mut() {
            *contacts += rows.len() as u64;
        }
        self.book(projected, &jump, tick);
        self.record.jump_time += started.elapsed();
        jump
    }

    /// Books what two bodies did to each other.
    fn book(&mut self, projected: &Projected, jump: &Jump, tick: Tick) {
        let near = self.near.as_ref().expect("only contact jumps");
        let longest = self.step.expect("only a step jumps");
        for ((pair, _), impulse) in projected.pairs.iter().zip(&jump.on_first) {
            let [a, b] = near.rules.bodies_of(pair.id);
            let x = carom_contact::PairRules::positions(pair, |v| self.next[v as usize]);
            let at = pair.measure(&x);
            let (distance, virial) = (at.distance, impulse.dot(at.separation));
            self.record.smallest_distance = self.record.smallest_distance.min(distance);
            let impulse = match a.cmp(&b) {
                core::cmp::Ordering::Less => *impulse,
                core::cmp::Ordering::Equal => Vec3::ZERO,
                core::cmp::Ordering::Greater => -*impulse,
            };
            let kicks = f64::INFINITY;
            let push =
                ContactEvent { tick, longest, impulse, distance, layer: 0, kicks, virial, meeting: None };
            self.record.touches.book([a.min(b), a.max(b)], &push);
        }
    }

    /// Takes the new configuration, with a whole kick: half of it ends this step, half begins the next.
    fn correct(&mut self, tick: Tick, jump: Option<&Jump>) -> Result<(), Fault> {
        if let Some(Jump { vertices, impulses, .. }) = jump {
            for (v, impulse) in vertices.iter().zip(impulses) {
                self.sums.add(*v, *impulse);
            }
        }
        (self.now, self.reached) = (tick, tick);
        let mut finite = true;
        for v in 0..self.next.len() {
            let sum = self.sums.take(v).unwrap_or(Vec3::ZERO);
            let inverse_mass = self.system.inverse_masses[v];
            self.state.positions[v] = self.next[v];
            let before = self.state.velocities[v];
            self.state.velocities[v] += sum.scaled_by(inverse_mass);
            self.sums.book_driven(v, before, self.state.velocities[v]);
            self.state.kicked_at[v] = tick;
            finite &= self.state.velocities[v].is_finite();
            if self.system.is_pinned(v) {
                let (dof_kind, j) = (self.system.dof_kind(v), held_back(sum, inverse_mass));
                self.sums.external.hold(dof_kind, self.next[v], self.state.velocities[v], j);
            }
        }
        self.sums.end_instant();
        for group in &self.groups {
            group.batch.remember(&self.rows, &mut self.state.positions);
        }
        if finite {
            return Ok(());
        }
        let broken = self.state.velocities.iter().position(|u| !u.is_finite());
        let broken = broken.expect("some vertex is not finite");
        Err(diagnosis::of_vertex(&self.system, &self.state, broken, tick))
    }

    /// Half a kick: from Newmark's velocities to those that the first step flies with.
    fn begin(&mut self) -> Result<(), Fault> {
        self.add_forces(self.now, 0.5);
        self.correct(self.now, None)
    }

    /// Tells a listener of the step just taken: every vertex is kicked at every step, and no pair pushes from afar.
    fn report(&self, listener: &mut dyn InstantListener) -> ControlFlow<()> {
        if listener.wants_kicks() {
            for v in 0..self.state.len() {
                listener.kicked(v as u32, self.now, self.state.positions[v], self.state.velocities[v]);
            }
        }
        let nothing = InstantReport { tick: self.now, nearest_push_m: f64::INFINITY, gap_minimum_m: None };
        listener.after_instant(&nothing)
    }

    /// What contact took so far.
    fn contact_effort(&self) -> ContactEffort {
        let Some(near) = &self.near else { return ContactEffort::default() };
        ContactEffort {
            evaluations: self.counts.evaluations.last().copied().unwrap_or(0),
            measures: near.measures,
            searches: near.searches,
            most_active: self.record.most_contacts,
        }
    }

    /// Where its time went: jumps count as forces of pairs, projections as certificates.
    fn part_times(&self) -> PartTimes {
        let searches = self.near.as_ref().map_or(Duration::ZERO, |near| near.searching);
        PartTimes {
            pairs: self.record.jump_time,
            certificates: self.record.projection_time.saturating_sub(searches),
            searches,
            ..PartTimes::default()
        }
    }

    /// How contact went so far.
    fn contact_summary(&self) -> Option<ContactSummary> {
        self.near.as_ref()?;
        Some(self.contact_effort().summary(self.record.smallest_distance, 0))
    }
}

impl Method for Dcr {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        listener: &mut dyn InstantListener,
    ) -> Result<Progress, Fault> {
        if self.due_start.take().is_some() {
            self.begin()?;
            if self.report(listener).is_break() {
                return Ok(Progress::Paused(self.now));
            }
        }
        while let Some(tick) = self.step.map(|step| self.now.after(step)).filter(|tick| *tick <= end) {
            self.take_step(tick)?;
            let answer = self.report(listener);
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
        self.now
    }

    fn system(&self) -> &Arc<System> {
        &self.system
    }

    fn state(&self) -> State {
        self.state.clone()
    }

    fn external(&self) -> ExternalLedger {
        self.sums.external.clone()
    }

    /// None: hard contact stores no energy.
    fn pairs(&self) -> Vec<PairId> {
        Vec::new()
    }

    fn touches(&self, tick: Tick) -> Vec<Touch> {
        self.record.touches.at(tick)
    }

    fn save(&self) -> Checkpoint {
        let (touches, meetings) = self.record.touches.save(self.reached);
        let listed = self.near.as_ref().map(NearPairs::save);
        let (anchors, [skin_m, moved_m]) = listed.unwrap_or_default();
        Checkpoint {
            tick: self.reached,
            due_start: self.due_start,
            state: self.state.clone(),
            external: self.sums.external.clone(),
            evaluations: self.counts.evaluations[..self.system.families.len()].to_vec(),
            last_kicks: Vec::new(),
            contact: ContactCheckpoint {
                touches,
                meetings,
                smallest_distance_m: self.record.smallest_distance,
                ..ContactCheckpoint::default()
            },
            gap_minimum: GapMinimum::default(),
            dcr: Some(DcrCheckpoint { summary: self.counts.summary, anchors, skin_m, moved_m }),
            tolerance: None,
            effort: Effort { instants: self.counts.instants, contact: self.contact_effort() },
        }
    }

    fn summary(&self) -> MethodSummary {
        MethodSummary {
            instants: self.counts.instants,
            evaluations: self.counts.evaluations.clone(),
            times: self.part_times(),
            contact: self.contact_summary(),
            dcr: Some(self.counts.summary),
            refinements: Vec::new(),
            given_up: None,
        }
    }
}
