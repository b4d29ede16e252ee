//! Penetration by intersection of surface elements.
//!
//! Two triangles begin to intersect where a corner of one passes through the other, or two of their edges pass through each other.
//! In both cases four vertices span a tetrahedron whose signed volume V goes through zero, and is from then on the volume of the
//! intersection's corner: the measure of [Cirak2005, summary], taken piece by piece.
//!
//! | Gap | `g = ±6V/n − ε`: the height of the tetrahedron, n twice the area of the triangle, or of the parallelogram of the edges |
//! | Gradient | of 6V/n with n of the last accepted configuration: a constant factor changes no projection and no jump |
//! | Side | the sign of V in the last accepted configuration |
//! | Found | V changes its sign on the way, and the primitives are together where it does |
//! | Degenerate case | parallel edges span no volume: never found, the corners of their triangles are |
//!
//! Surfaces are the middle surfaces, without thickness: the volume of an intersection is one of surfaces that do intersect, and an offset
//! would turn it into a distance, which `nearest` has. Bodies therefore meet later than with layers, by the time it takes to cross
//! the thickness. After a projection the height is ε, a small part of the thickness, so that the side of the next step is no matter of
//! round-off.

use carom_contact::Pair;
use carom_math::Vec3;
use carom_model::PairKind;

use super::Gap;

/// What is left between surfaces after a projection, as a part of the thickness: 10⁸ times what rounding a position of its size loses.
const CLEARANCE: f64 = 1e-7;

/// How near primitives are where they pass through each other, as a part of the thickness: zero, but for round-off.
const TOGETHER: f64 = 1e-9;

/// Gap and gradient at `now`.
pub fn gap(pair: &Pair, thickness: f64, before: &[Vec3; 4], now: &[Vec3; 4]) -> Gap {
    let size = base(pair.id.kind, before).length();
    let scale = if size > 0.0 { six_volumes(pair.id.kind, before).signum() / size } else { 0.0 };
    let gradient = gradient(pair.id.kind, now).map(|g| g * scale);
    let value = six_volumes(pair.id.kind, now) * scale - CLEARANCE * thickness;
    Gap { value, gradient, weights: pair.measure(now).weights }
}

/// Whether the primitives pass through each other on the straight way from `before` to `now`, and are on other sides at its end.
pub fn passed_through(pair: &Pair, thickness: f64, before: &[Vec3; 4], now: &[Vec3; 4]) -> bool {
    let kind = pair.id.kind;
    let side = six_volumes(kind, before);
    if side * six_volumes(kind, now) >= 0.0 {
        return false;
    }
    let at = |t: f64| -> [Vec3; 4] { core::array::from_fn(|i| before[i] + (now[i] - before[i]) * t) };
    let (mut from, mut to) = (0.0, 1.0);
    // To the last bit of the way.
    for _ in 0..53 {
        let middle = 0.5 * (from + to);
        if side * six_volumes(kind, &at(middle)) > 0.0 {
            from = middle;
        } else {
            to = middle;
        }
    }
    pair.measure(&at(to)).distance <= TOGETHER * thickness
}

/// Twice the area of the triangle, or that of the parallelogram of the edges, as a vector.
fn base(kind: PairKind, &[a, b, c, d]: &[Vec3; 4]) -> Vec3 {
    if kind == PairKind::VertexFace { (c - b).cross(d - b) } else { (b - a).cross(d - c) }
}

/// Six times the signed volume of the tetrahedron.
fn six_volumes(kind: PairKind, x: &[Vec3; 4]) -> f64 {
    let &[a, b, c, _] = x;
    base(kind, x).dot(if kind == PairKind::VertexFace { a - b } else { a - c })
}

/// Its derivative with respect to each vertex.
fn gradient(kind: PairKind, &[a, b, c, d]: &[Vec3; 4]) -> [Vec3; 4] {
    if kind == PairKind::VertexFace {
        let (p, e, f) = (a - b, c - b, d - b);
        let (of_p, of_e, of_f) = (e.cross(f), f.cross(p), p.cross(e));
        [of_p, -(of_p + of_e + of_f), of_e, of_f]
    } else {
        let (p, e, f) = (a - c, b - a, d - c);
        let (of_p, of_e, of_f) = (e.cross(f), f.cross(p), p.cross(e));
        [of_p - of_e, of_e, -(of_p + of_f), of_f]
    }
}
