//! Probes: one file for each kind, with its columns, how a scene asks for it, and how it is read off a run.
//!
//! A new probe is a file here, its key in [`ProbeKeys`] and an entry in [`PROBES`]. Scenes, their JSON Schema, errors, the columns of
//! `probes.csv` and the reference of keys follow from that.
//!
//! **Never here:** writing tables; a change of what is read.

mod body;
mod contact;
mod motion;
mod reaction;

use core::fmt::Debug;
use std::sync::Arc;

use carom_engine::{Reading, Snapshot};
use carom_model::System;
use serde::{Deserialize, Serialize};

use crate::at::At;
use crate::build::Assembly;
use crate::fixed::Fixed;
use crate::format::{SceneFile, Selection, VertexName};
use crate::report::Problem;

/// The kinds of probe.
pub const PROBES: &[ProbeKind] = &[motion::KIND, body::KIND, reaction::KIND, contact::KIND];

/// A quantity to record. A vertex, or body with select: position and velocity (of their centre of mass); body alone: its momentum and
/// energies; pin: its reaction; between: contact of two bodies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "Probe"))]
pub struct ProbeKeys {
    /// Name of the probe, the first part of its columns in probes.csv.
    pub name: At<String>,
    /// A vertex, "body:number".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vertex: Option<At<VertexName>>,
    /// A body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<At<String>>,
    /// The vertices of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select: Option<At<Selection>>,
    /// The name of a pin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<At<String>>,
    /// Two bodies, or one twice: their contact, with forces on the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub between: Option<Fixed<At<String>, 2>>,
}

/// A kind of probe.
#[derive(Clone, Copy, Debug)]
pub struct ProbeKind {
    /// Name of the kind.
    pub name: &'static str,
    /// What it reads, in a sentence.
    pub about: &'static str,
    /// The key of `[[probe]]` that asks for it.
    pub key: &'static str,
    /// A value of that key, as the template shows it.
    pub example: &'static str,
    /// The columns, in the order they are written; each is headed `name.column`.
    pub columns: &'static [Column],
    /// Its page in the book: `docs/guide/<page>.md`.
    pub page: &'static str,
    /// Whether the key is given.
    pub(crate) is_given: fn(&ProbeKeys) -> bool,
    /// What is wrong with the value of the key.
    pub(crate) check: fn(&ProbeKeys, &Names<'_>, &mut Vec<Problem>),
    /// What it looks at.
    pub(crate) resolve: fn(&ProbeKeys, &Assembly<'_>) -> Resolved,
}

/// What a probe looks at, or why there is no such thing.
type Resolved = Result<Arc<dyn ProbeTarget>, Problem>;

/// A column of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name of the column.
    pub name: &'static str,
    /// Unit of its values; empty for a number without.
    pub unit: &'static str,
    /// What it says.
    pub about: &'static str,
}

impl Column {
    const fn new(name: &'static str, unit: &'static str, about: &'static str) -> Self {
        Self { name, unit, about }
    }
}

/// Names that a probe can refer to.
pub struct Names<'f> {
    /// Bodies of the scene.
    pub bodies: Vec<&'f str>,
    /// Pins that have a name.
    pub pins: Vec<&'f str>,
}

/// What a probe looks at, in the numbers of the system.
pub trait ProbeTarget: Debug + Send + Sync {
    /// A reader for runs of `system`.
    fn reader(&self, system: &Arc<System>) -> Box<dyn ReadProbe>;
}

/// Reads a probe.
pub trait ReadProbe: Send {
    /// The values of its columns, in their order.
    fn values(&self, snapshot: &Snapshot, reading: &Reading) -> Vec<f64>;
}

/// A probe, resolved.
#[derive(Clone, Debug)]
pub struct Probe {
    /// Name of the probe.
    pub name: String,
    /// Kind of the probe.
    pub kind: &'static ProbeKind,
    /// What it looks at.
    pub target: Arc<dyn ProbeTarget>,
}

impl ProbeKind {
    /// The kind that `keys` ask for, if they ask for any.
    pub(crate) fn of(keys: &ProbeKeys) -> Option<&'static Self> {
        let is_asked = |kind: &&Self| (kind.is_given)(keys);
        // Some vertices of a body are probed like one vertex.
        if keys.select.is_some() { Some(&motion::KIND) } else { PROBES.iter().find(is_asked) }
    }
}

impl Probe {
    pub(crate) fn resolve(keys: &ProbeKeys, assembly: &Assembly<'_>) -> Result<Self, Problem> {
        let kind = ProbeKind::of(keys).expect("a probe asks for something: it was checked");
        Ok(Self { name: keys.name.to_string(), kind, target: (kind.resolve)(keys, assembly)? })
    }
}

impl SceneFile {
    /// The column of a probe that `probes.csv` heads `heading`, which is `name.column`.
    #[must_use]
    pub fn probe_column(&self, heading: &str) -> Option<&'static Column> {
        let (name, column) = heading.rsplit_once('.')?;
        let probe = self.probes.iter().find(|probe| probe.name.as_str() == name)?;
        ProbeKind::of(probe)?.columns.iter().find(|known| known.name == column)
    }
}
