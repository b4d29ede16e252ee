//! How the program speaks: numbers, errors, colour only where a person reads.

use std::io::IsTerminal;

use carom::job::JobError;
use carom_scene::SceneError;

pub use carom_output::words::{count, seconds};

/// Prints an error to standard error; a scene's errors point at the line.
pub fn complain(error: &anyhow::Error) {
    let scene = match error.downcast_ref::<JobError>() {
        Some(JobError::Scene(scene)) => Some(scene),
        _ => error.downcast_ref::<SceneError>(),
    };
    match scene {
        Some(scene) => eprintln!("{}", scene.report().render(std::io::stderr().is_terminal())),
        None => eprintln!("error: {error:#}"),
    }
}
