//! The last impulses of layers on each vertex: the lag of contact.
//!
//! A layer pushes once in its step for the whole of it: between two of its ticks the velocities of its vertices are ahead of the
//! motion, or behind. What resists motion at the tick of a faster layer needs to know by how much.

use carom_math::Vec3;
use carom_time::{Span, Tick};

use super::Firing;
use crate::checkpoint::LayerImpulses;
use crate::{Pair, PairRules};

/// For each step of a layer that has pushed: when it last pushed each vertex, and what it gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastImpulses {
    /// Whether they are recorded: only where contact takes energy somewhere.
    is_kept: bool,
    /// Tick and impulse of each vertex by the step of the layer, from the longest to the shortest.
    by_span: Vec<(Span, Vec<(Tick, Vec3)>)>,
}

impl LastImpulses {
    /// No layer has pushed yet.
    pub fn of(rules: &PairRules) -> Self {
        let is_kept = rules.all_layers().iter().any(|layers| !layers.spec().law.is_ideal());
        Self { is_kept, by_span: Vec::new() }
    }

    /// What still counts after `tick`, by step from short to long, with vertices in the numbering of the system.
    pub fn save(&self, rules: &PairRules, tick: Tick) -> Vec<LayerImpulses> {
        let own: Vec<(u32, u32)> = (0..rules.vertices() as u32).map(|v| (v, rules.renumbered(v))).collect();
        let saved = self.by_span.iter().rev().map(|(span, last)| {
            let fired = tick.floor(*span);
            let push = |&(name, v): &(u32, u32)| {
                let &(when, impulse) = last.get(v as usize)?;
                (when == fired && !impulse.is_zero()).then_some((name, impulse))
            };
            LayerImpulses { span: *span, impulses: own.iter().filter_map(push).collect() }
        });
        saved.filter(|saved| !saved.impulses.is_empty()).collect()
    }

    /// What layers gave until `tick`, as it was saved.
    pub fn restore(&mut self, rules: &PairRules, tick: Tick, saved: &[LayerImpulses]) {
        for LayerImpulses { span, impulses } in saved {
            for &(name, impulse) in impulses {
                self.add(*span, tick.floor(*span), rules.renumbered(name), impulse);
            }
        }
    }

    /// Whether they are recorded: only where contact takes energy somewhere.
    #[inline(always)]
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Records which of the firing layers gave how much of the impulses of a pair at this distance, in m.
    pub fn record(
        &mut self,
        rules: &PairRules,
        pair: &Pair,
        (&Firing { tick, fraction, .. }, layers): (&Firing, u64),
        distance: f64,
        impulses: &[Vec3; 4],
    ) {
        let fires = |l: u32| layers >> (l - 1) & 1 == 1;
        let parts = || rules.layers_of(pair).parts(pair.first_layer, distance, fires);
        let whole: f64 = parts().map(|(_, part)| part).sum();
        for (span, part) in parts().filter(|_| whole > 0.0) {
            for (&v, impulse) in pair.stencil().iter().zip(impulses) {
                self.add(span, tick, v, *impulse * (part / (whole * fraction)));
            }
        }
    }

    /// Adds what layers of step `span` give to vertex `v` at `tick`, in N·s.
    fn add(&mut self, span: Span, tick: Tick, v: u32, impulse: Vec3) {
        let place = self.by_span.binary_search_by(|(s, _)| span.cmp(s)).unwrap_or_else(|place| {
            self.by_span.insert(place, (span, Vec::new()));
            place
        });
        let last = &mut self.by_span[place].1;
        if last.len() <= v as usize {
            last.resize(v as usize + 1, (Tick::START, Vec3::ZERO));
        }
        let (when, sum) = &mut last[v as usize];
        *sum = if *when == tick { *sum + impulse } else { impulse };
        *when = tick;
    }

    /// What layers that do not fire at `tick` have yet to give vertex `v`, or gave too early, in N·s.
    pub fn pending_impulse(&self, v: u32, tick: Tick) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (span, last) in &self.by_span {
            let fired = tick.floor(*span);
            if fired == tick {
                continue;
            }
            if let Some(&(when, impulse)) = last.get(v as usize).filter(|(when, _)| *when == fired) {
                sum += impulse * ((tick.0 - when.0) as f64 / span.quanta() as f64 - 0.5);
            }
        }
        sum
    }
}
