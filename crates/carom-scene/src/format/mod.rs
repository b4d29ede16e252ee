//! The scene file, as types: what may be written, what it means, what it defaults to.
//!
//! The comments on keys are what users read: they are the descriptions of the JSON Schema, which
//! editors show and errors quote. Lengths are in m, masses in kg, times in s, forces in N.
//!
//! Choices (`shape.grid`, `material.shell`) are externally tagged: the other ways serde has lose
//! the places of values and let unknown keys pass.
//!
//! **Never here:** meaning that needs more than one key (see `check`); meshes.

mod body;
mod chosen;
mod compare;
mod contact;
mod dcr;
mod drive;
mod expect;
mod force;
mod output;
mod part;
mod picture;
mod select;
mod tolerance;

pub use body::{Body, Rotation, StartShape, TableFile};
pub use chosen::{Chosen, Slot};
pub use compare::{Compare, CompareLine, Setting};
pub use contact::{
    BetweenFormat, BodyContact, Contact, ContactBetween, ContactFormat, ContactLayers, LawsOfScene, LawsOfTwo,
};
pub use dcr::{Dcr, DcrJump, DcrPenetration};
pub use drive::{Drive, DriveKey, DriveTiming};
pub use expect::{Expect, ExpectProbe, Statistic};
pub use force::{
    Gravity, Load, LoadFormat, LoadKeys, Pair, PairFormat, PairLaws, Pin, PinAxes, Share, Spring,
};
pub use output::{Output, Zoom};
pub use part::Part;
pub use picture::Picture;
pub use select::{Among, NamedSelection, SelectBox, Selection, VertexName, Yes};
pub use tolerance::{DEFAULT_ENERGY_TOLERANCE, Tolerance};

pub use crate::fields::*;
pub use crate::materials::*;
pub use crate::probes::ProbeKeys;
pub use crate::shapes::*;

use core::fmt::Formatter;
#[cfg(feature = "schema")]
use std::borrow::Cow;
use std::collections::BTreeMap;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::at::At;
use crate::number::{Fraction, Positive};

/// A Carom scene: bodies, the forces on them, how long to run, what to record and to expect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(title = "Carom scene"))]
pub struct SceneFile {
    /// The version of the format: 1.
    pub format: FormatVersion,
    /// What the verdict and the folder of runs call the scene; without it, the name of its file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Title of the scene, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Description of the scene.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Method of the run, unless the command line gives another.
    #[serde(default)]
    pub method: Method,
    /// How long the run lasts.
    pub time: Time,
    /// How steps are chosen.
    #[serde(default)]
    pub clocks: Clocks,
    /// Amount of output.
    #[serde(default)]
    pub output: Output,
    /// Uniform gravity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Gravity>,
    /// Contact between all bodies, and of each with itself; without it things pass through each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<Contact>,
    /// How `method = "dcr"` runs; other methods do not read it.
    #[serde(default)]
    pub dcr: Dcr,
    /// The bodies, in order.
    #[serde(default, rename = "body", skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<At<Body>>,
    /// Start from the state of another run. `carom run --from` sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<At<From>>,
    /// Vertices under a name, for pins, loads, parts, springs and probes.
    #[serde(default, rename = "selection", skip_serializing_if = "Vec::is_empty")]
    pub selections: Vec<At<NamedSelection>>,
    /// Elements of bodies that are made of something else.
    #[serde(default, rename = "part", skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<At<Part>>,
    /// Springs between vertices.
    #[serde(default, rename = "spring", skip_serializing_if = "Vec::is_empty")]
    pub springs: Vec<At<Spring>>,
    /// Potentials between all pairs of vertices.
    #[serde(default, rename = "pair", skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<At<Pair>>,
    /// Vertices that are held where they start.
    #[serde(default, rename = "pin", skip_serializing_if = "Vec::is_empty")]
    pub pins: Vec<At<Pin>>,
    /// Prescribed motion of vertices.
    #[serde(default, rename = "drive", skip_serializing_if = "Vec::is_empty")]
    pub drives: Vec<At<Drive>>,
    /// External loads: forces, accelerations, pressures.
    #[serde(default, rename = "load", skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<At<Load>>,
    /// Quantities to record in probes.csv.
    #[serde(default, rename = "probe", skip_serializing_if = "Vec::is_empty")]
    pub probes: Vec<At<ProbeKeys>>,
    /// The bounds that the run must keep.
    #[serde(default)]
    pub expect: Expect,
    /// Variants of the scene to hold it against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compare: Option<Compare>,
    /// Keys with the values of a small variant, which `--small` runs: { "time.end" = 0.01 }. It shows the same in seconds.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub small: BTreeMap<String, Setting>,
    /// How pictures of the scene are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<Picture>,
}

impl SceneFile {
    /// Name of the scene's own line in a comparison.
    #[must_use]
    pub fn own_line(&self) -> &str {
        let named = self.compare.as_ref().and_then(|compare| compare.name.as_ref());
        named.map_or(self.method.name(), |name| name.as_str())
    }
}

/// How the run is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The fast engine: every potential on its own clock, in batches.
    #[default]
    Carom,
    /// The contract read aloud: slow, for small scenes; gives the same bits as carom.
    Reference,
    /// All potentials on one clock, the fastest: the classical integrator.
    Synchronous,
    /// Decomposition Contact Response: hard contact by projection and reflection, on one clock. For comparison, outside the contract.
    Dcr,
}

impl Method {
    /// Name in scenes and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Carom => "carom",
            Self::Reference => "reference",
            Self::Synchronous => "synchronous",
            Self::Dcr => "dcr",
        }
    }
}

/// How long the run lasts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Time {
    /// When the run ends, in s.
    pub end: Positive,
}

/// Start from another run. Rest shapes, and rest lengths of springs, stay those of the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct From {
    /// A table of all vertices: for each body a line `body NAME COUNT`, then for each of its vertices x y z vx vy vz, in m and m/s; if it
    /// twists or spins, a line `ghosts COUNT` and as many lines of its angles, spins and what its joints remember.
    pub file: At<String>,
    /// Whether velocities are taken from there, too; otherwise they are those of the scene.
    #[serde(default = "yes")]
    pub velocities: bool,
}

fn yes() -> bool {
    true
}

/// How steps are chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Clocks {
    /// How steps are rounded down: to powers of two of the quantum, or to any multiple of it.
    pub kind: ClockKind,
    /// Which potentials share a clock.
    pub per: ClockPer,
    /// How the first kick is made.
    pub start: ClockStart,
    /// Fraction of its own stability limit at which each potential runs.
    pub safety: Fraction,
    /// One step for all elastic potentials, in s, instead of the ones they propose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Positive>,
    /// Accept steps that are known to be unstable.
    pub force: bool,
    /// How far the energy balance may be off, over the energy turned over; a run about to exceed it goes back and takes shorter steps.
    /// "none" lets it run as it is, and its verdict does not ask.
    pub energy_tolerance: Tolerance,
}

impl Default for Clocks {
    fn default() -> Self {
        Self {
            kind: ClockKind::default(),
            per: ClockPer::default(),
            start: ClockStart::default(),
            safety: Fraction::nowhere(carom_model::ClockOptions::default().safety),
            step: None,
            force: false,
            energy_tolerance: Tolerance::default(),
        }
    }
}

/// How steps are rounded down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClockKind {
    /// Steps are rounded to a power of two of the quantum: instants are batches.
    #[default]
    Dyadic,
    /// Steps are rounded to any multiple of the quantum: the paper's clocks.
    Exact,
}

/// Which potentials share a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClockPer {
    /// Every potential has its own clock.
    #[default]
    Potential,
    /// All potentials of one triangle or tetrahedron share one clock.
    Element,
}

/// How the first kick is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClockStart {
    /// Half a kick of every potential at time 0: second order.
    #[default]
    HalfKick,
    /// No kick before each potential's first step: exactly the paper's action.
    Paper,
}

/// The version of the format: 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatVersion;

/// The one version there is.
const VERSION: i64 = 1;

impl<'de> Deserialize<'de> for FormatVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct VersionVisitor;

        impl Visitor<'_> for VersionVisitor {
            type Value = FormatVersion;

            fn expecting(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
                write!(f, "the version of the format, {VERSION}")
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<FormatVersion, E> {
                if value == VERSION {
                    Ok(FormatVersion)
                } else {
                    Err(E::custom(format_args!("this program reads format {VERSION}, not {value}")))
                }
            }
        }
        deserializer.deserialize_i64(VersionVisitor)
    }
}

impl Serialize for FormatVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(VERSION)
    }
}

#[cfg(feature = "schema")]
impl JsonSchema for FormatVersion {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "format".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "const": VERSION })
    }
}
