//! What is drawn of a frame: faces, tubes and balls.
//!
//! Of a tetrahedron only those faces are drawn that no other shares.

use std::collections::BTreeMap;

use carom_math::Vec3;
use carom_model::Frame;

use super::colour::Colours;
use super::surface::Surface;
use super::{BodyStyle, Edges};

/// A triangle of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Face {
    pub corners: [Vec3; 3],
    /// The normal of the smooth surface at each corner.
    pub normals: [Vec3; 3],
    /// Position of each corner's number on the colour scale; NaN without a number.
    pub places: [f64; 3],
    /// How visible the line from each corner to the next is, from 0 to 1.
    pub lines: [f64; 3],
    pub body: usize,
}

/// A piece of a rod, round at both ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tube {
    pub ends: [Vec3; 2],
    pub radius: f64,
    pub places: [f64; 2],
    pub body: usize,
}

/// A grain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ball {
    pub centre: Vec3,
    pub radius: f64,
    pub place: f64,
    pub body: usize,
}

/// Everything that is drawn of a frame; numbered faces first, then tubes, then balls.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Shapes {
    pub faces: Vec<Face>,
    pub tubes: Vec<Tube>,
    pub balls: Vec<Ball>,
}

/// One face, tube or ball.
#[derive(Clone, Copy, Debug)]
pub(super) enum Primitive<'a> {
    Face(&'a Face),
    Tube(&'a Tube),
    Ball(&'a Ball),
}

impl Primitive<'_> {
    pub fn body(&self) -> usize {
        match self {
            Self::Face(face) => face.body,
            Self::Tube(tube) => tube.body,
            Self::Ball(ball) => ball.body,
        }
    }
}

/// Sizes of what has none of its own, in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sizes {
    /// Radius of a spring.
    pub thread: f64,
    /// Radius of a point mass.
    pub bead: f64,
}

impl Shapes {
    /// The shapes of `frame`.
    pub fn new(frame: &Frame, looks: &[BodyStyle], colours: &Colours, edges: Edges, sizes: Sizes) -> Self {
        let topology = &frame.topology;
        let body = |v: u32| topology.vertex_body[v as usize] as usize;
        let is_shown = |v: u32| looks.get(body(v)).is_none_or(|look| !look.hidden);
        let place = |v: u32, cell: usize| colours.place(frame, v, cell);
        let at = |v: u32| frame.positions[v as usize];
        let mut shapes = Self::default();
        let radii = frame.vertex_field("radius_m");
        for (cell, &v) in topology.points.iter().enumerate().filter(|(_, v)| is_shown(**v)) {
            let own = radii.map(|radii| radii[v as usize]).filter(|r| *r > 0.0);
            let given = || looks.get(body(v)).and_then(|look| look.point_radius_m);
            let radius = own.or_else(given).unwrap_or(sizes.bead);
            shapes.balls.push(Ball { centre: at(v), radius, place: place(v, cell), body: body(v) });
        }
        let cells = topology.points.len()..;
        for (cell, &[a, b]) in cells.zip(&topology.edges).filter(|(_, e)| is_shown(e[0])) {
            let own = looks.get(body(a)).and_then(|look| look.tube_radius_m);
            let radius = own.unwrap_or(sizes.thread);
            let (ends, places) = ([at(a), at(b)], [place(a, cell), place(b, cell)]);
            shapes.tubes.push(Tube { ends, radius, places, body: body(a) });
        }
        let mut triangles: Vec<([u32; 3], usize)> = Vec::new();
        triangles.extend((topology.first_triangle()..).zip(&topology.triangles).map(|(cell, t)| (*t, cell)));
        let first_tet = topology.first_triangle() + topology.triangles.len();
        triangles.extend(skin(&topology.tets).into_iter().map(|(face, tet)| (face, first_tet + tet)));
        triangles.retain(|(t, _)| is_shown(t[0]));
        let corners: Vec<[u32; 3]> = triangles.iter().map(|(t, _)| *t).collect();
        let surface = Surface::new(&corners, &frame.positions);
        for (number, &(t, cell)) in triangles.iter().enumerate() {
            let body = body(t[0]);
            let is_obstacle = looks.get(body).is_some_and(|look| look.obstacle);
            let normals = std::array::from_fn(|i| surface.normal(number, i));
            let lines = std::array::from_fn(|i| edges.visibility(surface.edge(number, i), is_obstacle));
            let (corners, places) = (t.map(at), t.map(|v| place(v, cell)));
            shapes.faces.push(Face { corners, normals, places, lines, body });
        }
        shapes.drop_what_is_nowhere();
        shapes
    }

    /// A frame that a Fault ended may hold numbers that are none.
    fn drop_what_is_nowhere(&mut self) {
        self.faces.retain(|face| face.corners.iter().all(|p| p.is_finite()));
        self.tubes.retain(|tube| tube.ends.iter().all(|p| p.is_finite()));
        self.balls.retain(|ball| ball.centre.is_finite());
    }

    /// Number of shapes.
    pub fn len(&self) -> usize {
        self.faces.len() + self.tubes.len() + self.balls.len()
    }

    /// Number `i`.
    pub fn get(&self, i: usize) -> Primitive<'_> {
        let tube = i.wrapping_sub(self.faces.len());
        match (self.faces.get(i), self.tubes.get(tube)) {
            (Some(face), _) => Primitive::Face(face),
            (None, Some(tube)) => Primitive::Tube(tube),
            (None, None) => Primitive::Ball(&self.balls[tube - self.tubes.len()]),
        }
    }
}

/// The faces that belong to one tetrahedron only, with its number.
fn skin(tets: &[[u32; 4]]) -> Vec<([u32; 3], usize)> {
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
        let faces = skin(&[[0, 1, 2, 3], [1, 2, 3, 4]]);
        assert_eq!(faces.len(), 6);
        assert!(faces.iter().all(|(f, _)| f.contains(&0) || f.contains(&4)));
        assert_eq!(faces.iter().filter(|(_, tet)| *tet == 1).count(), 3);
    }
}
