//! Rulers for potentials, themselves tested.
//!
//! A gradient is judged twice: by differences of the energy, extrapolated to a step of zero, and
//! by dual numbers, which are exact. Invariance, net force and torque, equality of lanes and
//! scalars, and the edge of stability have rulers of their own. Tolerances are multiples of the
//! round-off of the quantity at hand, so that they hold near rest, where energies are tiny.

use carom_math::{Dual, LANES, Lanes, Mat3, Real, Vec3, vectorize};
use carom_model::{Element, hessian};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

/// Tries `test` on 48 random shapes whose vertices are within `reach` of those of `shape` along each
/// axis, in m. (Not the macro of proptest: its runner, compiled for every test, would be most of the crate.)
pub fn near<const N: usize>(shape: [Vec3; N], reach: f64, test: impl Fn(&[Vec3; N])) {
    try_near(shape, reach, &test);
}

fn try_near<const N: usize>(shape: [Vec3; N], reach: f64, test: &dyn Fn(&[Vec3; N])) {
    let config = ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() };
    let shapes = prop::collection::vec(-1.0..1.0_f64, 3 * N).prop_map(move |by| -> [Vec3; N] {
        core::array::from_fn(|i| shape[i] + Vec3::new(by[3 * i], by[3 * i + 1], by[3 * i + 2]) * reach)
    });
    let verdict = TestRunner::new(config).run(&shapes, |x| {
        test(&x);
        Ok(())
    });
    if let Err(failure) = verdict {
        panic!("{failure}");
    }
}

/// Why a gradient is refused.
#[derive(Debug, PartialEq)]
pub enum Refused {
    /// The gradient is zero: nothing was tested.
    Vanishes,
    /// A component is not the limit of differences.
    NotTheDerivative { axis: usize, difference: f64, gradient: f64, scale: f64 },
}

/// The largest distance between two points of the stencil, in m; 1 for a single point.
fn size<const N: usize>(x: &[Vec3; N]) -> f64 {
    let size = x.iter().flat_map(|a| x.iter().map(move |b| (*a - *b).length())).fold(0.0, f64::max);
    if size > 0.0 { size } else { 1.0 }
}

fn largest<const N: usize>(g: &[Vec3; N]) -> f64 {
    g.iter().map(|v| v.length()).fold(0.0, f64::max)
}

/// Judges `gradient` as the derivative of `energy` at `x`, component by component.
///
/// Central differences at h and h/2 err by `a h²`; `(4 D(h/2) − D(h))/3` errs by `b h⁴` (Richardson),
/// and a fifth of the distance between the two bounds that with room to spare.
pub fn gradient_verdict<const N: usize>(
    energy: impl Fn(&[Vec3; N]) -> f64,
    gradient: impl Fn(&[Vec3; N]) -> [Vec3; N],
    x: &[Vec3; N],
) -> Result<(), Refused> {
    let g = gradient(x);
    let scale = largest(&g);
    if scale == 0.0 {
        return Err(Refused::Vanishes);
    }
    let step = 5e-4 * size(x);
    for axis in 0..3 * N {
        let along = |d: f64| {
            let mut y = *x;
            y[axis / 3] += [Vec3::X, Vec3::Y, Vec3::Z][axis % 3] * d;
            energy(&y)
        };
        let slope = |d: f64| (along(d) - along(-d)) / (2.0 * d);
        let (coarse, fine) = (slope(step), slope(step / 2.0));
        let difference = (4.0 * fine - coarse) / 3.0;
        let round_off = 8.0 * f64::EPSILON * (along(0.0).abs() / step);
        let allowed = 1e-9 * scale + round_off + 0.2 * (fine - coarse).abs();
        let gradient = g[axis / 3][axis % 3];
        let error = (difference - gradient).abs();
        if error.is_nan() || error > allowed {
            return Err(Refused::NotTheDerivative { axis, difference, gradient, scale });
        }
    }
    Ok(())
}

/// Everything an internal potential must satisfy at `x`: gradient, invariance, no force or torque of its own.
pub fn internal_element<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) {
    field_element(element, x);
    rigid_motion_changes_nothing(element, x);
    no_net_force_or_torque(element, x);
    assert!(E::INTERNAL, "{} moves momentum", E::KIND);
}

/// What any potential must satisfy at `x`: gradient, tangents, the same bits in lanes.
pub fn field_element<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) {
    gradient(element, x);
    tangents_agree(element, x);
    lanes_have_the_bits_of_scalars(element, x);
    if E::AXES_APART {
        axes_are_apart(element, x);
    }
}

/// What resists the rate of a strain, at `x`, for random velocities: nothing against rigid motion, no force or torque of its own, never
/// along the motion, symmetric, and at the unstrained shape `rest` the stiffness times the velocity.
pub fn damped_element<E: Element<N, P>, const N: usize, const P: usize>(
    element: &E,
    rest: &[Vec3; N],
    x: &[Vec3; N],
) {
    const { assert!(E::DAMPS && E::INTERNAL) };
    let params = element.params();
    let stiffness = hessian::<E, N, P>(&params, rest);
    let scale = stiffness.iter().fold(0.0_f64, |m, k| m.max(k.abs()));
    let power = |a: &[Vec3; N], b: &[Vec3; N]| (0..N).map(|i| a[i].dot(b[i])).sum::<f64>();
    let at = |x: &[Vec3; N], v: &[Vec3; N]| E::resistance(&params, x, v);
    let spin = Vec3::new(0.3, -1.1, 0.7);
    let rigid = x.map(|p| spin.cross(p) + Vec3::new(2.0, 0.5, -1.0));
    let largest_strain = largest(&at(x, x));
    let allowed = 1e-11
        * scale.max(largest_strain / size(x))
        * (1.0 + x.iter().map(|p| p.length()).fold(0.0, f64::max));
    assert!(largest(&at(x, &rigid)) < 10.0 * allowed, "{} resists rigid motion", E::KIND);
    near([Vec3::ZERO; N], 1.0, |v| {
        let force = at(x, v);
        let sum = force.iter().fold(Vec3::ZERO, |s, f| s + *f);
        let torque = force.iter().zip(x).fold(Vec3::ZERO, |s, (f, x)| s + x.cross(*f));
        assert!(
            sum.length() < allowed && torque.length() < 10.0 * allowed,
            "{}: {sum:?} {torque:?}",
            E::KIND
        );
        assert!(power(&force, v) > -allowed, "{} speeds up", E::KIND);
        let other: [Vec3; N] = core::array::from_fn(|i| Vec3::new(v[i].z, v[(i + 1) % N].x, -v[i].y));
        let lack = power(&force, &other) - power(&at(x, &other), v);
        assert!(lack.abs() < 10.0 * allowed, "{} is not symmetric: {lack}", E::KIND);
        let at_rest = at(rest, v);
        for row in 0..3 * N {
            let product: f64 = (0..3 * N).map(|c| stiffness[row * 3 * N + c] * v[c / 3][c % 3]).sum();
            let ours = at_rest[row / 3][row % 3];
            assert!((ours - product).abs() < 1e-9 * scale, "{}: {ours} against {product}", E::KIND);
        }
    });
}

/// The gradient is the derivative of the energy.
pub fn gradient<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) {
    let params = element.params();
    let verdict = gradient_verdict(|x| E::energy(&params, x), |x| E::gradient(&params, x), x);
    assert_eq!(verdict, Ok(()), "{} at {x:?}", E::KIND);
}

/// The round-off that a force may carry: the stiffness times the round-off of the positions.
fn force_round_off<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) -> f64 {
    let stiffness = hessian::<E, N, P>(&element.params(), x).iter().fold(0.0_f64, |m, k| m.max(k.abs()));
    let reach = x.iter().map(|p| p.length()).fold(size(x), f64::max);
    f64::EPSILON * stiffness * reach
}

/// The tangent of the energy by dual numbers is the gradient, to round-off.
pub fn tangents_agree<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) {
    let params = element.params();
    let g = E::gradient(&params, x);
    let allowed = 1e-13 * largest(&g) + 64.0 * force_round_off(element, x);
    for axis in 0..3 * N {
        let mut duals = x.map(Vec3::<Dual>::constant);
        match axis % 3 {
            0 => duals[axis / 3].x.tangent[0] = 1.0,
            1 => duals[axis / 3].y.tangent[0] = 1.0,
            _ => duals[axis / 3].z.tangent[0] = 1.0,
        }
        let slope = E::energy(&params.map(Dual::constant), &duals).tangent[0];
        let component = g[axis / 3][axis % 3];
        assert!(
            (slope - component).abs() <= allowed,
            "{}: {slope} against {component} on axis {axis} at {x:?}",
            E::KIND
        );
    }
}

/// Energy is unchanged, and the gradient turns along, when the stencil is moved as a whole.
pub fn rigid_motion_changes_nothing<E: Element<N, P>, const N: usize, const P: usize>(
    element: &E,
    x: &[Vec3; N],
) {
    let params = element.params();
    let turn = Mat3::rotation(Vec3::new(0.3, -1.0, 0.6), 1.1);
    let moved = x.map(|p| turn.apply(p) + Vec3::new(0.4, -0.2, 0.9));
    let g = E::gradient(&params, x);
    let noise = force_round_off(element, x) + force_round_off(element, &moved);
    let (before, after) = (E::energy(&params, x), E::energy(&params, &moved));
    let reach = x.iter().chain(&moved).map(|p| p.length()).fold(0.0, f64::max);
    let allowed = 1e-13 * before.abs() + 64.0 * f64::EPSILON * (largest(&g) + noise) * reach;
    assert!((before - after).abs() <= allowed, "{}: {before} became {after} at {x:?}", E::KIND);
    for (still, moved) in g.iter().zip(E::gradient(&params, &moved)) {
        let error = (turn.apply(*still) - moved).length();
        assert!(
            error <= 1e-13 * largest(&g) + 64.0 * noise,
            "{}: the gradient did not turn along, by {error:e} of {:e} at {x:?}",
            E::KIND,
            largest(&g)
        );
    }
}

/// Forces and torques of one element cancel.
pub fn no_net_force_or_torque<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) {
    let g = E::gradient(&element.params(), x);
    let scale: f64 = g.iter().map(|v| v.length()).sum::<f64>() + force_round_off(element, x);
    let arm = x.iter().map(|p| p.length()).fold(size(x), f64::max);
    let force: Vec3 = g.iter().copied().sum();
    let torque: Vec3 = x.iter().zip(&g).map(|(p, f)| p.cross(*f)).sum();
    assert!(force.length() <= 1e-14 * scale, "{}: net force {force:?} at {x:?}", E::KIND);
    let allowed = 1e-14 * scale * arm + 64.0 * force_round_off(element, x) * arm;
    assert!(torque.length() <= allowed, "{}: net torque {torque:?} at {x:?}", E::KIND);
}

/// Eight stencils side by side give the bits of eight stencils one by one.
pub fn lanes_have_the_bits_of_scalars<E: Element<N, P>, const N: usize, const P: usize>(
    element: &E,
    x: &[Vec3; N],
) {
    let shaken: [[Vec3; N]; LANES] = core::array::from_fn(|lane| {
        let turn = Mat3::rotation(Vec3::new(1.0, 0.3, -0.4), lane as f64);
        core::array::from_fn(|i| x[i] + turn.apply(Vec3::X) * (1e-3 * size(x) * (i + 1) as f64))
    });
    same_bits::<E, N, P>(&[element.params(); LANES], &shaken);
}

/// As [`lanes_have_the_bits_of_scalars`], for eight different elements at eight different places.
pub fn same_bits<E: Element<N, P>, const N: usize, const P: usize>(
    params: &[[f64; P]; LANES],
    x: &[[Vec3; N]; LANES],
) {
    let pack = |at: &dyn Fn(usize) -> f64| Lanes(core::array::from_fn(at));
    let lane_params: [Lanes; P] = core::array::from_fn(|p| pack(&|lane| params[lane][p]));
    let lane_x: [Vec3<Lanes>; N] = core::array::from_fn(|i| {
        Vec3::new(pack(&|lane| x[lane][i].x), pack(&|lane| x[lane][i].y), pack(&|lane| x[lane][i].z))
    });
    let (energy, gradient) = vectorize::run(
        #[inline(always)]
        || (E::energy(&lane_params, &lane_x), E::gradient(&lane_params, &lane_x)),
    );
    for lane in 0..LANES {
        let scalar = E::energy(&params[lane], &x[lane]);
        assert_eq!(energy.0[lane].to_bits(), scalar.to_bits(), "{}: energy in lane {lane}", E::KIND);
        for (wide, scalar) in gradient.iter().zip(E::gradient(&params[lane], &x[lane])) {
            let wide = [wide.x.0[lane], wide.y.0[lane], wide.z.0[lane]];
            let bits = |v: [f64; 3]| v.map(f64::to_bits);
            assert_eq!(bits(wide), bits(scalar.to_array()), "{}: gradient in lane {lane}", E::KIND);
        }
    }
}

/// The gradient along each axis has the bits of the first axis of stencils that have nothing along the others, and where there is nothing it is zero.
pub fn axes_are_apart<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) {
    let params = element.params();
    let nothing = E::gradient(&params, &[Vec3::ZERO; N]);
    assert!(nothing.iter().all(|g| g.is_zero()), "{}: zeros give {nothing:?}", E::KIND);
    let together = E::gradient(&params, x);
    for axis in 0..3 {
        let alone = E::gradient(&params, &x.map(|p| Vec3::X * p[axis]));
        for (together, alone) in together.iter().zip(alone) {
            let bits = (together[axis].to_bits(), alone.x.to_bits());
            assert_eq!(bits.0, bits.1, "{}: axis {axis} is not apart at {x:?}", E::KIND);
        }
    }
}

/// At rest there is no energy and no force, up to `allowed` times stiffness times size.
pub fn nothing_at_rest<E: Element<N, P>, const N: usize, const P: usize>(
    element: &E,
    rest: &[Vec3; N],
    allowed: f64,
) {
    let params = element.params();
    let stiffness = hessian::<E, N, P>(&params, rest).iter().fold(0.0_f64, |m, k| m.max(k.abs()));
    assert!(stiffness.is_finite() && stiffness > 0.0, "{}: stiffness {stiffness} at rest", E::KIND);
    let force = allowed * stiffness * size(rest);
    let (energy, g) = (E::energy(&params, rest), largest(&E::gradient(&params, rest)));
    assert!(energy.abs() <= force * size(rest), "{}: energy {energy:e} at rest", E::KIND);
    assert!(g <= force, "{}: force {g:e} at rest", E::KIND);
}

/// Largest distance from `start` over `steps` steps of Störmer–Verlet with one element alone.
fn excursion<E: Element<N, P>, const N: usize, const P: usize>(
    element: &E,
    (rest, start): (&[Vec3; N], &[Vec3; N]),
    masses: &[f64; N],
    h: f64,
    steps: usize,
) -> f64 {
    let params = element.params();
    let (mut x, mut v) = (*start, [Vec3::ZERO; N]);
    let mut farthest = 0.0_f64;
    for step in 0..steps {
        let impulse = if step == 0 { -0.5 * h } else { -h };
        for (i, g) in E::gradient(&params, &x).into_iter().enumerate() {
            v[i] += g * (impulse / masses[i]);
        }
        for i in 0..N {
            x[i] += v[i] * h;
            farthest = farthest.max((x[i] - rest[i]).length());
        }
        if farthest.is_nan() || farthest > size(rest) {
            return f64::INFINITY;
        }
    }
    farthest
}

/// The proposed step is at most the true limit of the linearised element and at most 10 % below
/// it; just below the proposal a small shake stays small, 10 % above the true limit it grows.
pub fn stable_step_is_the_edge<E: Element<N, P>, const N: usize, const P: usize>(
    element: &E,
    rest: &[Vec3; N],
    masses: &[f64; N],
) {
    let limit = true_limit(&hessian::<E, N, P>(&element.params(), rest), masses);
    let proposed = element.stable_step(rest, masses);
    assert!(
        proposed <= limit * (1.0 + 1e-9) && proposed > 0.9 * limit,
        "{}: proposed {proposed:e}, true {limit:e}",
        E::KIND
    );
    let shake = 1e-7 * size(rest);
    let start = core::array::from_fn(|i| {
        rest[i] + Vec3::new(1.0, -0.6 + 0.4 * i as f64, 0.3 - 0.7 * (i % 2) as f64) * shake
    });
    let bounded = excursion(element, (rest, &start), masses, 0.99 * proposed, 20_000);
    assert!(bounded < 100.0 * shake, "{}: {bounded:e} from {shake:e} below the limit", E::KIND);
    let grown = excursion(element, (rest, &start), masses, 1.1 * limit, 200);
    assert!(grown > 1e4 * shake, "{}: {grown:e} from {shake:e} above the limit", E::KIND);
}

/// `2/ω` of the largest eigenvalue, by many steps of power iteration.
fn true_limit(hessian: &[f64], masses: &[f64]) -> f64 {
    let n = 3 * masses.len();
    let mut v: Vec<f64> = (0..n).map(|i| 1.0 + 0.3 * ((7 * i + 3) % 5) as f64).collect();
    let mut eigenvalue = 0.0;
    for _ in 0..20_000 {
        let w: Vec<f64> =
            (0..n).map(|i| (0..n).map(|j| hessian[i * n + j] * v[j]).sum::<f64>() / masses[i / 3]).collect();
        eigenvalue = w.iter().map(|a| a * a).sum::<f64>().sqrt();
        v = w.iter().map(|a| a / eigenvalue).collect();
    }
    2.0 / eigenvalue.sqrt()
}

mod tests {
    use super::*;
    use crate::{Gravity, Spring};

    const SPRING: Spring = Spring { stiffness: 3.0, rest_length: 1.0 };
    const X: [Vec3; 2] = [Vec3::new(0.0, 0.1, 0.0), Vec3::new(1.2, 0.5, -0.3)];

    fn energy(x: &[Vec3; 2]) -> f64 {
        Spring::energy(&SPRING.params(), x)
    }

    #[test]
    fn the_ruler_refuses_a_gradient_that_is_off_by_a_millionth() {
        let wrong = |x: &[Vec3; 2]| Spring::gradient(&SPRING.params(), x).map(|g| g * 1.000_001);
        assert!(matches!(gradient_verdict(energy, wrong, &X), Err(Refused::NotTheDerivative { .. })));
    }

    #[test]
    fn the_ruler_refuses_a_gradient_that_vanishes() {
        assert_eq!(gradient_verdict(|_| 1.0, |_: &[Vec3; 2]| [Vec3::ZERO; 2], &X), Err(Refused::Vanishes));
    }

    #[test]
    fn the_ruler_refuses_one_wrong_component_among_many() {
        let wrong = |x: &[Vec3; 2]| {
            let mut g = Spring::gradient(&SPRING.params(), x);
            g[1].z += 1e-6;
            g
        };
        assert!(gradient_verdict(energy, wrong, &X).is_err());
    }

    /// A spring with one thing wrong.
    #[derive(Clone, Copy)]
    struct Wrong<const FAULT: u8>;

    impl<const FAULT: u8> Element<2, 2> for Wrong<FAULT> {
        const KIND: &'static str = "wrong";
        const ORDER: u32 = 0;

        fn params(&self) -> [f64; 2] {
            SPRING.params()
        }

        fn energy<S: Real>(params: &[S; 2], x: &[Vec3<S>; 2]) -> S {
            Spring::energy(params, x) + if FAULT == 0 { x[0].x * 1e-9 } else { S::zero() }
        }

        fn gradient<S: Real>(params: &[S; 2], x: &[Vec3<S>; 2]) -> [Vec3<S>; 2] {
            let [a, b] = Spring::gradient(params, x);
            match FAULT {
                1 => [a * S::constant(1.0 + 1e-12), b],
                2 => [a + (x[1] - x[0]).cross(a + Vec3::constant(Vec3::X)) * S::constant(1e-11), b],
                _ => [a, b],
            }
        }
    }

    #[test]
    #[should_panic(expected = "became")]
    fn the_ruler_refuses_an_energy_that_rigid_motion_changes() {
        rigid_motion_changes_nothing(&Wrong::<0>, &X);
    }

    #[test]
    #[should_panic(expected = "not apart")]
    fn the_ruler_refuses_axes_that_are_not_apart() {
        axes_are_apart(&SPRING, &X);
    }

    #[test]
    #[should_panic(expected = "zeros give")]
    fn the_ruler_refuses_a_gradient_where_there_is_nothing() {
        axes_are_apart(&Gravity { mass: 1.0, acceleration: Vec3::splat(-9.81) }, &[Vec3::ZERO]);
    }

    #[test]
    #[should_panic(expected = "net force")]
    fn the_ruler_refuses_forces_that_do_not_cancel() {
        no_net_force_or_torque(&Wrong::<1>, &X);
    }

    #[test]
    #[should_panic(expected = "against")]
    fn the_ruler_refuses_a_gradient_that_is_not_the_tangent_of_the_energy() {
        tangents_agree(&Wrong::<2>, &X);
    }
}
