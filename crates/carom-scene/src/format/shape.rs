//! Shapes: meshes the program makes, and meshes it reads.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{GrainsShape, RoomShape};
use crate::at::At;
use crate::fixed::Fixed;
use crate::number::{Positive, Vector};
use crate::whole::Count;

/// The rest shape of a body, in the body's own coordinates. Shapes are centred at the origin; flat
/// ones lie in the plane z = 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A flat rectangle of triangles. Groups: left, right, bottom, top.
    Grid(GridShape),
    /// A flat disc of triangles. Groups: centre, rim.
    Disc(DiscShape),
    /// A sphere of triangles.
    Icosphere(IcosphereShape),
    /// A closed cylinder of triangles about the z axis. Groups: top, bottom.
    Cylinder(TubeShape),
    /// An open tube of triangles about the z axis. Groups: top, bottom.
    Tube(TubeShape),
    /// A straight chain of edges. Groups: start, end.
    Rod(RodShape),
    /// A closed chain of edges about the z axis.
    Ring(RingShape),
    /// A box of tetrahedra. Groups: x-min, x-max, y-min, y-max, z-min, z-max.
    Box(BoxShape),
    /// A ball of tetrahedra. Groups: centre, surface.
    Ball(BallShape),
    /// A flat disc with three sizes of triangles, areas 1 : 16 : 256. Groups: centre, rim.
    Drum(DrumShape),
    /// Single points.
    Points(PointsShape),
    /// Spheres: in a box, at given places, or from a table.
    Grains(Box<GrainsShape>),
    /// A box of walls, open inside. Groups: x-min, x-max, y-min, y-max, z-min, z-max.
    Room(RoomShape),
    /// A mesh from a file: OBJ, OFF, PLY, STL, Gmsh 2.2 or 4.1, glTF or GLB.
    Mesh(MeshFile),
}

/// A flat rectangle of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

/// A flat disc of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiscShape {
    /// Radius, in m.
    pub radius: Positive,
    /// Length of an edge, about, in m.
    pub edge: Positive,
}

/// A sphere of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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

/// A tube, open or closed, of triangles about the z axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TubeShape {
    /// Radius, in m.
    pub radius: Positive,
    /// Height along z, in m.
    pub height: Positive,
    /// Length of an edge, about, in m.
    pub edge: Positive,
}

/// A straight chain of edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RodShape {
    /// First end of the rod, in m.
    pub from: Vector,
    /// Second end of the rod, in m.
    pub to: Vector,
    /// Number of edges of the rod.
    pub segments: Count,
}

/// A closed chain of edges about the z axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RingShape {
    /// Radius, in m.
    pub radius: Positive,
    /// Number of edges of the ring: 3 or more.
    pub segments: Count,
}

/// A box of tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BoxSplit {
    /// Into a middle and four corners.
    #[default]
    Five,
    /// Into six equal ones around a diagonal.
    Six,
}

/// A ball of tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BallShape {
    /// Radius, in m.
    pub radius: Positive,
    /// Length of an edge, about, in m.
    pub edge: Positive,
}

/// A flat disc with three sizes of triangles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrumShape {
    /// Radius, in m.
    pub radius: Positive,
}

/// Single points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PointsShape {
    /// Positions of the points, in m.
    pub positions: At<Vec<Vector>>,
}

/// A mesh from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshFile {
    /// The file, beside the scene unless it is an absolute path or begins with an environment variable that names a folder, `$NAME/…`.
    pub file: At<String>,
    /// Length of a unit of the file, in m.
    #[serde(default = "one")]
    pub scale: Positive,
}

fn one() -> Positive {
    Positive::nowhere(1.0)
}
