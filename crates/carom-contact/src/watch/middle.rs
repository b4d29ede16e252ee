//! Every pair, layers skipped by its distance.
//!
//! One number for the whole scene: the path of the fastest vertex, summed up. A pair that was at distance d when
//! the path was p is certainly farther apart than d − 2(q − p) when it is q. No search, no anchors, no frames: simple
//! enough to believe, and fast enough for a thousand triangles at full depth.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use carom_model::{ImpulseSums, PairId, System};
use carom_time::Tick;

use super::awake::{ActiveSet, CertifiedFrom, ContactStats};
use super::pair_evaluation::evaluate;
use super::{Motion, TouchedVertices, Watch};
use crate::{MinimumGapTest, Pair, PairRules, SeparationFailure};

/// Covers the rounding of the path, of velocities and of steps: far more than they can lose.
const OUTWARD: f64 = 1.0 + 1e-9;

/// The path at which a proof runs out, ordered.
#[derive(Clone, Copy, PartialEq)]
struct Path(f64);

impl Eq for Path {}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Path {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// One budget for all.
pub struct SpeedBound {
    rules: Arc<PairRules>,
    pairs: Vec<Pair>,
    first_certified_layer: Vec<u32>,
    active_set: ActiveSet,
    runs_out: BinaryHeap<Reverse<(Path, u32)>>,
    /// Path of the fastest vertex so far, in m.
    path: f64,
    /// Speed of the fastest vertex now, in m/s.
    speed: f64,
    now: Tick,
    floor: MinimumGapTest,
    quantum_s: f64,
    stats: ContactStats,
}

impl SpeedBound {
    /// Starts at tick 0.
    #[must_use]
    pub fn new(system: &System, rules: Arc<PairRules>, motion: &Motion) -> Self {
        let mut pairs = Vec::new();
        rules.for_each(|pair| pairs.push(pair));
        let floor = MinimumGapTest::new(system, &rules);
        let mut stats = ContactStats::of(&rules);
        stats.counters.near_pairs = pairs.len() as u64;
        let mut middle = Self {
            first_certified_layer: pairs.iter().map(|pair| pair.first_layer).collect(),
            active_set: ActiveSet::new(&rules),
            runs_out: BinaryHeap::new(),
            path: 0.0,
            speed: fastest(motion),
            now: Tick::START,
            floor,
            quantum_s: motion.quantum.seconds(),
            stats,
            rules,
            pairs,
        };
        for index in 0..middle.pairs.len() as u32 {
            let until = middle.renew(index, Tick::START, motion);
            middle.runs_out.push(Reverse((Path(until), index)));
        }
        middle
    }

    /// Measures a pair and wakes what it has entered; returns the path at which this runs out.
    fn renew(&mut self, index: u32, tick: Tick, motion: &Motion) -> f64 {
        let pair = &self.pairs[index as usize];
        let x = PairRules::positions(pair, |v| motion.position_at(v, tick));
        let distance = pair.measure(&x).distance;
        self.stats.counters.measures += 1;
        // Twice the error of a distance: of this one and of the one that brute force would compute later. Positions
        // are rounded too.
        let size =
            x.iter().fold(0.0, |m: f64, x| m.max(x.x.abs()).max(x.y.abs()).max(x.z.abs())) + distance.abs();
        let error = 4.0 * pair.distance_error(&x) + 64.0 * f64::EPSILON * size;
        let needed = 4.0 * self.speed * self.floor.seconds_to_next(tick);
        let sleep = CertifiedFrom::at(self.rules.layers_of(pair), pair.first_layer, distance - error, needed);
        let before = core::mem::replace(&mut self.first_certified_layer[index as usize], sleep.from);
        self.active_set.change(index, pair, before, sleep.from);
        self.path + 0.5 * sleep.slack
    }
}

fn fastest(motion: &Motion) -> f64 {
    motion.velocities.iter().map(|v| v.length_sq()).fold(0.0, f64::max).sqrt() * OUTWARD
}

impl Watch for SpeedBound {
    fn next_tick(&self) -> Option<Tick> {
        let awake = self.active_set.next_tick(&self.rules, self.now);
        let certificate = self.runs_out.peek().and_then(|Reverse((until, _))| {
            let quanta = (until.0 - self.path) / (self.speed * self.quantum_s * OUTWARD);
            let late = Tick::LAST.0 - self.now.0;
            (quanta < late as f64).then(|| Tick(self.now.0 + quanta as u64).max(self.floor.next(self.now)))
        });
        awake.into_iter().chain(certificate).min()
    }

    fn kick(
        &mut self,
        tick: Tick,
        fraction: f64,
        motion: &Motion,
        kicks: &mut ImpulseSums,
        reached: &mut Vec<u32>,
    ) {
        self.stats.begin();
        for &(index, firing) in self.active_set.due(&self.rules, tick) {
            let pair = &self.pairs[index as usize];
            let when = (tick, fraction, firing);
            let evaluation = evaluate(&self.rules, pair, when, motion);
            self.stats.fire(&self.rules, pair, when, &evaluation, motion, (kicks, reached));
        }
    }

    fn settle(
        &mut self,
        tick: Tick,
        motion: &Motion,
        _visited: TouchedVertices,
    ) -> Result<(), SeparationFailure> {
        self.path += self.speed * motion.quantum.seconds_between(self.now, tick) * OUTWARD;
        self.now = tick;
        self.speed = fastest(motion);
        let needed = self.path + self.speed * self.floor.seconds_to_next(tick) * OUTWARD;
        let mut uncertain = Vec::new();
        while let Some(&Reverse((until, index))) = self.runs_out.peek()
            && until.0 <= needed
        {
            self.runs_out.pop();
            let until = self.renew(index, tick, motion);
            if until > needed {
                self.runs_out.push(Reverse((Path(until), index)));
            } else {
                uncertain.push((until, index));
            }
        }
        self.stats.counters.most_awake = self.stats.counters.most_awake.max(self.active_set.count());
        uncertain.sort_unstable_by_key(|(_, index)| *index);
        for (until, index) in uncertain {
            self.floor.test(&self.rules, &self.pairs[index as usize], tick, motion)?;
            self.runs_out.push(Reverse((Path(until), index)));
        }
        Ok(())
    }

    fn awake(&self) -> Vec<PairId> {
        self.active_set.all().into_iter().map(|index| self.pairs[index as usize].id).collect()
    }

    fn stats(&self) -> &ContactStats {
        &self.stats
    }
}
