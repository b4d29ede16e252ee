//! How much energy a run has turned over: what its errors are measured against.
//!
//! The turnover at a reading is the largest of
//!
//! | part | in J |
//! | --- | --- |
//! | what moves and what is strained | kinetic + \|elastic\| + contact |
//! | fields | the change of their potential energy since the start |
//! | losses | what restitution, friction and damping took |
//! | work | of obstacles that move and of driven loads |
//!
//! in a frame that belongs to the scene, so that neither a shift of the origin nor a common velocity changes it: that of what is held, where all of it
//! has one velocity; that of the centre of mass at the start, where nothing is held; else as the scene is written. In a frame of velocity u, with p the momentum and
//! J what came in: the kinetic energy is `K − u·p + ½ M u²`, the energy of fields `Φ + u·J_fields`, the work of what is held `W − u·J_held`.
//!
//! Rounding alone is no error: the scale is so large that what it can do is within the tolerance. Terms that are large and cancel, as the weight of what
//! is high up, are rounded; and so are places, at which elements push as if strained: what lies at rest trembles.

use std::sync::Arc;

use carom_math::{Sum, Vec3};
use carom_model::System;

use crate::Reading;

/// How far rounding may move a sum, over its terms: a few hundred units in the last place.
pub(crate) const ROUNDING: f64 = 1.0 / (1_u64 << 45) as f64;

/// How far one kick and one drift may move a term of a sum: a unit in the last place. What falls is given the same kick for long, and is rounded the same way each
/// time, so such errors add up.
const ROUNDING_OF_A_KICK: f64 = f64::EPSILON;

/// The scale of energy errors of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct EnergyScale {
    /// Velocity of the frame, in m/s.
    velocity: Vec3,
    /// Everything that can move, in kg.
    mass_kg: f64,
    /// Whether each kind of potential is a field.
    is_field: Vec<bool>,
    /// Energy of fields at the start, in J, in the frame.
    fields_at_start_j: f64,
    /// The shortest step of an element at the start, in quanta; as long as can be without elements.
    shortest: u64,
    elastic: Elastic,
}

/// What elements hold together: enough to bound what they make of rounded places.
#[derive(Clone, Debug, PartialEq)]
struct Elastic {
    /// The places that internal elements read.
    places: Arc<[u32]>,
    /// Their mass, in kg, over the square of the shortest step of these elements: about the largest stiffness that such a step can follow, in N/m.
    stiffness: f64,
}

impl Elastic {
    fn of(system: &System) -> Self {
        let (mut is_read, mut shortest) = (vec![false; system.masses.len()], None);
        let families = system.families.iter().zip(&system.schedules);
        for (family, schedule) in families.filter(|(family, _)| family.properties().is_internal) {
            shortest = schedule.spans.iter().copied().chain(shortest).min();
            for v in (0..family.len()).flat_map(|e| family.stencil(e)) {
                is_read[*v as usize] = true;
            }
        }
        let places: Arc<[u32]> = (0..system.places() as u32).filter(|v| is_read[*v as usize]).collect();
        let mass_kg = places.iter().map(|v| system.masses[*v as usize]).collect::<Sum>().value();
        let shortest_s = shortest.map_or(f64::INFINITY, |span| system.line.quantum.step(span));
        Self { places, stiffness: mass_kg / (shortest_s * shortest_s) }
    }

    /// The energy that is held, in J, if every place is off by a share of the largest coordinate.
    fn energy_if_off_by(&self, share: f64, positions: &[Vec3]) -> f64 {
        let coordinates = self.places.iter().map(|v| positions[*v as usize]).flat_map(|x| [x.x, x.y, x.z]);
        let off_m = share * coordinates.fold(0.0, |most: f64, x| most.max(x.abs()));
        0.5 * self.stiffness * off_m * off_m
    }
}

impl EnergyScale {
    /// That of a run of `system`, with its reading at the start.
    #[must_use]
    pub fn new(system: &System, start: &Reading) -> Self {
        let free = (0..system.places()).filter(|&v| !system.is_held(v));
        let mass_kg = free.map(|v| system.masses[v]).collect::<Sum>().value();
        let families = system.families.iter().map(|family| !family.properties().is_internal);
        let mut scale = Self {
            velocity: frame(system, start, mass_kg),
            mass_kg,
            is_field: families.chain(system.contact.iter().map(|_| false)).collect(),
            fields_at_start_j: 0.0,
            shortest: system.spans().iter().map(|span| span.quanta()).min().unwrap_or(u64::MAX),
            elastic: Elastic::of(system),
        };
        scale.fields_at_start_j = scale.fields_j(start);
        scale
    }

    /// Velocity of the frame, in m/s.
    #[must_use]
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// What energy errors are measured against at a reading, in J: the turnover, and at least so much that rounding alone is within a relative
    /// tolerance; NaN if part of it is no number.
    #[must_use]
    pub fn at(&self, reading: &Reading, tolerance: f64) -> f64 {
        let turnover_j = self.turnover_j(reading);
        if turnover_j.is_nan() { f64::NAN } else { turnover_j.max(self.rounding_j(reading) / tolerance) }
    }

    /// How far rounding may move the energy balance, in J: a share of its terms, each counted positive, that grows with every kick; and what elements hold if places are off by as
    /// large a share of the largest coordinate.
    pub(crate) fn rounding_j(&self, reading: &Reading) -> f64 {
        let potential_j = reading.potential_j.iter().map(|energy_j| energy_j.abs()).sum::<f64>();
        let terms_j = reading.kinetic_j + potential_j + reading.work_j.abs() + reading.dissipated_j().abs();
        let kicks = (reading.tick.0 / self.shortest) as f64;
        (ROUNDING + ROUNDING_OF_A_KICK * kicks) * terms_j
            + self.elastic.energy_if_off_by(ROUNDING, &reading.positions)
    }

    /// The energy turned over at a reading, in J; NaN if part of it is no number.
    #[must_use]
    pub fn turnover_j(&self, reading: &Reading) -> f64 {
        let u = self.velocity;
        let kinetic_j = reading.kinetic_j - u.dot(reading.momentum) + 0.5 * self.mass_kg * u.length_sq();
        let within = |is_field: bool| {
            let kinds = reading.potential_j.iter().zip(&self.is_field);
            kinds.filter(move |(_, f)| **f == is_field).map(|(energy_j, _)| *energy_j)
        };
        let strained_j = within(false).map(f64::abs).collect::<Sum>().value();
        let from_held = reading.from_outside.linear - reading.from_outside.linear_from_fields;
        let parts = [
            kinetic_j + strained_j,
            (self.fields_j(reading) - self.fields_at_start_j).abs(),
            reading.dissipated_j(),
            (reading.work_j - u.dot(from_held)).abs(),
        ];
        parts.into_iter().fold(0.0, |most, part| if part > most || part.is_nan() { part } else { most })
    }

    /// Energy of fields at a reading, in J, in the frame.
    fn fields_j(&self, reading: &Reading) -> f64 {
        let fields = reading.potential_j.iter().zip(&self.is_field).filter(|(_, is_field)| **is_field);
        let potential_j = fields.map(|(energy_j, _)| *energy_j).collect::<Sum>().value();
        potential_j + self.velocity.dot(reading.from_outside.linear_from_fields)
    }
}

/// The velocity of the frame, in m/s.
fn frame(system: &System, start: &Reading, mass_kg: f64) -> Vec3 {
    let mut pinned = (0..system.places()).filter(|&v| system.is_pinned(v)).peekable();
    let Some(&first) = pinned.peek() else {
        return if mass_kg > 0.0 { start.momentum * (1.0 / mass_kg) } else { Vec3::ZERO };
    };
    let velocity = start.velocities[first];
    let moves_alike = |v: usize| system.is_held(v) && start.velocities[v] == velocity;
    if system.paths.is_empty() && pinned.all(moves_alike) { velocity } else { Vec3::ZERO }
}
