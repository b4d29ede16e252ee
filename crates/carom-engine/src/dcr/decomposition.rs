//! The velocity jump: momentum, decomposed.
//!
//! With the gradients `G` of the contacts that close, `p = p_norm + p_slide + p_fix`: what changes gaps, what slides along them, and
//! what leaves the points that touch at rest to each other [Cirak2005, §4].
//!
//! | part | after the jump |
//! | --- | --- |
//! | normal | `−e p_norm` |
//! | sliding | `max(0, 1 − μ ‖J‖/‖p_slide‖) p_slide`, J the jump of the normal part, norms in the metric `M⁻¹` |
//! | fixed | itself |
//!
//! Contacts push and never pull: the normal part is `Gᵀ λ` with `λ ≥ 0`, what has to go for no contact to close. Where all
//! contacts push it is the projection on the range of `Gᵀ`; where the reflection of one already opens another, that other is left
//! alone. The parts are orthogonal in the metric `M⁻¹`, so with e = 1 and μ = 0 the jump keeps the kinetic energy: the length of the
//! normal part is taken such that this holds to round-off however well λ is solved for. What closes only because others were
//! reflected is reflected in the next pass.

use carom_math::Vec3;

use super::contacts::{Contacts, Row};
use super::solve::{least_norm, least_push};

/// Passes at most: whatever closes after them is found by the next step.
const MOST_PASSES: usize = 20;

/// A rate at which a gap counts as closing, as a part of the fastest: above round-off.
const CLOSING: f64 = 1e-9;

/// The law of a jump.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    /// Coefficient of restitution e, from 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction μ, at least 0.
    pub friction: f64,
}

/// What a jump did.
#[derive(Clone, Debug, Default)]
pub struct Jump {
    /// The vertices of the contacts, ascending.
    pub vertices: Vec<u32>,
    /// Impulse on each, in N·s.
    pub impulses: Vec<Vec3>,
    /// For each contact, the impulse on its first primitive, in N·s.
    pub on_first: Vec<Vec3>,
    /// How many contacts were reflected; in each pass anew.
    pub reflected: u64,
    /// Change of the kinetic energy, less the work of obstacles that move, in J.
    pub energy_j: f64,
}

/// The contacts of a jump, and their law.
struct Site<'a> {
    rows: &'a [Row],
    inverse_masses: &'a [Vec3],
    law: Law,
}

/// The jump of the velocities `velocity(v)` at the contacts `rows`.
pub fn jump(rows: &[Row], inverse_masses: &[Vec3], law: Law, velocity: impl Fn(u32) -> Vec3) -> Jump {
    let site = Site { rows, inverse_masses, law };
    let all = Contacts::new(rows.to_vec(), inverse_masses);
    let mut v: Vec<Vec3> = all.vertices.iter().map(|v| velocity(*v)).collect();
    let mut jump = Jump {
        impulses: vec![Vec3::ZERO; v.len()],
        on_first: vec![Vec3::ZERO; rows.len()],
        vertices: all.vertices.clone(),
        ..Jump::default()
    };
    let mut fastest = None;
    for _ in 0..MOST_PASSES {
        let rates = all.rates(&v);
        let least = *fastest.get_or_insert_with(|| rates.iter().fold(0.0, |m: f64, r| m.min(*r)) * CLOSING);
        let closing: Vec<usize> = (0..rows.len()).filter(|r| rates[*r] < least).collect();
        if closing.is_empty() {
            break;
        }
        jump.reflected += closing.len() as u64;
        let set = Contacts::new(closing.iter().map(|r| rows[*r]).collect(), inverse_masses);
        for island in set.islands() {
            let numbers: Vec<usize> = island.iter().map(|r| closing[*r]).collect();
            site.reflect(&numbers, &mut v, &mut jump);
        }
    }
    jump
}

impl Site<'_> {
    /// Reflects one island, the rows of these numbers, all of which close.
    fn reflect(&self, numbers: &[usize], v: &mut [Vec3], jump: &mut Jump) {
        let e = self.law.restitution;
        let island = Contacts::new(numbers.iter().map(|r| self.rows[*r]).collect(), self.inverse_masses);
        let places = places_of(&island.vertices, &jump.vertices);
        let own: Vec<Vec3> = places.iter().map(|i| v[*i]).collect();
        let wanted: Vec<f64> = island.rates(&own).iter().map(|r| -r).collect();
        let lambda = least_push(&island, &wanted);
        let away = island.over_mass(island.impulses(&lambda));
        // λᵀAλ and −λᵀu: equal where λ is exact, and their ratio makes the reflection one.
        let square = dot(&lambda, &island.rates(&away));
        if square <= 0.0 {
            return;
        }
        let length = dot(&lambda, &wanted) / square;
        let push: Vec<f64> = lambda.iter().map(|l| (1.0 + e) * length * l).collect();
        let mut impulses = island.impulses(&push);
        for ((number, l), row) in numbers.iter().zip(&push).zip(&island.rows) {
            jump.on_first[*number] += row.on_first() * *l;
        }
        jump.energy_j -= 0.5 * (1.0 - e * e) * length * length * square;
        if self.law.friction > 0.0 {
            let rest: Vec<Vec3> = own.iter().zip(&away).map(|(v, a)| *v + *a * length).collect();
            let touching: Vec<usize> = (0..numbers.len()).filter(|r| lambda[*r] > 0.0).collect();
            let most = self.law.friction * (1.0 + e) * length * square.sqrt();
            let friction = self.friction(&island, &touching, most, &rest);
            impulses.iter_mut().zip(&friction.impulses).for_each(|(sum, j)| *sum += *j);
            touching.iter().zip(&friction.on_first).for_each(|(r, j)| jump.on_first[numbers[*r]] += *j);
            jump.energy_j += friction.energy_j;
        }
        for ((place, dv), impulse) in places.iter().zip(island.over_mass(impulses.clone())).zip(impulses) {
            v[*place] += dv;
            jump.impulses[*place] += impulse;
        }
    }

    /// The friction of the rows `touching` of an island, whose velocities without normal part are `rest`: at most `most` in the
    /// metric `M⁻¹`.
    fn friction(&self, island: &Contacts, touching: &[usize], most: f64, rest: &[Vec3]) -> FrictionImpulses {
        let relative: Vec<Row> = touching.iter().flat_map(|r| frame(&island.rows[*r])).collect();
        let set = Contacts::new(relative, self.inverse_masses);
        let places = places_of(&set.vertices, &island.vertices);
        let own: Vec<Vec3> = places.iter().map(|i| rest[*i]).collect();
        let slip = set.rates(&own);
        let tau = least_norm(&set, &slip);
        let square = dot(&tau, &slip);
        // Nothing slides.
        let part = if square > 0.0 { (most / square.sqrt()).min(1.0) } else { 0.0 };
        let against: Vec<f64> = tau.iter().map(|t| -part * t).collect();
        let mut impulses = vec![Vec3::ZERO; rest.len()];
        for (place, impulse) in places.iter().zip(set.impulses(&against)) {
            impulses[*place] = impulse;
        }
        let each: Vec<Vec3> = set.rows.iter().zip(&against).map(|(row, l)| row.on_first() * *l).collect();
        let on_first = each.chunks(3).map(|axes| axes.iter().copied().sum()).collect();
        FrictionImpulses { impulses, on_first, energy_j: (0.5 * part * part - part) * square }
    }
}

/// What friction does to an island.
struct FrictionImpulses {
    /// Impulse on each vertex of the island, in N·s.
    impulses: Vec<Vec3>,
    /// For each contact that touches, the impulse on its first primitive, in N·s.
    on_first: Vec<Vec3>,
    /// Change of the kinetic energy, in J.
    energy_j: f64,
}

/// The places of some vertices among others, both ascending.
fn places_of(some: &[u32], all: &[u32]) -> Vec<usize> {
    some.iter().map(|v| all.binary_search(v).expect("a part of the whole")).collect()
}

/// The relative motion of the points that touch, along three axes: normal, and two across.
fn frame(row: &Row) -> [Row; 3] {
    let normal = row.normal();
    let aside = if normal.x.abs() < 0.5 { Vec3::X } else { Vec3::Y };
    let across = normal.cross(aside).try_normalize().expect("not along the normal");
    let along = |axis: Vec3| Row { gradient: row.weights.map(|w| axis * w), ..*row };
    [*row, along(across), along(normal.cross(across))]
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
