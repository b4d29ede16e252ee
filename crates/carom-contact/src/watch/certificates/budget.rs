//! Budgets: who may move how far, what runs out, and what is measured anew.

use core::ops::Range;

use carom_math::{Vec3, prefetch};
use carom_time::Tick;

use super::super::awake::CertifiedFrom;
use super::flight::VertexMotion;
use super::{
    AHEAD, Budget, Certificates, ENOUGH, INWARD, LARGE, LEAST_SHARE, MaxDisplacement, NEARLY_SPENT, OUTWARD,
};
use crate::{Motion, PairRules};

impl Certificates {
    /// The flight of `v` from `tick` on.
    #[inline(always)]
    pub(super) fn flight(&self, v: u32, tick: Tick, motion: &Motion) -> VertexMotion {
        self.flight_from(motion.position_at(v, tick), v, tick, motion)
    }

    /// The same, where it is known that it is at `x`.
    #[inline(always)]
    fn flight_from(&self, x: Vec3, v: u32, tick: Tick, motion: &Motion) -> VertexMotion {
        let quantum = motion.quantum;
        let here = x - self.frame * quantum.seconds_between(self.frame_since, tick);
        let velocity = motion.velocities[v as usize] - self.frame;
        VertexMotion { tick, here, velocity, speed: velocity.length(), quantum }
    }

    /// The tick up to which the flight of `v` should be proven.
    #[inline(always)]
    pub(super) fn horizon(&self, v: u32, tick: Tick) -> Tick {
        let span = self.budgets[v as usize].regular.unwrap_or(self.idle);
        tick.floor(span).after(span)
    }

    /// How far `v` is from its anchor when its flight begins, in m.
    #[inline(always)]
    fn used(&self, v: u32, flight: &VertexMotion) -> f64 {
        flight.used(self.budgets[v as usize].anchor)
    }

    /// The allowance that `v` needs for its flight up to `until`, in m.
    #[inline(always)]
    fn needs(&self, v: u32, flight: &VertexMotion, until: Tick) -> f64 {
        let there = flight.used_at(self.budgets[v as usize].anchor, until);
        if flight.speed <= self.slow {
            return there;
        }
        there.max(self.used(v, flight)) + flight.speed * self.floor_step_s * OUTWARD
    }

    /// Whether the allowance of `v` covers its flight up to `until`.
    #[inline(always)]
    fn covers(&self, v: u32, flight: &VertexMotion, until: Tick) -> bool {
        self.needs(v, flight, until) <= self.budgets[v as usize].allowance
    }

    /// Whether `v` is certainly within its allowance until its next regular tick, by the path of the fastest vertex alone.
    #[inline(always)]
    pub(super) fn is_within_safe_path(&self, v: u32) -> bool {
        let MaxDisplacement { path, fastest, .. } = self.max_displacement;
        let safe_path_length = self.max_displacement.safe_path_length[v as usize];
        // Most of those that are not have nothing left at all, and need not ask how long their step is.
        fastest <= self.slow
            && safe_path_length >= path
            && safe_path_length >= path + fastest * self.max_displacement.steps_s[v as usize]
    }

    /// Whether all of these are.
    #[inline(always)]
    pub(super) fn are_within_safe_path(&self, vertices: Range<u32>) -> bool {
        let MaxDisplacement { path, fastest, longest_step_s, .. } = self.max_displacement;
        let needed = path + fastest * longest_step_s;
        let safe_path_length =
            &self.max_displacement.safe_path_length[vertices.start as usize..vertices.end as usize];
        // Counted, since the compiler counts many at once.
        fastest <= self.slow && safe_path_length.iter().map(|far| u64::from(*far < needed)).sum::<u64>() == 0
    }

    /// Sees to it that the flight of a visited vertex is proven, or that it is looked after.
    #[inline(always)]
    pub(super) fn attend_to(&mut self, v: u32, tick: Tick, motion: &Motion) {
        if self.is_within_safe_path(v) {
            return;
        }
        // A wall is in many pairs and never turns: what was proven of its flight stays so. A grain in contact is kicked often,
        // and rarely so that it gets out of its allowance before it is looked at anyway.
        let Budget { regular, valid_until, flies, .. } = self.budgets[v as usize];
        let velocity = motion.velocities[v as usize];
        if valid_until > tick && flies == velocity {
            return;
        }
        let flight = self.flight(v, tick, motion);
        if valid_until > tick && self.covers(v, &flight, valid_until) {
            self.budgets[v as usize].flies = velocity;
            return;
        }
        if regular.is_none() {
            self.pend(v);
            return;
        }
        let horizon = self.horizon(v, tick);
        if self.covers(v, &flight, horizon) {
            self.budgets[v as usize].valid_until = horizon;
            self.budgets[v as usize].flies = velocity;
            self.relax(v, &flight);
        } else {
            self.pend(v);
        }
    }

    /// Notes how far `v` may go before it must be looked at.
    fn relax(&mut self, v: u32, flight: &VertexMotion) {
        let left = self.budgets[v as usize].allowance - self.used(v, flight);
        let all_slow = self.max_displacement.fastest <= self.slow;
        self.max_displacement.safe_path_length[v as usize] =
            if all_slow { INWARD * (self.max_displacement.path + left) } else { f64::NEG_INFINITY };
    }

    pub(super) fn slots(&self, v: u32) -> Range<usize> {
        self.first_slot[v as usize] as usize..self.first_slot[v as usize + 1] as usize
    }

    pub(super) fn pend(&mut self, v: u32) {
        if !core::mem::replace(&mut self.is_pending[v as usize], true) {
            self.pending.push(v);
        }
    }

    /// Measures a pair and issues a proof.
    pub(super) fn renew(&mut self, index: u32, tick: Tick, motion: &Motion) {
        let pair = self.pairs[index as usize].pair(&self.rules);
        let x = PairRules::positions(&pair, |v| motion.position_at(v, tick));
        let mut flights = [self.flight_from(x[0], pair.vertices[0], tick, motion); 4];
        for (i, &v) in pair.stencil().iter().enumerate().skip(1) {
            flights[i] = self.flight_from(x[i], v, tick, motion);
        }
        let fastest = |part: &[VertexMotion]| part.iter().map(|flight| flight.speed).fold(0.0, f64::max);
        let (first, second) = flights[..pair.stencil().len()].split_at(pair.first_primitive());
        let speeds = [fastest(first), fastest(second)];
        self.stats.counters.measures += 1;
        let shares = self.sleep(index, tick, speeds, pair.measure(&x).distance, pair.distance_error(&x));
        let slots = self.certificates[index as usize].slots;
        for (i, (&slot, &v)) in slots.iter().zip(pair.stencil()).enumerate() {
            let share = shares[usize::from(i >= pair.first_primitive())];
            let flight = &flights[i];
            let used = self.used(v, flight);
            let used = if used > 0.25 * share {
                self.move_anchor(v, flight.here, used);
                0.0
            } else {
                used
            };
            let contribution = share - used;
            self.contributions[slot as usize] = contribution;
            let budget = &mut self.budgets[v as usize];
            budget.allowance = budget.allowance.min(contribution);
            self.max_displacement.safe_path_length[v as usize] = f64::NEG_INFINITY;
            // A tick that has passed was named before the last regular look, which proved the flight up to the next.
            let valid_until = self.budgets[v as usize].valid_until;
            let until = if valid_until > tick { valid_until } else { self.horizon(v, tick) };
            if !self.covers(v, flight, until) {
                self.pend(v);
            }
        }
    }

    /// Lets the layers of a pair sleep that its measure allows to; returns the share of the vertices of each primitive, in m: the faster
    /// has more, so that both last about as long. Speeds are those of the fastest vertex of each, in m/s.
    pub(super) fn sleep(
        &mut self,
        index: u32,
        tick: Tick,
        speeds: [f64; 2],
        distance: f64,
        error: f64,
    ) -> [f64; 2] {
        let pair = self.pairs[index as usize].pair(&self.rules);
        let fastest = speeds[0].max(speeds[1]);
        let near = &mut self.pairs[index as usize];
        self.certificates[index as usize].measured_at = tick;
        let needed = 8.0 * OUTWARD * fastest * self.floor.seconds_to_next(tick);
        let certain = distance - 4.0 * (error + self.rounding_bound);
        let sleep = CertifiedFrom::at(self.rules.layers_of(&pair), pair.first_layer, certain, needed);
        self.active_set.change(index, &pair, near.first_certified_layer(), sleep.from);
        near.certify_from(sleep.from);
        shares(sleep.slack, speeds)
    }

    /// Lets the displacement of `v` count from where it is now, `used` from its old anchor.
    fn move_anchor(&mut self, v: u32, here: Vec3, used: f64) {
        for slot in self.slots(v) {
            self.contributions[slot] -= used;
        }
        let budget = &mut self.budgets[v as usize];
        budget.anchor = here;
        budget.allowance -= used;
        self.max_displacement.safe_path_length[v as usize] = f64::NEG_INFINITY;
    }

    /// How far from its anchor the skin of `v` lets it go, in m.
    pub(super) fn skin_left(&self, v: u32) -> f64 {
        let budget = &self.budgets[v as usize];
        budget.skin - (budget.anchor - budget.origin).length() - self.rounding_bound
    }

    /// How far from its anchor `v` should be allowed to go, in m: to its horizon, or a little farther than it is now if that
    /// is a long way. A fast vertex would otherwise renew all its proofs whenever one of them runs out. But what is nearly
    /// spent should last longer than until then.
    fn reach(&self, v: u32, flight: &VertexMotion, horizon: Tick) -> f64 {
        let used = self.used(v, flight);
        let soon = used + ENOUGH * self.least_skin[v as usize];
        let whole = self.needs(v, flight, horizon);
        let part = if whole <= soon {
            whole
        } else {
            whole.min(soon.max(self.needs(v, flight, self.floor.next(flight.tick))))
        };
        part.max(used / NEARLY_SPENT)
    }

    /// Renews what the flight of `v` runs out of, and names the tick at which it must be looked at next.
    pub(super) fn look_after(&mut self, v: u32, tick: Tick, motion: &Motion) {
        let horizon = self.horizon(v, tick);
        let flight = self.flight(v, tick, motion);
        let mut reach = self.reach(v, &flight, horizon);
        let mut renewed = false;
        for slot in self.slots(v) {
            let index = self.slot_pair[slot];
            if self.contributions[slot] < reach && self.certificates[index as usize].measured_at != tick {
                self.renew(index, tick, motion);
                // The anchor may have moved.
                reach = self.reach(v, &flight, horizon);
                renewed = true;
            }
        }
        self.is_pending[v as usize] = false;
        let skin_left = self.skin_left(v);
        let allowance = self.slots(v).map(|slot| self.contributions[slot]).fold(skin_left, f64::min);
        self.budgets[v as usize].allowance = allowance;
        let needed = self.needs(v, &flight, horizon);
        if needed > skin_left {
            self.search_is_due = true;
            return;
        }
        let speed = flight.speed;
        let left = allowance - self.used(v, &flight);
        let quanta = (left / (speed * motion.quantum.seconds() * OUTWARD)).max(0.0);
        let far = Tick(tick.0.saturating_add(quanta as u64).min(Tick::LAST.0));
        let far = if speed <= self.slow { far } else { far.floor(self.floor.span).max(tick) };
        let regular = self.budgets[v as usize].regular.is_some();
        let valid_until = if regular && needed <= allowance {
            self.relax(v, &flight);
            horizon
        } else {
            let floor = self.floor.next(tick);
            if far < floor && renewed {
                // From where its anchor is now, other proofs may fall short: another look renews them.
                self.pend(v);
                return;
            }
            if far < floor {
                self.doubt(v, &flight, floor, motion);
            }
            let valid_until = shared(tick, if regular { far.min(horizon) } else { far }).max(floor);
            self.valid_until.add(valid_until, v);
            valid_until
        };
        self.budgets[v as usize].valid_until = valid_until;
        self.budgets[v as usize].flies = motion.velocities[v as usize];
    }

    /// Notes the pairs of `v` whose proofs do not cover its flight up to `floor`.
    fn doubt(&mut self, v: u32, flight: &VertexMotion, floor: Tick, motion: &Motion) {
        let (tick, reach) = (flight.tick, self.needs(v, flight, floor));
        for slot in self.slots(v) {
            if self.contributions[slot] < reach {
                let index = self.slot_pair[slot];
                if self.certificates[index as usize].measured_at != tick {
                    self.renew(index, tick, motion);
                }
                self.give_up(index);
            }
        }
    }

    /// Wakes all layers of a pair that holds no proof. No vertex of it may be kicked without another look.
    pub(super) fn give_up(&mut self, index: u32) {
        let near = &mut self.pairs[index as usize];
        let pair = near.pair(&self.rules);
        let all = self.rules.layers_of(&pair).deepest() + 1;
        self.active_set.change(index, &pair, near.first_certified_layer(), all);
        near.certify_from(all);
        for (&slot, &v) in self.certificates[index as usize].slots.iter().zip(pair.stencil()) {
            self.contributions[slot as usize] = f64::NEG_INFINITY;
            self.budgets[v as usize].allowance = f64::NEG_INFINITY;
            self.max_displacement.safe_path_length[v as usize] = f64::NEG_INFINITY;
        }
        self.uncertain.push(index);
    }

    /// Asks for what the looks after the next few vertices will need.
    #[inline(always)]
    fn prefetch_for_looks(&self, motion: &Motion) {
        let later = |turns: usize| self.pending.len().checked_sub(turns).map(|i| self.pending[i]);
        if let Some(v) = later(3 * AHEAD) {
            prefetch(&self.first_slot, v as usize);
            prefetch(&self.budgets, v as usize);
            motion.prefetch(v);
        }
        if let Some(v) = later(2 * AHEAD) {
            let first = self.first_slot[v as usize] as usize;
            prefetch(&self.contributions, first);
            prefetch(&self.contributions, first + 8);
            prefetch(&self.slot_pair, first);
        }
        let renewed = |v: u32| {
            let spent = self.budgets[v as usize].allowance / NEARLY_SPENT;
            // Where there are many, the look itself runs through them in order.
            let slots = self.slots(v).take(2 * AHEAD).filter(move |slot| self.contributions[*slot] <= spent);
            slots.map(|slot| self.slot_pair[slot] as usize)
        };
        for index in later(AHEAD).into_iter().flat_map(renewed) {
            prefetch(&self.pairs, index);
            prefetch(&self.certificates, index);
        }
        for index in later(AHEAD / 2).into_iter().flat_map(renewed) {
            for &v in self.pairs[index].stencil() {
                motion.prefetch(v);
                prefetch(&self.budgets, v as usize);
            }
        }
    }

    pub(super) fn work_off(&mut self, tick: Tick, motion: &Motion) {
        let is_large = self.budgets.len() >= LARGE;
        while let Some(v) = self.pending.pop() {
            if is_large {
                self.prefetch_for_looks(motion);
            }
            self.look_after(v, tick, motion);
        }
    }
}

/// The slack of a pair, in m, divided between its primitives by their speeds, in m/s.
fn shares(slack: f64, [first, second]: [f64; 2]) -> [f64; 2] {
    if slack <= 0.0 || first + second == 0.0 {
        return [0.5 * slack; 2];
    }
    let part = LEAST_SHARE + (1.0 - 2.0 * LEAST_SHARE) * (first / (first + second));
    [part * slack, (1.0 - part) * slack]
}

/// A tick between `now` and `until`, at least three quarters of the way, that others are likely to name too: instants are dear.
fn shared(now: Tick, until: Tick) -> Tick {
    let quarter = (until.0 - now.0) / 4;
    if quarter == 0 { until } else { Tick(until.0 & !((1 << quarter.ilog2()) - 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shares_are_the_slack_and_the_faster_primitive_has_more(
            slack in -1.0..1.0f64, first in 0.0..10.0f64, second in prop::sample::select(vec![0.0, 0.1, 20.0]),
        ) {
            let [a, b] = shares(slack, [first, second]);
            prop_assert!(a + b <= slack + 4.0 * f64::EPSILON * slack.abs());
            prop_assert!(a + b >= slack - 4.0 * f64::EPSILON * slack.abs());
            let least = 0.999 * LEAST_SHARE * slack.max(0.0);
            prop_assert!(slack < 0.0 || a >= least && b >= least);
            prop_assert!(slack <= 0.0 || (a > b) == (first > second));
        }

        #[test]
        fn a_shared_tick_is_most_of_the_way_and_many_share_it(now in 0..1_u64 << 40, way in 1_u64..1 << 30) {
            let Tick(valid_until) = shared(Tick(now), Tick(now + way));
            prop_assert!(valid_until <= now + way);
            prop_assert!(valid_until - now >= way - way / 4);
            prop_assert!(way < 8 || valid_until % (way as f64 / 8.0).log2().floor().exp2() as u64 == 0);
        }
    }
}
