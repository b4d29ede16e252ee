//! Contacts and reactions, as plain lists.

use carom_engine::{Reader, Reading};
use carom_math::{ExactVec3Sum, Vec3};
use carom_model::PairId;

use super::Simulation;

/// The pairs that are within their layers, in the order of ids: one entry in each list. From [`Simulation::contacts`], for whoever needs to know where
/// things touch and how hard.
///
/// ```
/// use carom::prelude::*;
///
/// let mut scene = SceneBuilder::new("two grains");
/// scene.set("time.end", 0.1).set("contact.thickness", 1e-3);
/// for (name, x, speed) in [("left", 0.0, 1.0), ("right", 0.05, -1.0)] {
///     let grain = scene.grains(name, &[Vec3::X * x], &[0.01]);
///     grain.set("material.grains.density", 1000.0).set("velocity", [speed, 0.0, 0.0]);
/// }
/// let mut simulation = Simulation::new(&scene.load()?)?;
/// assert!(simulation.advance_until(Event::DeepestApproach, 0.1)?);
/// let contacts = simulation.contacts();
/// assert_eq!(contacts.bodies, [[0, 1]]);
/// assert!(contacts.gaps_m[0] < 1e-3 && contacts.forces_n[0].x < 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// The two primitives.
    pub pairs: Vec<PairId>,
    /// The bodies of the two.
    pub bodies: Vec<[u32; 2]>,
    /// How far apart they are, in m.
    pub gaps_m: Vec<f64>,
    /// The force on the first, in N.
    pub forces_n: Vec<Vec3>,
    /// The impulse on the first when each of the layers fires once, in N·s: layer by layer its force times its step.
    pub impulses_n_s: Vec<Vec3>,
    /// The deepest layer that pushes, counted from 1.
    pub layers: Vec<u32>,
}

impl Contacts {
    fn of(reader: &Reader, reading: &Reading) -> Self {
        let mut contacts = Self { impulses_n_s: reader.contact_impulses(reading), ..Self::default() };
        for contact in &reading.contacts {
            contacts.pairs.push(contact.id);
            contacts.bodies.push(contact.bodies);
            contacts.gaps_m.push(contact.distance);
            let first = contact.forces.iter().take(contact.first_primitive).copied();
            contacts.forces_n.push(first.collect::<ExactVec3Sum>().value());
            contacts.layers.push(contact.layer);
        }
        contacts
    }
}

impl Simulation {
    /// The pairs that are within their layers now.
    #[must_use]
    pub fn contacts(&self) -> Contacts {
        Contacts::of(&self.reader, &self.reading())
    }

    /// The force with which each pin of the scene holds its vertices now, in N, in the order of the scene; along an axis that is free, none.
    #[must_use]
    pub fn reactions(&self) -> Vec<Vec3> {
        let reading = self.reading();
        let pins = self.built.iter().flat_map(|built| &built.pins);
        pins.map(|pin| {
            let pull = pin.vertices.iter().map(|&v| reading.forces[v as usize]);
            let pull = pull.collect::<ExactVec3Sum>().value();
            let held = |axis: bool, f: f64| if axis { -f } else { 0.0 };
            Vec3::new(held(pin.axes.x, pull.x), held(pin.axes.y, pull.y), held(pin.axes.z, pull.z))
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use carom_scene::SceneBuilder;

    use super::*;
    use crate::simulation::Event;

    fn two_grains() -> Simulation {
        let mut scene = SceneBuilder::new("two grains");
        scene.set("time.end", 0.1).set("contact.thickness", 1e-3);
        for (name, x, speed) in [("left", 0.0, 1.0), ("right", 0.05, -1.0)] {
            let grain = scene.grains(name, &[Vec3::X * x], &[0.01]);
            grain.set("material.grains.density", 1000.0).set("velocity", [speed, 0.0, 0.0]);
        }
        Simulation::new(&scene.load().unwrap()).unwrap()
    }

    #[test]
    fn in_the_first_layer_an_impulse_is_the_force_times_the_step_of_that_layer() {
        let mut simulation = two_grains();
        assert!(simulation.advance_until(Event::Touch, 0.1).unwrap());
        let contacts = simulation.contacts();
        assert_eq!(contacts.layers, [1]);
        let system = simulation.system();
        let step_s = system.line.quantum.step(system.contact.as_ref().unwrap().layers[0].span);
        let (expected, found) = (contacts.forces_n[0].x * step_s, contacts.impulses_n_s[0].x);
        assert!(expected < 0.0 && (found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    }
}
