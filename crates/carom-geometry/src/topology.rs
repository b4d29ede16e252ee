//! Which element touches which.
//!
//! Everything is found by sorting the edges of all triangles (or the faces of all tetrahedra), so
//! every list has one order that the mesh alone decides: edges rise by (smaller vertex, larger
//! vertex).
//!
//! **Never here:** positions. Topology is about numbers of vertices only.

/// The edges of a triangle mesh and who shares them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// Every edge once, smaller vertex first, in rising order.
    pub edges: Vec<[u32; 2]>,
    /// The edges with two triangles, in rising order.
    pub interior: Vec<InteriorEdge>,
    /// The edges with one triangle, in rising order.
    pub boundary: Vec<BoundaryEdge>,
    /// For each triangle, its neighbour across the edge opposite to corner 0, 1 and 2.
    pub neighbours: Vec<[Option<Neighbour>; 3]>,
    /// The vertices of the boundary edges, in rising order.
    pub boundary_vertices: Vec<u32>,
}

/// An edge shared by two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InteriorEdge {
    /// Ends of the edge, smaller first.
    pub vertices: [u32; 2],
    /// Triangles of the edge: first the one that runs from the smaller end to the larger. If both run the same way (see [`InteriorEdge::oriented`]),
    /// the one with the smaller number.
    pub triangles: [u32; 2],
    /// The vertex of each of these triangles that is not on the edge.
    pub opposite: [u32; 2],
    /// Whether the two triangles run along the edge in opposite directions, as on a surface with
    /// two sides they must.
    pub oriented: bool,
}

/// An edge with one triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundaryEdge {
    /// Ends of the edge, smaller first.
    pub vertices: [u32; 2],
    /// The triangle of the edge.
    pub triangle: u32,
    /// The vertex of the triangle that is not on the edge.
    pub opposite: u32,
}

/// The neighbour of a triangle across one of its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The triangle across.
    pub triangle: u32,
    /// The vertex of the neighbour that is not on the shared edge.
    pub opposite: u32,
}

/// Why a set of triangles is no surface.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TopologyError {
    /// An edge with three triangles or more.
    #[error(
        "the edge between vertices {} and {} belongs to {} triangles (the first three are {:?}); a surface has at most 2",
        vertices[0], vertices[1], count, triangles
    )]
    NonManifoldEdge {
        /// The ends of the edge.
        vertices: [u32; 2],
        /// Number of triangles at the edge.
        count: usize,
        /// The first three of them.
        triangles: [u32; 3],
    },
    /// A triangle that names a vertex twice.
    #[error("triangle {triangle} names a vertex twice: {vertices:?}")]
    RepeatedVertex {
        /// The triangle.
        triangle: u32,
        /// Vertices of the triangle.
        vertices: [u32; 3],
    },
}

/// One triangle's use of one edge. The order of the fields is the order of the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EdgeUse {
    pub ends: [u32; 2],
    pub triangle: u32,
    corner: u8,
    rising: bool,
}

/// All uses of edges, in rising order of the edge, then of the triangle.
pub(crate) fn edge_uses(triangles: &[[u32; 3]]) -> Vec<EdgeUse> {
    let mut uses = Vec::with_capacity(3 * triangles.len());
    for (number, t) in (0_u32..).zip(triangles) {
        for corner in 0..3_u8 {
            let (from, to) = (t[(usize::from(corner) + 1) % 3], t[(usize::from(corner) + 2) % 3]);
            let rising = from < to;
            let ends = if rising { [from, to] } else { [to, from] };
            uses.push(EdgeUse { ends, triangle: number, corner, rising });
        }
    }
    uses.sort_unstable();
    uses
}

impl EdgeUse {
    /// Whether two uses of one edge belong to triangles that face the same side.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        self.rising != other.rising
    }
}

impl Topology {
    /// The topology of a surface.
    pub fn new(triangles: &[[u32; 3]]) -> Result<Self, TopologyError> {
        for (triangle, &vertices) in (0_u32..).zip(triangles) {
            let [a, b, c] = vertices;
            if a == b || b == c || c == a {
                return Err(TopologyError::RepeatedVertex { triangle, vertices });
            }
        }
        let mut topology = Self { neighbours: vec![[None; 3]; triangles.len()], ..Self::default() };
        for uses in edge_uses(triangles).chunk_by(|a, b| a.ends == b.ends) {
            topology.edges.push(uses[0].ends);
            match uses {
                [only] => topology.add_boundary(triangles, only),
                [first, second] => topology.add_interior(triangles, first, second),
                [a, b, c, ..] => {
                    return Err(TopologyError::NonManifoldEdge {
                        vertices: a.ends,
                        count: uses.len(),
                        triangles: [a.triangle, b.triangle, c.triangle],
                    });
                }
                [] => unreachable!("a chunk has an element"),
            }
        }
        topology.boundary_vertices = topology.boundary.iter().flat_map(|e| e.vertices).collect();
        topology.boundary_vertices.sort_unstable();
        topology.boundary_vertices.dedup();
        Ok(topology)
    }

    fn add_boundary(&mut self, triangles: &[[u32; 3]], only: &EdgeUse) {
        self.boundary.push(BoundaryEdge {
            vertices: only.ends,
            triangle: only.triangle,
            opposite: opposite(triangles, only),
        });
    }

    fn add_interior(&mut self, triangles: &[[u32; 3]], first: &EdgeUse, second: &EdgeUse) {
        let oriented = first.agrees_with(second);
        let (one, two) = if oriented && second.rising { (second, first) } else { (first, second) };
        self.interior.push(InteriorEdge {
            vertices: one.ends,
            triangles: [one.triangle, two.triangle],
            opposite: [opposite(triangles, one), opposite(triangles, two)],
            oriented,
        });
        for (here, there) in [(one, two), (two, one)] {
            self.neighbours[here.triangle as usize][usize::from(here.corner)] =
                Some(Neighbour { triangle: there.triangle, opposite: opposite(triangles, there) });
        }
    }

    /// Whether all neighbours face the same side.
    #[must_use]
    pub fn is_oriented(&self) -> bool {
        self.interior.iter().all(|e| e.oriented)
    }

    /// Whether the surface has no boundary.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.boundary.is_empty()
    }

    /// Vertices − edges + triangles: 2 for a sphere, 1 for a disc, 0 for a tube or a torus.
    ///
    /// Only vertices that some triangle names are counted.
    #[must_use]
    pub fn euler_characteristic(&self) -> isize {
        let mut vertices: Vec<u32> = self.edges.iter().flatten().copied().collect();
        vertices.sort_unstable();
        vertices.dedup();
        let corners_and_faces = (vertices.len() + self.neighbours.len()).cast_signed();
        corners_and_faces - self.edges.len().cast_signed()
    }
}

fn opposite(triangles: &[[u32; 3]], used: &EdgeUse) -> u32 {
    triangles[used.triangle as usize][usize::from(used.corner)]
}

/// The faces of a tetrahedron with positive volume, outward; face `i` is opposite to vertex `i`.
#[must_use]
pub const fn tet_faces([a, b, c, d]: [u32; 4]) -> [[u32; 3]; 4] {
    [[b, c, d], [a, d, c], [a, b, d], [a, c, b]]
}

/// The skin of a solid: the faces that belong to one tetrahedron only, facing outward.
///
/// Each triangle starts with its smallest vertex; they rise by their sorted vertices. Outward is
/// meant for tetrahedra of positive volume; a negative one shows its faces inward.
#[must_use]
pub fn boundary_of_tets(tets: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let mut faces: Vec<([u32; 3], [u32; 3])> =
        tets.iter().flat_map(|t| tet_faces(*t)).map(|face| (sorted(face), face)).collect();
    faces.sort_unstable();
    faces
        .chunk_by(|a, b| a.0 == b.0)
        .filter_map(|same| match same {
            [(_, face)] => Some(smallest_first(*face)),
            _ => None,
        })
        .collect()
}

/// The element with its vertices in rising order: equal for elements over the same vertices.
pub(crate) fn sorted<const N: usize>(mut element: [u32; N]) -> [u32; N] {
    element.sort_unstable();
    element
}

fn smallest_first([a, b, c]: [u32; 3]) -> [u32; 3] {
    if a <= b && a <= c {
        [a, b, c]
    } else if b <= c {
        [b, c, a]
    } else {
        [c, a, b]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two triangles on the edge 1–2, oriented alike.
    const PAIR: [[u32; 3]; 2] = [[0, 1, 2], [3, 2, 1]];

    #[test]
    fn a_pair_of_triangles_shares_one_edge_and_has_four_of_its_own() {
        let topology = Topology::new(&PAIR).unwrap();
        let hinge = InteriorEdge { vertices: [1, 2], triangles: [0, 1], opposite: [0, 3], oriented: true };
        assert_eq!(topology.interior, [hinge]);
        assert_eq!(topology.edges, [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]);
        assert_eq!(topology.boundary.len(), 4);
        assert_eq!(topology.boundary[0], BoundaryEdge { vertices: [0, 1], triangle: 0, opposite: 2 });
        assert_eq!(topology.boundary_vertices, [0, 1, 2, 3]);
        assert!(topology.is_oriented() && !topology.is_closed());
        assert_eq!(topology.euler_characteristic(), 1);
    }

    #[test]
    fn a_neighbour_lies_across_the_edge_opposite_to_its_corner() {
        let topology = Topology::new(&PAIR).unwrap();
        assert_eq!(topology.neighbours[0], [Some(Neighbour { triangle: 1, opposite: 3 }), None, None]);
        assert_eq!(topology.neighbours[1], [Some(Neighbour { triangle: 0, opposite: 0 }), None, None]);
    }

    #[test]
    fn the_triangle_that_runs_up_the_edge_comes_first_whatever_its_number() {
        let topology = Topology::new(&[PAIR[1], PAIR[0]]).unwrap();
        assert_eq!(topology.interior[0].triangles, [1, 0]);
        assert_eq!(topology.interior[0].opposite, [0, 3]);
    }

    #[test]
    fn neighbours_that_face_opposite_sides_are_noticed() {
        let topology = Topology::new(&[[0, 1, 2], [3, 1, 2]]).unwrap();
        assert!(!topology.is_oriented());
        assert_eq!(topology.interior[0].triangles, [0, 1]);
    }

    #[test]
    fn three_triangles_on_one_edge_are_no_surface() {
        let error = Topology::new(&[[0, 1, 2], [3, 2, 1], [4, 1, 2]]).unwrap_err();
        assert_eq!(
            error,
            TopologyError::NonManifoldEdge { vertices: [1, 2], count: 3, triangles: [0, 1, 2] }
        );
    }

    #[test]
    fn a_triangle_over_two_vertices_is_refused() {
        assert!(matches!(
            Topology::new(&[[0, 1, 1]]),
            Err(TopologyError::RepeatedVertex { triangle: 0, .. })
        ));
    }

    #[test]
    fn the_skin_of_two_tets_is_closed_oriented_and_lacks_the_shared_face() {
        // The second tet mirrors the first in the face 1 2 3.
        let skin = boundary_of_tets(&[[0, 1, 2, 3], [4, 1, 3, 2]]);
        assert_eq!(skin, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 4], [1, 4, 3], [2, 3, 4]]);
        let topology = Topology::new(&skin).unwrap();
        assert!(topology.is_closed() && topology.is_oriented());
        assert_eq!(topology.euler_characteristic(), 2);
    }
}
