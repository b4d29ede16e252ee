//! The audit of a run, while it happens or replayed from its folder.
//!
//! Runs are deterministic, so a run can be audited at any time: it is replayed, two judges check every kick, and its records are compared.
//!
//! | judge | checks | file |
//! | --- | --- | --- |
//! | `carom_audit` | that no two surfaces pass through each other, at any instant | `surface` says which surfaces |
//! | the contract | that the kicks of sampled instants have exactly its bits | `sample` |
//! | the replay | that the files in the folder hold exactly what it gives | `replay`, `recorded`, `carom_output::records` |

mod recorded;
mod replay;
mod sample;
mod surface;

use core::ops::ControlFlow;
use std::sync::Arc;

use carom_audit::{Beginning, Crossing, Judge, Verdict};
use carom_engine::{Inspector, InstantListener, InstantReport, Method};
use carom_math::Vec3;
use carom_model::{State, System};
use carom_output::{AuditSummary, CrossingPair};
use carom_scene::Built;
use carom_time::Tick;

pub use replay::{AuditError, Audited, Replay, replay};
use sample::Samples;
pub use sample::{Breach, Difference};
pub use surface::{look_within_m, surface};

/// Results of both judges: clean, or what went wrong, where and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// Crossings and smallest distance.
    pub verdict: Verdict,
    /// Number of instants that were recomputed as the contract says.
    pub instants_sampled: u64,
    /// What an instant left otherwise than the contract does.
    pub breaches: Vec<Breach>,
}

impl Findings {
    /// Whether there is no crossing and no violation of the contract.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.verdict.is_clean() && self.breaches.is_empty()
    }

    /// Summary for users and scripts; of many crossings the first hundred.
    #[must_use]
    pub fn summary(&self) -> AuditSummary {
        let Verdict { crossings, closest, look_within_m, first_bend, work, .. } = &self.verdict;
        let pair_of = |crossing: &Crossing| CrossingPair {
            kind: crossing.pair.kind().name().to_owned(),
            first: crossing.pair.first().to_vec(),
            second: crossing.pair.second().to_vec(),
            time_s: crossing.time_s,
        };
        let breach = self.breaches.first().map(Breach::to_string);
        let bend = first_bend.map(|b| format!("the flight of vertex {} to tick {}", b.vertex, b.tick));
        AuditSummary {
            crossings: crossings.len() as u64,
            first_crossings: crossings.iter().take(100).map(pair_of).collect(),
            min_distance: closest.map(|c| c.distance_m),
            min_distance_at_least: closest.map(|c| c.at_least_m),
            nearest_pair: closest.map(|c| c.pair.to_string()),
            nearest_at_s: closest.map(|c| c.time_s),
            looked_within: *look_within_m,
            contract_violations: self.contract_violations(),
            first_violation: breach.or(bend),
            instants_sampled: self.instants_sampled,
            work: [
                ("positions", work.corners),
                ("windows", work.windows),
                ("searches", work.searches),
                ("pairs", work.pairs),
                ("close_looks", work.interval_tests),
                ("exact_decisions", work.exact_decisions),
            ]
            .map(|(name, count)| (name.to_owned(), count))
            .into(),
        }
    }

    /// Number of violations of the contract: kicks with other bits, and motions between kicks that were not straight.
    #[must_use]
    pub fn contract_violations(&self) -> u64 {
        self.breaches.len() as u64 + self.verdict.bends
    }
}

/// The audit of a run as it goes on: an inspector for [`Simulation::run`](crate::Simulation::run), which changes no bit. [`Job::audit`](crate::job::Job::audit) has a job do this by itself.
pub struct Audit<'a> {
    system: Arc<System>,
    built: &'a Built,
    /// Tick from which on the run is audited.
    from: Tick,
    so_far: SoFar,
    /// The same, up to where the run is never taken back.
    confirmed: SoFar,
}

/// How far an audit has come.
#[derive(Clone)]
struct SoFar {
    now: Tick,
    /// Checks all surfaces, once the audit has begun.
    judge: Option<Judge>,
    samples: Samples,
    /// The state before the next instant that is sampled, once it has been reached.
    before: Option<State>,
}

impl<'a> Audit<'a> {
    /// The audit of a run of `system` that starts in `state`, from one tick to another.
    #[must_use]
    pub fn new(state: &State, system: &Arc<System>, built: &'a Built, [from, to]: [Tick; 2]) -> Self {
        let samples = Samples::between(system, from, to);
        let system = Arc::clone(system);
        let so_far = SoFar { now: Tick::START, judge: None, samples, before: None };
        let mut audit = Self { system, built, from, confirmed: so_far.clone(), so_far };
        if from == Tick::START {
            audit.open(state);
            audit.confirmed = audit.so_far.clone();
        }
        audit
    }

    /// Ends the audit of a run that reached a tick, in `state`, and returns its results.
    #[must_use]
    pub fn close(mut self, state: &State, reached: Tick) -> Findings {
        self.so_far.now = self.so_far.now.max(reached);
        if self.so_far.judge.is_none() {
            self.open(state);
        }
        let judge = self.so_far.judge.take().expect("it was opened");
        let (instants_sampled, breaches) = self.so_far.samples.found();
        Findings { verdict: judge.close(self.so_far.now), instants_sampled, breaches }
    }

    /// Starts the judge where everything is now.
    fn open(&mut self, state: &State) {
        let beginning = Beginning {
            tick: self.so_far.now,
            positions: &state.positions,
            velocities: &state.velocities,
            stored_at: &state.kicked_at,
            quantum: state.quantum(),
        };
        let surface = surface(self.built);
        let look_within_m = look_within_m(&self.system, &surface, &state.positions);
        self.so_far.judge = Some(Judge::new(surface, &beginning, look_within_m));
    }
}

impl InstantListener for Audit<'_> {
    fn wants_kicks(&self) -> bool {
        self.so_far.judge.is_some()
    }

    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        if let Some(judge) = &mut self.so_far.judge {
            judge.moved(vertex, tick, position, velocity);
        }
    }

    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        self.so_far.now = report.tick;
        ControlFlow::Continue(())
    }
}

/// The method stands still before and after every instant that is sampled.
impl Inspector for Audit<'_> {
    fn next_tick(&self) -> Option<Tick> {
        if self.so_far.judge.is_none() {
            return Some(self.from);
        }
        let sampled = self.so_far.samples.next()?;
        Some(if self.so_far.before.is_some() { sampled } else { Tick(sampled.0 - 1) })
    }

    fn inspect(&mut self, method: &dyn Method, tick: Tick) -> ControlFlow<()> {
        self.so_far.now = tick;
        let state = method.state();
        if self.so_far.judge.is_none() {
            self.open(&state);
        }
        let SoFar { samples, before, .. } = &mut self.so_far;
        if let Some(before) = before.take() {
            samples.compare(method.system(), before, &state, tick);
        }
        *before = samples.next().is_some_and(|sampled| sampled.0 == tick.0 + 1).then_some(state);
        if method.confirmed_until() == Some(tick) {
            self.confirmed = self.so_far.clone();
        }
        ControlFlow::Continue(())
    }

    fn confirmed(&mut self, _: &dyn Method, tick: Tick) -> ControlFlow<()> {
        self.so_far.now = tick;
        self.confirmed = self.so_far.clone();
        ControlFlow::Continue(())
    }

    fn went_back(&mut self, _: Option<Tick>) {
        self.so_far = self.confirmed.clone();
        // The last kick before it was another: that of the joint.
        self.so_far.before = None;
    }
}
