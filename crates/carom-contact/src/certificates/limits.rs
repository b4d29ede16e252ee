//! Limits of motion that are constant in a run.

use carom_model::System;
use carom_time::{Quantum, Span};

use super::OUTWARD;
use crate::{Layers, MinimumGapTest, PairRules};

/// Limits of motion that are constant in a run.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The test of pairs without a certificate.
    pub gap_test: MinimumGapTest,
    /// The step of that test, in s.
    pub gap_test_step_s: f64,
    /// Up to this speed in the frame, in m/s, a vertex moves less than half of the thinnest layer in a step of the gap test.
    pub speed: f64,
    /// How far ahead the motion of a vertex without potentials is covered.
    pub idle_span: Span,
}

impl Limits {
    /// The limits of a scene.
    pub fn new(system: &System, rules: &PairRules, quantum: Quantum) -> Self {
        let gap_test = MinimumGapTest::new(system, rules);
        let gap_test_step_s = quantum.step(gap_test.span);
        let hard = rules.all_layers().iter().filter(|layers| !layers.is_soft());
        let thinnest = hard.map(Layers::minimum_gap).fold(f64::INFINITY, f64::min);
        let speed = 0.5 * thinnest / (OUTWARD * gap_test_step_s);
        let idle_span = rules.contact().layers.iter().map(|l| l.span).max().unwrap_or(Span::ONE);
        Self { gap_test, gap_test_step_s, speed, idle_span }
    }
}

/// The shortest step of a potential on each vertex, by its number in pairs: the engine touches it at the multiples.
pub(super) fn touched_every(system: &System, rules: &PairRules) -> Vec<Option<Span>> {
    let mut touched_every: Vec<Option<Span>> = vec![None; system.vertices()];
    for (family, schedule) in system.families.iter().zip(&system.schedules) {
        for (e, &span) in schedule.spans.iter().enumerate() {
            for &v in family.stencil(e) {
                let shortest = &mut touched_every[rules.renumbered(v) as usize];
                *shortest = Some(shortest.map_or(span, |s| s.min(span)));
            }
        }
    }
    touched_every
}
