//! The meetings of grains, as their pairs push.

use carom_model::PairId;
use carom_time::{Span, Tick};

/// Two grains that meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub pair: PairId,
    /// Place of their bodies in the list of touches.
    pub bodies: usize,
    pub last: Tick,
    pub longest: Span,
    /// The smallest distance of the centres so far, in m.
    pub approach: f64,
}

impl Meeting {
    /// Whether it cannot go on at `tick`; a run that fails may be read at a tick before its last kick.
    pub fn is_over(&self, tick: Tick) -> bool {
        tick.0.saturating_sub(self.last.0) > self.longest.quanta()
    }
}

/// Meetings by pair. Pairs push in the order of ids, instant after instant mostly the same: the next one asked for is likely the next in
/// the list.
#[derive(Clone, Debug, Default)]
pub(super) struct Meetings {
    /// In the order of ids.
    list: Vec<Meeting>,
    /// Those that began since the list was last put in order, in the order of ids too.
    begun: Vec<Meeting>,
    /// The next place in the list.
    next: usize,
}

/// So many places are tried one by one before the rest is searched.
const NEAR: usize = 8;

impl Meetings {
    pub fn len(&self) -> usize {
        self.list.len() + self.begun.len()
    }

    /// All that are not taken out.
    pub fn all(&self) -> impl Iterator<Item = &Meeting> {
        self.list.iter().chain(&self.begun)
    }

    /// The meeting of a pair, if there is one.
    pub fn find(&mut self, pair: PairId) -> Option<&mut Meeting> {
        if self.begun.last().is_some_and(|begun| begun.pair >= pair) {
            self.put_in_order();
        }
        if self.next > 0 && self.list.get(self.next - 1).is_some_and(|before| before.pair >= pair) {
            self.next = 0;
        }
        let ahead = &self.list[self.next..];
        let near = ahead.iter().take(NEAR).position(|meeting| meeting.pair >= pair);
        self.next += near.unwrap_or_else(|| ahead.partition_point(|meeting| meeting.pair < pair));
        let found = self.list.get_mut(self.next).filter(|meeting| meeting.pair == pair);
        self.next += usize::from(found.is_some());
        found
    }

    /// Adds a meeting that was just not found.
    pub fn begin(&mut self, meeting: Meeting) {
        self.begun.push(meeting);
    }

    /// Takes out those that are over at `tick`, in the order of ids.
    pub fn take_over(&mut self, tick: Tick) -> impl Iterator<Item = Meeting> + '_ {
        self.put_in_order();
        self.list.extract_if(.., move |meeting| meeting.is_over(tick))
    }

    /// Merges from the back, in place.
    fn put_in_order(&mut self) {
        self.next = 0;
        let (mut old, mut new) = (self.list.len(), self.begun.len());
        self.list.extend_from_slice(&self.begun);
        while new > 0 {
            let place = old + new - 1;
            if old > 0 && self.list[old - 1].pair > self.begun[new - 1].pair {
                old -= 1;
                self.list[place] = self.list[old];
            } else {
                new -= 1;
                self.list[place] = self.begun[new];
            }
        }
        self.begun.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_model::PairKind;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn a_meeting_is_found_by_its_pair_whatever_the_order_of_asking(
            asked in prop::collection::vec((0..60_u32, prop::bool::weighted(0.9)), 1..400), every in 1..90_u64,
        ) {
            let (mut meetings, mut expected) = (Meetings::default(), BTreeMap::<u32, u64>::new());
            let mut pair = PairId { kind: PairKind::VertexVertex, a: 0, b: 0 };
            for (now, (ahead, goes_on)) in (0..).zip(asked) {
                pair.b = if goes_on { (pair.b + ahead / 20) % 70 } else { ahead };
                let found = meetings.find(pair).map(|meeting| core::mem::replace(&mut meeting.last, Tick(now)).0);
                prop_assert_eq!(found, expected.insert(pair.b, now));
                if found.is_none() {
                    let longest = Span::new(20).unwrap();
                    meetings.begin(Meeting { pair, bodies: 0, last: Tick(now), longest, approach: 1.0 });
                }
                prop_assert_eq!(meetings.len(), expected.len());
                if now % every == 0 {
                    let over: Vec<u32> = meetings.take_over(Tick(now)).map(|meeting| meeting.pair.b).collect();
                    let is_over = |last: &u64| now - last > 20;
                    prop_assert_eq!(over, expected.iter().filter(|(_, l)| is_over(l)).map(|(b, _)| *b).collect::<Vec<_>>());
                    expected.retain(|_, last| !is_over(last));
                }
            }
        }
    }
}
