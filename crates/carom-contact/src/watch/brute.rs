//! Every pair, every layer, every tick of the fastest clock: the contract read aloud.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Kicks, PairId, System};
use carom_time::Tick;

use super::awake::Seen;
use super::near;
use super::shot::aim;
use super::{Motion, Visited, Watch};
use crate::{Catalogue, Floor, Pair, Squeeze};

/// Nothing sleeps.
pub struct BruteForce {
    catalogue: Arc<Catalogue>,
    pairs: Vec<Pair>,
    floor: Floor,
    now: Tick,
    seen: Seen,
}

impl BruteForce {
    /// Starts at tick 0.
    #[must_use]
    pub fn new(system: &System, catalogue: Arc<Catalogue>) -> Self {
        let mut pairs = Vec::new();
        catalogue.for_each(|pair| pairs.push(pair));
        Self::of(system, catalogue, pairs)
    }

    /// Only the pairs that are within their layers with the vertices of `system` at `x`, in m: good for one instant.
    #[must_use]
    pub fn near(system: &System, x: &[Vec3]) -> Self {
        let catalogue = Arc::new(Catalogue::with_own_numbers(system));
        let found = near::search(&catalogue, x, &vec![0.0; x.len()]);
        let pairs = found.into_iter().map(|found| found.pair).collect();
        Self::of(system, catalogue, pairs)
    }

    fn of(system: &System, catalogue: Arc<Catalogue>, pairs: Vec<Pair>) -> Self {
        let floor = Floor::new(system, &catalogue);
        let mut seen = Seen::of(&catalogue);
        seen.effort.near_pairs = pairs.len() as u64;
        Self { catalogue, pairs, floor, now: Tick::START, seen }
    }
}

impl Watch for BruteForce {
    fn next_tick(&self) -> Option<Tick> {
        let layers = self.catalogue.all_layers().iter();
        let spans = layers.flat_map(|layers| (1..=layers.deepest()).map(|l| layers.layer(l).span));
        spans.chain([self.floor.span]).map(|span| self.now.floor(span).after(span)).min()
    }

    fn kick(
        &mut self,
        tick: Tick,
        fraction: f64,
        motion: &Motion,
        kicks: &mut Kicks,
        reached: &mut Vec<u32>,
    ) {
        self.seen.begin();
        let firing: Vec<u64> = self.catalogue.all_layers().iter().map(|l| l.firing_at(tick)).collect();
        for pair in &self.pairs {
            let firing = firing[pair.layers as usize];
            if firing != 0 {
                let when = (tick, fraction, firing);
                let shot = aim(&self.catalogue, pair, when, motion);
                self.seen.fire(&self.catalogue, pair, when, &shot, motion, (kicks, reached));
            }
        }
    }

    fn settle(&mut self, tick: Tick, motion: &Motion, _visited: Visited) -> Result<(), Squeeze> {
        self.now = tick;
        self.pairs.iter().try_for_each(|pair| self.floor.test(&self.catalogue, pair, tick, motion))
    }

    fn awake(&self) -> Vec<PairId> {
        self.pairs.iter().map(|pair| pair.id).collect()
    }

    fn seen(&self) -> &Seen {
        &self.seen
    }
}
