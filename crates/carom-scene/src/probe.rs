//! Probes: what to record, resolved to vertices.

use core::ops::Range;

use crate::format;

/// Kind of a probe, which determines its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeKind {
    /// Position and velocity of the centre of mass of some vertices.
    Motion,
    /// Momentum, angular momentum and energies of a body.
    Body,
    /// The force with which a pin holds its vertices.
    Reaction,
    /// Contact between two bodies.
    Contact,
}

impl ProbeKind {
    pub(crate) fn of(probe: &format::Probe) -> Self {
        if probe.pin.is_some() {
            Self::Reaction
        } else if probe.between.is_some() {
            Self::Contact
        } else if probe.vertex.is_some() || probe.select.is_some() {
            Self::Motion
        } else {
            Self::Body
        }
    }

    /// The columns, in the order they are written; each is headed `name.column`.
    ///
    /// Positions in m, velocities in m/s, momenta in N·s and N·m·s about the origin, energies in
    /// J, forces in N. Of contact: force on the first body, its impulse so far in N·s, time in contact so far in s,
    /// smallest distance now and so far in m, deepest layer so far; how often two grains met so far, the mean closest approach of
    /// their centres in m, and the virial Σ J·s so far in J·s.
    #[must_use]
    pub const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Motion => &["x", "y", "z", "vx", "vy", "vz"],
            Self::Body => &["px", "py", "pz", "lx", "ly", "lz", "kinetic", "potential", "energy"],
            Self::Reaction => &["fx", "fy", "fz"],
            Self::Contact => &[
                "fx", "fy", "fz", "jx", "jy", "jz", "duration", "distance", "closest", "layer", "meetings",
                "approach", "virial",
            ],
        }
    }
}

/// A probe, resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe {
    /// Name of the probe.
    pub name: String,
    /// Target of the probe.
    pub target: Target,
}

/// Target of a probe.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The centre of mass of these vertices of the system.
    Motion(Vec<u32>),
    /// The body with this number, which has these vertices.
    Body {
        /// Index into the system's bodies.
        body: u32,
        /// Vertices of the body.
        vertices: Range<u32>,
    },
    /// The pin with this number in the scene, which holds these vertices.
    Reaction {
        /// Index into the scene's pins.
        pin: usize,
        /// The selected vertices.
        vertices: Vec<u32>,
    },
    /// Contact between the bodies with these numbers, or of one with itself.
    Contact([u32; 2]),
}

impl Probe {
    /// Kind of the probe.
    #[must_use]
    pub const fn kind(&self) -> ProbeKind {
        match self.target {
            Target::Motion(_) => ProbeKind::Motion,
            Target::Body { .. } => ProbeKind::Body,
            Target::Reaction { .. } => ProbeKind::Reaction,
            Target::Contact(_) => ProbeKind::Contact,
        }
    }
}
