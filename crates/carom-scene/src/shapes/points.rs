//! Single points.

use carom_geometry::Mesh;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::at::{At, Span};
use crate::number::Vector;
use crate::report::Problem;

/// Single points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PointsShape {
    /// Positions of the points, in m.
    pub positions: At<Vec<Vector>>,
}

impl ShapeKind for PointsShape {
    fn check(&self, _span: &Span, problems: &mut Vec<Problem>) {
        if self.positions.is_empty() {
            problems.push(Problem::new(&self.positions.span(), "there are no points").help("add positions"));
        }
    }

    fn make(&self, _order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let positions = self.positions.iter().map(Vector::get).collect();
        Ok(Mesh { positions, ..Mesh::default() }.into())
    }
}
