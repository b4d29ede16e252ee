//! The fast engine: instants are batches.
//!
//! Potentials are packed by (kind, step), so what fires at an instant is a few contiguous runs.
//! Vertices are renumbered by the shortest step that reaches them, then by first use: with dyadic clocks the vertices
//! of an instant are then a prefix of every array, and drift, forces and kicks each walk memory
//! once. Nothing is allocated but for searches, and for lists of contacts that grow.
//!
//! Renumbering and packing change the order of work, never the order of a vertex's sum: batches
//! fire in the order of ids, and each adds its elements in that order.

mod clock_vertices;
mod group;
mod vertices;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use carom_contact::{
    CertifierKind, ContactPipeline, DissipativeContact, PairRules, Sharing, Touch, TouchedVertices,
};
use carom_math::Vec3;
use carom_model::{
    Corner, DofKind, ExternalLedger, Fault, Kicks, PairId, Path, Start, State, System, corners,
};
use carom_time::{Instants, Span, Tick};

use clock_vertices::ClockVertices;
use group::{Group, Work};
use vertices::Vertices;

use crate::gap_minimum::GapMinimum;
use crate::resist::Resistances;
use crate::sync_correction::SyncCorrection;
use crate::team::Team;
use crate::threads::Threads;
use crate::{ContactSummary, KickListener, Method, Progress, diagnosis};

/// More vertices than any damped element has.
const MOST_VERTICES: usize = 16;

/// Batches per rung.
pub struct Carom {
    system: Arc<System>,
    /// In the order of ids.
    groups: Vec<Group>,
    instants: Instants,
    reach: ClockVertices,
    vertices: Vertices,
    kicks: Kicks,
    contact: Option<Box<ContactPipeline>>,
    gap_minimum: GapMinimum,
    resistances: Resistances,
    sync_correction: SyncCorrection,
    /// Scratch: the vertices of pairs that fired at this instant, and those that exact clocks reach.
    others: Vec<u32>,
    /// How many vertices the elastic clocks of the last instant reached, all below this number.
    prefix: usize,
    /// Time spent on elements, on forces of pairs, and on proofs and searches: for people, never for decisions.
    in_elements: Duration,
    pushing: Duration,
    certifying: Duration,
    /// Prescribed motions, in the engine's numbering; where they turn, and how many of these corners are past.
    paths: Vec<Path>,
    corners: Vec<Corner>,
    keyframes_applied: usize,
    /// Every instant up to this tick has happened.
    reached: Tick,
    start_is_due: bool,
    evaluations: Vec<u64>,
    count: u64,
    dyadic: bool,
    team: Team,
}

impl Carom {
    /// Starts at tick 0.
    #[must_use]
    pub fn new(system: &Arc<System>, state: &State) -> Self {
        Self::with(system, state, CertifierKind::default(), 1.into())
    }

    /// Starts at tick 0 on as many threads: they change no bit.
    #[must_use]
    pub fn on_threads(system: &Arc<System>, state: &State, threads: impl Into<Threads>) -> Self {
        Self::with(system, state, CertifierKind::default(), threads.into())
    }

    /// Starts at tick 0, with another way to certify layers of contact: it changes no bit.
    #[must_use]
    pub fn with_certifier(system: &Arc<System>, state: &State, kind: CertifierKind) -> Self {
        Self::with(system, state, kind, 1.into())
    }

    fn with(system: &Arc<System>, state: &State, kind: CertifierKind, threads: Threads) -> Self {
        let rungs = system.schedules.iter().flat_map(|schedule| &schedule.rungs);
        let in_contact = system.contact.as_ref().map_or(0, |contact| contact.vertices.len());
        let largest = rungs.map(|rung| rung.places.len()).fold(in_contact, usize::max);
        let team = Team::new(if largest < threads.worth_sharing { 1 } else { threads.count });
        let threads = Threads { count: team.size(), ..threads };
        let spans = system.spans();
        let clock_of =
            |span: Span| spans.binary_search(&span).expect("every step is among the distinct steps");
        let names = in_order_of_use(system);
        let mut renumbered = vec![0_u32; names.len()];
        for (i, &v) in names.iter().enumerate() {
            renumbered[v as usize] = i as u32;
        }
        let mut groups = Vec::new();
        for (f, (family, schedule)) in system.families.iter().zip(&system.schedules).enumerate() {
            for rung in &schedule.rungs {
                let elements = &schedule.order[rung.places.clone()];
                let damped = elements
                    .iter()
                    .map(|&e| e as usize)
                    .filter(|&e| system.is_damped && family.damping_s(e) > 0.0);
                let named = |e: usize| family.stencil(e).iter().map(|&v| renumbered[v as usize]).collect();
                groups.push(Group {
                    damped: damped.map(|e| (e, named(e))).collect(),
                    family: f,
                    clock: clock_of(rung.span),
                    span: rung.span,
                    h: system.line.quantum.step(rung.span),
                    count: rung.places.len() as u64,
                    remembers: family.memory() > 0,
                    work: Work::new(family.as_ref(), elements, &renumbered, threads),
                });
            }
        }
        let paths = renumber(&system.paths, &renumbered);
        let reach = ClockVertices::new(system, &spans, &renumbered);
        let is_shared = team.size() > 1;
        let vertices = Vertices::new(system, state, names, is_shared.then_some(threads.worth_sharing));
        let sharing = if is_shared { threads.contact } else { Sharing::NONE };
        let start = || {
            let rules = PairRules::new(system, renumbered);
            Box::new(ContactPipeline::new(kind, system, rules, &vertices.motion(), sharing))
        };
        let contact = system.contact.is_some().then(|| team.lead(start));
        Self {
            reach,
            vertices,
            contact,
            gap_minimum: GapMinimum::default(),
            resistances: Resistances::new(state),
            sync_correction: SyncCorrection::new(system),
            others: Vec::new(),
            prefix: 0,
            in_elements: Duration::ZERO,
            pushing: Duration::ZERO,
            certifying: Duration::ZERO,
            kicks: Kicks::new(system.vertices()),
            instants: Instants::new(&spans, Tick::START),
            corners: corners(&paths),
            paths,
            keyframes_applied: 0,
            reached: Tick::START,
            start_is_due: true,
            evaluations: vec![0; system.kinds().len()],
            count: 0,
            dyadic: spans.iter().all(|s| s.quanta().is_power_of_two()),
            groups,
            team,
            system: Arc::clone(system),
        }
    }

    /// One instant: the clocks `firing` (ascending) and awake layers fire with `fraction` of their steps.
    fn fire(&mut self, tick: Tick, firing: &[usize], fraction: f64) -> Result<(), Fault> {
        self.count += 1;
        self.reached = tick;
        self.others.clear();
        let prefix = match firing.last() {
            Some(&slowest) if self.dyadic => {
                let reached = self.reach.prefix[slowest];
                self.vertices.drift_prefix(reached, tick);
                reached
            }
            Some(_) => {
                self.reach.gather(firing);
                self.others.extend(&self.reach.union);
                self.vertices.drift(self.others.iter().map(|&v| v as usize), tick);
                0
            }
            None => 0,
        };
        self.prefix = prefix;
        self.add_impulses(tick, firing, fraction);
        self.apply_keyframes(tick);
        if let Some(contact) = &mut self.contact {
            let started = Instant::now();
            let before = self.others.len();
            contact.apply_impulses(
                tick,
                fraction,
                &self.vertices.motion(),
                &mut self.kicks,
                &mut self.others,
            );
            self.others.extend(contact.dissipative().iter().flat_map(DissipativeContact::touched));
            self.vertices.keep_new(&mut self.others, before, prefix, tick);
            self.vertices.drift(self.others[before..].iter().map(|&v| v as usize), tick);
            *self.evaluations.last_mut().expect("contact is counted") = contact.counters().evaluations;
            self.pushing += started.elapsed();
        }
        let resisted = self.is_resisted(firing);
        if resisted {
            self.vertices.keep_velocities(reached(prefix, &self.others));
        }
        self.kick(tick)?;
        if resisted {
            self.resist(tick, firing, fraction)?;
        }
        self.kicks.end_instant();
        self.vertices.keep_keyframed();
        self.remember(firing);
        self.update_certificates(tick)
    }

    /// Turns the vertices of paths that have a corner at `tick`.
    fn apply_keyframes(&mut self, tick: Tick) {
        while let Some(corner) = self.corners.get(self.keyframes_applied).filter(|c| c.tick <= tick) {
            let path = &self.paths[corner.path];
            self.vertices.gap_minimum(path, corner.key);
            let before = self.others.len();
            self.others.extend(&path.vertices);
            self.vertices.keep_new(&mut self.others, before, self.prefix, tick);
            self.keyframes_applied += 1;
        }
    }

    /// Kicks what the potentials touched.
    fn kick(&mut self, tick: Tick) -> Result<(), Fault> {
        let kicked = self.vertices.kick(self.prefix, &self.others, tick, &mut self.kicks);
        self.kicks.end_stage();
        kicked.map_err(|vertex| diagnosis::of_vertex(&self.system, &self.state(), vertex, tick))
    }

    /// Whether something resists motion at an instant at which the clocks `firing` fire.
    fn is_resisted(&self, firing: &[usize]) -> bool {
        let elements = self.groups.iter().any(|g| !g.damped.is_empty() && g.fires(firing));
        elements || self.contact.as_ref().is_some_and(|contact| !contact.dissipative().is_empty())
    }

    /// The second and the third stage: what resists motion answers the velocities.
    fn resist(&mut self, tick: Tick, firing: &[usize], fraction: f64) -> Result<(), Fault> {
        let Vertices { now, velocities, inverse_masses, .. } = &self.vertices;
        self.resistances.begin();
        for group in self.groups.iter().filter(|g| g.fires(firing)) {
            let family = &self.system.families[group.family];
            let h = fraction * group.h;
            for (element, stencil) in &group.damped {
                let n = stencil.len();
                let (mut x, mut u) = ([Vec3::ZERO; MOST_VERTICES], [Vec3::ZERO; MOST_VERTICES]);
                for (i, &v) in stencil.iter().enumerate() {
                    (x[i], u[i]) = (now[v as usize].xyz(), velocities[v as usize]);
                }
                self.resistances.element((family.as_ref(), *element), stencil, (&x[..n], &u[..n]), h);
            }
        }
        if self.resistances.apply_damping(velocities, inverse_masses, &mut self.kicks) {
            self.kick(tick)?;
        }
        let Vertices { velocities, inverse_masses, .. } = &self.vertices;
        let acting = self.contact.as_ref().map_or(&[][..], |contact| contact.dissipative());
        if self.resistances.apply_contact_laws(tick, acting, (velocities, inverse_masses), &mut self.kicks) {
            self.kick(tick)?;
        }
        let Vertices { now, before, velocities, inverse_masses, .. } = &self.vertices;
        let by_contact =
            |v: u32| self.contact.as_ref().map_or(Vec3::ZERO, |contact| contact.pending_impulse(v, tick));
        let lag =
            |v: u32| (self.sync_correction.due(v) + by_contact(v)).scaled_by(inverse_masses[v as usize]);
        self.resistances.book(|v| now[v as usize].xyz(), (before, velocities), lag, &mut self.kicks.external);
        Ok(())
    }

    /// Lets the potentials on the clocks `firing` take down what they saw.
    fn remember(&mut self, firing: &[usize]) {
        let Vertices { now, positions, .. } = &mut self.vertices;
        for group in self.groups.iter().filter(|g| g.remembers && g.fires(firing)) {
            group.work.remember(now, positions);
        }
    }

    /// Renews the certificates of contact after the kicks of `tick`.
    fn update_certificates(&mut self, tick: Tick) -> Result<(), Fault> {
        let Some(contact) = &mut self.contact else { return Ok(()) };
        let started = Instant::now();
        let touched = TouchedVertices { prefix: self.prefix as u32, others: &self.others };
        let outcome = contact.update_certificates(tick, &self.vertices.motion(), touched);
        self.certifying += started.elapsed();
        outcome.map_err(|failure| diagnosis::of_separation_failure(&self.system, &failure))
    }

    /// The first instant: half a kick of everything, or none.
    fn begin(&mut self) -> Result<(), Fault> {
        if self.system.start == Start::HalfKick {
            let all: Vec<usize> = (0..self.reach.members.len()).collect();
            self.fire(Tick::START, &all, 0.5)?;
        }
        self.apply_keyframes(Tick::START);
        self.vertices.keep_keyframed();
        self.others.clear();
        self.prefix = self.system.vertices();
        self.update_certificates(Tick::START)
    }

    /// Tells a witness of the kicks of the instant that just happened.
    fn tell(&self, tick: Tick, listener: &mut dyn KickListener) {
        let Vertices { names, positions, velocities, kicked_at, meanings, .. } = &self.vertices;
        for i in reached(self.prefix, &self.others) {
            // What is remembered does not fly.
            if kicked_at[i] == tick && meanings[i] != DofKind::Memory {
                listener.kicked(names[i], tick, positions[i], velocities[i]);
            }
        }
    }

    fn add_impulses(&mut self, tick: Tick, firing: &[usize], fraction: f64) {
        let started = Instant::now();
        let time_s = self.vertices.quantum.time(tick);
        for group in self.groups.iter().filter(|g| g.fires(firing)) {
            group.work.kick(time_s, fraction * group.h, &self.vertices.now, &mut self.kicks);
            self.evaluations[group.family] += group.count;
            if self.sync_correction.is_kept() {
                let reached = reached(self.prefix, &self.others);
                self.sync_correction.note((group.family, group.span), fraction, &self.kicks, reached);
            }
        }
        if self.sync_correction.is_kept() {
            self.sync_correction.end(tick, reached(self.prefix, &self.others));
        }
        self.in_elements += started.elapsed();
    }
}

/// The vertices of an instant: a prefix and others.
fn reached(prefix: usize, others: &[u32]) -> impl Iterator<Item = usize> {
    (0..prefix).chain(others.iter().map(|&v| v as usize))
}

/// Paths whose vertices are called otherwise.
fn renumber(paths: &[Path], renumbered: &[u32]) -> Vec<Path> {
    let name = |path: &Path| path.vertices.iter().map(|&v| renumbered[v as usize]).collect();
    paths.iter().map(|path| Path { vertices: name(path), ..path.clone() }).collect()
}

/// The vertices sorted by the shortest step of the potentials that read them, then in the order in which potentials first do: what is
/// computed together lies together.
fn in_order_of_use(system: &System) -> Vec<u32> {
    let mut shortest = vec![u64::MAX; system.vertices()];
    let mut names = Vec::with_capacity(system.vertices());
    let mut is_named = vec![false; system.vertices()];
    for (family, schedule) in system.families.iter().zip(&system.schedules) {
        for (e, span) in schedule.spans.iter().enumerate() {
            for &v in family.stencil(e) {
                let s = &mut shortest[v as usize];
                *s = (*s).min(span.quanta());
                if !core::mem::replace(&mut is_named[v as usize], true) {
                    names.push(v);
                }
            }
        }
    }
    names.extend((0..system.vertices() as u32).filter(|v| !is_named[*v as usize]));
    names.sort_by_key(|&v| shortest[v as usize]);
    names
}

impl Carom {
    /// As [`Method::advance`], on a thread of the team.
    fn go_on(
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
        let mut instants = core::mem::replace(&mut self.instants, Instants::new(&[], Tick::START));
        let mut outcome = Ok(Progress::Reached);
        loop {
            let contact = self.contact.as_ref().and_then(|contact| contact.next_tick());
            let corner = self.corners.get(self.keyframes_applied).map(|corner| corner.tick);
            let other = contact.into_iter().chain(corner).min().filter(|tick| *tick <= end);
            let (tick, firing): (Tick, &[usize]) = match (other, instants.peek()) {
                (Some(tick), Some(next)) if tick < next => (tick, &[]),
                (Some(tick), None) => (tick, &[]),
                _ => match instants.next_until(end) {
                    Some(instant) => instant,
                    None => break,
                },
            };
            if let Err(fault) = self.fire(tick, firing, 1.0) {
                outcome = Err(fault);
                break;
            }
            if let Some(listener) = &mut listener {
                self.tell(tick, &mut **listener);
            }
            if stop.load(Ordering::Relaxed) {
                outcome = Ok(Progress::Stopped(tick));
                break;
            }
            let nearest = self.contact.as_ref().map_or(f64::INFINITY, |contact| contact.nearest_push());
            if let Some(distance) = self.gap_minimum.at(nearest) {
                outcome = Ok(Progress::GapMinimum { tick, distance });
                break;
            }
        }
        self.instants = instants;
        if outcome == Ok(Progress::Reached) {
            self.reached = end;
        }
        outcome
    }
}

impl Method for Carom {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        listener: Option<&mut dyn KickListener>,
    ) -> Result<Progress, Fault> {
        let team = self.team.clone();
        team.lead(|| self.go_on(end, stop, listener))
    }

    fn state(&self) -> State {
        let vertices = &self.vertices;
        let zero = vec![Vec3::ZERO; vertices.names.len()];
        let mut state = State::new(zero.clone(), zero, vertices.quantum);
        for (i, &v) in vertices.names.iter().enumerate() {
            state.positions[v as usize] = vertices.positions[i];
            state.velocities[v as usize] = vertices.velocities[i];
            state.kicked_at[v as usize] = vertices.kicked_at[i];
        }
        state.unspent = self.resistances.unspent(self.reached);
        state
    }

    fn external(&self) -> ExternalLedger {
        self.kicks.external
    }

    fn evaluations(&self) -> &[u64] {
        &self.evaluations
    }

    fn in_elements(&self) -> Option<Duration> {
        Some(self.in_elements)
    }

    fn instants(&self) -> u64 {
        self.count
    }

    fn pairs(&self) -> Vec<PairId> {
        self.contact.as_ref().map_or_else(Vec::new, |contact| contact.active_pairs())
    }

    fn contact(&self) -> Option<ContactSummary> {
        self.contact.as_ref().map(|contact| ContactSummary::of(contact, self.pushing, self.certifying))
    }

    fn touches(&self) -> Vec<Touch> {
        self.contact.as_ref().map_or_else(Vec::new, |contact| contact.touches().to_vec())
    }
}
