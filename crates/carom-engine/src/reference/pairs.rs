//! Every pair of primitives, in the order of ids.
//!
//! The order is by kind (vertex and face, edge and edge, vertex and edge of a rod, two points, two soft spheres), then by the number of the
//! first primitive, then by that of the second; of two primitives of a kind the smaller number is the first.
//!
//! | left out | because |
//! | --- | --- |
//! | primitives with a common vertex | their distance is always zero |
//! | pairs in which nothing can move freely | no force can help |
//! | soft spheres of bodies without soft layers | nothing acts between them |
//! | pairs of one body for which no layer is thin enough at rest | their hard radii overlap, or a scene with them was refused |
//!
//! A pair of one body, unless that is loose grains, that is nearer at rest than `η₁` starts at the first layer thinner than 0.9 of its rest distance.
//!
//! The *weight* of a pair is the area that it stands for, a constant of the rest mesh; `acm` pairs have weight 1. With `A` for areas, `ℓ` for
//! lengths, `P` for the perimeter of the face, and α, β of the family (`nested` 0.291 and 0.340, `window` 0.239 and 0.238):
//!
//! | vertex and face | `½ min(A_v, 4 A_f) A_f / (A_f + α P η₁ + β η₁²)` |
//! | edge and edge | `½ A A′ / (2/π ℓ ℓ′ + 2α(ℓ + ℓ′)η₁ + β η₁²)` |
//! | vertex and edge | `½ min(A_v, 4 A_e) ℓ / (ℓ + 2α η₁)` |
//! | two points | `min(A, A′)` |
//! | two soft spheres | `4/3 √(R R′/(R + R′))`, in √m |
//!
//! Edges *fade* where they are nearly parallel: `1/sin²θ₀` with `sin θ₀ = min(½, η₁/ℓ)`, ℓ the shorter one.

use carom_geometry::nearest;
use carom_math::Vec3;
use carom_model::{Contact, LayerFamily, PairId, PairKind, System};

use super::layers::Layers;

/// A pair, with all that its force needs.
pub(super) struct Pair {
    pub id: PairId,
    /// Its vertices in the system: of the first primitive, then of the second.
    pub vertices: Vec<u32>,
    /// How many of them are of the first primitive.
    pub of_first: usize,
    /// The bodies of its primitives.
    pub bodies: [u32; 2],
    /// Which of the scene's layers act.
    pub layers: usize,
    /// The first layer that acts, from 1 on.
    pub first_layer: usize,
    /// Where its distance counts from, in m.
    pub radius_m: f64,
    /// The area it stands for, in m².
    pub weight: f64,
    /// `1/sin²θ₀` for edges; 0 for others, which do not fade.
    pub fade: f64,
    /// Lengths of the periodic box, in m; 0 along an axis that is not periodic.
    period: Vec3,
}

/// The nearest points of a pair.
pub(super) struct Nearest {
    /// Weights of its vertices in the separation.
    pub weights: [f64; 4],
    /// From the nearest point of the second primitive to that of the first, in m.
    pub separation: Vec3,
    /// Between the surfaces, in m: negative where hard radii overlap.
    pub distance_m: f64,
    /// What was taken off the difference of two points so that it leads to the nearest image, in m; zero but across the border of a
    /// periodic box.
    pub periods: Vec3,
}

impl Pair {
    /// Its nearest points, with vertex `v` of the system at `x[v]`.
    pub fn nearest(&self, x: &[Vec3]) -> Nearest {
        let at = |i: usize| x[self.vertices[i] as usize];
        let mut periods = Vec3::ZERO;
        let (weights, separation) = match self.id.kind {
            PairKind::VertexFace => {
                let found = nearest::vertex_face(&[at(0), at(1), at(2), at(3)]);
                (found.weights, found.separation)
            }
            PairKind::EdgeEdge => {
                let found = nearest::edge_edge(&[at(0), at(1), at(2), at(3)]);
                (found.weights, found.separation)
            }
            PairKind::VertexEdge => {
                let found = nearest::vertex_edge(&[at(0), at(1), at(2)]);
                let [a, b, c] = found.weights;
                ([a, b, c, 0.0], found.separation)
            }
            PairKind::VertexVertex | PairKind::Soft => {
                let found = nearest::vertex_vertex(&[at(0), at(1)]);
                let [a, b] = found.weights;
                periods = whole_periods(found.separation, self.period);
                ([a, b, 0.0, 0.0], found.separation - periods)
            }
        };
        Nearest { weights, separation, distance_m: separation.length() - self.radius_m, periods }
    }

    /// Whether it may act across the borders of a periodic box: two points may.
    pub fn is_periodic(&self) -> bool {
        let is_of_points = matches!(self.id.kind, PairKind::VertexVertex | PairKind::Soft);
        is_of_points && !self.period.is_zero()
    }
}

/// What is to be taken off a difference of positions so that it leads to the nearest image, in m.
fn whole_periods(difference: Vec3, period: Vec3) -> Vec3 {
    let along = |e: f64, length: f64| if length > 0.0 { length * (e / length).round() } else { 0.0 };
    Vec3::new(along(difference.x, period.x), along(difference.y, period.y), along(difference.z, period.z))
}

/// Every pair of a scene with these layers, in the order of ids.
pub(super) fn every_pair(system: &System, contact: &Contact, layers: &[Layers]) -> Vec<Pair> {
    let (vertices, edges) = (&contact.vertices, &contact.edges);
    let (v, e, f) = (vertices.len(), edges.len(), contact.faces.len());
    let mut ids = Vec::new();
    let mut add = |kind: PairKind, a: usize, b: usize| ids.push(PairId { kind, a: a as u32, b: b as u32 });
    for a in 0..v {
        for b in 0..f {
            add(PairKind::VertexFace, a, b);
        }
    }
    for a in 0..e {
        for b in a + 1..e {
            add(PairKind::EdgeEdge, a, b);
        }
    }
    for a in 0..v {
        for b in (0..e).filter(|b| edges[*b].is_bare) {
            add(PairKind::VertexEdge, a, b);
        }
    }
    for a in (0..v).filter(|a| vertices[*a].is_point) {
        for b in (a + 1..v).filter(|b| vertices[*b].is_point) {
            add(PairKind::VertexVertex, a, b);
        }
    }
    for a in (0..v).filter(|a| vertices[*a].soft_radius > 0.0) {
        for b in (a + 1..v).filter(|b| vertices[*b].soft_radius > 0.0) {
            add(PairKind::Soft, a, b);
        }
    }
    ids.into_iter().filter_map(|id| pair(system, contact, layers, id)).collect()
}

/// The pair of this name; `None` if it is left out.
pub(super) fn pair(system: &System, contact: &Contact, layers: &[Layers], id: PairId) -> Option<Pair> {
    let Contact { vertices, edges, faces, .. } = contact;
    let (a, b) = (id.a as usize, id.b as usize);
    let (first, second, bodies): (Vec<u32>, Vec<u32>, [u32; 2]) = match id.kind {
        PairKind::VertexFace => {
            (vec![vertices[a].vertex], faces[b].vertices.to_vec(), [vertices[a].body, faces[b].body])
        }
        PairKind::EdgeEdge => {
            (edges[a].vertices.to_vec(), edges[b].vertices.to_vec(), [edges[a].body, edges[b].body])
        }
        PairKind::VertexEdge => {
            (vec![vertices[a].vertex], edges[b].vertices.to_vec(), [vertices[a].body, edges[b].body])
        }
        PairKind::VertexVertex | PairKind::Soft => {
            (vec![vertices[a].vertex], vec![vertices[b].vertex], [vertices[a].body, vertices[b].body])
        }
    };
    let all = [first.as_slice(), second.as_slice()].concat();
    if first.iter().any(|v| second.contains(v)) || all.iter().all(|v| system.is_held(*v as usize)) {
        return None;
    }
    let between = bodies[0] as usize * contact.bodies + bodies[1] as usize;
    let which = match id.kind {
        PairKind::Soft => contact.soft_between[between]? as usize,
        _ => contact.between[between] as usize,
    };
    let thickness = layers[which].spec.thickness;
    let radius_m = match id.kind {
        PairKind::VertexFace => vertices[a].radius,
        PairKind::EdgeEdge => edges[a].radius + edges[b].radius,
        PairKind::VertexEdge => vertices[a].radius + edges[b].radius,
        PairKind::VertexVertex => vertices[a].radius + vertices[b].radius,
        // Soft spheres touch where they are as far apart as their layer is thick.
        PairKind::Soft => vertices[a].soft_radius + vertices[b].soft_radius - thickness,
    };
    let mut pair = Pair {
        id,
        vertices: all,
        of_first: first.len(),
        bodies,
        layers: which,
        first_layer: 1,
        radius_m,
        weight: weight(contact, id, layers[which].spec.family, thickness),
        fade: fade(contact, id, thickness),
        period: contact.period,
    };
    if bodies[0] == bodies[1] && !contact.is_granular[bodies[0] as usize] {
        pair.first_layer = first_layer_at_rest(&layers[which], pair.nearest(&contact.rest).distance_m)?;
    }
    Some(pair)
}

/// The first layer that leaves a pair alone at its rest distance; `None` if there is none.
fn first_layer_at_rest(layers: &Layers, at_rest_m: f64) -> Option<usize> {
    if at_rest_m >= layers.thickness_m(1) {
        return Some(1);
    }
    (1..=layers.list.len()).find(|l| layers.thickness_m(*l) < 0.9 * at_rest_m)
}

/// The area a pair stands for, in m².
fn weight(contact: &Contact, id: PairId, family: LayerFamily, eta: f64) -> f64 {
    let Contact { vertices, edges, faces, .. } = contact;
    let (a, b) = (id.a as usize, id.b as usize);
    if id.kind == PairKind::Soft {
        let (r, s) = (vertices[a].soft_radius, vertices[b].soft_radius);
        return 4.0 / 3.0 * (r * s / (r + s)).sqrt();
    }
    let (alpha, beta) = match family {
        LayerFamily::Acm | LayerFamily::Hertz => return 1.0,
        LayerFamily::Nested => (0.291, 0.340),
        LayerFamily::Window => (0.239, 0.238),
    };
    match id.kind {
        PairKind::VertexFace => {
            let (v, f) = (&vertices[a], &faces[b]);
            let reach = f.area + alpha * f.perimeter * eta + beta * eta * eta;
            0.5 * v.area.min(4.0 * f.area) * f.area / reach
        }
        PairKind::EdgeEdge => {
            let (e, f) = (&edges[a], &edges[b]);
            let crossing = core::f64::consts::FRAC_2_PI * e.length * f.length;
            let border = 2.0 * alpha * (e.length + f.length) * eta;
            0.5 * e.area * f.area / (crossing + border + beta * eta * eta)
        }
        PairKind::VertexEdge => {
            let (v, e) = (&vertices[a], &edges[b]);
            0.5 * v.area.min(4.0 * e.area) * e.length / (e.length + 2.0 * alpha * eta)
        }
        PairKind::VertexVertex | PairKind::Soft => vertices[a].area.min(vertices[b].area),
    }
}

/// `1/sin²θ₀` of two edges; 0 of others.
fn fade(contact: &Contact, id: PairId, eta: f64) -> f64 {
    if id.kind != PairKind::EdgeEdge {
        return 0.0;
    }
    let shorter = contact.edges[id.a as usize].length.min(contact.edges[id.b as usize].length);
    let sin = (eta / shorter).min(0.5);
    1.0 / (sin * sin)
}
