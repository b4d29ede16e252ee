//! A linear tetrahedron, shared by the energies of solids.
//!
//! The deformation gradient is `F = D R⁻¹`: `D` holds the edges from the first corner, `R` those at
//! rest. An isotropic material does not care how its rest shape is turned, so the rest edges
//! are written in a frame where `R` is triangular: six numbers instead of nine, and fewer flops.

use carom_math::{Real, Vec3};

/// `R⁻¹` by its upper triangle, `[00, 01, 02, 11, 12, 22]`, in 1/m, and the volume, in m³.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RestTetrahedron {
    pub inverse: [f64; 6],
    pub volume: f64,
}

impl RestTetrahedron {
    /// The tetrahedron `rest`, of either orientation: what has the other one later is inverted.
    pub(crate) fn new(rest: &[Vec3; 4]) -> Self {
        let [a, b, c] = [rest[1] - rest[0], rest[2] - rest[0], rest[3] - rest[0]];
        let normal = a.cross(b);
        let (r00, area) = (a.length(), normal.length());
        let (first, third) = (a * (1.0 / r00), normal * (1.0 / area));
        let second = third.cross(first);
        let (r01, r11) = (b.dot(first), b.dot(second));
        let (r02, r12, r22) = (c.dot(first), c.dot(second), c.dot(third));
        let inverse = [
            1.0 / r00,
            -r01 / (r00 * r11),
            (r01 * r12 - r02 * r11) / (r00 * r11 * r22),
            1.0 / r11,
            -r12 / (r11 * r22),
            1.0 / r22,
        ];
        Self { inverse, volume: (normal.dot(c) / 6.0).abs() }
    }
}

/// The columns of the deformation gradient.
#[inline(always)]
pub(crate) fn deformation<S: Real>(inverse: &[S; 6], &[x0, x1, x2, x3]: &[Vec3<S>; 4]) -> [Vec3<S>; 3] {
    let [i00, i01, i02, i11, i12, i22] = *inverse;
    let (a, b, c) = (x1 - x0, x2 - x0, x3 - x0);
    [a * i00, a * i01 + b * i11, a * i02 + b * i12 + c * i22]
}

/// Forces on the corners from the columns of `P·volume`, the first Piola–Kirchhoff stress.
#[inline(always)]
pub(crate) fn forces<S: Real>(inverse: &[S; 6], &[p0, p1, p2]: &[Vec3<S>; 3]) -> [Vec3<S>; 4] {
    let [i00, i01, i02, i11, i12, i22] = *inverse;
    let on_1 = p0 * i00 + p1 * i01 + p2 * i02;
    let on_2 = p1 * i11 + p2 * i12;
    let on_3 = p2 * i22;
    [-(on_1 + on_2 + on_3), on_1, on_2, on_3]
}

/// Forces on the corners against the rate of strain of an isotropic viscous solid, `P = F (λ tr(ε̇) I + 2μ ε̇)`, with the corners at
/// `x` moving at `v`; `dilation` and `shear` are λ and μ times the volume.
#[inline(always)]
pub(crate) fn viscous_forces<S: Real>(
    inverse: &[S; 6],
    [dilation, shear]: [S; 2],
    x: &[Vec3<S>; 4],
    v: &[Vec3<S>; 4],
) -> [Vec3<S>; 4] {
    let ([f0, f1, f2], [r0, r1, r2]) = (deformation(inverse, x), deformation(inverse, v));
    let (g0, g1, g2) = (f0.dot(r0) * 2.0, f1.dot(r1) * 2.0, f2.dot(r2) * 2.0);
    let pressure = dilation * (g0 + g1 + g2) * 0.5;
    let s12 = shear * (f1.dot(r2) + f2.dot(r1));
    let s20 = shear * (f2.dot(r0) + f0.dot(r2));
    let s01 = shear * (f0.dot(r1) + f1.dot(r0));
    let stress = [
        f0 * (pressure + shear * g0) + f1 * s01 + f2 * s20,
        f0 * s01 + f1 * (pressure + shear * g1) + f2 * s12,
        f0 * s20 + f1 * s12 + f2 * (pressure + shear * g2),
    ];
    forces(inverse, &stress)
}

/// `FᵀF − I`, twice Green's strain, as `[00, 11, 22, 12, 20, 01]`.
#[inline(always)]
pub(crate) fn twice_green<S: Real>(&[f0, f1, f2]: &[Vec3<S>; 3]) -> [S; 6] {
    let one = S::constant(1.0);
    [f0.length_sq() - one, f1.length_sq() - one, f2.length_sq() - one, f1.dot(f2), f2.dot(f0), f0.dot(f1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_stretch_is_found_in_either_orientation() {
        let stretch = |p: Vec3| Vec3::new(1.3 * p.x, 0.8 * p.y, 1.1 * p.z);
        let rest = [
            Vec3::new(0.1, 0.2, 0.3),
            Vec3::new(1.1, 0.1, 0.4),
            Vec3::new(0.3, 1.2, 0.2),
            Vec3::new(0.2, 0.4, 1.5),
        ];
        for rest in [rest, [rest[0], rest[2], rest[1], rest[3]]] {
            let tetrahedron = RestTetrahedron::new(&rest);
            let f = deformation(&tetrahedron.inverse, &rest.map(stretch));
            let jacobian = f[0].dot(f[1].cross(f[2]));
            assert!((jacobian - 1.3 * 0.8 * 1.1).abs() < 1e-14);
            let trace: f64 = twice_green(&f)[..3].iter().sum();
            assert!((trace - (1.69 + 0.64 + 1.21 - 3.0)).abs() < 1e-14);
            assert!(tetrahedron.volume > 0.0);
        }
    }
}
