//! Proofs by budgets of motion.
//!
//! If a pair was at distance d when it was measured, and no vertex of its primitives has since moved farther than b and b′ from where it
//! was (in a frame common to all), its distance is at least d − b − b′. So a pair that is d > `η_l` apart may ignore the layers
//! l, l+1, … until one of its vertices has used up its share of d − `η_l` − ε. A kick does not end a proof: it only
//! changes how fast the budget is spent.
//!
//! **Invariant.** After every instant, every pair either is in no list (its primitives were farther apart than the first
//! layer and their skins allow, or are of a body that has kept its [shape](super::shape)), or holds a proof for a layer that
//! covers the flights of its vertices up to the ticks named for them, or has all layers awake and passed the test of [`MinimumGapTest`] just now. The displacement of a straight flight
//! from its anchor is convex: it is enough to test the end.
//!
//! A pair with a proof must also pass that test, or brute force would end where proofs do not. A vertex that is *slow* moves less than half
//! of the thinnest layer in a step of the floor: two of these pass wherever they are proven apart. A fast one must
//! stay within its allowance with such a step to spare, in whichever direction.
//!
//! **One comparison per vertex.** Each vertex has one anchor and one allowance, the least of its pairs' contributions
//! and of its skin. A proof of share b, given to a vertex already u from its anchor, contributes b − u. Moving an anchor by u
//! takes u off all contributions (the triangle inequality); they need not be issued anew.
//!
//! **Rounding.** Let L bound all coordinates, and the way of the frame, during an epoch (the time between two searches).
//! A position in the frame takes ten roundings of numbers below 4L, a displacement one more: `ROUNDING`·L bounds
//! what a computed displacement can miss. It is taken off the slack of every pair, four times, with four times the error of the
//! distance kernel: once for this measure and once for the distance that brute force would compute later.

mod budget;
mod epoch;
mod flight;
mod max_displacement;
mod near;
mod recheck_queue;
mod skin;

use std::sync::Arc;

use carom_math::{LANES, Vec3, prefetch};
use carom_model::{ImpulseSums, PairId, System};
use carom_time::{Span, Tick};
use rayon::prelude::*;

use max_displacement::{MaxDisplacement, fastest, fastest_place};
use near::{Candidate, Certificate};
use recheck_queue::RecheckQueue;

use super::awake::{ActiveSet, ContactStats, LOOSE};
use super::broad_phase::BroadPhase;
use super::pair_evaluation::{PairEvaluation, Pairs8, PositionsNow, evaluate};
use super::shape::CullingOfBodies;
use super::sharing::Sharing;
use super::{CandidateDistance, Motion, TouchedVertices, Watch};
use crate::{Layers, MinimumGapTest, PairRules, SeparationFailure};

/// What a computed displacement can miss, over the largest coordinate of an epoch: 32 roundings of 4L.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Covers the rounding of speeds and times: far more than they can lose.
const OUTWARD: f64 = 1.0 + 1e-9;

/// Covers the rounding of a path: `LONGEST_PATH` terms lose at most 8e-12 of it.
const INWARD: f64 = 1.0 - 1e-10;

/// A skin lasts for this many steps of its vertex at its present speed.
const SKIN_STEPS: f64 = 16.0;

/// How much farther a vertex is let go when it is looked after, over its least skin.
const ENOUGH: f64 = 0.5;

/// A proof that has come this far is renewed if its vertex is looked after anyway, rather than after another look.
const NEARLY_SPENT: f64 = 0.8;

/// The part of its slack that a pair leaves to its slower primitive in any case: kicks change speeds.
const LEAST_SHARE: f64 = 0.2;

/// What so many vertices are in does not fit the cache: memory is asked for before it is needed.
const LARGE: usize = 1 << 14;

/// Memory is asked for this many turns of a loop before it is needed.
const AHEAD: usize = 8;

/// So many vertices are asked at once whether all are carefree.
const BLOCK: usize = 16;

/// What is claimed of a near pair until the next instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// Which.
    pub pair: PairId,
    /// It does not enter this layer; below the deepest, it does not come to the floor.
    pub first_certified_layer: u32,
    /// Without a proof all layers are awake, and it is only claimed that the pair does not touch.
    pub is_certified: bool,
}

/// What is known of the motion of one vertex. What is asked for most fills a cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Budget {
    /// Where its displacement counts from, in the frame, in m.
    anchor: Vec3,
    /// How far from there it may be, in m.
    allowance: f64,
    /// Its flight is proven up to here …
    valid_until: Tick,
    /// … if it has this velocity, in m/s.
    flies: Vec3,
    /// Where it was at the last search, in m.
    origin: Vec3,
    /// How far from there it may be, in m.
    skin: f64,
    /// The engine looks at it at the multiples of this; a vertex without potentials has none.
    regular: Option<Span>,
}

/// Near pairs with proofs.
pub struct Certificates {
    rules: Arc<PairRules>,
    masses: Vec<f64>,
    /// Whether a vertex is held where it is: then the frame stands still.
    anything_held: bool,
    /// In m, for each vertex; infinite inside solids, where nothing can be touched.
    least_skin: Vec<f64>,
    floor: MinimumGapTest,
    /// The step of the floor, in s.
    floor_step_s: f64,
    /// Up to this speed in the frame, in m/s, a vertex is slow.
    slow: f64,
    /// How far ahead a vertex without potentials is looked at.
    idle: Span,

    frame: Vec3,
    frame_since: Tick,
    /// The frame must not go farther: rounding is bounded up to here.
    epoch_end: Option<Tick>,
    rounding_bound: f64,
    budgets: Vec<Budget>,
    max_displacement: MaxDisplacement,
    /// Which vertices are places, if some are not: an angle that turns is no speed.
    is_place: Option<Vec<bool>>,
    culling: CullingOfBodies,
    broad_phase: BroadPhase,
    /// Scratch: what the last search found.
    found: Vec<CandidateDistance>,
    pairs: Vec<Candidate>,
    certificates: Vec<Certificate>,
    /// The contributions of vertex `v` are `first_slot[v]..first_slot[v + 1]`.
    first_slot: Vec<u32>,
    slot_pair: Vec<u32>,
    contributions: Vec<f64>,
    active_set: ActiveSet,
    sharing: Sharing,
    places: PositionsNow,
    /// Scratch: what pairs do at this instant, if threads share it.
    evaluations: Vec<PairEvaluation>,
    /// Ticks at which a vertex must be looked at before its regular time.
    valid_until: RecheckQueue,

    now: Tick,
    /// Pairs that fired without need of their deepest awake layer.
    loose: Vec<u32>,
    pending: Vec<u32>,
    is_pending: Vec<bool>,
    uncertain: Vec<u32>,
    search_is_due: bool,
    stats: ContactStats,
}

impl Certificates {
    /// Starts at tick 0.
    #[must_use]
    pub fn new(system: &System, rules: Arc<PairRules>, motion: &Motion) -> Self {
        Self::with(system, rules, motion, Sharing::NONE)
    }

    /// Starts at tick 0; if a team of threads leads, it shares what is worth it, now and later.
    pub(super) fn with(system: &System, rules: Arc<PairRules>, motion: &Motion, sharing: Sharing) -> Self {
        let vertices = system.vertices();
        let mut masses = vec![0.0; vertices];
        let mut regular: Vec<Option<Span>> = vec![None; vertices];
        let mut anything_held = false;
        for v in 0..system.places() {
            let name = rules.name(v as u32) as usize;
            masses[name] = system.masses[v];
            anything_held |= system.inverse_masses[v].is_zero();
        }
        for (family, schedule) in system.families.iter().zip(&system.schedules) {
            for (e, &span) in schedule.spans.iter().enumerate() {
                for &v in family.stencil(e) {
                    let shortest = &mut regular[rules.name(v) as usize];
                    *shortest = Some(shortest.map_or(span, |s| s.min(span)));
                }
            }
        }
        let idle = rules.contact().layers.iter().map(|l| l.span).max().unwrap_or(Span::ONE);
        let step_s = |regular: &Option<Span>| OUTWARD * motion.quantum.step(regular.unwrap_or(idle));
        let max_displacement = MaxDisplacement::new(regular.iter().map(step_s).collect());
        let budget = |regular| Budget {
            anchor: Vec3::ZERO,
            allowance: 0.0,
            origin: Vec3::ZERO,
            skin: 0.0,
            regular,
            valid_until: Tick::START,
            flies: Vec3::ZERO,
        };
        let floor = MinimumGapTest::new(system, &rules);
        let floor_step_s = motion.quantum.step(floor.span);
        let hard = rules.all_layers().iter().filter(|layers| !layers.is_soft());
        let thinnest = hard.map(Layers::floor).fold(f64::INFINITY, f64::min);
        let is_place = (!system.auxiliary_dofs.is_empty()).then(|| {
            let mut is_place = vec![false; vertices];
            (0..system.places() as u32).for_each(|v| is_place[rules.name(v) as usize] = true);
            is_place
        });
        let least_skin = skin::least(&rules, motion);
        let culling = CullingOfBodies::new(&rules, &least_skin, sharing);
        let mut watch = Self {
            is_place,
            floor,
            floor_step_s,
            slow: 0.5 * thinnest / (OUTWARD * floor_step_s),
            masses,
            anything_held,
            least_skin,
            idle,
            frame: Vec3::ZERO,
            frame_since: Tick::START,
            epoch_end: None,
            rounding_bound: 0.0,
            budgets: regular.into_iter().map(budget).collect(),
            max_displacement,
            culling,
            broad_phase: BroadPhase::new(&rules, sharing),
            found: Vec::new(),
            pairs: Vec::new(),
            certificates: Vec::new(),
            first_slot: Vec::new(),
            slot_pair: Vec::new(),
            contributions: Vec::new(),
            active_set: ActiveSet::new(&rules),
            sharing,
            places: PositionsNow::new(vertices),
            evaluations: Vec::new(),
            valid_until: RecheckQueue::default(),
            now: Tick::START,
            loose: Vec::new(),
            pending: Vec::new(),
            is_pending: vec![false; vertices],
            uncertain: Vec::new(),
            search_is_due: false,
            stats: ContactStats::of(&rules),
            rules,
        };
        watch.search(Tick::START, motion);
        watch
    }

    /// What is claimed of the near pairs, in the order of ids; all others are claimed not to enter their first layer.
    pub fn claims(&self) -> impl Iterator<Item = Claim> + '_ {
        self.pairs.iter().zip(&self.certificates).map(|(near, certificate)| Claim {
            pair: near.id(),
            first_certified_layer: near.first_certified_layer(),
            is_certified: self.contributions[certificate.slots[0] as usize] > f64::NEG_INFINITY,
        })
    }
}

impl Watch for Certificates {
    fn next_tick(&self) -> Option<Tick> {
        let awake = self.active_set.next_tick(&self.rules, self.now);
        let valid_until = self.valid_until.next().map(|tick| tick.max(Tick(self.now.0 + 1)));
        let epoch = self.epoch_end.map(|tick| tick.max(Tick(self.now.0 + 1)));
        awake.into_iter().chain(valid_until).chain(epoch).min()
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
        let (rules, pairs) = (&*self.rules, &self.pairs);
        let due = self.active_set.due(rules, tick);
        let is_shared = self.sharing.is_shared && due.len() >= self.sharing.pairs;
        let is_large = self.budgets.len() >= LARGE;
        if is_shared {
            for &(index, _) in due {
                self.places.ask(pairs[index as usize].stencil(), tick, motion);
            }
            let places = &self.places;
            self.evaluations.resize(due.len(), PairEvaluation::NONE);
            let blocks = self.evaluations.par_chunks_mut(LANES).zip(due.par_chunks(LANES));
            blocks.with_min_len((self.sharing.pairs / 4 / LANES).max(1)).for_each(|(evaluations, block)| {
                evaluate_block(rules, (pairs, block), (tick, fraction), (places, motion), evaluations);
            });
        }
        let mut few = [PairEvaluation::NONE; LANES];
        for (first, block) in (0..).step_by(LANES).zip(due.chunks(LANES)) {
            let evaluations = if is_shared {
                &self.evaluations[first..]
            } else {
                for (i, &(index, _)) in block.iter().enumerate() {
                    if is_large {
                        prefetch_for_fire(&due[first + i..], pairs, motion, kicks);
                    }
                    if Pairs8::is_for(pairs[index as usize].kind()) {
                        self.places.ask(pairs[index as usize].stencil(), tick, motion);
                    }
                }
                evaluate_block(rules, (pairs, block), (tick, fraction), (&self.places, motion), &mut few);
                &few
            };
            for (&(index, firing), evaluation) in block.iter().zip(evaluations) {
                let near = &pairs[index as usize];
                let pair = near.pair(rules);
                self.stats.fire(rules, &pair, (tick, fraction, firing), evaluation, motion, (kicks, reached));
                let layers = rules.layers_of(&pair);
                let outer = layers.thickness(near.first_certified_layer() - 1);
                if evaluation.at.distance > outer + LOOSE * layers.band(near.first_certified_layer() - 1) {
                    self.loose.push(index);
                }
            }
        }
    }

    fn settle(
        &mut self,
        tick: Tick,
        motion: &Motion,
        touched: TouchedVertices,
    ) -> Result<(), SeparationFailure> {
        let fastest = match &self.is_place {
            None => fastest(touched, motion.velocities, self.frame),
            Some(is_place) => fastest_place(touched, motion.velocities, self.frame, is_place),
        };
        self.max_displacement.go_on(motion.quantum.seconds_between(self.now, tick), fastest);
        self.now = tick;
        let mut valid_until = core::mem::take(&mut self.valid_until);
        valid_until.work_off(tick, |v| {
            if self.budgets[v as usize].valid_until <= tick {
                self.pend(v);
            }
        });
        self.valid_until = valid_until;
        for first in (0..touched.prefix).step_by(BLOCK) {
            let block = first..touched.prefix.min(first + BLOCK as u32);
            if !self.are_within_safe_path(block.clone()) {
                block.for_each(|v| self.attend_to(v, tick, motion));
            }
        }
        let mut later = touched.others.iter().skip(AHEAD);
        for &v in touched.others {
            if let Some(&v) = later.next() {
                prefetch(&self.budgets, v as usize);
                prefetch(&self.max_displacement.safe_path_length, v as usize);
            }
            self.attend_to(v, tick, motion);
        }
        for i in 0..self.loose.len() {
            let index = self.loose[i];
            if self.certificates[index as usize].measured_at != tick {
                self.renew(index, tick, motion);
            }
        }
        self.loose.clear();
        self.uncertain.clear();
        self.search_is_due |= self.epoch_end.is_some_and(|end| end <= tick);
        self.work_off(tick, motion);
        if self.search_is_due {
            self.uncertain.clear();
            self.search(tick, motion);
            (0..self.budgets.len() as u32).for_each(|v| self.attend_to(v, tick, motion));
            self.work_off(tick, motion);
            assert!(!self.search_is_due, "a new skin lasts for many steps");
        }
        self.stats.counters.most_awake = self.stats.counters.most_awake.max(self.active_set.count());
        let mut uncertain = core::mem::take(&mut self.uncertain);
        uncertain.sort_unstable();
        uncertain.dedup();
        let test = |index: &u32| {
            self.floor.test(&self.rules, &self.pairs[*index as usize].pair(&self.rules), tick, motion)
        };
        let outcome = uncertain.iter().try_for_each(test);
        self.uncertain = uncertain;
        outcome
    }

    fn awake(&self) -> Vec<PairId> {
        self.active_set.all().into_iter().map(|index| self.pairs[index as usize].id()).collect()
    }

    fn stats(&self) -> &ContactStats {
        &self.stats
    }
}

/// What at most eight pairs do: side by side if they are eight of a kind.
#[inline(always)]
fn evaluate_block(
    rules: &PairRules,
    (pairs, block): (&[Candidate], &[(u32, u64)]),
    (tick, fraction): (Tick, f64),
    (places, motion): (&PositionsNow, &Motion),
    evaluations: &mut [PairEvaluation],
) {
    let near = |i: usize| &pairs[block[i].0 as usize];
    let kind = near(0).kind();
    let are_alike = block.len() == LANES && (1..LANES).all(|i| near(i).kind() == kind);
    if are_alike && Pairs8::is_for(kind) {
        let pairs8 = Pairs8 { kind, stencils: core::array::from_fn(|i| near(i).vertices()) };
        let measured = pairs8.measure(places);
        for (lane, (evaluation, &(_, firing))) in evaluations.iter_mut().zip(block).enumerate() {
            let pair = near(lane).pair(rules);
            let (x, at) = measured.lane(lane, pair.radius);
            *evaluation = PairEvaluation::of(rules, &pair, (fraction, firing), x, at);
        }
    } else {
        for (i, (evaluation, &(_, firing))) in evaluations.iter_mut().zip(block).enumerate() {
            *evaluation = evaluate(rules, &near(i).pair(rules), (tick, fraction, firing), motion);
        }
    }
}

/// Asks for the pairs that fire a little later, and for their vertices.
#[inline]
fn prefetch_for_fire(due: &[(u32, u64)], pairs: &[Candidate], motion: &Motion, kicks: &ImpulseSums) {
    if let Some(&(index, _)) = due.get(2 * AHEAD) {
        prefetch(pairs, index as usize);
    }
    if let Some(&(index, _)) = due.get(AHEAD) {
        for &v in pairs[index as usize].stencil() {
            motion.prefetch(v);
            kicks.prefetch(v);
        }
    }
}
