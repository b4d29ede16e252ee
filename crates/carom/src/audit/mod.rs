//! A run, judged while it happens or replayed from its folder.
//!
//! A run has one set of bits, so it can be judged at any time: replay it, and hold every kick against
//! two judges.
//!
//! | judge | asks | file |
//! | --- | --- | --- |
//! | `carom_audit` | did two surfaces pass through each other, at any instant? | `surface` says which surfaces |
//! | the contract | did the kicks of an instant follow it? By the letter, at some instants | `sample` |

mod replay;
mod sample;
mod surface;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use carom_audit::{Beginning, Crossing, Judge, Verdict};
use carom_engine::{ContactSummary, KickListener, Method, Progress, Touch};
use carom_math::Vec3;
use carom_model::{ExternalLedger, Fault, PairId, State, System};
use carom_output::{AuditSummary, CrossingPair};
use carom_scene::Built;
use carom_time::Tick;

pub use replay::{AuditError, Audited, Replay, replay};
use sample::Samples;
pub use sample::{Breach, Difference};
pub use surface::{look_within_m, surface};

/// What both judges found.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// What passed through what.
    pub verdict: Verdict,
    /// Instants that were repeated by the letter of the contract.
    pub instants_sampled: u64,
    /// What an instant left otherwise than the contract does.
    pub breaches: Vec<Breach>,
}

impl Findings {
    /// Whether there is nothing to complain about.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.verdict.is_clean() && self.breaches.is_empty()
    }

    /// For people and scripts; of many crossings the first hundred.
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
                ("close_looks", work.close_looks),
                ("exact_decisions", work.exact_decisions),
            ]
            .map(|(name, count)| (name.to_owned(), count))
            .into(),
        }
    }

    /// How often the contract was broken: kicks that came out otherwise, and flights that were not straight.
    #[must_use]
    pub fn contract_violations(&self) -> u64 {
        self.breaches.len() as u64 + self.verdict.bends
    }
}

/// A method with judges: it moves as it would without them.
pub struct AuditedMethod<'a> {
    method: &'a mut dyn Method,
    system: Arc<System>,
    built: &'a Built,
    /// Judged is what happens from here on.
    from: Tick,
    now: Tick,
    judge: Option<AuditListener>,
    samples: Samples,
}

/// The judge, listening.
struct AuditListener(Judge);

impl KickListener for AuditListener {
    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        self.0.moved(vertex, tick, position, velocity);
    }
}

impl<'a> AuditedMethod<'a> {
    /// Judges `method`, started on `system`, from one tick to another.
    pub fn new(
        method: &'a mut dyn Method,
        system: &Arc<System>,
        built: &'a Built,
        [from, to]: [Tick; 2],
    ) -> Self {
        let samples = Samples::between(system, from, to);
        Self { method, system: Arc::clone(system), built, from, now: Tick::START, judge: None, samples }
    }

    /// What was found until now.
    #[must_use]
    pub fn close(mut self) -> Findings {
        self.open();
        let judge = self.judge.take().expect("it was opened").0;
        let (instants_sampled, breaches) = self.samples.found();
        Findings { verdict: judge.close(self.now), instants_sampled, breaches }
    }

    /// Calls the judge, if it is not there yet.
    fn open(&mut self) {
        let state = self.method.state();
        self.judge.get_or_insert_with(|| {
            let beginning = Beginning {
                tick: self.now,
                positions: &state.positions,
                velocities: &state.velocities,
                stored_at: &state.kicked_at,
                quantum: state.quantum(),
            };
            let surface = surface(self.built);
            let look_within_m = look_within_m(&self.system, &surface, &state.positions);
            AuditListener(Judge::new(surface, &beginning, look_within_m))
        });
    }

    fn go(&mut self, end: Tick, stop: &AtomicBool) -> Result<Progress, Fault> {
        let listener = self.judge.as_mut().map(|judge| judge as &mut dyn KickListener);
        let progress = self.method.advance(end, stop, listener);
        self.now = match &progress {
            Ok(Progress::Reached) => self.now.max(end),
            Ok(Progress::Stopped(at) | Progress::GapMinimum { tick: at, .. }) => *at,
            // What happened up to the Fault is judged too.
            Err(fault) => fault.last_tick().unwrap_or(self.now),
        };
        progress
    }
}

impl Method for AuditedMethod<'_> {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        _: Option<&mut dyn KickListener>,
    ) -> Result<Progress, Fault> {
        if self.judge.is_none() {
            if self.from > Tick::START {
                let progress = self.go(end.min(self.from), stop)?;
                if end < self.from || progress != Progress::Reached {
                    return Ok(progress);
                }
            }
            self.open();
        }
        while let Some(tick) = self.samples.next_until(end) {
            if self.now.0 + 1 < tick.0 {
                let progress = self.go(Tick(tick.0 - 1), stop)?;
                if progress != Progress::Reached {
                    return Ok(progress);
                }
            }
            let before = self.method.state();
            let progress = self.go(tick, stop)?;
            if progress != Progress::Reached && self.now < tick {
                return Ok(progress);
            }
            self.samples.compare(&self.system, before, &self.method.state(), tick);
            if progress != Progress::Reached {
                return Ok(progress);
            }
        }
        self.go(end, stop)
    }

    fn state(&self) -> State {
        self.method.state()
    }

    fn external(&self) -> ExternalLedger {
        self.method.external()
    }

    fn evaluations(&self) -> &[u64] {
        self.method.evaluations()
    }

    fn element_time(&self) -> Option<Duration> {
        self.method.element_time()
    }

    fn instants(&self) -> u64 {
        self.method.instants()
    }

    fn pairs(&self) -> Vec<PairId> {
        self.method.pairs()
    }

    fn touches(&self) -> Vec<Touch> {
        self.method.touches()
    }

    fn contact(&self) -> Option<ContactSummary> {
        self.method.contact()
    }
}
