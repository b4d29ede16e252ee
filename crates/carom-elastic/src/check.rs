//! Rulers for potentials, themselves tested.
//!
//! A gradient is judged by central differences of the energy at steps of h, h/2, h/4: the error
//! must fall by four each time (second order) until round-off, and the gradient must not vanish.
//! A wrong gradient leaves an error that does not fall.

use carom_math::{Dual, Mat3, Real, Vec3};
use carom_model::Element;

/// Why a gradient is refused.
#[derive(Debug, PartialEq)]
pub enum Refused {
    /// The gradient is zero: nothing was tested.
    Vanishes,
    /// The error does not fall by four when the difference step is halved.
    NotTheDerivative { errors: [f64; 3], scale: f64 },
}

/// Judges `gradient` as the derivative of `energy` at `x`, along one fixed skew direction per vertex.
pub fn gradient_verdict<const N: usize>(
    energy: impl Fn(&[Vec3; N]) -> f64,
    gradient: impl Fn(&[Vec3; N]) -> [Vec3; N],
    x: &[Vec3; N],
) -> Result<(), Refused> {
    let size = x.iter().flat_map(|a| x.iter().map(move |b| (*a - *b).length())).fold(0.0, f64::max);
    let size = if size > 0.0 { size } else { 1.0 };
    let g = gradient(x);
    let largest = g.iter().map(|v| v.length()).fold(0.0, f64::max);
    if largest == 0.0 {
        return Err(Refused::Vanishes);
    }
    for axis in 0..3 * N {
        let along = |d: f64| {
            let mut y = *x;
            let e = [Vec3::X, Vec3::Y, Vec3::Z][axis % 3];
            y[axis / 3] += e * d;
            energy(&y)
        };
        let exact = g[axis / 3][axis % 3];
        let step = 2e-3 * size;
        let errors =
            [step, step / 2.0, step / 4.0].map(|d| ((along(d) - along(-d)) / (2.0 * d) - exact).abs());
        let round_off = 1e-14 * (along(0.0).abs() / step * 16.0 + largest);
        let falls = |coarse: f64, fine: f64| fine <= round_off.max(1e-10 * largest) || fine < coarse / 3.0;
        if !(falls(errors[0], errors[1]) && falls(errors[1], errors[2])) {
            return Err(Refused::NotTheDerivative { errors, scale: largest });
        }
    }
    Ok(())
}

/// Everything an internal potential must satisfy at `x`: gradient, invariance, no force or torque of its own.
pub fn internal_element<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) {
    gradient(element, x);
    tangents_agree(element, x);
    rigid_motion_changes_nothing(element, x);
    no_net_force_or_torque(element, x);
    assert!(E::INTERNAL, "{} moves momentum", E::KIND);
}

/// The gradient is the derivative of the energy.
pub fn gradient<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) {
    let numbers = element.numbers();
    let verdict = gradient_verdict(|x| E::energy(&numbers, x), |x| E::gradient(&numbers, x), x);
    assert_eq!(verdict, Ok(()), "{}", E::KIND);
}

/// The tangent of the energy by dual numbers is the gradient, to round-off.
pub fn tangents_agree<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) {
    let numbers = element.numbers();
    let g = E::gradient(&numbers, x);
    let scale = g.iter().map(|v| v.length()).fold(0.0, f64::max);
    for axis in 0..3 * N {
        let mut duals = x.map(Vec3::<Dual>::constant);
        match axis % 3 {
            0 => duals[axis / 3].x.tangent[0] = 1.0,
            1 => duals[axis / 3].y.tangent[0] = 1.0,
            _ => duals[axis / 3].z.tangent[0] = 1.0,
        }
        let slope = E::energy(&numbers.map(Dual::constant), &duals).tangent[0];
        assert!((slope - g[axis / 3][axis % 3]).abs() < 1e-12 * scale, "{}: {slope} on axis {axis}", E::KIND);
    }
}

/// Energy is unchanged, and the gradient turns along, when the stencil is moved as a whole.
pub fn rigid_motion_changes_nothing<E: Element<N, P>, const N: usize, const P: usize>(
    element: &E,
    x: &[Vec3; N],
) {
    let numbers = element.numbers();
    let turn = Mat3::rotation(Vec3::new(0.3, -1.0, 0.6), 1.1);
    let moved = x.map(|p| turn.apply(p) + Vec3::new(0.4, -0.2, 0.9));
    let (before, after) = (E::energy(&numbers, x), E::energy(&numbers, &moved));
    assert!(
        (before - after).abs() <= 1e-12 * before.abs().max(1e-300),
        "{}: {before} became {after}",
        E::KIND
    );
    let g = E::gradient(&numbers, x);
    let scale = g.iter().map(|v| v.length()).fold(0.0, f64::max);
    for (still, moved) in g.iter().zip(E::gradient(&numbers, &moved)) {
        assert!(
            (turn.apply(*still) - moved).length() < 1e-11 * scale,
            "{}: the gradient did not turn along",
            E::KIND
        );
    }
}

/// Forces and torques of one element cancel.
pub fn no_net_force_or_torque<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) {
    let g = E::gradient(&element.numbers(), x);
    let scale: f64 = g.iter().map(|v| v.length()).sum();
    let arm: f64 = x.iter().map(|p| p.length()).sum();
    let force: Vec3 = g.iter().copied().sum();
    let torque: Vec3 = x.iter().zip(&g).map(|(p, f)| p.cross(*f)).sum();
    assert!(force.length() < 1e-14 * scale * N as f64, "{}: net force {force:?}", E::KIND);
    assert!(torque.length() < 1e-13 * scale * arm, "{}: net torque {torque:?}", E::KIND);
}

mod tests {
    use super::*;
    use crate::Spring;

    const SPRING: Spring = Spring { stiffness: 3.0, rest_length: 1.0 };
    const X: [Vec3; 2] = [Vec3::new(0.0, 0.1, 0.0), Vec3::new(1.2, 0.5, -0.3)];

    fn energy(x: &[Vec3; 2]) -> f64 {
        Spring::energy(&SPRING.numbers(), x)
    }

    #[test]
    fn the_ruler_refuses_a_gradient_that_is_off_by_a_tenth_of_a_percent() {
        let wrong = |x: &[Vec3; 2]| Spring::gradient(&SPRING.numbers(), x).map(|g| g * 1.001);
        assert!(matches!(gradient_verdict(energy, wrong, &X), Err(Refused::NotTheDerivative { .. })));
    }

    #[test]
    fn the_ruler_refuses_a_gradient_that_vanishes() {
        assert_eq!(gradient_verdict(|_| 1.0, |_: &[Vec3; 2]| [Vec3::ZERO; 2], &X), Err(Refused::Vanishes));
    }

    #[test]
    fn the_ruler_refuses_one_wrong_component_among_many() {
        let wrong = |x: &[Vec3; 2]| {
            let mut g = Spring::gradient(&SPRING.numbers(), x);
            g[1].z += 1e-4;
            g
        };
        assert!(gradient_verdict(energy, wrong, &X).is_err());
    }
}
