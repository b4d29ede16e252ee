//! Budgets of motion: how far each vertex may be from its anchor before a certificate of one of its pairs ends.
//!
//! **One comparison per vertex.** Each vertex has one anchor and one allowance, the least of its pairs' contributions
//! and of its skin. A certificate of share b, given to a vertex already u from its anchor, contributes b − u. Moving an anchor by u
//! takes u off all contributions (the triangle inequality); they need not be issued anew.
//!
//! Contributions are in slots: those of a vertex lie side by side, in the order of its pairs.
//!
//! **Never here:** distances of pairs, layers, when a vertex is checked.

use core::ops::Range;

use carom_math::{Vec3, prefetch};
use carom_time::{Span, Tick};

use super::limits::Limits;
use super::max_displacement::MaxDisplacement;
use super::vertex_motion::VertexMotion;
use super::{INWARD, OUTWARD};
use crate::Pair;

/// The motion that one vertex is allowed. What is needed most fills a cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Budget {
    /// Where its displacement counts from, in the frame, in m.
    pub anchor: Vec3,
    /// How far from its anchor it may be, in m.
    pub allowance: f64,
    /// Its motion is covered by its allowance up to this tick …
    pub valid_until: Tick,
    /// … if it has this velocity, in m/s.
    pub checked_velocity: Vec3,
    /// Where it was at the last search, in m.
    pub origin: Vec3,
    /// How far from its origin it may be, in m.
    pub skin: f64,
    /// The engine touches it at the multiples of this; a vertex without potentials has none.
    pub touched_every: Option<Span>,
}

/// The budgets of all vertices, and the contributions of all certificates to them.
pub(super) struct Budgets {
    /// By vertices.
    pub vertices: Vec<Budget>,
    pub max_displacement: MaxDisplacement,
    pub limits: Limits,
    /// The slots of vertex `v` are `first_slot[v]..first_slot[v + 1]`.
    first_slot: Vec<u32>,
    /// The pair of each slot.
    slot_pair: Vec<u32>,
    /// What each slot contributes to the allowance of its vertex, in m.
    contributions: Vec<f64>,
}

impl Budgets {
    /// No vertex may move; each is touched by the engine at the multiples of its span.
    pub fn new(touched_every: Vec<Option<Span>>, limits: Limits, quantum: carom_time::Quantum) -> Self {
        let step_s = |every: &Option<Span>| OUTWARD * quantum.step(every.unwrap_or(limits.idle_span));
        let max_displacement = MaxDisplacement::new(touched_every.iter().map(step_s).collect());
        let budget = |touched_every| Budget {
            anchor: Vec3::ZERO,
            allowance: 0.0,
            origin: Vec3::ZERO,
            skin: 0.0,
            touched_every,
            valid_until: Tick::START,
            checked_velocity: Vec3::ZERO,
        };
        Self {
            vertices: touched_every.into_iter().map(budget).collect(),
            max_displacement,
            limits,
            first_slot: Vec::new(),
            slot_pair: Vec::new(),
            contributions: Vec::new(),
        }
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// How far from its anchor `v` is when its motion begins, in m.
    #[inline(always)]
    pub fn used(&self, v: u32, motion: &VertexMotion) -> f64 {
        motion.used(self.vertices[v as usize].anchor)
    }

    /// The allowance that `v` needs for its motion up to `until`, in m.
    #[inline(always)]
    pub fn needed(&self, v: u32, motion: &VertexMotion, until: Tick) -> f64 {
        let there = motion.used_at(self.vertices[v as usize].anchor, until);
        if motion.speed <= self.limits.speed {
            return there;
        }
        there.max(self.used(v, motion)) + motion.speed * self.limits.gap_test_step_s * OUTWARD
    }

    /// Whether the allowance of `v` covers its motion up to `until`.
    #[inline(always)]
    pub fn covers(&self, v: u32, motion: &VertexMotion, until: Tick) -> bool {
        self.needed(v, motion, until) <= self.vertices[v as usize].allowance
    }

    /// The tick up to which the motion of `v` should be covered: the next at which the engine touches it.
    #[inline(always)]
    pub fn horizon(&self, v: u32, tick: Tick) -> Tick {
        let span = self.vertices[v as usize].touched_every.unwrap_or(self.limits.idle_span);
        tick.floor(span).after(span)
    }

    /// Whether `v` is certainly within its allowance until the engine touches it next, by the path of the fastest vertex alone.
    #[inline(always)]
    pub fn is_within_safe_path(&self, v: u32) -> bool {
        let MaxDisplacement { path, fastest, .. } = self.max_displacement;
        let safe_path_length = self.max_displacement.safe_path_length[v as usize];
        // Most of those that are not have nothing left at all, and their step need not be read.
        fastest <= self.limits.speed
            && safe_path_length >= path
            && safe_path_length >= path + fastest * self.max_displacement.steps_s[v as usize]
    }

    /// Whether all these vertices are certainly within their allowances until the engine touches them next, by the path of the fastest
    /// vertex alone.
    #[inline(always)]
    pub fn are_within_safe_path(&self, vertices: Range<u32>) -> bool {
        let MaxDisplacement { path, fastest, longest_step_s, .. } = self.max_displacement;
        let needed = path + fastest * longest_step_s;
        let safe_path_length =
            &self.max_displacement.safe_path_length[vertices.start as usize..vertices.end as usize];
        // Counted, since the compiler counts many at once.
        fastest <= self.limits.speed
            && safe_path_length.iter().map(|far| u64::from(*far < needed)).sum::<u64>() == 0
    }

    /// Computes up to which path of the fastest vertex `v` is certainly within its allowance.
    pub fn set_safe_path_length(&mut self, v: u32, motion: &VertexMotion) {
        let left = self.vertices[v as usize].allowance - self.used(v, motion);
        let all_below_limit = self.max_displacement.fastest <= self.limits.speed;
        self.max_displacement.safe_path_length[v as usize] =
            if all_below_limit { INWARD * (self.max_displacement.path + left) } else { f64::NEG_INFINITY };
    }

    /// Makes the next check of `v` look at its own motion.
    #[inline(always)]
    pub fn forget_safe_path_length(&mut self, v: u32) {
        self.max_displacement.safe_path_length[v as usize] = f64::NEG_INFINITY;
    }

    /// Counts the displacement of `v` from where it is now, `used` from its old anchor, in m.
    pub fn move_anchor(&mut self, v: u32, here: Vec3, used: f64) {
        for slot in self.slots(v) {
            self.contributions[slot] -= used;
        }
        let budget = &mut self.vertices[v as usize];
        budget.anchor = here;
        budget.allowance -= used;
        self.forget_safe_path_length(v);
    }

    /// How far from its anchor the skin of `v` lets it go, in m, where displacements may be wrong by `rounding_bound`.
    pub fn skin_left(&self, v: u32, rounding_bound: f64) -> f64 {
        let budget = &self.vertices[v as usize];
        budget.skin - (budget.anchor - budget.origin).length() - rounding_bound
    }

    /// Makes slots for the vertices of these pairs, without contributions; returns those of each pair through `assign`.
    pub fn make_slots<'a>(
        &mut self,
        pairs: impl Iterator<Item = &'a Pair> + Clone,
        mut assign: impl FnMut([u32; 4]),
    ) {
        let mut first = vec![0_u32; self.vertices.len() + 1];
        for pair in pairs.clone() {
            pair.stencil().iter().for_each(|v| first[*v as usize + 1] += 1);
        }
        for v in 1..first.len() {
            first[v] += first[v - 1];
        }
        let slots = first.last().copied().unwrap_or(0) as usize;
        self.slot_pair.clear();
        self.slot_pair.resize(slots, 0);
        self.contributions.clear();
        self.contributions.resize(slots, f64::INFINITY);
        let mut next = first.clone();
        self.first_slot = first;
        for (index, pair) in (0..).zip(pairs) {
            let mut slots = [0; 4];
            for (slot, &v) in slots.iter_mut().zip(pair.stencil()) {
                *slot = next[v as usize];
                self.slot_pair[*slot as usize] = index;
                next[v as usize] += 1;
            }
            assign(slots);
        }
    }

    /// The slots of vertex `v`.
    #[inline(always)]
    pub fn slots(&self, v: u32) -> Range<usize> {
        self.first_slot[v as usize] as usize..self.first_slot[v as usize + 1] as usize
    }

    /// The pair of a slot.
    #[inline(always)]
    pub fn pair_of(&self, slot: usize) -> u32 {
        self.slot_pair[slot]
    }

    /// What a slot contributes to the allowance of its vertex, in m.
    #[inline(always)]
    pub fn contribution(&self, slot: usize) -> f64 {
        self.contributions[slot]
    }

    /// Sets what a slot contributes to the allowance of its vertex `v`, in m; the allowance becomes no larger.
    #[inline(always)]
    pub fn contribute(&mut self, slot: u32, v: u32, contribution: f64) {
        self.contributions[slot as usize] = contribution;
        let allowance = &mut self.vertices[v as usize].allowance;
        *allowance = allowance.min(contribution);
    }

    /// Withdraws what a slot contributes: its vertex `v` must not move without another check.
    pub fn withdraw(&mut self, slot: u32, v: u32) {
        self.contributions[slot as usize] = f64::NEG_INFINITY;
        self.vertices[v as usize].allowance = f64::NEG_INFINITY;
        self.forget_safe_path_length(v);
    }

    /// The least contribution to the allowance of `v`, or `skin_left` if that is less, in m.
    #[inline(always)]
    pub fn least_contribution(&self, v: u32, skin_left: f64) -> f64 {
        self.slots(v).map(|slot| self.contributions[slot]).fold(skin_left, f64::min)
    }

    /// Asks the memory for the budget of a vertex, and where its slots are.
    #[inline(always)]
    pub fn prefetch(&self, v: u32) {
        prefetch(&self.first_slot, v as usize);
        prefetch(&self.vertices, v as usize);
    }

    /// Asks the memory for the slots of a vertex.
    #[inline(always)]
    pub fn prefetch_slots(&self, v: u32) {
        let first = self.first_slot[v as usize] as usize;
        prefetch(&self.contributions, first);
        prefetch(&self.contributions, first + 8);
        prefetch(&self.slot_pair, first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PairRules;
    use crate::testing::{points, scene};
    use carom_time::Quantum;
    use proptest::prelude::*;

    fn direction() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn within_its_allowance_a_vertex_stays_within_every_share_wherever_its_anchor_has_gone(
            steps in prop::collection::vec((direction(), 0.1..1.0f64, 0..3_usize, any::<bool>()), 1..30),
            goes in direction(),
        ) {
            let ends = [0.0, 1.0, 2.0, 3.0].map(|x| Vec3::X * x);
            let (system, state) = scene(&[points(&ends, 0.0)], 0.1, 4);
            let rules = PairRules::with_own_numbers(&system);
            let limits = Limits::new(&system, &rules, state.quantum());
            let mut budgets = Budgets::new(vec![None; 4], limits, state.quantum());
            // The pairs of the first vertex: each has a slot there.
            let mut pairs = Vec::new();
            rules.for_each(|pair| pairs.push(pair));
            pairs.retain(|pair| pair.vertices[0] == 0);
            let mut slots = Vec::new();
            budgets.make_slots(pairs.iter(), |own| slots.push(own[0]));
            prop_assert_eq!(budgets.slots(0).len(), 3);
            prop_assert!((0..3).all(|i| budgets.pair_of(slots[i] as usize) == i as u32));

            let mut here = Vec3::ZERO;
            // Where each certificate was issued, and its share.
            let mut issued = [(Vec3::ZERO, 0.0); 3];
            (0..3).for_each(|i| budgets.contribute(slots[i], 0, 0.0));
            for (way, share, pair, moves_anchor) in steps {
                here += way * 0.2;
                let anchor = budgets.vertices[0].anchor;
                if moves_anchor {
                    budgets.move_anchor(0, here, (here - anchor).length());
                }
                let used = (here - budgets.vertices[0].anchor).length();
                issued[pair] = (here, share);
                budgets.contribute(slots[pair], 0, share - used);
                budgets.vertices[0].allowance = budgets.least_contribution(0, f64::INFINITY);
                let Budget { anchor, allowance, .. } = budgets.vertices[0];
                if allowance > 0.0 {
                    let at = anchor + goes * (allowance / goes.length());
                    for (origin, share) in issued {
                        prop_assert!((at - origin).length() <= share + 1e-12);
                    }
                }
            }
            budgets.withdraw(slots[0], 0);
            prop_assert_eq!(budgets.least_contribution(0, f64::INFINITY), f64::NEG_INFINITY);
        }

        #[test]
        fn a_covered_motion_is_within_its_allowance_at_every_tick(
            from in direction(), velocity in direction(), allowance in 0.0..2.0f64, ticks in 1..1000_u64,
        ) {
            let (system, state) = scene(&[points(&[Vec3::ZERO, Vec3::X], 0.0)], 0.1, 4);
            let rules = PairRules::with_own_numbers(&system);
            let quantum: Quantum = state.quantum();
            let limits = Limits { speed: f64::INFINITY, ..Limits::new(&system, &rules, quantum) };
            let mut budgets = Budgets::new(vec![None; 2], limits, quantum);
            budgets.vertices[0].allowance = allowance;
            let velocity = velocity * (2.0 / (quantum.seconds() * 1000.0));
            let motion =
                VertexMotion { tick: Tick(5), here: from, velocity, speed: velocity.length(), quantum };
            // It begins within its allowance: only the end needs to be tested, since the displacement is convex.
            prop_assume!(from.length() <= allowance && budgets.covers(0, &motion, Tick(5 + ticks)));
            for tick in 5..=5 + ticks {
                prop_assert!(motion.used_at(Vec3::ZERO, Tick(tick)) <= allowance * (1.0 + 1e-12));
            }
        }
    }
}
