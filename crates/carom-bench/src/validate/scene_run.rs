//! Runs of scene files, with readings.

use carom::Simulation;
use carom_engine::{ContactSummary, Reading};
use carom_math::Vec3;
use carom_model::State;
use carom_scene::{Built, InMemory, Scene, build};
use carom_time::Tick;

/// Runs the scene `text` with some keys set otherwise, and calls `see` with evenly spaced readings, the first and the last among them.
///
/// # Panics
/// If the scene is invalid or the run ends in a Fault: none of these does.
pub fn run_scene(
    text: &str,
    settings: &[&str],
    samples: u64,
    see: impl FnMut(&Reading),
) -> Option<ContactSummary> {
    run_scene_with_files(text, [], settings, samples, see)
}

/// The same for a scene that names files: their names and what is in them.
pub fn run_scene_with_files<const N: usize>(
    text: &str,
    files: [(&str, String); N],
    settings: &[&str],
    samples: u64,
    see: impl FnMut(&Reading),
) -> Option<ContactSummary> {
    build_scene(text, files, settings).run(samples, see)
}

/// Runs the scene from rest with its vertices at other positions.
pub fn run_scene_from(
    text: &str,
    settings: &[&str],
    places: Vec<Vec3>,
    samples: u64,
    see: impl FnMut(&Reading),
) -> Option<ContactSummary> {
    let mut built = build_scene(text, [], settings);
    let still = vec![Vec3::ZERO; places.len()];
    built.0.state = State::new(places, still, built.0.system.line.quantum);
    built.run(samples, see)
}

/// A scene as it is built.
struct BuiltScene(Built);

fn build_scene<const N: usize>(text: &str, files: [(&str, String); N], settings: &[&str]) -> BuiltScene {
    let files = InMemory(files.into_iter().map(|(name, text)| (name.into(), text.into_bytes())).collect());
    let mut scene = Scene::parse("scene", text).unwrap_or_else(|error| panic!("{error}"));
    for setting in settings {
        scene = scene.set(setting).unwrap_or_else(|error| panic!("{error}"));
    }
    BuiltScene(build(&scene, &files).unwrap_or_else(|error| panic!("{error}")))
}

impl BuiltScene {
    fn run(self, samples: u64, mut see: impl FnMut(&Reading)) -> Option<ContactSummary> {
        let end = self.0.schedule.end;
        let mut simulation = Simulation::of_built(self.0).unwrap_or_else(|error| panic!("{error}"));
        for sample in 0..=samples {
            let tick = Tick((u128::from(end.0) * u128::from(sample) / u128::from(samples)) as u64);
            simulation.advance_to_tick(tick).unwrap_or_else(|fault| panic!("{fault}"));
            see(&simulation.reading());
        }
        simulation.summary().contact
    }
}
