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
use crate::report::NoMeasurement;
use crate::tangent_integrator::{TangentIntegrator, without_tangents};

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
    /// Terms of `δp`, kept separately so that the scale includes those that cancel.
    pub dp: Vec<[Vec3; 2]>,
}

impl Value {
    /// Adds `sign · (δp(u)·δq(w) − δp(w)·δq(u))`.
    pub fn add(&mut self, sign: f64, u: &End, w: &End) {
        for v in 0..u.dq.len() {
            for term in 0..2 {
                self.add_product(sign, u.dp[v][term], w.dq[v]);
                self.add_product(-sign, w.dp[v][term], u.dq[v]);
            }
        }
    }

    /// Adds `sign · δp·δq` of one vertex.
    pub fn add_product(&mut self, sign: f64, dp: Vec3, dq: Vec3) {
        self.sum.add(sign * dp.dot(dq));
        self.squares += (dp.length() * dq.length()).powi(2);
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

/// The end at `tick`, the next instant of `integrator`, of variations that end with `before` and then `last`, `seconds` later.
pub(crate) fn ends(
    integrator: &TangentIntegrator,
    tick: Tick,
    [before, last]: [&[Vec<Vec3>]; 2],
    seconds: f64,
) -> Result<Vec<End>, NoMeasurement> {
    let mut ends = Vec::with_capacity(last.len());
    for (befores, lasts) in before.chunks(TANGENTS).zip(last.chunks(TANGENTS)) {
        let kicks = impulse_tangents(integrator, tick, lasts)?;
        for (k, (a, b)) in befores.iter().zip(lasts).enumerate() {
            let flown = momentum(integrator.system(), a, b, seconds);
            let dp = flown.into_iter().zip(&kicks).map(|(p, kick)| [p, kick[k]]).collect();
            ends.push(End { dq: b.clone(), dp });
        }
    }
    Ok(ends)
}

/// `− Σ_{h│tick} h ∇²V(x) δq` of elements and layers, for up to [`TANGENTS`] variations at once.
fn impulse_tangents(
    integrator: &TangentIntegrator,
    tick: Tick,
    variations: &[Vec<Vec3>],
) -> Result<Vec<[Vec3; TANGENTS]>, NoMeasurement> {
    let (system, x) = (integrator.system(), integrator.positions_at(tick));
    let mut kicks = vec![[Vec3::ZERO; TANGENTS]; x.len()];
    let mut add = |stencil: &[u32], factor: f64, changes: &[[Vec3; TANGENTS]]| {
        for (&v, change) in stencil.iter().zip(changes) {
            for (kick, change) in kicks[v as usize].iter_mut().zip(change) {
                *kick += *change * factor;
            }
        }
    };
    let of_vertex =
        |v: u32| core::array::from_fn(|k| variations.get(k).map_or(Vec3::ZERO, |dq| dq[v as usize]));
    for id in due(system, tick) {
        let family = &system.families[id.family as usize];
        let schedule = &system.schedules[id.family as usize];
        let element = schedule.order[id.place as usize] as usize;
        let h = system.line.quantum.step(schedule.spans[element]);
        let stencil = family.stencil(element);
        let at: Vec<Vec3> = stencil.iter().map(|&v| x[v as usize]).collect();
        let dx: Vec<[Vec3; TANGENTS]> = stencil.iter().map(|&v| of_vertex(v)).collect();
        let mut out = vec![[Vec3::ZERO; TANGENTS]; stencil.len()];
        family.tangents(element, &at, &dx, &mut out).ok_or_else(|| without_tangents(family.kind()))?;
        add(stencil, -h, &out);
    }
    if let Some((pairs, fired)) = integrator.pairs_at(tick) {
        for fired in &fired {
            let stencil = fired.pair.stencil();
            let mut dx = [[Vec3::ZERO; TANGENTS]; 4];
            dx.iter_mut().zip(stencil).for_each(|(dx, &v)| *dx = of_vertex(v));
            add(stencil, 1.0, &pairs.tangents(fired, &dx));
        }
    }
    Ok(kicks)
}
