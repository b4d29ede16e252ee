//! What is recorded of pairs that push: counts, smallest distances, and what became of contact between bodies.

use core::cmp::Ordering;

use carom_math::{F64x4, Vec3};
use carom_model::ImpulseSums;

use super::{Firing, PairEvaluation, sum};
use crate::touch::{ContactEvent, Touches};
use crate::{Motion, Pair, PairRules};

/// What was recorded of pairs that push.
#[derive(Clone, Debug)]
pub(crate) struct ContactStats {
    /// Gradients of pairs computed, a pair once per instant.
    pub evaluations: u64,
    /// The deepest layer that pushed.
    pub deepest_layer: u32,
    /// Smallest distance at a kick, in m; infinite if nothing came within its layers.
    pub smallest_distance: f64,
    /// Smallest distance of a pair that pushed at the last instant, in m; infinite if none did.
    pub nearest_push: f64,
    /// Bodies that touched.
    pub touches: Touches,
}

impl Default for ContactStats {
    fn default() -> Self {
        Self {
            evaluations: 0,
            deepest_layer: 0,
            smallest_distance: f64::INFINITY,
            nearest_push: f64::INFINITY,
            touches: Touches::default(),
        }
    }
}

impl ContactStats {
    /// No pair has pushed at the next instant yet.
    pub fn begin_instant(&mut self) {
        self.nearest_push = f64::INFINITY;
    }

    /// Records the impulses of one pair; across the border of a periodic box, their couple goes on the ledger of `kicks`.
    #[inline]
    pub(super) fn record(
        &mut self,
        rules: &PairRules,
        pair: &Pair,
        evaluation: &PairEvaluation,
        on_first: Vec3,
        firing: &Firing,
        kicks: &mut ImpulseSums,
    ) {
        let layers = rules.layers_of(pair);
        let layer = layers.depth_at(evaluation.distance);
        let bodies @ [a, b] = pair.bodies;
        if !pair.period.is_zero() {
            let x = PairRules::positions(pair, |v| firing.motion.position_at(v, firing.tick));
            kicks.external.fields.add_couple(pair.couple(&x, &evaluation.impulses.map(F64x4::xyz)));
        }
        // Of soft spheres too, the distance of hard surfaces is what counts.
        let soft = layers.is_soft();
        let centres = evaluation.separation_length();
        let distance = if soft { centres - rules.hard_radius(pair.id) } else { evaluation.distance };
        self.smallest_distance = self.smallest_distance.min(distance);
        self.nearest_push = self.nearest_push.min(evaluation.distance);
        self.deepest_layer = self.deepest_layer.max(layer);
        let impulse = match a.cmp(&b) {
            Ordering::Less => on_first,
            Ordering::Equal => Vec3::ZERO,
            Ordering::Greater => sum(&evaluation.impulses[pair.first_primitive()..]),
        };
        let outermost = layers.layer(1);
        let crossing = closing_speed(pair, evaluation, firing.motion) * outermost.step_s;
        let event = ContactEvent {
            tick: firing.tick,
            longest: outermost.span,
            impulse,
            distance,
            layer,
            kicks: if soft { f64::INFINITY } else { layers.band(1) / crossing },
            virial: on_first.dot(evaluation.separation()),
            meeting: rules.tells_of_meetings(pair.id, bodies).then_some((pair.id, centres)),
        };
        self.touches.book([a.min(b), a.max(b)], &event);
    }
}

/// How fast the nearest points of a pair close, in m/s; negative if they separate.
fn closing_speed(pair: &Pair, evaluation: &PairEvaluation, motion: &Motion) -> f64 {
    let vertices = pair.stencil().iter().zip(evaluation.weights.to_array());
    let apart = vertices.fold(Vec3::ZERO, |sum, (&v, w)| sum + motion.velocities[v as usize] * w);
    -apart.dot(evaluation.separation()) / evaluation.separation_length()
}
