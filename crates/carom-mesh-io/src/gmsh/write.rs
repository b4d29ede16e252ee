//! A mesh as a binary Gmsh 2.2 file, which keeps every bit of it.
//!
//! Vertices keep their order and are numbered from 1; then come edges, triangles and tetrahedra. A group is a physical group of points.

use carom_geometry::Mesh;

use super::Kind;

/// The file of a mesh, which [`crate::read`] reads as `.msh`.
///
/// Reading it gives the same mesh, bit by bit, if every group has a vertex, and a name of its own without quotes and line breaks.
///
/// ```
/// use carom_geometry::Mesh;
/// use carom_math::Vec3;
///
/// let mesh = Mesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], triangles: vec![[0, 1, 2]], ..Mesh::default() };
/// let file = carom_mesh_io::to_gmsh(&mesh);
/// assert_eq!(carom_mesh_io::read("corner.msh", &file, &|_| None).unwrap(), mesh);
/// ```
#[must_use]
pub fn to_gmsh(mesh: &Mesh) -> Vec<u8> {
    let mut file = b"$MeshFormat\n2.2 1 8\n".to_vec();
    put_int(&mut file, 1);
    file.extend_from_slice(b"\n$EndMeshFormat\n");
    if !mesh.groups.is_empty() {
        file.extend_from_slice(format!("$PhysicalNames\n{}\n", mesh.groups.len()).as_bytes());
        for (number, group) in (1..).zip(&mesh.groups) {
            file.extend_from_slice(format!("0 {number} \"{}\"\n", group.name).as_bytes());
        }
        file.extend_from_slice(b"$EndPhysicalNames\n");
    }
    file.extend_from_slice(format!("$Nodes\n{}\n", mesh.positions.len()).as_bytes());
    for (number, x) in (1..).zip(&mesh.positions) {
        put_int(&mut file, number);
        x.to_array().iter().for_each(|c| file.extend_from_slice(&c.to_ne_bytes()));
    }
    let in_groups: usize = mesh.groups.iter().map(|group| group.vertices.len()).sum();
    let count = in_groups + mesh.edges.len() + mesh.triangles.len() + mesh.tets.len();
    file.extend_from_slice(format!("\n$EndNodes\n$Elements\n{count}\n").as_bytes());
    let mut elements = Elements { file: &mut file, written: 0 };
    for (number, group) in (1..).zip(&mesh.groups) {
        elements.put(Kind::Point, number, group.vertices.iter().map(core::slice::from_ref));
    }
    elements.put(Kind::Line, 0, mesh.edges.iter().map(<[u32; 2]>::as_slice));
    elements.put(Kind::Triangle, 0, mesh.triangles.iter().map(<[u32; 3]>::as_slice));
    elements.put(Kind::Tet, 0, mesh.tets.iter().map(<[u32; 4]>::as_slice));
    file.extend_from_slice(b"\n$EndElements\n");
    file
}

struct Elements<'a> {
    file: &'a mut Vec<u8>,
    written: i32,
}

impl Elements<'_> {
    /// Writes a block of elements of one kind in a physical group; 0 is none.
    fn put<'m>(&mut self, kind: Kind, group: i32, stencils: impl ExactSizeIterator<Item = &'m [u32]>) {
        if stencils.len() == 0 {
            return;
        }
        let tags = 1;
        for number in [kind.number(), stencils.len() as i32, tags] {
            put_int(self.file, number);
        }
        for stencil in stencils {
            self.written += 1;
            put_int(self.file, self.written);
            put_int(self.file, group);
            for &v in stencil {
                put_int(self.file, v as i32 + 1);
            }
        }
    }
}

fn put_int(file: &mut Vec<u8>, number: i32) {
    file.extend_from_slice(&number.to_ne_bytes());
}

#[cfg(test)]
mod tests {
    use carom_geometry::Group;
    use carom_math::Vec3;
    use proptest::prelude::*;

    use super::*;

    fn stencils<const N: usize>(vertices: u32) -> impl Strategy<Value = Vec<[u32; N]>> {
        let corners = Just((0..vertices).collect::<Vec<u32>>()).prop_shuffle();
        prop::collection::vec(corners.prop_map(|v| core::array::from_fn(|i| v[i])), 0..6)
    }

    fn any_mesh() -> impl Strategy<Value = Mesh> {
        let number = prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO;
        let group = ("[a-z][a-z0-9 _-]{0,8}[a-z]", prop::collection::vec(0..8u32, 1..5));
        (
            prop::collection::vec(prop::array::uniform3(number), 8),
            (stencils::<2>(8), stencils::<3>(8), stencils::<4>(8)),
            prop::collection::btree_map(group.0, group.1, 0..3),
        )
            .prop_map(|(positions, (edges, triangles, tets), groups)| Mesh {
                positions: positions.into_iter().map(Vec3::from).collect(),
                triangles,
                tets,
                edges,
                groups: groups.into_iter().map(|(name, vertices)| Group::new(name, vertices)).collect(),
            })
    }

    proptest! {
        #[test]
        fn every_bit_of_a_mesh_comes_back(mesh in any_mesh()) {
            let back = crate::read("mesh.msh", &to_gmsh(&mesh), &|_| None).unwrap();
            let bits = |mesh: &Mesh| mesh.positions.iter().flat_map(|x| x.to_array()).map(f64::to_bits).collect::<Vec<_>>();
            prop_assert_eq!(bits(&back), bits(&mesh));
            prop_assert_eq!(back, mesh);
        }
    }
}
