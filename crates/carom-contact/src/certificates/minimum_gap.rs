//! The minimum gap test: which pairs no layer can hold apart.
//!
//! Part of the contract, so the same for every certifier: after the kicks of an instant, a pair is tested if one
//! of its vertices was kicked there, or if the instant is a multiple of the test's span (the shortest step of any layer
//! or element). It fails if its distance d
//!
//! | [`FailureReason::Deepest`] | is not above the thickness of the layer below the deepest |
//! | [`FailureReason::TooFast`] | is not above `c·Δt`: c the largest relative speed of its vertices, Δt the time to the span's next multiple |
//!
//! A pair that passes is apart until the span's next multiple, or until one of its vertices is kicked before; then it is
//! tested again. So a run without a [`SeparationFailure`] has no crossing at any real time.

use carom_model::{PairId, System};
use carom_time::{Quantum, Span, Tick};

use crate::{Motion, Pair, PairRules};

/// The test and its clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MinimumGapTest {
    /// The shortest step of any layer or element.
    pub span: Span,
    quantum: Quantum,
}

/// Why a pair cannot be held apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureReason {
    /// It is deeper than the deepest layer.
    Deepest,
    /// It could touch before it is tested again.
    TooFast,
}

/// A pair that cannot be held apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparationFailure {
    /// Which.
    pub pair: PairId,
    /// When.
    pub tick: Tick,
    /// Distance between the surfaces, in m.
    pub distance: f64,
    /// Layers it is in.
    pub layer: u32,
    /// Energy of the pair, in J.
    pub energy_j: f64,
    /// Why.
    pub why: FailureReason,
}

impl MinimumGapTest {
    /// The test of the pairs of `system`.
    #[must_use]
    pub fn new(system: &System, rules: &PairRules) -> Self {
        let layers = rules.all_layers().iter().map(|layers| layers.layer(layers.deepest()).span);
        let span = layers.chain(system.spans()).min().unwrap_or(Span::ONE);
        Self { span, quantum: system.line.quantum }
    }

    /// The next multiple of the span after `tick`.
    #[inline]
    #[must_use]
    pub fn next(&self, tick: Tick) -> Tick {
        tick.floor(self.span).after(self.span)
    }

    /// From `tick` to the next multiple of the span, in s.
    #[inline]
    #[must_use]
    pub fn seconds_to_next(&self, tick: Tick) -> f64 {
        self.quantum.seconds_between(tick, self.next(tick))
    }

    /// Tests a pair after the kicks of `tick`, if it is due there: a certifier that asks at other instants must not see more.
    /// Soft spheres may be pressed into each other: they pass.
    pub fn test(
        &self,
        rules: &PairRules,
        pair: &Pair,
        tick: Tick,
        motion: &Motion,
    ) -> Result<(), SeparationFailure> {
        let kicked = || pair.stencil().iter().any(|v| motion.kicked_at[*v as usize] == tick);
        let layers = rules.layers_of(pair);
        if layers.is_soft() || !tick.is_multiple_of(self.span) && !kicked() {
            return Ok(());
        }
        let x = PairRules::positions(pair, |v| motion.position_at(v, tick));
        let at = pair.measure(&x);
        let mut fastest_sq: f64 = 0.0;
        let (first, second) = pair.stencil().split_at(pair.first_primitive());
        for &a in first {
            for &b in second {
                let closing = motion.velocities[a as usize] - motion.velocities[b as usize];
                fastest_sq = fastest_sq.max(closing.length_sq());
            }
        }
        let deepest = at.distance <= layers.minimum_gap();
        let why = if deepest { FailureReason::Deepest } else { FailureReason::TooFast };
        if !deepest && at.distance > fastest_sq.sqrt() * self.seconds_to_next(tick) {
            return Ok(());
        }
        let layer = layers.depth_at(at.distance);
        let energy_j = pair.energy(layers, &x, &at);
        Err(SeparationFailure { pair: pair.id, tick, distance: at.distance, layer, energy_j, why })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points, scene};
    use carom_math::Vec3;
    use carom_model::PairKind;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_pair_passes_where_it_stays_apart_until_the_next_multiple_of_the_span(
            gap in 0.0..0.5f64, closing in 0.0..2e4f64, late in 0_u64..1000, radius in 0.01..0.2f64,
        ) {
            let ends = [Vec3::ZERO, Vec3::X * (gap + 2.0 * radius)];
            let (system, mut state) = scene(&[points(&ends, radius)], 0.4, 5);
            let rules = PairRules::with_own_numbers(&system);
            let gap_test = MinimumGapTest::new(&system, &rules);
            let tick = Tick(gap_test.span.quanta() * late / 1000);
            state.velocities = vec![Vec3::X * (0.5 * closing), Vec3::X * (-0.5 * closing)];
            state.kicked_at = vec![tick; 2];
            let id = PairId { kind: PairKind::VertexVertex, a: 0, b: 1 };
            // Points of one body that are near at rest drop layers: here they are as near as they can be.
            let pair = Pair { first_layer: 1, ..rules.incomplete(id).unwrap() };
            let outcome = gap_test.test(&rules, &pair, tick, &Motion::of(&state));
            let layers = rules.layers_of(&pair);
            let left = gap - closing * gap_test.seconds_to_next(tick);
            prop_assume!(left.abs() > 1e-9 && (gap - layers.minimum_gap()).abs() > 1e-9);
            let why = if gap < layers.minimum_gap() {
                Some(FailureReason::Deepest)
            } else {
                (left < 0.0).then_some(FailureReason::TooFast)
            };
            prop_assert_eq!(outcome.err().map(|failure| failure.why), why);
            if let Err(failure) = outcome {
                prop_assert_eq!((failure.pair, failure.tick, failure.layer), (id, tick, layers.depth_at(gap)));
            }
        }
    }

    #[test]
    fn the_test_has_the_step_of_the_deepest_layer() {
        let (system, _) = scene(&[points(&[Vec3::ZERO, Vec3::X], 0.0)], 0.1, 5);
        let rules = PairRules::with_own_numbers(&system);
        let gap_test = MinimumGapTest::new(&system, &rules);
        assert_eq!(gap_test.span, rules.all_layers()[0].layer(5).span);
        let late = Tick(3 * gap_test.span.quanta() + 1);
        assert_eq!(gap_test.next(late), Tick(4 * gap_test.span.quanta()));
        assert_eq!(gap_test.next(gap_test.next(late)), Tick(5 * gap_test.span.quanta()));
    }
}
