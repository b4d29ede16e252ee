//! Which layers are awake, and firing them: what every way to watch shares.

use carom_math::Vec3;
use carom_model::ImpulseSums;
use carom_time::Tick;

use super::last::LastImpulses;
use super::pair_evaluation::PairEvaluation;
use super::{ContactCounters, Motion};
use crate::law::DissipativeContact;
use crate::touch::{ContactEvent, Touches};
use crate::{Layers, Measure, Pair, PairRules};

/// What was seen while pairs fired.
#[derive(Clone, Debug)]
pub struct ContactStats {
    /// What it took.
    pub counters: ContactCounters,
    /// Smallest distance at a kick, in m.
    pub smallest_distance: f64,
    /// Smallest distance of a pair that pushed at the last instant, in m; infinite if none did.
    pub nearest_push: f64,
    /// Bodies that touched.
    pub touches: Touches,
    /// The pairs that pushed at the last instant and have a law beside their normal force, in the order of ids.
    pub dissipative: Vec<DissipativeContact>,
    /// What layers gave when they last fired.
    pub last: LastImpulses,
}

impl ContactStats {
    /// Nothing yet.
    pub fn of(rules: &PairRules) -> Self {
        Self {
            last: LastImpulses::of(rules),
            counters: ContactCounters::default(),
            smallest_distance: f64::INFINITY,
            nearest_push: f64::INFINITY,
            touches: Touches::default(),
            dissipative: Vec::new(),
        }
    }

    /// Starts an instant.
    pub fn begin(&mut self) {
        self.nearest_push = f64::INFINITY;
        self.dissipative.clear();
    }

    /// Adds the impulse of one pair, and names its vertices in `reached` if there is one.
    #[inline(always)]
    pub(super) fn fire(
        &mut self,
        rules: &PairRules,
        pair: &Pair,
        (tick, fraction, firing): (Tick, f64, u64),
        PairEvaluation { x, at, impulses }: &PairEvaluation,
        motion: &Motion,
        (kicks, reached): (&mut ImpulseSums, &mut Vec<u32>),
    ) {
        self.counters.evaluations += 1;
        let Some(impulses) = impulses else { return };
        let layers = rules.layers_of(pair);
        for (&v, impulse) in pair.stencil().iter().zip(impulses) {
            kicks.add(v, *impulse);
        }
        reached.extend(pair.stencil());
        if self.last.is_kept() {
            self.note(layers, pair, (tick, fraction, firing), at.distance, impulses);
        }
        if !layers.spec().law.is_ideal() {
            self.dissipative.push(dissipative(rules, pair, (x, at), impulses));
        }
        self.book(rules, pair, (tick, x, at), impulses, motion, kicks);
    }

    /// Takes down which of the layers in `firing` gave how much of the impulses of a pair.
    fn note(
        &mut self,
        layers: &Layers,
        pair: &Pair,
        (tick, fraction, firing): (Tick, f64, u64),
        distance: f64,
        impulses: &[Vec3; 4],
    ) {
        let parts = || layers.parts(pair.first_layer, distance, |l| firing >> (l - 1) & 1 == 1);
        let whole: f64 = parts().map(|(_, part)| part).sum();
        for (span, part) in parts().filter(|_| whole > 0.0) {
            for (&v, impulse) in pair.stencil().iter().zip(impulses) {
                self.last.add(span, tick, v, *impulse * (part / (whole * fraction)));
            }
        }
    }

    /// Writes down a push of one pair.
    #[inline]
    fn book(
        &mut self,
        rules: &PairRules,
        pair: &Pair,
        (tick, x, at): (Tick, &[Vec3; 4], &Measure),
        impulses: &[Vec3; 4],
        motion: &Motion,
        kicks: &mut ImpulseSums,
    ) {
        let layers = rules.layers_of(pair);
        let layer = layers.depth_at(at.distance);
        let bodies @ [a, b] = pair.bodies;
        let (first, second) = impulses.split_at(pair.first_primitive());
        let (on_first, on_second) = (sum(first), sum(second));
        if !pair.period.is_zero() {
            kicks.external.fields.add_couple(pair.couple(x, impulses));
        }
        // Of soft spheres too, the distance of hard surfaces is what counts.
        let soft = layers.is_soft();
        let centres = || at.separation.length();
        let distance = if soft { centres() - rules.hard_radius(pair.id) } else { at.distance };
        self.smallest_distance = self.smallest_distance.min(distance);
        self.nearest_push = self.nearest_push.min(at.distance);
        self.counters.deepest_layer = self.counters.deepest_layer.max(layer);
        let impulse = if a < b { on_first } else { on_second };
        let outermost = layers.layer(1);
        let crossing = closing_speed(pair, at, motion) * outermost.step_s;
        let push = ContactEvent {
            tick,
            longest: outermost.span,
            impulse: if a == b { Vec3::ZERO } else { impulse },
            distance,
            layer,
            kicks: if soft { f64::INFINITY } else { layers.band(1) / crossing },
            virial: on_first.dot(at.separation),
            meeting: rules.tells_of_meetings(pair.id, bodies).then(|| (pair.id, centres())),
        };
        self.touches.book([a.min(b), a.max(b)], &push);
    }
}

/// How fast the nearest points of a pair close, in m/s; negative if they separate.
fn closing_speed(pair: &Pair, at: &Measure, motion: &Motion) -> f64 {
    let vertices = pair.stencil().iter().zip(at.weights);
    let apart = vertices.fold(Vec3::ZERO, |sum, (&v, w)| sum + motion.velocities[v as usize] * w);
    -apart.dot(at.separation) / at.separation.length()
}

/// A pair that pushed, as its law sees it.
fn dissipative(
    rules: &PairRules,
    pair: &Pair,
    (x, at): (&[Vec3; 4], &Measure),
    impulses: &[Vec3; 4],
) -> DissipativeContact {
    let spec = rules.layers_of(pair).spec();
    let (spins, share) = rules.spins(pair.id);
    let arm = |spin: Option<u32>, share: f64| spin.map(|spin| (spin, at.separation * share));
    let normal = at.separation * (1.0 / at.separation.length());
    DissipativeContact {
        id: pair.id,
        vertices: pair.vertices,
        count: pair.stencil().len(),
        weights: at.weights,
        normal,
        separation: at.separation,
        image: if pair.period.is_zero() { Vec3::ZERO } else { x[0] - x[1] - at.separation },
        arms: [arm(spins[0], -share), arm(spins[1], 1.0 - share)],
        normal_impulse: sum(&impulses[..pair.first_primitive()]).dot(normal),
        law: spec.law,
        friction_window: spec.friction_window,
    }
}

fn sum(impulses: &[Vec3]) -> Vec3 {
    impulses.iter().fold(Vec3::ZERO, |sum, j| sum + *j)
}

/// How much before it is reached a layer is woken, over its band. On grains a quarter and a sixteenth are as good within noise.
const EARLY: f64 = 0.125;

/// A pair that is farther out of its deepest awake layer, over its band, is measured again: that layer may sleep.
pub(super) const LOOSE: f64 = 2.0 * EARLY;

/// From which layer on a pair may sleep, and how much nearer it may come before that ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CertifiedFrom {
    /// The first layer that sleeps; those before it are awake. At most one below the deepest.
    pub from: u32,
    /// How much the distance may shrink, in m; negative if nothing is certain.
    pub slack: f64,
}

impl CertifiedFrom {
    /// For a pair whose distance is certainly at least `distance`, and whose slack should be at least `needed`.
    ///
    /// A layer is woken early: slack just above zero would be spent at once.
    pub fn at(layers: &Layers, first_layer: u32, distance: f64, needed: f64) -> Self {
        for from in first_layer..=layers.deepest() {
            let thickness = layers.thickness(from);
            let slack = distance - thickness;
            if slack >= needed.max(EARLY * layers.band(from)) {
                return Self { from, slack };
            }
        }
        Self { from: layers.deepest() + 1, slack: distance - layers.floor() }
    }
}

/// The pairs with a layer awake, by their layers and the first that sleeps.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSet {
    /// For each of the scene's layers and each layer that may sleep first: pairs, in rising order.
    lists: Vec<Vec<Vec<u32>>>,
    count: u64,
    /// The pairs that fire when these layers do, in rising order; empty firing if a list has changed.
    due: Vec<(u32, u64)>,
    due_when: Vec<u64>,
    /// Scratch.
    ahead: Vec<ListCursor>,
}

/// What is left of a list while lists are merged.
#[derive(Clone, Copy, Debug)]
struct ListCursor {
    /// Which list: its layers, and the first that sleeps.
    layers: usize,
    from: usize,
    /// The next of it.
    next: usize,
    /// The layers that fire.
    firing: u64,
}

impl ActiveSet {
    /// All pairs are asleep.
    pub fn new(rules: &PairRules) -> Self {
        let list = |layers: &Layers| vec![Vec::new(); layers.deepest() as usize + 2];
        let lists = rules.all_layers().iter().map(list).collect();
        Self { lists, ..Self::default() }
    }

    /// Puts all pairs to sleep, and keeps the room of its lists.
    pub fn clear(&mut self) {
        self.lists.iter_mut().flatten().for_each(Vec::clear);
        self.due_when.clear();
        self.count = 0;
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
            let place = list.binary_search(&index).expect("a pair that is awake is in its list");
            list.remove(place);
            self.count -= 1;
        }
        if after > pair.first_layer {
            let list = &mut lists[after as usize];
            let place = list.binary_search(&index).expect_err("a pair is in one list");
            list.insert(place, index);
            self.count += 1;
        }
    }

    /// The next tick after `now` at which an awake layer fires.
    pub fn next_tick(&self, rules: &PairRules, now: Tick) -> Option<Tick> {
        let mut next = None;
        for (lists, layers) in self.lists.iter().zip(rules.all_layers()) {
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
    pub fn due(&mut self, rules: &PairRules, tick: Tick) -> &[(u32, u64)] {
        let firing = rules.all_layers().iter().map(|layers| layers.firing_at(tick));
        // Instant after instant the same pairs fire: they are collected only when something changes.
        if !self.due_when.iter().copied().eq(firing.clone()) {
            self.due.clear();
            self.due_when.clear();
            self.due_when.extend(firing);
            self.merge();
        }
        &self.due
    }

    /// Fills `due` from all lists with a layer that fires, in rising order. Lists are few.
    fn merge(&mut self) {
        for (layers, (lists, firing)) in self.lists.iter().zip(&self.due_when).enumerate() {
            for (from, list) in lists.iter().enumerate().skip(1) {
                let firing = firing & ((1 << (from - 1)) - 1);
                if !list.is_empty() && firing != 0 {
                    self.ahead.push(ListCursor { layers, from, next: 0, firing });
                }
            }
        }
        let lists = &self.lists;
        let list = |ahead: &ListCursor| &lists[ahead.layers][ahead.from][ahead.next..];
        while let Some(first) = (0..self.ahead.len()).min_by_key(|&i| list(&self.ahead[i])[0]) {
            let ahead = &mut self.ahead[first];
            self.due.push((list(ahead)[0], ahead.firing));
            ahead.next += 1;
            if list(ahead).is_empty() {
                self.ahead.swap_remove(first);
            }
        }
    }

    /// All pairs with a layer awake, in rising order.
    #[expect(clippy::stable_sort_primitive, reason = "it merges lists that are in order")]
    pub fn all(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.lists.iter().flatten().flatten().copied().collect();
        all.sort();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points, scene, sheet};
    use carom_math::Vec3;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn rules() -> PairRules {
        PairRules::with_own_numbers(&scene(&[sheet(0.3), points(&[Vec3::Z], 0.0)], 0.2, 6).0)
    }

    proptest! {
        #[test]
        fn a_pair_sleeps_from_the_first_layer_it_is_well_clear_of(
            distance in -0.1..0.5f64, needed in 0.0..0.1f64, first in 1_u32..6,
        ) {
            let rules = rules();
            let layers = &rules.all_layers()[0];
            let CertifiedFrom { from, slack } = CertifiedFrom::at(layers, first, distance, needed);
            prop_assert!((first..=layers.deepest() + 1).contains(&from));
            prop_assert_eq!(slack, distance - layers.thickness(from));
            prop_assert!(from > layers.deepest() || slack >= needed && slack > 0.0);
            let early = |l| EARLY * (layers.thickness(l) - layers.thickness(l + 1));
            prop_assert!((first..from).all(|l| distance < layers.thickness(l) + needed.max(early(l))));
        }

        #[test]
        fn the_roster_knows_who_is_awake_and_when_they_fire(
            changes in prop::collection::vec((0..64_usize, 0..8_u32, 0..64_u64), 1..60),
        ) {
            let rules = rules();
            let mut pairs = Vec::new();
            rules.for_each(|pair| pairs.push(pair));
            let mut active_set = ActiveSet::new(&rules);
            let mut awake: BTreeMap<u32, u32> = BTreeMap::new();
            let spans = |pair: &Pair, from: u32| {
                let layers = rules.layers_of(pair);
                (1..from).map(|l| layers.layer(l).span).collect::<Vec<_>>()
            };
            for (which, deeper, sixty_fourth) in changes {
                let index = which % pairs.len();
                let pair = &pairs[index];
                let layers = rules.layers_of(pair);
                let after = (pair.first_layer + deeper).min(layers.deepest() + 1);
                let before = awake.remove(&(index as u32)).unwrap_or(pair.first_layer);
                active_set.change(index as u32, pair, before, after);
                if after > pair.first_layer {
                    awake.insert(index as u32, after);
                }
                prop_assert_eq!(active_set.count(), awake.len() as u64);
                prop_assert_eq!(active_set.all(), awake.keys().copied().collect::<Vec<_>>());

                let now = Tick(sixty_fourth * layers.layer(1).span.quanta() / 64);
                let expected: Vec<(u32, u64)> = awake
                    .iter()
                    .map(|(&i, &from)| {
                        let fires = |span: &carom_time::Span| u64::from(now.is_multiple_of(*span));
                        let spans = spans(&pairs[i as usize], from);
                        (i, spans.iter().enumerate().map(|(l, span)| fires(span) << l).sum())
                    })
                    .filter(|(_, firing)| *firing != 0)
                    .collect();
                prop_assert_eq!(active_set.due(&rules, now), &expected);
                let next = awake.iter().flat_map(|(&i, &from)| spans(&pairs[i as usize], from));
                let next = next.map(|span| now.floor(span).after(span)).min();
                prop_assert_eq!(active_set.next_tick(&rules, now), next);
            }
        }
    }
}
