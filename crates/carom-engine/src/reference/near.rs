//! The pairs within their layers at one instant: all others push nothing there.
//!
//! For scenes of which every pair is too many. Boxes around all primitives, wide enough that those within reach of each other overlap, are
//! sorted along x and swept; where boxes overlap, the pair is measured. Points in a periodic box are moved into it, once more with all
//! images that border on it.

use std::collections::BTreeSet;

use carom_math::Vec3;
use carom_model::{Contact, PairId, PairKind, System};

use super::layers::Layers;
use super::pairs::{Pair, pair};

/// A part of the surface, by its number among its kind.
#[derive(Clone, Copy)]
enum Primitive {
    Vertex(u32),
    Edge(u32),
    Face(u32),
    /// A point of a periodic box, moved into it.
    Inside(u32),
    /// The same, moved by a period once more.
    Image(u32),
}

/// A box around a primitive.
struct Around {
    primitive: Primitive,
    min: Vec3,
    max: Vec3,
}

/// The pairs within their layers with vertex `v` at `x[v]`, in the order of ids.
pub(super) fn near_pairs(system: &System, contact: &Contact, layers: &[Layers], x: &[Vec3]) -> Vec<Pair> {
    let mut boxes = boxes(contact, x);
    boxes.sort_by(|a, b| a.min.x.total_cmp(&b.min.x));
    let mut ids = BTreeSet::new();
    for (i, a) in boxes.iter().enumerate() {
        for b in boxes[i + 1..].iter().take_while(|b| b.min.x <= a.max.x) {
            let overlaps = |axis: usize| a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis];
            if overlaps(1) && overlaps(2) {
                ids.extend(ids_of(contact, a.primitive, b.primitive).into_iter().flatten());
            }
        }
    }
    let complete = |id: PairId| pair(system, contact, layers, id);
    let is_near =
        |pair: &Pair| pair.nearest(x).distance_m < layers[pair.layers].thickness_m(pair.first_layer);
    ids.into_iter().filter_map(complete).filter(is_near).collect()
}

/// Boxes around all primitives.
fn boxes(contact: &Contact, x: &[Vec3]) -> Vec<Around> {
    let thickest = contact.layers.iter().map(|spec| spec.thickness).fold(0.0, f64::max);
    let farthest = x.iter().map(|x| x.max_abs()).fold(0.0, f64::max) + contact.period.max_abs();
    // Far more than all that rounding can move anything.
    let margin = 0.5 * thickest + 1e-12 * farthest;
    let around = |primitive: Primitive, vertices: &[u32], radius: f64| {
        let at = |v: &u32| x[*v as usize];
        let corner = |pick: fn(f64, f64) -> f64, grow: f64| {
            let place = vertices
                .iter()
                .map(at)
                .reduce(|a, b| Vec3::new(pick(a.x, b.x), pick(a.y, b.y), pick(a.z, b.z)));
            place.expect("a primitive has vertices") + Vec3::splat(grow)
        };
        let grow = radius + margin;
        Around { primitive, min: corner(f64::min, -grow), max: corner(f64::max, grow) }
    };
    let mut boxes = Vec::new();
    for (i, v) in (0..).zip(&contact.vertices) {
        let own = around(Primitive::Vertex(i), &[v.vertex], v.radius.max(v.soft_radius));
        if !contact.period.is_zero() && (v.is_point || v.soft_radius > 0.0) {
            add_images(&mut boxes, i, &own, contact.period);
        }
        boxes.push(own);
    }
    for (i, e) in (0..).zip(&contact.edges) {
        boxes.push(around(Primitive::Edge(i), &e.vertices, e.radius));
    }
    for (i, f) in (0..).zip(&contact.faces) {
        boxes.push(around(Primitive::Face(i), &f.vertices, 0.0));
    }
    boxes
}

/// Adds the box of a point, moved into the periodic box, and its images that border on it.
fn add_images(boxes: &mut Vec<Around>, i: u32, own: &Around, period: Vec3) {
    let half = (own.max - own.min) * 0.5;
    let centre = own.min + half;
    let back = |x: f64, length: f64| if length > 0.0 { length * (x / length).floor() } else { 0.0 };
    let inside =
        centre - Vec3::new(back(centre.x, period.x), back(centre.y, period.y), back(centre.z, period.z));
    let ways = |axis: usize| if period[axis] > 0.0 { vec![-1.0, 0.0, 1.0] } else { vec![0.0] };
    for p in ways(0) {
        for q in ways(1) {
            for r in ways(2) {
                let at = inside + Vec3::new(p, q, r).scaled_by(period);
                let borders = |axis: usize| {
                    let reach = 4.0 * half[axis];
                    period[axis] == 0.0 || (-reach..=period[axis] + reach).contains(&at[axis])
                };
                let is_inside = [p, q, r] == [0.0; 3];
                if is_inside || (0..3).all(borders) {
                    let primitive = if is_inside { Primitive::Inside(i) } else { Primitive::Image(i) };
                    boxes.push(Around { primitive, min: at - half, max: at + half });
                }
            }
        }
    }
}

/// The pairs that two primitives may be.
fn ids_of(contact: &Contact, first: Primitive, second: Primitive) -> [Option<PairId>; 2] {
    use Primitive::{Edge, Face, Image, Inside, Vertex};
    let one = |kind: PairKind, a: u32, b: u32| [Some(PairId { kind, a, b }), None];
    match (first, second) {
        (Vertex(v), Face(f)) | (Face(f), Vertex(v)) => one(PairKind::VertexFace, v, f),
        (Edge(a), Edge(b)) => one(PairKind::EdgeEdge, a.min(b), a.max(b)),
        (Vertex(v), Edge(e)) | (Edge(e), Vertex(v)) if contact.edges[e as usize].is_bare => {
            one(PairKind::VertexEdge, v, e)
        }
        (Vertex(a), Vertex(b)) if contact.period.is_zero() => of_points(contact, a, b),
        (Inside(a), Inside(b) | Image(b)) | (Image(a), Inside(b)) if a != b => of_points(contact, a, b),
        _ => [None; 2],
    }
}

/// The pairs of two points: of their hard cores and of their soft spheres.
fn of_points(contact: &Contact, a: u32, b: u32) -> [Option<PairId>; 2] {
    let (a, b) = (a.min(b), a.max(b));
    let [v, w] = [a, b].map(|number| &contact.vertices[number as usize]);
    [
        (v.is_point && w.is_point).then_some(PairId { kind: PairKind::VertexVertex, a, b }),
        (v.soft_radius > 0.0 && w.soft_radius > 0.0).then_some(PairId { kind: PairKind::Soft, a, b }),
    ]
}
