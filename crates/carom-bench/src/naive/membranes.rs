//! Membranes as a textbook has them: deformation gradient, strain, stress, forces.
//!
//! | | |
//! | --- | --- |
//! | deformation gradient | `F = [x₁ − x₀, x₂ − x₀] D⁻¹`, `D` the same two edges at rest, in the plane |
//! | stress, St. Venant–Kirchhoff | `S = α tr(E) I + 2β E`, `E = ½(FᵀF − I)` |
//! | stress, neo-Hookean | `S = β (I − C⁻¹) + α ln J C⁻¹`, `C = FᵀF`, `J² = det C` |
//! | forces | on the second and third corner the columns of `−V F S D⁻ᵀ`, on the first what is missing |
//!
//! About 110 flops for the first, 130 and a logarithm for the second.

use carom_elastic::{Lame, ShellMaterial};
use carom_math::Vec3;

use super::{Element, at};

/// A triangle at rest.
pub struct Sheet {
    corners: [u32; 3],
    /// `D⁻¹` by rows, in 1/m.
    inverse: [[f64; 2]; 2],
    /// Thickness times area, in m³.
    volume: f64,
    lame: Lame,
}

/// A St. Venant–Kirchhoff membrane.
pub struct Stvk(pub Sheet);

/// A neo-Hookean membrane.
pub struct NeoHookean(pub Sheet);

impl Sheet {
    /// A triangle of this shape and material, without strain.
    pub fn new(corners: [u32; 3], rest: &[Vec3; 3], material: &ShellMaterial) -> Self {
        let (a, b) = (rest[1] - rest[0], rest[2] - rest[0]);
        let width = a.length();
        let (along, height) = (a.dot(b) / width, a.cross(b).length() / width);
        let inverse = [[1.0 / width, -along / (width * height)], [0.0, 1.0 / height]];
        Self { corners, inverse, volume: 0.5 * width * height * material.thickness, lame: material.lame() }
    }

    /// The columns of `F`.
    #[inline(always)]
    fn gradient(&self, x: &[Vec3]) -> [Vec3; 2] {
        let [a, b, c] = at(&self.corners, x);
        let (u, v) = (b - a, c - a);
        let [[p, q], [r, s]] = self.inverse;
        [u * p + v * r, u * q + v * s]
    }

    /// Adds the forces of the stress `S`, given as `[11, 22, 12]`.
    #[inline(always)]
    fn push(&self, [f, g]: [Vec3; 2], [s11, s22, s12]: [f64; 3], forces: &mut [Vec3]) {
        let (first, second) = (f * s11 + g * s12, f * s12 + g * s22);
        let [[p, q], [r, s]] = self.inverse;
        let on_b = (first * p + second * q) * -self.volume;
        let on_c = (first * r + second * s) * -self.volume;
        forces[self.corners[0] as usize] -= on_b + on_c;
        forces[self.corners[1] as usize] += on_b;
        forces[self.corners[2] as usize] += on_c;
    }
}

impl Element for Stvk {
    #[inline(always)]
    fn push(&self, x: &[Vec3], forces: &mut [Vec3]) {
        let [f, g] = self.0.gradient(x);
        let (e11, e22, e12) = (0.5 * (f.dot(f) - 1.0), 0.5 * (g.dot(g) - 1.0), 0.5 * f.dot(g));
        let Lame { dilation, shear } = self.0.lame;
        let spread = dilation * (e11 + e22);
        let stress = [spread + 2.0 * shear * e11, spread + 2.0 * shear * e22, 2.0 * shear * e12];
        self.0.push([f, g], stress, forces);
    }
}

impl Element for NeoHookean {
    #[inline(always)]
    fn push(&self, x: &[Vec3], forces: &mut [Vec3]) {
        let [f, g] = self.0.gradient(x);
        let (c11, c22, c12) = (f.dot(f), g.dot(g), f.dot(g));
        let det = c11 * c22 - c12 * c12;
        let Lame { dilation, shear } = self.0.lame;
        let along_inverse = (dilation * 0.5 * det.ln() - shear) / det;
        let stress = [shear + along_inverse * c22, shear + along_inverse * c11, -along_inverse * c12];
        self.0.push([f, g], stress, forces);
    }
}
