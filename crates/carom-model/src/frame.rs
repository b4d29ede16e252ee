//! What an exporter sees: the whole scene at one tick, as plain numbers.
//!
//! A frame is made by reading a [`State`](crate::State) at a tick and holds nothing that could
//! change one: positions, synchronised velocities, the cells that vertices form, and named
//! numbers per vertex and per cell.
//!
//! Cells are numbered by kind: first the points, then the edges, the triangles and the tetrahedra.
//!
//! **Never here:** files, clocks, how the numbers were computed.

use std::sync::Arc;

use carom_math::Vec3;
use carom_time::Tick;

/// How vertices join into cells: the same for every frame of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    /// Vertices that are drawn as points: grains.
    pub points: Vec<u32>,
    /// Edges of rods and springs.
    pub edges: Vec<[u32; 2]>,
    /// Triangles of shells.
    pub triangles: Vec<[u32; 3]>,
    /// Tetrahedra of solids.
    pub tets: Vec<[u32; 4]>,
    /// The body that owns each vertex: an index in the order of the scene.
    pub vertex_body: Vec<u32>,
}

/// A named number for every vertex or every cell, with its unit in the name (`step_s`).
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// What it is. `energy_density` alone has no unit in its name: J/m, J/m² or J/m³, by the kind of cell.
    pub name: String,
    /// One value per vertex, or one per cell in the order of [`Topology`].
    pub values: Vec<f64>,
}

/// Vertices that are no places ([`DofKind`](crate::DofKind)), as they were: needed to go on from a frame, never drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuxiliaryFrame {
    /// The body of each: an index in the order of the scene.
    pub bodies: Vec<u32>,
    /// Angle, rotation or memory of each.
    pub positions: Vec<Vec3>,
    /// Synchronised rate of each, in rad/s.
    pub velocities: Vec<Vec3>,
}

/// The scene at one tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// When.
    pub tick: Tick,
    /// When, in s.
    pub time_s: f64,
    /// Position of each vertex, in m.
    pub positions: Vec<Vec3>,
    /// Synchronised velocity of each vertex, in m/s.
    pub velocities: Vec<Vec3>,
    /// The cells, shared by all frames of a run.
    pub topology: Arc<Topology>,
    /// Numbers per vertex.
    pub vertex_fields: Vec<Field>,
    /// Numbers per cell, such as the shortest step of its potentials and its energy density.
    pub cell_fields: Vec<Field>,
    /// What is no place.
    pub auxiliary_dofs: AuxiliaryFrame,
}

/// Numbers that do not belong together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// A list of the wrong length.
    #[error("{what} has {found} values where the frame has {expected} {of}")]
    Length {
        /// Which list.
        what: String,
        /// How many values it has.
        found: usize,
        /// How many it should have.
        expected: usize,
        /// What there is one value for: vertices, cells or auxiliary degrees of freedom.
        of: &'static str,
    },
    /// A cell of a vertex that does not exist.
    #[error("cell {cell} names vertex {vertex}, but the frame has {vertices} vertices")]
    Vertex {
        /// The number of the cell.
        cell: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
}

impl Topology {
    /// How many cells of all kinds.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.points.len() + self.edges.len() + self.triangles.len() + self.tets.len()
    }

    /// The vertices of each cell, in the order of the cells.
    pub fn stencils(&self) -> impl Iterator<Item = &[u32]> {
        let points = self.points.iter().map(std::slice::from_ref);
        let edges = self.edges.iter().map(<[u32; 2]>::as_slice);
        let triangles = self.triangles.iter().map(<[u32; 3]>::as_slice);
        let tets = self.tets.iter().map(<[u32; 4]>::as_slice);
        points.chain(edges).chain(triangles).chain(tets)
    }

    /// The body of each cell: that of its first vertex, since no cell joins two bodies.
    pub fn cell_bodies(&self) -> impl Iterator<Item = u32> {
        self.stencils().map(|stencil| self.vertex_body[stencil[0] as usize])
    }

    /// The number of the first triangle among the cells.
    #[must_use]
    pub fn first_triangle(&self) -> usize {
        self.points.len() + self.edges.len()
    }
}

impl Frame {
    /// Whether every list has one value per vertex or per cell, and every cell its vertices.
    pub fn check(&self) -> Result<(), FrameError> {
        let (vertices, cells) = (self.positions.len(), self.topology.cells());
        check_length("velocities", self.velocities.len(), vertices, "vertices")?;
        check_length("vertex_body", self.topology.vertex_body.len(), vertices, "vertices")?;
        for field in &self.vertex_fields {
            check_length(&field.name, field.values.len(), vertices, "vertices")?;
        }
        for field in &self.cell_fields {
            check_length(&field.name, field.values.len(), cells, "cells")?;
        }
        let auxiliary_dofs = self.auxiliary_dofs.bodies.len();
        check_length(
            "auxiliary positions",
            self.auxiliary_dofs.positions.len(),
            auxiliary_dofs,
            "auxiliary degrees of freedom",
        )?;
        check_length(
            "auxiliary velocities",
            self.auxiliary_dofs.velocities.len(),
            auxiliary_dofs,
            "auxiliary degrees of freedom",
        )?;
        for (cell, stencil) in self.topology.stencils().enumerate() {
            if let Some(&vertex) = stencil.iter().find(|&&v| v as usize >= vertices) {
                return Err(FrameError::Vertex { cell, vertex, vertices });
            }
        }
        Ok(())
    }

    /// The values of a cell field by its name.
    #[must_use]
    pub fn cell_field(&self, name: &str) -> Option<&[f64]> {
        find(&self.cell_fields, name)
    }

    /// The values of a vertex field by its name.
    #[must_use]
    pub fn vertex_field(&self, name: &str) -> Option<&[f64]> {
        find(&self.vertex_fields, name)
    }
}

impl Field {
    /// Values under a name.
    #[must_use]
    pub fn new(name: impl Into<String>, values: Vec<f64>) -> Self {
        Self { name: name.into(), values }
    }
}

fn find<'a>(fields: &'a [Field], name: &str) -> Option<&'a [f64]> {
    fields.iter().find(|f| f.name == name).map(|f| f.values.as_slice())
}

fn check_length(what: &str, found: usize, expected: usize, of: &'static str) -> Result<(), FrameError> {
    if found == expected {
        Ok(())
    } else {
        Err(FrameError::Length { what: what.to_owned(), found, expected, of })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixed() -> Frame {
        let topology = Topology {
            points: vec![6],
            edges: vec![[4, 5]],
            triangles: vec![[0, 1, 2]],
            tets: vec![[0, 1, 2, 3]],
            vertex_body: vec![0, 0, 0, 0, 1, 1, 2],
        };
        Frame {
            tick: Tick(8),
            time_s: 0.5,
            positions: vec![Vec3::ZERO; 7],
            velocities: vec![Vec3::X; 7],
            topology: Arc::new(topology),
            vertex_fields: Vec::new(),
            cell_fields: vec![Field::new("step_s", vec![1.0, 2.0, 3.0, 4.0])],
            auxiliary_dofs: AuxiliaryFrame::default(),
        }
    }

    #[test]
    fn cells_count_points_then_edges_then_triangles_then_tetrahedra() {
        let frame = mixed();
        let stencils: Vec<&[u32]> = frame.topology.stencils().collect();
        assert_eq!(stencils, [&[6][..], &[4, 5], &[0, 1, 2], &[0, 1, 2, 3]]);
        assert_eq!(frame.topology.cell_bodies().collect::<Vec<_>>(), [2, 1, 0, 0]);
        assert_eq!(frame.topology.first_triangle(), 2);
        assert_eq!(frame.cell_field("step_s"), Some(&[1.0, 2.0, 3.0, 4.0][..]));
        assert_eq!(frame.check(), Ok(()));
    }

    #[test]
    fn a_field_of_the_wrong_length_is_an_error_that_names_it() {
        let mut frame = mixed();
        frame.cell_fields[0].values.pop();
        let error = frame.check().unwrap_err();
        assert_eq!(error.to_string(), "step_s has 3 values where the frame has 4 cells");
    }

    #[test]
    fn a_cell_of_a_vertex_that_does_not_exist_is_an_error() {
        let mut frame = mixed();
        Arc::make_mut(&mut frame.topology).edges[0] = [4, 7];
        assert_eq!(frame.check(), Err(FrameError::Vertex { cell: 1, vertex: 7, vertices: 7 }));
    }
}
