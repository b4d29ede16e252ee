//! The baseline of the benchmarks: the same potentials in plain loops over structs, on one step.
//!
//! Written independently of the kernels, from textbook formulas (`membranes`, `bending`); and the membranes by the formulas of the kernels
//! (`lean`), to separate formulas from execution.
//!
//! Symplectic Euler: one drift of every vertex, forces of all elements one after the other, one kick of every vertex. Nothing
//! is allocated between steps. The loops are compiled as the rest of the program is, or for the machine at hand, whichever is asked for: take
//! the faster of the two.
//!
//! **Never here:** contact. Bodies pass through each other, at no cost: a run that keeps them apart is measured against one that
//! does not have to.

mod bending;
mod lean;
mod membranes;

use carom_math::{Vec3, vectorize};

pub use bending::{Hinge, Midedge};
pub use lean::{LeanNeoHookean, LeanStvk};
pub use membranes::{NeoHookean, Sheet, Stvk};

/// Something that adds its forces, in N, on its vertices.
pub trait Element {
    /// Adds them to `forces`, at the positions `x`.
    fn push(&self, x: &[Vec3], forces: &mut [Vec3]);
}

/// Positions of the vertices of a stencil.
#[inline(always)]
fn at<const N: usize>(corners: &[u32; N], x: &[Vec3]) -> [Vec3; N] {
    core::array::from_fn(|i| x[corners[i] as usize])
}

/// For which machine the loops are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// Any machine of the architecture.
    Baseline,
    /// This machine.
    Native,
}

/// Vertices and the elements between them.
#[derive(Default)]
pub struct Naive {
    /// Positions, in m.
    pub x: Vec<Vec3>,
    /// Velocities, in m/s.
    pub v: Vec<Vec3>,
    /// Inverse masses, in 1/kg.
    pub inverse_masses: Vec<f64>,
    pub stvk: Vec<Stvk>,
    pub neo_hookean: Vec<NeoHookean>,
    pub lean_stvk: Vec<LeanStvk>,
    pub lean_neo_hookean: Vec<LeanNeoHookean>,
    pub hinges: Vec<Hinge>,
    pub midedges: Vec<Midedge>,
    forces: Vec<Vec3>,
}

impl Naive {
    /// Elements evaluated in a step.
    pub fn elements(&self) -> usize {
        let textbook = self.stvk.len() + self.neo_hookean.len();
        let lean = self.lean_stvk.len() + self.lean_neo_hookean.len();
        textbook + lean + self.hinges.len() + self.midedges.len()
    }

    /// Takes `steps` steps of `h` seconds.
    pub fn run(&mut self, build: Build, h: f64, steps: u64) {
        self.forces.resize(self.x.len(), Vec3::ZERO);
        match build {
            Build::Baseline => (0..steps).for_each(|_| self.step(h)),
            Build::Native => vectorize::run(
                #[inline(always)]
                || (0..steps).for_each(|_| self.step(h)),
            ),
        }
    }

    #[inline(always)]
    fn step(&mut self, h: f64) {
        let Self { x, v, forces, .. } = self;
        for (x, v) in x.iter_mut().zip(&*v) {
            *x += *v * h;
        }
        forces.fill(Vec3::ZERO);
        push_all(&self.stvk, x, forces);
        push_all(&self.neo_hookean, x, forces);
        push_all(&self.lean_stvk, x, forces);
        push_all(&self.lean_neo_hookean, x, forces);
        push_all(&self.hinges, x, forces);
        push_all(&self.midedges, x, forces);
        for ((v, force), inverse_mass) in v.iter_mut().zip(&*forces).zip(&self.inverse_masses) {
            *v += *force * (h * inverse_mass);
        }
    }
}

#[inline(always)]
fn push_all<E: Element>(elements: &[E], x: &[Vec3], forces: &mut [Vec3]) {
    for element in elements {
        element.push(x, forces);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_elastic::{BendingHinge, BendingMidedge, MembraneNeoHookean, MembraneStvk, ShellMaterial};
    use carom_model::Element as Kernel;

    const SHEET: ShellMaterial = ShellMaterial { young: 900.0, poisson: 0.3, thickness: 0.2 };

    /// A triangle with three neighbours, and the same bent and stretched, the `k`-th way.
    fn shapes(k: u32) -> [[Vec3; 6]; 2] {
        let rest = [
            Vec3::new(0.0, 0.0, 0.0),
            Vec3::new(1.0, 0.1, 0.0),
            Vec3::new(0.4, 0.9, 0.1),
            Vec3::new(1.3, 1.0, 0.0),
            Vec3::new(-0.6, 0.8, 0.2),
            Vec3::new(0.5, -0.8, 0.1),
        ];
        let noise = |i: u32| (f64::from(i * 37 + k * 101) * 0.739).sin() * 0.1;
        let moved = core::array::from_fn(|i| {
            let i = i as u32;
            rest[i as usize] + Vec3::new(noise(3 * i), noise(3 * i + 1), noise(3 * i + 2))
        });
        [rest, moved]
    }

    /// The forces of `ours` are minus the gradient that the kernel gives.
    fn same<E: Element, K: Kernel<N, P>, const N: usize, const P: usize>(
        ours: &E,
        kernel: &K,
        stencil: [u32; N],
        x: &[Vec3; 6],
    ) {
        let mut forces = [Vec3::ZERO; 6];
        ours.push(x, &mut forces);
        let gradient = K::gradient(&kernel.params(), &stencil.map(|v| x[v as usize]));
        for (v, g) in stencil.into_iter().zip(gradient) {
            let error = (forces[v as usize] + g).length();
            assert!(error < 1e-11 * SHEET.young, "{}: {error}", K::KIND);
        }
    }

    #[test]
    fn forces_are_those_of_the_kernels() {
        for k in 0..20 {
            let [rest, x] = shapes(k);
            let triangle = [rest[0], rest[1], rest[2]];
            let stvk = MembraneStvk::from_rest(&triangle, &SHEET);
            same(&Stvk(Sheet::new([0, 1, 2], &triangle, &SHEET)), &stvk, [0, 1, 2], &x);
            same(&LeanStvk { corners: [0, 1, 2], rest: stvk }, &stvk, [0, 1, 2], &x);
            let neo = MembraneNeoHookean::from_rest(&triangle, &SHEET);
            same(&NeoHookean(Sheet::new([0, 1, 2], &triangle, &SHEET)), &neo, [0, 1, 2], &x);
            same(&LeanNeoHookean { corners: [0, 1, 2], rest: neo }, &neo, [0, 1, 2], &x);
            let hinge = BendingHinge::from_rest(&[rest[0], rest[1], rest[2], rest[5]], &SHEET);
            same(&Hinge { corners: [0, 1, 2, 5], rest: hinge }, &hinge, [0, 1, 2, 5], &x);
            for has_neighbour in [[true; 3], [true, false, true], [false; 3]] {
                let midedge = BendingMidedge::from_rest(&rest, has_neighbour, &SHEET);
                let corners = [0, 1, 2, 3, 4, 5];
                same(&Midedge { corners, rest: midedge }, &midedge, corners, &x);
            }
        }
    }
}
