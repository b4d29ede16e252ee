//! Budgets of motion: how far each vertex may be from its anchor before a certificate of one of its pairs ends.
//!
//! **One comparison per vertex.** Each vertex has one anchor and one allowance, the least of its pairs' contributions
//! and of its skin. A certificate of share b, given to a vertex already u from its anchor, contributes b − u. Moving an anchor by u
//! takes u off all contributions (the triangle inequality); they need not be issued anew.
//!
//! Every vertex has a budget in the frame of its body. Where bodies have different frames, a vertex near a body of another frame has a budget
//! there as well: a *guest*, of the candidates that count in that frame, and without a skin. Budgets of bodies have the numbers of their vertices, guests
//! follow, by vertices.
//!
//! Contributions are in slots: those of a budget lie side by side, in the order of its pairs.
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

/// The motion that one vertex is allowed in one frame. What is needed most fills a cache line.
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
    /// How far from its origin it may be, in m; infinite for a guest.
    pub skin: f64,
    /// Which vertex.
    pub vertex: u32,
    /// In which frame.
    pub frame: u32,
    /// The engine touches it at the multiples of this; a vertex without potentials has none.
    pub touched_every: Option<Span>,
}

/// All budgets, and the contributions of all certificates to them.
pub(super) struct Budgets {
    /// Those in the frames of bodies, by vertices, then guests.
    pub all: Vec<Budget>,
    pub max_displacement: MaxDisplacement,
    pub limits: Limits,
    vertices: usize,
    /// The guests of vertex `v` are `first_guest[v]..first_guest[v + 1]`; nothing if there are none.
    first_guest: Vec<u32>,
    /// The slots of budget `b` are `first_slot[b]..first_slot[b + 1]`.
    first_slot: Vec<u32>,
    /// The pair of each slot.
    slot_pair: Vec<u32>,
    /// What each slot contributes to its allowance, in m.
    contributions: Vec<f64>,
}

impl Budgets {
    /// No vertex may move; each is touched by the engine at the multiples of its span.
    pub fn new(touched_every: Vec<Option<Span>>, limits: Limits, quantum: carom_time::Quantum) -> Self {
        let step_s = |every: &Option<Span>| OUTWARD * quantum.step(every.unwrap_or(limits.idle_span));
        let max_displacement = MaxDisplacement::new(touched_every.iter().map(step_s).collect());
        let budget = |(vertex, touched_every)| Budget {
            anchor: Vec3::ZERO,
            allowance: 0.0,
            origin: Vec3::ZERO,
            skin: 0.0,
            vertex,
            frame: 0,
            touched_every,
            valid_until: Tick::START,
            checked_velocity: Vec3::ZERO,
        };
        Self {
            vertices: touched_every.len(),
            all: (0..).zip(touched_every).map(budget).collect(),
            max_displacement,
            limits,
            first_guest: Vec::new(),
            first_slot: Vec::new(),
            slot_pair: Vec::new(),
            contributions: Vec::new(),
        }
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// How many budgets there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Nothing moved before `since`: vertex `v` is at `x[v]` and has the skin `skins[v]`, in m, in its frame. There are no guests.
    pub fn begin(&mut self, since: Tick, x: &[Vec3], skins: &[f64], frame_of: impl Fn(u32) -> u32) {
        self.all.truncate(self.vertices);
        self.first_guest.clear();
        for (budget, (x, &skin)) in self.all.iter_mut().zip(x.iter().zip(skins)) {
            let frame = frame_of(budget.vertex);
            *budget = Budget { anchor: *x, origin: *x, skin, frame, valid_until: since, ..*budget };
        }
    }

    /// Adds guests: vertices, and frames that are not those of their bodies. Nothing moved since the search.
    pub fn add_guests(&mut self, mut guests: Vec<(u32, u32)>) {
        guests.sort_unstable();
        guests.dedup();
        if !guests.is_empty() {
            let first = |v: usize| self.vertices + guests.partition_point(|guest| guest.0 < v as u32);
            self.first_guest = (0..=self.vertices).map(|v| first(v) as u32).collect();
        }
        for (vertex, frame) in guests {
            let own = self.all[vertex as usize];
            self.all.push(Budget { frame, skin: f64::INFINITY, allowance: f64::INFINITY, ..own });
        }
        self.max_displacement.begin_for(self.all.len());
    }

    /// The guests of some vertices.
    #[inline(always)]
    pub fn guests(&self, Range { start, end }: Range<u32>) -> Range<u32> {
        if self.first_guest.is_empty() {
            return 0..0;
        }
        self.first_guest[start as usize]..self.first_guest[end as usize]
    }

    /// The budget of vertex `v` in a frame; there is one.
    #[inline(always)]
    pub fn of(&self, v: u32, frame: u32) -> u32 {
        if self.first_guest.is_empty() || self.all[v as usize].frame == frame {
            return v;
        }
        let mut guests = self.guests(v..v + 1);
        guests.find(|guest| self.all[*guest as usize].frame == frame).expect("candidates have budgets")
    }

    /// How far from its anchor a vertex is when its motion begins, in m.
    #[inline(always)]
    pub fn used(&self, b: u32, motion: &VertexMotion) -> f64 {
        motion.used(self.all[b as usize].anchor)
    }

    /// The allowance that a vertex needs for its motion up to `until`, in m.
    #[inline(always)]
    pub fn needed(&self, b: u32, motion: &VertexMotion, until: Tick) -> f64 {
        let there = motion.used_at(self.all[b as usize].anchor, until);
        if motion.speed <= self.limits.speed {
            return there;
        }
        there.max(self.used(b, motion)) + motion.speed * self.limits.gap_test_step_s * OUTWARD
    }

    /// Whether the allowance of budget `b` covers the motion of its vertex up to `until`.
    #[inline(always)]
    pub fn covers(&self, b: u32, motion: &VertexMotion, until: Tick) -> bool {
        self.needed(b, motion, until) <= self.all[b as usize].allowance
    }

    /// The tick up to which a motion should be covered: the next at which the engine touches the vertex.
    #[inline(always)]
    pub fn horizon(&self, b: u32, tick: Tick) -> Tick {
        let span = self.all[b as usize].touched_every.unwrap_or(self.limits.idle_span);
        tick.floor(span).after(span)
    }

    /// Whether vertex `v` is certainly within its allowance until the engine touches it next, by the path of the fastest vertex alone.
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

    /// Computes up to which path of the fastest vertex that of budget `b` is certainly within its allowance; the path of guests is not known.
    pub fn set_safe_path_length(&mut self, b: u32, motion: &VertexMotion) {
        if b as usize >= self.vertices {
            return;
        }
        let left = self.all[b as usize].allowance - self.used(b, motion);
        let all_below_limit = self.max_displacement.fastest <= self.limits.speed;
        self.max_displacement.safe_path_length[b as usize] =
            if all_below_limit { INWARD * (self.max_displacement.path + left) } else { f64::NEG_INFINITY };
    }

    /// Makes the next check of a budget look at the motion of its vertex.
    #[inline(always)]
    pub fn forget_safe_path_length(&mut self, b: u32) {
        self.max_displacement.safe_path_length[b as usize] = f64::NEG_INFINITY;
    }

    /// Counts the displacement of a vertex from where it is now, `used` from its old anchor, in m.
    pub fn move_anchor(&mut self, b: u32, here: Vec3, used: f64) {
        for slot in self.slots(b) {
            self.contributions[slot] -= used;
        }
        let budget = &mut self.all[b as usize];
        budget.anchor = here;
        budget.allowance -= used;
        self.forget_safe_path_length(b);
    }

    /// How far from its anchor the skin of a vertex lets it go, in m, where displacements may be wrong by `rounding_bound`.
    pub fn skin_left(&self, b: u32, rounding_bound: f64) -> f64 {
        let budget = &self.all[b as usize];
        budget.skin - (budget.anchor - budget.origin).length() - rounding_bound
    }

    /// Makes slots for the vertices of these pairs in their frames, without contributions; returns those of each pair through `assign`.
    pub fn make_slots<'a>(
        &mut self,
        pairs: impl Iterator<Item = &'a Pair> + Clone,
        frame_of_pair: impl Fn(&Pair) -> u32,
        mut assign: impl FnMut([u32; 4]),
    ) {
        let mut first = vec![0_u32; self.all.len() + 1];
        for pair in pairs.clone() {
            let frame = frame_of_pair(pair);
            pair.stencil().iter().for_each(|v| first[self.of(*v, frame) as usize + 1] += 1);
        }
        for b in 1..first.len() {
            first[b] += first[b - 1];
        }
        let slots = first.last().copied().unwrap_or(0) as usize;
        self.slot_pair.clear();
        self.slot_pair.resize(slots, 0);
        self.contributions.clear();
        self.contributions.resize(slots, f64::INFINITY);
        let mut next = first.clone();
        self.first_slot = first;
        for (index, pair) in (0..).zip(pairs) {
            let (mut slots, frame) = ([0; 4], frame_of_pair(pair));
            for (slot, &v) in slots.iter_mut().zip(pair.stencil()) {
                let b = self.of(v, frame) as usize;
                *slot = next[b];
                self.slot_pair[*slot as usize] = index;
                next[b] += 1;
            }
            assign(slots);
        }
    }

    /// The slots of budget `b`.
    #[inline(always)]
    pub fn slots(&self, b: u32) -> Range<usize> {
        self.first_slot[b as usize] as usize..self.first_slot[b as usize + 1] as usize
    }

    /// The pair of a slot.
    #[inline(always)]
    pub fn pair_of(&self, slot: usize) -> u32 {
        self.slot_pair[slot]
    }

    /// What a slot contributes to its allowance, in m.
    #[inline(always)]
    pub fn contribution(&self, slot: usize) -> f64 {
        self.contributions[slot]
    }

    /// Sets what a slot contributes to the allowance of its budget `b`, in m; the allowance becomes no larger.
    #[inline(always)]
    pub fn contribute(&mut self, slot: u32, b: u32, contribution: f64) {
        self.contributions[slot as usize] = contribution;
        let allowance = &mut self.all[b as usize].allowance;
        *allowance = allowance.min(contribution);
    }

    /// Withdraws what a slot contributes: the vertex of its budget `b` must not move without another check.
    pub fn withdraw(&mut self, slot: u32, b: u32) {
        self.contributions[slot as usize] = f64::NEG_INFINITY;
        self.all[b as usize].allowance = f64::NEG_INFINITY;
        self.forget_safe_path_length(b);
    }

    /// The least contribution to the allowance of budget `b`, or `skin_left` if that is less, in m.
    #[inline(always)]
    pub fn least_contribution(&self, b: u32, skin_left: f64) -> f64 {
        self.slots(b).map(|slot| self.contributions[slot]).fold(skin_left, f64::min)
    }

    /// Asks the memory for a budget, and where its slots are.
    #[inline(always)]
    pub fn prefetch(&self, b: u32) {
        prefetch(&self.first_slot, b as usize);
        prefetch(&self.all, b as usize);
    }

    /// Asks the memory for the slots of a budget.
    #[inline(always)]
    pub fn prefetch_slots(&self, b: u32) {
        let first = self.first_slot[b as usize] as usize;
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
            budgets.make_slots(pairs.iter(), |_| 0, |own| slots.push(own[0]));
            prop_assert_eq!(budgets.slots(0).len(), 3);
            prop_assert!((0..3).all(|i| budgets.pair_of(slots[i] as usize) == i as u32));

            let mut here = Vec3::ZERO;
            // Where each certificate was issued, and its share.
            let mut issued = [(Vec3::ZERO, 0.0); 3];
            (0..3).for_each(|i| budgets.contribute(slots[i], 0, 0.0));
            for (way, share, pair, moves_anchor) in steps {
                here += way * 0.2;
                let anchor = budgets.all[0].anchor;
                if moves_anchor {
                    budgets.move_anchor(0, here, (here - anchor).length());
                }
                let used = (here - budgets.all[0].anchor).length();
                issued[pair] = (here, share);
                budgets.contribute(slots[pair], 0, share - used);
                budgets.all[0].allowance = budgets.least_contribution(0, f64::INFINITY);
                let Budget { anchor, allowance, .. } = budgets.all[0];
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
            budgets.all[0].allowance = allowance;
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
