//! What became of contact between two bodies: impulse, time, smallest distance, deepest layer.
//!
//! Booked at every kick that pushes, so that nothing is missed between two looks. Two bodies are *in contact* between two such
//! kicks that are no more than the first layer's step apart: every pair within its layers pushes at least that often. What
//! is left out at both ends is at most one step.

use std::collections::BTreeMap;

use carom_math::{Vec3, Vec3Sum};
use carom_time::{Span, Tick};

/// Contact between two bodies since the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The bodies, the smaller number first; twice the same for a body that touches itself.
    pub bodies: [u32; 2],
    /// Impulse on the first body, in N·s; zero for a body that touches itself.
    pub impulse: Vec3Sum,
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
}

/// One kick of one pair.
#[derive(Clone, Copy, Debug)]
pub struct Push {
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
    /// Kicks to cross the first layer at the present closing speed; infinite or negative if it separates.
    pub kicks: f64,
}

/// All bodies that touched, in the order in which they first did.
#[derive(Clone, Debug, Default)]
pub struct Touches {
    list: Vec<Touch>,
    places: BTreeMap<[u32; 2], usize>,
    /// The pair of bodies asked for last: pairs of primitives come body by body.
    latest: usize,
}

impl Touches {
    /// Books a push between two bodies, the smaller number first.
    #[inline]
    pub fn book(&mut self, bodies: [u32; 2], push: &Push) {
        if self.list.get(self.latest).is_none_or(|touch| touch.bodies != bodies) {
            self.latest = self.place(bodies, push.tick);
        }
        let touch = &mut self.list[self.latest];
        let since = push.tick.0 - touch.last.0;
        if since <= push.longest.quanta() {
            touch.quanta += since;
        }
        touch.last = push.tick;
        touch.impulse.add(push.impulse);
        touch.smallest_distance = touch.smallest_distance.min(push.distance);
        touch.deepest_layer = touch.deepest_layer.max(push.layer);
        if push.kicks >= 0.0 {
            touch.fewest_kicks = touch.fewest_kicks.min(push.kicks);
        }
    }

    fn place(&mut self, bodies: [u32; 2], tick: Tick) -> usize {
        let list = &mut self.list;
        *self.places.entry(bodies).or_insert_with(|| {
            list.push(Touch {
                bodies,
                impulse: Vec3Sum::default(),
                quanta: 0,
                last: tick,
                smallest_distance: f64::INFINITY,
                deepest_layer: 0,
                fewest_kicks: f64::INFINITY,
            });
            list.len() - 1
        })
    }

    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[Touch] {
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(tick: u64) -> Push {
        let longest = Span::new(8).unwrap();
        Push {
            tick: Tick(tick),
            longest,
            impulse: Vec3::X,
            distance: 1.0 / tick as f64,
            layer: tick as u32 % 5,
            kicks: 50.0 - tick as f64,
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
        let [first, second] = touches.all() else { panic!("two pairs of bodies touched") };
        assert_eq!((first.quanta, second.quanta), (12 + 5, 12 + 4));
        assert_eq!((first.impulse.value(), first.last), (Vec3::X * 6.0, Tick(45)));
        assert_eq!((first.smallest_distance, first.deepest_layer, first.fewest_kicks), (1.0 / 45.0, 4, 5.0));
    }
}
