//! Contact of two bodies: forces and distances now, and what every kick so far has booked.

use std::sync::Arc;

use carom_contact::Touch;
use carom_engine::{ReadContact, Reading, Snapshot};
use carom_math::{ExactVec3Sum, Vec3};
use carom_model::System;

use super::{Column, Names, ProbeKeys, ProbeKind, ProbeTarget, ReadProbe};
use crate::build::Assembly;
use crate::check::check_between;
use crate::report::Problem;

/// Contact of two bodies.
pub const KIND: ProbeKind = ProbeKind {
    name: "contact",
    about: "Contact of two bodies, or of one with itself, with forces on the first.",
    key: "between",
    example: "[\"sheet\", \"sheet\"]",
    page: "contact",
    columns: &[
        Column::new("fx", "N", "Force along x."),
        Column::new("fy", "N", "Force along y."),
        Column::new("fz", "N", "Force along z."),
        Column::new("jx", "N·s", "Impulse along x so far."),
        Column::new("jy", "N·s", "Impulse along y so far."),
        Column::new("jz", "N·s", "Impulse along z so far."),
        Column::new("duration", "s", "Time in contact so far."),
        Column::new("distance", "m", "Smallest distance now; NaN where nothing is near."),
        Column::new("closest", "m", "Smallest distance so far; NaN before any contact."),
        Column::new("layer", "", "Deepest layer so far."),
        Column::new("meetings", "", "How often two grains met so far."),
        Column::new(
            "approach",
            "m",
            "Mean closest approach of the centres of two grains in the meetings that are over.",
        ),
        Column::new(
            "virial",
            "J·s",
            "Sum of impulse times separation of nearest points over all contact impulses so far.",
        ),
    ],
    is_given: |keys| keys.between.is_some(),
    check,
    resolve: |keys, assembly| Ok(target(keys, assembly)),
};

fn check(keys: &ProbeKeys, names: &Names<'_>, problems: &mut Vec<Problem>) {
    if let Some(between) = &keys.between {
        check_between(between, &names.bodies, problems);
    }
}

fn target(keys: &ProbeKeys, assembly: &Assembly<'_>) -> Arc<dyn ProbeTarget> {
    let between = keys.between.as_ref().expect("the key that asks for this probe");
    let [a, b] = [&between[0], &between[1]].map(|name| assembly.body_number(name) as u32);
    Arc::new(Contact([a, b]))
}

/// Two bodies, or one twice.
#[derive(Clone, Copy, Debug)]
struct Contact([u32; 2]);

impl ProbeTarget for Contact {
    fn reader(&self, _system: &Arc<System>) -> Box<dyn ReadProbe> {
        Box::new(*self)
    }
}

impl ReadProbe for Contact {
    fn values(&self, snapshot: &Snapshot, reading: &Reading) -> Vec<f64> {
        let (force, distance) = now(self.0, &reading.contacts);
        let [a, b] = self.0;
        let between = [a.min(b), a.max(b)];
        let touch: Option<&Touch> = snapshot.touches.iter().find(|t| t.bodies == between);
        let impulse = touch.map_or(Vec3::ZERO, |t| t.impulse);
        let impulse = if a > b { -impulse } else { impulse };
        let quantum = snapshot.state.quantum();
        let mut values: Vec<f64> = [force, impulse].iter().flat_map(|v| v.to_array()).collect();
        values.extend([
            touch.map_or(0.0, |t| quantum.seconds_of(t.quanta)),
            distance,
            touch.map_or(f64::NAN, |t| t.smallest_distance),
            touch.map_or(0.0, |t| f64::from(t.deepest_layer)),
            touch.map_or(0.0, |t| t.meetings as f64),
            touch.map_or(f64::NAN, Touch::mean_approach),
            touch.map_or(0.0, |t| t.virial),
        ]);
        values
    }
}

/// The force on the first body in N, a term for each pair and vertex of that body, and the smallest distance in m (NaN if nothing is
/// near), of pairs between two bodies.
fn now(bodies: [u32; 2], contacts: &[ReadContact]) -> (Vec3, f64) {
    let (mut force, mut distance) = (ExactVec3Sum::default(), f64::NAN);
    for pair in contacts {
        let [a, b] = pair.bodies;
        let forward = [a, b] == bodies;
        if !forward && [b, a] != bodies {
            continue;
        }
        distance = distance.min(pair.distance);
        let (first, second) = pair.forces.split_at(pair.first_primitive);
        // What a body does to itself adds up to nothing.
        if a != b {
            let own = if forward { first } else { second };
            for f in own {
                force.add(*f);
            }
        }
    }
    (force.value(), distance)
}
