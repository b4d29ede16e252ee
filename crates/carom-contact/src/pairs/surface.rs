//! The surfaces of bodies: which primitives there are, and how much area each stands for.
//!
//! | body | primitives |
//! | --- | --- |
//! | shell | its vertices, edges and triangles |
//! | solid | those of its skin |
//! | rod | its vertices and bare edges, as wide as its diameter or its thickness |
//! | points | its vertices |
//!
//! A vertex owns a third of each of its triangles, an edge a third of its two; both own half of a rod's edge.

use std::collections::BTreeMap;

use carom_geometry::{Mesh, topology};
use carom_math::Vec3;
use carom_model::{SurfaceEdge, SurfaceFace, SurfaceVertex};

/// The surface of one body, as the scene describes it.
#[derive(Clone, Copy, Debug)]
pub struct BodySurface<'a> {
    /// The mesh at rest.
    pub mesh: &'a Mesh,
    /// Number of its first vertex in the system.
    pub first_vertex: u32,
    /// Thickness `η₁` against a body of the same thickness, in m.
    pub thickness: f64,
    /// Hard radius of rods and points, in m.
    pub radius: f64,
}

/// Grains: points with a radius each, and no rest shape.
#[derive(Clone, Copy, Debug)]
pub struct Grains<'a> {
    /// Which body.
    pub body: u32,
    /// Hard radius of each, in m.
    pub radii: &'a [f64],
    /// What is soft about them, if anything is.
    pub soft: Option<SoftGrains<'a>>,
}

/// Soft spheres around hard cores.
#[derive(Clone, Copy, Debug)]
pub struct SoftGrains<'a> {
    /// Radius of each, in m, larger than that of the hard core.
    pub radii: &'a [f64],
    /// Modulus `E/(1 − ν²)`, in Pa.
    pub modulus: f64,
}

/// All primitives of the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Primitives {
    pub vertices: Vec<SurfaceVertex>,
    pub edges: Vec<SurfaceEdge>,
    pub faces: Vec<SurfaceFace>,
}

impl Primitives {
    /// Adds the surface of body number `body`.
    pub fn add(&mut self, body: u32, surface: &BodySurface) {
        let &BodySurface { mesh, first_vertex, thickness, radius } = surface;
        let corner = |v: u32| mesh.positions[v as usize];
        let mut faces = mesh.triangles.clone();
        faces.extend(topology::boundary_of_tets(&mesh.tets));
        let mut edges: BTreeMap<[u32; 2], SurfaceEdge> = BTreeMap::new();
        let mut area_of: BTreeMap<u32, f64> = BTreeMap::new();
        let edge = |ends: [u32; 2], radius: f64, is_bare: bool| SurfaceEdge {
            vertices: ends.map(|v| v + first_vertex),
            body,
            radius,
            length: (corner(ends[1]) - corner(ends[0])).length(),
            area: 0.0,
            is_bare,
        };
        for &[a, b, c] in &faces {
            let (p, q, r) = (corner(a), corner(b), corner(c));
            let area = 0.5 * (q - p).cross(r - p).length();
            let perimeter = (q - p).length() + (r - q).length() + (p - r).length();
            let vertices = [a, b, c].map(|v| v + first_vertex);
            self.faces.push(SurfaceFace { vertices, body, area, perimeter });
            for v in [a, b, c] {
                *area_of.entry(v).or_insert(0.0) += area / 3.0;
            }
            for ends in [[a, b], [b, c], [c, a]] {
                let ends = [ends[0].min(ends[1]), ends[0].max(ends[1])];
                edges.entry(ends).or_insert_with(|| edge(ends, 0.0, false)).area += area / 3.0;
            }
        }
        for &[a, b] in &mesh.edges {
            let ends = [a.min(b), a.max(b)];
            let rod = edges.entry(ends).or_insert_with(|| edge(ends, radius, true));
            let area = rod.length * (2.0 * radius).max(thickness);
            rod.area += area;
            for v in ends {
                *area_of.entry(v).or_insert(0.0) += 0.5 * area;
            }
        }
        let on_rod = rod_vertices(mesh);
        let point_area = (core::f64::consts::PI * radius * radius).max(thickness * thickness);
        let alone = faces.is_empty() && mesh.edges.is_empty();
        for v in 0..mesh.positions.len() as u32 {
            let known = area_of.get(&v).copied();
            if known.is_none() && !alone {
                // Inside a solid: nothing can reach it.
                continue;
            }
            let is_round = alone || on_rod[v as usize];
            self.vertices.push(SurfaceVertex {
                vertex: v + first_vertex,
                body,
                radius: if is_round { radius } else { 0.0 },
                area: known.unwrap_or(point_area),
                is_point: alone,
                soft_radius: 0.0,
                spin: None,
            });
        }
        self.edges.extend(edges.into_values());
    }
}

impl Primitives {
    /// Gives the points of a body, `first_vertex` on, their radii: a grain stands for the area of its section.
    pub fn make_grains(&mut self, grains: &Grains, first_vertex: u32, thickness: f64) {
        for v in self.vertices.iter_mut().filter(|v| v.body == grains.body) {
            let number = (v.vertex - first_vertex) as usize;
            v.radius = grains.radii[number];
            v.area = (core::f64::consts::PI * v.radius * v.radius).max(thickness * thickness);
            v.soft_radius = grains.soft.map_or(0.0, |soft| soft.radii[number]);
        }
    }
}

/// Which vertices belong to rods and to no triangle.
fn rod_vertices(mesh: &Mesh) -> Vec<bool> {
    let mut on_rod = vec![false; mesh.positions.len()];
    mesh.edges.iter().flatten().for_each(|v| on_rod[*v as usize] = true);
    mesh.triangles.iter().flatten().for_each(|v| on_rod[*v as usize] = false);
    on_rod
}

/// Positions at rest of all vertices of the system, in m.
pub(crate) fn rest_positions(vertices: usize, surfaces: &[BodySurface]) -> Vec<Vec3> {
    let mut rest = vec![Vec3::ZERO; vertices];
    for surface in surfaces {
        let first = surface.first_vertex as usize;
        rest[first..first + surface.mesh.positions.len()].copy_from_slice(&surface.mesh.positions);
    }
    rest
}
