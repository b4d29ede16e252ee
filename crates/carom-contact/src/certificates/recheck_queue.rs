//! When budgets are checked: those flagged at this instant, and those that must be checked by a later tick.

use carom_time::Tick;

/// Numbers of budgets by ticks. Many share a tick, so that there are few lists; a list that is done leaves its room to others.
#[derive(Default)]
pub(super) struct RecheckQueue {
    /// Ticks and their budgets, from the latest to the earliest.
    lists: Vec<(Tick, Vec<u32>)>,
    spare: Vec<Vec<u32>>,
}

impl RecheckQueue {
    /// Adds a budget that must be checked at `tick` at the latest.
    pub fn add(&mut self, tick: Tick, b: u32) {
        let place = self.lists.binary_search_by(|(other, _)| tick.cmp(other)).unwrap_or_else(|place| {
            self.lists.insert(place, (tick, self.spare.pop().unwrap_or_default()));
            place
        });
        self.lists[place].1.push(b);
    }

    /// The earliest tick.
    pub fn next_tick(&self) -> Option<Tick> {
        self.lists.last().map(|(tick, _)| *tick)
    }

    /// Takes out the budgets of all ticks up to `tick`, and visits each.
    pub fn drain_until(&mut self, tick: Tick, mut visit: impl FnMut(u32)) {
        while let Some((_, mut list)) = self.lists.pop_if(|(earliest, _)| *earliest <= tick) {
            list.drain(..).for_each(&mut visit);
            self.spare.push(list);
        }
    }

    /// Takes out all budgets.
    pub fn clear(&mut self) {
        self.drain_until(Tick(u64::MAX), |_| ());
    }
}

/// Budgets that must be renewed at this instant, each once; the last flagged is the next to be renewed.
#[derive(Default)]
pub(super) struct FlaggedBudgets {
    list: Vec<u32>,
    is_flagged: Vec<bool>,
}

impl FlaggedBudgets {
    /// None of so many.
    pub fn begin(&mut self, budgets: usize) {
        self.list.clear();
        self.is_flagged.clear();
        self.is_flagged.resize(budgets, false);
    }

    /// Flags a budget.
    #[inline(always)]
    pub fn flag(&mut self, b: u32) {
        if !core::mem::replace(&mut self.is_flagged[b as usize], true) {
            self.list.push(b);
        }
    }

    /// Takes out a budget; it stays flagged until [`FlaggedBudgets::unflag`], so that it is not added again.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<u32> {
        self.list.pop()
    }

    /// Lets a budget that was taken out be flagged again.
    #[inline(always)]
    pub fn unflag(&mut self, b: u32) {
        self.is_flagged[b as usize] = false;
    }

    /// The budget that is taken out after so many others, if no more are flagged.
    #[inline(always)]
    pub fn after(&self, others: usize) -> Option<u32> {
        self.list.len().checked_sub(others).map(|i| self.list[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn every_vertex_is_visited_once_when_its_tick_has_come(
            steps in prop::collection::vec((prop::collection::vec((0..40_u64, 0..9_u32), 0..6), 0..8_u64), 1..20),
        ) {
            let (mut queue, mut expected) = (RecheckQueue::default(), BTreeMap::<u64, Vec<u32>>::new());
            let mut now = 0;
            for (added, later) in steps {
                for (ahead, v) in added {
                    queue.add(Tick(now + ahead), v);
                    expected.entry(now + ahead).or_default().push(v);
                }
                prop_assert_eq!(queue.next_tick(), expected.keys().next().copied().map(Tick));
                now += later;
                let rest = expected.split_off(&(now + 1));
                let mut touched = Vec::new();
                queue.drain_until(Tick(now), |v| touched.push(v));
                prop_assert_eq!(touched, expected.into_values().flatten().collect::<Vec<_>>());
                expected = rest;
            }
            queue.clear();
            prop_assert_eq!(queue.next_tick(), None);
        }
    }
}
