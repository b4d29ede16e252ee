//! A mesh as plain data.
//!
//! One [`Mesh`] may hold triangles, tetrahedra and free-standing edges over the same vertices.
//! What they represent (a shell or the skin of a solid, a rod or a seam) is decided by the scene.
//! Lengths are in m by convention; nothing here depends on it.
//!
//! **Never here:** repairs. [`crate::soundness`] reports what is wrong with a mesh.

use carom_math::{Mat3, Sum, Vec3};

/// Vertices and the elements that join them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Positions of the vertices, in m.
    pub positions: Vec<Vec3>,
    /// Triangles; viewed from the side the normal points to, their vertices run counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
    /// Tetrahedra; a sound one `[a, b, c, d]` has `(b − a) × (c − a) · (d − a) > 0`.
    pub tets: Vec<[u32; 4]>,
    /// Free-standing edges (rods), not the edges of the triangles.
    pub edges: Vec<[u32; 2]>,
    /// Named sets of vertices, to pin, load or colour.
    pub groups: Vec<Group>,
}

/// A named set of vertices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Name of the group, as the file or the shape gave it.
    pub name: String,
    /// Vertices of the group, each once, in rising order.
    pub vertices: Vec<u32>,
}

impl Group {
    /// The group `name` of these vertices, in whatever order and however often they are named.
    pub fn new(name: impl Into<String>, vertices: impl IntoIterator<Item = u32>) -> Self {
        let mut vertices: Vec<u32> = vertices.into_iter().collect();
        vertices.sort_unstable();
        vertices.dedup();
        Self { name: name.into(), vertices }
    }
}

impl Mesh {
    /// The group called `name`.
    #[must_use]
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|g| g.name == name)
    }

    /// The lowest and the highest corner of the box around all vertices, or `None` without vertices.
    #[must_use]
    pub fn bounding_box(&self) -> Option<[Vec3; 2]> {
        let (&first, rest) = self.positions.split_first()?;
        Some(rest.iter().fold([first; 2], |[low, high], p| {
            [
                Vec3::new(low.x.min(p.x), low.y.min(p.y), low.z.min(p.z)),
                Vec3::new(high.x.max(p.x), high.y.max(p.y), high.z.max(p.z)),
            ]
        }))
    }

    /// The mesh rotated by `rotation` about the origin and then moved by `translation`.
    #[must_use]
    pub fn transformed(&self, rotation: &Mat3, translation: Vec3) -> Self {
        self.mapped(|p| rotation.apply(p) + translation)
    }

    /// The mesh moved by `translation`.
    #[must_use]
    pub fn translated(&self, translation: Vec3) -> Self {
        self.mapped(|p| p + translation)
    }

    /// The mesh scaled by `factor` about the origin.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        self.mapped(|p| p * factor)
    }

    /// The mesh with every position replaced by its image; the elements stay.
    #[must_use]
    pub fn mapped(&self, image: impl Fn(Vec3) -> Vec3) -> Self {
        let mut mesh = self.clone();
        for p in &mut mesh.positions {
            *p = image(*p);
        }
        mesh
    }

    /// Adds the vertices, elements and groups of `other`, renumbered to follow ours.
    pub fn append(&mut self, other: &Self) {
        let base = self.positions.len() as u32;
        self.positions.extend_from_slice(&other.positions);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + base)));
        self.tets.extend(other.tets.iter().map(|t| t.map(|v| v + base)));
        self.edges.extend(other.edges.iter().map(|e| e.map(|v| v + base)));
        self.groups.extend(other.groups.iter().map(|g| Group {
            name: g.name.clone(),
            vertices: g.vertices.iter().map(|v| v + base).collect(),
        }));
    }

    /// The positions of the vertices of an element.
    #[must_use]
    pub fn corners<const N: usize>(&self, element: &[u32; N]) -> [Vec3; N] {
        element.map(|v| self.positions[v as usize])
    }

    /// The area of all triangles together, in m².
    #[must_use]
    pub fn area(&self) -> f64 {
        self.triangles.iter().map(|t| area_normal(self.corners(t)).length()).collect::<Sum>().value()
    }

    /// The signed volume of all tetrahedra together, in m³.
    #[must_use]
    pub fn volume(&self) -> f64 {
        self.tets.iter().map(|t| signed_volume(self.corners(t))).collect::<Sum>().value()
    }

    /// The volume inside the triangles, in m³: positive if they are closed and face outward.
    #[must_use]
    pub fn enclosed_volume(&self) -> f64 {
        let from = self.positions.first().copied().unwrap_or(Vec3::ZERO);
        self.triangles
            .iter()
            .map(|t| self.corners(t))
            .map(|[a, b, c]| signed_volume([from, a, b, c]))
            .collect::<Sum>()
            .value()
    }

    /// The length of all free-standing edges together, in m.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.edges.iter().map(|e| self.corners(e)).map(|[a, b]| (b - a).length()).collect::<Sum>().value()
    }
}

/// The normal of a triangle, as long as the triangle's area.
#[must_use]
pub fn area_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a) * 0.5
}

/// The volume of a tetrahedron, positive if `d` lies on the side the normal of `a b c` points to.
#[must_use]
pub fn signed_volume([a, b, c, d]: [Vec3; 4]) -> f64 {
    (b - a).cross(c - a).dot(d - a) * (1.0 / 6.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> Mesh {
        Mesh {
            positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z],
            triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
            tets: vec![[0, 1, 2, 3]],
            edges: vec![[0, 1], [1, 2]],
            groups: vec![Group::new("top", [3])],
        }
    }

    #[test]
    fn a_corner_of_the_unit_cube_has_a_sixth_of_its_volume_inside_and_out() {
        let mesh = corner();
        assert_eq!(mesh.volume(), 1.0 / 6.0);
        assert!((mesh.enclosed_volume() - 1.0 / 6.0).abs() < 1e-16);
        assert!((mesh.area() - (1.5 + 0.75_f64.sqrt())).abs() < 1e-15);
        assert!((mesh.length() - (1.0 + 2.0_f64.sqrt())).abs() < 1e-15);
    }

    #[test]
    fn turning_and_moving_keeps_volume_and_area() {
        let moved =
            corner().transformed(&Mat3::rotation(Vec3::new(1.0, 2.0, -0.5), 0.7), Vec3::new(3.0, -1.0, 2.0));
        assert!((moved.volume() - 1.0 / 6.0).abs() < 1e-15);
        assert!((moved.enclosed_volume() - 1.0 / 6.0).abs() < 1e-15);
        assert!((moved.area() - corner().area()).abs() < 1e-15);
    }

    #[test]
    fn scaling_scales_and_translating_translates_the_box() {
        let mesh = corner().scaled(2.0).translated(Vec3::new(0.0, 0.0, -1.0));
        assert_eq!(mesh.bounding_box(), Some([Vec3::new(0.0, 0.0, -1.0), Vec3::new(2.0, 2.0, 1.0)]));
        assert_eq!(Mesh::default().bounding_box(), None);
    }

    #[test]
    fn an_appended_mesh_keeps_its_elements_and_groups_over_its_own_vertices() {
        let mut pair = corner();
        pair.append(&corner().translated(Vec3::X));
        assert_eq!(pair.positions.len(), 8);
        assert_eq!(pair.tets[1], [4, 5, 6, 7]);
        assert_eq!(pair.triangles[4], [4, 6, 5]);
        assert_eq!(pair.edges[3], [5, 6]);
        assert_eq!(pair.groups[1].vertices, [7]);
        assert!((pair.volume() - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn a_group_names_each_vertex_once_in_rising_order() {
        assert_eq!(Group::new("g", [3, 1, 3, 2]).vertices, [1, 2, 3]);
    }
}
