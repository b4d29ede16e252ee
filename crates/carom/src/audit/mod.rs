//! The audit of a run, while it happens or replayed from its folder.
//!
//! Runs are deterministic, so a run can be audited at any time: it is replayed, and two judges check every kick.
//!
//! | judge | checks | file |
//! | --- | --- | --- |
//! | `carom_audit` | that no two surfaces pass through each other, at any instant | `surface` says which surfaces |
//! | the contract | that the kicks of sampled instants have exactly its bits | `sample` |

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

/// Results of both judges.
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
                ("close_looks", work.close_looks),
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

/// A method under audit: it gives the same bits as without it.
pub struct AuditedMethod<'a> {
    method: &'a mut dyn Method,
    system: Arc<System>,
    built: &'a Built,
    /// Tick from which on the run is audited.
    from: Tick,
    now: Tick,
    judge: Option<AuditListener>,
    samples: Samples,
}

/// Passes every kick to the judge.
struct AuditListener(Judge);

impl KickListener for AuditListener {
    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        self.0.moved(vertex, tick, position, velocity);
    }
}

impl<'a> AuditedMethod<'a> {
    /// Audits `method`, started on `system`, from one tick to another.
    pub fn new(
        method: &'a mut dyn Method,
        system: &Arc<System>,
        built: &'a Built,
        [from, to]: [Tick; 2],
    ) -> Self {
        let samples = Samples::between(system, from, to);
        Self { method, system: Arc::clone(system), built, from, now: Tick::START, judge: None, samples }
    }

    /// Ends the audit and returns its results.
    #[must_use]
    pub fn close(mut self) -> Findings {
        self.open();
        let judge = self.judge.take().expect("it was opened").0;
        let (instants_sampled, breaches) = self.samples.found();
        Findings { verdict: judge.close(self.now), instants_sampled, breaches }
    }

    /// Starts the judge, if it has not started yet.
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
            // The run up to the Fault is audited too.
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
