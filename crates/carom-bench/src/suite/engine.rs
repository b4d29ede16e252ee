//! Running the engine for a measurement, on one thread.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use carom_engine::{Method, MethodKind};
use carom_model::{Fault, State, System};
use carom_time::Tick;

use super::measure::thread_time;

/// A run on its way.
pub struct Going {
    method: Box<dyn Method>,
    now: Tick,
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
    pub fn start(kind: MethodKind, system: &Arc<System>, state: &State) -> Self {
        Self {
            method: kind.start(&kind.system(system), state.clone()),
            now: Tick::START,
            wall: Duration::ZERO,
        }
    }

    /// Advances by `quanta`.
    ///
    /// # Panics
    /// If the run ends in a Fault: none of these does.
    pub fn advance(&mut self, quanta: u64) -> Stretch {
        self.try_advance(quanta).expect("a gentle motion does not fault")
    }

    /// Advances by `quanta`, where a run may end in a Fault.
    pub fn try_advance(&mut self, quanta: u64) -> Result<Stretch, Fault> {
        let evaluated = |method: &dyn Method| method.summary().evaluations.iter().sum::<u64>();
        let before = evaluated(&*self.method);
        self.now = Tick(self.now.0 + quanta);
        let started = Instant::now();
        let (progress, cpu) = thread_time(|| self.method.advance_to(self.now, &AtomicBool::new(false)));
        self.wall += started.elapsed();
        progress?;
        Ok(Stretch { evaluations: evaluated(&*self.method) - before, cpu })
    }

    /// The run, where it is.
    pub fn method(&self) -> &dyn Method {
        &*self.method
    }

    /// The tick that has been reached.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// Wall-clock time of all stretches, as measured by the engine.
    pub fn wall(&self) -> Duration {
        self.wall
    }
}
