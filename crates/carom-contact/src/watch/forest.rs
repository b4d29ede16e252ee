//! Trees around the primitives of all bodies: which of them may be near each other.
//!
//! Every body has its trees, so that two bodies far apart cost one comparison. After a search they stay: most of the time their shape
//! still suits the next one.

use core::ops::Range;

use carom_geometry::{Bounds, Bvh, Part};
use carom_math::Vec3;
use carom_model::{Contact, PairId, PairKind, SurfaceEdge, SurfaceFace, SurfaceVertex};

use rayon::prelude::*;

use super::near::half_thickness;
use super::periodic;
use crate::Catalogue;

/// Threads share a walk through two trees in this many parts.
const PARTS: usize = 16;

/// Trees are planted anew after this many searches; in between they are fitted to where things are.
const SEARCHES_PER_TREE: u32 = 8;

/// The trees of the last search: most of the time their shape still suits.
pub(super) struct Forest {
    /// Half of the thickest first layer of each body, in m.
    reach: Vec<f64>,
    /// The points, by their numbers among the vertices of surfaces.
    points: Vec<u32>,
    /// The vertices, edges and faces of each body.
    bodies: Vec<[Range<u32>; 3]>,
    /// One for each body.
    trees: Vec<Trees>,
    age: u32,
    /// Whether a team of threads leads.
    is_shared: bool,
}

impl Forest {
    /// Nothing is planted yet.
    pub fn new(catalogue: &Catalogue, is_shared: bool) -> Self {
        let vertices = &catalogue.contact().vertices;
        let points = (0..).zip(vertices).filter(|(_, v)| v.is_point).map(|(i, _)| i);
        Self {
            reach: half_thickness(catalogue),
            points: points.collect(),
            bodies: primitives_of_bodies(catalogue.contact()),
            trees: Vec::new(),
            age: 0,
            is_shared,
        }
    }

    /// What `keep` says of all pairs whose surroundings may overlap, in no order, of some twice; a few are left out of the catalogue. Vertex
    /// `v` of pairs is at `x[v]` and may move by `skin[v]`, in m.
    pub fn search<R: Send>(
        &mut self,
        catalogue: &Catalogue,
        (x, skin): (&[Vec3], &[f64]),
        keep: impl Fn(PairId) -> Option<R> + Sync,
    ) -> Vec<R> {
        let contact = catalogue.contact();
        let hulls = Hulls::new(&Place { catalogue, reach: &self.reach, x, skin }, self.is_shared);
        self.fit(contact, &hulls);
        let walks = self.walks();
        let run = |walk: &Walk, found: &mut Vec<R>| walk.run(&hulls, |id| found.extend(keep(id)));
        let mut found = Vec::new();
        if self.is_shared {
            let run = |walk: &Walk| {
                let mut found = Vec::new();
                run(walk, &mut found);
                found
            };
            found = walks.par_iter().flat_map_iter(run).collect();
        } else {
            for walk in &walks {
                run(walk, &mut found);
            }
        }
        self.points(contact, &hulls, |id| found.extend(keep(id)));
        found
    }

    /// All walks through two trees.
    fn walks<'a>(&'a self) -> Vec<Walk<'a>> {
        let parts = if self.is_shared { PARTS } else { 1 };
        let mut walks = Vec::new();
        let mut plan = |kind, one: &'a Bvh, other: &'a Bvh| {
            let part = |part| Walk { kind, one, other, part };
            walks.extend(one.split(other, parts).into_iter().map(part));
        };
        let mut look = |a: u32, b: u32| {
            let (one, other) = (&self.trees[a as usize], &self.trees[b as usize]);
            plan(PairKind::EdgeEdge, &one.edges, &other.edges);
            let both = [(one, other), (other, one)];
            for (one, other) in both.into_iter().take(if a == b { 1 } else { 2 }) {
                plan(PairKind::VertexFace, &one.vertices, &other.faces);
                plan(PairKind::VertexEdge, &one.vertices, &other.bare);
            }
        };
        (0..self.trees.len() as u32).for_each(|body| look(body, body));
        let roots: Vec<Bounds> = self.trees.iter().map(Trees::bounds).collect();
        Bvh::new(&roots).self_pairs(look);
        walks
    }

    /// Plants or fits the trees.
    fn fit(&mut self, contact: &Contact, hulls: &Hulls) {
        if self.age == 0 {
            self.trees = self.bodies.iter().map(|body| Trees::plant(contact, hulls, body)).collect();
        } else {
            self.trees.iter_mut().for_each(|trees| trees.refit(hulls));
        }
        self.age = (self.age + 1) % SEARCHES_PER_TREE;
    }

    /// The pairs of points, through the borders of a periodic box as well.
    fn points(&self, contact: &Contact, hulls: &Hulls, mut visit: impl FnMut(PairId)) {
        let Contact { vertices, period, .. } = contact;
        let is_soft = |v: u32| vertices[v as usize].soft_radius > 0.0;
        periodic::self_pairs(&self.points, &hulls.vertices, *period, |a, b| {
            visit(PairId { kind: PairKind::VertexVertex, a, b });
            if is_soft(a) && is_soft(b) {
                visit(PairId { kind: PairKind::Soft, a, b });
            }
        });
    }
}

/// The numbers of the vertices, edges and faces of each body: in the order of bodies.
fn primitives_of_bodies(Contact { vertices, edges, faces, bodies, .. }: &Contact) -> Vec<[Range<u32>; 3]> {
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

/// Trees over the primitives of one body.
struct Trees {
    vertices: Bvh,
    edges: Bvh,
    /// The edges of rods.
    bare: Bvh,
    faces: Bvh,
}

impl Trees {
    fn plant(contact: &Contact, hulls: &Hulls, [vertices, edges, faces]: &[Range<u32>; 3]) -> Self {
        let is_bare = |e: &u32| contact.edges[*e as usize].is_bare;
        Self {
            vertices: Bvh::over(vertices.clone(), |i| hulls.vertices[i as usize].bounds),
            edges: Bvh::over(edges.clone(), |i| hulls.edges[i as usize].bounds),
            bare: Bvh::over(edges.clone().filter(is_bare), |i| hulls.edges[i as usize].bounds),
            faces: Bvh::over(faces.clone(), |i| hulls.faces[i as usize].bounds),
        }
    }

    fn refit(&mut self, Hulls { vertices, edges, faces }: &Hulls) {
        self.vertices.refit(|i| vertices[i as usize].bounds);
        self.edges.refit(|i| edges[i as usize].bounds);
        self.bare.refit(|i| edges[i as usize].bounds);
        self.faces.refit(|i| faces[i as usize].bounds);
    }

    fn bounds(&self) -> Bounds {
        self.vertices.bounds().joined(&self.edges.bounds()).joined(&self.faces.bounds())
    }
}

/// A walk through a part of two trees.
struct Walk<'a> {
    kind: PairKind,
    one: &'a Bvh,
    other: &'a Bvh,
    part: Part,
}

impl Walk<'_> {
    /// Visits the pairs that may be near.
    fn run(&self, Hulls { vertices, edges, faces }: &Hulls, mut visit: impl FnMut(PairId)) {
        let (first, second) = match self.kind {
            PairKind::EdgeEdge => (edges, edges),
            PairKind::VertexEdge => (vertices, edges),
            _ => (vertices, faces),
        };
        self.one.pairs_in(self.other, self.part, |a, b| {
            if first[a as usize].may_be_near(&second[b as usize]) {
                let [a, b] = if self.kind == PairKind::EdgeEdge { [a.min(b), a.max(b)] } else { [a, b] };
                visit(PairId { kind: self.kind, a, b });
            }
        });
    }
}

/// Where primitives are: vertex `v` of pairs at `x[v]`, free to move by `skin[v]`, in m.
struct Place<'a> {
    catalogue: &'a Catalogue,
    reach: &'a [f64],
    x: &'a [Vec3],
    skin: &'a [f64],
}

impl Place<'_> {
    /// The surroundings of a primitive: its skin, its radius and half of its thickest layer.
    fn around(&self, corners: [u32; 3], body: u32, radius: f64) -> Hull {
        let names = corners.map(|v| self.catalogue.name(v));
        let skin = names.iter().map(|v| self.skin[*v as usize]).fold(0.0, f64::max);
        let is_free = corners.iter().any(|v| self.catalogue.is_free(*v));
        let corners = names.map(|v| self.x[v as usize]);
        Hull::new(corners, names, is_free, skin + radius + self.reach[body as usize])
    }

    fn vertex(&self, v: &SurfaceVertex) -> Hull {
        // A soft sphere may reach farther than the layers around its hard core.
        let wide = v.radius.max(v.soft_radius - self.reach[v.body as usize]);
        self.around([v.vertex; 3], v.body, wide)
    }

    fn edge(&self, e: &SurfaceEdge) -> Hull {
        let [a, b] = e.vertices;
        self.around([a, b, b], e.body, e.radius)
    }

    fn face(&self, f: &SurfaceFace) -> Hull {
        self.around(f.vertices, f.body, 0.0)
    }
}

/// Every primitive with its surroundings.
struct Hulls {
    vertices: Vec<Hull>,
    edges: Vec<Hull>,
    faces: Vec<Hull>,
}

impl Hulls {
    fn new(place: &Place, is_shared: bool) -> Self {
        let Contact { vertices, edges, faces, .. } = place.catalogue.contact();
        if is_shared {
            return Self {
                vertices: vertices.par_iter().map(|v| place.vertex(v)).collect(),
                edges: edges.par_iter().map(|e| place.edge(e)).collect(),
                faces: faces.par_iter().map(|f| place.face(f)).collect(),
            };
        }
        Self {
            vertices: vertices.iter().map(|v| place.vertex(v)).collect(),
            edges: edges.iter().map(|e| place.edge(e)).collect(),
            faces: faces.iter().map(|f| place.face(f)).collect(),
        }
    }
}

/// A primitive and what is near it.
pub(super) struct Hull {
    /// Around all of it.
    pub bounds: Bounds,
    pub centre: Vec3,
    /// Its corners, from the centre; some may be the same.
    corners: [Vec3; 3],
    /// In m, with room for rounding.
    margin: f64,
    /// What its corners are called in pairs.
    names: [u32; 3],
    /// Whether a corner can move freely.
    is_free: bool,
}

impl Hull {
    fn new(corners: [Vec3; 3], names: [u32; 3], is_free: bool, margin: f64) -> Self {
        let Bounds { min, max } = Bounds::of(&corners);
        let centre = (min + max) * 0.5;
        let size = |x: Vec3| x.x.abs() + x.y.abs() + x.z.abs();
        let largest = corners.into_iter().map(size).fold(0.0, f64::max);
        let margin = margin * (1.0 + 1e-9) + 64.0 * f64::EPSILON * largest;
        let bounds = Bounds { min: min - Vec3::splat(margin), max: max + Vec3::splat(margin) };
        let [a, b, c] = corners;
        Self { bounds, centre, corners: [a - centre, b - centre, c - centre], margin, names, is_free }
    }

    /// Whether the two can be a pair and their surroundings may overlap.
    #[inline]
    fn may_be_near(&self, other: &Self) -> bool {
        let are_joined = self.names.iter().any(|v| other.names.contains(v));
        !are_joined && (self.is_free || other.is_free) && !self.is_apart_from(other)
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
