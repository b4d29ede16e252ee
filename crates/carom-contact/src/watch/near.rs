//! The search for near pairs.
//!
//! A pair is near if its distance is at most its first thickness plus the skins of both primitives: what is not in the list
//! cannot touch a layer while no vertex moves farther than its skin. Boxes around the primitives, grown by skin, radius and
//! half the thickness, find the candidates; most of these lie askew in their boxes, and a look along the line between their
//! centres tells them apart before anything is measured.

use carom_geometry::{Bounds, Bvh};
use carom_math::Vec3;
use carom_model::{Contact, PairId, PairKind, SurfaceVertex};

use super::periodic;
use crate::{Catalogue, Pair, TooNear};

/// A near pair, as the search measured it.
pub struct Found {
    /// The pair.
    pub pair: Pair,
    /// Distance between the surfaces, in m.
    pub distance: f64,
    /// A bound on the error of the distance, in m.
    pub error: f64,
}

/// All pairs within their first layer, in the order of ids, with vertex `v` of pairs at `x[v]`.
#[must_use]
pub fn near_pairs(catalogue: &Catalogue, x: &[Vec3]) -> Vec<Found> {
    search(catalogue, x, &vec![0.0; x.len()])
}

/// Pairs of one body whose rest distance suits no layer, in the order of ids.
#[must_use]
pub fn too_near_at_rest(catalogue: &Catalogue) -> Vec<(PairId, TooNear)> {
    let mut x = vec![Vec3::ZERO; catalogue.vertices()];
    let rest = &catalogue.contact().rest;
    // Bodies lie on each other at rest; side by side, none finds another.
    let size = rest.iter().fold(0.0, |m: f64, x| m.max(x.x.abs()).max(x.y.abs()).max(x.z.abs()));
    let reach = half_thickness(catalogue).into_iter().fold(0.0, f64::max);
    for vertex in &catalogue.contact().vertices {
        let aside = 3.0 * (size + reach + vertex.radius) * f64::from(vertex.body);
        x[catalogue.name(vertex.vertex) as usize] = rest[vertex.vertex as usize] + Vec3::X * aside;
    }
    let mut found = Vec::new();
    let offer = |id: PairId| found.extend(catalogue.too_near_at_rest(id).map(|why| (id, why)));
    Forest::default().candidates(catalogue, &x, &vec![0.0; x.len()], offer);
    found.sort_unstable_by_key(|(id, _)| *id);
    found.dedup_by_key(|(id, _)| *id);
    found
}

/// All near pairs in the order of ids, with vertex `v` of pairs at `x[v]` and free to move by `skin[v]`, in m.
#[must_use]
pub fn search(catalogue: &Catalogue, x: &[Vec3], skin: &[f64]) -> Vec<Found> {
    Forest::default().search(catalogue, x, skin)
}

/// A tree is planted anew after this many searches; in between it is fitted to where things are.
const SEARCHES_PER_TREE: u32 = 8;

/// The trees of the last search: most of the time their shape still suits.
#[derive(Default)]
pub(super) struct Forest {
    faces: Option<Bvh>,
    edges: Option<Bvh>,
    age: u32,
}

impl Forest {
    /// As [`search`].
    pub fn search(&mut self, catalogue: &Catalogue, x: &[Vec3], skin: &[f64]) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        self.candidates(catalogue, x, skin, |id| found.extend(measured(catalogue, id, x, skin)));
        found.sort_unstable_by_key(|found| found.pair.id);
        // Through the border of a periodic box two points may be found more than once.
        found.dedup_by_key(|found| found.pair.id);
        found
    }

    /// Visits the names of all pairs whose surroundings may overlap, in no order; some are left out of the catalogue.
    #[inline]
    fn candidates(&mut self, catalogue: &Catalogue, x: &[Vec3], skin: &[f64], mut visit: impl FnMut(PairId)) {
        let around = Surroundings::new(catalogue, x, skin);
        let Contact { vertices, edges, .. } = catalogue.contact();
        let mut offer = |kind, a, b| visit(PairId { kind, a, b });
        if self.age == 0 {
            (self.faces, self.edges) = (None, None);
        }
        self.age = (self.age + 1) % SEARCHES_PER_TREE;
        let faces = fitted(&mut self.faces, &around.faces);
        for (a, vertex) in (0..).zip(&around.vertices) {
            faces.overlapping(&vertex.bounds(), |b| {
                if !vertex.is_apart_from(&around.faces[b as usize]) {
                    offer(PairKind::VertexFace, a, b);
                }
            });
        }
        fitted(&mut self.edges, &around.edges).self_pairs(|a, b| {
            if !around.edges[a as usize].is_apart_from(&around.edges[b as usize]) {
                offer(PairKind::EdgeEdge, a, b);
            }
        });
        let (bare, rods) = chosen(&around.edges, |e| edges[e].is_bare);
        for (a, vertex) in (0..).zip(&around.vertices) {
            rods.overlapping(&vertex.bounds(), |b| offer(PairKind::VertexEdge, a, bare[b as usize]));
        }
        let points: Vec<u32> = (0..).zip(vertices).filter(|(_, v)| v.is_point).map(|(i, _)| i).collect();
        let is_soft = |v: u32| vertices[v as usize].soft_radius > 0.0;
        periodic::self_pairs(&points, &around.vertices, catalogue.contact().period, |a, b| {
            offer(PairKind::VertexVertex, a, b);
            if is_soft(a) && is_soft(b) {
                offer(PairKind::Soft, a, b);
            }
        });
    }
}

/// The tree around these primitives: planted if there is none, fitted to them otherwise.
fn fitted<'t>(tree: &'t mut Option<Bvh>, hulls: &[Hull]) -> &'t Bvh {
    let bounds: Vec<Bounds> = hulls.iter().map(Hull::bounds).collect();
    if let Some(tree) = tree {
        tree.refit(&bounds);
    }
    tree.get_or_insert_with(|| Bvh::new(&bounds))
}

/// The pair of this name, if it is near.
#[inline]
fn measured(catalogue: &Catalogue, id: PairId, x: &[Vec3], skin: &[f64]) -> Option<Found> {
    let pair = catalogue.outline(id)?;
    let at = Catalogue::positions(&pair, |v| x[v as usize]);
    let (distance, error) = (pair.measure(&at).distance, pair.distance_error(&at));
    let (first, second) = pair.stencil().split_at(pair.first_primitive());
    let skin_of = |part: &[u32]| part.iter().map(|v| skin[*v as usize]).fold(0.0, f64::max);
    let skins = skin_of(first) + skin_of(second);
    // A little farther: the bound is on true distances, and this one is rounded.
    let is_near = |pair: &Pair| {
        let reach = catalogue.layers_of(pair).thickness(pair.first_layer) + skins;
        distance <= reach * (1.0 + 1e-9) + 4.0 * error
    };
    // Most candidates are far from all layers: what the rest shape says is asked for the others alone.
    let pair = is_near(&pair).then(|| catalogue.complete(pair))??;
    is_near(&pair).then_some(Found { pair, distance, error })
}

/// A tree over some of the primitives, and their numbers.
fn chosen(hulls: &[Hull], keep: impl Fn(usize) -> bool) -> (Vec<u32>, Bvh) {
    let numbers: Vec<u32> = (0..hulls.len()).filter(|i| keep(*i)).map(|i| i as u32).collect();
    let tree = Bvh::new(&numbers.iter().map(|i| hulls[*i as usize].bounds()).collect::<Vec<_>>());
    (numbers, tree)
}

/// Every primitive with its surroundings: its skin, its radius and half of its thickest layer.
struct Surroundings {
    vertices: Vec<Hull>,
    edges: Vec<Hull>,
    faces: Vec<Hull>,
}

impl Surroundings {
    fn new(catalogue: &Catalogue, x: &[Vec3], skin: &[f64]) -> Self {
        let Contact { vertices, edges, faces, .. } = catalogue.contact();
        let reach = half_thickness(catalogue);
        let around = |corners: [u32; 3], body: u32, radius: f64| {
            let names = corners.map(|v| catalogue.name(v) as usize);
            let skin = names.iter().map(|v| skin[*v]).fold(0.0, f64::max);
            Hull::new(names.map(|v| x[v]), skin + radius + reach[body as usize])
        };
        let edge = |[a, b]: [u32; 2]| [a, b, b];
        // A soft sphere may reach farther than the layers around its hard core.
        let wide = |v: &SurfaceVertex| v.radius.max(v.soft_radius - reach[v.body as usize]);
        Self {
            vertices: vertices.iter().map(|v| around([v.vertex; 3], v.body, wide(v))).collect(),
            edges: edges.iter().map(|e| around(edge(e.vertices), e.body, e.radius)).collect(),
            faces: faces.iter().map(|f| around(f.vertices, f.body, 0.0)).collect(),
        }
    }
}

/// A primitive and what is near it.
pub(super) struct Hull {
    pub centre: Vec3,
    /// Its corners, from the centre; some may be the same.
    corners: [Vec3; 3],
    /// In m, with room for rounding.
    pub margin: f64,
}

impl Hull {
    fn new(corners: [Vec3; 3], margin: f64) -> Self {
        let Bounds { min, max } = Bounds::of(&corners);
        let centre = (min + max) * 0.5;
        let size = |x: Vec3| x.x.abs() + x.y.abs() + x.z.abs();
        let largest = corners.into_iter().map(size).fold(0.0, f64::max);
        let margin = margin * (1.0 + 1e-9) + 64.0 * f64::EPSILON * largest;
        Self { centre, corners: corners.map(|x| x - centre), margin }
    }

    pub fn bounds(&self) -> Bounds {
        Bounds::of(&self.corners.map(|x| self.centre + x)).grown(self.margin)
    }

    /// Whether their surroundings are certainly apart, seen along the line between their centres.
    #[inline]
    fn is_apart_from(&self, other: &Self) -> bool {
        let across = other.centre - self.centre;
        let farthest = |hull: &Self, along: Vec3| {
            let [a, b, c] = hull.corners.map(|corner| corner.dot(along));
            a.max(b).max(c)
        };
        let gap = across.dot(across) - farthest(self, across) - farthest(other, -across);
        let margins = self.margin + other.margin;
        gap > 0.0 && gap * gap > margins * margins * across.dot(across)
    }
}

/// Half of the thickest first layer of each body, in m.
pub(super) fn half_thickness(catalogue: &Catalogue) -> Vec<f64> {
    let contact = catalogue.contact();
    let thickness = |a: u32, b: u32| contact.layers[contact.layers_between(a, b) as usize].thickness;
    let bodies = contact.bodies as u32;
    (0..bodies).map(|a| (0..bodies).map(|b| 0.5 * thickness(a, b)).fold(0.0, f64::max)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{points, rod, scene, sheet};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_search_finds_what_trying_all_pairs_finds(
            x in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64).prop_map(Vec3::from), 12),
            skin in prop::collection::vec(0.0..0.3f64, 12),
            thickness in 0.01..0.5f64, radius in 0.0..0.2f64,
        ) {
            let things = [sheet(0.8), rod(4, 0.7, radius), points(&[Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], radius)];
            let catalogue = Catalogue::with_own_numbers(&scene(&things, thickness, 6).0);
            let mut expected = Vec::new();
            let mut on_the_verge = Vec::new();
            catalogue.for_each(|pair| {
                let (first, second) = pair.stencil().split_at(pair.first_primitive());
                let most = |part: &[u32]| part.iter().map(|v| skin[*v as usize]).fold(0.0, f64::max);
                let reach = catalogue.layers_of(&pair).thickness(pair.first_layer) + most(first) + most(second);
                let distance = pair.measure(&Catalogue::positions(&pair, |v| x[v as usize])).distance;
                if distance <= reach {
                    expected.push(pair);
                } else if distance <= reach + 1e-8 {
                    on_the_verge.push(pair);
                }
            });
            let found: Vec<Pair> = search(&catalogue, &x, &skin).iter().map(|found| found.pair).collect();
            prop_assert!(found.is_sorted_by(|a, b| a.id < b.id));
            let found: Vec<Pair> = found.into_iter().filter(|pair| !on_the_verge.contains(pair)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
