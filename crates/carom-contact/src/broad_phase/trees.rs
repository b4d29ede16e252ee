//! Trees around the primitives of all bodies: which of them may be near each other.
//!
//! Every body has its trees, so that two bodies far apart cost one comparison. After a search they stay: most of the time their shape
//! still suits the next one.

use core::ops::Range;

use carom_geometry::{Bounds, Bvh};
use carom_math::Vec3;
use carom_model::{Contact, PairId, PairKind};
use rayon::prelude::*;

use super::frames::{Frames, Parting};
use super::order::put_in_order;
use super::periodic;
use super::primitives::{PrimitiveStatic, PrimitiveStatics, SweptBounds, SweptBoundsOfAll};
use super::self_contact::{CullState, CulledBodies};
use super::traversal::Traversal;
use crate::{PairRules, Sharing};

/// Threads share a traversal of two trees in this many parts.
const PARTS: usize = 16;

/// Trees are built anew after this many searches; in between they are fitted to where things are. Those of a body suit it until it has
/// become another shape.
const SEARCHES_PER_TREE: u32 = 32;

/// The tree of grains is built anew after this many searches: between two searches grains move by a tenth of their distances, each in a direction of its own.
const SEARCHES_PER_TREE_OF_POINTS: u32 = 4;

/// The trees of all bodies, kept from search to search.
pub(super) struct BroadPhase {
    statics: PrimitiveStatics,
    /// The points, by their numbers among the vertices of surfaces.
    points: Vec<u32>,
    tree_of_points: Option<Bvh>,
    /// In how many searches the tree of points was used.
    age_of_points: u32,
    bodies: Vec<Body>,
    /// Bounds of primitives, as of the last search their body took part in.
    swept: SweptBoundsOfAll,
    sharing: Sharing,
}

impl BroadPhase {
    /// No tree is built yet.
    ///
    /// # Panics
    /// If primitives are not in the order of bodies: those beside it would be in no tree.
    pub fn new(rules: &PairRules, sharing: Sharing) -> Self {
        let contact = rules.contact();
        let points = (0..).zip(&contact.vertices).filter(|(_, v)| v.is_point).map(|(i, _)| i);
        let statics = PrimitiveStatics::new(rules);
        let body = |primitives| Body::new(&statics, primitives);
        Self {
            points: points.collect(),
            tree_of_points: None,
            age_of_points: 0,
            bodies: primitives_of_bodies(contact).into_iter().map(body).collect(),
            swept: SweptBoundsOfAll::new(&statics),
            statics,
            sharing,
        }
    }

    /// The ids of all pairs whose surroundings may overlap, in their order; a few of them are no pairs by the rules. Vertex `v` is at
    /// `x[v]` and may move by `skin[v]`, in m, in the frame of its body, and frames part. Within bodies that are `culled`, most pairs are left out.
    pub fn candidates(
        &mut self,
        rules: &PairRules,
        at: (&[Vec3], &[f64]),
        parting: &Parting,
        culled: Option<&CulledBodies>,
    ) -> Vec<PairId> {
        let contact = rules.contact();
        let state_of = |body: u32| culled.map_or(CullState::Unknown, |culled| culled.states[body as usize]);
        let body_pairs = self.body_pairs(at, parting, state_of);
        self.fit_bodies(contact, &body_pairs, at);
        if let Some(culled) = culled {
            self.fit_searched_parts(contact, culled);
        }
        let swept = self.swept_trees(&body_pairs, parting);
        let traversals = self.traversals(&body_pairs, &swept, state_of);
        let apart = |traversal: &Traversal| parting.farthest(traversal.bodies);
        let mut ids = Vec::new();
        if self.sharing.is_shared {
            ids = traversals
                .par_iter()
                .flat_map_iter(|traversal| traversal.candidates(&self.statics, &self.swept, apart(traversal)))
                .collect();
        } else {
            for traversal in &traversals {
                ids.append(&mut traversal.candidates(&self.statics, &self.swept, apart(traversal)));
            }
        }
        ids.extend(culled.iter().flat_map(|culled| &culled.always_candidates));
        self.points(contact, |id| ids.push(id));
        // Across the border of a periodic box two points may be found more than once, and what always is a candidate may be found as well.
        put_in_order(&mut ids, contact);
        ids
    }

    /// How threads share a search.
    pub fn sharing(&self) -> Sharing {
        self.sharing
    }

    /// How frames part until the next search, with vertex `v` at `x[v]` and free to move by `skin[v]`, in m; a body has the least skin
    /// `least[body]`, in m.
    pub fn parting<'a>(&self, frames: &'a Frames, at: (&[Vec3], &[f64]), least: &[f64]) -> Parting<'a> {
        let boxes = if frames.is_one() { Vec::new() } else { self.boxes(at) };
        Parting::new(frames, &boxes, |body| least[body as usize])
    }

    /// A box around each body and its surroundings.
    fn boxes(&self, at: (&[Vec3], &[f64])) -> Vec<Bounds> {
        self.bodies.iter().map(|body| body.bounds(&self.statics, at)).collect()
    }

    /// The bodies that may touch each other, or themselves.
    fn body_pairs(
        &self,
        at: (&[Vec3], &[f64]),
        parting: &Parting,
        state_of: impl Fn(u32) -> CullState,
    ) -> Vec<(u32, u32)> {
        let alone = (0..self.bodies.len() as u32).filter(|body| state_of(*body) != CullState::Apart);
        let mut body_pairs: Vec<(u32, u32)> = alone.map(|body| (body, body)).collect();
        let boxes = self.boxes(at);
        Bvh::new(&boxes).self_pairs(|a, b| {
            if !parting.are_apart(a, b) {
                body_pairs.push((a, b));
            }
        });
        parting.meetings(&boxes, |a, b| body_pairs.push((a, b)));
        body_pairs
    }

    /// For every two bodies in different frames the trees of the second one, around what it sweeps over in the frame of the first.
    fn swept_trees(&self, body_pairs: &[(u32, u32)], parting: &Parting) -> Vec<Option<Trees>> {
        let sweep = |&(a, b): &(u32, u32)| {
            let trees = self.bodies[b as usize].trees.as_ref().filter(|_| parting.are_apart(a, b))?;
            let swept = |swept: &SweptBounds| parting.swept([a, b], &swept.bounds);
            Some(trees.swept(&self.swept, swept))
        };
        body_pairs.iter().map(sweep).collect()
    }

    /// Computes the bounds of the primitives of all bodies that may touch, and fits their trees to them.
    fn fit_bodies(&mut self, contact: &Contact, body_pairs: &[(u32, u32)], at: (&[Vec3], &[f64])) {
        let mut takes_part = vec![false; self.bodies.len()];
        body_pairs.iter().flat_map(|(a, b)| [a, b]).for_each(|body| takes_part[*body as usize] = true);
        let Self { statics, bodies, swept, sharing, .. } = self;
        let is_shared = sharing.is_shared;
        for (body, _) in bodies.iter().zip(&takes_part).filter(|(_, takes_part)| **takes_part) {
            swept.fill(statics, &body.primitives, at, *sharing);
        }
        let fit = |(body, takes_part): (&mut Body, &bool)| {
            if *takes_part {
                body.fit(contact, statics, swept, is_shared);
            }
        };
        if is_shared {
            bodies.par_iter_mut().zip(&takes_part).for_each(fit);
        } else {
            bodies.iter_mut().zip(&takes_part).for_each(fit);
        }
    }

    /// Fits the trees over the parts of bodies that are searched for self-contact.
    fn fit_searched_parts(
        &mut self,
        contact: &Contact,
        CulledBodies { states, is_searched, .. }: &CulledBodies,
    ) {
        let Self { statics, bodies, swept, sharing, .. } = self;
        let is_shared = sharing.is_shared;
        let is_searched =
            |primitive: &PrimitiveStatic| primitive.corners.iter().any(|v| is_searched[*v as usize]);
        for (body, _) in bodies.iter_mut().zip(states).filter(|(_, state)| **state == CullState::Partly) {
            let build = || Trees::build(contact, swept, &body.primitives, is_shared);
            body.searched_parts.get_or_insert_with(build).refit(swept, statics, is_searched, is_shared);
        }
    }

    /// All traversals of two trees.
    fn traversals<'a>(
        &'a self,
        body_pairs: &[(u32, u32)],
        swept: &'a [Option<Trees>],
        state_of: impl Fn(u32) -> CullState,
    ) -> Vec<Traversal<'a>> {
        let parts = if self.sharing.is_shared { PARTS } else { 1 };
        let mut traversals = Vec::new();
        let mut plan = |bodies, kind, first: &'a Bvh, second: &'a Bvh| {
            let part = |part| Traversal { bodies, kind, first, second, part };
            traversals.extend(first.split(second, parts).into_iter().map(part));
        };
        for (&(a, b), swept) in body_pairs.iter().zip(swept) {
            let trees = |body: u32| {
                let Body { trees, searched_parts, .. } = &self.bodies[body as usize];
                if a == b && state_of(body) == CullState::Partly { searched_parts } else { trees }
            };
            let (one, other) = (trees(a).as_ref(), swept.as_ref().or(trees(b).as_ref()));
            let (Some(one), Some(other)) = (one, other) else { continue };
            plan([a, b], PairKind::EdgeEdge, &one.edges, &other.edges);
            let both = [(one, other), (other, one)];
            for (one, other) in both.into_iter().take(if a == b { 1 } else { 2 }) {
                plan([a, b], PairKind::VertexFace, &one.vertices, &other.faces);
                plan([a, b], PairKind::VertexEdge, &one.vertices, &other.bare);
            }
        }
        traversals
    }

    /// The pairs of points, through the borders of a periodic box as well.
    fn points(&mut self, contact: &Contact, mut visit: impl FnMut(PairId)) {
        let Contact { vertices, period, .. } = contact;
        // Through the border of a periodic box a point goes far: there the old tree does not suit.
        if self.age_of_points.is_multiple_of(SEARCHES_PER_TREE_OF_POINTS) || !period.is_zero() {
            self.tree_of_points = None;
        }
        self.age_of_points = self.age_of_points.wrapping_add(1);
        let is_soft = |v: u32| vertices[v as usize].soft_radius > 0.0;
        periodic::self_pairs(
            &self.points,
            &self.swept.vertices,
            *period,
            &mut self.tree_of_points,
            |a, b| {
                visit(PairId { kind: PairKind::VertexVertex, a, b });
                if is_soft(a) && is_soft(b) {
                    visit(PairId { kind: PairKind::Soft, a, b });
                }
            },
        );
    }
}

/// The numbers of the vertices, edges and faces of each body: in the order of bodies.
pub(super) fn primitives_of_bodies(
    Contact { vertices, edges, faces, bodies, .. }: &Contact,
) -> Vec<[Range<u32>; 3]> {
    let of_vertices =
        vertices.is_sorted_by_key(|v| v.body) && vertices.iter().all(|v| (v.body as usize) < *bodies);
    let of_edges = edges.is_sorted_by_key(|e| e.body) && edges.iter().all(|e| (e.body as usize) < *bodies);
    let of_faces = faces.is_sorted_by_key(|f| f.body) && faces.iter().all(|f| (f.body as usize) < *bodies);
    assert!(of_vertices && of_edges && of_faces, "primitives are in the order of bodies");
    let end = |body: u32| {
        [
            vertices.partition_point(|v| v.body < body),
            edges.partition_point(|e| e.body < body),
            faces.partition_point(|f| f.body < body),
        ]
    };
    let range = |body: u32| {
        let (from, to) = (end(body), end(body + 1));
        core::array::from_fn(|kind| from[kind] as u32..to[kind] as u32)
    };
    (0..*bodies as u32).map(range).collect()
}

/// The trees of one body.
struct Body {
    /// Numbers of its vertices, edges and faces.
    primitives: [Range<u32>; 3],
    /// The largest reach of its primitives, in m.
    reach: f64,
    trees: Option<Trees>,
    /// Trees over the parts that are searched for self-contact, everything else in boxes that hold nothing.
    searched_parts: Option<Trees>,
    /// In how many searches it took part since its trees were built.
    age: u32,
}

impl Body {
    fn new(statics: &PrimitiveStatics, primitives: [Range<u32>; 3]) -> Self {
        let [vertices, edges, faces] =
            primitives.clone().map(|range| range.start as usize..range.end as usize);
        let own = statics.vertices[vertices].iter().chain(&statics.edges[edges]).chain(&statics.faces[faces]);
        let reach = own.map(|primitive| primitive.reach).fold(0.0, f64::max);
        Self { primitives, reach, trees: None, searched_parts: None, age: 0 }
    }

    /// A box around all of it and its surroundings.
    fn bounds(&self, statics: &PrimitiveStatics, (x, skin): (&[Vec3], &[f64])) -> Bounds {
        let [Range { start, end }, ..] = self.primitives;
        let (mut bounds, mut widest) = (Bounds::EMPTY, 0.0_f64);
        for primitive in &statics.vertices[start as usize..end as usize] {
            let v = primitive.corners[0] as usize;
            bounds = bounds.joined(&Bounds { min: x[v], max: x[v] });
            widest = widest.max(skin[v]);
        }
        let size = bounds.min.max_abs().max(bounds.max.max_abs());
        bounds.grown((widest + self.reach) * (1.0 + 2e-9) + 256.0 * f64::EPSILON * size)
    }

    /// Builds its trees, or fits them to where it is.
    fn fit(
        &mut self,
        contact: &Contact,
        statics: &PrimitiveStatics,
        swept: &SweptBoundsOfAll,
        is_shared: bool,
    ) {
        match &mut self.trees {
            Some(trees) if self.age > 0 => trees.refit(swept, statics, |_| true, is_shared),
            trees => {
                *trees = Some(Trees::build(contact, swept, &self.primitives, is_shared));
                self.searched_parts = None;
            }
        }
        self.age = (self.age + 1) % SEARCHES_PER_TREE;
    }
}

/// Trees over the primitives of one body.
#[derive(Clone)]
struct Trees {
    vertices: Bvh,
    edges: Bvh,
    /// Edges of rods.
    bare: Bvh,
    faces: Bvh,
}

impl Trees {
    fn build(
        contact: &Contact,
        swept: &SweptBoundsOfAll,
        [vertices, edges, faces]: &[Range<u32>; 3],
        is_shared: bool,
    ) -> Self {
        // Grains among themselves are found elsewhere: their tree is for what has edges or faces.
        let is_needed = !(contact.edges.is_empty() && contact.faces.is_empty());
        let vertices = if is_needed { vertices.clone() } else { 0..0 };
        let is_bare = |e: &u32| contact.edges[*e as usize].is_bare;
        let (edges, (vertices, (faces, bare))) = both(
            is_shared,
            || Bvh::over(edges.clone(), |i| swept.edges[i as usize].bounds),
            || {
                both(
                    is_shared,
                    || Bvh::over(vertices, |i| swept.vertices[i as usize].bounds),
                    || {
                        (
                            Bvh::over(faces.clone(), |i| swept.faces[i as usize].bounds),
                            Bvh::over(edges.clone().filter(is_bare), |i| swept.edges[i as usize].bounds),
                        )
                    },
                )
            },
        );
        Self { vertices, edges, bare, faces }
    }

    /// These trees around other bounds of the same primitives.
    fn swept(&self, all: &SweptBoundsOfAll, bounds: impl Fn(&SweptBounds) -> Bounds) -> Self {
        let mut trees = self.clone();
        trees.edges.refit(|i| bounds(&all.edges[i as usize]));
        trees.vertices.refit(|i| bounds(&all.vertices[i as usize]));
        trees.bare.refit(|i| bounds(&all.edges[i as usize]));
        trees.faces.refit(|i| bounds(&all.faces[i as usize]));
        trees
    }

    /// Fits the trees to the bounds of the primitives that are `within`, and takes boxes that hold nothing for all others.
    fn refit(
        &mut self,
        swept: &SweptBoundsOfAll,
        statics: &PrimitiveStatics,
        within: impl Fn(&PrimitiveStatic) -> bool + Sync,
        is_shared: bool,
    ) {
        let Self { vertices, edges, bare, faces } = self;
        let bounds = |statics: &[PrimitiveStatic], swept: &[SweptBounds], i: u32| {
            if within(&statics[i as usize]) { swept[i as usize].bounds } else { Bounds::EMPTY }
        };
        both(
            is_shared,
            || edges.refit(|i| bounds(&statics.edges, &swept.edges, i)),
            || {
                vertices.refit(|i| bounds(&statics.vertices, &swept.vertices, i));
                bare.refit(|i| bounds(&statics.edges, &swept.edges, i));
                faces.refit(|i| bounds(&statics.faces, &swept.faces, i));
            },
        );
    }
}

/// Runs two closures, on two threads if a team leads.
fn both<A: Send, B: Send>(
    is_shared: bool,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if is_shared { rayon::join(one, other) } else { (one(), other()) }
}
