//! The force with which a pin holds its vertices.

use std::sync::Arc;

use carom_engine::{Reading, Snapshot};
use carom_math::ExactVec3Sum;
use carom_model::System;

use super::{Column, Names, ProbeKeys, ProbeKind, ProbeTarget, ReadProbe};
use crate::build::Assembly;
use crate::built::PinSet;
use crate::check::check_reference;
use crate::report::Problem;

/// Reaction of a pin.
pub const KIND: ProbeKind = ProbeKind {
    name: "reaction",
    about: "The force with which a pin holds its vertices.",
    key: "pin",
    example: "\"nail\"",
    page: "keys",
    columns: &[
        Column::new("fx", "N", "Force along x; 0 where the pin does not hold."),
        Column::new("fy", "N", "Force along y; 0 where the pin does not hold."),
        Column::new("fz", "N", "Force along z; 0 where the pin does not hold."),
    ],
    is_given: |keys| keys.pin.is_some(),
    check,
    resolve: |keys, assembly| Ok(target(keys, assembly)),
};

fn check(keys: &ProbeKeys, names: &Names<'_>, problems: &mut Vec<Problem>) {
    if let Some(pin) = &keys.pin {
        check_reference("pin", pin, &names.pins, problems);
    }
}

fn target(keys: &ProbeKeys, assembly: &Assembly<'_>) -> Arc<dyn ProbeTarget> {
    let name = keys.pin.as_ref().expect("the key that asks for this probe");
    Arc::new(Reaction(assembly.pin(name).clone()))
}

/// A pin.
#[derive(Clone, Debug)]
struct Reaction(PinSet);

impl ProbeTarget for Reaction {
    fn reader(&self, _system: &Arc<System>) -> Box<dyn ReadProbe> {
        Box::new(self.clone())
    }
}

impl ReadProbe for Reaction {
    /// The opposite of what pulls at the vertices, a term for each.
    fn values(&self, _snapshot: &Snapshot, reading: &Reading) -> Vec<f64> {
        let Self(PinSet { vertices, axes, .. }) = self;
        let pull = vertices.iter().map(|&v| reading.forces[v as usize]).collect::<ExactVec3Sum>().value();
        let held = |axis: bool, f: f64| if axis { -f } else { 0.0 };
        vec![held(axes.x, pull.x), held(axes.y, pull.y), held(axes.z, pull.z)]
    }
}
