//! What the colours in a picture of frames mean: a choice that scenes name and that pictures draw.

use serde::{Deserialize, Serialize};

/// What colours mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ColourBy {
    /// The body.
    #[default]
    Body,
    /// Speed of vertices, in m/s.
    Speed,
    /// Elastic energy per length, area or volume.
    Energy,
    /// The shortest step of the potentials of a cell, in s.
    Clock,
}

impl ColourBy {
    /// All that colours can mean.
    pub const ALL: [Self; 4] = [Self::Body, Self::Speed, Self::Energy, Self::Clock];

    /// Name in scenes and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Speed => "speed",
            Self::Energy => "energy",
            Self::Clock => "clock",
        }
    }

    /// The meaning of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.name() == name)
    }
}
