//! Rulers for the kernels of this folder.

use carom_math::{Dual, Vec3};

use super::Nearest;

/// Checks the identity of the weights, the gradient and its tangents (the Hessian) at `x`, inside a region.
pub(super) fn derivatives<const N: usize, R>(
    kernel: impl Fn(&[Vec3; N]) -> Nearest<N, R>,
    dual: impl Fn(&[Vec3<Dual>; N]) -> Nearest<N, R, Dual>,
    x: &[Vec3; N],
) {
    let here = kernel(x);
    let summed: Vec3 = (0..N).map(|i| x[i] * here.weights[i]).sum();
    assert!((summed - here.separation).length() < 1e-14);
    assert!(here.weights.iter().sum::<f64>().abs() < 1e-15);

    let step = 1e-6;
    for (v, axis) in (0..N).flat_map(|v| [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| (v, axis))) {
        let moved = |by: f64| {
            let mut x = *x;
            x[v] += axis * by;
            kernel(&x)
        };
        let (ahead, behind) = (moved(step), moved(-step));
        let slope = (ahead.distance() - behind.distance()) / (2.0 * step);
        assert!((here.gradient()[v].dot(axis) - slope).abs() < 1e-9);

        let mut lifted = x.map(Vec3::constant);
        let tangent = |a: f64, b: f64| Dual::new(a, [b]);
        lifted[v] = Vec3::new(tangent(x[v].x, axis.x), tangent(x[v].y, axis.y), tangent(x[v].z, axis.z));
        for (i, g) in dual(&lifted).gradient().into_iter().enumerate() {
            assert_eq!(Vec3::new(g.x.value, g.y.value, g.z.value), here.gradient()[i]);
            let bend = (ahead.gradient()[i] - behind.gradient()[i]) * (0.5 / step);
            assert!((Vec3::new(g.x.tangent[0], g.y.tangent[0], g.z.tangent[0]) - bend).length() < 1e-8);
        }
    }
}
