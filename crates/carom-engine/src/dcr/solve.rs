//! The least change that satisfies linear constraints, in the metric of the masses.
//!
//! | function | asks for | used by |
//! | --- | --- | --- |
//! | [`least_push`] | `Δ = M⁻¹ Gᵀ λ` with `G Δ ≥ b`, `λ ≥ 0` and `½ Δᵀ M Δ` least | projection, normal part |
//! | [`least_norm`] | `λ` with `G M⁻¹ Gᵀ λ = b`, the shortest | sliding part |
//!
//! `A = G M⁻¹ Gᵀ` is singular wherever contacts are redundant, which in a mesh they are: a vertex on an edge touches two triangles.
//! Nothing here inverts it. Conjugate gradients from zero stay in its range, so of all multipliers that do the same they find the
//! shortest; inequalities are kept by proportioning [Dostal2005, summary]: conjugate gradients on the contacts that push, until
//! those that should begin to push weigh more. Rows are scaled to a unit diagonal first.
//!
//! **Never here:** what the rows mean.

use super::contacts::Contacts;

/// Residual at which a solution is taken, as a part of the largest right-hand side: well below what a step of any size resolves,
/// well above round-off.
pub const TOLERANCE: f64 = 1e-11;

/// The multipliers of the least push that opens every row by at least `wanted`; contradictions are left as they are.
pub fn least_push(contacts: &Contacts, wanted: &[f64]) -> Vec<f64> {
    let (scale, b) = scaled(contacts, wanted);
    let apply = |x: &[f64]| scaled_product(contacts, &scale, x);
    let most = contacts.row_bounds(&scale).into_iter().fold(0.0, f64::max);
    let enough = TOLERANCE * b.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
    let step = 1.0 / most.max(f64::MIN_POSITIVE);

    let mut x = vec![0.0; b.len()];
    let mut residual: Vec<f64> = b.iter().map(|b| -b).collect();
    let mut direction = free_part(&x, &residual);
    // Conjugate gradients need as many iterations as there are rows; changes of the pushing set start them again.
    for _ in 0..20 * b.len() + 50 {
        let free = free_part(&x, &residual);
        let idle = idle_part(&x, &residual);
        if free.iter().chain(&idle).all(|r| r.abs() <= enough) {
            break;
        }
        let reduced: f64 = x.iter().zip(&free).map(|(x, f)| (x / step).min(*f) * f).sum();
        if dot(&idle, &idle) > reduced {
            let product = apply(&idle);
            let curvature = dot(&idle, &product);
            if curvature <= 0.0 {
                break;
            }
            let length = dot(&residual, &idle) / curvature;
            step_along(&mut x, -length, &idle);
            step_along(&mut residual, -length, &product);
            direction = free_part(&x, &residual);
            continue;
        }
        let product = apply(&direction);
        let curvature = dot(&direction, &product);
        if curvature <= 0.0 {
            break;
        }
        let length = dot(&residual, &direction) / curvature;
        let room = room_along(&x, &direction);
        if length <= room {
            step_along(&mut x, -length, &direction);
            step_along(&mut residual, -length, &product);
            let free = free_part(&x, &residual);
            let beta = dot(&free, &product) / curvature;
            for (d, f) in direction.iter_mut().zip(&free) {
                *d = f - beta * *d;
            }
        } else {
            step_along(&mut x, -room, &direction);
            step_along(&mut residual, -room, &product);
            let free = free_part(&x, &residual);
            for (x, f) in x.iter_mut().zip(&free) {
                *x = (*x - step * f).max(0.0);
            }
            residual = apply(&x).iter().zip(&b).map(|(a, b)| a - b).collect();
            direction = free_part(&x, &residual);
        }
    }
    x.iter().zip(&scale).map(|(x, s)| x * s).collect()
}

/// The shortest multipliers that change every row by `wanted`, which some multipliers do.
pub fn least_norm(contacts: &Contacts, wanted: &[f64]) -> Vec<f64> {
    let (scale, b) = scaled(contacts, wanted);
    let enough = TOLERANCE * dot(&b, &b).sqrt();
    let mut x = vec![0.0; b.len()];
    let mut residual = b;
    let mut direction = residual.clone();
    let mut square = dot(&residual, &residual);
    for _ in 0..4 * x.len() + 20 {
        if square.sqrt() <= enough {
            break;
        }
        let product = scaled_product(contacts, &scale, &direction);
        let curvature = dot(&direction, &product);
        if curvature <= 0.0 {
            break;
        }
        let length = square / curvature;
        step_along(&mut x, length, &direction);
        step_along(&mut residual, -length, &product);
        let next = dot(&residual, &residual);
        for (d, r) in direction.iter_mut().zip(&residual) {
            *d = r + next / square * *d;
        }
        square = next;
    }
    x.iter().zip(&scale).map(|(x, s)| x * s).collect()
}

/// What brings the diagonal to 1, and the right-hand side with it; a row that nothing can move asks for nothing.
fn scaled(contacts: &Contacts, wanted: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let scale: Vec<f64> =
        contacts.diagonal().iter().map(|d| if *d > 0.0 { 1.0 / d.sqrt() } else { 0.0 }).collect();
    let b = wanted.iter().zip(&scale).map(|(w, s)| w * s).collect();
    (scale, b)
}

fn scaled_product(contacts: &Contacts, scale: &[f64], x: &[f64]) -> Vec<f64> {
    let lambda: Vec<f64> = x.iter().zip(scale).map(|(x, s)| x * s).collect();
    let mut out = contacts.coupled(&lambda);
    out.iter_mut().zip(scale).for_each(|(o, s)| *o *= s);
    out
}

/// The residual of rows that push.
fn free_part(x: &[f64], residual: &[f64]) -> Vec<f64> {
    x.iter().zip(residual).map(|(x, r)| if *x > 0.0 { *r } else { 0.0 }).collect()
}

/// The residual of rows that do not push and should.
fn idle_part(x: &[f64], residual: &[f64]) -> Vec<f64> {
    x.iter().zip(residual).map(|(x, r)| if *x > 0.0 { 0.0 } else { r.min(0.0) }).collect()
}

/// How far `x` can go against `direction` before a row would pull.
fn room_along(x: &[f64], direction: &[f64]) -> f64 {
    let of = |(x, d): (&f64, &f64)| if *d > 0.0 { x / d } else { f64::INFINITY };
    x.iter().zip(direction).map(of).fold(f64::INFINITY, f64::min)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn step_along(x: &mut [f64], length: f64, direction: &[f64]) {
    for (x, d) in x.iter_mut().zip(direction) {
        *x += length * d;
    }
}
