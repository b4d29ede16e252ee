//! A straight chain of edges.

use carom_geometry::shapes;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::number::Vector;
use crate::report::Problem;
use crate::whole::Count;

/// A straight chain of edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RodShape {
    /// First end of the rod, in m.
    pub from: Vector,
    /// Second end of the rod, in m.
    pub to: Vector,
    /// Number of edges of the rod.
    pub segments: Count,
}

impl ShapeKind for RodShape {
    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let places = [("the distance between its ends", self.to.span()), ("segments", self.segments.span())];
        order.made(shapes::rod(self.from.get(), self.to.get(), self.segments.get() as usize), &places)
    }
}
