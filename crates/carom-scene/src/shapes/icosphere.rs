//! A sphere of triangles.

use carom_geometry::shapes;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::at::Span;
use crate::check::check_exactly_one;
use crate::number::Positive;
use crate::report::Problem;
use crate::whole::Count;

/// A sphere of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct IcosphereShape {
    /// Radius, in m.
    pub radius: Positive,
    /// Length of an edge, about, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Positive>,
    /// Into how many parts each edge of an icosahedron is divided, instead of edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<Count>,
}

impl ShapeKind for IcosphereShape {
    fn check(&self, span: &Span, problems: &mut Vec<Problem>) {
        let keys = [("edge", self.edge.is_some()), ("frequency", self.frequency.is_some())];
        check_exactly_one(span, "an icosphere", &keys, problems);
    }

    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let radius = self.radius.get();
        let mesh = match (&self.frequency, &self.edge) {
            (Some(frequency), _) => shapes::icosphere(radius, frequency.get() as usize),
            (None, edge) => shapes::sphere(radius, edge.as_ref().map_or(radius, Positive::get)),
        };
        let mut places = vec![("radius", self.radius.span())];
        places.extend(self.edge.as_ref().map(|edge| ("edge", edge.span())));
        places.extend(self.frequency.as_ref().map(|frequency| ("frequency", frequency.span())));
        order.made(mesh, &places)
    }
}
