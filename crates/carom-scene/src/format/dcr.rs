//! Decomposition Contact Response: what may be said of it.

use serde::{Deserialize, Serialize};

use crate::number::{NonNegative, Positive, Ratio};

/// How `method = "dcr"` runs: hard contact by projection and reflection, for comparison. Its step is that of all potentials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Dcr {
    /// The step, in s, instead of the shortest elastic one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Positive>,
    /// Coefficient of restitution: 1 reflects, 0 sticks.
    pub restitution: Ratio,
    /// Coefficient of friction.
    pub friction: NonNegative,
    /// How penetration is measured.
    pub penetration: DcrPenetration,
    /// Which velocities jump.
    pub jump: DcrJump,
}

impl Default for Dcr {
    fn default() -> Self {
        Self {
            step: None,
            restitution: Ratio::nowhere(1.0),
            friction: NonNegative::nowhere(0.0),
            penetration: DcrPenetration::default(),
            jump: DcrJump::default(),
        }
    }
}

/// How penetration is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DcrPenetration {
    /// By the signed distance of nearest points, less the thickness of contact.
    #[default]
    Nearest,
    /// By the signed volume that intersecting surface elements span; surfaces have no thickness.
    Intersection,
}

/// Which velocities jump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DcrJump {
    /// Velocities at the end of the step, after the corrector: between two steps.
    #[default]
    Corrected,
    /// Velocities of the predictor, before the corrector: inside the step.
    Predicted,
}
