//! Grains from the text of a scene, let go and read at times.

use std::sync::Arc;

use carom::Simulation;
use carom_contact::Touch;
use carom_engine::{ContactSummary, MethodKind, Reading};
use carom_model::{State, System};
use carom_scene::{InMemory, Scene, build};

/// A scene of grains, built.
pub struct BoxOfGrains {
    pub system: Arc<System>,
    state: State,
}

impl BoxOfGrains {
    /// The scene of this text.
    ///
    /// # Panics
    /// If it is unsound: the scenes here are known to be sound.
    pub fn of(text: &str) -> Self {
        let scene = Scene::parse("grains.toml", text).unwrap_or_else(|error| panic!("{error}"));
        let built = build(&scene, &InMemory::default()).unwrap_or_else(|error| panic!("{error}"));
        Self { system: Arc::new(built.system), state: built.state }
    }

    /// A gas of so many spheres at kT = 1 in a periodic cube, in m, with a hard radius in m and a density in kg/m³, layers of 0.01 m and this restitution.
    pub fn gas(grains: u32, length: f64, [radius, density]: [f64; 2], restitution: f64) -> Self {
        Self::of(&format!(
            r#"
            format = 1
            time.end = 1.0

            [contact]
            thickness = 0.01
            restitution = {restitution}
            period = [{length}, {length}, {length}]

            [[body]]
            name = "gas"
            shape.grains = {{ count = {grains}, size = [{length}, {length}, {length}], radius = {radius}, jitter = 0.5 }}
            material.grains = {{ density = {density} }}
            velocity_field = {{ noise = {{ energy = 1.5 }}, balanced = true }}
            "#
        ))
    }

    /// # Panics
    /// If it cannot start: all of these can.
    pub fn start(&self) -> Running {
        let simulation =
            Simulation::of_system(Arc::clone(&self.system), self.state.clone(), MethodKind::Carom);
        Running(simulation.expect("a sound start"))
    }
}

/// Grains on their way.
pub struct Running(Simulation);

impl Running {
    /// The reading at a time, in s, not before the last.
    ///
    /// # Panics
    /// If the run ends in a Fault: none of these does.
    pub fn read_at(&mut self, time_s: f64) -> Arc<Reading> {
        self.0.advance_to(time_s).expect("nothing is squeezed");
        self.0.reading()
    }

    /// Contact of the first two bodies that touched, so far.
    pub fn touch(&self) -> Option<Touch> {
        self.0.touches().first().copied()
    }

    pub fn contact(&self) -> ContactSummary {
        self.0.summary().contact.expect("there is contact")
    }

    /// Forces of pairs computed so far.
    pub fn pair_evaluations(&self) -> u64 {
        self.0.summary().evaluations.last().copied().expect("there is contact")
    }
}
