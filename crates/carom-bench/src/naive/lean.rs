//! The membranes once more, by the formulas of our own kernels: forces along edges, half the arithmetic of the textbook's.
//!
//! They separate what the engine gains by its formulas from what it gains by their execution.

use carom_elastic::{MembraneNeoHookean, MembraneStvk};
use carom_math::Vec3;

use super::{Element, at};

/// A St. Venant–Kirchhoff membrane.
pub struct LeanStvk {
    pub corners: [u32; 3],
    pub rest: MembraneStvk,
}

/// A neo-Hookean membrane.
pub struct LeanNeoHookean {
    pub corners: [u32; 3],
    pub rest: MembraneNeoHookean,
}

/// Forces along the three edges of a triangle: `tension` over length in each.
#[inline(always)]
fn pull_edges(corners: &[u32; 3], edges: &[Vec3; 3], tensions: [f64; 3], forces: &mut [Vec3]) {
    let [f0, f1, f2] = [edges[0] * tensions[0], edges[1] * tensions[1], edges[2] * tensions[2]];
    forces[corners[0] as usize] += f2 - f1;
    forces[corners[1] as usize] += f0 - f2;
    forces[corners[2] as usize] += f1 - f0;
}

impl Element for LeanStvk {
    #[inline(always)]
    fn push(&self, x: &[Vec3], forces: &mut [Vec3]) {
        let [a, b, c] = at(&self.corners, x);
        let edges = [c - b, a - c, b - a];
        let l = &self.rest.rest_edges_sq;
        let [u0, u1, u2] =
            [edges[0].length_sq() - l[0], edges[1].length_sq() - l[1], edges[2].length_sq() - l[2]];
        let k = &self.rest.stiffness;
        let tensions = [
            k[0] * u0 + k[5] * u1 + k[4] * u2,
            k[5] * u0 + k[1] * u1 + k[3] * u2,
            k[4] * u0 + k[3] * u1 + k[2] * u2,
        ];
        pull_edges(&self.corners, &edges, tensions, forces);
    }
}

impl Element for LeanNeoHookean {
    #[inline(always)]
    fn push(&self, x: &[Vec3], forces: &mut [Vec3]) {
        let [a, b, c] = at(&self.corners, x);
        let edges = [c - b, a - c, b - a];
        let MembraneNeoHookean { rest_edges_sq: l, corners: r, quarter_inverse_det, dilation, shear } =
            &self.rest;
        let [u0, u1, u2] =
            [edges[0].length_sq() - l[0], edges[1].length_sq() - l[1], edges[2].length_sq() - l[2]];
        let [s0, s1, s2] = [u1 + u2 - u0, u2 + u0 - u1, u0 + u1 - u2];
        let d = r[0] * u0 + r[1] * u1 + r[2] * u2 + (s0 * s1 + s1 * s2 + s2 * s0) * quarter_inverse_det;
        let spread = 0.5 * dilation * d.ln_1p();
        let inverse = 1.0 / (1.0 + d);
        let along_rest = (shear * d + spread) * inverse;
        let along_strain = (spread - shear) * inverse * quarter_inverse_det * 2.0;
        let tensions = [
            along_rest * r[0] + along_strain * s0,
            along_rest * r[1] + along_strain * s1,
            along_rest * r[2] + along_strain * s2,
        ];
        pull_edges(&self.corners, &edges, tensions, forces);
    }
}
