//! A flat disc of triangles.

use carom_geometry::shapes;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::number::Positive;
use crate::report::Problem;

/// A flat disc of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DiscShape {
    /// Radius, in m.
    pub radius: Positive,
    /// Length of an edge, about, in m.
    pub edge: Positive,
}

impl ShapeKind for DiscShape {
    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let places = [("radius", self.radius.span()), ("edge", self.edge.span())];
        order.made(shapes::disc(self.radius.get(), self.edge.get()), &places)
    }
}
