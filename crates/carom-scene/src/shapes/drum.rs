//! A flat disc with three sizes of triangles.

use carom_geometry::shapes;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::number::Positive;
use crate::report::Problem;

/// A flat disc with three sizes of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DrumShape {
    /// Radius, in m.
    pub radius: Positive,
}

impl ShapeKind for DrumShape {
    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let drum = shapes::graded_drum(self.radius.get());
        order.made(drum.map(|drum| drum.mesh), &[("radius", self.radius.span())])
    }
}
