//! A box of walls, open inside.

use carom_geometry::{Group, Mesh};
use carom_math::Vec3;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::fixed::Fixed;
use crate::number::Positive;
use crate::report::Problem;

/// A box of walls, open inside: an obstacle that holds grains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RoomShape {
    /// Size along x, y and z, in m.
    pub size: Fixed<Positive, 3>,
    /// Walls that are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Wall>,
}

/// A wall of a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Wall {
    /// The wall at the lowest x.
    XMin,
    /// The wall at the highest x.
    XMax,
    /// The wall at the lowest y.
    YMin,
    /// The wall at the highest y.
    YMax,
    /// The wall at the lowest z.
    ZMin,
    /// The wall at the highest z.
    ZMax,
}

impl ShapeKind for RoomShape {
    /// Two triangles for each wall, facing inward.
    fn make(&self, _order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        let half = core::array::from_fn::<f64, 3, _>(|k| 0.5 * self.size[k].get());
        let corner = |i: usize| {
            let side = |k: usize| if i >> k & 1 == 1 { half[k] } else { -half[k] };
            Vec3::new(side(0), side(1), side(2))
        };
        let walls = [
            (Wall::XMin, "x-min", [0, 2, 6, 4]),
            (Wall::XMax, "x-max", [1, 5, 7, 3]),
            (Wall::YMin, "y-min", [0, 4, 5, 1]),
            (Wall::YMax, "y-max", [2, 3, 7, 6]),
            (Wall::ZMin, "z-min", [0, 1, 3, 2]),
            (Wall::ZMax, "z-max", [4, 6, 7, 5]),
        ];
        let mut mesh = Mesh { positions: (0..8).map(corner).collect(), ..Mesh::default() };
        for (wall, name, [a, b, c, d]) in walls {
            if !self.open.contains(&wall) {
                mesh.triangles.extend([[a, b, c], [a, c, d]]);
                mesh.groups.push(Group::new(name, vec![a, b, c, d]));
            }
        }
        Ok(mesh.into())
    }
}
