//! The pairs during a tangent integration: which fire when, and how many are inside their layers.
//!
//! The contact pipeline gives the ticks and the active pairs; impulses and tangents are computed from each pair literally, for every layer
//! whose step divides the tick. A certified layer has exactly zero force, so nothing is missed.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_contact::{CertifierKind, ContactPipeline, Motion, PairRules, Sharing, TouchedVertices};
use carom_model::{ImpulseSums, PairId, State, System};
use carom_time::Tick;

use crate::pairs::{Fired, Pairs};
use crate::report::NoMeasurement;

/// The pairs of a system during a tangent integration.
pub(crate) struct Touching {
    pub pairs: Pairs,
    pub met: Encounters,
    contact: ContactPipeline,
    /// Scratch for the impulses of the contact pipeline: the tangent integrator sums its own.
    unused: ImpulseSums,
}

/// Pairs inside layers, counted at every instant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encounters {
    /// Inside how many layers each pair is, at the last instant; pairs outside are left out.
    depths: BTreeMap<PairId, u32>,
    fewest: Option<usize>,
    /// The most pairs inside layers at once.
    pub most: usize,
    /// Number of times that a pair entered a deeper layer between two instants.
    pub entered: u32,
    /// Number of times that a pair left a layer between two instants.
    pub left: u32,
}

impl Touching {
    /// The pairs at tick 0; `None` if the system has no contact.
    pub fn new(system: &Arc<System>, state: &State) -> Option<Self> {
        let (kind, motion) = (CertifierKind::Certificates, Motion::of(state));
        Some(Self {
            pairs: Pairs::new(system)?,
            met: Encounters::default(),
            contact: ContactPipeline::new(
                kind,
                system,
                PairRules::with_own_numbers(system),
                (Tick::START, &motion),
                Sharing::NONE,
            ),
            unused: ImpulseSums::new(system.vertices()),
        })
    }

    /// The next tick at which a layer may fire or certificates must be updated.
    pub fn next_tick(&self) -> Option<Tick> {
        self.contact.next_tick()
    }

    /// The pairs that fire at `tick`, the next one, with `fraction` of their steps, in the order of ids.
    pub fn firing(&self, tick: Tick, fraction: f64, state: &State) -> Vec<Fired> {
        self.pairs
            .firing(self.contact.active_pairs(), tick, fraction, |v| state.position_at(v as usize, tick))
    }

    /// The pairs that fire at `tick`, as `firing` gives them; the contact pipeline is advanced too.
    pub fn fire(&mut self, tick: Tick, fraction: f64, state: &State) -> Vec<Fired> {
        let fired = self.firing(tick, fraction, state);
        let depth = |id: PairId| (id, self.pairs.depth(id, |v| state.position_at(v as usize, tick)));
        self.met.see(
            self.contact.active_pairs().into_iter().map(depth).filter(|(_, depth)| *depth > 0).collect(),
        );
        self.contact.apply_impulses(tick, fraction, &Motion::of(state), &mut self.unused, &mut Vec::new());
        fired
    }

    /// Updates certificates after the kicks of `tick`.
    pub fn update_certificates(&mut self, tick: Tick, state: &State) -> Result<(), NoMeasurement> {
        let all = TouchedVertices { prefix: state.len() as u32, others: &[] };
        let squeezed =
            |_| NoMeasurement::Failed(format!("a pair fails the minimum gap test at tick {}", tick.0));
        self.contact.update_certificates(tick, &Motion::of(state), all).map_err(squeezed)
    }
}

impl Encounters {
    /// Compares the depths of all pairs inside layers with those of the last instant.
    fn see(&mut self, depths: BTreeMap<PairId, u32>) {
        let first = self.fewest.is_none();
        self.most = self.most.max(depths.len());
        self.fewest = Some(self.fewest.map_or(depths.len(), |fewest| fewest.min(depths.len())));
        // Layers that a pair is inside at the start were not entered.
        if !first {
            let depth = |of: &BTreeMap<PairId, u32>, id| of.get(id).copied().unwrap_or(0);
            for (id, &now) in &depths {
                self.entered += now.saturating_sub(depth(&self.depths, id));
            }
            for (id, &before) in &self.depths {
                self.left += before.saturating_sub(depth(&depths, id));
            }
        }
        self.depths = depths;
    }
}

impl core::fmt::Display for Encounters {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { most, entered, left, .. } = self;
        let fewest = self.fewest.unwrap_or(0);
        write!(
            f,
            "{fewest} to {most} pairs inside layers, layers entered {entered} times and left {left} times"
        )
    }
}
