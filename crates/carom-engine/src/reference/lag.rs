//! How far velocities are ahead of the motion.
//!
//! A kick of step h stands for the impulse of the interval h around it. A time θh after its last kick, a potential has given hF, of which only
//! (θ + ½)hF is due: it has yet to give `(θ − ½) hF`, or gave that much too early. What resists motion takes its impulse times the velocity of the
//! *motion*, so this lag, divided by the mass, is added to velocities before work is booked.
//!
//! | potentials of elements | F from the last kick of all potentials of one family and step together, on each vertex; known where anything resists |
//! | layers of contact | F from the last kick of all layers of one step together, on each vertex, if they pushed it at the last multiple of that step; known where contact takes energy |
//!
//! A pair shares its impulse among its layers that fired in the ratio of `h_l F_l`. The lags are added in this order: families in their order, their steps
//! from short to long; and apart from these, layers from long steps to short.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use carom_contact::LayerImpulses;
use carom_math::Vec3;
use carom_model::System;
use carom_time::{Span, Tick};

use super::impulses::Impulses;
use super::layers::Layers;
use super::pairs::Pair;
use crate::Checkpoint;
use crate::checkpoint::LastKicks;

/// The last kicks on each vertex.
pub(super) struct Lag {
    /// By family, then by step from short to long: what the last kick gave to each vertex, in N·s. Empty if nothing resists.
    elements: Vec<((usize, Span), Vec<Vec3>)>,
    /// The sums of all vertices before the family and step that is firing, in N·s.
    before: Vec<Vec3>,
    /// By step, from long to short: when its layers last pushed each vertex, and what they gave, in N·s.
    layers: BTreeMap<Reverse<Span>, Vec<(Tick, Vec3)>>,
    is_lossy: bool,
}

impl Lag {
    /// As it was at a checkpoint.
    pub fn new(system: &System, from: &Checkpoint) -> Self {
        let vertices = system.vertices();
        let contact = system.contact.iter().flat_map(|contact| &contact.layers);
        let is_lossy = contact.into_iter().any(|spec| !spec.law.is_ideal());
        let mut elements = Vec::new();
        if is_lossy || system.is_damped {
            for (family, schedule) in system.schedules.iter().enumerate() {
                for rung in &schedule.rungs {
                    elements.push(((family, rung.span), vec![Vec3::ZERO; vertices]));
                }
            }
        }
        for LastKicks { family, span, impulses } in &from.last_kicks {
            let Some((_, last)) = elements.iter_mut().find(|(of, _)| *of == (*family, *span)) else {
                continue;
            };
            for &(v, impulse) in impulses {
                last[v as usize] = impulse;
            }
        }
        let mut layers = BTreeMap::new();
        for LayerImpulses { span, impulses } in &from.contact.layer_impulses {
            let mut last = vec![(Tick::START, Vec3::ZERO); vertices];
            for &(v, impulse) in impulses {
                last[v as usize] = (from.tick.floor(*span), impulse);
            }
            layers.insert(Reverse(*span), last);
        }
        Self { elements, before: vec![Vec3::ZERO; vertices], layers, is_lossy }
    }

    /// The last kicks of elements, for a checkpoint.
    pub fn save_elements(&self) -> Vec<LastKicks> {
        let mut saved = Vec::new();
        for ((family, span), last) in &self.elements {
            let given = (0..).zip(last).filter(|(_, impulse)| !impulse.is_zero());
            let impulses: Vec<(u32, Vec3)> = given.map(|(v, impulse)| (v, *impulse)).collect();
            if !impulses.is_empty() {
                saved.push(LastKicks { family: *family, span: *span, impulses });
            }
        }
        saved
    }

    /// The last impulses of layers that still count after `tick`, for a checkpoint.
    pub fn save_layers(&self, tick: Tick) -> Vec<LayerImpulses> {
        let mut saved = Vec::new();
        for (Reverse(span), last) in self.layers.iter().rev() {
            let counts =
                |(_, (when, given)): &(u32, &(Tick, Vec3))| *when == tick.floor(*span) && !given.is_zero();
            let impulses: Vec<(u32, Vec3)> =
                (0..).zip(last).filter(counts).map(|(v, (_, given))| (v, *given)).collect();
            if !impulses.is_empty() {
                saved.push(LayerImpulses { span: *span, impulses });
            }
        }
        saved
    }

    /// An instant begins: nothing has been added.
    pub fn begin(&mut self) {
        self.before.fill(Vec3::ZERO);
    }

    /// Takes down what the potentials of a family and step, the last ones that were added, gave with `fraction` of their step.
    pub fn note_elements(&mut self, clock: (usize, Span), fraction: f64, impulses: &Impulses) {
        let Some((_, last)) = self.elements.iter_mut().find(|(of, _)| *of == clock) else { return };
        for (v, last) in last.iter_mut().enumerate() {
            let sum = impulses.sum(v);
            *last = (sum - self.before[v]) * (1.0 / fraction);
            self.before[v] = sum;
        }
    }

    /// Takes down which layers of a pair gave how much of its impulses at `tick`, with `fraction` of their steps.
    pub fn note_pair(
        &mut self,
        (pair, impulses): (&Pair, &[Vec3]),
        layers: &Layers,
        distance_m: f64,
        (tick, fraction): (Tick, f64),
    ) {
        if !self.is_lossy {
            return;
        }
        let parts = layers.parts(pair.first_layer, distance_m, tick);
        let whole: f64 = parts.iter().map(|(_, part)| part).sum();
        if whole <= 0.0 {
            return;
        }
        for (span, part) in parts {
            let none = || vec![(Tick::START, Vec3::ZERO); self.before.len()];
            let last = self.layers.entry(Reverse(span)).or_insert_with(none);
            for (&v, &impulse) in pair.vertices.iter().zip(impulses) {
                let given = impulse * (part / (whole * fraction));
                let (when, sum) = &mut last[v as usize];
                *sum = if *when == tick { *sum + given } else { given };
                *when = tick;
            }
        }
    }

    /// What potentials and layers that do not fire at `tick` have yet to give vertex `v`, in N·s; negative if they gave it too early.
    pub fn pending_impulse(&self, v: usize, tick: Tick) -> Vec3 {
        let theta_less_half = |past: Tick, span: Span| (tick.0 - past.0) as f64 / span.quanta() as f64 - 0.5;
        let mut by_elements = Vec3::ZERO;
        for ((_, span), last) in &self.elements {
            let past = tick.floor(*span);
            if past != tick {
                by_elements += last[v] * theta_less_half(past, *span);
            }
        }
        let mut by_layers = Vec3::ZERO;
        for (Reverse(span), last) in &self.layers {
            let (when, given) = last[v];
            if when != tick && when == tick.floor(*span) {
                by_layers += given * theta_less_half(when, *span);
            }
        }
        by_elements + by_layers
    }
}
