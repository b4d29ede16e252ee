//! A run that stands where it ends, while its engine went ahead: all that can be asked of it, and an engine only if it has to go on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use carom_contact::{Touch, Touches};
use carom_model::{ExternalLedger, Fault, PairId, State, System};
use carom_time::Tick;

use crate::{Checkpoint, InstantListener, Method, MethodKind, MethodSummary, PartTimes, Progress, Threads};

/// A run at a tick.
pub(super) struct Standing {
    on: (MethodKind, Threads),
    system: Arc<System>,
    at: Checkpoint,
    pairs: Vec<PairId>,
    summary: MethodSummary,
    /// What it goes on with, once it does.
    engine: Option<Box<dyn Method>>,
}

impl Standing {
    /// The run of an engine as it is now.
    pub fn of(engine: &dyn Method, on: (MethodKind, Threads)) -> Self {
        let (system, at, pairs) = (Arc::clone(engine.system()), engine.save(), engine.pairs());
        Self { on, system, at, pairs, summary: engine.summary(), engine: None }
    }

    /// With the time that it took in all, going ahead included.
    pub fn having_taken(mut self, times: PartTimes) -> Self {
        self.summary.times = times;
        self
    }
}

impl Method for Standing {
    fn advance(
        &mut self,
        end: Tick,
        stop: &AtomicBool,
        listener: &mut dyn InstantListener,
    ) -> Result<Progress, Fault> {
        let (kind, threads) = self.on;
        let resume = || kind.resume(threads, &self.system, &self.at);
        let engine =
            self.engine.get_or_insert_with(|| resume().expect("a run goes on from a checkpoint of its own"));
        engine.advance(end, stop, listener)
    }

    fn tick(&self) -> Tick {
        self.engine.as_ref().map_or(self.at.tick, |engine| engine.tick())
    }

    fn system(&self) -> &Arc<System> {
        &self.system
    }

    fn state(&self) -> State {
        self.engine.as_ref().map_or_else(|| self.at.state.clone(), |engine| engine.state())
    }

    fn external(&self) -> ExternalLedger {
        self.engine.as_ref().map_or_else(|| self.at.external.clone(), |engine| engine.external())
    }

    fn pairs(&self) -> Vec<PairId> {
        self.engine.as_ref().map_or_else(|| self.pairs.clone(), |engine| engine.pairs())
    }

    fn touches(&self, tick: Tick) -> Vec<Touch> {
        let saved = || Touches::restore(&self.at.contact.touches, &self.at.contact.meetings);
        self.engine.as_ref().map_or_else(|| saved().at(tick), |engine| engine.touches(tick))
    }

    fn save(&self) -> Checkpoint {
        self.engine.as_ref().map_or_else(|| self.at.clone(), |engine| engine.save())
    }

    fn summary(&self) -> MethodSummary {
        let Some(engine) = &self.engine else { return self.summary.clone() };
        let summary = engine.summary();
        MethodSummary { times: self.summary.times + summary.times, ..summary }
    }
}
