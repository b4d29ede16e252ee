//! Ways to integrate a system.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_contact::{CertifierKind, Touch};
use carom_model::{ExternalLedger, Fault, PairId, State, System};
use carom_time::Tick;

use crate::synchronous::on_one_clock;
use crate::{
    Carom, Checkpoint, ContactSummary, Dcr, DcrOptions, DcrSummary, GivenUp, InstantListener, PartTimes,
    Reference, Refinement, ResumeError, Threads,
};

/// Which way to integrate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MethodKind {
    /// Potentials in batches by kind and step: the fast engine.
    #[default]
    Carom,
    /// A heap of events, evaluated one by one: the contract read aloud.
    Reference,
    /// All potentials on one step, with layers down to the one given: unless given, as deep as the shortest elastic step goes.
    Synchronous(Option<u32>),
    /// Decomposition Contact Response, for comparison: outside the contract.
    Dcr(DcrOptions),
}

impl MethodKind {
    /// Every method, in the order they are listed to people.
    pub const ALL: [Self; 4] =
        [Self::Carom, Self::Reference, Self::Synchronous(None), Self::Dcr(DcrOptions::DEFAULT)];

    /// The name in scenes and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Carom => "carom",
            Self::Reference => "reference",
            Self::Synchronous(_) => "synchronous",
            Self::Dcr(_) => "dcr",
        }
    }

    /// The method of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.name() == name)
    }

    /// Whether the contract binds this method: its promises are made for those alone.
    #[must_use]
    pub const fn keeps_the_contract(self) -> bool {
        !matches!(self, Self::Dcr(_))
    }

    /// Whether steps of this method may change on the way: `synchronous` and `dcr` have one for everything.
    #[must_use]
    pub const fn can_change_steps(self) -> bool {
        matches!(self, Self::Carom | Self::Reference)
    }

    /// The system this method integrates: `synchronous` and `dcr` put every potential on one clock.
    #[must_use]
    pub fn system(self, system: &Arc<System>) -> Arc<System> {
        match self {
            Self::Synchronous(layers) => Arc::new(on_one_clock(system, layers)),
            Self::Dcr(options) => options.system(system),
            Self::Carom | Self::Reference => Arc::clone(system),
        }
    }

    /// Starts this method on `system`, which must come from [`MethodKind::system`].
    #[must_use]
    pub fn start(self, system: &Arc<System>, state: State) -> Box<dyn Method> {
        self.start_on(1, system, state)
    }

    /// Starts this method on as many threads, where it knows how to share its work: they change no bit.
    #[must_use]
    pub fn start_on(
        self,
        threads: impl Into<Threads>,
        system: &Arc<System>,
        state: State,
    ) -> Box<dyn Method> {
        match self {
            Self::Carom | Self::Synchronous(_) => Box::new(Carom::on_threads(system, &state, threads)),
            Self::Reference => Box::new(Reference::new(system, state)),
            Self::Dcr(options) => Box::new(Dcr::new(system, state, options)),
        }
    }

    /// Starts this method at `tick` with the positions and the synchronised velocities of `state`, as [`MethodKind::start_on`] does at tick 0. Every step of
    /// the system must divide the tick.
    pub fn start_at(
        self,
        tick: Tick,
        threads: impl Into<Threads>,
        system: &Arc<System>,
        state: State,
    ) -> Result<Box<dyn Method>, ResumeError> {
        self.resume(threads, system, &Checkpoint::start(system, tick, state))
    }

    /// Goes on from a checkpoint of `system`, which must come from [`MethodKind::system`], on as many threads: they change no bit.
    pub fn resume(
        self,
        threads: impl Into<Threads>,
        system: &Arc<System>,
        from: &Checkpoint,
    ) -> Result<Box<dyn Method>, ResumeError> {
        Ok(match self {
            Self::Carom | Self::Synchronous(_) => {
                Box::new(Carom::resume(system, from, CertifierKind::default(), threads)?)
            }
            Self::Reference => Box::new(Reference::resume(system, from)?),
            Self::Dcr(options) => Box::new(Dcr::resume(system, from, options)?),
        })
    }
}

/// How far an advance came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Every instant up to the tick asked for has happened.
    Reached,
    /// The listener asked to pause: every instant up to this tick has happened.
    Paused(Tick),
    /// Asked to stop: every instant up to this tick has happened.
    Stopped(Tick),
    /// Every instant up to this tick has happened, and is never taken back.
    Confirmed(Tick),
    /// What happened after this tick is taken back, and happens again with shorter steps; without a tick, all that happened.
    WentBack(Option<Tick>),
}

/// A way to integrate a system, once started.
pub trait Method: Send {
    /// Makes every instant happen that is not after `end`, and tells the listener of each, until it asks to pause or `stop` is raised
    /// between two of them. A method that may take back what happened also returns where it has become sure of it, and where it went back: call it again.
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        listener: &mut dyn InstantListener,
    ) -> Result<Progress, Fault>;

    /// Makes every instant happen that is not after `end`, unless `stop` is raised between two of them; nobody listens.
    fn advance_to(&mut self, end: Tick, stop: &AtomicBool) -> Result<Progress, Fault> {
        self.advance(end, stop, &mut ())
    }

    /// Makes sure that nothing up to `now`, where the method has advanced to, is taken back: [`Progress::Reached`] if so.
    fn confirm(&mut self, now: Tick, stop: &AtomicBool) -> Result<Progress, Fault> {
        let _ = (now, stop);
        Ok(Progress::Reached)
    }

    /// The tick up to which nothing is ever taken back; `None` if even the start may be.
    fn confirmed_until(&self) -> Option<Tick> {
        Some(Tick::LAST)
    }

    /// The run as it stood at the last or the last but one check before `tick`, to go again what went well: of a method that may take back what happened.
    ///
    /// # Panics
    /// For a method that never does, and before what it keeps.
    fn again_before(&self, tick: Tick) -> Box<dyn Method> {
        panic!("nothing is taken back here, at tick {}", tick.0)
    }

    /// Where it stands: every instant up to this tick has happened.
    fn tick(&self) -> Tick;

    /// The system, with the steps it has now.
    fn system(&self) -> &Arc<System>;

    /// The state, vertex by vertex, in the numbering of the system.
    fn state(&self) -> State;

    /// The external ledger so far.
    fn external(&self) -> ExternalLedger;

    /// Pairs that may store contact energy now, in the order of ids.
    fn pairs(&self) -> Vec<PairId>;

    /// Bodies that touched until `tick`, in the order in which they first did; the method must have advanced to it, and no further.
    fn touches(&self, tick: Tick) -> Vec<Touch>;

    /// Where it went back to take shorter steps, in that order; a method that never does has none.
    fn refinements(&self) -> &[Refinement] {
        &[]
    }

    /// What decides all that follows, after [`Method::advance`] returned without a Fault.
    fn save(&self) -> Checkpoint;

    /// What it did so far.
    fn summary(&self) -> MethodSummary;
}

/// What a method did since its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MethodSummary {
    /// Instants so far.
    pub instants: u64,
    /// Gradients computed so far, by kind ([`System::kinds`]).
    pub evaluations: Vec<u64>,
    /// Time spent on its parts: for people, never for decisions.
    pub times: PartTimes,
    /// How contact went; `None` without contact.
    pub contact: Option<ContactSummary>,
    /// What projections and jumps did; `None` for methods that have none.
    pub dcr: Option<DcrSummary>,
    /// Where it went back to take shorter steps, in that order.
    pub refinements: Vec<Refinement>,
    /// How the energy was off when no step was left to shorten, if it came to that.
    pub given_up: Option<GivenUp>,
}
