//! A ball of tetrahedra.

use carom_geometry::shapes;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::number::Positive;
use crate::report::Problem;

/// A ball of tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BallShape {
    /// Radius, in m.
    pub radius: Positive,
    /// Length of an edge, about, in m.
    pub edge: Positive,
}

impl ShapeKind for BallShape {
    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let places = [("radius", self.radius.span()), ("edge", self.edge.span())];
        order.made(shapes::ball_tets(self.radius.get(), self.edge.get()), &places)
    }
}
