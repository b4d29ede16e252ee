//! A closed chain of edges.

use carom_geometry::shapes;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::number::Positive;
use crate::report::Problem;
use crate::whole::Count;

/// A closed chain of edges about the z axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RingShape {
    /// Radius, in m.
    pub radius: Positive,
    /// Number of edges of the ring: 3 or more.
    pub segments: Count,
}

impl ShapeKind for RingShape {
    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let places = [("radius", self.radius.span()), ("segments", self.segments.span())];
        order.made(shapes::ring(self.radius.get(), self.segments.get() as usize), &places)
    }
}
