//! Energy held to a tolerance: a run that is about to exceed it goes back and takes shorter steps.
//!
//! Steps are chosen before the run, from the shape at rest, and a body that is pressed hard is stiffer than that. So the run is judged at
//! [checks](checks) on the way. If it fails one, it goes back to the check before, [shortens the steps](shorter_steps) of what pushed, joins the old steps to the new
//! without a jump of energy or momentum ([`Checkpoint::joined`]), and tries again. What was judged well never changes again: the bits of a run depend on neither rows,
//! observers, threads nor its end. `docs/theory/tolerance.md` has the rule, and why.

mod balance;
mod checks;
mod refinement;
mod saved;
mod shorter_steps;
mod since_check;
mod standing;
mod went;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use carom_contact::Touch;
use carom_model::{DofKind, ExternalLedger, Fault, PairId, State, System};
use carom_time::Tick;

use crate::part_times::Stopwatch;
use crate::{
    Checkpoint, InstantListener, Method, MethodKind, MethodSummary, PartTimes, Progress, Reader, ResumeError,
    Threads,
};
pub use balance::Balance;
use checks::Checks;
pub use checks::check_period;
pub use refinement::{EnergyTolerance, GivenUp, Refinement, RefinementCause};
use refinement::{changed_elements, changed_layers};
use saved::Confirmed;
pub use saved::{Steps, ToleranceCheckpoint};
use shorter_steps::{Pushed, shortened};
use since_check::{GapMinimumListener, Moment, SinceCheck};
use standing::Standing;
use went::Went;

/// How often steps may be shortened in a run.
pub const MOST_REFINEMENTS: u32 = 6;

/// Up to how many times the tolerance an error is left as it is where shorter steps do not help; larger ones are no reason to stop trying.
const WITHIN_REACH: f64 = 10.0;

/// An engine that holds the energy to a tolerance.
pub struct EnergyController {
    kind: MethodKind,
    threads: Threads,
    tolerance: EnergyTolerance,
    checks: Checks,
    engine: Box<dyn Method>,
    /// The system with the steps of now.
    system: Arc<System>,
    reader: Reader,
    /// The energy balance up to the last check, once the run has started.
    balance: Option<Balance>,
    since_check: SinceCheck,
    confirmed: Confirmed,
    /// The check before the last, if there was one since the start or the last resumption.
    confirmed_before: Option<Confirmed>,
    refinements: Vec<Refinement>,
    /// What failed when no step was left to shorten: the run goes on as it is, and is judged no more.
    given_up: Option<GivenUp>,
    /// Kicks at this tick, where steps changed, have not been told to anyone.
    untold_joint: Option<Tick>,
    /// It went back to the last check since someone asked to stop.
    is_stopped: bool,
    /// Time spent by engines that were given up, and on checks.
    past: PartTimes,
}

impl EnergyController {
    /// Starts `kind` on `system` with a tolerance; plain if nothing in it ever fires.
    #[must_use]
    pub fn start(
        on: (MethodKind, Threads),
        system: &Arc<System>,
        state: State,
        tolerance: EnergyTolerance,
    ) -> Box<dyn Method> {
        let start = Checkpoint::start(system, Tick::START, state);
        let started = Self::start_from(on, system, start, tolerance);
        started.expect("a start fits its system, and every step divides tick 0")
    }

    /// Starts `kind` where a run of `system` stands, and judges what follows as if nothing had been before; plain if nothing ever fires.
    pub fn start_from(
        (kind, threads): (MethodKind, Threads),
        system: &Arc<System>,
        from: Checkpoint,
        tolerance: EnergyTolerance,
    ) -> Result<Box<dyn Method>, ResumeError> {
        let checkpoint = Box::new(Checkpoint { tolerance: None, ..from });
        let engine = kind.resume(threads, system, &checkpoint)?;
        let Some(checks) = Checks::of(system) else { return Ok(engine) };
        let confirmed = Confirmed { checkpoint, steps: Steps::of(system), balance: None, refinements: 0 };
        Ok(Box::new(Self {
            kind,
            threads,
            tolerance,
            checks,
            engine,
            system: Arc::clone(system),
            reader: Reader::new(system),
            balance: None,
            since_check: SinceCheck::default(),
            confirmed,
            confirmed_before: None,
            refinements: Vec::new(),
            given_up: None,
            untold_joint: None,
            is_stopped: false,
            past: PartTimes::default(),
        }))
    }

    /// Goes on from a checkpoint of a run of `system`, its steps as they were first chosen, with the same tolerance.
    pub fn resume(
        (kind, threads): (MethodKind, Threads),
        system: &Arc<System>,
        from: &Checkpoint,
        tolerance: EnergyTolerance,
    ) -> Result<Box<dyn Method>, ResumeError> {
        let Some(checks) = Checks::of(system) else { return kind.resume(threads, system, from) };
        let Some(saved) = &from.tolerance else { return Err(ResumeError::Tolerance) };
        let refined = Arc::new(saved.steps.on(system));
        Ok(Box::new(Self {
            kind,
            threads,
            tolerance,
            checks,
            engine: kind.resume(threads, &refined, from)?,
            reader: Reader::new(&refined),
            system: refined,
            balance: saved.balance.clone(),
            since_check: saved.since_check.clone(),
            confirmed: saved.confirmed.clone(),
            confirmed_before: None,
            refinements: saved.refinements.clone(),
            given_up: saved.given_up.clone(),
            untold_joint: None,
            is_stopped: false,
            past: PartTimes::default(),
        }))
    }

    /// Whether no step is left to shorten.
    fn is_given_up(&self) -> bool {
        self.given_up.is_some()
    }

    /// The next check that decides something.
    fn next_check(&self) -> Tick {
        self.checks.after(self.confirmed.checkpoint.tick)
    }

    /// Tells a listener of the kicks by which old and new steps were joined.
    fn tell_joint(&mut self, listener: &mut dyn InstantListener) {
        let Some(tick) = self.untold_joint.take().filter(|_| listener.wants_kicks()) else { return };
        let state = self.engine.state();
        let is_told = |v: &usize| state.kicked_at[*v] == tick && self.system.dof_kind(*v) != DofKind::Memory;
        for v in (0..state.len()).filter(is_told) {
            listener.kicked(v as u32, tick, state.positions[v], state.velocities[v]);
        }
    }

    /// The run as it is now.
    fn moment(&self, tick: Tick) -> Moment {
        let engine = &self.engine;
        Moment { tick, state: engine.state(), external: engine.external(), pairs: engine.pairs() }
    }

    /// The balance up to the check at `tick`, to which the engine has advanced; and where the energy was off the most since the check before.
    fn judge(&mut self, tick: Tick) -> (Balance, RefinementCause) {
        let mut balance = self.balance.clone().expect("the run has started");
        let mut error = |moment: &Moment| {
            balance.error(&self.reader.read(&moment.state, &moment.external, &moment.pairs, moment.tick))
        };
        let SinceCheck { deepest, between_kicks } = core::mem::take(&mut self.since_check);
        let deepest: Vec<_> =
            deepest.iter().map(|found| RefinementCause::AtGapMinimum(error(&found.moment))).collect();
        let between_kicks = between_kicks.map(|moment| RefinementCause::AtCheck(error(&moment)));
        let here = RefinementCause::AtCheck(error(&self.moment(tick)));
        let worst = deepest.into_iter().chain(between_kicks).fold(here, RefinementCause::worse);
        (balance, worst)
    }

    /// The error at a check that counts as too large while there are steps to shorten. A drift goes on, so every level gets half of what is left of the
    /// tolerance. Once shortening was in vain all of it counts, or twice the error that it left. As long as motion is only beginning, any number does.
    fn limit(&self, check: Tick, balance: &Balance) -> f64 {
        let is_beginning = |before| self.checks.is_early(check) && balance.has_tripled_since(before);
        if self.balance.as_ref().is_some_and(is_beginning) {
            return f64::INFINITY;
        }
        let relative = self.tolerance.relative;
        match self.refinements.last().and_then(|last| last.in_vain) {
            Some(left) => relative.max(2.0 * left),
            None => relative * (1.0 - 0.5f64.powi(self.refinements.len() as i32 + 1)),
        }
    }

    /// Whether steps were shortened in vain for the stretch that has just failed again; the refinement then says what is left of the error.
    fn was_in_vain(&mut self, cause: &RefinementCause) -> bool {
        let is_again = self.refinements.len() > self.confirmed.refinements;
        let (slowest, most) = (self.checks.slowest(), WITHIN_REACH * self.tolerance.relative);
        let last = self.refinements.last_mut().filter(|_| is_again);
        last.is_some_and(|last| {
            let is_in_vain = cause.is_no_better_than(&last.cause, slowest, most);
            last.in_vain = cause.error().filter(|_| is_in_vain);
            is_in_vain
        })
    }

    /// The run up to the check where it stands is as good as asked for: it never changes again.
    fn confirm_here(&mut self, balance: Balance) {
        let (checkpoint, steps) = (Box::new(self.engine.save()), Steps::of(&self.system));
        self.balance = Some(balance.clone());
        let refinements = self.refinements.len();
        let confirmed = Confirmed { checkpoint, steps, balance: Some(balance), refinements };
        self.confirmed_before = Some(core::mem::replace(&mut self.confirmed, confirmed));
    }

    /// Goes back to the last check with shorter steps; where that cannot be, ends the run, or lets it go on as it is (`None`), given up unless it is within the tolerance.
    fn fail(
        &mut self,
        failed_at: Tick,
        cause: RefinementCause,
        turnover_j: f64,
    ) -> Result<Option<Progress>, Fault> {
        let may = (self.refinements.len() as u32) < MOST_REFINEMENTS;
        let is_in_vain = self.was_in_vain(&cause);
        let touches = self.engine.touches(failed_at);
        let pushed = Pushed { touches: &touches, since: self.confirmed.tick() };
        let shorter = shortened(&self.system, &pushed, self.tolerance.contact_step_is_given);
        match (shorter.filter(|_| may && !is_in_vain), cause) {
            (Some(shorter), cause) => {
                self.refine(Arc::new(shorter), failed_at, cause);
                Ok(Some(Progress::WentBack(self.confirmed.tick())))
            }
            (None, RefinementCause::Fault(fault)) => {
                let cause = RefinementCause::Fault(fault.clone());
                self.given_up = Some(GivenUp { cause, failed_at, off_j: 0.0 });
                Err(fault)
            }
            (None, cause) if is_in_vain || !cause.exceeds(self.tolerance.relative) => Ok(None),
            (None, cause) => {
                let off_j = cause.error().unwrap_or(0.0) * turnover_j;
                self.given_up = Some(GivenUp { cause: cause.clone(), failed_at, off_j });
                if !may {
                    let time_s = self.system.line.quantum.time(failed_at);
                    return Err(Fault::Tolerance { cause: cause.to_string(), tick: failed_at, time_s });
                }
                Ok(None)
            }
        }
    }

    /// Goes on from the last check with the steps of `shorter`.
    fn refine(&mut self, shorter: Arc<System>, failed_at: Tick, cause: RefinementCause) {
        let refinement = Refinement {
            level: self.refinements.len() as u32 + 1,
            from: self.confirmed.checkpoint.tick,
            failed_at,
            cause,
            in_vain: None,
            elements: changed_elements(&self.system, &shorter),
            layers: changed_layers(&self.system, &shorter),
        };
        self.refinements.push(refinement);
        self.system = shorter;
        self.reader = Reader::new(&self.system);
        self.restore_confirmed();
    }

    /// An engine that stands at a check and goes on with the steps of `system`; and whether these are others than those before.
    fn engine_at(&self, check: &Confirmed, system: &Arc<System>) -> (Box<dyn Method>, bool) {
        let Confirmed { checkpoint, steps, .. } = check;
        let changes = checkpoint.due_start.is_none() && *steps != Steps::of(system);
        let from =
            if changes { &checkpoint.joined(&Arc::new(steps.on(system)), system) } else { &**checkpoint };
        let resumed = self.kind.resume(self.threads, system, from);
        (resumed.expect("a run goes on from a checkpoint of its own"), changes)
    }

    /// Goes back to the last check, with the steps of now.
    fn restore_confirmed(&mut self) {
        let (engine, changes) = self.engine_at(&self.confirmed, &self.system);
        let Confirmed { checkpoint, balance, .. } = &self.confirmed;
        let given_up = core::mem::replace(&mut self.engine, engine);
        self.past = self.past + given_up.summary().times;
        self.untold_joint = changes.then_some(checkpoint.tick);
        self.balance.clone_from(balance);
        self.since_check = SinceCheck::default();
    }

    /// Goes back to the last check, with the steps of then, since someone asked to stop.
    fn go_back_to_stop(&mut self) -> Result<Progress, Fault> {
        if self.refinements.len() > self.confirmed.refinements {
            self.refinements.truncate(self.confirmed.refinements);
            self.system = Arc::new(self.confirmed.steps.on(&self.system));
            self.reader = Reader::new(&self.system);
        }
        self.restore_confirmed();
        if self.balance.is_none() {
            // Nothing is confirmed yet: the start is shown.
            self.engine.advance(self.confirmed.checkpoint.tick, &AtomicBool::new(false), &mut ())?;
        }
        self.is_stopped = true;
        Ok(Progress::WentBack(self.confirmed.tick()))
    }

    /// Reads the balance at the start, which has just happened.
    fn read_start(&mut self) {
        let engine = &self.engine;
        let (state, external, pairs) = (engine.state(), engine.external(), engine.pairs());
        let start = self.reader.read(&state, &external, &pairs, engine.tick());
        self.balance = Some(Balance::new(&self.system, &start, &self.tolerance));
    }

    /// The tick to which the engine goes at once, on the way to `end`: the start, a check, or the end.
    fn next_stop(&self, end: Tick) -> Tick {
        match (&self.balance, self.is_given_up()) {
            (None, _) => self.confirmed.checkpoint.tick,
            (Some(_), true) => end,
            (Some(_), false) => end.min(self.between_kicks().unwrap_or_else(|| self.next_check())),
        }
    }

    /// The tick before the next check at which the energy is read as well, until it has been.
    fn between_kicks(&self) -> Option<Tick> {
        let tick = self.checks.between_kicks_before(self.next_check());
        Some(tick)
            .filter(|tick| self.since_check.between_kicks.is_none() && *tick > self.confirmed.checkpoint.tick)
    }
}

impl Method for EnergyController {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        listener: &mut dyn InstantListener,
    ) -> Result<Progress, Fault> {
        if core::mem::take(&mut self.is_stopped) && stop.load(Ordering::Relaxed) {
            return Ok(Progress::Stopped(self.engine.tick()));
        }
        self.tell_joint(listener);
        loop {
            let target = self.next_stop(end);
            let is_judged = !self.is_given_up() && self.balance.is_some();
            let deepest = self.since_check.deepest.last().map(|last| (last.part, last.distance_m));
            let (checks, from) = (self.checks, is_judged.then_some(self.confirmed.checkpoint.tick));
            let mut minima = GapMinimumListener { listener, checks, deepest, from, found: None, asks: false };
            let progress = self.engine.advance(target, stop, &mut minima);
            let GapMinimumListener { found, asks, .. } = minima;
            let mut watch = Stopwatch::start();
            let went = Went { progress, target, end, is_judged, found, asks };
            let outcome = self.after_advance(went);
            self.past.checks += watch.lap();
            if let Some(progress) = outcome? {
                return Ok(progress);
            }
        }
    }

    fn confirm(&mut self, now: Tick, stop: &AtomicBool) -> Result<Progress, Fault> {
        if self.is_given_up() || self.confirmed.tick() >= Some(now) {
            return Ok(Progress::Reached);
        }
        let here = Standing::of(self.engine.as_ref(), (self.kind, self.threads));
        let before = (self.balance.clone(), self.since_check.clone());
        let check = self.checks.at_or_after(now);
        let outcome = loop {
            match self.advance(check, stop, &mut ()) {
                Ok(Progress::Paused(_)) => {}
                other => break other,
            }
        };
        if let Ok(went @ (Progress::WentBack(_) | Progress::Stopped(_))) = outcome {
            return Ok(went);
        }
        self.engine = Box::new(here.having_taken(self.engine.summary().times));
        if outcome != Ok(Progress::Confirmed(check)) {
            // However short its steps, it fails after the end: that is no part of the run.
            (self.balance, self.since_check) = before;
            self.given_up = None;
        }
        Ok(Progress::Reached)
    }

    fn confirmed_until(&self) -> Option<Tick> {
        if self.is_given_up() { Some(Tick::LAST) } else { self.confirmed.tick() }
    }

    fn again_before(&self, tick: Tick) -> Box<dyn Method> {
        if self.confirmed.tick().is_none_or(|check| tick > check) {
            return self.engine_at(&self.confirmed, &self.system).0;
        }
        let before = self.confirmed_before.as_ref().expect("what waits is not older than two checks");
        let steps = &self.confirmed.steps;
        let is_now = *steps == Steps::of(&self.system);
        let system = if is_now { Arc::clone(&self.system) } else { Arc::new(steps.on(&self.system)) };
        self.engine_at(before, &system).0
    }

    fn tick(&self) -> Tick {
        self.engine.tick()
    }

    fn system(&self) -> &Arc<System> {
        &self.system
    }

    fn state(&self) -> State {
        self.engine.state()
    }

    fn external(&self) -> ExternalLedger {
        self.engine.external()
    }

    fn pairs(&self) -> Vec<PairId> {
        self.engine.pairs()
    }

    fn touches(&self, tick: Tick) -> Vec<Touch> {
        self.engine.touches(tick)
    }

    fn refinements(&self) -> &[Refinement] {
        &self.refinements
    }

    fn save(&self) -> Checkpoint {
        let tolerance = ToleranceCheckpoint {
            steps: Steps::of(&self.system),
            balance: self.balance.clone(),
            since_check: self.since_check.clone(),
            confirmed: self.confirmed.clone(),
            refinements: self.refinements.clone(),
            given_up: self.given_up.clone(),
        };
        Checkpoint { tolerance: Some(Box::new(tolerance)), ..self.engine.save() }
    }

    fn summary(&self) -> MethodSummary {
        let summary = self.engine.summary();
        MethodSummary {
            times: summary.times + self.past,
            refinements: self.refinements.clone(),
            given_up: self.given_up.clone(),
            ..summary
        }
    }
}
