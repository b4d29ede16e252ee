//! A box of tetrahedra.

use carom_geometry::shapes;
use carom_math::Vec3;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind, cells_along};
use crate::at::Span;
use crate::check::check_exactly_one;
use crate::fixed::Fixed;
use crate::number::Positive;
use crate::report::Problem;
use crate::whole::Count;

/// A box of tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BoxShape {
    /// Size along x, y and z, in m.
    pub size: Fixed<Positive, 3>,
    /// Length of a cell, about, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Positive>,
    /// Cells along x, y and z, instead of edge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Fixed<Count, 3>>,
    /// How a cell is cut.
    #[serde(default)]
    pub split: BoxSplit,
}

/// How a cell of a box is cut into tetrahedra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BoxSplit {
    /// Into a middle and four corners.
    #[default]
    Five,
    /// Into six equal ones around a diagonal.
    Six,
}

impl ShapeKind for BoxShape {
    fn check(&self, span: &Span, problems: &mut Vec<Problem>) {
        let keys = [("edge", self.edge.is_some()), ("cells", self.cells.is_some())];
        check_exactly_one(span, "a box", &keys, problems);
    }

    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let size = [self.size[0].get(), self.size[1].get(), self.size[2].get()];
        let cells = match (&self.cells, &self.edge) {
            (Some(cells), _) => [0, 1, 2].map(|axis| cells[axis].get() as usize),
            (None, edge) => {
                let edge = edge.as_ref().map_or(size[0], Positive::get);
                size.map(|length| cells_along(length, edge))
            }
        };
        let split = match self.split {
            BoxSplit::Five => shapes::Split::Five,
            BoxSplit::Six => shapes::Split::Six,
        };
        let mut places = vec![("size", self.size.span())];
        let given = self.cells.as_ref().map(Fixed::span).or(self.edge.as_ref().map(Positive::span));
        places.extend(given.map(|span| ("cells", span)));
        order.made(shapes::box_tets(Vec3::from(size), cells, split), &places)
    }
}
