//! Shapes: one file for each kind, with its keys, what can be wrong with them, and how it is made.
//!
//! A new shape is a file here and an entry in the list below, with `mod` above it. Scenes, their JSON Schema, errors, the template of
//! `carom new` and the reference of keys follow from that.
//!
//! **Never here:** where a body is placed; what it is made of.

mod ball;
mod cylinder;
mod disc;
mod drum;
mod grains;
mod grid;
mod icosphere;
mod mesh_file;
mod points;
mod ring;
mod rod;
mod room;
mod solid_box;
mod tube;

pub use ball::BallShape;
pub use cylinder::CylinderShape;
pub use disc::DiscShape;
pub use drum::DrumShape;
pub use grains::{Arrange, GrainsShape, LognormalRadii, NormalRadii, Radii, RadiusList, RadiusRange};
pub use grid::{GridPattern, GridShape};
pub use icosphere::IcosphereShape;
pub use mesh_file::MeshFile;
pub use points::PointsShape;
pub use ring::RingShape;
pub use rod::RodShape;
pub use room::{RoomShape, Wall};
pub use solid_box::{BoxShape, BoxSplit};
pub use tube::TubeShape;

use carom_geometry::Mesh;
use carom_geometry::shapes::ShapeError;
use carom_math::Vec3;
use serde::{Deserialize, Serialize};

use crate::at::{At, Span};
use crate::files::OpenFiles;
use crate::format::{Body, Contact};
use crate::report::Problem;

/// The choice among all shapes, and the way from each to its kind.
macro_rules! shapes {
    ($(#[$about:meta])+ pub enum Shape { $($(#[doc = $doc:literal])+ $name:literal on $page:literal: $Variant:ident($Keys:ty),)+ }) => {
        $(#[$about])+
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub enum Shape {
            $($(#[doc = $doc])+ #[serde(rename = $name)] $Variant($Keys),)+
        }

        /// All shapes.
        pub const SHAPES: &[ShapeDescriptor] =
            &[$(ShapeDescriptor { name: $name, about: concat!($($doc),+).trim_ascii(), page: $page },)+];

        impl Shape {
            /// Name of the shape in scenes.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$Variant(_) => $name,)+
                }
            }

            pub(crate) fn kind(&self) -> &dyn ShapeKind {
                match self {
                    $(Self::$Variant(keys) => keys,)+
                }
            }

            pub(crate) fn kind_mut(&mut self) -> &mut dyn ShapeKind {
                match self {
                    $(Self::$Variant(keys) => keys,)+
                }
            }
        }
    };
}

shapes! {
    /// The rest shape of a body, in the body's own coordinates. Shapes are centred at the origin; flat
    /// ones lie in the plane z = 0.
    pub enum Shape {
        /// A flat rectangle of triangles. Groups: left, right, bottom, top.
        "grid" on "scenes": Grid(GridShape),
        /// A flat disc of triangles. Groups: centre, rim.
        "disc" on "scenes": Disc(DiscShape),
        /// A sphere of triangles.
        "icosphere" on "scenes": Icosphere(IcosphereShape),
        /// A closed cylinder of triangles about the z axis. Groups: top, bottom.
        "cylinder" on "scenes": Cylinder(CylinderShape),
        /// An open tube of triangles about the z axis. Groups: top, bottom.
        "tube" on "scenes": Tube(TubeShape),
        /// A straight chain of edges. Groups: start, end.
        "rod" on "scenes": Rod(RodShape),
        /// A closed chain of edges about the z axis.
        "ring" on "scenes": Ring(RingShape),
        /// A box of tetrahedra. Groups: x-min, x-max, y-min, y-max, z-min, z-max.
        "box" on "scenes": Box(BoxShape),
        /// A ball of tetrahedra. Groups: centre, surface.
        "ball" on "scenes": Ball(BallShape),
        /// A flat disc with three sizes of triangles, areas 1 : 16 : 256. Groups: centre, rim.
        "drum" on "scenes": Drum(DrumShape),
        /// Single points.
        "points" on "scenes": Points(PointsShape),
        /// Spheres: in a box, at given places, or from a table.
        "grains" on "grains": Grains(Box<GrainsShape>),
        /// A box of walls, open inside. Groups: x-min, x-max, y-min, y-max, z-min, z-max.
        "room" on "grains": Room(RoomShape),
        /// A mesh from a file: OBJ, OFF, PLY, STL, Gmsh 2.2 or 4.1, glTF or GLB, legacy VTK, TetGen.
        "mesh" on "scenes": Mesh(MeshFile),
    }
}

/// A kind of shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeDescriptor {
    /// Its key in `shape` of a body.
    pub name: &'static str,
    /// What it is, in a sentence or two.
    pub about: &'static str,
    /// Its page in the book: `docs/guide/<page>.md`.
    pub page: &'static str,
}

/// What there is to know of a kind of shape, given its keys.
pub(crate) trait ShapeKind {
    /// Keys that contradict each other; the shape is written at `span`.
    fn check(&self, _span: &Span, _problems: &mut Vec<Problem>) {}

    /// The shape, in the body's own coordinates.
    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem>;

    /// Whether it is spheres, which have radii and no elements.
    fn is_grains(&self) -> bool {
        false
    }

    /// Whether its triangles are halves of squares that are cut along one diagonal and the other alternately.
    fn has_alternating_diagonals(&self) -> bool {
        false
    }

    /// The file that its mesh is read from.
    fn mesh_file(&self) -> Option<&At<String>> {
        None
    }

    /// The files that it names.
    fn files(&mut self) -> Vec<&mut At<String>> {
        Vec::new()
    }
}

/// A shape to be made: for which body, and what its making may ask for.
pub(crate) struct Order<'o, 'f> {
    /// The body.
    pub body: &'o At<Body>,
    /// Contact of the scene.
    pub contact: Option<&'o Contact>,
    /// The files of the scene.
    pub files: &'o mut OpenFiles<'f>,
}

impl Order<'_, '_> {
    /// A mesh, or what is wrong with an argument of it, at its place among `places`.
    fn made(&self, made: Result<Mesh, ShapeError>, places: &[(&str, Span)]) -> Result<MadeShape, Problem> {
        made.map(MadeShape::from).map_err(|error| {
            let place = places.iter().find(|(name, _)| error.parameter.starts_with(name));
            let span = place.map_or_else(|| self.body.shape.span(), |(_, span)| span.clone());
            let message = format!("{} is {:?}; it must be {}", error.parameter, error.value, error.bound);
            Problem::new(&span, message)
        })
    }
}

/// A shape, made.
pub(crate) struct MadeShape {
    /// Vertices, elements and groups.
    pub mesh: Mesh,
    /// Radius of each vertex, in m, if they are grains.
    pub radii: Option<Vec<f64>>,
    /// Velocity of each vertex, in m/s, if the shape gives any.
    pub velocities: Option<Vec<Vec3>>,
}

impl From<Mesh> for MadeShape {
    fn from(mesh: Mesh) -> Self {
        Self { mesh, radii: None, velocities: None }
    }
}

/// How many cells of about `edge` make `length`: at least one.
fn cells_along(length: f64, edge: f64) -> usize {
    ((length / edge).round() as usize).max(1)
}
