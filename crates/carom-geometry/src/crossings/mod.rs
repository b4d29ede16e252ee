//! Faces of a mesh that meet where they should not, and edges that pierce faces.
//!
//! Two faces of a sound mesh share what their numbers say: a whole edge, a corner, or nothing. Anything more
//! is reported, decided with exact predicates:
//!
//! | common corners | reported if |
//! | --- | --- |
//! | 0 | the closed triangles share a point |
//! | 1 | the edge opposite to the common corner, of either face, meets the other face |
//! | 2 | they lie in one plane on the same side of their edge: folded flat |
//! | 3 | always |
//! | a face with itself | it has no area |
//!
//! The list is sorted and depends on the mesh alone.
//!
//! **Never here:** distances, motion, repair.

mod triangles;
mod volume_sign;

use carom_math::Vec3;

use crate::{Bounds, Bvh};
use triangles::{coplanar_on_one_side, has_area, segment_meets_triangle};

/// Two faces that meet where they should not; `first ≤ second`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Crossing {
    /// The face with the smaller number.
    pub first: u32,
    /// The face with the larger number; the same as `first` for a face without area.
    pub second: u32,
    /// How the two faces meet.
    pub meeting: CrossingKind,
}

/// How two faces meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CrossingKind {
    /// The face has no area.
    NoArea,
    /// Both faces have the same three corners.
    Same,
    /// The faces share an edge and lie on each other.
    Folded,
    /// An edge of one meets the other; edge and face have no vertex in common.
    Edge {
        /// The ends of the edge, the smaller number first.
        edge: [u32; 2],
        /// The face it meets: `first` or `second`.
        face: u32,
    },
}

/// All faces of the mesh that meet where they should not, by their numbers.
///
/// For two faces that meet in several ways the first is named, edges of `first` before those of `second`.
#[must_use]
pub fn face_crossings(positions: &[Vec3], faces: &[[u32; 3]]) -> Vec<Crossing> {
    let mut out: Vec<Crossing> = (0..faces.len() as u32)
        .filter(|f| !has_area(&corners(positions, faces[*f as usize])))
        .map(|f| Crossing { first: f, second: f, meeting: CrossingKind::NoArea })
        .collect();
    tree_of(positions, faces).self_pairs(|first, second| {
        if let Some(meeting) = meeting(positions, faces, first, second) {
            out.push(Crossing { first, second, meeting });
        }
    });
    out.sort_unstable();
    out
}

/// All pairs (edge, face) without a common vertex that share a point, by their numbers.
#[must_use]
pub fn edge_face_crossings(positions: &[Vec3], edges: &[[u32; 2]], faces: &[[u32; 3]]) -> Vec<(u32, u32)> {
    let mut out = Vec::new();
    tree_of(positions, edges).pairs_with(&tree_of(positions, faces), |e, f| {
        let (edge, face) = (edges[e as usize], faces[f as usize]);
        if !edge.iter().any(|v| face.contains(v))
            && segment_meets_triangle(&corners(positions, edge), &corners(positions, face))
        {
            out.push((e, f));
        }
    });
    out.sort_unstable();
    out
}

fn tree_of<const N: usize>(positions: &[Vec3], primitives: &[[u32; N]]) -> Bvh {
    let bounds: Vec<Bounds> = primitives.iter().map(|p| Bounds::of(&corners(positions, *p))).collect();
    Bvh::new(&bounds)
}

fn corners<const N: usize>(positions: &[Vec3], primitive: [u32; N]) -> [Vec3; N] {
    primitive.map(|v| positions[v as usize])
}

fn meeting(positions: &[Vec3], faces: &[[u32; 3]], first: u32, second: u32) -> Option<CrossingKind> {
    let (a, b) = (faces[first as usize], faces[second as usize]);
    let own = |from: [u32; 3], other: [u32; 3]| from.into_iter().filter(move |v| !other.contains(v));
    match own(a, b).count().max(own(b, a).count()) {
        0 => Some(CrossingKind::Same),
        1 => {
            let shared: Vec<u32> = a.into_iter().filter(|v| b.contains(v)).collect();
            let (p, q) = (own(a, b).next()?, own(b, a).next()?);
            let [s, t, p, q] = corners(positions, [shared[0], shared[1], p, q]);
            coplanar_on_one_side([s, t], p, q).then_some(CrossingKind::Folded)
        }
        _ => edge_meeting(positions, a, b, second).or_else(|| edge_meeting(positions, b, a, first)),
    }
}

/// The first edge of `from` that meets `face` without sharing a vertex with it.
fn edge_meeting(positions: &[Vec3], from: [u32; 3], face: [u32; 3], number: u32) -> Option<CrossingKind> {
    let triangle = corners(positions, face);
    let edges = [[from[0], from[1]], [from[1], from[2]], [from[2], from[0]]];
    edges
        .into_iter()
        .filter(|edge| !edge.iter().any(|v| face.contains(v)))
        .find(|edge| segment_meets_triangle(&corners(positions, *edge), &triangle))
        .map(|[a, b]| CrossingKind::Edge { edge: [a.min(b), a.max(b)], face: number })
}

#[cfg(test)]
mod tests;
