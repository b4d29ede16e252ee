//! Points without any force of their own.

use serde::{Deserialize, Serialize};

use super::{Elements, MaterialKind, RestBody};
use crate::number::Positive;

/// Points without any force of their own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PointMaterial {
    /// Mass of each point, in kg.
    pub mass: Positive,
}

impl MaterialKind for PointMaterial {
    fn elements(&self) -> Option<Elements> {
        None
    }

    fn masses(&self, of: &RestBody<'_>) -> Vec<f64> {
        vec![self.mass.get(); of.mesh.positions.len()]
    }
}
