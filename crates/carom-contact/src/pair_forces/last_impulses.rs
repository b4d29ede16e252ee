//! The last impulses of layers on each vertex: the lag of contact.
//!
//! A layer pushes once in its step for the whole of it: between two of its ticks the velocities of its vertices are ahead of the
//! motion, or behind. What resists motion at the tick of a faster layer needs to know by how much.

use carom_math::Vec3;
use carom_time::{Span, Tick};

use super::{Firing, PairEvaluation};
use crate::checkpoint::LayerImpulses;
use crate::{Pair, PairRules};

/// For each step of a layer that has pushed: when it last pushed each vertex, and what it gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastImpulses {
    /// Whether they are recorded: only where contact takes energy somewhere.
    is_kept: bool,
    /// Tick and impulse of each vertex by the step of the layer, from the longest to the shortest.
    by_span: Vec<(Span, Vec<(Tick, Vec3)>)>,
    vertices: usize,
    /// Scratch: what the layers of one pair give.
    parts: Vec<(Span, f64)>,
    /// At the current instant: the places of the steps that do not fire, when they last did, and how much of their step has passed, less a half.
    between: Vec<(usize, Tick, f64)>,
}

impl LastImpulses {
    /// No layer has pushed yet.
    pub fn of(rules: &PairRules) -> Self {
        let is_kept = rules.all_layers().iter().any(|layers| !layers.spec().law.is_ideal());
        Self { is_kept, vertices: rules.vertices(), ..Self::default() }
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
                let place = self.place(*span);
                self.add(place, tick.floor(*span), rules.renumbered(name), impulse);
            }
        }
    }

    /// Whether they are recorded: only where contact takes energy somewhere.
    #[inline(always)]
    pub fn is_kept(&self) -> bool {
        self.is_kept
    }

    /// Records which of the firing layers gave how much of the impulses of a pair.
    pub fn record(
        &mut self,
        rules: &PairRules,
        pair: &Pair,
        (&Firing { tick, fraction, .. }, layers): (&Firing, u64),
        evaluation: &PairEvaluation,
    ) {
        let fires = |l: u32| layers >> (l - 1) & 1 == 1;
        let mut parts = core::mem::take(&mut self.parts);
        parts.clear();
        parts.extend(rules.layers_of(pair).parts(pair.first_layer, evaluation.distance, fires));
        let whole: f64 = parts.iter().map(|(_, part)| part).sum();
        for &(span, part) in parts.iter().filter(|_| whole > 0.0) {
            let (place, share) = (self.place(span), part / (whole * fraction));
            for (&v, impulse) in pair.stencil().iter().zip(&evaluation.impulses) {
                self.add(place, tick, v, impulse.xyz() * share);
            }
        }
        self.parts = parts;
    }

    /// Ends the records of the instant at `tick`.
    pub fn end_recording(&mut self, tick: Tick) {
        self.between.clear();
        for (place, (span, _)) in self.by_span.iter().enumerate() {
            let fired = tick.floor(*span);
            if fired != tick {
                self.between.push((place, fired, (tick.0 - fired.0) as f64 / span.quanta() as f64 - 0.5));
            }
        }
    }

    /// The place of a step.
    fn place(&mut self, span: Span) -> usize {
        self.by_span.binary_search_by(|(s, _)| span.cmp(s)).unwrap_or_else(|place| {
            self.by_span.insert(place, (span, vec![(Tick::START, Vec3::ZERO); self.vertices]));
            place
        })
    }

    /// Adds what layers whose step is at `place` give to vertex `v` at `tick`, in N·s.
    #[inline]
    fn add(&mut self, place: usize, tick: Tick, v: u32, impulse: Vec3) {
        let (when, sum) = &mut self.by_span[place].1[v as usize];
        *sum = if *when == tick { *sum + impulse } else { impulse };
        *when = tick;
    }

    /// What layers that do not fire at the instant that was ended have yet to give vertex `v`, or gave too early, in N·s.
    #[must_use]
    pub fn pending_impulse(&self, v: u32) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for &(place, fired, part) in &self.between {
            let (when, impulse) = self.by_span[place].1[v as usize];
            if when == fired {
                sum += impulse * part;
            }
        }
        sum
    }
}
