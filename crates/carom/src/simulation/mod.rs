//! One run, in the hand of a program: advanced by time or to an event, read as arrays, watched, saved and taken up again.
//!
//! | file | idea |
//! | --- | --- |
//! | `errors` | why it cannot start or advance |
//! | `events` | what an advance can wait for |
//! | `arrays` | contacts and reactions, as plain lists |
//! | `latest` | a view from another thread, which never slows the run |
//! | `saved` | moments that are kept, to go on from with the same or with other steps |
//! | `prescribed` | held parts whose ways cross after the end of the scene |

mod arrays;
mod errors;
mod events;
mod latest;
mod prescribed;
mod saved;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use carom_contact::{first_prescribed_crossing, too_thin};
use carom_engine::{
    EnergyController, EnergyTolerance, Inspector, Method, MethodKind, MethodSummary, Observer, Outcome, Plan,
    Progress, Reader, Reading, Snapshot, Threads, drive, run_inspected,
};
use carom_model::{Fault, Fingerprint, State, System};
use carom_scene::{Built, Loaded};
use carom_time::Tick;

pub use arrays::Contacts;
pub use errors::{AdvanceError, StartError};
pub use events::Event;
pub use latest::{LatestView, Moment};
pub use saved::Saved;

use events::Awaited;
use latest::Copier;
use prescribed::Prescribed;

/// One run, in the hand of a program.
///
/// It stands at a tick: every instant up to there has happened. Advancing moves it on, reading changes nothing, and a checkpoint takes it back. It may be sent to another thread.
/// With a `clocks.energy_tolerance`, the default, an advance may take back what is not [confirmed](Self::confirmed_s) yet.
///
/// ```
/// use carom::prelude::*;
///
/// let scene = Scene::load("two-masses", &[])?;
/// let mut simulation = Simulation::new(&scene)?;
/// let start = simulation.reading().total_j();
/// simulation.advance_to(0.5)?;
/// assert!((simulation.time_s() - 0.5).abs() < 1e-9); // the last tick up to there
/// assert!((simulation.reading().total_j() / start - 1.0).abs() < 1e-2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simulation {
    method: MethodKind,
    threads: Threads,
    /// The system with the steps that were chosen before the run.
    chosen: Arc<System>,
    /// The system with the steps of now.
    system: Arc<System>,
    /// What the scene says beside the system; `None` for a system that was built by hand.
    built: Option<Arc<Built>>,
    engine: Box<dyn Method>,
    reader: Reader,
    now: Tick,
    /// Prescribed motion, as far as it was looked at.
    prescribed: Prescribed,
    /// Why it cannot go on.
    fault: Option<Fault>,
    /// The numbers of this moment, once someone asks for them.
    reading: OnceLock<Arc<Reading>>,
    copiers: Vec<Copier>,
    /// How often it went back to a checkpoint.
    rewinds: u64,
}

impl Simulation {
    /// Starts a scene with its own method, on one thread. What fires at the start has fired.
    pub fn new(scene: &Loaded) -> Result<Self, StartError> {
        Self::on_threads(scene, 1)
    }

    /// Starts a scene on as many threads: they change no bit.
    pub fn on_threads(scene: &Loaded, threads: impl Into<Threads>) -> Result<Self, StartError> {
        let (built, method) = crate::start::build_and_check(scene)?;
        let (system, _) = crate::start::system_of(&built, method, &AtomicBool::new(false));
        Self::start(method, threads.into(), system, built.state.clone(), Some(Arc::new(built)))
    }

    /// Starts a system that was built by hand, on one thread; surfaces that cross are refused.
    pub fn of_system(
        system: impl Into<Arc<System>>,
        state: State,
        method: MethodKind,
    ) -> Result<Self, StartError> {
        Self::of_system_on_threads(1, system, state, method)
    }

    /// Starts a system that was built by hand, on as many threads; surfaces that cross are refused.
    pub fn of_system_on_threads(
        threads: impl Into<Threads>,
        system: impl Into<Arc<System>>,
        state: State,
        method: MethodKind,
    ) -> Result<Self, StartError> {
        let system = system.into();
        must_not_cross(&system, &state)?;
        Self::start(method, threads.into(), method.system(&system), state, None)
    }

    /// Starts a scene that was built, perhaps with another start state, on one thread; surfaces that cross are refused.
    pub fn of_built(built: Built) -> Result<Self, StartError> {
        let (method, system, state) =
            (MethodKind::Carom, Arc::new(built.system.clone()), built.state.clone());
        must_not_cross(&system, &state)?;
        Self::start(method, 1.into(), system, state, Some(Arc::new(built)))
    }

    fn start(
        method: MethodKind,
        threads: Threads,
        system: Arc<System>,
        state: State,
        built: Option<Arc<Built>>,
    ) -> Result<Self, StartError> {
        let mut simulation = Self::before_start((method, threads), system, state, built);
        simulation.advance_inspected(Tick::START, &AtomicBool::new(false), &mut [])?;
        Ok(simulation)
    }

    /// A simulation before its first instant, of the [system](MethodKind::system) of a method: [`Simulation::run`] begins there, and shows the start, too.
    /// Nothing is checked.
    #[must_use]
    pub fn before_start(
        (method, threads): (MethodKind, Threads),
        system: Arc<System>,
        state: State,
        built: Option<Arc<Built>>,
    ) -> Self {
        let tolerance = tolerance_of(method, built.as_deref());
        Self {
            method,
            threads,
            reader: Reader::new(&system),
            engine: match tolerance {
                Some(tolerance) => EnergyController::start((method, threads), &system, state, tolerance),
                None => method.start_on(threads, &system, state),
            },
            chosen: Arc::clone(&system),
            system,
            prescribed: Prescribed::checked_to(
                built.as_ref().map_or(Tick::START, |built| built.schedule.end),
            ),
            built,
            now: Tick::START,
            fault: None,
            reading: OnceLock::new(),
            copiers: Vec::new(),
            rewinds: 0,
        }
    }

    /// Advances to a time after the start, in s, with everything that fires there.
    pub fn advance_to(&mut self, time_s: f64) -> Result<(), AdvanceError> {
        let tick = self.tick_at(time_s)?;
        self.advance_to_tick(tick)
    }

    /// Advances by a time, in s.
    pub fn advance_by(&mut self, seconds: f64) -> Result<(), AdvanceError> {
        self.advance_to(self.time_s() + seconds)
    }

    /// Advances to a tick, with everything that fires there.
    pub fn advance_to_tick(&mut self, tick: Tick) -> Result<(), AdvanceError> {
        self.not_past(tick)?;
        self.advance_inspected(tick, &AtomicBool::new(false), &mut [])?;
        Ok(())
    }

    /// Advances until something happens, but not beyond a time, in s. Returns whether it happened.
    pub fn advance_until(&mut self, event: Event, latest_s: f64) -> Result<bool, AdvanceError> {
        let latest = self.tick_at(latest_s)?;
        self.not_past(latest)?;
        let mut awaited = Awaited::new(event, self.next_row());
        self.advance_inspected(latest, &AtomicBool::new(false), &mut [&mut awaited])?;
        Ok(awaited.has_happened())
    }

    /// Makes the next instant happen, whatever fires there, but none after the end of the scene. Returns whether there was one. An instant is far shorter than what one
    /// sees: to watch a motion use [`advance_by`](Self::advance_by).
    pub fn step(&mut self) -> Result<bool, AdvanceError> {
        let latest = self.built.as_ref().map_or(Tick(u64::MAX), |built| built.schedule.end.max(self.now));
        let mut awaited = Awaited::new(Event::Instant, None);
        self.advance_inspected(latest, &AtomicBool::new(false), &mut [&mut awaited])?;
        Ok(awaited.has_happened())
    }

    /// Advances to `end` with inspectors that go along, or until one of them or `stop` ends it.
    pub fn advance_inspected(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        inspectors: &mut [&mut dyn Inspector],
    ) -> Result<Progress, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        self.reading = OnceLock::new();
        self.copiers.retain(Copier::is_wanted);
        let mut barrier = self.prescribed.barrier(&self.system, || self.engine.state(), end);
        let mut everyone = with_copiers(&mut self.copiers, inspectors);
        everyone.extend(barrier.as_mut().map(|barrier| barrier as &mut dyn Inspector));
        let progress = drive(self.engine.as_mut(), end, stop, &mut everyone);
        self.take_steps();
        let progress = match (progress, barrier) {
            (Ok(Progress::Paused(_)), Some(barrier)) if barrier.is_reached => Err(barrier.fault),
            (progress, _) => progress,
        };
        match &progress {
            Ok(Progress::Reached) => self.now = self.now.max(end),
            Ok(Progress::Paused(at) | Progress::Stopped(at)) => self.now = *at,
            Ok(Progress::Confirmed(_) | Progress::WentBack(_)) => {
                unreachable!("a drive goes on where steps change")
            }
            Err(fault) => {
                self.now = fault.last_tick().unwrap_or(self.now);
                self.fault = Some(fault.clone());
            }
        }
        progress
    }

    /// Runs as planned, from where it is, and shows every row to all observers, in their order; the run waits for them. Inspectors go along,
    /// and `stop` may be raised from another thread. A [`Job`](crate::job::Job) is such a run, with observers that write files.
    ///
    /// ```
    /// use carom::engine::{Observer, Plan, Snapshot};
    /// use carom::prelude::*;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// struct Energies(Vec<f64>);
    ///
    /// impl Observer for Energies {
    ///     fn observe(&mut self, _: &Snapshot, reading: &Reading) -> std::io::Result<()> {
    ///         self.0.push(reading.total_j());
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut simulation = Simulation::new(&Scene::load("two-masses", &[])?)?;
    /// let end = simulation.system().line.tick_at(1.0)?;
    /// let mut energies = Energies(Vec::new());
    /// let plan = Plan { end, rows: 100, zoom: None, threads: 1 };
    /// simulation.run(&plan, &mut [&mut energies], &mut [], &AtomicBool::new(false))?;
    /// assert!(energies.0.len() >= 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(
        &mut self,
        plan: &Plan,
        observers: &mut [&mut (dyn Observer + Send)],
        inspectors: &mut [&mut dyn Inspector],
        stop: &AtomicBool,
    ) -> std::io::Result<Outcome> {
        if self.fault.is_some() {
            return Ok(Outcome { reached: self.now, fault: self.fault.clone(), ..Outcome::default() });
        }
        self.reading = OnceLock::new();
        self.copiers.retain(Copier::is_wanted);
        let mut barrier = self.prescribed.barrier(&self.system, || self.engine.state(), plan.end);
        let mut everyone = with_copiers(&mut self.copiers, inspectors);
        everyone.extend(barrier.as_mut().map(|barrier| barrier as &mut dyn Inspector));
        let mut all = All(observers);
        let outcome =
            run_inspected((self.engine.as_mut(), &mut everyone), &self.reader, plan, &mut all, stop);
        self.take_steps();
        self.now = self.engine.tick();
        let mut outcome = outcome?;
        if let Some(barrier) = barrier.filter(|barrier| barrier.is_reached) {
            outcome.fault = Some(barrier.fault);
            outcome.reached = barrier.tick;
        }
        self.now = outcome.reached;
        self.fault.clone_from(&outcome.fault);
        Ok(outcome)
    }

    /// A view of this simulation for another thread: the latest state, copied when it asks, at most `copies_per_s` times a second, and so
    /// seldom that making copies takes at most a hundredth of the time (`docs/benchmarks/views.md` has what that costs a large run).
    pub fn latest_view(&mut self, copies_per_s: f64) -> LatestView {
        let (copier, view) = Copier::new(copies_per_s, self.rewinds);
        self.copiers.push(copier);
        view
    }

    /// The time up to which nothing is ever taken back, in s. With an energy tolerance an advance may go back to it, and repeat with shorter steps what came after; `None`
    /// before the first check. Without one, that is now.
    #[must_use]
    pub fn confirmed_s(&self) -> Option<f64> {
        let until = self.engine.confirmed_until()?;
        Some(self.system.line.quantum.time(until.min(self.now)))
    }

    /// When it is, in s.
    #[must_use]
    pub fn time_s(&self) -> f64 {
        self.system.line.quantum.time(self.now)
    }

    /// When it is: every instant up to this tick has happened.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.now
    }

    /// Whether its energy is held to a tolerance.
    #[cfg(feature = "jobs")]
    pub(crate) fn has_tolerance(&self) -> bool {
        self.tolerance().is_some()
    }

    fn tolerance(&self) -> Option<EnergyTolerance> {
        tolerance_of(self.method, self.built.as_deref())
    }

    /// The system that moves.
    #[must_use]
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }

    /// What the scene says beside its system; `None` for a system that was built by hand.
    #[must_use]
    pub fn built(&self) -> Option<&Arc<Built>> {
        self.built.as_ref()
    }

    /// The way it integrates.
    #[must_use]
    pub fn method(&self) -> MethodKind {
        self.method
    }

    /// Energies, momenta, positions, synchronised velocities and forces now: computed once, and shared until the next advance.
    #[must_use]
    pub fn reading(&self) -> Arc<Reading> {
        let read = || {
            let engine = &self.engine;
            Arc::new(self.reader.read(&engine.state(), &engine.external(), &engine.pairs(), self.now))
        };
        Arc::clone(self.reading.get_or_init(read))
    }

    /// Position, velocity and tick of the last kick of every vertex.
    #[must_use]
    pub fn state(&self) -> State {
        self.engine.state()
    }

    /// A hash of every bit of the state.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.state().fingerprint()
    }

    /// What it took so far.
    #[must_use]
    pub fn summary(&self) -> MethodSummary {
        self.engine.summary()
    }

    /// Bodies that touched so far, in the order in which they first did.
    #[must_use]
    pub fn touches(&self) -> Vec<carom_engine::Touch> {
        self.engine.touches(self.now)
    }

    /// Takes note of steps that the engine has shortened.
    fn take_steps(&mut self) {
        if !Arc::ptr_eq(&self.system, self.engine.system()) {
            self.system = Arc::clone(self.engine.system());
            self.reader = Reader::new(&self.system);
        }
    }

    fn tick_at(&self, time_s: f64) -> Result<Tick, AdvanceError> {
        Ok(self.system.line.tick_at(time_s)?)
    }

    fn not_past(&self, tick: Tick) -> Result<(), AdvanceError> {
        if tick >= self.now {
            return Ok(());
        }
        Err(AdvanceError::Past { asked_s: self.system.line.quantum.time(tick), now_s: self.time_s() })
    }

    /// The tick of the next row that the scene asks for.
    fn next_row(&self) -> Option<Tick> {
        let built = self.built.as_ref()?;
        let plan = Plan {
            end: built.schedule.end,
            rows: u64::from(built.schedule.rows),
            zoom: built.schedule.zoom,
            threads: 1,
        };
        plan.observed_ticks().into_iter().map(|(tick, _)| tick).find(|tick| *tick > self.now)
    }
}

/// Refuses a start whose surfaces cross, or are too thin for its coordinates.
fn must_not_cross(system: &Arc<System>, state: &State) -> Result<(), StartError> {
    if let Some(found) = too_thin(system, state) {
        return Err(StartError::TooThin(found.in_words(&system.bodies)));
    }
    let mut crossing = carom_scene::crossing_pairs(system, state);
    let prescribed = first_prescribed_crossing(system, state, Tick::START);
    crossing.extend(prescribed.map(|crossing| crossing.in_words.join(" and ")));
    if crossing.is_empty() { Ok(()) } else { Err(StartError::Crossing(crossing)) }
}

/// How well a scene asks energy to be kept, where the method can take shorter steps.
fn tolerance_of(method: MethodKind, built: Option<&Built>) -> Option<EnergyTolerance> {
    built.and_then(|built| built.energy_tolerance).filter(|_| method.can_change_steps())
}

/// The copiers of a simulation, and inspectors that go along.
fn with_copiers<'a>(
    copiers: &'a mut [Copier],
    inspectors: &'a mut [&mut dyn Inspector],
) -> Vec<&'a mut dyn Inspector> {
    let inspectors = inspectors.iter_mut().map(|inspector| &mut **inspector as &mut dyn Inspector);
    copiers.iter_mut().map(|copier| copier as &mut dyn Inspector).chain(inspectors).collect()
}

/// Observers that see the same rows, one after the other.
struct All<'a, 'b>(&'a mut [&'b mut (dyn Observer + Send)]);

impl Observer for All<'_, '_> {
    fn observe(&mut self, snapshot: &Snapshot, reading: &Reading) -> std::io::Result<()> {
        self.0.iter_mut().try_for_each(|observer| observer.observe(snapshot, reading))
    }
}
