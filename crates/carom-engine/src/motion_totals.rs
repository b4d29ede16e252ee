//! Sums over all that moves: momenta, kinetic energy, and how large the terms of the momenta are.
//!
//! Places are computed and added eight at a time. Sums are exact and rounded once, so that the bits are those of any order. The terms are those of
//! one vertex: `½ m |v|²`, `m v`, `x × m v`, `m |v|` and `m |x| |v|`.

use core::ops::Range;
use std::sync::Arc;

use carom_math::vectorize::{self, Kernel};
use carom_math::{ExactLanesSum, ExactLanesVec3Sum, ExactSum, F64x4, LANES, Lanes, Vec3, Width};
use carom_model::{AuxiliaryDof, DofKind, System};

/// What carries momentum and energy: all that something can move.
pub struct MovingMasses {
    system: Arc<System>,
    places: Range<usize>,
    /// Mass of each place, eight at a time, in kg. What nothing can move has none: it adds zeros.
    masses: Vec<Lanes>,
    auxiliary_dofs: Vec<usize>,
}

/// What moves, added up.
pub struct MotionTotals {
    /// In J.
    pub kinetic_j: ExactSum,
    /// In kg·m/s.
    pub momentum: Vec3,
    /// About the origin, in kg·m²/s.
    pub angular_momentum: Vec3,
    /// `Σ m|v|`, in kg·m/s.
    pub momentum_scale: f64,
    /// `Σ m|x||v|`, in kg·m²/s.
    pub angular_momentum_scale: f64,
}

impl MovingMasses {
    /// What moves in a system.
    pub fn new(system: &Arc<System>) -> Self {
        Self::among(system, 0..system.places(), |_| true)
    }

    /// What moves of a body, whose vertices these are.
    pub fn of_body(system: &Arc<System>, body: u32, vertices: Range<u32>) -> Self {
        let places = vertices.start as usize..vertices.end as usize;
        Self::among(system, places, |auxiliary| auxiliary.body == body)
    }

    fn among(system: &Arc<System>, places: Range<usize>, is_among: impl Fn(&AuxiliaryDof) -> bool) -> Self {
        let mass = |v: usize| if v >= places.end || system.is_held(v) { 0.0 } else { system.masses[v] };
        let eight = |first: usize| Lanes(core::array::from_fn(|lane| mass(first + lane)));
        let masses = places.clone().step_by(LANES).map(eight).collect();
        let auxiliary_dofs = (system.places()..).zip(&system.auxiliary_dofs);
        let auxiliary_dofs = auxiliary_dofs.filter(|(v, dof)| !system.is_held(*v) && is_among(dof));
        let auxiliary_dofs = auxiliary_dofs.map(|(v, _)| v).collect();
        Self { system: Arc::clone(system), places, masses, auxiliary_dofs }
    }

    /// Adds up with vertices at `x`, in m, at velocities `u`, in m/s.
    pub fn add_up(&self, x: &[F64x4], u: &[F64x4]) -> MotionTotals {
        let auxiliary = self.auxiliary_dofs.iter().map(|&v| (v, u[v].xyz())).collect();
        let places = self.places.clone();
        vectorize::run(AddUp { moving: self, x: &x[places.clone()], u: &u[places], auxiliary })
    }

    /// As [`Self::add_up`], from vectors.
    pub fn add_up_vectors(&self, x: &[Vec3], u: &[Vec3]) -> MotionTotals {
        let auxiliary = self.auxiliary_dofs.iter().map(|&v| (v, u[v])).collect();
        let rows = |of: &[Vec3]| of[self.places.clone()].iter().map(|&v| v.into()).collect::<Vec<F64x4>>();
        vectorize::run(AddUp { moving: self, x: &rows(x), u: &rows(u), auxiliary })
    }

    /// `Σ m|v − f|`, in kg·m/s, and `Σ m|x − r||v − f|`, in kg·m²/s, with `m|v|` of spins: seen from a point at r that moves with velocity f.
    pub fn sizes_from(&self, [r, f]: [Vec3; 2], x: &[Vec3], u: &[Vec3]) -> [f64; 2] {
        let auxiliary = self.auxiliary_dofs.iter().map(|&v| (v, u[v])).collect();
        let rows = |of: &[Vec3], by: Vec3| -> Vec<F64x4> {
            of[self.places.clone()].iter().map(|&v| (v - by).into()).collect()
        };
        let seen = vectorize::run(AddUp { moving: self, x: &rows(x, r), u: &rows(u, f), auxiliary });
        [seen.momentum_scale, seen.angular_momentum_scale]
    }
}

struct AddUp<'a> {
    moving: &'a MovingMasses,
    /// Positions and velocities of the places.
    x: &'a [F64x4],
    u: &'a [F64x4],
    /// The auxiliary degrees of freedom and their velocities.
    auxiliary: Vec<(usize, Vec3)>,
}

impl Kernel for AddUp<'_> {
    type Output = MotionTotals;

    #[inline(always)]
    fn run(self, width: impl Width) -> MotionTotals {
        let mut sums = Sums::default();
        self.add_places(width, &mut sums);
        self.add_auxiliary_dofs(&mut sums);
        MotionTotals {
            kinetic_j: sums.kinetic_j.sum(),
            momentum: sums.momentum.value(),
            angular_momentum: sums.angular_momentum.value(),
            momentum_scale: sums.momentum_scale.value(),
            angular_momentum_scale: sums.angular_momentum_scale.value(),
        }
    }
}

/// A [`MotionTotals`] that is not rounded yet.
#[derive(Default)]
struct Sums {
    kinetic_j: ExactLanesSum,
    momentum: ExactLanesVec3Sum,
    angular_momentum: ExactLanesVec3Sum,
    momentum_scale: ExactLanesSum,
    angular_momentum_scale: ExactLanesSum,
}

impl AddUp<'_> {
    #[inline(always)]
    fn add_places(&self, width: impl Width, sums: &mut Sums) {
        for (b, m) in self.moving.masses.iter().enumerate() {
            let m = width.load(m);
            let block = b * LANES..self.x.len().min((b + 1) * LANES);
            let (x, u) = (eight(width, &self.x[block.clone()]), eight(width, &self.u[block.clone()]));
            let (speed, along) = (u.length(), u * m);
            let [momentum, angular_momentum] = width.store_vectors(&[along, x.cross(along)]);
            let lanes = block.len();
            sums.momentum.add_lanes(&momentum, lanes);
            sums.angular_momentum.add_lanes(&angular_momentum, lanes);
            sums.kinetic_j.add_lanes(width.store(m * 0.5 * u.length_sq()), lanes);
            sums.momentum_scale.add_lanes(width.store(m * speed), lanes);
            sums.angular_momentum_scale.add_lanes(width.store(m * x.length() * speed), lanes);
        }
    }

    #[inline(always)]
    fn add_auxiliary_dofs(&self, sums: &mut Sums) {
        let system = &self.moving.system;
        for &(v, u) in &self.auxiliary {
            let m = system.masses[v];
            sums.kinetic_j.add(0.5 * m * u.length_sq());
            if system.dof_kind(v) == DofKind::Spin {
                sums.angular_momentum.add(u * m);
                sums.angular_momentum_scale.add(m * u.length());
            }
        }
    }
}

/// The sum of `m a` over some vertices, each given with its m: a term for each.
#[must_use]
pub fn weighted_sum(vertices: &[(usize, f64)], a: &[Vec3]) -> Vec3 {
    vectorize::run(|| {
        let mut sum = ExactLanesVec3Sum::default();
        for eight in vertices.chunks(LANES) {
            let mut terms = Vec3::<Lanes>::zero();
            for (lane, &(v, m)) in eight.iter().enumerate() {
                let term = a[v] * m;
                (terms.x.0[lane], terms.y.0[lane], terms.z.0[lane]) = (term.x, term.y, term.z);
            }
            sum.add_lanes(&terms, eight.len());
        }
        sum.value()
    })
}

/// Up to eight rows side by side; the last is repeated where there are fewer.
#[inline(always)]
pub(crate) fn eight<W: Width>(width: W, rows: &[F64x4]) -> Vec3<W::Numbers> {
    let last = rows.len() - 1;
    width.points([
        &rows[0],
        &rows[last.min(1)],
        &rows[last.min(2)],
        &rows[last.min(3)],
        &rows[last.min(4)],
        &rows[last.min(5)],
        &rows[last.min(6)],
        &rows[last.min(7)],
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::ExactVec3Sum;
    use carom_model::Start;
    use carom_time::{Clocks, Quantum, TimeLine};

    /// Thirteen places, some of them held, and seven auxiliary degrees of freedom.
    fn system() -> System {
        let inverse = |v: usize| if v % 5 == 3 { Vec3::ZERO } else { Vec3::new(1.0, 0.0, 2.0) };
        let meanings = [DofKind::Spin, DofKind::Twist, DofKind::Memory];
        System {
            masses: (0..20).map(|v| 0.1 + 0.3 * f64::from(v)).collect(),
            inverse_masses: (0..20).map(inverse).collect(),
            families: vec![],
            schedules: vec![],
            contact: None,
            line: TimeLine { quantum: Quantum::new(1.0), clocks: Clocks::Exact, gives_way: None },
            start: Start::HalfKick,
            paths: vec![],
            is_damped: false,
            bodies: vec![],
            auxiliary_dofs: (0..7).map(|i| AuxiliaryDof { dof_kind: meanings[i % 3], body: 0 }).collect(),
        }
    }

    #[test]
    fn the_sums_have_the_bits_of_one_vertex_after_the_other_in_any_order() {
        let system = Arc::new(system());
        let number = |i: usize| (i as f64 * 0.739).sin() * 10f64.powi(i as i32 % 9 - 4);
        let vector = |i: usize| Vec3::new(number(3 * i), number(3 * i + 1), number(3 * i + 2));
        let (x, u): (Vec<Vec3>, Vec<Vec3>) = (0..20).map(|v| (vector(v), vector(v + 77))).unzip();
        let (mut p, mut l) = (ExactVec3Sum::default(), ExactVec3Sum::default());
        let mut scalars: [ExactSum; 3] = Default::default();
        for v in (0..20).rev().filter(|v| v % 5 != 3) {
            let (m, speed) = (system.masses[v], u[v].length());
            scalars[0].add(0.5 * m * u[v].length_sq());
            match system.dof_kind(v) {
                DofKind::Position => {
                    p.add(u[v] * m);
                    l.add(x[v].cross(u[v] * m));
                    scalars[1].add(m * speed);
                    scalars[2].add(m * x[v].length() * speed);
                }
                DofKind::Spin => {
                    l.add(u[v] * m);
                    scalars[2].add(m * speed);
                }
                _ => {}
            }
        }
        let rows = |of: &[Vec3]| of.iter().map(|&v| v.into()).collect::<Vec<F64x4>>();
        let found = MovingMasses::new(&system).add_up(&rows(&x), &rows(&u));
        assert_eq!((found.momentum, found.angular_momentum), (p.value(), l.value()));
        let found = [found.kinetic_j.value(), found.momentum_scale, found.angular_momentum_scale];
        assert_eq!(found.map(f64::to_bits), scalars.map(|sum| sum.value().to_bits()));
    }
}
