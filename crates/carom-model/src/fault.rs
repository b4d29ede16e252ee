//! Why a run cannot go on.
//!
//! A Fault is the honest end of a run: it says what happened, where and when, and everything up
//! to then is on disk. Nothing is repaired in silence.

use carom_time::Tick;

use crate::Part;

/// A run that had to stop.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// A velocity or position is infinite or not a number.
    #[error(
        "vertex {vertex} of body {body} is no longer finite at tick {} ({time_s:e} s): \
         what acts on it is too strong, or its steps are too long", tick.0
    )]
    NotFinite {
        /// Name of the body.
        body: String,
        /// Vertex of that body.
        vertex: u32,
        /// When.
        tick: Tick,
        /// When, in s.
        time_s: f64,
    },
    /// An element whose energy is infinite: a triangle without area, an inverted tetrahedron.
    #[error(
        "{kind} of {part} of body {body} has collapsed at tick {} ({time_s:e} s): no finite force answers its shape; \
         the material was compressed to nothing or turned inside out, or the steps are too long \
         (try a smaller clocks.safety, or a shorter step where it is given)", tick.0
    )]
    Collapsed {
        /// The kind of potential.
        kind: String,
        /// Name of the body.
        body: String,
        /// Which part of it.
        part: Part,
        /// When.
        tick: Tick,
        /// When, in s.
        time_s: f64,
    },
    /// A pair that no layer can hold apart any more.
    #[error(
        "{first} and {second} were squeezed to a distance of {distance_m:.4e} m at tick {} ({time_s:.6e} s), in layer \
         {layer}, where {}; the pair holds {energy_j:.3e} J. Something presses them together without limit, or too fast \
         for contact: leave room for what is squeezed, shorten contact.step, or raise contact.max_layers", tick.0,
        if *too_fast { "they move too fast for the shortest step of any layer" } else { "the layers end" }
    )]
    Squeezed {
        /// The first primitive, in words.
        first: String,
        /// The second.
        second: String,
        /// When.
        tick: Tick,
        /// When, in s.
        time_s: f64,
        /// Distance between the surfaces, in m.
        distance_m: f64,
        /// How many layers it is in.
        layer: u32,
        /// Energy of the pair, in J.
        energy_j: f64,
        /// Whether speed was the reason: the layers have not ended.
        too_fast: bool,
    },
    /// Energy that cannot be kept within the tolerance, however short the steps.
    #[error(
        "{cause} at tick {} ({time_s:e} s), with the shortest steps that were tried: something gives energy without limit, or is \
         too stiff for them; raise clocks.energy_tolerance, or take a smaller clocks.safety", tick.0
    )]
    Tolerance {
        /// What was found, in words.
        cause: String,
        /// When.
        tick: Tick,
        /// When, in s.
        time_s: f64,
    },
    /// Two held parts on ways that cross: known before, but after the end up to which a scene is checked.
    #[error(
        "{first} and {second} are held on ways that cross at {time_s:.6e} s, after tick {}: no force moves what is held; \
         end the run before, or lead one of them another way", tick.0
    )]
    PrescribedCrossing {
        /// The first primitive, in words.
        first: String,
        /// The second.
        second: String,
        /// The last tick before they touch.
        tick: Tick,
        /// When they touch, in s.
        time_s: f64,
    },
}

impl Fault {
    /// The last tick at which everything is still finite and in order, if that is where the run stopped.
    #[must_use]
    pub fn last_tick(&self) -> Option<Tick> {
        match self {
            Self::Squeezed { tick, .. }
            | Self::Tolerance { tick, .. }
            | Self::PrescribedCrossing { tick, .. } => Some(*tick),
            Self::NotFinite { .. } | Self::Collapsed { .. } => None,
        }
    }

    /// The tick at which it happened.
    #[must_use]
    pub fn tick(&self) -> Tick {
        match self {
            Self::NotFinite { tick, .. }
            | Self::Collapsed { tick, .. }
            | Self::Squeezed { tick, .. }
            | Self::Tolerance { tick, .. }
            | Self::PrescribedCrossing { tick, .. } => *tick,
        }
    }
}
