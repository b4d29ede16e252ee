//! Execution: which budgets are checked at an instant, which pairs are measured anew, and which certificates are withdrawn.

use core::ops::Range;

use carom_math::prefetch;
use carom_time::Tick;

use super::budgets::Budget;
use super::certified_from::CertifiedFrom;
use super::vertex_motion::VertexMotion;
use super::{Certificates, OUTWARD};
use crate::active_pairs::ActivePairs;
use crate::{Motion, PairRules};

/// How much farther a vertex is let go when its budget is renewed, over its least skin.
const ENOUGH: f64 = 0.5;

/// A certificate that is spent this far is renewed if its vertex is rechecked anyway, rather than at another instant.
const NEARLY_SPENT: f64 = 0.8;

/// The part of its slack that a pair leaves to its slower primitive in any case: kicks change speeds.
const LEAST_SHARE: f64 = 0.2;

/// The budgets of so many vertices do not fit the cache: memory is asked for before it is needed.
const LARGE: usize = 1 << 14;

/// Memory is asked for this many turns of a loop before it is needed.
pub(super) const AHEAD: usize = 8;

impl Certificates {
    /// Checks that the motion of a touched vertex is covered by the allowance in the frame of its body, and flags that if it is not.
    #[inline(always)]
    pub(super) fn check_vertex(&mut self, v: u32, tick: Tick, motion: &Motion) {
        if !self.budgets.is_within_safe_path(v) {
            self.check_budget(v, v, tick, motion);
        }
    }

    /// Checks that the motion of the vertex `v` of guests is covered by their allowances, and flags them if it is not.
    pub(super) fn check_guests(&mut self, guests: Range<u32>, tick: Tick, motion: &Motion) {
        for b in guests {
            self.check_budget(b, self.budgets.all[b as usize].vertex, tick, motion);
        }
    }

    /// Checks that the motion of the vertex `v` of a budget is covered by its allowance, and flags it if it is not.
    #[inline(always)]
    fn check_budget(&mut self, b: u32, v: u32, tick: Tick, motion: &Motion) {
        // A wall is in many pairs and keeps its velocity: what covered its motion still does. A grain in contact is kicked often,
        // and rarely so that it gets out of its allowance before it is checked anyway.
        let budget = &self.budgets.all[b as usize];
        let (valid_until, is_touched) = (budget.valid_until, budget.touched_every.is_some());
        let velocity = motion.velocities[v as usize];
        if valid_until > tick && budget.checked_velocity == velocity {
            return;
        }
        let vertex_motion = self.epoch.motion_of((v, budget.frame), tick, motion);
        if valid_until > tick && self.budgets.covers(b, &vertex_motion, valid_until) {
            self.budgets.all[b as usize].checked_velocity = velocity;
            return;
        }
        if !is_touched {
            self.flagged.flag(b);
            return;
        }
        let horizon = self.budgets.horizon(b, tick);
        if self.budgets.covers(b, &vertex_motion, horizon) {
            self.budgets.all[b as usize].valid_until = horizon;
            self.budgets.all[b as usize].checked_velocity = velocity;
            self.budgets.set_safe_path_length(b, &vertex_motion);
        } else {
            self.flagged.flag(b);
        }
    }

    /// Measures a pair and issues a certificate.
    pub(super) fn renew_pair(&mut self, index: u32, tick: Tick, motion: &Motion, active: &mut ActivePairs) {
        let pair = active.pair(index);
        let x = PairRules::positions(&pair, |v| motion.position_at(v, tick));
        let frame = self.epoch.frames.of_pair(pair.bodies);
        let mut motions = [self.epoch.motion_from(x[0], (pair.vertices[0], frame), tick, motion); 4];
        for (i, &v) in pair.stencil().iter().enumerate().skip(1) {
            motions[i] = self.epoch.motion_from(x[i], (v, frame), tick, motion);
        }
        let fastest = |part: &[VertexMotion]| part.iter().map(|motion| motion.speed).fold(0.0, f64::max);
        let (first, second) = motions[..pair.stencil().len()].split_at(pair.first_primitive());
        let speeds = [fastest(first), fastest(second)];
        self.counters.measures += 1;
        let measured = (pair.measure(&x).distance, pair.distance_error(&x));
        let shares = self.certify(index, tick, speeds, measured, active);
        let slots = self.rows[index as usize].slots;
        for (i, (&slot, &v)) in slots.iter().zip(pair.stencil()).enumerate() {
            let share = shares[usize::from(i >= pair.first_primitive())];
            let (b, vertex_motion) = (self.budgets.of(v, frame), &motions[i]);
            let used = self.budgets.used(b, vertex_motion);
            let used = if used > 0.25 * share {
                self.budgets.move_anchor(b, vertex_motion.here, used);
                0.0
            } else {
                used
            };
            self.budgets.contribute(slot, b, share - used);
            self.budgets.forget_safe_path_length(b);
            // A tick that has passed was set before the last touch, which covered the motion up to the next.
            let valid_until = self.budgets.all[b as usize].valid_until;
            let until = if valid_until > tick { valid_until } else { self.budgets.horizon(b, tick) };
            if !self.budgets.covers(b, vertex_motion, until) {
                self.flagged.flag(b);
            }
        }
    }

    /// Certifies the layers of a pair that its distance, known up to an error, in m, allows; returns the share of the vertices of each
    /// primitive, in m: the faster has more, so that both last about as long. Speeds are those of the fastest vertex of each, in m/s.
    #[inline]
    pub(super) fn certify(
        &mut self,
        index: u32,
        tick: Tick,
        speeds: [f64; 2],
        (distance, error): (f64, f64),
        active: &mut ActivePairs,
    ) -> [f64; 2] {
        let pair = active.pair(index);
        let fastest = speeds[0].max(speeds[1]);
        self.rows[index as usize].measured_at = tick;
        let needed = 8.0 * OUTWARD * fastest * self.budgets.limits.gap_test.seconds_to_next(tick);
        let certain = distance - 4.0 * (error + self.epoch.rounding_bound);
        let certified = CertifiedFrom::at(self.rules.layers_of(&pair), pair.first_layer, certain, needed);
        active.certify_from(index, certified.layer);
        shares(certified.slack, speeds)
    }

    /// How far from its anchor a vertex should be allowed to go, in m: to its horizon, or a little farther than it is now if that
    /// is a long way. A fast vertex would otherwise renew all its certificates whenever one of them ends. But what is nearly
    /// spent should last longer than until then.
    fn wanted_allowance(&self, b: u32, motion: &VertexMotion, horizon: Tick) -> f64 {
        let used = self.budgets.used(b, motion);
        let v = self.budgets.all[b as usize].vertex;
        let soon = used + ENOUGH * self.search.least_skin()[v as usize];
        let whole = self.budgets.needed(b, motion, horizon);
        let part = if whole <= soon {
            whole
        } else {
            let next_test = self.budgets.limits.gap_test.next(motion.tick);
            whole.min(soon.max(self.budgets.needed(b, motion, next_test)))
        };
        part.max(used / NEARLY_SPENT)
    }

    /// Renews the certificates of a budget that do not cover the motion of its vertex, and sets the tick by which it must be checked next.
    fn renew_budget(&mut self, b: u32, tick: Tick, motion: &Motion, active: &mut ActivePairs) {
        let horizon = self.budgets.horizon(b, tick);
        let Budget { vertex: v, frame, .. } = self.budgets.all[b as usize];
        let vertex_motion = self.epoch.motion_of((v, frame), tick, motion);
        let mut wanted = self.wanted_allowance(b, &vertex_motion, horizon);
        let mut renewed = false;
        for slot in self.budgets.slots(b) {
            let index = self.budgets.pair_of(slot);
            if self.budgets.contribution(slot) < wanted && self.rows[index as usize].measured_at != tick {
                self.renew_pair(index, tick, motion, active);
                // The anchor may have moved.
                wanted = self.wanted_allowance(b, &vertex_motion, horizon);
                renewed = true;
            }
        }
        self.flagged.unflag(b);
        let skin_left = self.budgets.skin_left(b, self.epoch.rounding_bound);
        let allowance = self.budgets.least_contribution(b, skin_left);
        self.budgets.all[b as usize].allowance = allowance;
        let needed = self.budgets.needed(b, &vertex_motion, horizon);
        if needed > skin_left {
            self.search_is_due = true;
            return;
        }
        let is_touched = self.budgets.all[b as usize].touched_every.is_some();
        let valid_until = if is_touched && needed <= allowance {
            self.budgets.set_safe_path_length(b, &vertex_motion);
            horizon
        } else {
            let end = self.end_of_allowance(b, &vertex_motion);
            let next_test = self.budgets.limits.gap_test.next(tick);
            if end < next_test && renewed {
                // From where its anchor is now, other certificates may fall short: they are renewed next.
                self.flagged.flag(b);
                return;
            }
            if end < next_test {
                self.withdraw_uncovered(b, &vertex_motion, next_test, motion, active);
            }
            let latest = if is_touched { end.min(horizon) } else { end };
            let valid_until = rounded_down(tick, latest).max(next_test);
            self.queue.add(valid_until, b);
            valid_until
        };
        self.budgets.all[b as usize].valid_until = valid_until;
        self.budgets.all[b as usize].checked_velocity = motion.velocities[v as usize];
    }

    /// The tick at which a vertex may have spent its allowance.
    fn end_of_allowance(&self, b: u32, motion: &VertexMotion) -> Tick {
        let &VertexMotion { tick, speed, quantum, .. } = motion;
        let left = self.budgets.all[b as usize].allowance - self.budgets.used(b, motion);
        let quanta = (left / (speed * quantum.seconds() * OUTWARD)).max(0.0);
        let end = Tick(tick.0.saturating_add(quanta as u64).min(Tick::LAST.0));
        let limits = &self.budgets.limits;
        if speed <= limits.speed { end } else { end.floor(limits.gap_test.span).max(tick) }
    }

    /// Withdraws the certificates of a budget that do not cover the motion of its vertex up to the next gap test, after another measure.
    fn withdraw_uncovered(
        &mut self,
        b: u32,
        vertex_motion: &VertexMotion,
        next_test: Tick,
        motion: &Motion,
        active: &mut ActivePairs,
    ) {
        let (tick, needed) = (vertex_motion.tick, self.budgets.needed(b, vertex_motion, next_test));
        for slot in self.budgets.slots(b) {
            if self.budgets.contribution(slot) < needed {
                let index = self.budgets.pair_of(slot);
                if self.rows[index as usize].measured_at != tick {
                    self.renew_pair(index, tick, motion, active);
                }
                self.withdraw(index, active);
            }
        }
    }

    /// Withdraws the certificate of a pair: all its layers are active, and no vertex of it may be kicked without another check.
    fn withdraw(&mut self, index: u32, active: &mut ActivePairs) {
        active.activate_all_layers(index);
        let (slots, candidate) = (self.rows[index as usize].slots, active.candidates().row(index));
        let frame = self.epoch.frames.of_pair(candidate.bodies());
        for (&slot, &v) in slots.iter().zip(candidate.stencil()) {
            self.budgets.withdraw(slot, self.budgets.of(v, frame));
        }
        self.uncertain.push(index);
    }

    /// Renews all flagged budgets, and those that this flags.
    pub(super) fn renew_flagged(&mut self, tick: Tick, motion: &Motion, active: &mut ActivePairs) {
        let is_large = self.budgets.vertices() >= LARGE;
        while let Some(b) = self.flagged.pop() {
            if is_large {
                self.prefetch_flagged(motion, active);
            }
            self.renew_budget(b, tick, motion, active);
        }
    }

    /// Asks the memory for what the renewal of the next few flagged budgets will need; most are those of bodies.
    #[inline(always)]
    fn prefetch_flagged(&self, motion: &Motion, active: &ActivePairs) {
        if let Some(b) = self.flagged.after(3 * AHEAD) {
            self.budgets.prefetch(b);
            motion.prefetch(b);
        }
        if let Some(b) = self.flagged.after(2 * AHEAD) {
            self.budgets.prefetch_slots(b);
        }
        let renewed = |b: u32| {
            let spent = self.budgets.all[b as usize].allowance / NEARLY_SPENT;
            // Where there are many, the renewal itself runs through them in order.
            let slots = self.budgets.slots(b).take(2 * AHEAD);
            let spent = slots.filter(move |slot| self.budgets.contribution(*slot) <= spent);
            spent.map(|slot| self.budgets.pair_of(slot))
        };
        for index in self.flagged.after(AHEAD).into_iter().flat_map(renewed) {
            active.candidates().prefetch(index);
            prefetch(&self.rows, index as usize);
        }
        for index in self.flagged.after(AHEAD / 2).into_iter().flat_map(renewed) {
            for &v in active.candidates().row(index).stencil() {
                motion.prefetch(v);
                prefetch(&self.budgets.all, v as usize);
            }
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

/// A tick between `now` and `until`, at least three quarters of the way, that is likely to be that of other vertices too: every instant costs.
fn rounded_down(now: Tick, until: Tick) -> Tick {
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
        fn a_rounded_tick_is_most_of_the_way_and_many_share_it(now in 0..1_u64 << 40, way in 1_u64..1 << 30) {
            let Tick(valid_until) = rounded_down(Tick(now), Tick(now + way));
            prop_assert!(valid_until <= now + way);
            prop_assert!(valid_until - now >= way - way / 4);
            prop_assert!(way < 8 || valid_until % (way as f64 / 8.0).log2().floor().exp2() as u64 == 0);
        }
    }
}
