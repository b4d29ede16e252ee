//! The search among the pairs of bodies at rest, where they may be nearer than the heights of triangles say.

use carom_math::{F64x4, Vec3};
use carom_model::PairId;
use rayon::prelude::*;

use super::super::frames::{Frames, Parting};
use super::super::search::{measure, side_by_side};
use super::super::trees::BroadPhase;
use super::{CullState, CulledBodies, Gap, SelfContactCulling};
use crate::{PairRules, Sharing};

/// Pairs are searched up to this far from each other, over the mean edge, or a quarter of it beyond the first layer; all others
/// count as if they were there. Equal triangles are as high as 0.87 of their edge.
const FAR: f64 = 0.9;

/// A search among the pairs of some bodies, each with itself.
pub(super) struct RestSearch<'a> {
    rules: &'a PairRules,
    least_skin: &'a [f64],
    /// How far the search reaches from each vertex, in m, beside half of the first layer.
    skin: Vec<f64>,
    /// `Unknown` for the bodies that are searched.
    states: Vec<CullState>,
}

/// What a search found.
struct RestGaps {
    /// How near pairs are, by bodies.
    gaps: Vec<Vec<Gap>>,
    /// The pairs that always are candidates, and their bodies.
    always_candidates: Vec<(u32, PairId)>,
}

impl<'a> RestSearch<'a> {
    /// No body is searched.
    pub fn new(rules: &'a PairRules, least_skin: &'a [f64]) -> Self {
        let states = vec![CullState::Apart; rules.contact().bodies];
        Self { rules, least_skin, skin: vec![0.0; rules.vertices()], states }
    }

    /// Adds a body to the search. Returns how far the search reaches, in m: no pair that it does not find is nearer.
    pub fn add_body(&mut self, body: u32, shape: &SelfContactCulling, thickness: f64) -> f64 {
        let edges = shape.triangles.iter().flat_map(|t| t.edges).map(Vec3::length);
        let edge = edges.sum::<f64>() / (2 * shape.triangles.len()) as f64;
        let skin = 0.5 * (FAR * edge - thickness).max(0.25 * edge);
        shape.vertices.iter().for_each(|v| self.skin[*v as usize] = skin);
        self.states[body as usize] = CullState::Unknown;
        thickness + 2.0 * skin
    }

    /// Searches, and adds what it finds to the culling of all bodies.
    pub fn add_to(self, culling: &mut [Option<SelfContactCulling>], sharing: Sharing) {
        if !self.states.contains(&CullState::Unknown) {
            return;
        }
        let culled = CulledBodies {
            states: self.states.clone(),
            is_searched: Vec::new(),
            always_candidates: Vec::new(),
        };
        let x = side_by_side(self.rules);
        let mut broad_phase = BroadPhase::new(self.rules, sharing);
        let frames = Frames::one(self.rules.contact().bodies);
        let (at, parting) = ((&x[..], &self.skin[..]), Parting::none(&frames));
        let ids = broad_phase.candidates(self.rules, at, &parting, Some(&culled));
        let at_rest = rest_positions(self.rules);
        let found: Vec<RestGaps> = if sharing.is_shared {
            let chunks = ids.par_chunks(sharing.candidates);
            chunks.map(|ids| self.among(ids, &at_rest, culling)).collect()
        } else {
            vec![self.among(&ids, &at_rest, culling)]
        };
        for RestGaps { gaps, always_candidates } in found {
            for (shape, gaps) in culling.iter_mut().zip(gaps) {
                if let Some(shape) = shape {
                    for gap in gaps {
                        join(&mut shape.gaps, gap);
                    }
                }
            }
            for (body, id) in always_candidates {
                if let Some(shape) = &mut culling[body as usize] {
                    shape.always_candidates.push(id);
                }
            }
        }
    }

    /// What these pairs say of their bodies, their vertices at rest.
    fn among(&self, ids: &[PairId], at_rest: &[F64x4], culling: &[Option<SelfContactCulling>]) -> RestGaps {
        let mut found = RestGaps { gaps: vec![Vec::new(); culling.len()], always_candidates: Vec::new() };
        measure(self.rules, ids, at_rest, |pair, distance, error| {
            let [body, other] = pair.bodies;
            let Some(shape) = culling[body as usize].as_ref().filter(|_| body == other) else { return };
            let Some(first_layer) = self.rules.first_layer(&pair, || distance) else { return };
            let reach = self.rules.layers_of(&pair).thickness(first_layer);
            let at_rest = distance - 4.0 * error;
            if shape.is_always_candidate(at_rest, reach, self.least_skin[pair.vertices[0] as usize]) {
                found.always_candidates.push((body, pair.id));
            } else {
                join(&mut found.gaps[body as usize], Gap { reach, at_rest });
            }
        });
        found
    }
}

/// Adds a gap to others: of those with the same reach, the nearest counts.
fn join(gaps: &mut Vec<Gap>, gap: Gap) {
    match gaps.iter_mut().find(|other| other.reach == gap.reach) {
        Some(other) => other.at_rest = other.at_rest.min(gap.at_rest),
        None => gaps.push(gap),
    }
}

/// Positions of vertices at rest, by their numbers in pairs.
fn rest_positions(rules: &PairRules) -> Vec<F64x4> {
    let mut at_rest = vec![F64x4::default(); rules.vertices()];
    for (v, x) in (0..).zip(&rules.contact().rest) {
        at_rest[rules.renumbered(v) as usize] = (*x).into();
    }
    at_rest
}
