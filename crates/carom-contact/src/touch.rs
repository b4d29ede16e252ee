//! What became of contact between two bodies: impulse, time, smallest distance, deepest layer.
//!
//! Booked at every kick that pushes, so that nothing is missed between two looks. Two bodies are *in contact* between two such
//! kicks that are no more than the first layer's step apart: every pair within its layers pushes at least that often. What
//! is left out at both ends is at most one step.
//!
//! Grains *meet* likewise, two at a time: a meeting is all kicks of one pair that follow each other within that step, and its closest
//! approach the smallest distance of the centres at any of them. It is over as soon as a longer time than that step has gone by
//! without a kick. Which kicks push does not depend on who watches, so neither do these numbers.
//! Totals are exact sums, rounded when they are read: no order of booking changes a bit of them.
//! That a list is cleared of meetings that are over, now and then, changes nothing either.

mod meetings;

use std::collections::BTreeMap;

use carom_math::{ExactSum, ExactVec3Sum, Vec3};
use carom_model::PairId;
use carom_time::{Span, Tick};

use crate::checkpoint::{self, TouchRecord};
use meetings::{Meeting, Meetings};

/// Contact between two bodies since the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The bodies, the smaller number first; twice the same for a body that touches itself.
    pub bodies: [u32; 2],
    /// Impulse on the first body, in N·s; zero for a body that touches itself. A term for each pair and tick.
    pub impulse: Vec3,
    /// How long they were in contact, in quanta.
    pub quanta: u64,
    /// The last kick that pushed.
    pub last: Tick,
    /// The smallest distance at a kick, in m.
    pub smallest_distance: f64,
    /// The deepest layer that a pair of theirs was in.
    pub deepest_layer: u32,
    /// The fewest kicks in which a pair of theirs, as fast as it closed at a kick, crosses the first layer.
    pub fewest_kicks: f64,
    /// `Σ J·s`, in J·s: J the impulse on the first primitive, s from the nearest point of the second to that of the first. A third of
    /// this, over time and volume, is what contact adds to the pressure. A term for each pair and tick.
    pub virial: f64,
    /// How often two grains met.
    pub meetings: u64,
    /// How many of these meetings are over.
    pub partings: u64,
    /// Sum of the closest approaches of their centres in those, in m: a term for each meeting.
    pub approaches: f64,
}

impl Touch {
    /// Mean of the closest approach of centres in a meeting, in m; NaN before any is over.
    #[must_use]
    pub fn mean_approach(&self) -> f64 {
        self.approaches / self.partings as f64
    }
}

/// One kick of one pair.
#[derive(Clone, Copy, Debug)]
pub struct ContactEvent {
    /// When.
    pub tick: Tick,
    /// Step of the first layer.
    pub longest: Span,
    /// On the first body, in N·s.
    pub impulse: Vec3,
    /// Distance between the surfaces, in m.
    pub distance: f64,
    /// The deepest layer it is in.
    pub layer: u32,
    /// ImpulseSums to cross the first layer at the present closing speed; infinite or negative if it separates.
    pub kicks: f64,
    /// `J·s`, in J·s.
    pub virial: f64,
    /// The pair and the distance of its centres, in m, if it tells of grains that meet.
    pub meeting: Option<(PairId, f64)>,
}

/// All bodies that touched, in the order in which they first did.
#[derive(Clone, Debug, Default)]
pub struct Touches {
    list: Vec<TouchRecord>,
    places: BTreeMap<[u32; 2], usize>,
    /// The pair of bodies asked for last: pairs of primitives come body by body.
    latest: usize,
    /// Meetings that may not be over yet.
    meetings: Meetings,
    /// At this many the list is cleared of those that are.
    most_meetings: usize,
}

impl TouchRecord {
    /// Nothing yet between two bodies that first touch at `tick`.
    #[must_use]
    pub fn new(bodies: [u32; 2], tick: Tick) -> Self {
        let touch = Touch {
            bodies,
            impulse: Vec3::ZERO,
            quanta: 0,
            last: tick,
            smallest_distance: f64::INFINITY,
            deepest_layer: 0,
            fewest_kicks: f64::INFINITY,
            virial: 0.0,
            meetings: 0,
            partings: 0,
            approaches: 0.0,
        };
        Self {
            touch,
            impulse: ExactVec3Sum::default(),
            virial: ExactSum::default(),
            approaches: ExactSum::default(),
        }
    }

    /// With its totals rounded.
    #[must_use]
    pub fn rounded(&self) -> Touch {
        Touch {
            impulse: self.impulse.value(),
            virial: self.virial.value(),
            approaches: self.approaches.value(),
            ..self.touch
        }
    }
}

/// Meetings kept before any are looked through.
const FEW: usize = 64;

impl Touches {
    /// Books a push between two bodies, the smaller number first.
    #[inline]
    pub fn book(&mut self, bodies: [u32; 2], push: &ContactEvent) {
        if self.list.get(self.latest).is_none_or(|booked| booked.touch.bodies != bodies) {
            self.latest = self.place(bodies, push.tick);
        }
        let TouchRecord { touch, impulse, virial, .. } = &mut self.list[self.latest];
        let since = push.tick.0 - touch.last.0;
        if since <= push.longest.quanta() {
            touch.quanta += since;
        }
        touch.last = push.tick;
        // Of a body that touches itself there is none.
        if !push.impulse.is_zero() {
            impulse.add(push.impulse);
        }
        touch.smallest_distance = touch.smallest_distance.min(push.distance);
        touch.deepest_layer = touch.deepest_layer.max(push.layer);
        if push.kicks >= 0.0 {
            touch.fewest_kicks = touch.fewest_kicks.min(push.kicks);
        }
        virial.add(push.virial);
        if let Some((pair, distance)) = push.meeting {
            self.meet(pair, distance, push);
        }
    }

    /// Books a kick between two grains that meet, their centres at `distance`.
    fn meet(&mut self, pair: PairId, distance: f64, push: &ContactEvent) {
        let bodies = self.latest;
        let begin = Meeting { pair, bodies, last: push.tick, longest: push.longest, approach: distance };
        match self.meetings.find(pair) {
            None => {
                self.meetings.begin(begin);
                self.list[bodies].touch.meetings += 1;
            }
            Some(meeting) if meeting.is_over(push.tick) => {
                part(&mut self.list, meeting);
                *meeting = begin;
                self.list[bodies].touch.meetings += 1;
            }
            Some(meeting) => {
                meeting.last = push.tick;
                meeting.approach = meeting.approach.min(distance);
            }
        }
        if self.meetings.len() >= self.most_meetings.max(FEW) {
            self.forget(push.tick);
            self.most_meetings = 2 * self.meetings.len();
        }
    }

    /// Books the meetings that are over at `tick` and forgets them.
    fn forget(&mut self, tick: Tick) {
        for meeting in self.meetings.take_over(tick) {
            part(&mut self.list, &meeting);
        }
    }

    fn place(&mut self, bodies: [u32; 2], tick: Tick) -> usize {
        let list = &mut self.list;
        *self.places.entry(bodies).or_insert_with(|| {
            list.push(TouchRecord::new(bodies, tick));
            list.len() - 1
        })
    }

    /// All of them as they are at `tick`, which no push comes after.
    #[must_use]
    pub fn at(&self, tick: Tick) -> Vec<Touch> {
        self.records_at(tick).iter().map(TouchRecord::rounded).collect()
    }

    /// All of them as they are at `tick`, with totals that are not rounded: meetings that are over are booked.
    fn records_at(&self, tick: Tick) -> Vec<TouchRecord> {
        let mut list = self.list.clone();
        for meeting in self.meetings.all().filter(|meeting| meeting.is_over(tick)) {
            part(&mut list, meeting);
        }
        list
    }

    /// All of them as they are at `tick`, which no push comes after, and the meetings that are not over.
    #[must_use]
    pub fn save(&self, tick: Tick) -> (Vec<TouchRecord>, Vec<checkpoint::Meeting>) {
        let open = self.meetings.all().filter(|meeting| !meeting.is_over(tick));
        let mut meetings: Vec<checkpoint::Meeting> = open
            .map(|meeting| checkpoint::Meeting {
                pair: meeting.pair,
                bodies: self.list[meeting.bodies].touch.bodies,
                last: meeting.last,
                longest: meeting.longest,
                approach_m: meeting.approach,
            })
            .collect();
        meetings.sort_unstable_by_key(|meeting| meeting.pair);
        (self.records_at(tick), meetings)
    }

    /// As they were saved.
    #[must_use]
    pub fn restore(touches: &[TouchRecord], meetings: &[checkpoint::Meeting]) -> Self {
        let places: BTreeMap<[u32; 2], usize> =
            touches.iter().enumerate().map(|(place, record)| (record.touch.bodies, place)).collect();
        let mut restored = Self { list: touches.to_vec(), places, ..Self::default() };
        for &checkpoint::Meeting { pair, bodies, last, longest, approach_m } in meetings {
            let bodies = restored.place(bodies, last);
            restored.meetings.begin(Meeting { pair, bodies, last, longest, approach: approach_m });
        }
        restored
    }
}

/// Books that a meeting is over.
fn part(list: &mut [TouchRecord], meeting: &Meeting) {
    let booked = &mut list[meeting.bodies];
    booked.touch.partings += 1;
    booked.approaches.add(meeting.approach);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(tick: u64) -> ContactEvent {
        let longest = Span::new(8).unwrap();
        ContactEvent {
            tick: Tick(tick),
            longest,
            impulse: Vec3::X,
            distance: 1.0 / tick as f64,
            layer: tick as u32 % 5,
            kicks: 50.0 - tick as f64,
            virial: 0.5,
            meeting: None,
        }
    }

    #[test]
    fn time_in_contact_ends_where_no_kick_follows_within_a_step() {
        let mut touches = Touches::default();
        for tick in [10, 18, 22, 40, 44] {
            touches.book([0, 1], &push(tick));
            touches.book([1, 1], &push(tick));
        }
        touches.book([0, 1], &push(45));
        let [first, second] = touches.at(Tick(45))[..] else { panic!("two pairs of bodies touched") };
        assert_eq!((first.quanta, second.quanta), (12 + 5, 12 + 4));
        assert_eq!((first.impulse, first.last), (Vec3::X * 6.0, Tick(45)));
        assert_eq!((first.smallest_distance, first.deepest_layer, first.fewest_kicks), (1.0 / 45.0, 4, 5.0));
    }

    #[test]
    fn a_meeting_is_all_kicks_of_a_pair_within_a_step_of_each_other() {
        let mut touches = Touches::default();
        let pair = |b: u32| PairId { kind: carom_model::PairKind::VertexVertex, a: 0, b };
        let mut meet = |tick: u64, b: u32, distance: f64| {
            touches.book([0, 0], &ContactEvent { meeting: Some((pair(b), distance)), ..push(tick) });
        };
        // One pair meets twice, another once; many others come and go, so that the list is looked through.
        for (tick, distance) in [(10, 3.0), (18, 2.0), (26, 2.5), (40, 4.0), (41, 5.0)] {
            meet(tick, 1, distance);
        }
        meet(41, 2, 7.0);
        for other in 3..1000 {
            meet(100 + 20 * u64::from(other), other, 1.0);
        }
        // All are over but the last, whatever is still on the list.
        let last = 100 + 20 * 999;
        let [touch] = touches.at(Tick(last))[..] else { panic!("one body touched itself") };
        assert_eq!((touch.meetings, touch.partings), (2 + 1 + 997, 2 + 1 + 996));
        assert_eq!(touch.approaches, 2.0 + 4.0 + 7.0 + 996.0);
        assert_eq!(touches.at(Tick(last + 8))[0].partings, 999);
        assert_eq!(touches.at(Tick(last + 9))[0].partings, 1000);
        assert_eq!(touch.virial, 0.5 * (5.0 + 1.0 + 997.0));
        assert!(touches.meetings.len() < 2 * FEW);
    }
}
