//! Grains: spheres, where they are and how large.

mod packing;
mod place;
mod sizes;

pub use sizes::{LognormalRadii, NormalRadii, Radii, RadiusList, RadiusRange};

use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::at::{At, Span};
use crate::check::check_exactly_one;
use crate::fixed::Fixed;
use crate::format::TableFile;
use crate::number::{NonNegative, Positive, Ratio, Vector};
use crate::report::Problem;
use crate::whole::{Count, Index};

/// Spheres: some number of them in a box, or at given places, or from a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GrainsShape {
    /// Number of grains in the box of the given size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<Count>,
    /// Size along x, y and z of the box that they are put in, in m. They lie inside it, or reach through its faces where the
    /// scene is periodic with just that length.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<Fixed<Positive, 3>>,
    /// Arrangement of the grains in the box.
    #[serde(default, skip_serializing_if = "is_default")]
    pub arrange: At<Arrange>,
    /// How far grains of a lattice are moved at random, as a part of what there is room for.
    #[serde(default = "none", skip_serializing_if = "is_none")]
    pub jitter: Ratio,
    /// Positions of the grains, in m, instead of a box.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positions: Option<At<Vec<Vector>>>,
    /// A table with a line for each, instead of a box: x y z radius, or x y z radius vx vy vz, in m and m/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableFile>,
    /// Radius of each, in m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Positive>,
    /// Radii that differ, instead of one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radii: Option<At<Radii>>,
    /// Least distance between the surfaces of grains in the box, in m; if not given, a little more than the thickness of contact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<NonNegative>,
    /// Seed of the random numbers: another number gives other places and radii.
    #[serde(default = "zero")]
    pub seed: Index,
}

/// Arrangement of grains in a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Arrange {
    /// On a simple cubic lattice.
    Cubic,
    /// On a face-centred cubic lattice: the densest.
    #[default]
    Fcc,
    /// One after the other at random places where there is room: up to about a third of the volume.
    Random,
}

fn is_default(arrange: &At<Arrange>) -> bool {
    **arrange == Arrange::default()
}

fn is_none(jitter: &Ratio) -> bool {
    jitter.get() == 0.0
}

fn none() -> Ratio {
    Ratio::nowhere(0.0)
}

fn zero() -> Index {
    Index::nowhere(0)
}

/// In a box: a shape is not larger for it.
impl ShapeKind for Box<GrainsShape> {
    fn check(&self, span: &Span, problems: &mut Vec<Problem>) {
        let places = [
            ("count", self.count.is_some()),
            ("positions", self.positions.is_some()),
            ("table", self.table.is_some()),
        ];
        check_exactly_one(span, "a shape of grains", &places, problems);
        if self.table.is_none() {
            let sizes = [("radius", self.radius.is_some()), ("radii", self.radii.is_some())];
            check_exactly_one(span, "a shape of grains", &sizes, problems);
        } else if self.radius.is_some() || self.radii.is_some() {
            problems
                .push(Problem::new(span, "the table has the radii").help("leave out `radius` and `radii`"));
        }
        if self.count.is_some() != self.size.is_some() {
            let problem = Problem::new(span, "`count` grains need a box of some `size`, and a box a `count`");
            problems.push(problem.help("give both, or neither"));
        }
        if let Some(positions) = self.positions.as_ref().filter(|list| list.is_empty()) {
            problems.push(Problem::new(&positions.span(), "there are no grains").help("add positions"));
        }
        let idle = [
            ("arrange", Some(self.arrange.span())),
            ("jitter", Some(self.jitter.span())),
            ("gap", self.gap.as_ref().map(NonNegative::span)),
        ];
        let given =
            idle.into_iter().filter_map(|(key, place)| Some((key, place.filter(|place| *place != (0..0))?)));
        for (key, place) in
            given.filter(|_| self.count.is_none() && (self.positions.is_some() || self.table.is_some()))
        {
            let message =
                format!("`{key}` is for grains that are put into a box, and these have their places");
            problems
                .push(Problem::new(&place, message).help("leave it out, or give `count` and `size` instead"));
        }
        if let Some(radii) = &self.radii {
            sizes::check(radii, problems);
        }
    }

    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        place::make(self, order)
    }

    fn is_grains(&self) -> bool {
        true
    }

    fn files(&mut self) -> Vec<&mut At<String>> {
        self.table.iter_mut().map(|table| &mut table.file).collect()
    }
}
