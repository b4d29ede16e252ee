//! Why a simulation cannot start, and why it cannot advance.

use carom_model::Fault;
use carom_scene::SceneError;
use carom_time::StepError;

/// Why a simulation cannot start: what [`Simulation::new`](super::Simulation::new) and the other ways to make one return instead.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The scene is not sound.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// Surfaces cross at the start.
    #[error("nothing may start where it passes through something: {}", .0.join("; "))]
    Crossing(Vec<String>),
    /// Contact is thinner than rounding allows.
    #[error("{0}; move everything nearer to the origin, or raise the thickness")]
    TooThin(String),
    /// The first instant ended it.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Why a simulation cannot advance. After a Fault it can still be read, and taken back to a checkpoint.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AdvanceError {
    /// The time is not on the time line.
    #[error(transparent)]
    Time(#[from] StepError),
    /// The time has passed.
    #[error("{asked_s} s have passed: the simulation is at {now_s} s; `restore` goes back to a checkpoint")]
    Past {
        /// The time asked for, in s.
        asked_s: f64,
        /// The time of the simulation, in s.
        now_s: f64,
    },
    /// The simulation had to stop. It can be read as it was at the last instant that succeeded.
    #[error(transparent)]
    Fault(#[from] Fault),
}
