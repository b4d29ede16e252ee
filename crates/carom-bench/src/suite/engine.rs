//! Running the engine for a measurement, on one thread.

use std::sync::Arc;
use std::time::{Duration, Instant};

use carom::{AdvanceError, Simulation};
use carom_engine::MethodKind;
use carom_model::{State, System};
use carom_time::Tick;

use super::measure::thread_time;

/// A run on its way.
pub struct Going {
    simulation: Simulation,
    wall: Duration,
}

/// Cost of a stretch of a run.
pub struct Stretch {
    /// Gradients of elements.
    pub evaluations: u64,
    /// Processor time.
    pub cpu: Duration,
}

impl Stretch {
    /// Element forces a second.
    pub fn rate(&self) -> f64 {
        self.evaluations as f64 / self.cpu.as_secs_f64()
    }
}

impl Going {
    /// Starts `kind` on a system as the scene has it.
    ///
    /// # Panics
    /// If the system cannot start: all of these can.
    pub fn start(kind: MethodKind, system: &Arc<System>, state: &State) -> Self {
        let simulation = Simulation::of_system(Arc::clone(system), state.clone(), kind);
        Self { simulation: simulation.expect("a sound start"), wall: Duration::ZERO }
    }

    /// Advances by `quanta`.
    ///
    /// # Panics
    /// If the run ends in a Fault: none of these does.
    pub fn advance(&mut self, quanta: u64) -> Stretch {
        self.try_advance(quanta).expect("a gentle motion does not fault")
    }

    /// Advances by `quanta`, where a run may end in a Fault.
    pub fn try_advance(&mut self, quanta: u64) -> Result<Stretch, AdvanceError> {
        let evaluated = |simulation: &Simulation| simulation.summary().evaluations.iter().sum::<u64>();
        let before = evaluated(&self.simulation);
        let end = Tick(self.simulation.tick().0 + quanta);
        let started = Instant::now();
        let (advanced, cpu) = thread_time(|| self.simulation.advance_to_tick(end));
        self.wall += started.elapsed();
        advanced?;
        Ok(Stretch { evaluations: evaluated(&self.simulation) - before, cpu })
    }

    /// The run, where it is.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Wall-clock time of all stretches, as measured by the engine.
    pub fn wall(&self) -> Duration {
        self.wall
    }
}
