//! What became of contact: how near, how deep, how long, body by body.
//!
//! Booked at every instant for every pair that acts. Two bodies are *in contact* between two instants at which pairs of theirs act, if these are no
//! more than the step of the first layer apart. Two grains *meet* likewise: a meeting is all instants of one pair that follow each other within that step, and it is over
//! when that step has passed without another. Of soft spheres the distance of the hard cores counts.
//!
//! A *gap minimum* is an instant after which the nearest acting pair was farther again: of instants at which no pair acts nothing is known.

use std::collections::BTreeMap;

use carom_contact::{ContactCounters, Touch};
use carom_math::{ExactSum, ExactVec3Sum, Vec3};
use carom_model::{Contact, LayerFamily, PairId, PairKind};
use carom_time::{Span, Tick};

use super::layers::Layers;
use super::pairs::{Nearest, Pair};

/// All that is known of contact since the start.
pub(super) struct Touches {
    /// In the order in which bodies first touched.
    list: Vec<Record>,
    /// Meetings that nobody has seen the end of.
    meetings: BTreeMap<PairId, Meeting>,
    /// The smallest distance at which a pair acted, in m.
    pub smallest_distance_m: f64,
    pub counters: ContactCounters,
    /// The smallest distance at which a pair acts at this instant, in m; infinite if none does.
    pub nearest_now_m: f64,
    /// That of the last instant at which one did.
    nearest_last_m: Option<f64>,
    is_falling: bool,
}

/// Contact between two bodies; its totals are rounded when they are read.
#[derive(Clone)]
struct Record {
    /// All but the totals.
    touch: Touch,
    impulse: ExactVec3Sum,
    virial: ExactSum,
    approaches: ExactSum,
}

/// Two grains that met.
#[derive(Clone, Copy)]
struct Meeting {
    bodies: [u32; 2],
    last: Tick,
    longest: Span,
    /// The smallest distance of their centres, in m.
    approach_m: f64,
}

impl Meeting {
    fn is_over_at(&self, tick: Tick) -> bool {
        tick.0 - self.last.0 > self.longest.quanta()
    }
}

impl Touches {
    pub fn new(pairs: usize) -> Self {
        Self {
            list: Vec::new(),
            meetings: BTreeMap::new(),
            smallest_distance_m: f64::INFINITY,
            counters: ContactCounters { near_pairs: pairs as u64, ..ContactCounters::default() },
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
        self.counters.deepest_layer = self.counters.deepest_layer.max(depth);

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
            let meeting = Meeting { bodies, last: tick, longest, approach_m: centres_m };
            self.meet(pair.id, meeting);
        }
    }

    /// A meeting begins, or goes on.
    fn meet(&mut self, id: PairId, now: Meeting) {
        if let Some(before) = self.meetings.get_mut(&id) {
            if !before.is_over_at(now.last) {
                before.last = now.last;
                before.approach_m = before.approach_m.min(now.approach_m);
                return;
            }
            part(&mut self.list, before);
        }
        self.meetings.insert(id, now);
        record_of(&mut self.list, now.bodies, now.last).touch.meetings += 1;
    }

    /// All bodies that touched so far, with the meetings that are over at `tick`.
    pub fn at(&self, tick: Tick) -> Vec<Touch> {
        let mut list = self.list.clone();
        for meeting in self.meetings.values().filter(|meeting| meeting.is_over_at(tick)) {
            part(&mut list, meeting);
        }
        let rounded = |record: &Record| Touch {
            impulse: record.impulse.value(),
            virial: record.virial.value(),
            approaches: record.approaches.value(),
            ..record.touch
        };
        list.iter().map(rounded).collect()
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
fn record_of(list: &mut Vec<Record>, bodies: [u32; 2], tick: Tick) -> &mut Record {
    let place = list.iter().position(|record| record.touch.bodies == bodies).unwrap_or_else(|| {
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
        list.push(Record {
            touch,
            impulse: ExactVec3Sum::default(),
            virial: ExactSum::default(),
            approaches: ExactSum::default(),
        });
        list.len() - 1
    });
    &mut list[place]
}

/// Takes down that a meeting is over.
fn part(list: &mut Vec<Record>, meeting: &Meeting) {
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
