//! Certificates: which layers a candidate certainly does not enter, and until when.
//!
//! A [`Certifier`] is told at every instant what moved, and certifies layers of candidates. It sets the ticks at which it must
//! be asked. There are three, with one contract: whichever is used, the bits of the run are the same, because a certified layer provably has
//! no force.
//!
//! | [`Certificates`] | candidates of the broad phase, budgets of motion: the product |
//! | [`SpeedBound`] | every pair, layers certified by its distance and the path of the fastest vertex |
//! | [`BruteForce`] | every pair, no layer certified, every tick of the fastest clock |
//!
//! ## Budgets of motion
//!
//! If a pair was at distance d when it was measured, and no vertex of its primitives has since moved farther than b and b′ from where it
//! was (in a frame common to them), its distance is at least d − b − b′. So a pair that is d > `η_l` apart may ignore the layers
//! l, l+1, … until one of its vertices has used up its share of d − `η_l` − ε. A kick does not end a certificate: it only
//! changes how fast the budget is spent.
//!
//! **Invariant.** After every instant, every pair either is no candidate (its primitives were farther apart than the first
//! layer and their skins allow, or are of a body that has kept its [shape](crate::broad_phase)), or holds a certificate for a layer that
//! covers the motions of its vertices up to their ticks `valid_until`, or has all layers active and passed the [`MinimumGapTest`] just now. The displacement of
//! a straight motion from its anchor is convex: it is enough to test the end.
//!
//! A pair with a certificate must also pass that test, or brute force would end where certificates do not. A vertex below the *limit speed* moves less than half
//! of the thinnest layer in a step of the gap test: two of these pass wherever they are certified apart. A faster one must
//! stay within its allowance with such a step to spare, in whichever direction.
//!
//! | data | [`budgets`]: anchors, allowances, contributions; [`epoch`]: frames, rounding; [`limits`]: constants |
//! | frames | [`frame_choice`]: which body has a frame of its own |
//! | scenes refused | [`resolution`]: contact thinner than rounding allows |
//! | schedule | [`recheck_queue`]: which budget is checked when; [`max_displacement`]: which need no check |
//! | execution | [`renewal`]: checks, measures, certificates issued and withdrawn |
//!
//! **Never here:** forces, changing anything but the certified layers of candidates.

mod brute_force;
mod budgets;
mod certified_from;
mod epoch;
mod frame_choice;
mod limits;
mod max_displacement;
mod minimum_gap;
mod recheck_queue;
mod renewal;
mod resolution;
mod speed_bound;
mod vertex_motion;

use std::sync::Arc;
use std::time::{Duration, Instant};

use carom_math::{Vec3, prefetch};
use carom_model::System;
use carom_time::Tick;

use crate::active_pairs::ActivePairs;
use crate::broad_phase::{CandidateDistance, CandidateSearch};
use crate::{Motion, Pair, PairRules, Sharing, TouchedVertices};
pub(crate) use brute_force::BruteForce;
use budgets::Budgets;
pub(crate) use certified_from::has_retreated;
use epoch::Epoch;
use frame_choice::FrameChoice;
use limits::{Limits, touched_every};
pub use minimum_gap::{FailureReason, MinimumGapTest, SeparationFailure};
use recheck_queue::{FlaggedBudgets, RecheckQueue};
use renewal::AHEAD;
pub use resolution::{TooThin, too_thin};
pub(crate) use speed_bound::SpeedBound;

/// Covers the rounding of speeds and times: far more than they can lose.
const OUTWARD: f64 = 1.0 + 1e-9;

/// Covers the rounding of a path: `LONGEST_PATH` terms lose at most 8e-12 of it.
const INWARD: f64 = 1.0 - 1e-10;

/// A skin lasts for this many steps of its vertex at its present speed.
const SKIN_STEPS: f64 = 16.0;

/// So many vertices are checked at once against the path of the fastest.
const BLOCK: usize = 16;

/// What happened at an instant.
pub(crate) struct Update<'a> {
    /// The instant, after its kicks.
    pub tick: Tick,
    /// Positions and velocities after the kicks.
    pub motion: &'a Motion<'a>,
    /// The vertices that may have been kicked.
    pub touched: TouchedVertices<'a>,
    /// Active pairs that were measured far out of their deepest active layer.
    pub retreated: &'a [u32],
}

/// What certificates took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CertificateCounters {
    /// Distances measured to certify layers.
    pub measures: u64,
    /// Searches for candidates.
    pub searches: u64,
    /// Time spent on searches: for people, never for decisions.
    pub searching: Duration,
}

/// A way to know which layers have no force.
pub(crate) trait Certifier: Send {
    /// The next tick after the last update at which certificates must be updated.
    fn next_tick(&self) -> Option<Tick>;

    /// Renews what has run out, after the kicks of every instant of the run.
    fn update_certificates(
        &mut self,
        active: &mut ActivePairs,
        update: &Update,
    ) -> Result<(), SeparationFailure>;

    /// Whether the candidate with this index holds a certificate; without one, all its layers are active.
    fn is_certified(&self, index: u32) -> bool;

    /// What it took so far.
    fn counters(&self) -> CertificateCounters;
}

/// When a pair was measured, and where its vertices' contributions are.
struct CertificateRow {
    measured_at: Tick,
    /// The slot of each vertex.
    slots: [u32; 4],
}

/// Certificates of candidates by budgets of motion.
pub(crate) struct Certificates {
    rules: Arc<PairRules>,
    frame_choice: FrameChoice,
    search: CandidateSearch,
    /// Scratch: what the last search found.
    found: Vec<CandidateDistance>,
    epoch: Epoch,
    budgets: Budgets,
    /// By candidates.
    rows: Vec<CertificateRow>,
    /// Ticks by which budgets must be checked before the engine touches their vertices.
    queue: RecheckQueue,
    flagged: FlaggedBudgets,
    /// Candidates without a certificate.
    uncertain: Vec<u32>,
    search_is_due: bool,
    now: Tick,
    counters: CertificateCounters,
}

impl Certificates {
    /// Starts at `tick` with a search; if a team of threads leads, now and later, it shares what is worth it.
    pub fn new(
        system: &System,
        rules: &Arc<PairRules>,
        (tick, motion): (Tick, &Motion),
        sharing: Sharing,
        active: &mut ActivePairs,
    ) -> Self {
        let limits = Limits::new(system, rules, motion.quantum);
        let mut certificates = Self {
            rules: Arc::clone(rules),
            frame_choice: FrameChoice::new(system, rules),
            search: CandidateSearch::new(rules, motion, sharing),
            found: Vec::new(),
            epoch: Epoch::start(),
            budgets: Budgets::new(touched_every(system, rules), limits, motion.quantum),
            rows: Vec::new(),
            queue: RecheckQueue::default(),
            flagged: FlaggedBudgets::default(),
            uncertain: Vec::new(),
            search_is_due: false,
            now: tick,
            counters: CertificateCounters::default(),
        };
        certificates.begin_epoch(tick, motion, active);
        certificates
    }

    /// Begins an epoch: a search, new frames, new anchors, and certificates for all candidates.
    fn begin_epoch(&mut self, tick: Tick, motion: &Motion, active: &mut ActivePairs) {
        let started = Instant::now();
        self.counters.searches += 1;
        self.search_is_due = false;
        let x: Vec<Vec3> = (0..self.budgets.vertices() as u32).map(|v| motion.position_at(v, tick)).collect();
        let beyond_s = self.budgets.limits.gap_test_step_s * OUTWARD;
        let frames = self.frame_choice.frames(&x, motion.velocities, beyond_s);
        self.epoch.begin(&self.frame_choice, tick, frames);
        let own_speed = |v| self.epoch.speed_in(self.epoch.frame_of(v), v, motion);
        let speeds: Vec<f64> = (0..x.len() as u32).map(own_speed).collect();
        let (least, mut skins) = self.skins(&speeds, motion);
        let mut found = core::mem::take(&mut self.found);
        let (frames, skins) = (&self.epoch.frames, &mut skins[..]);
        let lasts_s = self.search.search(&self.rules, &x, (&least, skins), frames, &mut found);
        self.budgets.begin(tick, &x, skins, |v| self.epoch.frame_of(v));
        let size = epoch::size(&self.frame_choice, &x, &self.budgets.all, motion);
        self.epoch.bound(size, lasts_s, self.search.least_skin_of_all(), motion);
        for v in 0..self.budgets.vertices() as u32 {
            self.budgets.all[v as usize].allowance = self.budgets.skin_left(v, self.epoch.rounding_bound);
        }
        self.budgets.add_guests(self.guests(&found));
        self.flagged.begin(self.budgets.len());
        self.queue.clear();
        self.certify_candidates(&found, tick, &speeds, motion, active);
        self.found = found;
        self.counters.searching += started.elapsed();
    }

    /// Vertices of candidates that count in a frame other than that of the vertex's body, and these frames.
    fn guests(&self, found: &[CandidateDistance]) -> Vec<(u32, u32)> {
        let frames = &self.epoch.frames;
        if frames.is_one() {
            return Vec::new();
        }
        let mut guests = Vec::new();
        for CandidateDistance { pair, .. } in found {
            let frame = frames.of_pair(pair.bodies);
            let is_guest = |v: &&u32| self.epoch.frame_of(**v) != frame;
            guests.extend(pair.stencil().iter().filter(is_guest).map(|v| (*v, frame)));
        }
        guests
    }

    /// The least skin of each vertex in an epoch, and the one that it should have, in m; its speed in the frame is in m/s.
    fn skins(&mut self, speeds: &[f64], motion: &Motion) -> (Vec<f64>, Vec<f64>) {
        let is_position = |v: &usize| self.frame_choice.is_position(*v);
        let of_positions: Vec<f64> = (0..speeds.len()).filter(is_position).map(|v| speeds[v]).collect();
        self.budgets.max_displacement.begin(of_positions.iter().copied().fold(0.0, f64::max));
        let typical = root_mean_square(of_positions.into_iter());
        let mut skins = vec![0.0; speeds.len()];
        let mut least = vec![0.0; speeds.len()];
        for v in 0..speeds.len() {
            let (speed, least_skin) = (speeds[v], self.search.least_skin()[v]);
            let span = self.budgets.all[v].touched_every.unwrap_or(self.budgets.limits.idle_span);
            // In proportion to its speed, so that not the fastest few call for every search.
            let share = if typical > 0.0 { 1.0 + speed / typical } else { 1.0 };
            least[v] = least_skin.max(SKIN_STEPS * speed * motion.quantum.step(span));
            skins[v] = least[v].max(share * least_skin);
        }
        (least, skins)
    }

    /// Replaces all candidates, and issues certificates for them; vertices have these speeds in the frames of their bodies, in m/s.
    fn certify_candidates(
        &mut self,
        found: &[CandidateDistance],
        tick: Tick,
        speeds: &[f64],
        motion: &Motion,
        active: &mut ActivePairs,
    ) {
        let pairs = found.iter().map(|found| &found.pair);
        active.replace(tick, pairs.clone());
        self.rows.clear();
        let frame_of = |pair: &Pair| self.epoch.frames.of_pair(pair.bodies);
        let add = |slots| self.rows.push(CertificateRow { measured_at: tick, slots });
        self.budgets.make_slots(pairs, frame_of, add);
        for (index, CandidateDistance { pair, distance, error }) in (0..).zip(found) {
            let frame = self.epoch.frames.of_pair(pair.bodies);
            let speed = |v: u32| {
                let is_own = self.epoch.frame_of(v) == frame;
                if is_own { speeds[v as usize] } else { self.epoch.speed_in(frame, v, motion) }
            };
            let fastest = |part: &[u32]| part.iter().map(|v| speed(*v)).fold(0.0, f64::max);
            let (first, second) = pair.stencil().split_at(pair.first_primitive());
            let speeds = [fastest(first), fastest(second)];
            let shares = self.certify(index, tick, speeds, (*distance, *error), active);
            let slots = self.rows[index as usize].slots;
            for (i, (&slot, &v)) in slots.iter().zip(pair.stencil()).enumerate() {
                let share = shares[usize::from(i >= pair.first_primitive())];
                self.budgets.contribute(slot, self.budgets.of(v, frame), share);
            }
        }
    }

    /// Checks the motion of all touched vertices.
    fn check_touched(&mut self, tick: Tick, motion: &Motion, touched: TouchedVertices) {
        for first in (0..touched.prefix).step_by(BLOCK) {
            let block = first..touched.prefix.min(first + BLOCK as u32);
            if !self.budgets.are_within_safe_path(block.clone()) {
                block.for_each(|v| self.check_vertex(v, tick, motion));
            }
        }
        self.check_guests(self.budgets.guests(0..touched.prefix), tick, motion);
        let mut later = touched.others.iter().skip(AHEAD);
        for &v in touched.others {
            if let Some(&v) = later.next() {
                prefetch(&self.budgets.all, v as usize);
                prefetch(&self.budgets.max_displacement.safe_path_length, v as usize);
            }
            self.check_vertex(v, tick, motion);
            self.check_guests(self.budgets.guests(v..v + 1), tick, motion);
        }
    }
}

impl Certifier for Certificates {
    fn next_tick(&self) -> Option<Tick> {
        let later = |tick: Tick| tick.max(Tick(self.now.0 + 1));
        self.queue.next_tick().into_iter().chain(self.epoch.end).map(later).min()
    }

    fn update_certificates(
        &mut self,
        active: &mut ActivePairs,
        &Update { tick, motion, touched, retreated }: &Update,
    ) -> Result<(), SeparationFailure> {
        let Epoch { frames, frame_of, .. } = &self.epoch;
        let fastest = self.frame_choice.fastest(touched, motion.velocities, frames, frame_of);
        self.budgets.max_displacement.advance(motion.quantum.seconds_between(self.now, tick), fastest);
        self.now = tick;
        self.queue.drain_until(tick, |b| {
            if self.budgets.all[b as usize].valid_until <= tick {
                self.flagged.flag(b);
            }
        });
        self.check_touched(tick, motion, touched);
        for &index in retreated {
            if self.rows[index as usize].measured_at != tick {
                self.renew_pair(index, tick, motion, active);
            }
        }
        self.uncertain.clear();
        self.search_is_due |= self.epoch.end.is_some_and(|end| end <= tick);
        self.renew_flagged(tick, motion, active);
        if self.search_is_due {
            self.uncertain.clear();
            self.begin_epoch(tick, motion, active);
            (0..self.budgets.vertices() as u32).for_each(|v| self.check_vertex(v, tick, motion));
            let all = 0..self.budgets.vertices() as u32;
            self.check_guests(self.budgets.guests(all), tick, motion);
            self.renew_flagged(tick, motion, active);
            assert!(
                !self.search_is_due,
                "a new skin lasts for many steps, unless something has flown so far that its coordinates hide the thickness of contact"
            );
        }
        self.uncertain.sort_unstable();
        self.uncertain.dedup();
        let gap_test = &self.budgets.limits.gap_test;
        let test = |index: &u32| gap_test.test(&self.rules, &active.pair(*index), tick, motion);
        self.uncertain.iter().try_for_each(test)
    }

    fn is_certified(&self, index: u32) -> bool {
        self.budgets.contribution(self.rows[index as usize].slots[0] as usize) > f64::NEG_INFINITY
    }

    fn counters(&self) -> CertificateCounters {
        self.counters
    }
}

fn root_mean_square(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    (values.map(|x| x * x).sum::<f64>() / count).sqrt()
}
