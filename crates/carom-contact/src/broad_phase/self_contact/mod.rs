//! Self-contact culling: a body that has kept its shape does not touch itself.
//!
//! Let x be where a body is, X its rest shape, R an isometry, and ε the most by which the deformation gradient of a triangle
//! differs from R. Along a way on the surface, ℓ long at rest, x − RX changes by at most εℓ. So two points that are D apart at
//! rest, and joined by a way of at most κD, are at least D(1 − εκ) apart now. If the nearest two primitives of a body with no
//! corner in common are D apart at rest, its vertices may all move by half of what that leaves beside the first layer before
//! the body can touch itself. As long as that is far enough, none of its own pairs needs to be searched, but for a few that
//! *always are candidates*: so near at rest that hardly any strain is left to them.
//!
//! How far D is follows from κ and the heights of triangles: a function that is 0 at the corners of one primitive and 1 at all other
//! vertices rises by at most ℓ/h along a way of length ℓ, h the least of all heights, so that a way to a primitive
//! with none of these corners is at least h long, and D at least h/κ. Where that leaves pairs that may be too near, they are searched at rest.
//!
//! Where only some triangles are strained more than that leaves room for, only pairs joined by a way through these can touch,
//! and only if they are near enough at rest for the largest strain of all. A way that crosses a ring of triangles is as long
//! as the lowest of them is high, so the primitives of such pairs are a few rings around: what is *searched*.
//!
//! Of sheets and balls, κ is known ([`GeodesicBound`]), and most are bent by less than it takes, most of the time.

mod geodesic_bound;
mod rest_search;

use core::ops::Range;

use carom_math::{Mat3, Vec3};
use carom_model::{PairId, SurfaceFace};

use geodesic_bound::GeodesicBound;
use rest_search::RestSearch;

use super::trees::primitives_of_bodies;
use crate::{PairRules, Sharing};

/// Covers the rounding of lengths, heights and chords, of an isometry that is none to 1e-9, and of the distance that a kernel would compute later, whose
/// error is below 1e-12 of it.
const INWARD: f64 = 1.0 - 1e-8;

/// Covers the rounding of strains: of a triangle no flatter than [`FLAT`], they lose half of their digits and a hundredth more.
const OUTWARD: f64 = 1.0 + 1e-5;

/// What an edge less a turned one can miss, over the largest coordinate: some ten roundings.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// A body with a triangle whose height is less, over its longest edge, has no shape.
const FLAT: f64 = 0.01;

/// A pair that takes less strain always is a candidate.
const LEAST_STRAIN: f64 = 0.1;

/// The skins of a body that is searched in parts, over the least: the narrower, the less of it is searched.
const NARROW: f64 = 1.5;

/// About so many triangles tell how a body is turned.
const SAMPLE: usize = 100;

/// A body that can touch itself only where it loses its shape, and what its rest shape says of that.
pub(super) struct SelfContactCulling {
    triangles: Vec<Triangle>,
    /// The numbers of its vertices in pairs.
    vertices: Vec<u32>,
    geodesic_bound: GeodesicBound,
    /// The largest `‖G‖` of its triangles, in 1/m.
    sharpest: f64,
    /// The least height of a triangle, in m.
    lowest: f64,
    /// How near its pairs are at rest, without those that always are candidates.
    gaps: Vec<Gap>,
    /// Pairs that are candidates whatever its shape is.
    always_candidates: Vec<PairId>,
}

/// Which pairs of one body can touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CullState {
    /// Only those that always are candidates.
    Apart,
    /// Those that always are candidates, and those among the searched vertices.
    Partly,
    /// Any: nothing is known of its shape.
    Unknown,
}

/// A triangle at rest, and where it is now.
struct Triangle {
    corners: [u32; 3],
    /// From the first corner to the others, in m.
    edges: [Vec3; 2],
    /// The inverse of the products of the edges: `g₁₁`, `g₁₂`, `g₂₂`, in 1/m².
    metric: [f64; 3],
    /// In m².
    area: f64,
}

/// How near the pairs are at rest that begin with the same layer.
#[derive(Clone, Copy)]
struct Gap {
    /// How near their primitives must not come, in m.
    reach: f64,
    /// How near the nearest are at rest, in m.
    at_rest: f64,
}

impl Triangle {
    fn new(rules: &PairRules, face: &SurfaceFace) -> Option<Self> {
        let [a, b, c] = face.vertices.map(|v| rules.contact().rest[v as usize]);
        let edges @ [e, f] = [b - a, c - a];
        let area_sq = e.cross(f).length_sq();
        let triangle = Self {
            corners: face.vertices.map(|v| rules.renumbered(v)),
            edges,
            metric: [f.dot(f), -e.dot(f), e.dot(e)].map(|x| x / area_sq),
            area: 0.5 * area_sq.sqrt(),
        };
        (triangle.height() >= FLAT * triangle.longest_edge()).then_some(triangle)
    }

    fn longest_edge(&self) -> f64 {
        let [e, f] = self.edges;
        e.length().max(f.length()).max((f - e).length())
    }

    /// The least of its heights, in m.
    fn height(&self) -> f64 {
        2.0 * self.area / self.longest_edge()
    }

    /// Edges from the first corner to the others, with vertex `v` at `x[v]`, in m.
    #[inline]
    fn edges_at(&self, x: &[Vec3]) -> [Vec3; 2] {
        let [a, b, c] = self.corners.map(|v| x[v as usize]);
        [b - a, c - a]
    }

    /// Adds its deformation gradient times its area: what turns its normal turns with it.
    #[inline]
    fn add_gradient(&self, x: &[Vec3], to: &mut Mat3) {
        let ([e, f], [d, h], [g, m, l]) = (self.edges, self.edges_at(x), self.metric);
        let normal = e.cross(f) * (1.0 / (2.0 * self.area));
        let parts =
            [(d * self.area, e * g + f * m), (h * self.area, e * m + f * l), (d.cross(h) * 0.5, normal)];
        for (now, at_rest) in parts {
            to.columns[0] += now * at_rest.x;
            to.columns[1] += now * at_rest.y;
            to.columns[2] += now * at_rest.z;
        }
    }

    /// The square of the norm of its deformation gradient less an isometry.
    #[inline]
    fn strain_sq(&self, x: &[Vec3], isometry: &Mat3) -> f64 {
        let ([e, f], [d, h], [g, m, l]) = (self.edges, self.edges_at(x), self.metric);
        let (u, v) = (d - isometry.apply(e), h - isometry.apply(f));
        let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
        let half = 0.5 * (uu * g + 2.0 * uv * m + vv * l);
        let product = (uu * vv - uv * uv) * (g * l - m * m);
        half + (half * half - product).max(0.0).sqrt()
    }
}

impl SelfContactCulling {
    /// Whether a pair always is a candidate that is so far apart at rest, must not come nearer than `reach`, and whose least skins are these,
    /// in m.
    fn is_always_candidate(&self, at_rest: f64, reach: f64, least_skin: f64) -> bool {
        self.geodesic_bound.nearest(at_rest, LEAST_STRAIN) < reach + 2.0 * NARROW * least_skin
    }

    /// By how much each triangle differs from an isometry common to all.
    fn strains(&self, x: &[Vec3]) -> Option<Vec<f64>> {
        let mut whole = Mat3 { columns: [Vec3::ZERO; 3] };
        let mut area = 0.0;
        // Any isometry will do: a good one is found from a few triangles.
        for triangle in self.triangles.iter().step_by(1 + self.triangles.len() / SAMPLE) {
            triangle.add_gradient(x, &mut whole);
            area += triangle.area;
        }
        whole.columns = whole.columns.map(|column| column * (1.0 / area));
        let isometry = whole.nearest_isometry()?;
        let size = self.vertices.iter().map(|v| x[*v as usize].max_abs()).fold(0.0, f64::max);
        let rounding_bound = ROUNDING * size * self.sharpest;
        Some(
            self.triangles
                .iter()
                .map(|t| OUTWARD * t.strain_sq(x, &isometry).sqrt() + rounding_bound)
                .collect(),
        )
    }

    /// How far every vertex may move, in m, before parts can touch that no triangle between them is strained by more.
    fn room(&self, strain: f64) -> f64 {
        let room = |gap: &Gap| 0.5 * (INWARD * self.geodesic_bound.nearest(gap.at_rest, strain) - gap.reach);
        self.gaps.iter().map(room).fold(f64::INFINITY, f64::min)
    }

    /// Which pairs can touch while skins last. Makes skins narrower if that leaves fewer, and says which vertices are searched.
    fn cull(&self, x: &[Vec3], least: &[f64], skins: &mut [f64], is_searched: &mut [bool]) -> CullState {
        // Of a vertex that is nowhere, nothing is known.
        let strains = self.strains(x).filter(|strains| strains.iter().all(|strain| strain.is_finite()));
        let Some(strains) = strains else { return CullState::Unknown };
        let most = strains.iter().copied().fold(0.0, f64::max);
        let own = || self.vertices.iter().map(|v| *v as usize);
        let room = self.room(most);
        if own().all(|v| least[v] <= room) {
            own().for_each(|v| skins[v] = skins[v].min(room));
            return CullState::Apart;
        }
        let narrow = NARROW * own().map(|v| least[v]).fold(f64::INFINITY, f64::min);
        let width = |v: usize| skins[v].min(narrow.max(least[v]));
        let widest = own().map(width).fold(0.0, f64::max);
        let reach = self.gaps.iter().map(|gap| gap.reach).fold(0.0, f64::max);
        let Some(far) = self.geodesic_bound.farthest((reach + 2.0 * widest) / INWARD, most) else {
            return CullState::Unknown;
        };
        for (triangle, strain) in self.triangles.iter().zip(&strains) {
            let corners = triangle.corners.map(|v| v as usize);
            if self.room(*strain) < narrow || corners.iter().any(|v| least[*v] > narrow) {
                for v in corners {
                    is_searched[v] = true;
                }
            }
        }
        let rings = (self.geodesic_bound.way(far) / (INWARD * self.lowest)) as usize;
        for ring in 0..=rings {
            if 2 * own().filter(|v| is_searched[*v]).count() > self.vertices.len() {
                return CullState::Unknown;
            }
            if ring < rings && !self.add_a_ring(is_searched) {
                break;
            }
        }
        own().for_each(|v| skins[v] = skins[v].min(narrow.max(least[v])));
        CullState::Partly
    }

    /// Adds to the searched vertices all of triangles that have a searched one; `false` if there are none.
    fn add_a_ring(&self, is_searched: &mut [bool]) -> bool {
        let is_beside = |t: &&Triangle| t.corners.iter().any(|v| is_searched[*v as usize]);
        let beside: Vec<u32> = self.triangles.iter().filter(is_beside).flat_map(|t| t.corners).collect();
        let mut is_more = false;
        for v in beside {
            is_more |= !core::mem::replace(&mut is_searched[v as usize], true);
        }
        is_more
    }
}

/// Which pairs of one body can touch, of all bodies.
pub(super) struct CulledBodies {
    /// Which pairs of each body can touch.
    pub states: Vec<CullState>,
    /// Which vertices are searched, of bodies that are searched in parts.
    pub is_searched: Vec<bool>,
    /// The pairs that always are candidates, of bodies that are not searched as a whole.
    pub always_candidates: Vec<PairId>,
}

/// The culling of all bodies that have a known shape.
pub(super) struct CullingOfBodies(Vec<Option<SelfContactCulling>>);

impl CullingOfBodies {
    /// The culling of the bodies of a scene, whose vertices have these least skins, in m; a team of threads shares the work if one leads.
    pub fn new(rules: &PairRules, least_skin: &[f64], sharing: Sharing) -> Self {
        let contact = rules.contact();
        let mut culling: Vec<Option<SelfContactCulling>> =
            primitives_of_bodies(contact).iter().map(|own| shape(rules, own)).collect();
        let mut rest_search = RestSearch::new(rules, least_skin);
        for (body, shape) in (0..).zip(&mut culling) {
            let Some(shape) = shape else { continue };
            let reach = rules.all_layers()[contact.layers_between(body, body) as usize].thickness(1);
            let at_rest = INWARD * shape.geodesic_bound.chord(shape.lowest);
            let least = shape.vertices.iter().map(|v| least_skin[*v as usize]).fold(0.0, f64::max);
            let at_rest = if shape.is_always_candidate(at_rest, reach, least) {
                rest_search.add_body(body, shape, reach)
            } else {
                at_rest
            };
            shape.gaps.push(Gap { reach, at_rest });
        }
        rest_search.add_to(&mut culling, sharing);
        Self(culling)
    }

    /// Which pairs of one body can touch as long as no vertex moves farther from `x` than its skin, which may be made narrower for
    /// that, but never narrower than `least`, in m.
    pub fn cull(&self, x: &[Vec3], least: &[f64], skins: &mut [f64]) -> CulledBodies {
        let mut culled = CulledBodies {
            states: Vec::new(),
            is_searched: vec![false; x.len()],
            always_candidates: Vec::new(),
        };
        for shape in &self.0 {
            let state = shape
                .as_ref()
                .map_or(CullState::Unknown, |shape| shape.cull(x, least, skins, &mut culled.is_searched));
            if let Some(shape) = shape.as_ref().filter(|_| state != CullState::Unknown) {
                culled.always_candidates.extend(&shape.always_candidates);
            }
            culled.states.push(state);
        }
        culled
    }
}

/// The culling of a body, without gaps; `None` if it has no geodesic bound, hard radii, or parts beside its triangles.
fn shape(rules: &PairRules, [vertices, edges, faces]: &[Range<u32>; 3]) -> Option<SelfContactCulling> {
    let contact = rules.contact();
    let vertices = &contact.vertices[vertices.start as usize..vertices.end as usize];
    let edges = &contact.edges[edges.start as usize..edges.end as usize];
    let faces = &contact.faces[faces.start as usize..faces.end as usize];
    let mut of_faces: Vec<u32> = faces.iter().flat_map(|f| f.vertices).collect();
    of_faces.sort_unstable();
    of_faces.dedup();
    let has_radius = vertices.iter().any(|v| v.radius > 0.0 || v.soft_radius > 0.0);
    let is_bare = edges.iter().any(|e| e.is_bare);
    if faces.is_empty() || has_radius || is_bare || vertices.len() != of_faces.len() {
        return None;
    }
    let number = |v: u32| of_faces.partition_point(|w| *w < v) as u32;
    let at_rest: Vec<Vec3> = of_faces.iter().map(|v| contact.rest[*v as usize]).collect();
    let corners: Vec<[u32; 3]> = faces.iter().map(|f| f.vertices.map(number)).collect();
    let geodesic_bound = GeodesicBound::of(&at_rest, &corners)?;
    let triangles: Vec<Triangle> =
        faces.iter().map(|face| Triangle::new(rules, face)).collect::<Option<_>>()?;
    let sharpest = triangles.iter().map(|t| (t.metric[0] + t.metric[2]).sqrt()).fold(0.0, f64::max);
    let lowest = triangles.iter().map(Triangle::height).fold(f64::INFINITY, f64::min);
    let vertices = of_faces.iter().map(|v| rules.renumbered(*v)).collect();
    Some(SelfContactCulling {
        triangles,
        vertices,
        geodesic_bound,
        sharpest,
        lowest,
        gaps: Vec::new(),
        always_candidates: Vec::new(),
    })
}

#[cfg(test)]
mod tests;
