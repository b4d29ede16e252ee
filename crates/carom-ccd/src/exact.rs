//! The first contact of two moving primitives, decided in exact arithmetic.
//!
//! A double is a whole number times a power of two, so all positions become integers and everything
//! below is a polynomial in time with integer coefficients:
//!
//! | Vertex–face | `q·n = 0` with `q = p − a`, `n = (b − a) × (c − a)`; inside: `q × (c − a) = λ₁ n`, `(b − a) × q = λ₂ n` |
//! | Edge–edge | `w·n = 0` with `w = c − a`, `n = (b − a) × (d − c)`; inside: `w × (d − c) = s n`, `w × (b − a) = t n` |
//! | Inside test | at a root all these vectors are parallel to `n`, so one component with `n ≠ 0` decides: signs of quadratics |
//! | Degenerate case | `n = 0` at the root (no area, parallel edges): point-on-segment tests of all ends |
//! | Degenerate case | coplanar at all times: contact at time 0, or the first time an end meets an edge |
//! | Degenerate case | collinear at all times: contact at time 0, or the first time two points meet |
//!
//! **Never here:** rounding.

use carom_math::Vec3;

use super::polynomial::{Dyadic, Poly, Root, first_root};
use super::{Bracket, Kind};
use crate::dyadic;

/// A vector whose components are polynomials in time.
type Path = [Poly; 3];

/// The first contact, bounded on both sides to better than 2^-bits (`bits` at most 50).
pub(super) fn first_contact(kind: Kind, start: &[Vec3; 4], end: &[Vec3; 4], bits: usize) -> Option<Bracket> {
    let paths = paths(start, end);
    match kind {
        Kind::VertexFace => vertex_face(&paths, bits),
        Kind::EdgeEdge => edge_edge(&paths, bits),
    }
}

fn vertex_face([p, a, b, c]: &[Path; 4], bits: usize) -> Option<Bracket> {
    let (e, f, q) = (minus(b, a), minus(c, a), minus(p, a));
    let n = cross(&e, &f);
    let inside = |root: &mut Root| match axis_of(root, &n) {
        None => [(a, b), (b, c), (c, a)].iter().any(|(a, b)| on_segment(root, p, a, b)),
        Some((k, side)) => {
            let (s, t) = (cross_component(&q, &f, k), cross_component(&e, &q, k));
            let not_outside = |root: &mut Root, w: &Poly| root.sign(w) * side >= 0;
            not_outside(root, &s) && not_outside(root, &t) && not_outside(root, &n[k].minus(&s).minus(&t))
        }
    };
    let coplanar = dot(&q, &n);
    if !coplanar.is_zero() {
        return first_root(&coplanar, inside).map(|r| bracket(r, bits));
    }
    if inside(&mut Root::zero()) {
        return Some(Bracket::START);
    }
    earliest([(p, a, b), (p, b, c), (p, c, a)].map(|(p, a, b)| point_segment(p, a, b, bits)))
}

fn edge_edge([a, b, c, d]: &[Path; 4], bits: usize) -> Option<Bracket> {
    let ends = [(a, c, d), (b, c, d), (c, a, b), (d, a, b)];
    let (u, v, w) = (minus(b, a), minus(d, c), minus(c, a));
    let n = cross(&u, &v);
    let inside = |root: &mut Root| match axis_of(root, &n) {
        None => ends.iter().any(|(p, a, b)| on_segment(root, p, a, b)),
        Some((k, side)) => [cross_component(&w, &v, k), cross_component(&w, &u, k)]
            .iter()
            .all(|s| root.sign(s) * side >= 0 && root.sign(&n[k].minus(s)) * side >= 0),
    };
    let coplanar = dot(&w, &n);
    if !coplanar.is_zero() {
        return first_root(&coplanar, inside).map(|r| bracket(r, bits));
    }
    if inside(&mut Root::zero()) {
        return Some(Bracket::START);
    }
    earliest(ends.map(|(p, a, b)| point_segment(p, a, b, bits)))
}

/// The first time at which `p` lies on the segment from `a` to `b`.
fn point_segment(p: &Path, a: &Path, b: &Path, bits: usize) -> Option<Bracket> {
    let aside = cross(&minus(p, a), &minus(b, a));
    if let Some(component) = aside.iter().find(|c| !c.is_zero()) {
        return first_root(component, |root| on_segment(root, p, a, b)).map(|r| bracket(r, bits));
    }
    if on_segment(&mut Root::zero(), p, a, b) {
        return Some(Bracket::START);
    }
    earliest([point_point(p, a, bits), point_point(p, b, bits)])
}

/// The first time at which two points meet.
fn point_point(p: &Path, a: &Path, bits: usize) -> Option<Bracket> {
    let q = minus(p, a);
    let Some(component) = q.iter().find(|c| !c.is_zero()) else {
        return Some(Bracket::START);
    };
    first_root(component, |root| vanishes(root, &q)).map(|r| bracket(r, bits))
}

fn on_segment(root: &mut Root, p: &Path, a: &Path, b: &Path) -> bool {
    let (e, q) = (minus(b, a), minus(p, a));
    if vanishes(root, &e) {
        return vanishes(root, &q);
    }
    let along = dot(&q, &e);
    vanishes(root, &cross(&q, &e)) && root.sign(&along) >= 0 && root.sign(&dot(&e, &e).minus(&along)) >= 0
}

fn vanishes(root: &mut Root, v: &Path) -> bool {
    v.iter().all(|c| root.sign(c) == 0)
}

/// An axis along which `n` does not vanish at the root, with the sign there.
fn axis_of(root: &mut Root, n: &Path) -> Option<(usize, i8)> {
    (0..3).map(|k| (k, root.sign(&n[k]))).find(|(_, side)| *side != 0)
}

fn earliest<const N: usize>(times: [Option<Bracket>; N]) -> Option<Bracket> {
    times.into_iter().flatten().reduce(|a, b| Bracket { low: a.low.min(b.low), high: a.high.min(b.high) })
}

fn bracket(mut root: Root, bits: usize) -> Bracket {
    let [low, high] = root.bracket(bits);
    Bracket { low: rounded(&low, false), high: rounded(&high, true) }
}

/// A dyadic number in [0, 1] as a double, rounded down or up.
fn rounded(Dyadic { m, depth }: &Dyadic, up: bool) -> f64 {
    let excess = depth.saturating_sub(52);
    let kept = m >> excess;
    let whole = i64::try_from(&kept).expect("a root in [0, 1] with 52 bits fits");
    let step = i64::from(up && (kept << excess) != *m);
    (whole + step) as f64 / (1_u64 << (depth - excess)) as f64
}

fn minus(a: &Path, b: &Path) -> Path {
    core::array::from_fn(|k| a[k].minus(&b[k]))
}

fn dot(a: &Path, b: &Path) -> Poly {
    a[0].times(&b[0]).plus(&a[1].times(&b[1])).plus(&a[2].times(&b[2]))
}

fn cross(a: &Path, b: &Path) -> Path {
    core::array::from_fn(|k| cross_component(a, b, k))
}

fn cross_component(a: &Path, b: &Path, k: usize) -> Poly {
    let (i, j) = ((k + 1) % 3, (k + 2) % 3);
    a[i].times(&b[j]).minus(&a[j].times(&b[i]))
}

/// The motions as integer polynomials, all coordinates multiplied by one power of two.
fn paths(start: &[Vec3; 4], end: &[Vec3; 4]) -> [Path; 4] {
    let coordinates: Vec<f64> = start.iter().chain(end).flat_map(|x| x.to_array()).collect();
    let whole = dyadic::integers(&coordinates);
    core::array::from_fn(|i| {
        core::array::from_fn(|k| {
            let (from, to) = (&whole[3 * i + k], &whole[12 + 3 * i + k]);
            Poly::new(vec![from.clone(), to - from])
        })
    })
}
