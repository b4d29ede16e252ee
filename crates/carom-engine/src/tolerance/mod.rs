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

use core::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use carom_contact::Touch;
use carom_math::Vec3;
use carom_model::{ContactSummary, ContactTimes, DofKind, ExternalLedger, Fault, PairId, State, System};
use carom_time::Tick;

use crate::{
    Checkpoint, InstantListener, InstantReport, Method, MethodKind, MethodSummary, Progress, Reader,
    ResumeError, Threads,
};
pub use balance::Balance;
use checks::Checks;
pub use refinement::{EnergyTolerance, Refinement, RefinementCause};
use refinement::{changed_elements, changed_layers};
use saved::{Confirmed, GapMoment};
pub use saved::{Steps, ToleranceCheckpoint};
use shorter_steps::{Pushed, shortened};

/// How often steps may be shortened in a run.
pub const MOST_REFINEMENTS: u32 = 6;

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
    deepest: Option<GapMoment>,
    confirmed: Confirmed,
    /// The check before the last, if there was one since the start or the last resumption.
    confirmed_before: Option<Confirmed>,
    refinements: Vec<Refinement>,
    /// What failed when no step was left to shorten: the run goes on as it is, and is judged no more.
    given_up: Option<RefinementCause>,
    /// Kicks at this tick, where steps changed, have not been told to anyone.
    untold_joint: Option<Tick>,
    /// It went back to the last check since someone asked to stop.
    is_stopped: bool,
    /// Time spent by engines that were given up.
    past: Spent,
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
            deepest: None,
            confirmed,
            confirmed_before: None,
            refinements: Vec::new(),
            given_up: None,
            untold_joint: None,
            is_stopped: false,
            past: Spent::default(),
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
            deepest: saved.deepest.clone(),
            confirmed: saved.confirmed.clone(),
            confirmed_before: None,
            refinements: saved.refinements.clone(),
            given_up: saved.given_up.clone(),
            untold_joint: None,
            is_stopped: false,
            past: Spent::default(),
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

    /// Takes down the run as it is now, where contact is as deep as never since the last check.
    fn note_gap_minimum(&mut self, tick: Tick, distance_m: f64) {
        let engine = &self.engine;
        let (state, external, pairs) = (engine.state(), engine.external(), engine.pairs());
        self.deepest = Some(GapMoment { distance_m, tick, state, external, pairs });
    }

    fn is_too_large(&self, error: f64) -> bool {
        error.is_nan() || error.abs() > self.tolerance.relative
    }

    /// Whether the energy is kept up to the check at `tick`, to which the engine has advanced; and its balance.
    fn judge(&mut self, tick: Tick) -> Result<Balance, RefinementCause> {
        let mut balance = self.balance.clone().expect("the run has started");
        let engine = &self.engine;
        if let Some(GapMoment { tick, state, external, pairs, .. }) = self.deepest.take() {
            let error = balance.error(&self.reader.read(&state, &external, &pairs, tick));
            if self.is_too_large(error) {
                return Err(RefinementCause::AtGapMinimum(error));
            }
        }
        let reading = self.reader.read(&engine.state(), &engine.external(), &engine.pairs(), tick);
        let error = balance.error(&reading);
        if self.is_too_large(error) {
            return Err(RefinementCause::AtCheck(error));
        }
        let share = 1.0 - 0.5f64.powi(self.refinements.len() as i32 + 1);
        match balance.median_with(error) {
            Some(median) if median.abs() > self.tolerance.relative * share => {
                Err(RefinementCause::Drift(median))
            }
            _ => Ok(balance),
        }
    }

    /// The run up to the check where it stands is as good as asked for: it never changes again.
    fn confirm_here(&mut self, balance: Balance) {
        let (checkpoint, steps) = (Box::new(self.engine.save()), Steps::of(&self.system));
        self.balance = Some(balance.clone());
        let refinements = self.refinements.len();
        let confirmed = Confirmed { checkpoint, steps, balance: Some(balance), refinements };
        self.confirmed_before = Some(core::mem::replace(&mut self.confirmed, confirmed));
    }

    /// Goes back to the last check with shorter steps; where that cannot be, ends the run, or lets it go on as it is (`None`).
    fn fail(&mut self, failed_at: Tick, cause: RefinementCause) -> Result<Option<Progress>, Fault> {
        let may = (self.refinements.len() as u32) < MOST_REFINEMENTS;
        let touches = self.engine.touches(failed_at);
        let pushed = Pushed { touches: &touches, since: self.confirmed.tick() };
        let shorter = shortened(&self.system, &pushed, self.tolerance.contact_step_is_given);
        match (shorter.filter(|_| may), cause) {
            (Some(shorter), cause) => {
                self.refine(Arc::new(shorter), failed_at, cause);
                Ok(Some(Progress::WentBack(self.confirmed.tick())))
            }
            (None, RefinementCause::Fault(fault)) => {
                self.given_up = Some(RefinementCause::Fault(fault.clone()));
                Err(fault)
            }
            (None, cause) => {
                self.given_up = Some(cause.clone());
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
        self.past.add(&given_up.summary());
        self.untold_joint = changes.then_some(checkpoint.tick);
        self.balance.clone_from(balance);
        self.deepest = None;
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
            (Some(_), false) => end.min(self.next_check()),
        }
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
            let deepest_m = self.deepest.as_ref().map_or(f64::INFINITY, |moment| moment.distance_m);
            let from = is_judged.then_some(self.confirmed.checkpoint.tick);
            let mut minima = GapMinimumListener { listener, deepest_m, from, found_m: None, asks: false };
            let progress = self.engine.advance(target, stop, &mut minima);
            let GapMinimumListener { found_m, asks, .. } = minima;
            if self.balance.is_none() && progress.is_ok() {
                self.read_start();
            }
            match progress {
                Err(fault) if self.is_given_up() => return Err(fault),
                Err(fault) => {
                    let failed = self.fail(fault.tick(), RefinementCause::Fault(fault))?;
                    return Ok(failed.expect("a Fault that cannot be mended ends the run"));
                }
                Ok(Progress::Paused(tick)) => {
                    if let Some(distance_m) = found_m {
                        self.note_gap_minimum(tick, distance_m);
                    }
                    if asks {
                        return Ok(Progress::Paused(tick));
                    }
                }
                Ok(Progress::Reached) if is_judged && target == self.next_check() => {
                    match self.judge(target) {
                        Ok(balance) => {
                            self.confirm_here(balance);
                            return Ok(Progress::Confirmed(target));
                        }
                        Err(cause) => {
                            if let Some(went_back) = self.fail(target, cause)? {
                                return Ok(went_back);
                            }
                        }
                    }
                }
                Ok(Progress::Reached) if target == end => return Ok(Progress::Reached),
                Ok(Progress::Stopped(tick)) if !is_judged || Some(tick) <= self.confirmed.tick() => {
                    return Ok(Progress::Stopped(tick));
                }
                Ok(Progress::Stopped(_)) => return self.go_back_to_stop(),
                Ok(_) => {}
            }
        }
    }

    fn confirm(&mut self, now: Tick, stop: &AtomicBool) -> Result<Progress, Fault> {
        if self.is_given_up() || self.confirmed.tick() >= Some(now) {
            return Ok(Progress::Reached);
        }
        // Another engine goes ahead, so that this one stays where the run ends.
        let ahead = self.kind.resume(self.threads, &self.system, &self.engine.save());
        let ahead = ahead.expect("a run goes on from a checkpoint of its own");
        let here = core::mem::replace(&mut self.engine, ahead);
        let before = (self.balance.clone(), self.deepest.clone());
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
        self.past.add(&self.engine.summary());
        self.engine = here;
        if outcome != Ok(Progress::Confirmed(check)) {
            // However short its steps, it fails after the end: that is no part of the run.
            (self.balance, self.deepest) = before;
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

    fn save(&self) -> Checkpoint {
        let tolerance = ToleranceCheckpoint {
            steps: Steps::of(&self.system),
            balance: self.balance.clone(),
            deepest: self.deepest.clone(),
            confirmed: self.confirmed.clone(),
            refinements: self.refinements.clone(),
            given_up: self.given_up.clone(),
        };
        Checkpoint { tolerance: Some(Box::new(tolerance)), ..self.engine.save() }
    }

    fn summary(&self) -> MethodSummary {
        let summary = self.engine.summary();
        MethodSummary {
            element_time: summary.element_time.map(|time| time + self.past.elements),
            contact: summary
                .contact
                .map(|contact| ContactSummary { times: contact.times + self.past.contact, ..contact }),
            refinements: self.refinements.clone(),
            given_up: self.given_up.clone(),
            ..summary
        }
    }
}

/// Listens on behalf of someone, and looks out for gap minima.
struct GapMinimumListener<'a> {
    listener: &'a mut dyn InstantListener,
    /// The deepest since the last check, in m.
    deepest_m: f64,
    /// Gap minima after this tick matter; none if there is no tick.
    from: Option<Tick>,
    /// A deeper one, in m.
    found_m: Option<f64>,
    /// Whether the listener asks to pause.
    asks: bool,
}

impl InstantListener for GapMinimumListener<'_> {
    fn wants_kicks(&self) -> bool {
        self.listener.wants_kicks()
    }

    fn kicked(&mut self, vertex: u32, tick: Tick, position: Vec3, velocity: Vec3) {
        self.listener.kicked(vertex, tick, position, velocity);
    }

    fn after_instant(&mut self, report: &InstantReport) -> ControlFlow<()> {
        self.asks = self.listener.after_instant(report).is_break();
        let counts = self.from.is_some_and(|from| report.tick > from);
        self.found_m = report.gap_minimum_m.filter(|m| counts && *m < self.deepest_m);
        if self.asks || self.found_m.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Time spent by engines that were given up: for people, never for decisions.
#[derive(Clone, Copy, Default)]
struct Spent {
    elements: Duration,
    contact: ContactTimes,
}

impl Spent {
    /// Adds what an engine spent that is given up.
    fn add(&mut self, given_up: &MethodSummary) {
        self.elements += given_up.element_time.unwrap_or_default();
        self.contact = self.contact + given_up.contact.map(|contact| contact.times).unwrap_or_default();
    }
}
