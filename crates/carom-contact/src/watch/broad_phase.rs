//! Trees around the primitives of all bodies: which of them may be near each other.
//!
//! Every body has its trees, so that two bodies far apart cost one comparison. After a search they stay: most of the time their shape
//! still suits the next one.

use core::ops::Range;

use carom_geometry::{Bounds, Bvh, Part};
use carom_math::Vec3;
use carom_model::{Contact, PairId, PairKind, SurfaceVertex};

use rayon::prelude::*;

use super::near::half_thickness;
use super::order::put_in_order;
use super::periodic;
use super::shape::{CullState, Known};
use super::sharing::Sharing;
use crate::PairRules;

/// Threads share a walk through two trees in this many parts.
const PARTS: usize = 16;

/// Trees are planted anew after this many searches; in between they are fitted to where things are. Those of a body suit it until it has
/// become another shape.
const SEARCHES_PER_TREE: u32 = 32;

/// The same of grains: between two searches they move by a tenth of their distances, each in a direction of its own.
const SEARCHES_PER_TREE_OF_POINTS: u32 = 4;

/// The trees of the last searches: most of the time their shape still suits.
pub(super) struct BroadPhase {
    outlines: PrimitiveStatics,
    /// The points, by their numbers among the vertices of surfaces.
    points: Vec<u32>,
    tree_of_points: Option<Bvh>,
    /// In how many searches it was.
    age_of_points: u32,
    bodies: Vec<Body>,
    /// Where primitives of bodies that take part were in the last search they took part in.
    hulls: SweptBoundsOfAll,
    sharing: Sharing,
}

impl BroadPhase {
    /// Nothing is planted yet.
    ///
    /// # Panics
    /// If primitives are not in the order of bodies: those beside it would be in no tree.
    pub fn new(rules: &PairRules, sharing: impl Into<Sharing>) -> Self {
        let contact = rules.contact();
        let points = (0..).zip(&contact.vertices).filter(|(_, v)| v.is_point).map(|(i, _)| i);
        let outlines = PrimitiveStatics::new(rules);
        let body = |primitives| Body::new(&outlines, primitives);
        Self {
            points: points.collect(),
            tree_of_points: None,
            age_of_points: 0,
            bodies: primitives_of_bodies(contact).into_iter().map(body).collect(),
            hulls: SweptBoundsOfAll::new(&outlines),
            outlines,
            sharing: sharing.into(),
        }
    }

    /// The names of all pairs whose surroundings may overlap, in their order; a few are left out of the catalogue. Vertex `v` of pairs is at
    /// `x[v]` and may move by `skin[v]`, in m. What is `known` of bodies rules
    /// out most of their own pairs.
    pub fn candidates(
        &mut self,
        rules: &PairRules,
        at: (&[Vec3], &[f64]),
        known: Option<&Known>,
    ) -> Vec<PairId> {
        let contact = rules.contact();
        let kept = |body: u32| known.map_or(CullState::Lost, |known| known.kept[body as usize]);
        let meetings = self.meetings(at, kept);
        self.visit_bodies(contact, &meetings, at);
        if let Some(known) = known {
            self.visit_loose(contact, known);
        }
        let walks = self.walks(&meetings, kept);
        let mut ids = Vec::new();
        if self.sharing.is_shared {
            ids =
                walks.par_iter().flat_map_iter(|walk| walk.candidates(&self.outlines, &self.hulls)).collect();
        } else {
            for walk in &walks {
                ids.append(&mut walk.candidates(&self.outlines, &self.hulls));
            }
        }
        ids.extend(known.iter().flat_map(|known| &known.tight));
        self.points(contact, |id| ids.push(id));
        // Across the border of a periodic box two points may be found more than once, and what is tight may be loose as well.
        put_in_order(&mut ids, contact);
        ids
    }

    /// How threads share a search.
    pub fn sharing(&self) -> Sharing {
        self.sharing
    }

    /// The bodies that may touch each other, or themselves.
    fn meetings(&self, at: (&[Vec3], &[f64]), kept: impl Fn(u32) -> CullState) -> Vec<(u32, u32)> {
        let alone = (0..self.bodies.len() as u32).filter(|body| kept(*body) != CullState::Whole);
        let mut meetings: Vec<(u32, u32)> = alone.map(|body| (body, body)).collect();
        let boxes: Vec<Bounds> = self.bodies.iter().map(|body| body.bounds(&self.outlines, at)).collect();
        Bvh::new(&boxes).self_pairs(|a, b| meetings.push((a, b)));
        meetings
    }

    /// Looks where the primitives of all bodies are that meet, and fits their trees to them.
    fn visit_bodies(&mut self, contact: &Contact, meetings: &[(u32, u32)], at: (&[Vec3], &[f64])) {
        let mut takes_part = vec![false; self.bodies.len()];
        meetings.iter().flat_map(|(a, b)| [a, b]).for_each(|body| takes_part[*body as usize] = true);
        let Self { outlines, bodies, hulls, sharing, .. } = self;
        let is_shared = sharing.is_shared;
        for (body, _) in bodies.iter().zip(&takes_part).filter(|(_, takes_part)| **takes_part) {
            hulls.fill(outlines, &body.primitives, at, *sharing);
        }
        let fit = |(body, takes_part): (&mut Body, &bool)| {
            if *takes_part {
                body.fit(contact, outlines, hulls, is_shared);
            }
        };
        if is_shared {
            bodies.par_iter_mut().zip(&takes_part).for_each(fit);
        } else {
            bodies.iter_mut().zip(&takes_part).for_each(fit);
        }
    }

    /// Fits the trees over what is loose.
    fn visit_loose(&mut self, contact: &Contact, Known { kept, is_loose, .. }: &Known) {
        let Self { outlines, bodies, hulls, sharing, .. } = self;
        let is_shared = sharing.is_shared;
        let is_loose = |outline: &PrimitiveStatic| outline.corners.iter().any(|v| is_loose[*v as usize]);
        for (body, _) in bodies.iter_mut().zip(kept).filter(|(_, kept)| **kept == CullState::Partly) {
            let plant = || Trees::plant(contact, hulls, &body.primitives, is_shared);
            body.loose.get_or_insert_with(plant).refit(hulls, outlines, is_loose, is_shared);
        }
    }

    /// All walks through two trees.
    fn walks<'a>(&'a self, meetings: &[(u32, u32)], kept: impl Fn(u32) -> CullState) -> Vec<Traversal<'a>> {
        let parts = if self.sharing.is_shared { PARTS } else { 1 };
        let mut walks = Vec::new();
        let mut plan = |kind, one: &'a Bvh, other: &'a Bvh| {
            let part = |part| Traversal { kind, one, other, part };
            walks.extend(one.split(other, parts).into_iter().map(part));
        };
        for &(a, b) in meetings {
            let trees = |body: u32| {
                let Body { trees, loose, .. } = &self.bodies[body as usize];
                if a == b && kept(body) == CullState::Partly { loose } else { trees }
            };
            let [one, other] = [a, b].map(trees);
            let (Some(one), Some(other)) = (one, other) else { continue };
            plan(PairKind::EdgeEdge, &one.edges, &other.edges);
            let both = [(one, other), (other, one)];
            for (one, other) in both.into_iter().take(if a == b { 1 } else { 2 }) {
                plan(PairKind::VertexFace, &one.vertices, &other.faces);
                plan(PairKind::VertexEdge, &one.vertices, &other.bare);
            }
        }
        walks
    }

    /// The pairs of points, through the borders of a periodic box as well.
    fn points(&mut self, contact: &Contact, mut visit: impl FnMut(PairId)) {
        let Contact { vertices, period, .. } = contact;
        // Through the border of a periodic box a point goes far: there the old tree suits nobody.
        if self.age_of_points.is_multiple_of(SEARCHES_PER_TREE_OF_POINTS) || !period.is_zero() {
            self.tree_of_points = None;
        }
        self.age_of_points = self.age_of_points.wrapping_add(1);
        let is_soft = |v: u32| vertices[v as usize].soft_radius > 0.0;
        periodic::self_pairs(
            &self.points,
            &self.hulls.vertices,
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

/// What is known of one body.
struct Body {
    /// Its vertices, edges and faces.
    primitives: [Range<u32>; 3],
    /// The largest of its outlines, in m.
    reach: f64,
    trees: Option<Trees>,
    /// Those over what is loose of it, everything else in boxes that hold nothing.
    loose: Option<Trees>,
    /// In how many searches it took part since they were planted.
    age: u32,
}

impl Body {
    fn new(outlines: &PrimitiveStatics, primitives: [Range<u32>; 3]) -> Self {
        let [vertices, edges, faces] =
            primitives.clone().map(|range| range.start as usize..range.end as usize);
        let own =
            outlines.vertices[vertices].iter().chain(&outlines.edges[edges]).chain(&outlines.faces[faces]);
        let reach = own.map(|outline| outline.reach).fold(0.0, f64::max);
        Self { primitives, reach, trees: None, loose: None, age: 0 }
    }

    /// Around all of it and its surroundings.
    fn bounds(&self, outlines: &PrimitiveStatics, (x, skin): (&[Vec3], &[f64])) -> Bounds {
        let [Range { start, end }, ..] = self.primitives;
        let (mut bounds, mut widest) = (Bounds::EMPTY, 0.0_f64);
        for outline in &outlines.vertices[start as usize..end as usize] {
            let v = outline.corners[0] as usize;
            bounds = bounds.joined(&Bounds { min: x[v], max: x[v] });
            widest = widest.max(skin[v]);
        }
        let size = bounds.min.max_abs().max(bounds.max.max_abs());
        bounds.grown((widest + self.reach) * (1.0 + 2e-9) + 256.0 * f64::EPSILON * size)
    }

    /// Plants or fits its trees.
    fn fit(
        &mut self,
        contact: &Contact,
        outlines: &PrimitiveStatics,
        hulls: &SweptBoundsOfAll,
        is_shared: bool,
    ) {
        match &mut self.trees {
            Some(trees) if self.age > 0 => trees.refit(hulls, outlines, |_| true, is_shared),
            trees => {
                *trees = Some(Trees::plant(contact, hulls, &self.primitives, is_shared));
                self.loose = None;
            }
        }
        self.age = (self.age + 1) % SEARCHES_PER_TREE;
    }
}

/// Trees over the primitives of one body.
struct Trees {
    vertices: Bvh,
    edges: Bvh,
    /// The edges of rods.
    bare: Bvh,
    faces: Bvh,
}

impl Trees {
    fn plant(
        contact: &Contact,
        hulls: &SweptBoundsOfAll,
        [vertices, edges, faces]: &[Range<u32>; 3],
        is_shared: bool,
    ) -> Self {
        // Grains among themselves are found elsewhere: their tree is for what has edges or faces.
        let is_needed = !(contact.edges.is_empty() && contact.faces.is_empty());
        let vertices = if is_needed { vertices.clone() } else { 0..0 };
        let is_bare = |e: &u32| contact.edges[*e as usize].is_bare;
        let (edges, (vertices, (faces, bare))) = both(
            is_shared,
            || Bvh::over(edges.clone(), |i| hulls.edges[i as usize].bounds),
            || {
                both(
                    is_shared,
                    || Bvh::over(vertices, |i| hulls.vertices[i as usize].bounds),
                    || {
                        (
                            Bvh::over(faces.clone(), |i| hulls.faces[i as usize].bounds),
                            Bvh::over(edges.clone().filter(is_bare), |i| hulls.edges[i as usize].bounds),
                        )
                    },
                )
            },
        );
        Self { vertices, edges, bare, faces }
    }

    /// Takes the boxes of those that are `within`, and such that hold nothing for all others.
    fn refit(
        &mut self,
        hulls: &SweptBoundsOfAll,
        outlines: &PrimitiveStatics,
        within: impl Fn(&PrimitiveStatic) -> bool + Sync,
        is_shared: bool,
    ) {
        let Self { vertices, edges, bare, faces } = self;
        let bounds = |outlines: &[PrimitiveStatic], hulls: &[SweptBounds], i: u32| {
            if within(&outlines[i as usize]) { hulls[i as usize].bounds } else { Bounds::EMPTY }
        };
        both(
            is_shared,
            || edges.refit(|i| bounds(&outlines.edges, &hulls.edges, i)),
            || {
                vertices.refit(|i| bounds(&outlines.vertices, &hulls.vertices, i));
                bare.refit(|i| bounds(&outlines.edges, &hulls.edges, i));
                faces.refit(|i| bounds(&outlines.faces, &hulls.faces, i));
            },
        );
    }
}

/// Does one and the other, on two threads if a team leads.
fn both<A: Send, B: Send>(
    is_shared: bool,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    if is_shared { rayon::join(one, other) } else { (one(), other()) }
}

/// A walk through a part of two trees.
struct Traversal<'a> {
    kind: PairKind,
    one: &'a Bvh,
    other: &'a Bvh,
    part: Part,
}

impl Traversal<'_> {
    /// The pairs that may be near.
    fn candidates(&self, outlines: &PrimitiveStatics, hulls: &SweptBoundsOfAll) -> Vec<PairId> {
        let (first, second) = match self.kind {
            PairKind::EdgeEdge => ((&outlines.edges, &hulls.edges), (&outlines.edges, &hulls.edges)),
            PairKind::VertexEdge => ((&outlines.vertices, &hulls.vertices), (&outlines.edges, &hulls.edges)),
            _ => ((&outlines.vertices, &hulls.vertices), (&outlines.faces, &hulls.faces)),
        };
        let mut ids = Vec::new();
        self.one.pairs_in(self.other, self.part, |a, b| {
            let (i, j) = (a as usize, b as usize);
            // Names first: they lie close together, and tell two thirds of all apart.
            if first.0[i].may_touch(&second.0[j]) && !first.1[i].is_apart_from(&second.1[j]) {
                let [a, b] = if self.kind == PairKind::EdgeEdge { [a.min(b), a.max(b)] } else { [a, b] };
                ids.push(PairId { kind: self.kind, a, b });
            }
        });
        ids
    }
}

/// What is known of a primitive before anything moves.
struct PrimitiveStatic {
    /// What its corners are called in pairs; some may be the same.
    corners: [u32; 3],
    /// Whether a corner can move freely.
    is_free: bool,
    /// Its radius and half of its thickest layer, in m.
    reach: f64,
}

impl PrimitiveStatic {
    fn new(rules: &PairRules, corners: [u32; 3], reach: f64) -> Self {
        let is_free = corners.iter().any(|v| rules.is_free(*v));
        Self { corners: corners.map(|v| rules.name(v)), is_free, reach }
    }

    /// Whether the two can be a pair.
    #[inline]
    fn may_touch(&self, other: &Self) -> bool {
        let are_joined = self.corners.iter().any(|v| other.corners.contains(v));
        !are_joined && (self.is_free || other.is_free)
    }

    /// It and its surroundings, where it is now.
    #[inline]
    fn at(&self, x: &[Vec3], skin: &[f64]) -> SweptBounds {
        let skin = self.corners.iter().map(|v| skin[*v as usize]).fold(0.0, f64::max);
        SweptBounds::new(self.corners.map(|v| x[v as usize]), skin + self.reach)
    }
}

/// Every primitive.
struct PrimitiveStatics {
    vertices: Vec<PrimitiveStatic>,
    edges: Vec<PrimitiveStatic>,
    faces: Vec<PrimitiveStatic>,
}

impl PrimitiveStatics {
    fn new(rules: &PairRules) -> Self {
        let Contact { vertices, edges, faces, .. } = rules.contact();
        let half = half_thickness(rules);
        let of = |corners, body: u32, radius: f64| {
            PrimitiveStatic::new(rules, corners, radius + half[body as usize])
        };
        // A soft sphere may reach farther than the layers around its hard core.
        let wide = |v: &SurfaceVertex| v.radius.max(v.soft_radius - half[v.body as usize]);
        let edge = |[a, b]: [u32; 2]| [a, b, b];
        Self {
            vertices: vertices.iter().map(|v| of([v.vertex; 3], v.body, wide(v))).collect(),
            edges: edges.iter().map(|e| of(edge(e.vertices), e.body, e.radius)).collect(),
            faces: faces.iter().map(|f| of(f.vertices, f.body, 0.0)).collect(),
        }
    }
}

/// Every primitive with its surroundings.
struct SweptBoundsOfAll {
    vertices: Vec<SweptBounds>,
    edges: Vec<SweptBounds>,
    faces: Vec<SweptBounds>,
}

impl SweptBoundsOfAll {
    /// Room for all.
    fn new(outlines: &PrimitiveStatics) -> Self {
        let nowhere =
            |outlines: &Vec<PrimitiveStatic>| vec![SweptBounds::new([Vec3::ZERO; 3], 0.0); outlines.len()];
        Self {
            vertices: nowhere(&outlines.vertices),
            edges: nowhere(&outlines.edges),
            faces: nowhere(&outlines.faces),
        }
    }

    /// Takes those of a body from where they are.
    fn fill(
        &mut self,
        outlines: &PrimitiveStatics,
        [vertices, edges, faces]: &[Range<u32>; 3],
        (x, skin): (&[Vec3], &[f64]),
        sharing: Sharing,
    ) {
        let fill = |range: &Range<u32>, outlines: &[PrimitiveStatic], hulls: &mut [SweptBounds]| {
            let own = range.start as usize..range.end as usize;
            let (outlines, hulls) = (&outlines[own.clone()], &mut hulls[own]);
            if sharing.is_shared {
                let places = hulls.par_iter_mut().zip(outlines).with_min_len(sharing.primitives);
                places.for_each(|(hull, outline)| *hull = outline.at(x, skin));
            } else {
                hulls.iter_mut().zip(outlines).for_each(|(hull, outline)| *hull = outline.at(x, skin));
            }
        };
        fill(vertices, &outlines.vertices, &mut self.vertices);
        fill(edges, &outlines.edges, &mut self.edges);
        fill(faces, &outlines.faces, &mut self.faces);
    }
}

/// A primitive and what is near it.
#[derive(Clone)]
pub(super) struct SweptBounds {
    /// Around all of it.
    pub bounds: Bounds,
    pub centre: Vec3,
    /// Its corners, from the centre; some may be the same.
    corners: [Vec3; 3],
    /// In m, with room for rounding.
    margin: f64,
}

impl SweptBounds {
    fn new(corners: [Vec3; 3], margin: f64) -> Self {
        let Bounds { min, max } = Bounds::of(&corners);
        let centre = (min + max) * 0.5;
        let size = |x: Vec3| x.x.abs() + x.y.abs() + x.z.abs();
        let largest = corners.into_iter().map(size).fold(0.0, f64::max);
        let margin = margin * (1.0 + 1e-9) + 64.0 * f64::EPSILON * largest;
        let bounds = Bounds { min: min - Vec3::splat(margin), max: max + Vec3::splat(margin) };
        let [a, b, c] = corners;
        Self { bounds, centre, corners: [a - centre, b - centre, c - centre], margin }
    }

    /// Whether their surroundings are certainly apart, seen along the line between their centres.
    #[inline]
    fn is_apart_from(&self, other: &Self) -> bool {
        let across = other.centre - self.centre;
        let farthest = |hull: &Self, along: Vec3| {
            let [a, b, c] = &hull.corners;
            a.dot(along).max(b.dot(along)).max(c.dot(along))
        };
        let gap = across.dot(across) - farthest(self, across) - farthest(other, -across);
        let margins = self.margin + other.margin;
        gap > 0.0 && gap * gap > margins * margins * across.dot(across)
    }
}
