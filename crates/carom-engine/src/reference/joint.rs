//! Where the steps of a run change.
//!
//! A potential whose step changes from h to h′ at tick T has given the velocities more or less than the motion up to T asks for; with
//! `s = T − ⌊T/h⌋h − h/2` and s′ likewise, they change once, by
//!
//! `v ← v + M⁻¹ Σ F(q(T)) (s − s′)`
//!
//! over the potentials whose steps change, in the order of the old ids. The synchronised velocity stays what it was, and where T is a multiple of both steps the sum of
//! this and the kicks before and after is `(h + h′)/2`, the variational rule for steps that differ. What was recorded of last kicks becomes what the new clocks would have given
//! at T. This happens a few times in a run at most: every engine takes it from here.

use std::collections::BTreeMap;
use std::sync::Arc;

use carom_contact::LayerImpulses;
use carom_math::Vec3;
use carom_model::{LayerSpec, PairKind, System};
use carom_time::{Span, Tick};

use super::impulses::Impulses;
use super::layers::Layers;
use super::pairs::Pair;
use super::{external, near, push};
use crate::checkpoint::LastKicks;
use crate::{Checkpoint, Reader};

/// A run of `from` that goes on with the steps of `to`, which has the same potentials.
pub(crate) fn joint(from: &Arc<System>, to: &Arc<System>, at: &Checkpoint) -> Checkpoint {
    let mut joint = Joint {
        from,
        to,
        tick: at.tick,
        x: (0..at.state.len()).map(|v| at.state.position_at(v, at.tick)).collect(),
        impulses: Impulses::new(at.state.len()),
        changed: at.clone(),
    };
    joint.add_elements();
    joint.add_pairs();
    joint.kick();
    let mut changed = joint.changed;
    // Work is booked with the velocities before and after a kick, and read with synchronised ones: what is booked here keeps the reading.
    let [before, after] = [(from, at), (to, &changed)].map(|(system, checkpoint)| {
        let (_, of_sync) = Reader::new(system).synchronised(&checkpoint.state, checkpoint.tick);
        of_sync.work.value()
    });
    changed.external.work.add(before - after);
    changed
}

struct Joint<'a> {
    from: &'a System,
    to: &'a System,
    tick: Tick,
    /// Where every vertex is, in m.
    x: Vec<Vec3>,
    impulses: Impulses,
    changed: Checkpoint,
}

impl Joint<'_> {
    /// `s − s′` of a step that changes, in s.
    fn weight_s(&self, old: Span, new: Span) -> f64 {
        let quantum = self.from.line.quantum;
        let ahead =
            |span: Span| quantum.seconds_between(self.tick.floor(span), self.tick) - 0.5 * quantum.step(span);
        ahead(old) - ahead(new)
    }

    /// The forces of an element on its vertices, in N, which are at the places returned with them.
    fn forces(&self, f: usize, element: usize) -> (Vec<Vec3>, Vec<Vec3>) {
        let family = &self.from.families[f];
        let x: Vec<Vec3> = family.stencil(element).iter().map(|v| self.x[*v as usize]).collect();
        let mut gradient = vec![Vec3::ZERO; x.len()];
        family.gradient_at(element, self.from.line.quantum.time(self.tick), &x, &mut gradient);
        (gradient.iter().map(|g| *g * -1.0).collect(), x)
    }

    /// Adds the impulses of elements whose steps change, and renews what is recorded of their families.
    fn add_elements(&mut self) {
        for f in 0..self.from.families.len() {
            let (old, new) = (&self.from.schedules[f], &self.to.schedules[f]);
            if old.spans == new.spans {
                continue;
            }
            let family = &self.from.families[f];
            let changes = |e: &&u32| old.spans[**e as usize] != new.spans[**e as usize];
            for &e in old.order.iter().filter(changes) {
                let e = e as usize;
                let weight_s = self.weight_s(old.spans[e], new.spans[e]);
                let (forces, x) = self.forces(f, e);
                let impulses: Vec<Vec3> = forces.iter().map(|force| *force * weight_s).collect();
                for (&v, &impulse) in family.stencil(e).iter().zip(&impulses) {
                    self.impulses.add(v, impulse);
                }
                external::element(&mut self.changed.external, family.as_ref(), e, (&x, &impulses));
            }
            self.renew_last_kicks(f);
        }
    }

    /// What the potentials of a family would have given with their new steps, where that is recorded.
    fn renew_last_kicks(&mut self, f: usize) {
        if !is_recorded(self.to) {
            return;
        }
        let (family, schedule) = (&self.to.families[f], &self.to.schedules[f]);
        let mut renewed = Vec::new();
        for rung in &schedule.rungs {
            let step_s = self.to.line.quantum.step(rung.span);
            let mut sums: BTreeMap<u32, Vec3> = BTreeMap::new();
            for &e in &schedule.order[rung.places.clone()] {
                let (forces, _) = self.forces(f, e as usize);
                for (&v, force) in family.stencil(e as usize).iter().zip(forces) {
                    *sums.entry(v).or_default() += force * step_s;
                }
            }
            let impulses: Vec<(u32, Vec3)> = sums.into_iter().filter(|(_, j)| !j.is_zero()).collect();
            if !impulses.is_empty() {
                renewed.push(LastKicks { family: f, span: rung.span, impulses });
            }
        }
        let kicks = &mut self.changed.last_kicks;
        kicks.retain(|kicks| kicks.family != f);
        let place = kicks.partition_point(|kicks| kicks.family < f);
        kicks.splice(place..place, renewed);
    }

    /// Adds the impulses of pairs whose layers change their steps, and renews what is recorded of layers.
    fn add_pairs(&mut self) {
        let (Some(old), Some(new)) = (&self.from.contact, &self.to.contact) else { return };
        if old == new {
            return;
        }
        let quantum = self.from.line.quantum;
        let made = |specs: &[LayerSpec]| -> Vec<Layers> {
            specs.iter().map(|spec| Layers::new(spec, old.max_layers, quantum)).collect()
        };
        let (before, after) = (made(&old.layers), made(&new.layers));
        let mut by_span: BTreeMap<Span, BTreeMap<u32, Vec3>> = BTreeMap::new();
        for pair in near::near_pairs(self.from, old, &before, &self.x) {
            let [a, b] = pair.bodies;
            let then = match pair.id.kind {
                PairKind::Soft => new.soft_layers_between(a, b).expect("soft spheres stay soft"),
                _ => new.layers_between(a, b),
            };
            let (before, after) = (&before[pair.layers], &after[then as usize]);
            let at = pair.nearest(&self.x);
            if before.spec != after.spec {
                let spans = before.list.iter().zip(&after.list);
                let weights: Vec<f64> = spans.map(|(b, a)| self.weight_s(b.span, a.span)).collect();
                let sums = before.weighted(pair.first_layer, at.distance_m, &weights);
                let impulses = push::impulses_of(&pair, &at, &self.x, sums).unwrap_or_default();
                for (&v, &impulse) in pair.vertices.iter().zip(&impulses) {
                    self.impulses.add(v, impulse);
                }
                if let Some(&on_first) = impulses.first().filter(|_| pair.is_periodic()) {
                    external::across_the_border(&mut self.changed.external, at.periods, on_first);
                }
            }
            self.renew_layer_impulses(&pair, after, at.distance_m, &mut by_span);
        }
        if new.layers.iter().any(|spec| !spec.law.is_ideal()) {
            let renewed = by_span.into_iter().map(|(span, impulses)| LayerImpulses {
                span,
                impulses: impulses.into_iter().filter(|(_, j)| !j.is_zero()).collect(),
            });
            self.changed.contact.layer_impulses = renewed.filter(|p| !p.impulses.is_empty()).collect();
        }
    }

    /// Adds what each layer of a pair would have given with its new step.
    fn renew_layer_impulses(
        &self,
        pair: &Pair,
        layers: &Layers,
        distance_m: f64,
        by_span: &mut BTreeMap<Span, BTreeMap<u32, Vec3>>,
    ) {
        let at = pair.nearest(&self.x);
        let steps_s: Vec<f64> = layers.list.iter().map(|layer| layer.step_s).collect();
        let sums = layers.weighted(pair.first_layer, distance_m, &steps_s);
        let Some(impulses) = push::impulses_of(pair, &at, &self.x, sums) else { return };
        // At tick 0 every layer fires.
        let parts = layers.parts(pair.first_layer, distance_m, Tick::START);
        let whole: f64 = parts.iter().map(|(_, part)| part).sum();
        for (span, part) in parts.into_iter().filter(|_| whole > 0.0) {
            let of_span = by_span.entry(span).or_default();
            for (&v, &impulse) in pair.vertices.iter().zip(&impulses) {
                *of_span.entry(v).or_default() += impulse * (part / whole);
            }
        }
    }

    /// Changes the velocity of every vertex concerned, once.
    fn kick(&mut self) {
        let (state, external) = (&mut self.changed.state, &mut self.changed.external);
        for v in 0..state.len() {
            let Some(sum) = self.impulses.take(v) else { continue };
            state.positions[v] = self.x[v];
            state.velocities[v] += sum.scaled_by(self.from.inverse_masses[v]);
            state.kicked_at[v] = self.tick;
            if self.from.is_pinned(v) {
                external::hold(external, self.from, v, self.x[v], sum);
            }
        }
    }
}

/// Whether last kicks are recorded: where something resists motion.
fn is_recorded(system: &System) -> bool {
    let mut layers = system.contact.iter().flat_map(|contact| &contact.layers);
    system.is_damped || layers.any(|spec| !spec.law.is_ideal())
}
