//! A box in tetrahedra: a lattice of cells, each cut in five or in six.
//!
//! Cells are mirrored alternately, so neighbours always agree on the diagonal of their common face and
//! a box with even numbers of cells is its own mirror image in all three axes.
//!
//! | cut | per cell | shapes |
//! | --- | --- | --- |
//! | [`Split::Five`] | one regular tetrahedron and four corners | 1 and 0.77 in a cube |
//! | [`Split::Six`] | six equal ones around a space diagonal | 0.66 in a cube |

use carom_math::Vec3;

use super::{Rules, ShapeError, push_positive};
use crate::{Group, Mesh};

/// How a cell is cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// Into a middle and four corners.
    #[default]
    Five,
    /// Around a space diagonal.
    Six,
}

/// Corners are numbered by bits: x is 1, y is 2, z is 4.
const FIVE: [[usize; 4]; 5] = [[1, 2, 4, 7], [0, 1, 2, 4], [3, 1, 2, 7], [5, 1, 4, 7], [6, 2, 4, 7]];
const SIX: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

impl Split {
    const fn tets(self) -> &'static [[usize; 4]] {
        match self {
            Self::Five => &FIVE,
            Self::Six => &SIX,
        }
    }
}

/// A box of the given size, in m, in `cells` cells along x, y and z.
pub fn box_tets(size: Vec3, cells: [usize; 3], split: Split) -> Result<Mesh, ShapeError> {
    let rules = Rules("box_tets");
    for (parameter, length) in ["size.x", "size.y", "size.z"].into_iter().zip(size.to_array()) {
        rules.length(parameter, length)?;
    }
    for (parameter, count) in ["cells[0]", "cells[1]", "cells[2]"].into_iter().zip(cells) {
        rules.count(parameter, count, 1)?;
    }
    let per_cell = split.tets().len() as f64;
    let elements = cells.iter().fold(per_cell, |product, n| product * *n as f64);
    rules.elements("cells[0]", cells[0] as f64, elements)?;

    let [nx, ny, nz] = cells.map(|n| n as u32);
    let vertex = |[i, j, k]: [u32; 3]| (k * (ny + 1) + j) * (nx + 1) + i;
    let mut mesh = Mesh::default();
    for k in 0..=nz {
        for j in 0..=ny {
            for i in 0..=nx {
                let share = |i: u32, n: u32| f64::from(i) / f64::from(n) - 0.5;
                mesh.positions.push(size.scaled_by(Vec3::new(share(i, nx), share(j, ny), share(k, nz))));
            }
        }
    }
    for k in 0..nz {
        for j in 0..ny {
            for i in 0..nx {
                for tet in split.tets() {
                    let corner = |bits: usize| {
                        let [x, y, z] = mirrored(bits as u32, [i, j, k]);
                        vertex([i + x, j + y, k + z])
                    };
                    push_positive(&mut mesh, tet.map(corner));
                }
            }
        }
    }
    mesh.groups = sides(&mesh, size);
    Ok(mesh)
}

/// The offsets of a corner in its cell: odd cells are mirrored.
fn mirrored(bits: u32, cell: [u32; 3]) -> [u32; 3] {
    [0, 1, 2].map(|axis| (bits >> axis ^ cell[axis]) & 1)
}

/// The vertices on each side; their coordinates are exact there.
fn sides(mesh: &Mesh, size: Vec3) -> Vec<Group> {
    let mut groups = Vec::new();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        for (end, at) in [("min", -0.5 * size[axis]), ("max", 0.5 * size[axis])] {
            let on = (0..).zip(&mesh.positions).filter(|(_, p)| p[axis] == at).map(|(v, _)| v);
            groups.push(Group::new(format!("{name}-{end}"), on));
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::worst_tet_shape;
    use crate::shapes::ruler;
    use crate::topology::sorted;

    const SIZE: Vec3 = Vec3::new(1.0, 2.0, 0.5);

    #[test]
    fn a_box_is_sound_and_fills_its_volume() {
        for split in [Split::Five, Split::Six] {
            for cells in [[1, 1, 1], [2, 3, 1], [4, 2, 3]] {
                let mesh = box_tets(SIZE, cells, split).unwrap();
                let skin = ruler::solid(&mesh);
                assert!((mesh.volume() - 1.0).abs() < 1e-14);
                assert!((skin.area() - 7.0).abs() < 1e-13);
                let [nx, ny, nz] = cells;
                assert_eq!(mesh.tets.len(), nx * ny * nz * split.tets().len());
                assert_eq!(skin.triangles.len(), 4 * (nx * ny + ny * nz + nz * nx));
                assert_eq!(mesh.group("y-max").unwrap().vertices.len(), (nx + 1) * (nz + 1));
            }
        }
    }

    #[test]
    fn the_shapes_are_those_of_the_table() {
        let cube = Vec3::splat(1.0);
        let worst = |split| worst_tet_shape(&box_tets(cube, [3; 3], split).unwrap());
        assert!((worst(Split::Five) - 0.77).abs() < 0.005, "{}", worst(Split::Five));
        assert!((worst(Split::Six) - 0.66).abs() < 0.005, "{}", worst(Split::Six));
    }

    #[test]
    fn a_box_with_even_numbers_of_cells_is_its_own_mirror_image() {
        for split in [Split::Five, Split::Six] {
            let mesh = box_tets(SIZE, [2, 4, 2], split).unwrap();
            let find = |p: Vec3| mesh.positions.iter().position(|q| (*q - p).length() < 1e-12).unwrap();
            for mirror in [Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 1.0), Vec3::new(1.0, 1.0, -1.0)] {
                let image: Vec<u32> =
                    mesh.positions.iter().map(|p| find(p.scaled_by(mirror)) as u32).collect();
                let set = |tets: &mut dyn Iterator<Item = [u32; 4]>| {
                    let mut all: Vec<_> = tets.map(sorted).collect();
                    all.sort_unstable();
                    all
                };
                let ours = set(&mut mesh.tets.iter().copied());
                let mirrored = set(&mut mesh.tets.iter().map(|t| t.map(|v| image[v as usize])));
                assert_eq!(ours, mirrored);
            }
        }
    }

    #[test]
    fn bad_arguments_are_named() {
        let refused = |size, cells| box_tets(size, cells, Split::Six).unwrap_err().parameter;
        assert_eq!(refused(Vec3::new(1.0, -1.0, 1.0), [1; 3]), "size.y");
        assert_eq!(refused(SIZE, [1, 1, 0]), "cells[2]");
        assert_eq!(refused(SIZE, [10_000; 3]), "cells[0]");
    }
}
