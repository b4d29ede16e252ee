//! A closed cylinder of triangles.

use carom_geometry::shapes;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::number::Positive;
use crate::report::Problem;

/// A closed cylinder of triangles about the z axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CylinderShape {
    /// Radius, in m.
    pub radius: Positive,
    /// Height along z, in m.
    pub height: Positive,
    /// Length of an edge, about, in m.
    pub edge: Positive,
}

impl ShapeKind for CylinderShape {
    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let places =
            [("radius", self.radius.span()), ("height", self.height.span()), ("edge", self.edge.span())];
        order.made(shapes::cylinder(self.radius.get(), self.height.get(), self.edge.get()), &places)
    }
}
