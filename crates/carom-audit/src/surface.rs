//! What must not pass through what.

use std::collections::BTreeSet;

use carom_math::Vec3;

use crate::Kind;

/// The surface of a scene: which vertices make faces, edges and free points, and how thick their hard core is.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Triangles, by their corners.
    pub faces: Vec<[u32; 3]>,
    /// Edges of triangles and rods, each once, by their ends.
    pub edges: Vec<[u32; 2]>,
    /// Vertices that belong to neither: grains.
    pub free_points: Vec<u32>,
    /// Hard radius of each vertex, in m; a primitive has that of its thickest vertex.
    pub hard_radii_m: Vec<f64>,
    /// Lengths of a periodic box, in m, 0 along an axis that is not periodic: free points meet each other's images there.
    pub period_m: Vec3,
    /// For each vertex the group it moves with, if its motion is prescribed and it keeps its place relative to all of that group; empty where
    /// there is none. Primitives of one group are no pair: obstacles that overlap, at rest or moving together, pass through nothing.
    pub moves_with: Vec<Option<u32>>,
    /// Pairs that are none: neighbours along a rod that is thicker than its edges are long.
    pub left_out: BTreeSet<Pair>,
}

/// Two primitives, by their vertices; of two points, which image of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    kind: Kind,
    /// First those of the first primitive; what is not needed is the greatest number there is.
    vertices: [u32; 4],
    /// By how many periods along each axis the second is moved.
    image: [i64; 3],
}

impl Pair {
    /// The pair of two primitives, in whichever order.
    ///
    /// # Panics
    /// If there is no such kind of pair: it is vertex–face, edge–edge, vertex–edge or vertex–vertex.
    #[must_use]
    pub fn new(one: &[u32], other: &[u32]) -> Self {
        // Room for the longest, on the stack: a search makes hundreds of thousands.
        let sorted = |primitive: &[u32]| {
            let mut vertices = [u32::MAX; 3];
            vertices[..primitive.len()].copy_from_slice(primitive);
            vertices.sort_unstable();
            (primitive.len(), vertices)
        };
        let (one, other) = (sorted(one), sorted(other));
        let ((m, first), (n, second)) = if one <= other { (one, other) } else { (other, one) };
        let kind = match [m, n] {
            [1, 1] => Kind::VertexVertex,
            [1, 2] => Kind::VertexEdge,
            [1, 3] => Kind::VertexFace,
            [2, 2] => Kind::EdgeEdge,
            sizes => panic!("primitives of {sizes:?} vertices make no pair"),
        };
        let mut vertices = [u32::MAX; 4];
        vertices[..m].copy_from_slice(&first[..m]);
        vertices[m..m + n].copy_from_slice(&second[..n]);
        Self { kind, vertices, image: [0; 3] }
    }

    /// A point and the image of another, so many periods away from it.
    pub(crate) fn of_image(one: u32, other: u32, image: [i64; 3]) -> Self {
        // Relative to the other point, the image is on the opposite side.
        let image = if one <= other { image } else { image.map(|periods| -periods) };
        Self { image, ..Self::new(&[one], &[other]) }
    }

    /// By how many periods along each axis the second primitive is moved: none but in a periodic box.
    #[must_use]
    pub const fn image(&self) -> [i64; 3] {
        self.image
    }

    /// Kind of the pair's primitives.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The vertices of the first primitive.
    #[must_use]
    pub fn first(&self) -> &[u32] {
        &self.vertices[..self.kind.first_has()]
    }

    /// The vertices of the second primitive.
    #[must_use]
    pub fn second(&self) -> &[u32] {
        &self.vertices[self.kind.first_has()..self.kind.vertices()]
    }

    /// The vertices of both.
    #[must_use]
    pub fn vertices(&self) -> &[u32] {
        &self.vertices[..self.kind.vertices()]
    }
}

impl core::fmt::Display for Pair {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {:?} {:?}", self.kind.name(), self.first(), self.second())?;
        if self.image == [0; 3] { Ok(()) } else { write!(f, ", {:?} periods away", self.image) }
    }
}

impl Surface {
    /// The edges that belong to no face: rods.
    pub(crate) fn rod_edges(&self) -> Vec<[u32; 2]> {
        let ends = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        let of_faces: BTreeSet<[u32; 2]> =
            self.faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]].map(ends)).collect();
        self.edges.iter().copied().filter(|&edge| !of_faces.contains(&ends(edge))).collect()
    }

    /// Every vertex that is part of the surface.
    pub(crate) fn points(&self) -> Vec<u32> {
        let in_faces = self.faces.iter().flatten();
        let all: BTreeSet<u32> =
            in_faces.chain(self.edges.iter().flatten()).chain(&self.free_points).copied().collect();
        all.into_iter().collect()
    }

    /// Whether the pair must not cross.
    pub(crate) fn counts(&self, pair: &Pair) -> bool {
        let group = |v: &u32| self.moves_with.get(*v as usize).copied().flatten();
        let first = group(&pair.vertices()[0]);
        let keeps_its_shape = first.is_some() && pair.vertices().iter().all(|v| group(v) == first);
        !keeps_its_shape && !self.left_out.contains(pair)
    }

    /// The hard radius of a primitive, in m.
    pub(crate) fn radius_of(&self, vertices: &[u32]) -> f64 {
        vertices.iter().map(|&v| self.hard_radii_m[v as usize]).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_the_same_in_whichever_order_it_is_named() {
        let pair = Pair::new(&[5, 2, 9], &[7]);
        assert_eq!(pair, Pair::new(&[7], &[9, 5, 2]));
        assert_eq!((pair.kind(), pair.first(), pair.second()), (Kind::VertexFace, &[7][..], &[2, 5, 9][..]));
        assert_eq!(Pair::new(&[8, 3], &[1, 9]), Pair::new(&[9, 1], &[3, 8]));
        assert_eq!(Pair::new(&[8], &[3]), Pair::new(&[3], &[8]));
        assert_eq!(Pair::new(&[4, 6], &[8]).to_string(), "vertex–edge [8] [4, 6]");
    }

    #[test]
    fn rods_are_the_edges_without_a_face() {
        let surface = Surface {
            faces: vec![[0, 1, 2]],
            edges: vec![[0, 1], [1, 2], [0, 2], [2, 3]],
            ..Surface::default()
        };
        assert_eq!(surface.rod_edges(), [[2, 3]]);
        assert_eq!(surface.points(), [0, 1, 2, 3]);
    }
}
