//! Ξ: the times at which something fires.
//!
//! Ξ = ∪ᵢ { j·hⁱ : j ≥ 1 } [Vouga2010, §4]. [`Instants`] iterates over it in order and gives, for each instant, which of a sorted list of distinct
//! spans fire there. Power-of-two spans need no
//! queue: at tick k those with 2ʳ | k fire, a prefix of the list. Other spans wait in a heap of
//! one entry per distinct span.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{Span, Tick};

/// Iterates over the instants of a set of clocks in order.
#[derive(Clone, Debug)]
pub struct Instants {
    spans: Vec<Span>,
    now: Tick,
    queue: Queue,
    /// Indices into `spans` of the clocks that fire now, ascending.
    firing: Vec<usize>,
}

#[derive(Clone, Debug)]
enum Queue {
    /// Every span is a power of two: trailing zeros decide.
    Dyadic,
    /// One entry per distinct span: (next tick, index).
    Heap(BinaryHeap<Reverse<(Tick, usize)>>),
}

impl Instants {
    /// The instants after `now` of clocks with these distinct `spans`, sorted from short to long.
    ///
    /// # Panics
    /// If `spans` is not strictly ascending.
    #[must_use]
    pub fn new(spans: &[Span], now: Tick) -> Self {
        assert!(spans.is_sorted_by(|a, b| a < b), "spans are distinct and sorted from short to long");
        let queue = if spans.iter().all(|span| span.quanta().is_power_of_two()) {
            Queue::Dyadic
        } else {
            let next = |(i, span): (usize, &Span)| Reverse((now.floor(*span).after(*span), i));
            Queue::Heap(spans.iter().enumerate().map(next).collect())
        };
        Self { spans: spans.to_vec(), now, queue, firing: Vec::with_capacity(spans.len()) }
    }

    /// The next instant, if it is not after `end`, and the indices of the spans that fire there, ascending.
    pub fn next_until(&mut self, end: Tick) -> Option<(Tick, &[usize])> {
        let next = self.peek()?;
        if next > end {
            return None;
        }
        self.now = next;
        self.firing.clear();
        match &mut self.queue {
            Queue::Dyadic => {
                let zeros = next.0.trailing_zeros();
                let fires =
                    self.spans.iter().take_while(|span| span.quanta().trailing_zeros() <= zeros).count();
                self.firing.extend(0..fires);
            }
            Queue::Heap(heap) => {
                while let Some(mut top) = heap.peek_mut() {
                    let Reverse((tick, i)) = *top;
                    if tick != next {
                        break;
                    }
                    self.firing.push(i);
                    *top = Reverse((tick.after(self.spans[i]), i));
                }
                self.firing.sort_unstable();
            }
        }
        Some((next, &self.firing))
    }

    /// The next instant, without going there.
    #[must_use]
    pub fn peek(&self) -> Option<Tick> {
        match &self.queue {
            Queue::Dyadic => self.spans.first().map(|&fastest| self.now.floor(fastest).after(fastest)),
            Queue::Heap(heap) => heap.peek().map(|Reverse((tick, _))| *tick),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The definition, with no cleverness: every multiple of every span.
    fn brute_force(spans: &[Span], from: Tick, end: Tick) -> Vec<(Tick, Vec<usize>)> {
        let all: BTreeSet<u64> = spans
            .iter()
            .flat_map(|s| (1..).map(|j| j * s.quanta()).take_while(|t| *t <= end.0))
            .filter(|t| *t > from.0)
            .collect();
        let firing = |t: u64| (0..spans.len()).filter(|i| Tick(t).is_multiple_of(spans[*i])).collect();
        all.into_iter().map(|t| (Tick(t), firing(t))).collect()
    }

    fn walk(spans: &[Span], from: Tick, end: Tick) -> Vec<(Tick, Vec<usize>)> {
        let mut instants = Instants::new(spans, from);
        let mut all = Vec::new();
        while let Some((tick, firing)) = instants.next_until(end) {
            all.push((tick, firing.to_vec()));
        }
        all
    }

    proptest! {
        #[test]
        fn exact_clocks_walk_the_union_of_multiples(
            quanta in prop::collection::btree_set(1_u64..60, 1..6), from in 0_u64..200, length in 0_u64..400,
        ) {
            let spans: Vec<Span> = quanta.into_iter().map(|q| Span::new(q).unwrap()).collect();
            let (from, end) = (Tick(from), Tick(from + length));
            prop_assert_eq!(walk(&spans, from, end), brute_force(&spans, from, end));
        }

        #[test]
        fn dyadic_clocks_walk_the_union_of_multiples(
            rungs in prop::collection::btree_set(0_u32..8, 1..6), from in 0_u64..200, length in 0_u64..400,
        ) {
            let spans: Vec<Span> = rungs.into_iter().map(|r| Span::new(1 << r).unwrap()).collect();
            let (from, end) = (Tick(from), Tick(from + length));
            prop_assert_eq!(walk(&spans, from, end), brute_force(&spans, from, end));
        }
    }

    #[test]
    fn without_clocks_nothing_ever_fires() {
        assert_eq!(Instants::new(&[], Tick::START).peek(), None);
    }
}
