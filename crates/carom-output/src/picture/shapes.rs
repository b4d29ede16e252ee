//! What is drawn, from the farthest to the nearest: painter's order.
//!
//! Of a tetrahedron only those faces are drawn that no other shares.

use std::collections::BTreeMap;

use carom_model::{Frame, Topology};

use super::camera::Camera;

/// A cell, or a face of one, on its way to the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Point(u32),
    Edge([u32; 2]),
    Face([u32; 3]),
}

impl Shape {
    pub(super) fn vertices(&self) -> &[u32] {
        match self {
            Self::Point(v) => std::slice::from_ref(v),
            Self::Edge(e) => e,
            Self::Face(f) => f,
        }
    }
}

/// Every shape of a frame with the cell it belongs to, farthest first.
pub(super) fn in_painters_order(frame: &Frame, camera: &Camera) -> Vec<(Shape, usize)> {
    let mut shapes: Vec<(f64, (Shape, usize))> = shapes_of(&frame.topology)
        .into_iter()
        .map(|(shape, cell)| {
            let vertices = shape.vertices();
            let sum: f64 = vertices.iter().map(|&v| camera.nearness(frame.positions[v as usize])).sum();
            (sum / vertices.len() as f64, (shape, cell))
        })
        .collect();
    shapes.sort_by(|a, b| a.0.total_cmp(&b.0));
    shapes.into_iter().map(|(_, shape)| shape).collect()
}

fn shapes_of(topology: &Topology) -> Vec<(Shape, usize)> {
    let points = topology.points.iter().map(|&v| Shape::Point(v));
    let edges = topology.edges.iter().map(|&e| Shape::Edge(e));
    let triangles = topology.triangles.iter().map(|&t| Shape::Face(t));
    let mut shapes: Vec<(Shape, usize)> =
        points.chain(edges).chain(triangles).enumerate().map(|(cell, shape)| (shape, cell)).collect();
    let first_tet = shapes.len();
    shapes
        .extend(surface(&topology.tets).into_iter().map(|(face, tet)| (Shape::Face(face), first_tet + tet)));
    shapes
}

/// The faces that belong to one tetrahedron only, with its number.
fn surface(tets: &[[u32; 4]]) -> Vec<([u32; 3], usize)> {
    let mut seen: BTreeMap<[u32; 3], (u32, [u32; 3], usize)> = BTreeMap::new();
    for (t, &[a, b, c, d]) in tets.iter().enumerate() {
        for face in [[a, c, b], [a, b, d], [b, c, d], [c, a, d]] {
            let mut key = face;
            key.sort_unstable();
            seen.entry(key).or_insert((0, face, t)).0 += 1;
        }
    }
    seen.into_values().filter(|(count, ..)| *count == 1).map(|(_, face, tet)| (face, tet)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_between_two_tetrahedra_is_not_drawn() {
        let faces = surface(&[[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!(faces.len(), 6);
        assert!(faces.iter().all(|(f, _)| f.contains(&0) || f.contains(&4)));
        assert_eq!(faces.iter().filter(|(_, tet)| *tet == 1).count(), 3);
    }
}
