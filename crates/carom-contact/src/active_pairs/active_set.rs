//! Lists of active pairs: those with an active layer, by the first layer that is certified.

use carom_time::Tick;

use crate::{Layers, PairRules};

/// The pairs with an active layer, by their layers and the first that is certified.
#[derive(Clone, Debug, Default)]
pub(super) struct ActiveSet {
    /// For each of the scene's layers and each first certified layer: pairs, in rising order.
    lists: Vec<Vec<Vec<u32>>>,
    /// For each of the scene's layers: which of these lists have pairs, that with first certified layer 2 in the lowest bit.
    occupied: Vec<u64>,
    count: u64,
    /// The pairs with an active layer among those of `due_when`, in rising order, with these layers.
    due: Vec<(u32, u64)>,
    /// The firing layers that `due` was made for; empty if a list has changed since.
    due_when: Vec<u64>,
    /// Scratch for merging lists.
    cursors: Vec<ListCursor>,
}

/// The rest of a list while lists are merged.
#[derive(Clone, Copy, Debug)]
struct ListCursor {
    /// Which of the scene's layers the list is for.
    layers: usize,
    /// The first certified layer of its pairs.
    certified: usize,
    /// The place of the next pair in it.
    next: usize,
    /// The active layers that fire.
    firing: u64,
}

impl ActiveSet {
    /// No pair is active.
    pub fn new(rules: &PairRules) -> Self {
        let list = |layers: &Layers| vec![Vec::new(); layers.deepest() as usize + 2];
        let lists: Vec<_> = rules.all_layers().iter().map(list).collect();
        Self { occupied: vec![0; lists.len()], lists, ..Self::default() }
    }

    /// Takes all pairs out, and keeps the memory of the lists.
    pub fn clear(&mut self) {
        self.lists.iter_mut().flatten().for_each(Vec::clear);
        self.occupied.fill(0);
        self.due_when.clear();
        self.count = 0;
    }

    /// How many pairs are active.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Moves pair number `index` from one first certified layer to another; it has the scene's layers number `layers`, from `first_layer` on.
    pub fn change(&mut self, index: u32, (layers, first_layer): (usize, u32), before: u32, after: u32) {
        if before == after {
            return;
        }
        self.due_when.clear();
        let lists = &mut self.lists[layers];
        if before > first_layer {
            let list = &mut lists[before as usize];
            let place = list.binary_search(&index).expect("an active pair is in its list");
            list.remove(place);
            self.occupied[layers] &= !(u64::from(list.is_empty()) << (before - 2));
            self.count -= 1;
        }
        if after > first_layer {
            let list = &mut lists[after as usize];
            let place = list.binary_search(&index).expect_err("a pair is in one list");
            list.insert(place, index);
            self.occupied[layers] |= 1 << (after - 2);
            self.count += 1;
        }
    }

    /// The next tick after `now` at which an active layer fires.
    pub fn next_tick(&self, rules: &PairRules, now: Tick) -> Option<Tick> {
        let mut next = None;
        for (occupied, layers) in self.occupied.iter().zip(rules.all_layers()) {
            for l in 1..=deepest_active(*occupied) {
                let span = layers.layer(l).span;
                let tick = now.floor(span).after(span);
                next = Some(next.map_or(tick, |n: Tick| n.min(tick)));
            }
        }
        next
    }

    /// Collects the pairs with an active layer that fires at `tick`.
    pub fn collect_due(&mut self, rules: &PairRules, tick: Tick) {
        let lists = self.occupied.iter().zip(rules.all_layers());
        let firing = lists.map(|(occupied, layers)| layers.firing_at(tick, deepest_active(*occupied)));
        // Instant after instant the same pairs fire: they are collected only when something changes.
        if !self.due_when.iter().copied().eq(firing.clone()) {
            self.due.clear();
            self.due_when.clear();
            self.due_when.extend(firing);
            self.merge();
        }
    }

    /// The pairs last collected, in rising order, with their firing layers: layer 1 in the lowest bit.
    #[inline(always)]
    pub fn due(&self) -> &[(u32, u64)] {
        &self.due
    }

    /// Fills `due` from all lists with a layer that fires, in rising order. Lists are few.
    fn merge(&mut self) {
        for (layers, (lists, firing)) in self.lists.iter().zip(&self.due_when).enumerate() {
            for (certified, list) in lists.iter().enumerate().skip(1) {
                let firing = firing & ((1 << (certified - 1)) - 1);
                if !list.is_empty() && firing != 0 {
                    self.cursors.push(ListCursor { layers, certified, next: 0, firing });
                }
            }
        }
        let lists = &self.lists;
        let list = |cursor: &ListCursor| &lists[cursor.layers][cursor.certified][cursor.next..];
        while let Some(first) = (0..self.cursors.len()).min_by_key(|&i| list(&self.cursors[i])[0]) {
            let cursor = &mut self.cursors[first];
            self.due.push((list(cursor)[0], cursor.firing));
            cursor.next += 1;
            if list(cursor).is_empty() {
                self.cursors.swap_remove(first);
            }
        }
    }

    /// All active pairs, in rising order.
    #[expect(clippy::stable_sort_primitive, reason = "it merges lists that are in order")]
    pub fn all(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.lists.iter().flatten().flatten().copied().collect();
        all.sort();
        all
    }
}

/// The deepest active layer of any pair, where these lists have pairs; 0 if none has.
fn deepest_active(occupied: u64) -> u32 {
    u64::BITS - occupied.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pair;
    use crate::testing::{points, scene, sheet};
    use carom_math::Vec3;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn rules() -> PairRules {
        PairRules::with_own_numbers(&scene(&[sheet(0.3), points(&[Vec3::Z], 0.0)], 0.2, 6).0)
    }

    proptest! {
        #[test]
        fn the_active_set_knows_which_pairs_are_active_and_when_they_fire(
            changes in prop::collection::vec((0..64_usize, 0..8_u32, 0..64_u64), 1..60),
        ) {
            let rules = rules();
            let mut pairs = Vec::new();
            rules.for_each(|pair| pairs.push(pair));
            let mut active_set = ActiveSet::new(&rules);
            let mut active: BTreeMap<u32, u32> = BTreeMap::new();
            let spans = |pair: &Pair, from: u32| {
                let layers = rules.layers_of(pair);
                (1..from).map(|l| layers.layer(l).span).collect::<Vec<_>>()
            };
            for (which, deeper, sixty_fourth) in changes {
                let index = which % pairs.len();
                let pair = &pairs[index];
                let layers = rules.layers_of(pair);
                let after = (pair.first_layer + deeper).min(layers.deepest() + 1);
                let before = active.remove(&(index as u32)).unwrap_or(pair.first_layer);
                active_set.change(index as u32, (pair.layers as usize, pair.first_layer), before, after);
                if after > pair.first_layer {
                    active.insert(index as u32, after);
                }
                prop_assert_eq!(active_set.count(), active.len() as u64);
                prop_assert_eq!(active_set.all(), active.keys().copied().collect::<Vec<_>>());

                let now = Tick(sixty_fourth * layers.layer(1).span.quanta() / 64);
                let expected: Vec<(u32, u64)> = active
                    .iter()
                    .map(|(&i, &from)| {
                        let fires = |span: &carom_time::Span| u64::from(now.is_multiple_of(*span));
                        let spans = spans(&pairs[i as usize], from);
                        (i, spans.iter().enumerate().map(|(l, span)| fires(span) << l).sum())
                    })
                    .filter(|(_, firing)| *firing != 0)
                    .collect();
                active_set.collect_due(&rules, now);
                prop_assert_eq!(active_set.due(), &expected);
                let next = active.iter().flat_map(|(&i, &from)| spans(&pairs[i as usize], from));
                let next = next.map(|span| now.floor(span).after(span)).min();
                prop_assert_eq!(active_set.next_tick(&rules, now), next);
            }
        }
    }
}
