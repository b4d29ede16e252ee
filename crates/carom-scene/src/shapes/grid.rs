//! A flat rectangle of triangles.

use carom_geometry::shapes;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind, cells_along};
use crate::at::Span;
use crate::check::check_exactly_one;
use crate::fixed::Fixed;
use crate::number::Positive;
use crate::report::Problem;
use crate::whole::Count;

/// A flat rectangle of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GridShape {
    /// Size along x and y, in m.
    pub size: Fixed<Positive, 2>,
    /// Length of an edge, about, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge: Option<Positive>,
    /// Squares along x and y, instead of edge; for the patterns right and alternating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<Fixed<Count, 2>>,
    /// Pattern of the triangles.
    #[serde(default)]
    pub pattern: GridPattern,
}

/// Pattern of the triangles of a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum GridPattern {
    /// Rows of near-equilateral triangles.
    #[default]
    Equilateral,
    /// Squares, all cut along the same diagonal.
    Right,
    /// Squares, cut along one diagonal and the other alternately.
    Alternating,
}

impl ShapeKind for GridShape {
    fn check(&self, span: &Span, problems: &mut Vec<Problem>) {
        let keys = [("edge", self.edge.is_some()), ("cells", self.cells.is_some())];
        check_exactly_one(span, "a grid", &keys, problems);
        if let (Some(cells), GridPattern::Equilateral) = (&self.cells, self.pattern) {
            let problem = Problem::new(&cells.span(), "an equilateral grid has no square cells");
            problems.push(problem.help("give `edge`, or the pattern \"right\" or \"alternating\""));
        }
    }

    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let [width, height] = [self.size[0].get(), self.size[1].get()];
        let edge = self.edge.as_ref().map_or(width, Positive::get);
        let cells = match &self.cells {
            Some(cells) => [cells[0].get() as usize, cells[1].get() as usize],
            None => [width, height].map(|length| cells_along(length, edge)),
        };
        let mesh = match self.pattern {
            GridPattern::Equilateral => shapes::grid(width, height, edge),
            GridPattern::Right => shapes::grid_right(width, height, cells),
            GridPattern::Alternating => shapes::grid_alternating(width, height, cells),
        };
        order.made(mesh, &self.places())
    }

    fn has_alternating_diagonals(&self) -> bool {
        self.pattern == GridPattern::Alternating
    }
}

impl GridShape {
    fn places(&self) -> Vec<(&'static str, Span)> {
        let mut places = vec![("width", self.size[0].span()), ("height", self.size[1].span())];
        places.extend(self.edge.as_ref().map(|edge| ("edge", edge.span())));
        let cells = self.cells.as_ref().map(Fixed::span).or(self.edge.as_ref().map(Positive::span));
        places.extend(cells.map(|span| ("cells", span)));
        places
    }
}
