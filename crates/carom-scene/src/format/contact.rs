//! Contact: what may be said of it, for the whole scene and for one body.

use carom_model::{Absent, LAWS, Parameter};
use serde::{Deserialize, Serialize};

use crate::at::At;
use crate::fixed::Fixed;
use crate::number::{NonNegative, Positive};
use crate::open::{Keys, Open, OpenKey};
use crate::whole::Count;

/// Contact: the keys of the format, and one for each contact law.
pub type Contact = Open<ContactFormat, LawsOfScene>;

/// Nothing passes through anything. One number is enough, the thickness; the rest is chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "Contact"))]
pub struct ContactFormat {
    /// Distance at which surfaces begin to push, in m; a body can have its own, and two bodies take the mean.
    pub thickness: Positive,
    /// The shape of the layers.
    #[serde(default)]
    pub layers: ContactLayers,
    /// Stiffness of the first layer, in N/m for each m² of surface (acm: in N/m for each pair), instead of
    /// the chosen one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<Positive>,
    /// Step of the first layer, in s, instead of the chosen one; rounded down to the clocks of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Positive>,
    /// Closing speed to be ready for, in m/s; if not given, the largest at the start, or what gravity and loads
    /// give on the way through the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<Positive>,
    /// Lengths of a periodic box along x, y and z, in m, 0 along an axis that is not periodic: grains that leave on one side
    /// meet those on the other. Positions are not changed by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<Fixed<NonNegative, 3>>,
    /// The deepest layer that may push, at most 60; whatever comes deeper stops the run.
    #[serde(default = "max_layers")]
    pub max_layers: Count,
    /// Contact laws of two bodies, or of one with itself; the last entry that names them counts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<At<ContactBetween>>,
    /// Allow a start with surfaces nearer than their thickness: the run then begins with that energy.
    #[serde(default)]
    pub start_inside: bool,
}

/// The shape of the layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ContactLayers {
    /// Smooth layers that let go where deeper ones have taken over.
    #[default]
    Window,
    /// Smooth layers that all keep pushing.
    Nested,
    /// Quadratic layers that all keep pushing: the paper's. Their steps are not rounded to powers of two.
    Acm,
}

/// Contact laws of two bodies, instead of the scene's.
pub type ContactBetween = Open<BetweenFormat, LawsOfTwo>;

/// Contact laws of two bodies, instead of the scene's; twice the same name for a body with itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "ContactBetween"))]
pub struct BetweenFormat {
    /// The two bodies.
    pub bodies: Fixed<At<String>, 2>,
}

/// The contact laws of the whole scene, by name.
pub enum LawsOfScene {}

impl Keys for LawsOfScene {
    fn keys() -> Vec<OpenKey> {
        LAWS.iter().map(|law| OpenKey::from(&law.parameter)).collect()
    }
}

/// The contact laws of two bodies, by name; those that are not given are the scene's.
pub enum LawsOfTwo {}

impl Keys for LawsOfTwo {
    fn keys() -> Vec<OpenKey> {
        LAWS.iter()
            .map(|law| OpenKey::from(&Parameter { absent: Absent::Accepted, ..law.parameter }))
            .collect()
    }
}

/// Contact settings of one body.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct BodyContact {
    /// Thickness of the body's contact, in m, instead of the scene's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thickness: Option<Positive>,
    /// Hard radius of its rods or points, in m, from which distances count; a rod has that of its material
    /// if not given, points have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<Positive>,
}

fn max_layers() -> Count {
    Count::nowhere(carom_contact::MAX_LAYERS)
}
