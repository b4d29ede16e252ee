//! Distance and impulses of due pairs: one by one, or of eight of a kind side by side with the same bits.

use carom_math::{F64x4, LANES, Lanes, Vec3};
use carom_time::Tick;

use super::Firing;
use crate::active_pairs::{Candidate, Candidates};
use crate::pairs::pairs8::Pairs8;
use crate::pairs::pushes8::{Pushes8, Pushing8};
use crate::{Motion, Pair, PairRules};

/// What one pair does at an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairEvaluation {
    /// On its vertices, in N·s; zeros if no layer pushes.
    pub impulses: [F64x4; 4],
    /// From the nearest point of the second primitive to that of the first, and how long that is, in m.
    pub(super) separation: F64x4,
    /// Weights of the vertices in the separation.
    pub weights: F64x4,
    /// Distance between the surfaces, in m.
    pub distance: f64,
    /// Whether a layer pushes.
    pub pushes: bool,
}

impl PairEvaluation {
    /// A place for an evaluation.
    pub const NONE: Self = Self {
        impulses: [F64x4::ZERO; 4],
        separation: F64x4::ZERO,
        weights: F64x4::ZERO,
        distance: f64::INFINITY,
        pushes: false,
    };

    /// From the nearest point of the second primitive to that of the first, in m.
    #[inline(always)]
    pub fn separation(&self) -> Vec3 {
        self.separation.xyz()
    }

    /// How far apart the nearest points are, in m.
    #[inline(always)]
    pub fn separation_length(&self) -> f64 {
        self.separation.to_array()[3]
    }

    /// The impulses of the layers in `layers` of one pair.
    #[inline(always)]
    fn of(rules: &PairRules, pair: &Pair, layers: u64, firing: &Firing) -> Self {
        let x = PairRules::positions(pair, |v| firing.motion.position_at(v, firing.tick));
        let at = pair.measure(&x);
        let fires = |l: u32| layers >> (l - 1) & 1 == 1;
        let impulses = pair.impulses(rules.layers_of(pair), &x, &at, |l, layer| {
            if fires(l) { firing.fraction * layer.step_s } else { 0.0 }
        });
        let Vec3 { x, y, z } = at.separation;
        Self {
            impulses: impulses.unwrap_or_default().map(F64x4::from),
            separation: [x, y, z, at.separation.length()].into(),
            weights: at.weights.into(),
            distance: at.distance,
            pushes: impulses.is_some(),
        }
    }
}

/// The impulses of at most eight due pairs: side by side if they are eight of a kind with the same layers, whose vertices have been collected in `positions`.
#[inline(always)]
pub(super) fn evaluate_block(
    rules: &PairRules,
    (candidates, block): (&Candidates, &[(u32, u64)]),
    firing: &Firing,
    positions: &PositionsNow,
    evaluations: &mut [PairEvaluation],
) {
    let candidate = |i: usize| candidates.row(block[i].0);
    let (kind, layers) = (candidate(0).kind(), candidate(0).layers().0);
    let is_alike = |i: usize| candidate(i).kind() == kind && candidate(i).layers().0 == layers;
    if block.len() == LANES && Pairs8::is_for(kind) && (1..LANES).all(is_alike) {
        let of_each = |number: fn(&Candidate) -> f64| Lanes(core::array::from_fn(|i| number(candidate(i))));
        let firing_of = |i: usize| {
            let (_, first_layer) = candidate(i).layers();
            block[i].1 & u64::MAX << (first_layer - 1)
        };
        let pushing = Pushing8 {
            pairs8: Pairs8 { kind, stencils: core::array::from_fn(|i| candidate(i).vertices()) },
            layers: &rules.all_layers()[layers],
            firing: core::array::from_fn(firing_of),
            fraction: firing.fraction,
            radii: of_each(Candidate::radius),
            weights: of_each(Candidate::weight),
            fades: of_each(Candidate::fade),
        };
        let Pushes8 { impulses: [a, b, c, d], separations, weights, distances, sums } =
            pushing.pushes(&positions.at);
        for (lane, evaluation) in evaluations.iter_mut().take(LANES).enumerate() {
            *evaluation = PairEvaluation {
                impulses: [a[lane], b[lane], c[lane], d[lane]],
                separation: separations[lane],
                weights: weights[lane],
                distance: distances.0[lane],
                pushes: sums[0].0[lane] != 0.0 || sums[1].0[lane] != 0.0,
            };
        }
    } else {
        for (i, (evaluation, &(_, layers))) in evaluations.iter_mut().zip(block).enumerate() {
            *evaluation = PairEvaluation::of(rules, &candidate(i).pair(rules), layers, firing);
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
