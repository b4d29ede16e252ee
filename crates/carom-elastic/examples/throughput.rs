//! How many gradients per second each kernel gives on one core: `cargo run --release --example throughput`.
//!
//! First with gather and ordered scatter, on a sheet of 40 × 40 vertices that stays in the cache;
//! then the kernel alone, eight elements at a time in registers and on the stack.
//! Clocks of shared machines are noisy: the best of many runs is printed, and rows are to be
//! compared with each other, not with another day's.

use std::hint::black_box;
use std::time::Instant;

use carom_elastic::{
    BendingHinge, BendingMidedge, BendingQuadratic, InverseDistance, LennardJones, MembraneNeoHookean,
    MembraneStvk, RodBend, ShellMaterial, SolidMaterial, Spring, TetNeoHookean, TetStvk,
};
use carom_math::{F64x4, LANES, Lanes, Real, Vec3, vectorize};
use carom_model::{Element, ElementStore, ImpulseSums, Owner, Packing, Part, Stencils};

const SIDE: u32 = 40;
const SOLID: SolidMaterial = SolidMaterial { young: 1e6, poisson: 0.3 };
const SHEET: ShellMaterial = ShellMaterial { young: 1e6, poisson: 0.3, thickness: 1e-3 };

fn vertex(i: u32, j: u32) -> u32 {
    j * SIDE + i
}

fn rest() -> Vec<Vec3> {
    let at = |v: u32| {
        let (i, j) = (f64::from(v % SIDE), f64::from(v / SIDE));
        // Rough, so that four neighbours have a volume.
        Vec3::new(i + 0.5 * j, 0.75_f64.sqrt() * j, 0.3 * f64::from((v * 7) % 5)) * 0.01
    };
    (0..SIDE * SIDE).map(at).collect()
}

/// The inner triangles, each with the far corners of its three neighbours.
fn stencils() -> Vec<[u32; 6]> {
    let mut all = Vec::new();
    for j in 1..SIDE - 2 {
        for i in 1..SIDE - 2 {
            let up = [(i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1), (i - 1, j + 1), (i + 1, j - 1)];
            let down = [(i + 1, j + 1), (i, j + 1), (i + 1, j), (i, j), (i + 2, j), (i, j + 2)];
            all.extend([up, down].map(|s| s.map(|(i, j)| vertex(i, j))));
        }
    }
    all
}

fn row<E: Element<N, P>, const N: usize, const P: usize>(
    stencils: &[[u32; 6]],
    pick: [usize; N],
    make: impl Fn(&[Vec3; N]) -> E,
) {
    let rest = rest();
    let mut store = ElementStore::new();
    for (t, stencil) in stencils.iter().enumerate() {
        let stencil = pick.map(|i| stencil[i]);
        let owner = Owner { body: 0, part: Part::Face(t as u32) };
        store.push(make(&stencil.map(|v| rest[v as usize])), stencil, owner, 1.0);
    }
    let x: Vec<Vec3> = rest.iter().map(|p| *p + Vec3::Z * (3.0 * p.x * p.x - 2.0 * p.x * p.y)).collect();
    let everything: Vec<u32> = (0..store.len() as u32).collect();
    let names: Vec<u32> = (0..rest.len() as u32).collect();
    let batch = store.batch(&everything, &names);
    let mut sums = ImpulseSums::new(rest.len());
    let rows: Vec<F64x4> = x.iter().map(|&x| x.into()).collect();
    let mut best = f64::INFINITY;
    for _ in 0..300 {
        let start = Instant::now();
        batch.kick(1e-6, &rows, &mut sums);
        best = best.min(start.elapsed().as_secs_f64());
    }
    let alone = kernel_alone::<E, N, P>(
        &make(&pick.map(|i| rest[stencils[0][i] as usize])),
        &pick.map(|i| x[stencils[0][i] as usize]),
    );
    println!("{:24} {:7.1} M/s {:9.1} M/s", E::KIND, store.len() as f64 / best / 1e6, alone / 1e6);
}

/// Gradients per second without gather and scatter.
fn kernel_alone<E: Element<N, P>, const N: usize, const P: usize>(element: &E, x: &[Vec3; N]) -> f64 {
    const BLOCKS: usize = 2000;
    let params = element.params().map(Lanes::constant);
    let lanes = x.map(Vec3::<Lanes>::constant);
    let mut best = f64::INFINITY;
    for _ in 0..100 {
        let start = Instant::now();
        vectorize::run(
            #[inline(always)]
            || {
                for _ in 0..BLOCKS {
                    black_box(&E::gradient(black_box(&params), black_box(&lanes)));
                }
            },
        );
        best = best.min(start.elapsed().as_secs_f64());
    }
    (BLOCKS * LANES) as f64 / best
}

fn main() {
    println!("{:24} {:>11} {:>13}", "kind", "in a batch", "kernel alone");
    let stencils = stencils();
    row(&stencils, [0, 1], |x| Spring::from_rest(x, 1.0));
    row(&stencils, [0, 1], |_| LennardJones { depth: 1e-3, diameter: 0.01 });
    row(&stencils, [0, 1], |_| InverseDistance { strength: 1e-3, closest: f64::INFINITY });
    row(&stencils, [0, 1, 3], |x| RodBend::from_rest(x, 1e-3));
    row(&stencils, [0, 1, 2], |x| MembraneStvk::from_rest(x, &SHEET));
    row(&stencils, [0, 1, 2], |x| MembraneNeoHookean::from_rest(x, &SHEET));
    row(&stencils, [1, 2, 0, 3], |x| BendingHinge::from_rest(x, &SHEET));
    row(&stencils, [1, 2, 0, 3], |x| BendingQuadratic::from_rest(x, &SHEET));
    row(&stencils, [0, 1, 2, 3, 4, 5], |x| BendingMidedge::from_rest(x, [true; 3], &SHEET));
    row(&stencils, [0, 1, 2, 3], |x| TetStvk::from_rest(x, &SOLID));
    row(&stencils, [0, 1, 2, 3], |x| TetNeoHookean::from_rest(x, &SOLID));
}
