//! A look at bodies at rest, for pairs that are nearer than the heights of triangles can tell.

use carom_math::{F64x4, Vec3};
use carom_model::PairId;
use rayon::prelude::*;

use super::super::broad_phase::BroadPhase;
use super::super::near::{measure, side_by_side};
use super::super::sharing::Sharing;
use super::{CullState, Gap, Known, SelfContactCulling};
use crate::PairRules;

/// Pairs are looked for up to this far from each other, over the mean edge, or a quarter of it beyond the first layer; all others
/// count as if they were there. Equal triangles are as high as 0.87 of their edge.
const FAR: f64 = 0.9;

/// A look at some bodies.
pub(super) struct RestSearch<'a> {
    rules: &'a PairRules,
    least_skin: &'a [f64],
    /// How far it reaches from each vertex, in m, beside half of the first layer.
    skin: Vec<f64>,
    /// `Lost` for those that it is at: their pairs are searched.
    kept: Vec<CullState>,
}

/// What it shows.
struct RestGaps {
    /// By bodies.
    gaps: Vec<Vec<Gap>>,
    tight: Vec<(u32, PairId)>,
}

impl<'a> RestSearch<'a> {
    /// At no body.
    pub fn new(rules: &'a PairRules, least_skin: &'a [f64]) -> Self {
        let kept = vec![CullState::Whole; rules.contact().bodies];
        Self { rules, least_skin, skin: vec![0.0; rules.vertices()], kept }
    }

    /// Also at this one. Returns how far it reaches, in m: no pair that it does not find is nearer.
    pub fn at(&mut self, body: u32, shape: &SelfContactCulling, thickness: f64) -> f64 {
        let edges = shape.triangles.iter().flat_map(|t| t.edges).map(Vec3::length);
        let edge = edges.sum::<f64>() / (2 * shape.triangles.len()) as f64;
        let skin = 0.5 * (FAR * edge - thickness).max(0.25 * edge);
        shape.vertices.iter().for_each(|v| self.skin[*v as usize] = skin);
        self.kept[body as usize] = CullState::Lost;
        thickness + 2.0 * skin
    }

    /// Adds what it shows to the shapes of all bodies.
    pub fn add_to(self, culling: &mut [Option<SelfContactCulling>], sharing: Sharing) {
        if !self.kept.contains(&CullState::Lost) {
            return;
        }
        let known = Known { kept: self.kept.clone(), is_loose: Vec::new(), tight: Vec::new() };
        let x = side_by_side(self.rules);
        let mut broad_phase = BroadPhase::new(self.rules, sharing);
        let ids = broad_phase.candidates(self.rules, (&x, &self.skin), Some(&known));
        let at_rest = rest_by_name(self.rules);
        let stats: Vec<RestGaps> = if sharing.is_shared {
            let chunks = ids.par_chunks(sharing.candidates);
            chunks.map(|ids| self.among(ids, &at_rest, culling)).collect()
        } else {
            vec![self.among(&ids, &at_rest, culling)]
        };
        for RestGaps { gaps, tight } in stats {
            for (shape, gaps) in culling.iter_mut().zip(gaps) {
                if let Some(shape) = shape {
                    for gap in gaps {
                        join(&mut shape.gaps, gap);
                    }
                }
            }
            for (body, id) in tight {
                if let Some(shape) = &mut culling[body as usize] {
                    shape.tight.push(id);
                }
            }
        }
    }

    /// What these pairs show, their vertices at rest.
    fn among(&self, ids: &[PairId], at_rest: &[F64x4], culling: &[Option<SelfContactCulling>]) -> RestGaps {
        let mut stats = RestGaps { gaps: vec![Vec::new(); culling.len()], tight: Vec::new() };
        measure(self.rules, ids, at_rest, |pair, distance, error| {
            let [body, other] = pair.bodies;
            let Some(shape) = culling[body as usize].as_ref().filter(|_| body == other) else { return };
            let Some(first_layer) = self.rules.first_layer(&pair, || distance) else { return };
            let reach = self.rules.layers_of(&pair).thickness(first_layer);
            let at_rest = distance - 4.0 * error;
            if shape.is_tight(at_rest, reach, self.least_skin[pair.vertices[0] as usize]) {
                stats.tight.push((body, pair.id));
            } else {
                join(&mut stats.gaps[body as usize], Gap { reach, at_rest });
            }
        });
        stats
    }
}

/// Adds a gap to others: of those with the same reach, the nearest counts.
fn join(gaps: &mut Vec<Gap>, gap: Gap) {
    match gaps.iter_mut().find(|other| other.reach == gap.reach) {
        Some(other) => other.at_rest = other.at_rest.min(gap.at_rest),
        None => gaps.push(gap),
    }
}

/// Where vertices are at rest, by their names.
fn rest_by_name(rules: &PairRules) -> Vec<F64x4> {
    let mut at_rest = vec![F64x4::default(); rules.vertices()];
    for (v, x) in (0..).zip(&rules.contact().rest) {
        at_rest[rules.name(v) as usize] = (*x).into();
    }
    at_rest
}
