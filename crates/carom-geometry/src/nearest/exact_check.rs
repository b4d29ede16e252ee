//! The error bounds against exact rational distances, on shapes chosen to be bad.

use carom_math::Vec3;
use dashu_int::IBig;
use proptest::prelude::*;

use super::*;
use carom_ccd::dyadic;

/// A non-negative number `num/den`.
struct Ratio {
    num: IBig,
    den: IBig,
}

type Whole = [IBig; 3];

fn minus(a: &Whole, b: &Whole) -> Whole {
    core::array::from_fn(|k| &a[k] - &b[k])
}

fn dot(a: &Whole, b: &Whole) -> IBig {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn cross(a: &Whole, b: &Whole) -> Whole {
    core::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &a[i] * &b[j] - &a[j] * &b[i]
    })
}

fn least<const N: usize>(candidates: [Ratio; N]) -> Ratio {
    candidates.into_iter().reduce(|a, b| if &b.num * &a.den < &a.num * &b.den { b } else { a }).unwrap()
}

fn point_point(p: &Whole, a: &Whole) -> Ratio {
    let q = minus(p, a);
    Ratio { num: dot(&q, &q), den: IBig::ONE }
}

fn point_segment(p: &Whole, a: &Whole, b: &Whole) -> Ratio {
    let (e, q) = (minus(b, a), minus(p, a));
    let (along, length_sq) = (dot(&q, &e), dot(&e, &e));
    if along <= IBig::ZERO {
        point_point(p, a)
    } else if along >= length_sq {
        point_point(p, b)
    } else {
        let aside = cross(&q, &e);
        Ratio { num: dot(&aside, &aside), den: length_sq }
    }
}

fn point_triangle(p: &Whole, a: &Whole, b: &Whole, c: &Whole) -> Ratio {
    let (e, f, q) = (minus(b, a), minus(c, a), minus(p, a));
    let n = cross(&e, &f);
    let area_sq = dot(&n, &n);
    let (s, t) = (dot(&cross(&q, &f), &n), dot(&cross(&e, &q), &n));
    if !area_sq.is_zero() && s >= IBig::ZERO && t >= IBig::ZERO && &s + &t <= area_sq {
        let height = dot(&q, &n);
        return Ratio { num: &height * &height, den: area_sq };
    }
    least([point_segment(p, a, b), point_segment(p, b, c), point_segment(p, c, a)])
}

fn segment_segment(a: &Whole, b: &Whole, c: &Whole, d: &Whole) -> Ratio {
    let (u, v, w) = (minus(b, a), minus(d, c), minus(c, a));
    let n = cross(&u, &v);
    let area_sq = dot(&n, &n);
    let (s, t) = (dot(&cross(&w, &v), &n), dot(&cross(&w, &u), &n));
    let inside = |w: &IBig| *w >= IBig::ZERO && *w <= area_sq;
    if !area_sq.is_zero() && inside(&s) && inside(&t) {
        let height = dot(&w, &n);
        return Ratio { num: &height * &height, den: area_sq };
    }
    least([point_segment(a, c, d), point_segment(b, c, d), point_segment(c, a, b), point_segment(d, a, b)])
}

/// Whether `computed` is within `bound` of the exact distance that `squared` gives for the same points.
fn within<const N: usize>(
    x: &[Vec3; N],
    computed: f64,
    bound: f64,
    squared: impl Fn(&[Whole]) -> Ratio,
) -> bool {
    let mut values: Vec<f64> = x.iter().flat_map(|p| p.to_array()).collect();
    values.extend([(computed - bound).next_down().max(0.0), (computed + bound).next_up()]);
    let whole = dyadic::integers(&values);
    let points: Vec<Whole> = (0..N).map(|i| core::array::from_fn(|k| whole[3 * i + k].clone())).collect();
    let Ratio { num, den } = squared(&points);
    let (low, high) = (&whole[3 * N], &whole[3 * N + 1]);
    low * low * &den <= num && num <= high * high * &den
}

/// Points on a coarse lattice, some moved by very little: coincident, collinear, coplanar, nearly so.
fn point() -> impl Strategy<Value = Vec3> {
    let coordinate = (-2..=2_i32, prop_oneof![Just(0.0), -1.0..1.0], 0..=20_i32)
        .prop_map(|(whole, part, decades)| f64::from(whole) + part * 10.0_f64.powi(-decades));
    prop::array::uniform3(coordinate).prop_map(Vec3::from)
}

/// Four points, the last two pulled close to the line of the first two by a random factor.
fn needle() -> impl Strategy<Value = [Vec3; 4]> {
    let line = (prop::array::uniform4(-1.0..1.0_f64), prop::array::uniform4(0..=18_i32));
    (point(), point(), prop::array::uniform4(point()), line).prop_map(|(a, e, off, (t, decades))| {
        core::array::from_fn(|i| a + e * t[i] + off[i] * 10.0_f64.powi(-decades[i]))
    })
}

pub(super) fn four() -> impl Strategy<Value = [Vec3; 4]> {
    prop_oneof![prop::array::uniform4(point()), needle()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn computed_distances_are_within_their_bounds(x in four(), far in 0..3_u8) {
        // Far from the origin the coordinates lose digits, but what is left is exact input.
        let shift = Vec3::new(1.0, -3.0, 2.0) * [0.0, 1e3, 1e9][usize::from(far)];
        let x = x.map(|p| p + shift);
        let c = scale(&x);
        let near = vertex_face(&x);
        prop_assert!(within(&x, near.distance(), vertex_face_error_bound(c), |x| {
            point_triangle(&x[0], &x[1], &x[2], &x[3])
        }), "{near:?}");
        let near = edge_edge(&x);
        prop_assert!(within(&x, near.distance(), edge_edge_error_bound(c), |x| {
            segment_segment(&x[0], &x[1], &x[2], &x[3])
        }), "{near:?}");
        let three = [x[0], x[1], x[2]];
        let near = vertex_edge(&three);
        prop_assert!(within(&three, near.distance(), vertex_edge_error_bound(scale(&three)), |x| {
            point_segment(&x[0], &x[1], &x[2])
        }), "{near:?}");
        let two = [x[0], x[1]];
        let near = vertex_vertex(&two);
        prop_assert!(within(&two, near.distance(), vertex_vertex_error_bound(scale(&two)), |x| {
            point_point(&x[0], &x[1])
        }), "{near:?}");
    }

    #[test]
    fn weights_are_convex_and_give_the_separation(x in four()) {
        let c = scale(&x);
        for (weights, separation, split) in [
            (vertex_face(&x).weights, vertex_face(&x).separation, 1),
            (edge_edge(&x).weights, edge_edge(&x).separation, 2),
        ] {
            prop_assert!(weights[..split].iter().all(|w| (0.0..=1.0).contains(w)));
            prop_assert!(weights[split..].iter().all(|w| (-1.0..=0.0).contains(w)));
            prop_assert!((weights[..split].iter().sum::<f64>() - 1.0).abs() <= 4.0 * f64::EPSILON);
            prop_assert!((weights[split..].iter().sum::<f64>() + 1.0).abs() <= 4.0 * f64::EPSILON);
            let from_last: Vec3 = (0..4).map(|i| (x[i] - x[3]) * weights[i]).sum();
            prop_assert!((from_last - separation).length() <= 40.0 * f64::EPSILON * c);
        }
    }
}

#[test]
fn the_ruler_refuses_a_distance_that_is_off_by_more_than_the_bound() {
    let x = [Vec3::new(0.3, 0.2, 1.0), Vec3::ZERO, Vec3::X, Vec3::Y];
    let exact = |x: &[Whole]| point_triangle(&x[0], &x[1], &x[2], &x[3]);
    assert!(within(&x, 1.0, 1e-15, exact));
    assert!(!within(&x, 1.0 + 3e-15, 1e-15, exact));
    assert!(!within(&x, 1.0 - 3e-15, 1e-15, exact));
}
