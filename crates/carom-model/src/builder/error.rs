//! Why a system cannot be built.

use carom_math::Vec3;
use carom_time::StepError;

use crate::Owner;

/// A system that cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// A vertex without mass.
    #[error(
        "vertex {vertex} of body {body} has mass {mass_kg} kg: every vertex needs a positive, finite mass"
    )]
    Massless {
        /// Name of the body.
        body: String,
        /// Vertex of that body.
        vertex: u32,
        /// Its mass, in kg.
        mass_kg: f64,
    },
    /// A coordinate or velocity that is no number.
    #[error("vertex {vertex} of body {body} starts at a position or velocity that is not finite")]
    NotFinite {
        /// Name of the body.
        body: String,
        /// Vertex of that body.
        vertex: u32,
    },
    /// A potential that proposes no step.
    #[error("{kind} {owner:?} proposes a step of {step_s} s: its stiffness at the start is not finite")]
    NoStep {
        /// The kind of potential.
        kind: String,
        /// Which one.
        owner: Owner,
        /// What it proposed, in s.
        step_s: f64,
    },
    /// A safety factor outside (0, 1].
    #[error("a safety factor of {0} is not in (0, 1]")]
    Safety(f64),
    /// Steps that do not fit one time line.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An angle without inertia, or that starts nowhere.
    #[error(
        "an angle of body {body} starts at {angle:?} rad and {rate:?} rad/s with a moment of inertia of {inertia} kg m2: \
         all must be finite, and the inertia positive"
    )]
    BadAngle {
        /// Name of the body.
        body: String,
        /// Where it starts, in rad.
        angle: Vec3,
        /// How fast it turns, in rad/s.
        rate: Vec3,
        /// Its moment of inertia, in kg·m².
        inertia: f64,
    },
    /// Two kinds with one place in the sums: nothing would say which comes first.
    #[error("{first} and {second} have the same order number {order}: every kind of potential needs its own")]
    SameOrder {
        /// One kind.
        first: &'static str,
        /// The other.
        second: &'static str,
        /// The number of both.
        order: u32,
    },
    /// No vertices at all.
    #[error("the scene has no vertices: add a [[body]]")]
    Empty,
}
