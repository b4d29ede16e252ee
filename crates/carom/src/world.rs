//! A system with its method, for programs that only advance and read it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_engine::{Method, MethodKind, Reader, Reading};
use carom_model::{Fault, State, System};
use carom_time::{StepError, Tick};

/// A system, the method that moves it, and the tick it has reached.
pub struct World {
    method: Box<dyn Method>,
    reader: Reader,
    now: Tick,
}

/// Why a world cannot advance.
#[derive(Clone, Debug, PartialEq)]
pub enum AdvanceError {
    /// The requested time is not on the time line.
    Time(StepError),
    /// The simulation had to stop.
    Fault(Fault),
}

impl core::fmt::Display for AdvanceError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Time(error) => error.fmt(f),
            Self::Fault(fault) => fault.fmt(f),
        }
    }
}

impl core::error::Error for AdvanceError {}

impl World {
    /// Starts `system` with the fast engine; everything that fires at tick 0 has fired.
    pub fn new(system: System, state: State) -> Result<Self, Fault> {
        Self::with_method(system, state, MethodKind::Carom)
    }

    /// Starts `system` with a method of your choice; everything that fires at tick 0 has fired.
    pub fn with_method(system: System, state: State, method: MethodKind) -> Result<Self, Fault> {
        let system = method.system(&Arc::new(system));
        let mut world =
            Self { method: method.start(&system, state), reader: Reader::new(&system), now: Tick::START };
        world.advance_to(Tick::START)?;
        Ok(world)
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &System {
        self.reader.system()
    }

    /// Advances the system to `tick`, with everything that fires there.
    pub fn advance_to(&mut self, tick: Tick) -> Result<(), Fault> {
        self.method.advance_to(tick, &AtomicBool::new(false))?;
        self.now = self.now.max(tick);
        Ok(())
    }

    /// Advances the system to `seconds` after the start.
    pub fn advance_to_seconds(&mut self, seconds: f64) -> Result<(), AdvanceError> {
        let tick = self.system().line.tick_at(seconds).map_err(AdvanceError::Time)?;
        self.advance_to(tick).map_err(AdvanceError::Fault)
    }

    /// Energy, momentum, positions and synchronised velocities now.
    #[must_use]
    pub fn read(&self) -> Reading {
        self.reader.read(&self.method.state(), &self.method.external(), &self.method.pairs(), self.now)
    }

    /// Position, velocity and tick of the last kick of every vertex.
    #[must_use]
    pub fn state(&self) -> State {
        self.method.state()
    }
}
