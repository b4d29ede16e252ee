//! Which two primitives are a pair, and what the rest shape says of it.
//!
//! | left out | because |
//! | --- | --- |
//! | primitives with a common vertex | their distance is always zero |
//! | pairs in which nothing can move freely | no force can help: [`first_prescribed_crossing`](crate::first_prescribed_crossing) refuses motions that cross |
//! | neighbours along a rod, nearer at rest than its diameter | their hard radii overlap from the start |
//!
//! A pair of one body that is nearer at rest than `η₁` starts at the first layer thinner than 0.9 of its rest
//! distance: a sheet at rest feels nothing, and no clock slows down.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Contact, PairId, PairKind, System};

use super::pair::vertices_of;
use super::weight::{Spread, hertz_weight};
use crate::{Layers, Pair};

/// How much of its rest distance the first layer of a pair may fill.
const FILL: f64 = 0.9;

/// Which two primitives are a pair, and its constants: all that is known of pairs before anything moves.
#[derive(Clone, Debug)]
pub struct PairRules {
    contact: Arc<Contact>,
    layers: Vec<Layers>,
    /// Whether a vertex of the system can move freely along some axis.
    free: Vec<bool>,
    /// What each vertex of the system is called in pairs.
    renumbered: Vec<u32>,
}

/// Why a pair of one body cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TooNear {
    /// Hard radii that overlap at rest, or leave no room for a layer: neighbours along a rod.
    Overlap,
    /// No layer is thin enough for the rest distance, in m.
    Within(f64),
}

impl PairRules {
    /// The pairs of `system`, which has contact; vertex `v` is called `renumbered[v]` in them.
    ///
    /// # Panics
    /// If the system has no contact.
    #[must_use]
    pub fn new(system: &System, renumbered: Vec<u32>) -> Self {
        let contact = Arc::clone(system.contact.as_ref().expect("the system has contact"));
        let quantum = system.line.quantum;
        let layers =
            contact.layers.iter().map(|spec| Layers::new(spec, contact.max_layers, quantum)).collect();
        let free = system.inverse_masses.iter().map(|w| !w.is_zero()).collect();
        Self { contact, layers, free, renumbered }
    }

    /// The pairs of `system`, with its own numbers of vertices.
    #[must_use]
    pub fn with_own_numbers(system: &System) -> Self {
        Self::new(system, (0..system.vertices() as u32).collect())
    }

    /// The pairs that `system` would have if nothing were held, with its own numbers of vertices.
    #[must_use]
    pub fn of_all(system: &System) -> Self {
        let rules = Self::with_own_numbers(system);
        Self { free: vec![true; rules.free.len()], ..rules }
    }

    /// What may touch.
    #[must_use]
    pub fn contact(&self) -> &Contact {
        &self.contact
    }

    /// What vertex `v` of the system is called in pairs.
    #[inline]
    #[must_use]
    pub fn renumbered(&self, v: u32) -> u32 {
        self.renumbered[v as usize]
    }

    /// Whether vertex `v` of the system can move freely along some axis.
    #[inline]
    pub(crate) fn is_free(&self, v: u32) -> bool {
        self.free[v as usize]
    }

    /// How many vertices the system has.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.renumbered.len()
    }

    /// The distinct layers.
    #[must_use]
    pub fn all_layers(&self) -> &[Layers] {
        &self.layers
    }

    /// The layers of a pair.
    #[inline]
    #[must_use]
    pub fn layers_of(&self, pair: &Pair) -> &Layers {
        &self.layers[pair.layers as usize]
    }

    /// The bodies of a pair's primitives.
    #[inline]
    #[must_use]
    pub fn bodies_of(&self, id: PairId) -> [u32; 2] {
        let Contact { vertices, edges, faces, .. } = &*self.contact;
        let (a, b) = (id.a as usize, id.b as usize);
        match id.kind {
            PairKind::VertexFace => [vertices[a].body, faces[b].body],
            PairKind::EdgeEdge => [edges[a].body, edges[b].body],
            PairKind::VertexEdge => [vertices[a].body, edges[b].body],
            PairKind::VertexVertex | PairKind::Soft => [vertices[a].body, vertices[b].body],
        }
    }

    /// What the spins of a pair's primitives are called in pairs, and by how much of the separation the contact is away from the first.
    pub(crate) fn spins(&self, id: PairId) -> ([Option<u32>; 2], f64) {
        let vertices = &self.contact.vertices;
        let (a, b) = (id.a as usize, id.b as usize);
        let spin = |v: usize| vertices[v].spin.map(|spin| self.renumbered(spin));
        match id.kind {
            PairKind::EdgeEdge => ([None; 2], 0.0),
            PairKind::VertexFace | PairKind::VertexEdge => ([spin(a), None], 1.0),
            PairKind::VertexVertex | PairKind::Soft => match [spin(a), spin(b)] {
                [Some(first), Some(second)] => {
                    let (r, s) = (vertices[a].radius, vertices[b].radius);
                    ([Some(first), Some(second)], r / (r + s))
                }
                [first, second] => ([first, second], if first.is_some() { 1.0 } else { 0.0 }),
            },
        }
    }

    /// The pair with this id, or `None` if it is left out.
    #[must_use]
    pub fn pair(&self, id: PairId) -> Option<Pair> {
        let pair = self.incomplete(id)?;
        self.complete(pair)
    }

    /// A pair as far as its distance needs it, without weight and as if it began with layer 1; `None` if its primitives are no pair.
    pub(crate) fn incomplete(&self, id: PairId) -> Option<Pair> {
        let (stencil, [a, b]) = (self.stencil(id), self.bodies_of(id));
        let (first, second) = split(id.kind, &stencil);
        if first.iter().any(|v| second.contains(v))
            || !first.iter().chain(second).any(|v| self.free[*v as usize])
        {
            return None;
        }
        let layers = self.layers_between(id, [a, b])?;
        let vertices = [
            self.renumbered(stencil[0]),
            self.renumbered(stencil[1]),
            self.renumbered(stencil[2]),
            self.renumbered(stencil[3]),
        ];
        Some(self.without_rest(id, vertices, [a, b], layers))
    }

    /// A pair of which nothing is known that depends on the rest shape.
    #[inline]
    fn without_rest(&self, id: PairId, vertices: [u32; 4], bodies: [u32; 2], layers: u32) -> Pair {
        Pair {
            id,
            vertices,
            bodies,
            layers,
            first_layer: 1,
            radius: self.radius(id, layers),
            weight: 0.0,
            fade: 0.0,
            period: self.contact.period,
        }
    }

    /// Adds to an incomplete pair what the rest shape says of it; `None` if the pair is left out.
    pub(crate) fn complete(&self, mut pair: Pair) -> Option<Pair> {
        pair.first_layer = self.first_layer(&pair, || self.distance_at_rest(&pair))?;
        [pair.weight, pair.fade] = self.weight_and_fade(pair.id, pair.layers);
        Some(pair)
    }

    /// Why a pair of one body has no layer that suits its rest distance, if it has none.
    #[must_use]
    pub fn too_near_at_rest(&self, id: PairId) -> Option<TooNear> {
        let (stencil, [a, b]) = (self.stencil(id), self.bodies_of(id));
        let (first, second) = split(id.kind, &stencil);
        let moves = first.iter().chain(second).any(|v| self.free[*v as usize]);
        if a != b
            || self.contact.is_granular[a as usize]
            || !moves
            || first.iter().any(|v| second.contains(v))
        {
            return None;
        }
        let pair = self.without_rest(id, stencil, [a, b], self.contact.layers_between(a, b));
        self.first_layer_at_rest(&pair, self.distance_at_rest(&pair)).err()
    }

    /// Distance of a pair in the rest shape, in m.
    fn distance_at_rest(&self, pair: &Pair) -> f64 {
        pair.measure(&self.stencil(pair.id).map(|v| self.contact.rest[v as usize])).distance
    }

    /// The first layer of a pair; `None` if it is left out. How far apart it is at rest, in m, only counts for the pairs of one body.
    #[inline]
    pub(crate) fn first_layer(&self, pair: &Pair, distance_at_rest: impl FnOnce() -> f64) -> Option<u32> {
        let [a, b] = pair.bodies;
        if a != b || self.contact.is_granular[a as usize] {
            return Some(1);
        }
        self.first_layer_at_rest(pair, distance_at_rest()).ok()
    }

    fn first_layer_at_rest(&self, pair: &Pair, distance: f64) -> Result<u32, TooNear> {
        let layers = self.layers_of(pair);
        if distance >= layers.thickness(1) {
            return Ok(1);
        }
        let too_near = if pair.radius > 0.0 { TooNear::Overlap } else { TooNear::Within(distance) };
        (1..=layers.deepest()).find(|&l| layers.thickness(l) < FILL * distance).ok_or(too_near)
    }

    /// The vertices of a pair in the system, the rest of the four filled up.
    fn stencil(&self, id: PairId) -> [u32; 4] {
        let Contact { vertices, edges, faces, .. } = &*self.contact;
        let (a, b) = (id.a as usize, id.b as usize);
        match id.kind {
            PairKind::VertexFace => {
                let (v, f) = (&vertices[a], &faces[b]);
                [v.vertex, f.vertices[0], f.vertices[1], f.vertices[2]]
            }
            PairKind::EdgeEdge => {
                let (e, f) = (&edges[a], &edges[b]);
                [e.vertices[0], e.vertices[1], f.vertices[0], f.vertices[1]]
            }
            PairKind::VertexEdge => {
                let (v, e) = (&vertices[a], &edges[b]);
                [v.vertex, e.vertices[0], e.vertices[1], v.vertex]
            }
            PairKind::VertexVertex | PairKind::Soft => {
                let (v, w) = (&vertices[a], &vertices[b]);
                [v.vertex, w.vertex, v.vertex, v.vertex]
            }
        }
    }

    /// Which of the layers act in a pair of these bodies; `None` if there are none.
    fn layers_between(&self, id: PairId, [a, b]: [u32; 2]) -> Option<u32> {
        match id.kind {
            PairKind::Soft => self.contact.soft_layers_between(a, b),
            _ => Some(self.contact.layers_between(a, b)),
        }
    }

    /// Sum of the hard radii of two points, in m.
    pub(crate) fn hard_radius(&self, id: PairId) -> f64 {
        let vertices = &self.contact.vertices;
        vertices[id.a as usize].radius + vertices[id.b as usize].radius
    }

    /// Whether this pair tells when two grains meet: of soft ones their spheres do, of others their hard cores.
    pub(crate) fn tells_of_meetings(&self, id: PairId, [a, b]: [u32; 2]) -> bool {
        match id.kind {
            PairKind::Soft => true,
            PairKind::VertexVertex => self.contact.soft_layers_between(a, b).is_none(),
            _ => false,
        }
    }

    /// Where the distance of a pair counts from, in m: the sum of the hard radii. Soft spheres touch where it is the thickness of
    /// their layer, so that one layer serves spheres of all sizes.
    fn radius(&self, id: PairId, layers: u32) -> f64 {
        let Contact { vertices, edges, .. } = &*self.contact;
        let (a, b) = (id.a as usize, id.b as usize);
        match id.kind {
            PairKind::VertexFace => vertices[a].radius,
            PairKind::EdgeEdge => edges[a].radius + edges[b].radius,
            PairKind::VertexEdge => vertices[a].radius + edges[b].radius,
            PairKind::VertexVertex => vertices[a].radius + vertices[b].radius,
            PairKind::Soft => {
                let spec = &self.contact.layers[layers as usize];
                vertices[a].soft_radius + vertices[b].soft_radius - spec.thickness
            }
        }
    }

    /// The area a pair stands for, in m², and `1/sin²θ₀` for edges.
    fn weight_and_fade(&self, id: PairId, layers: u32) -> [f64; 2] {
        let Contact { vertices, edges, faces, .. } = &*self.contact;
        let (a, b) = (id.a as usize, id.b as usize);
        let spec = self.layers[layers as usize].spec();
        let (spread, eta) = (Spread::of(spec.family), spec.thickness);
        let weigh = |weight: &dyn Fn(Spread) -> f64| spread.map_or(1.0, weight);
        match id.kind {
            PairKind::VertexFace => [weigh(&|s| s.vertex_face(eta, &vertices[a], &faces[b])), 0.0],
            PairKind::EdgeEdge => {
                let (e, f) = (&edges[a], &edges[b]);
                let sin = (eta / e.length.min(f.length)).min(0.5);
                [weigh(&|s| s.edge_edge(eta, e, f)), 1.0 / (sin * sin)]
            }
            PairKind::VertexEdge => [weigh(&|s| s.vertex_edge(eta, &vertices[a], &edges[b])), 0.0],
            PairKind::VertexVertex => [weigh(&|s| s.vertex_vertex(&vertices[a], &vertices[b])), 0.0],
            PairKind::Soft => [hertz_weight(&vertices[a], &vertices[b]), 0.0],
        }
    }

    /// Visits every pair that is not left out, in the order of ids.
    pub fn for_each(&self, mut visit: impl FnMut(Pair)) {
        let Contact { vertices, edges, faces, .. } = &*self.contact;
        let (v, e, f) = (vertices.len() as u32, edges.len() as u32, faces.len() as u32);
        let mut offer = |kind: PairKind, a: u32, b: u32| {
            if let Some(pair) = self.pair(PairId { kind, a, b }) {
                visit(pair);
            }
        };
        for a in 0..v {
            (0..f).for_each(|b| offer(PairKind::VertexFace, a, b));
        }
        for a in 0..e {
            (a + 1..e).for_each(|b| offer(PairKind::EdgeEdge, a, b));
        }
        for a in 0..v {
            (0..e).filter(|b| edges[*b as usize].is_bare).for_each(|b| offer(PairKind::VertexEdge, a, b));
        }
        for a in (0..v).filter(|a| vertices[*a as usize].is_point) {
            let others = (a + 1..v).filter(|b| vertices[*b as usize].is_point);
            others.for_each(|b| offer(PairKind::VertexVertex, a, b));
        }
        for a in (0..v).filter(|a| vertices[*a as usize].soft_radius > 0.0) {
            let others = (a + 1..v).filter(|b| vertices[*b as usize].soft_radius > 0.0);
            others.for_each(|b| offer(PairKind::Soft, a, b));
        }
    }

    /// Positions of a pair's vertices, from `at`.
    #[inline(always)]
    pub fn positions(pair: &Pair, at: impl Fn(u32) -> Vec3) -> [Vec3; 4] {
        let mut x = [Vec3::ZERO; 4];
        for (x, v) in x.iter_mut().zip(pair.stencil()) {
            *x = at(*v);
        }
        x
    }
}

/// The vertices of the first and of the second primitive.
fn split(kind: PairKind, stencil: &[u32; 4]) -> (&[u32], &[u32]) {
    let first = if kind == PairKind::EdgeEdge { 2 } else { 1 };
    stencil[..vertices_of(kind)].split_at(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Thing, points, rod, scene, sheet};
    use carom_math::F64x4;
    use carom_model::State;
    use proptest::prelude::*;

    fn all(rules: &PairRules) -> Vec<Pair> {
        let mut pairs = Vec::new();
        rules.for_each(|pair| pairs.push(pair));
        pairs
    }

    fn distance(pair: &Pair, state: &State) -> f64 {
        pair.measure(&PairRules::positions(pair, |v| state.positions[v as usize])).distance
    }

    fn one_of_each() -> [Thing; 3] {
        [sheet(1.0), rod(4, 1.0, 0.1), points(&[Vec3::X, Vec3::Y, Vec3::Z], 0.1)]
    }

    #[test]
    fn every_two_primitives_that_can_touch_are_a_pair_once_and_in_order() {
        let rules = PairRules::with_own_numbers(&scene(&one_of_each(), 0.01, 6).0);
        let pairs = all(&rules);
        assert!(pairs.is_sorted_by(|a, b| a.id < b.id));
        let count = |kind| pairs.iter().filter(|pair| pair.id.kind == kind).count();
        // 11 vertices, two faces: the third corner of each meets the other.
        assert_eq!(count(PairKind::VertexFace), 2 * (11 - 3));
        // 5 + 3 edges: of the sheet only opposite sides are apart, two times; of the rod the two ends.
        assert_eq!(count(PairKind::EdgeEdge), 5 * 3 + 2 + 1);
        // Three bare edges, each with all vertices but its own.
        assert_eq!(count(PairKind::VertexEdge), 3 * (11 - 2));
        assert_eq!(count(PairKind::VertexVertex), 3);
    }

    #[test]
    fn those_pairs_are_near_that_are_within_their_first_layer() {
        let (system, state) = scene(&one_of_each(), 1.2, 12);
        let rules = PairRules::with_own_numbers(&system);
        let pairs = all(&rules);
        let thickness = |pair: &Pair| rules.layers_of(pair).thickness(pair.first_layer);
        let near: Vec<Pair> =
            pairs.iter().filter(|pair| distance(pair, &state) < thickness(pair)).copied().collect();
        // Of the sheet and of the rod themselves, though nearer than the outermost layer, none.
        assert!(pairs.len() > near.len() + 3 && near.len() > 20, "{} of {}", near.len(), pairs.len());
        let ids: Vec<PairId> = pairs.iter().map(|pair| pair.id).collect();
        let at: Vec<F64x4> = state.positions.iter().map(|&x| x.into()).collect();
        let mut found = Vec::new();
        rules.near_among(&ids, &at, |pair, x, measure| {
            assert_eq!(*x, PairRules::positions(pair, |v| state.positions[v as usize]));
            assert_eq!(measure.distance, distance(pair, &state));
            found.push(*pair);
        });
        assert_eq!(found, near);
    }

    #[test]
    fn what_is_held_makes_pairs_only_with_what_is_not() {
        let held = |thing| Thing { is_held: true, ..thing };
        let [sheet, rod, points] = one_of_each();
        let some = PairRules::with_own_numbers(&scene(&[held(sheet), held(rod), points], 0.01, 6).0);
        let has_point = |pair: &Pair| pair.stencil().iter().any(|v| *v >= 8);
        let pairs = all(&some);
        assert!(!pairs.is_empty() && pairs.iter().all(has_point));
        let none = PairRules::with_own_numbers(&scene(&one_of_each().map(held), 0.01, 6).0);
        assert_eq!(all(&none), []);
    }

    proptest! {
        #[test]
        fn a_body_at_rest_feels_nothing_and_drops_no_layer_without_need(
            size in 0.05..2.0f64, edge in 0.3..2.0f64, radius in 0.0..0.1f64, thickness in 0.01..0.5f64,
        ) {
            let (system, state) = scene(&[sheet(size), rod(5, edge, radius)], thickness, 12);
            let rules = PairRules::with_own_numbers(&system);
            for pair in all(&rules) {
                let is_of_one = pair.stencil().iter().all(|v| *v < 4) || pair.stencil().iter().all(|v| *v >= 4);
                if !is_of_one {
                    prop_assert_eq!(pair.first_layer, 1);
                    continue;
                }
                let layers = rules.layers_of(&pair);
                let (rest, first) = (distance(&pair, &state), pair.first_layer);
                prop_assert!(rest >= layers.thickness(first), "{}", pair.id);
                prop_assert!(first == 1 || rest > layers.thickness(first) / FILL);
                prop_assert!(first == 1 || rest <= layers.thickness(first - 1) / FILL);
            }
        }

        #[test]
        fn neighbours_along_a_rod_are_left_out_where_no_layer_fits_between_their_radii(
            edge in 0.1..1.0f64, radius in 0.01..1.0f64,
        ) {
            let (system, _) = scene(&[rod(6, edge, radius)], 0.1 * edge, 12);
            let rules = PairRules::with_own_numbers(&system);
            // Edge 0 and edge b are b − 1 edges apart.
            for b in 2..5_u32 {
                let id = PairId { kind: PairKind::EdgeEdge, a: 0, b };
                let gap = f64::from(b - 1) * edge - 2.0 * radius;
                let layers = &rules.all_layers()[0];
                let thinnest = layers.thickness(layers.deepest());
                prop_assume!((FILL * gap - thinnest).abs() > 1e-9);
                let fits = thinnest < FILL * gap;
                prop_assert_eq!(rules.pair(id).is_some(), fits);
                prop_assert_eq!(rules.too_near_at_rest(id), (!fits).then_some(TooNear::Overlap));
            }
        }
    }

    #[test]
    fn a_body_too_fine_for_the_deepest_layer_says_how_near_its_parts_are() {
        let rules = PairRules::with_own_numbers(&scene(&[sheet(1e-3)], 1.0, 4).0);
        let id = PairId { kind: PairKind::EdgeEdge, a: 0, b: 4 };
        assert_eq!(rules.too_near_at_rest(id), Some(TooNear::Within(1e-3)));
        assert_eq!(rules.pair(id), None);
    }
}
