//! What became of contact: how near, how deep, how long, body by body.
//!
//! Booked at every instant for every pair that acts. Two bodies are *in contact* between two instants at which pairs of theirs act, if these are no
//! more than the step of the first layer apart. Two grains *meet* likewise: a meeting is all instants of one pair that follow each other within that step, and it is over
//! when that step has passed without another. Of soft spheres the distance of the hard cores counts.
//!
//! A *gap minimum* is an instant after which the nearest acting pair was farther again: of instants at which no pair acts nothing is known.

use std::collections::BTreeMap;

use carom_contact::{ContactCheckpoint, ContactEffort, Meeting, Touch, TouchRecord};
use carom_math::Vec3;
use carom_model::{Contact, LayerFamily, PairId, PairKind};
use carom_time::Tick;

use super::layers::Layers;
use super::pairs::{Nearest, Pair};
use crate::{Checkpoint, GapMinimum};

/// All that is known of contact since the start.
pub(super) struct Touches {
    /// In the order in which bodies first touched.
    list: Vec<TouchRecord>,
    /// Meetings that nobody has seen the end of.
    meetings: BTreeMap<PairId, Meeting>,
    /// The smallest distance at which a pair acted, in m.
    pub smallest_distance_m: f64,
    /// The deepest layer in which a pair acted.
    pub deepest_layer: u32,
    pub effort: ContactEffort,
    /// The smallest distance at which a pair acts at this instant, in m; infinite if none does.
    pub nearest_now_m: f64,
    /// That of the last instant at which one did.
    nearest_last_m: Option<f64>,
    is_falling: bool,
}

/// Whether a meeting cannot go on at `tick`.
fn is_over_at(meeting: &Meeting, tick: Tick) -> bool {
    tick.0 - meeting.last.0 > meeting.longest.quanta()
}

impl Touches {
    pub fn new() -> Self {
        Self {
            list: Vec::new(),
            meetings: BTreeMap::new(),
            smallest_distance_m: f64::INFINITY,
            deepest_layer: 0,
            effort: ContactEffort::default(),
            nearest_now_m: f64::INFINITY,
            nearest_last_m: None,
            is_falling: false,
        }
    }

    /// An instant begins.
    pub fn begin(&mut self) {
        self.nearest_now_m = f64::INFINITY;
    }

    /// Takes down that a pair acts at `tick` with these impulses, its vertices at these velocities before it.
    pub fn add(
        &mut self,
        contact: &Contact,
        (pair, layers): (&Pair, &Layers),
        at: &Nearest,
        (tick, impulses): (Tick, &[Vec3]),
        velocities: &[Vec3],
    ) {
        let is_soft = layers.spec.family == LayerFamily::Hertz;
        let centres_m = at.separation.length();
        let hard_m = || {
            let radius = |number: u32| contact.vertices[number as usize].radius;
            centres_m - (radius(pair.id.a) + radius(pair.id.b))
        };
        let distance_m = if is_soft { hard_m() } else { at.distance_m };
        let depth = layers.depth_at(at.distance_m);
        self.smallest_distance_m = self.smallest_distance_m.min(distance_m);
        self.nearest_now_m = self.nearest_now_m.min(at.distance_m);
        self.deepest_layer = self.deepest_layer.max(depth);

        let [a, b] = pair.bodies;
        let bodies = [a.min(b), a.max(b)];
        let longest = layers.list[0].span;
        let (on_first, on_second) = impulses.split_at(pair.of_first);
        let (on_first, on_second) = (sum(on_first), sum(on_second));
        let record = record_of(&mut self.list, bodies, tick);
        let touch = &mut record.touch;
        if tick.0 - touch.last.0 <= longest.quanta() {
            touch.quanta += tick.0 - touch.last.0;
        }
        touch.last = tick;
        record.impulse.add(match a.cmp(&b) {
            core::cmp::Ordering::Less => on_first,
            core::cmp::Ordering::Equal => Vec3::ZERO,
            core::cmp::Ordering::Greater => on_second,
        });
        record.virial.add(on_first.dot(at.separation));
        touch.smallest_distance = touch.smallest_distance.min(distance_m);
        touch.deepest_layer = touch.deepest_layer.max(depth);
        let crossing_m = closing_speed(pair, at, velocities) * layers.list[0].step_s;
        let kicks = (layers.thickness_m(1) - layers.thickness_m(2)) / crossing_m;
        if !is_soft && kicks >= 0.0 {
            touch.fewest_kicks = touch.fewest_kicks.min(kicks);
        }
        if tells_of_meetings(contact, pair) {
            self.meet(Meeting { pair: pair.id, bodies, last: tick, longest, approach_m: centres_m });
        }
    }

    /// A meeting begins, or goes on.
    fn meet(&mut self, now: Meeting) {
        if let Some(before) = self.meetings.get_mut(&now.pair) {
            if !is_over_at(before, now.last) {
                before.last = now.last;
                before.approach_m = before.approach_m.min(now.approach_m);
                return;
            }
            part(&mut self.list, before);
        }
        self.meetings.insert(now.pair, now);
        record_of(&mut self.list, now.bodies, now.last).touch.meetings += 1;
    }

    /// All bodies that touched so far, with the meetings that are over at `tick`.
    pub fn at(&self, tick: Tick) -> Vec<Touch> {
        self.records_at(tick).iter().map(TouchRecord::rounded).collect()
    }

    fn records_at(&self, tick: Tick) -> Vec<TouchRecord> {
        let mut list = self.list.clone();
        for meeting in self.meetings.values().filter(|meeting| is_over_at(meeting, tick)) {
            part(&mut list, meeting);
        }
        list
    }

    /// All of this at `tick` but the last pushes, for a checkpoint.
    pub fn save(&self, tick: Tick) -> (ContactCheckpoint, GapMinimum, ContactEffort) {
        let contact = ContactCheckpoint {
            touches: self.records_at(tick),
            meetings: self.meetings.values().filter(|meeting| !is_over_at(meeting, tick)).copied().collect(),
            smallest_distance_m: self.smallest_distance_m,
            deepest_layer: self.deepest_layer,
            layer_impulses: Vec::new(),
        };
        let gap_minimum = GapMinimum { last_m: self.nearest_last_m, is_falling: self.is_falling };
        (contact, gap_minimum, self.effort)
    }

    /// Takes up what a checkpoint holds.
    pub fn restore(&mut self, from: &Checkpoint) {
        let Checkpoint { contact, gap_minimum, effort, .. } = from;
        self.list.clone_from(&contact.touches);
        self.meetings = contact.meetings.iter().map(|meeting| (meeting.pair, *meeting)).collect();
        self.smallest_distance_m = contact.smallest_distance_m;
        (self.deepest_layer, self.effort) = (contact.deepest_layer, effort.contact);
        (self.nearest_last_m, self.is_falling) = (gap_minimum.last_m, gap_minimum.is_falling);
    }

    /// After an instant: how near the nearest acting pair was at the instant before, in m, if it was nearest there.
    pub fn gap_minimum(&mut self) -> Option<f64> {
        if self.nearest_now_m.is_infinite() {
            return None;
        }
        let last_m = self.nearest_last_m.replace(self.nearest_now_m)?;
        let was_falling = self.is_falling;
        self.is_falling = self.nearest_now_m < last_m;
        (was_falling && !self.is_falling).then_some(last_m)
    }
}

/// The record of two bodies, the smaller number first.
fn record_of(list: &mut Vec<TouchRecord>, bodies: [u32; 2], tick: Tick) -> &mut TouchRecord {
    let place = list.iter().position(|record| record.touch.bodies == bodies).unwrap_or_else(|| {
        list.push(TouchRecord::new(bodies, tick));
        list.len() - 1
    });
    &mut list[place]
}

/// Takes down that a meeting is over.
fn part(list: &mut Vec<TouchRecord>, meeting: &Meeting) {
    let record = record_of(list, meeting.bodies, meeting.last);
    record.touch.partings += 1;
    record.approaches.add(meeting.approach_m);
}

/// Whether a pair tells when two grains meet: of soft ones their spheres do, of others their hard cores.
fn tells_of_meetings(contact: &Contact, pair: &Pair) -> bool {
    let [a, b] = pair.bodies;
    match pair.id.kind {
        PairKind::Soft => true,
        PairKind::VertexVertex => contact.soft_between[a as usize * contact.bodies + b as usize].is_none(),
        _ => false,
    }
}

/// How fast the nearest points of a pair close, in m/s; negative if they separate.
fn closing_speed(pair: &Pair, at: &Nearest, velocities: &[Vec3]) -> f64 {
    let mut apart = Vec3::ZERO;
    for (i, &v) in pair.vertices.iter().enumerate() {
        apart += velocities[v as usize] * at.weights[i];
    }
    -apart.dot(at.separation) / at.separation.length()
}

fn sum(impulses: &[Vec3]) -> Vec3 {
    impulses.iter().fold(Vec3::ZERO, |sum, j| sum + *j)
}
