//! Moments that are kept, and how a simulation goes on from them.

use std::sync::Arc;

use carom_engine::{Checkpoint, EnergyController, Method, ResumeError, with_steps_of};
use carom_model::{Fault, System};
use carom_time::Tick;

use super::{Copier, OnceLock, Simulation};

/// A moment of a [`Simulation`], from [`Simulation::save`]: everything that decides later bits and rows, in memory.
#[derive(Clone)]
pub struct Saved {
    checkpoint: Checkpoint,
    /// The system with the steps that were chosen before the run.
    chosen: Arc<System>,
    /// The system with the steps of that moment, some of which a tolerance may have shortened.
    system: Arc<System>,
}

impl Saved {
    /// Every instant up to this tick had happened.
    #[must_use]
    pub fn tick(&self) -> Tick {
        self.checkpoint.tick
    }

    /// The moment, as numbers.
    #[must_use]
    pub fn checkpoint(&self) -> &Checkpoint {
        &self.checkpoint
    }

    /// The system, with the steps of that moment.
    #[must_use]
    pub fn system(&self) -> &Arc<System> {
        &self.system
    }
}

impl Simulation {
    /// Everything that decides later bits and rows, to be [restored](Self::restore) later. After a Fault there is nothing to go on from.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut simulation = Simulation::new(&Scene::load("two-masses", &[])?)?;
    /// simulation.advance_to(0.1)?;
    /// let saved = simulation.save()?;
    /// simulation.advance_to(0.2)?;
    /// let first = simulation.fingerprint();
    /// simulation.restore(&saved)?;
    /// simulation.advance_to(0.2)?;
    /// assert_eq!(simulation.fingerprint(), first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save(&self) -> Result<Saved, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let (chosen, system) = (Arc::clone(&self.chosen), Arc::clone(&self.system));
        Ok(Saved { checkpoint: self.engine.save(), chosen, system })
    }

    /// Goes back, or on, to a moment of this simulation or of another of the same scene, with the steps of then.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), ResumeError> {
        let Saved { checkpoint, chosen, system } = saved;
        checkpoint.must_fit(&self.system)?;
        let engine = match (self.tolerance(), &checkpoint.tolerance) {
            (Some(tolerance), Some(_)) => {
                EnergyController::resume((self.method, self.threads), chosen, checkpoint, tolerance)?
            }
            (None, None) => self.method.resume(self.threads, system, checkpoint)?,
            _ => return Err(ResumeError::Tolerance),
        };
        self.stand_at(checkpoint.tick, engine, chosen);
        Ok(())
    }

    /// Goes back, or on, to a saved moment, and goes on from there with the steps that the potentials have in `other`: the system of the same things in a scene with
    /// other `clocks` or another `contact.step`, or one from [`System::with_spans`].
    ///
    /// Everything but the steps stays, and so does every [reading](Self::reading): one kick [joins](Checkpoint::joined) the old steps to the new. They are rounded down to
    /// the time line of the moment. A tolerance judges what follows as if the run began there.
    ///
    /// ```
    /// use carom::prelude::*;
    ///
    /// let mut simulation = Simulation::new(&Scene::load("two-masses", &[])?)?;
    /// simulation.advance_to(0.1)?;
    /// let saved = simulation.save()?;
    /// let before_j = simulation.reading().total_j();
    /// let shorter = carom::scene::Override::set("clocks.step=1e-4");
    /// let finer = Simulation::new(&Scene::load("two-masses", &[shorter])?)?;
    /// simulation.restore_with_steps_of(&saved, finer.system())?;
    /// assert!((simulation.reading().total_j() / before_j - 1.0).abs() < 1e-14);
    /// simulation.advance_to(0.2)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore_with_steps_of(&mut self, saved: &Saved, other: &System) -> Result<(), ResumeError> {
        if !self.method.can_change_steps() {
            return Err(ResumeError::OneStep);
        }
        saved.checkpoint.must_fit(&self.system)?;
        let stepped = Arc::new(with_steps_of(&saved.chosen, other)?);
        let joined = saved.checkpoint.joined(&saved.system, &stepped);
        let on = (self.method, self.threads);
        let engine = match self.tolerance() {
            Some(tolerance) => EnergyController::start_from(on, &stepped, joined, tolerance)?,
            None => self.method.resume(self.threads, &stepped, &joined)?,
        };
        let tick = saved.tick();
        self.stand_at(tick, engine, &stepped);
        Ok(())
    }

    /// Goes on with another engine, which stands at `tick`.
    fn stand_at(&mut self, tick: Tick, engine: Box<dyn Method>, chosen: &Arc<System>) {
        self.engine = engine;
        self.chosen = Arc::clone(chosen);
        self.take_steps();
        self.now = tick;
        self.fault = None;
        self.reading = OnceLock::new();
        self.rewinds += 1;
        self.copiers.iter_mut().for_each(Copier::go_back);
    }
}
