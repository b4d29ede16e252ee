//! Formatting of messages: numbers, errors, colour on terminals.

use std::fmt;
use std::io::{ErrorKind, IsTerminal, Write as _};

use carom::job::JobError;
use carom_scene::SceneError;

pub use carom_output::words::{count, seconds};

/// Writes to standard output. A closed pipe is ignored: the run is written to its folder all the same.
///
/// # Panics
/// If standard output cannot be written for another reason, as the macros of the standard library do.
pub fn say(words: fmt::Arguments<'_>) {
    if let Err(error) = std::io::stdout().lock().write_fmt(words) {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe, "cannot write to standard output: {error}");
    }
}

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
