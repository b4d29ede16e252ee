//! What contact needs to know of one body.

use carom_math::{Sum, Vec3, Vec3Sum};
use carom_model::{State, System};
use carom_time::Span;

use crate::pairs::surface::Primitives;

/// Loose grains close at up to so many times their mean speed.
const TAIL: f64 = 3.0;

/// Of a million grains of a gas in equilibrium the fastest has 3.7 times the mean speed: a grain faster than this is a bullet.
const NO_TAIL: f64 = 4.0;

/// What contact needs to know of one body.
pub(super) struct Facts {
    /// Shortest and longest elastic step.
    pub(super) steps: Option<[Span; 2]>,
    /// Longest step of all that acts on it, fields included.
    pub(super) slowest_clock: Option<Span>,
    /// Least mass of a vertex that can move, in kg.
    pub(super) lightest: f64,
    /// Least mass per area, in kg/m²; infinite if nothing can move.
    pub(super) density: f64,
    /// Range of the velocities, in m/s.
    slowest: Vec3,
    quickest: Vec3,
}

impl Facts {
    pub(super) fn of(
        system: &System,
        state: &State,
        primitives: &Primitives,
        body: usize,
        is_granular: bool,
    ) -> Self {
        let range = system.bodies[body].vertices.clone();
        let (mut steps, mut slowest_clock): (Option<[Span; 2]>, Option<Span>) = (None, None);
        for (family, schedule) in system.families.iter().zip(&system.schedules) {
            for (e, &span) in schedule.spans.iter().enumerate() {
                if !family.stencil(e).iter().any(|v| range.contains(v)) {
                    continue;
                }
                slowest_clock = Some(slowest_clock.map_or(span, |slowest| slowest.max(span)));
                if family.properties().counts_as_evaluation {
                    let [shortest, longest] = steps.unwrap_or([span; 2]);
                    steps = Some([shortest.min(span), longest.max(span)]);
                }
            }
        }
        let (mut density, mut lightest) = (f64::INFINITY, f64::INFINITY);
        for v in primitives.vertices.iter().filter(|v| v.body as usize == body) {
            if !system.inverse_masses[v.vertex as usize].is_zero() {
                let mass = system.masses[v.vertex as usize];
                density = density.min(mass / v.area);
                lightest = lightest.min(mass);
            }
        }
        let of_gas = if is_granular { tail(system, state, range.clone()) } else { None };
        let [mut slowest, mut quickest] = of_gas.unwrap_or_else(|| {
            let (mut slowest, mut quickest) = (Vec3::splat(f64::INFINITY), Vec3::splat(f64::NEG_INFINITY));
            for v in range {
                let u = state.velocities[v as usize];
                slowest = Vec3::new(slowest.x.min(u.x), slowest.y.min(u.y), slowest.z.min(u.z));
                quickest = Vec3::new(quickest.x.max(u.x), quickest.y.max(u.y), quickest.z.max(u.z));
            }
            [slowest, quickest]
        });
        let range = &system.bodies[body].vertices;
        for path in system.paths.iter().filter(|path| path.vertices.iter().any(|v| range.contains(v))) {
            let [least, most] = path.velocities(system.line.quantum);
            slowest = Vec3::new(slowest.x.min(least.x), slowest.y.min(least.y), slowest.z.min(least.z));
            quickest = Vec3::new(quickest.x.max(most.x), quickest.y.max(most.y), quickest.z.max(most.z));
        }
        Self { steps, slowest_clock, lightest, density, slowest, quickest }
    }

    /// A bound on the relative speed of two of their vertices, in m/s.
    pub(super) fn closing_speed(&self, other: &Self) -> f64 {
        let axis = |a: f64, b: f64, c: f64, d: f64| (b - c).abs().max((d - a).abs());
        Vec3::new(
            axis(self.slowest.x, self.quickest.x, other.slowest.x, other.quickest.x),
            axis(self.slowest.y, self.quickest.y, other.slowest.y, other.quickest.y),
            axis(self.slowest.z, self.quickest.z, other.slowest.z, other.quickest.z),
        )
        .length()
    }
}

/// Range of the velocities that grains count with, in m/s: around their mean velocity, and so wide that two of them close at three times their
/// mean speed. `None` if some are faster than the tail of a gas explains.
fn tail(system: &System, state: &State, vertices: core::ops::Range<u32>) -> Option<[Vec3; 2]> {
    let free =
        || vertices.clone().filter(|v| !system.is_held(*v as usize)).map(|v| state.velocities[v as usize]);
    let count = free().count().max(1) as f64;
    let mut sum = Vec3Sum::default();
    free().for_each(|u| sum.add(u));
    let mean = sum.value() * (1.0 / count);
    let speed = free().map(|u| (u - mean).length()).collect::<Sum>().value() / count;
    let fastest = free().map(|u| (u - mean).length()).fold(0.0, f64::max);
    // The closing speed is the diagonal of the box.
    let half = Vec3::splat(0.5 * TAIL * speed / 3f64.sqrt());
    (fastest <= NO_TAIL * speed).then_some([mean - half, mean + half])
}
