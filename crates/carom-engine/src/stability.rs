//! Are the steps short enough?
//!
//! With one step h for all, Störmer–Verlet is stable while `h² λ < 4`, λ the largest eigenvalue of
//! `M⁻¹K`. With a step per potential the same measure is the *stability number*
//!
//! `σ² = ¼ λ_max( M⁻¹ Σₑ hₑ² Kₑ )`,
//!
//! which is `h/h_max` when all steps agree and must stay below 1. By Irons' theorem [Irons1971, bound theorem]
//! it is at most `Σ_kinds max (hₑ/limitₑ)²` with the elements' own limits: cheap, and usually enough.
//! Stability of multiple steps has resonances that no such number excludes [Fong2008, abstract]; the
//! energy ledger shows those.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Family, Schedule, System, TANGENTS, element_limits_s};
use carom_time::Span;

/// How many Lanczos steps: the largest eigenvalue of a stiffness matrix is then right to about 1e-3.
const STEPS: usize = 80;

/// What the assembled system says about the steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stability {
    /// The largest frequency of the assembled system at the start, in rad/s.
    pub omega_max: f64,
    /// The longest stable step if all potentials shared one, in s.
    pub synchronous_limit_s: f64,
    /// The stability number σ of the steps chosen; below 1 is stable.
    pub sigma: f64,
}

/// An upper bound on σ from the elements' own limits: cheap, and never too small.
#[must_use]
pub fn bound(system: &System, positions: &[Vec3]) -> f64 {
    let quantum = system.line.quantum;
    let of_family = |(family, schedule): (&Arc<dyn Family>, &Schedule)| {
        let limits = element_limits_s(family.as_ref(), positions, &system.masses);
        let ratios = limits.iter().zip(&schedule.spans).map(|(limit, &span)| quantum.step(span) / limit);
        ratios.fold(0.0, f64::max).powi(2)
    };
    system.families.iter().zip(&system.schedules).map(of_family).sum::<f64>().sqrt()
}

/// Measures the steps of `system` at `positions` by Lanczos iteration on the assembled Hessian.
///
/// `None` if a user's closure gives no tangents.
#[must_use]
pub fn measure(system: &System, positions: &[Vec3]) -> Option<Stability> {
    let quantum = system.line.quantum;
    let omega_sq = largest_eigenvalue(system, positions, |_| 1.0)?;
    let sigma_sq = largest_eigenvalue(system, positions, |span| quantum.step(span).powi(2))? / 4.0;
    let omega_max = omega_sq.max(0.0).sqrt();
    Some(Stability { omega_max, synchronous_limit_s: 2.0 / omega_max, sigma: sigma_sq.max(0.0).sqrt() })
}

/// The largest eigenvalue of `M^(−½) Σ w(hₑ) Kₑ M^(−½)`, from a fixed start vector.
fn largest_eigenvalue(system: &System, positions: &[Vec3], weight: impl Fn(Span) -> f64) -> Option<f64> {
    let root: Vec<Vec3> =
        system.inverse_masses.iter().map(|w| Vec3::new(w.x.sqrt(), w.y.sqrt(), w.z.sqrt())).collect();
    let mut q = start_vector(&root);
    let mut previous = vec![Vec3::ZERO; q.len()];
    let (mut alphas, mut betas) = (Vec::new(), Vec::new());
    let mut beta = 0.0;
    for _ in 0..STEPS {
        let scaled: Vec<Vec3> = q.iter().zip(&root).map(|(v, r)| v.scaled_by(*r)).collect();
        let mut w = apply(system, positions, &scaled, &weight)?;
        for ((w, r), p) in w.iter_mut().zip(&root).zip(&previous) {
            *w = w.scaled_by(*r) - *p * beta;
        }
        let alpha = dot(&w, &q);
        for (w, q) in w.iter_mut().zip(&q) {
            *w -= *q * alpha;
        }
        alphas.push(alpha);
        beta = dot(&w, &w).sqrt();
        if beta <= 1e-12 * alpha.abs() || beta == 0.0 {
            break;
        }
        betas.push(beta);
        previous = core::mem::replace(&mut q, w.iter().map(|v| *v * (1.0 / beta)).collect());
    }
    Some(largest_of_tridiagonal(&alphas, &betas))
}

/// A fixed vector with a part in every mode: pseudo-random signs and sizes, zero where pinned.
fn start_vector(root: &[Vec3]) -> Vec<Vec3> {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let mut q: Vec<Vec3> = root
        .iter()
        .map(|r| {
            let v = Vec3::new(next(), next(), next());
            Vec3::new(
                if r.x == 0.0 { 0.0 } else { v.x },
                if r.y == 0.0 { 0.0 } else { v.y },
                if r.z == 0.0 { 0.0 } else { v.z },
            )
        })
        .collect();
    let norm = dot(&q, &q).sqrt();
    if norm > 0.0 {
        for v in &mut q {
            *v = *v * (1.0 / norm);
        }
    }
    q
}

fn dot(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum()
}

/// `Σ w(hₑ) Kₑ d`, element by element, by exact tangents.
fn apply(
    system: &System,
    positions: &[Vec3],
    d: &[Vec3],
    weight: &impl Fn(Span) -> f64,
) -> Option<Vec<Vec3>> {
    let mut out = vec![Vec3::ZERO; d.len()];
    let (mut x, mut dx, mut dg) = (Vec::new(), Vec::new(), Vec::new());
    for (family, schedule) in system.families.iter().zip(&system.schedules) {
        for e in 0..family.len() {
            let stencil = family.stencil(e);
            x.clear();
            x.extend(stencil.iter().map(|&v| positions[v as usize]));
            dx.clear();
            dx.extend(stencil.iter().map(|&v| {
                let mut directions = [Vec3::ZERO; TANGENTS];
                directions[0] = d[v as usize];
                directions
            }));
            dg.clear();
            dg.resize(stencil.len(), [Vec3::ZERO; TANGENTS]);
            family.tangents(e, &x, &dx, &mut dg)?;
            let w = weight(schedule.spans[e]);
            for (&v, g) in stencil.iter().zip(&dg) {
                out[v as usize] += g[0] * w;
            }
        }
    }
    Some(out)
}

/// The largest eigenvalue of a symmetric tridiagonal matrix, by bisection on Sturm counts.
fn largest_of_tridiagonal(diagonal: &[f64], off: &[f64]) -> f64 {
    let radius = |i: usize| {
        let left = if i > 0 { off[i - 1].abs() } else { 0.0 };
        left + off.get(i).filter(|_| i + 1 < diagonal.len()).map_or(0.0, |b| b.abs())
    };
    let mut high = (0..diagonal.len()).map(|i| diagonal[i] + radius(i)).fold(f64::NEG_INFINITY, f64::max);
    let mut low = diagonal.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // All pivots of A − x are negative exactly when x is above the whole spectrum.
    let is_above = |x: f64| {
        let mut pivot = diagonal[0] - x;
        let mut above = pivot < 0.0;
        for i in 1..diagonal.len() {
            pivot = diagonal[i] - x - off[i - 1] * off[i - 1] / pivot;
            above &= pivot < 0.0;
        }
        above
    };
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if is_above(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}
