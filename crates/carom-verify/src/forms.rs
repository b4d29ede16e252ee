//! The one-forms at the two ends of the paper's action, and their exterior derivatives.
//!
//! Restricted to trajectories that satisfy the Euler–Lagrange equations, the derivative of the
//! action is left with its boundary terms [Vouga2010, §3.1, §4]:
//!
//! | | |
//! | --- | --- |
//! | Start | `θ⁻ = − T'(q₀, q₁) dq₀`, with `T'(qₐ, q_b) = M (q_b − qₐ)/(t_b − tₐ)` |
//! | End | `θ⁺ = (T'(qₙ₋₂, qₙ₋₁) − Σ_{h│ξ(n−1)} h ∇V(qₙ₋₁)) dqₙ₋₁` |
//! | Derivative | `dθ⁻(u, w) = − T'(u₀, u₁)·w₀ + T'(w₀, w₁)·u₀` |
//! | | `dθ⁺(u, w) = (T'(uₙ₋₂, uₙ₋₁) − Σ h ∇²V uₙ₋₁)·wₙ₋₁ −` the same with u and w exchanged |
//!
//! `u`, `w` are first variations: sequences of δq along which the equations still hold. Forms are
//! evaluated on the positions δq alone, as they are written; the Hessian term is there although it
//! cancels, since it cancels only if the forces have a potential.

use carom_math::{Sum, Vec3};
use carom_model::{System, TANGENTS};
use carom_time::Tick;

use crate::clocks::due;
use crate::flight::without_tangents;
use crate::report::Unfound;

/// The value of a two-form on a pair, and the sum of the squares of its terms.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Value {
    pub sum: Sum,
    pub squares: f64,
}

/// One end of one variation: `δq` there and what the form multiplies it with, the variation of a momentum.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub dq: Vec<Vec3>,
    /// Terms of `δp`, kept apart so that the scale sees what cancels.
    pub dp: Vec<[Vec3; 2]>,
}

impl Value {
    /// Adds `sign · (δp(u)·δq(w) − δp(w)·δq(u))`.
    pub fn add(&mut self, sign: f64, u: &End, w: &End) {
        for v in 0..u.dq.len() {
            for term in 0..2 {
                let (a, b) = (u.dp[v][term].dot(w.dq[v]), w.dp[v][term].dot(u.dq[v]));
                self.sum.add(sign * a);
                self.sum.add(-sign * b);
                self.squares += (u.dp[v][term].length() * w.dq[v].length()).powi(2);
                self.squares += (w.dp[v][term].length() * u.dq[v].length()).powi(2);
            }
        }
    }

    /// How far the value is from zero, relative to what so many terms with random signs amount to.
    pub fn relative(&self) -> f64 {
        self.sum.value().abs() / self.squares.sqrt()
    }
}

/// `T'(δqₐ, δq_b) = M (δq_b − δqₐ)/(t_b − tₐ)` for each vertex.
pub(crate) fn momentum(system: &System, a: &[Vec3], b: &[Vec3], seconds: f64) -> Vec<Vec3> {
    let of = |(v, m): (usize, &f64)| (b[v] - a[v]) * (m / seconds);
    system.masses.iter().enumerate().map(of).collect()
}

/// The start of variations that begin with `first` and then `second`, `seconds` later.
pub(crate) fn starts(system: &System, first: &[Vec<Vec3>], second: &[Vec<Vec3>], seconds: f64) -> Vec<End> {
    let of = |(a, b): (&Vec<Vec3>, &Vec<Vec3>)| End {
        dq: a.clone(),
        dp: momentum(system, a, b, seconds).into_iter().map(|p| [p, Vec3::ZERO]).collect(),
    };
    first.iter().zip(second).map(of).collect()
}

/// The end at `tick`, positions `x`, of variations that end with `before` and then `last`, `seconds` later.
pub(crate) fn ends(
    system: &System,
    tick: Tick,
    x: &[Vec3],
    [before, last]: [&[Vec<Vec3>]; 2],
    seconds: f64,
) -> Result<Vec<End>, Unfound> {
    let mut ends = Vec::with_capacity(last.len());
    for (befores, lasts) in before.chunks(TANGENTS).zip(last.chunks(TANGENTS)) {
        let kicks = impulse_tangents(system, tick, x, lasts)?;
        for (k, (a, b)) in befores.iter().zip(lasts).enumerate() {
            let flown = momentum(system, a, b, seconds);
            let dp = flown.into_iter().zip(&kicks).map(|(p, kick)| [p, kick[k]]).collect();
            ends.push(End { dq: b.clone(), dp });
        }
    }
    Ok(ends)
}

/// `− Σ_{h│tick} h ∇²V(x) δq`, for up to [`TANGENTS`] variations at once.
fn impulse_tangents(
    system: &System,
    tick: Tick,
    x: &[Vec3],
    variations: &[Vec<Vec3>],
) -> Result<Vec<[Vec3; TANGENTS]>, Unfound> {
    let mut kicks = vec![[Vec3::ZERO; TANGENTS]; x.len()];
    for id in due(system, tick) {
        let family = &system.families[id.family as usize];
        let schedule = &system.schedules[id.family as usize];
        let element = schedule.order[id.place as usize] as usize;
        let h = system.line.quantum.step(schedule.spans[element]);
        let stencil = family.stencil(element);
        let at: Vec<Vec3> = stencil.iter().map(|&v| x[v as usize]).collect();
        let of_vertex =
            |&v: &u32| core::array::from_fn(|k| variations.get(k).map_or(Vec3::ZERO, |dq| dq[v as usize]));
        let dx: Vec<[Vec3; TANGENTS]> = stencil.iter().map(of_vertex).collect();
        let mut out = vec![[Vec3::ZERO; TANGENTS]; stencil.len()];
        family.tangents(element, &at, &dx, &mut out).ok_or_else(|| without_tangents(family.kind()))?;
        for (&v, dg) in stencil.iter().zip(&out) {
            for (kick, dg) in kicks[v as usize].iter_mut().zip(dg) {
                *kick += *dg * -h;
            }
        }
    }
    Ok(kicks)
}
