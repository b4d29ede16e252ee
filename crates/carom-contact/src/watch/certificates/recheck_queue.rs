//! Who must be looked at when.

use carom_time::Tick;

/// Numbers of vertices by ticks. Many share a tick, so that there are few lists; a list that is done leaves its room to others.
#[derive(Default)]
pub(super) struct RecheckQueue {
    /// From the latest to the earliest.
    lists: Vec<(Tick, Vec<u32>)>,
    spare: Vec<Vec<u32>>,
}

impl RecheckQueue {
    /// Adds a vertex.
    pub fn add(&mut self, tick: Tick, v: u32) {
        let place = self.lists.binary_search_by(|(other, _)| tick.cmp(other)).unwrap_or_else(|place| {
            self.lists.insert(place, (tick, self.spare.pop().unwrap_or_default()));
            place
        });
        self.lists[place].1.push(v);
    }

    /// The earliest tick.
    pub fn next(&self) -> Option<Tick> {
        self.lists.last().map(|(tick, _)| *tick)
    }

    /// Calls `visit` for the vertices of all ticks up to `tick`, and forgets them.
    pub fn work_off(&mut self, tick: Tick, mut visit: impl FnMut(u32)) {
        while let Some((_, mut list)) = self.lists.pop_if(|(earliest, _)| *earliest <= tick) {
            list.drain(..).for_each(&mut visit);
            self.spare.push(list);
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.work_off(Tick(u64::MAX), |_| ());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn everybody_is_visited_once_when_the_tick_has_come(
            steps in prop::collection::vec((prop::collection::vec((0..40_u64, 0..9_u32), 0..6), 0..8_u64), 1..20),
        ) {
            let (mut queue, mut expected) = (RecheckQueue::default(), BTreeMap::<u64, Vec<u32>>::new());
            let mut now = 0;
            for (added, later) in steps {
                for (ahead, v) in added {
                    queue.add(Tick(now + ahead), v);
                    expected.entry(now + ahead).or_default().push(v);
                }
                prop_assert_eq!(queue.next(), expected.keys().next().copied().map(Tick));
                now += later;
                let rest = expected.split_off(&(now + 1));
                let mut touched = Vec::new();
                queue.work_off(Tick(now), |v| touched.push(v));
                prop_assert_eq!(touched, expected.into_values().flatten().collect::<Vec<_>>());
                expected = rest;
            }
            queue.clear();
            prop_assert_eq!(queue.next(), None);
        }
    }
}
