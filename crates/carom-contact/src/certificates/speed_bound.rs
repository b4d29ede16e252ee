//! Every pair, layers certified by its distance and the path of the fastest vertex.
//!
//! One number for the whole scene: the path of the fastest vertex, summed up. A pair that was at distance d when
//! the path was p is certainly farther apart than d − 2(q − p) when it is q. No search, no anchors, no frames: simple
//! enough to believe, and fast enough for a thousand triangles at full depth.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use carom_model::System;
use carom_time::Tick;

use super::certified_from::CertifiedFrom;
use super::{CertificateCounters, Certifier, Update};
use crate::active_pairs::ActivePairs;
use crate::{MinimumGapTest, Motion, Pair, PairRules, SeparationFailure};

/// Covers the rounding of the path, of velocities and of steps: far more than they can lose.
const OUTWARD: f64 = 1.0 + 1e-9;

/// The path at which a certificate runs out, ordered.
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

/// One budget for all vertices: the path of the fastest.
pub(crate) struct SpeedBound {
    rules: Arc<PairRules>,
    runs_out: BinaryHeap<Reverse<(Path, u32)>>,
    /// Path of the fastest vertex so far, in m.
    path: f64,
    /// Speed of the fastest vertex now, in m/s.
    speed: f64,
    now: Tick,
    gap_test: MinimumGapTest,
    quantum_s: f64,
    /// Pairs without a certificate, in rising order, and the path at which each is measured again.
    uncertain: Vec<(u32, f64)>,
    counters: CertificateCounters,
}

impl SpeedBound {
    /// Starts at `tick` with these pairs, in the order of ids.
    pub fn new(
        system: &System,
        rules: &Arc<PairRules>,
        (tick, motion): (Tick, &Motion),
        pairs: &[Pair],
        active: &mut ActivePairs,
    ) -> Self {
        active.replace(tick, pairs.iter());
        let mut speed_bound = Self {
            rules: Arc::clone(rules),
            runs_out: BinaryHeap::new(),
            path: 0.0,
            speed: fastest(motion),
            now: tick,
            gap_test: MinimumGapTest::new(system, rules),
            quantum_s: motion.quantum.seconds(),
            uncertain: Vec::new(),
            counters: CertificateCounters::default(),
        };
        for index in 0..pairs.len() as u32 {
            let until = speed_bound.renew(index, tick, motion, active);
            speed_bound.runs_out.push(Reverse((Path(until), index)));
        }
        speed_bound
    }

    /// Measures a pair and certifies its layers; returns the path at which this runs out, in m.
    fn renew(&mut self, index: u32, tick: Tick, motion: &Motion, active: &mut ActivePairs) -> f64 {
        let pair = active.pair(index);
        let x = PairRules::positions(&pair, |v| motion.position_at(v, tick));
        let distance = pair.measure(&x).distance;
        self.counters.measures += 1;
        // Twice the error of a distance: of this one and of the one that brute force would compute later. Positions
        // are rounded too.
        let size =
            x.iter().fold(0.0, |m: f64, x| m.max(x.x.abs()).max(x.y.abs()).max(x.z.abs())) + distance.abs();
        let error = 4.0 * pair.distance_error(&x) + 64.0 * f64::EPSILON * size;
        let needed = 4.0 * self.speed * self.gap_test.seconds_to_next(tick);
        let layers = self.rules.layers_of(&pair);
        let certified = CertifiedFrom::at(layers, pair.first_layer, distance - error, needed);
        active.certify_from(index, certified.layer);
        self.path + 0.5 * certified.slack
    }
}

/// Speed of the fastest vertex, in m/s, rounded up.
fn fastest(motion: &Motion) -> f64 {
    motion.velocities.iter().map(|v| v.length_sq()).fold(0.0, f64::max).sqrt() * OUTWARD
}

impl Certifier for SpeedBound {
    fn next_tick(&self) -> Option<Tick> {
        self.runs_out.peek().and_then(|Reverse((until, _))| {
            let quanta = (until.0 - self.path) / (self.speed * self.quantum_s * OUTWARD);
            let late = Tick::LAST.0 - self.now.0;
            (quanta < late as f64).then(|| Tick(self.now.0 + quanta as u64).max(self.gap_test.next(self.now)))
        })
    }

    fn update_certificates(
        &mut self,
        active: &mut ActivePairs,
        &Update { tick, motion, .. }: &Update,
    ) -> Result<(), SeparationFailure> {
        self.path += self.speed * motion.quantum.seconds_between(self.now, tick) * OUTWARD;
        self.now = tick;
        self.speed = fastest(motion);
        let needed = self.path + self.speed * self.gap_test.seconds_to_next(tick) * OUTWARD;
        self.uncertain.clear();
        while let Some(&Reverse((until, index))) = self.runs_out.peek()
            && until.0 <= needed
        {
            self.runs_out.pop();
            let until = self.renew(index, tick, motion, active);
            if until > needed {
                self.runs_out.push(Reverse((Path(until), index)));
            } else {
                self.uncertain.push((index, until));
            }
        }
        self.uncertain.sort_unstable_by_key(|(index, _)| *index);
        for &(index, until) in &self.uncertain {
            self.gap_test.test(&self.rules, &active.pair(index), tick, motion)?;
            self.runs_out.push(Reverse((Path(until), index)));
        }
        Ok(())
    }

    fn is_certified(&self, index: u32) -> bool {
        self.uncertain.binary_search_by_key(&index, |(uncertain, _)| *uncertain).is_err()
    }

    fn counters(&self) -> CertificateCounters {
        self.counters
    }
}
