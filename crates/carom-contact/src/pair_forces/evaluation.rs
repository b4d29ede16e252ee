//! Distance and impulses of due pairs: one by one, or of eight of a kind side by side with the same bits.

use carom_math::{F64x4, LANES, Vec3};
use carom_time::Tick;

use super::Firing;
use crate::active_pairs::Candidates;
use crate::pairs::pairs8::Pairs8;
use crate::{Measure, Motion, Pair, PairRules};

/// The impulses of one pair at an instant.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairEvaluation {
    /// Positions of its vertices, in m.
    pub x: [Vec3; 4],
    /// Its nearest points.
    pub at: Measure,
    /// On its vertices, in N·s; `None` if no layer pushes.
    pub impulses: Option<[Vec3; 4]>,
}

impl PairEvaluation {
    /// A place for an evaluation.
    pub const NONE: Self = Self {
        x: [Vec3::ZERO; 4],
        at: Measure { weights: [0.0; 4], separation: Vec3::ZERO, distance: f64::INFINITY },
        impulses: None,
    };

    /// The impulses of the layers in `layers` of a pair that was measured, summed by depth.
    #[inline(always)]
    fn of(rules: &PairRules, pair: &Pair, (fraction, layers): (f64, u64), x: [Vec3; 4], at: Measure) -> Self {
        let step = |l: u32, step_s: f64| if layers >> (l - 1) & 1 == 1 { fraction * step_s } else { 0.0 };
        let impulses = pair.impulses(rules.layers_of(pair), &x, &at, |l, layer| step(l, layer.step_s));
        Self { x, at, impulses }
    }
}

/// The impulses of the layers in `layers` of one pair.
#[inline(always)]
fn evaluate(rules: &PairRules, pair: &Pair, layers: u64, firing: &Firing) -> PairEvaluation {
    let x = PairRules::positions(pair, |v| firing.motion.position_at(v, firing.tick));
    PairEvaluation::of(rules, pair, (firing.fraction, layers), x, pair.measure(&x))
}

/// The impulses of at most eight due pairs: side by side if they are eight of a kind, whose vertices have been collected in `positions`.
#[inline(always)]
pub(super) fn evaluate_block(
    rules: &PairRules,
    (candidates, block): (&Candidates, &[(u32, u64)]),
    firing: &Firing,
    positions: &PositionsNow,
    evaluations: &mut [PairEvaluation],
) {
    let candidate = |i: usize| candidates.row(block[i].0);
    let kind = candidate(0).kind();
    let are_alike = block.len() == LANES && (1..LANES).all(|i| candidate(i).kind() == kind);
    if are_alike && Pairs8::is_for(kind) {
        let pairs8 = Pairs8 { kind, stencils: core::array::from_fn(|i| candidate(i).vertices()) };
        let measured = pairs8.measure(&positions.at);
        for (lane, (evaluation, &(_, layers))) in evaluations.iter_mut().zip(block).enumerate() {
            let pair = candidate(lane).pair(rules);
            let (x, at) = measured.lane(lane, pair.radius);
            *evaluation = PairEvaluation::of(rules, &pair, (firing.fraction, layers), x, at);
        }
    } else {
        for (i, (evaluation, &(_, layers))) in evaluations.iter_mut().zip(block).enumerate() {
            *evaluation = evaluate(rules, &candidate(i).pair(rules), layers, firing);
        }
    }
}

/// Positions of vertices at an instant: each is computed once, however many pairs it is in.
pub(super) struct PositionsNow {
    at: Vec<F64x4>,
    computed_at: Vec<Option<Tick>>,
}

impl PositionsNow {
    /// Room for so many vertices; no position is known.
    pub fn new(vertices: usize) -> Self {
        Self { at: vec![F64x4::default(); vertices], computed_at: vec![None; vertices] }
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        self.at.len()
    }

    /// Computes the positions of some vertices at `tick`, unless they are known.
    #[inline(always)]
    pub fn collect(&mut self, vertices: &[u32], tick: Tick, motion: &Motion) {
        for &v in vertices {
            let computed_at = &mut self.computed_at[v as usize];
            if *computed_at != Some(tick) {
                *computed_at = Some(tick);
                self.at[v as usize] = motion.position_at(v, tick).into();
            }
        }
    }
}
