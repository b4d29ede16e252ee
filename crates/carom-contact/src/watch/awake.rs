//! Which layers are awake, and firing them: what every way to watch shares.

use carom_math::Vec3;
use carom_model::Kicks;
use carom_time::Tick;

use super::{Effort, Motion};
use crate::touch::{Push, Touches};
use crate::{Catalogue, Layers, Pair};

/// What was seen while pairs fired.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub effort: Effort,
    /// Smallest distance at a kick, in m.
    pub smallest_distance: f64,
    /// Bodies that touched.
    pub touches: Touches,
}

impl Default for Seen {
    fn default() -> Self {
        Self { effort: Effort::default(), smallest_distance: f64::INFINITY, touches: Touches::default() }
    }
}

impl Seen {
    /// Adds the impulse of one pair: its layers in `firing`, summed by depth. Returns the distance.
    #[inline]
    pub fn fire(
        &mut self,
        catalogue: &Catalogue,
        pair: &Pair,
        (tick, fraction, firing): (Tick, f64, u64),
        motion: &Motion,
        kicks: &mut Kicks,
    ) -> f64 {
        let layers = catalogue.layers_of(pair);
        let x = Catalogue::positions(pair, |v| motion.position_at(v, tick));
        let at = pair.measure(&x);
        self.effort.evaluations += 1;
        let step = |l: u32, step_s: f64| if firing >> (l - 1) & 1 == 1 { fraction * step_s } else { 0.0 };
        if let Some(impulses) = pair.pushes(layers, &x, &at, |l, layer| step(l, layer.step_s)) {
            for (&v, impulse) in pair.stencil().iter().zip(impulses) {
                kicks.add(v, impulse);
            }
            let layer = layers.depth_at(at.distance);
            self.smallest_distance = self.smallest_distance.min(at.distance);
            self.effort.deepest_layer = self.effort.deepest_layer.max(layer);
            let [a, b] = catalogue.bodies_of(pair.id);
            let (first, second) = impulses.split_at(pair.first_primitive());
            let impulse = if a <= b { sum(first) } else { sum(second) };
            let impulse = if a == b { Vec3::ZERO } else { impulse };
            let longest = layers.layer(1).span;
            let push = Push { tick, longest, impulse, distance: at.distance, layer };
            self.touches.book([a.min(b), a.max(b)], &push);
        }
        at.distance
    }
}

fn sum(impulses: &[Vec3]) -> Vec3 {
    impulses.iter().fold(Vec3::ZERO, |sum, j| sum + *j)
}

/// From which layer on a pair may sleep, and how much nearer it may come before that ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sleep {
    /// The first layer that sleeps; those before it are awake. At most one below the deepest.
    pub from: u32,
    /// How much the distance may shrink, in m; 0 if nothing is certain.
    pub slack: f64,
}

impl Sleep {
    /// For a pair whose distance is certainly at least `distance`, and whose slack should be at least `needed`.
    ///
    /// A layer is woken a quarter of a layer early: slack just above zero would be spent at once.
    pub fn at(layers: &Layers, first_layer: u32, distance: f64, needed: f64) -> Self {
        for from in first_layer..=layers.deepest() {
            let thickness = layers.thickness(from);
            let slack = distance - thickness;
            if slack >= needed.max(0.25 * (thickness - layers.thickness(from + 1))) {
                return Self { from, slack };
            }
        }
        Self { from: layers.deepest() + 1, slack: (distance - layers.floor()).max(0.0) }
    }
}

/// The pairs with a layer awake, by their layers and the first that sleeps.
#[derive(Clone, Debug, Default)]
pub(super) struct Roster {
    /// For each of the scene's layers and each layer that may sleep first: pairs.
    lists: Vec<Vec<Vec<u32>>>,
    /// Where each pair is in its list.
    places: Vec<u32>,
    count: u64,
    /// The pairs that fire when these layers do, in rising order; empty firing if a list has changed.
    due: Vec<(u32, u64)>,
    due_when: Vec<u64>,
}

impl Roster {
    /// For `pairs` pairs, all asleep.
    pub fn new(catalogue: &Catalogue, pairs: usize) -> Self {
        let list = |layers: &Layers| vec![Vec::new(); layers.deepest() as usize + 2];
        let lists = catalogue.all_layers().iter().map(list).collect();
        Self { lists, places: vec![0; pairs], count: 0, due: Vec::new(), due_when: Vec::new() }
    }

    /// Pairs with a layer awake.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Moves pair number `index` from one first sleeping layer to another.
    pub fn change(&mut self, index: u32, pair: &Pair, before: u32, after: u32) {
        if before == after {
            return;
        }
        self.due_when.clear();
        let lists = &mut self.lists[pair.layers as usize];
        if before > pair.first_layer {
            let list = &mut lists[before as usize];
            let place = self.places[index as usize] as usize;
            list.swap_remove(place);
            if let Some(&moved) = list.get(place) {
                self.places[moved as usize] = place as u32;
            }
            self.count -= 1;
        }
        if after > pair.first_layer {
            let list = &mut lists[after as usize];
            self.places[index as usize] = list.len() as u32;
            list.push(index);
            self.count += 1;
        }
    }

    /// The next tick after `now` at which an awake layer fires.
    pub fn next_tick(&self, catalogue: &Catalogue, now: Tick) -> Option<Tick> {
        let mut next = None;
        for (lists, layers) in self.lists.iter().zip(catalogue.all_layers()) {
            // The longest list of awake layers holds the spans of all others.
            let Some(from) = lists.iter().rposition(|list| !list.is_empty()) else { continue };
            for l in 1..from as u32 {
                let span = layers.layer(l).span;
                let tick = now.floor(span).after(span);
                next = Some(next.map_or(tick, |n: Tick| n.min(tick)));
            }
        }
        next
    }

    /// The pairs that fire at `tick`, in rising order, with the layers that fire.
    pub fn due(&mut self, catalogue: &Catalogue, tick: Tick) -> &[(u32, u64)] {
        let firing = catalogue.all_layers().iter().map(|layers| layers.firing_at(tick));
        // Instant after instant the same pairs fire: they are collected and sorted only when something changes.
        if !self.due_when.iter().copied().eq(firing.clone()) {
            self.due.clear();
            self.due_when.clear();
            self.due_when.extend(firing);
            for (lists, firing) in self.lists.iter().zip(&self.due_when) {
                for (from, list) in lists.iter().enumerate().skip(1) {
                    let awake = firing & ((1 << (from - 1)) - 1);
                    if awake != 0 {
                        self.due.extend(list.iter().map(|&index| (index, awake)));
                    }
                }
            }
            self.due.sort_unstable();
        }
        &self.due
    }

    /// All pairs with a layer awake, in rising order.
    pub fn all(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.lists.iter().flatten().flatten().copied().collect();
        all.sort_unstable();
        all
    }
}
