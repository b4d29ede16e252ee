//! Bodies at rest in contact stay at rest: the eigenvalues of the period map lie on the unit circle.
//!
//! | | |
//! | --- | --- |
//! | Map | that of `symplectic`, with the half-kick start, in its coordinates |
//! | Rest | a fixed point of the map, by Newton's method from the start; only for scenes that start without velocity and with some pair pushing |
//! | Residual | `ln ‖Jᴷ‖ / K`, `K = 2^`[`DOUBLINGS`], by repeated squaring: it is at least `ln │λ│` of every eigenvalue. `J` is symplectic, so with λ also 1/λ is one: none outside the circle means none inside |
//!
//! Kicks and drifts have determinant 1 whatever the clocks; that does not make them stable. Free sliding lets `Jᴷ` grow like `K`, which
//! costs `ln K / K` = 1e-6.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Start, State, System};

use crate::Options;
use crate::clocks::{dyadic, starting};
use crate::report::{Measurement, NoMeasurement, Property};
use crate::scale::{rate, size};
use crate::symplectic::{Mapped, period_map, unit_vectors, unknowns};
use crate::tangent_integrator::Tangent;
use crate::touching::Touching;

/// The power is 2 to this.
const DOUBLINGS: u32 = 24;

/// The largest `ln │λ│` that passes.
const BOUND: f64 = 2e-6;

/// The most unknowns: the squarings cost their cube.
const MOST_UNKNOWNS: usize = 240;

/// The most steps of Newton's method.
const STEPS: usize = 12;

/// Pivots below this are directions in which the map moves nothing: free sliding.
const NO_PIVOT: f64 = 1e-9;

pub(crate) fn claim() -> Property {
    Property {
        name: "rest in contact",
        what: "The eigenvalues of the period map of the system at rest in contact lie on the unit circle.",
        bound: BOUND,
    }
}

pub(crate) fn check(
    system: &Arc<System>,
    state: &State,
    options: &Options,
) -> Result<Measurement, NoMeasurement> {
    let system = Arc::new(starting(&dyadic(system), Start::HalfKick));
    if !pushes_at_the_start(&system, state) || state.velocities.iter().any(|v| !v.is_zero()) {
        return Err(NoMeasurement::Skipped("nothing starts at rest in contact".into()));
    }
    let n = unknowns(&system);
    if n == 0 || n > MOST_UNKNOWNS {
        return Err(NoMeasurement::Skipped(format!("{n} unknowns, and it takes 1 to {MOST_UNKNOWNS}")));
    }
    let rate = rate(&system);
    let (rest, moved) = rest_near(&system, state, rate, options)?;
    let images = period_map(&system, &rest, &unit_vectors(&system, rate), options)?.images;
    let columns: Vec<Vec<f64>> = images.iter().map(|image| coordinates(&system, rate, image)).collect();
    let growth = log_of_power(Matrix::from_columns(&columns));
    let details =
        vec![format!("{n} unknowns, {moved:.3e} m from the start to rest, ln ‖Jᴷ‖/K at K = 2^{DOUBLINGS}")];
    Ok(Measurement { residual: growth, details })
}

fn pushes_at_the_start(system: &Arc<System>, state: &State) -> bool {
    let start = State::new(state.positions.clone(), state.velocities.clone(), system.line.quantum);
    Touching::new(system, &start).is_some_and(|touching| {
        let due = touching.firing(carom_time::Tick::START, 1.0, &start);
        due.iter().any(|fired| touching.pairs.impulses(fired).is_some())
    })
}

/// A fixed point of the period map, and how far it is from `state`, in m.
fn rest_near(
    system: &Arc<System>,
    state: &State,
    rate: f64,
    options: &Options,
) -> Result<(State, f64), NoMeasurement> {
    let unit = unit_vectors(system, rate);
    let size = size(&state.positions);
    let mut at = State::new(state.positions.clone(), state.velocities.clone(), system.line.quantum);
    for _ in 0..STEPS {
        let Mapped { place: end, images, .. } = period_map(system, &at, &unit, options)?;
        let missed = Tangent {
            dq: end.dq.iter().zip(&at.positions).map(|(a, b)| *a - *b).collect(),
            dv: end.dv.iter().zip(&at.velocities).map(|(a, b)| *a - *b).collect(),
        };
        let largest = |all: &[Vec3]| all.iter().map(|v| v.length()).fold(0.0, f64::max);
        if largest(&missed.dq).max(largest(&missed.dv) / rate) < 1e-13 * size {
            let moved = at.positions.iter().zip(&state.positions).map(|(a, b)| (*a - *b).length());
            let moved = moved.fold(0.0, f64::max);
            return Ok((at, moved));
        }
        let mut columns: Vec<Vec<f64>> = images.iter().map(|t| coordinates(system, rate, t)).collect();
        for (i, column) in columns.iter_mut().enumerate() {
            column[i] -= 1.0;
        }
        let right = coordinates(system, rate, &missed).into_iter().map(|r| -r).collect();
        let step = Matrix::from_columns(&columns).solve(right);
        for (unit, s) in unit.iter().zip(step) {
            for v in 0..at.len() {
                at.positions[v] += unit.dq[v] * s;
                at.velocities[v] += unit.dv[v] * s;
            }
        }
    }
    Err(NoMeasurement::Skipped("there is no rest near the start".into()))
}

/// A variation in the coordinates of the unit vectors: `√(mΩ) δq`, `√(m/Ω) δv`, axis by axis.
fn coordinates(system: &System, rate: f64, t: &Tangent) -> Vec<f64> {
    let mut all = Vec::new();
    for (v, &m) in system.masses.iter().enumerate() {
        for axis in (0..3).filter(|&axis| system.inverse_masses[v][axis] != 0.0) {
            all.extend([t.dq[v][axis] * (m * rate).sqrt(), t.dv[v][axis] * (m / rate).sqrt()]);
        }
    }
    all
}

/// `ln ‖Mᴷ‖ / K`, with the largest sum of a column as the norm.
fn log_of_power(mut m: Matrix) -> f64 {
    let mut log = 0.0;
    for _ in 0..DOUBLINGS {
        m = m.times(&m);
        // The powers may leave the range of numbers: keep their size apart.
        let norm = m.norm();
        m.entries.iter_mut().for_each(|e| *e /= norm);
        log = 2.0 * log + norm.ln();
    }
    log / f64::from(1 << DOUBLINGS)
}

/// A square matrix, row by row.
struct Matrix {
    n: usize,
    entries: Vec<f64>,
}

impl Matrix {
    fn from_columns(columns: &[Vec<f64>]) -> Self {
        let n = columns.len();
        Self { n, entries: (0..n * n).map(|k| columns[k % n][k / n]).collect() }
    }

    fn times(&self, other: &Self) -> Self {
        let n = self.n;
        let mut entries = vec![0.0; n * n];
        for (row, out) in self.entries.chunks(n).zip(entries.chunks_mut(n)) {
            for (a, b) in row.iter().zip(other.entries.chunks(n)) {
                out.iter_mut().zip(b).for_each(|(out, b)| *out += a * b);
            }
        }
        Self { n, entries }
    }

    fn norm(&self) -> f64 {
        (0..self.n)
            .map(|j| self.entries.iter().skip(j).step_by(self.n).map(|e| e.abs()).sum())
            .fold(0.0, f64::max)
    }

    /// A solution of `M x = right`; zero along directions without a pivot.
    fn solve(mut self, mut right: Vec<f64>) -> Vec<f64> {
        let n = self.n;
        let mut unused: Vec<usize> = (0..n).collect();
        let mut pivots = Vec::new();
        while let Some((i, j)) = self.largest(&unused, &pivots) {
            unused.retain(|row| *row != i);
            for &row in &unused {
                let factor = self.entries[row * n + j] / self.entries[i * n + j];
                for k in 0..n {
                    self.entries[row * n + k] -= factor * self.entries[i * n + k];
                }
                right[row] -= factor * right[i];
            }
            pivots.push((i, j));
        }
        let mut x = vec![0.0; n];
        for &(i, j) in pivots.iter().rev() {
            let known: f64 = (0..n).filter(|&k| k != j).map(|k| self.entries[i * n + k] * x[k]).sum();
            x[j] = (right[i] - known) / self.entries[i * n + j];
        }
        x
    }

    /// Row and column of the largest entry in rows not used and columns without a pivot, unless it is too small to be one.
    fn largest(&self, rows: &[usize], pivots: &[(usize, usize)]) -> Option<(usize, usize)> {
        let free = |j: &usize| pivots.iter().all(|(_, used)| used != j);
        let columns: Vec<usize> = (0..self.n).filter(free).collect();
        let places = rows.iter().flat_map(|&i| columns.iter().map(move |&j| (i, j)));
        let size = |&(i, j): &(usize, usize)| self.entries[i * self.n + j].abs();
        places.max_by(|a, b| size(a).total_cmp(&size(b))).filter(|place| size(place) > NO_PIVOT)
    }
}
