//! From a selection to vertices.

use carom_geometry::topology::boundary_of_tets;
use carom_geometry::{Mesh, Topology};
use carom_math::Vec3;

use super::Assembly;
use crate::at::At;
use crate::format::{Selection, VertexName};
use crate::report::Problem;
use crate::spelling;

impl Assembly<'_> {
    /// The vertices of the body called `name` that `select` chooses, in the numbers of the system.
    pub fn select(&self, name: &str, select: &At<Selection>) -> Result<Vec<u32>, Problem> {
        let body = &self.bodies[self.body_number(name)];
        let chosen = self.select_in(&body.mesh, name, select)?;
        Ok(chosen.into_iter().map(|v| v + body.first).collect())
    }

    /// The vertices of the body called `name`, whose mesh this is, that `select` chooses, numbered from 0.
    pub(super) fn select_in(
        &self,
        mesh: &Mesh,
        name: &str,
        select: &At<Selection>,
    ) -> Result<Vec<u32>, Problem> {
        let named = select.named.as_ref().map(|named| {
            let found = self.scene.file.selections.iter().find(|s| *s.name == **named);
            choose(mesh, &found.expect("references were checked").select, None)
        });
        let chosen = choose(mesh, select, named.transpose()?.as_deref())?;
        if chosen.is_empty() {
            let problem = Problem::new(&select.span(), format!("no vertex of \"{name}\" meets `select`"));
            return Err(problem.help(extent(mesh)));
        }
        Ok(chosen)
    }

    /// The number in the system of a vertex that the scene names.
    pub fn vertex(&self, name: &At<VertexName>) -> Result<u32, Problem> {
        let body = &self.bodies[self.body_number(&name.body)];
        let count = body.mesh.positions.len();
        if (name.index as usize) < count {
            return Ok(body.first + name.index);
        }
        Err(no_such_vertex(&name.span(), name.index, count))
    }
}

fn no_such_vertex(span: &crate::at::Span, index: u32, count: usize) -> Problem {
    let problem = Problem::new(span, format!("there is no vertex {index}"));
    problem.help(format!("the body's vertices are numbered 0 to {}", count - 1))
}

/// Extent of a body, for messages about empty selections.
fn extent(mesh: &Mesh) -> String {
    let Some([low, high]) = mesh.bounding_box() else {
        return "the body has no vertices".to_owned();
    };
    let ([a, b, c], [x, y, z]) = (low.to_array(), high.to_array());
    let count = mesh.positions.len();
    format!("its rest shape has {count} vertices between [{a}, {b}, {c}] and [{x}, {y}, {z}]")
}

/// The vertices that meet every condition and are among those `named`, if there are such, in rising order.
fn choose(mesh: &Mesh, select: &Selection, named: Option<&[u32]>) -> Result<Vec<u32>, Problem> {
    let count = mesh.positions.len();
    let mut chosen = vec![true; count];
    if let Some(named) = named {
        keep_only(&mut chosen, named);
    }
    if let Some(index) = &select.index {
        let wanted = [index.get()];
        check_indices(&index.span(), &wanted, count)?;
        keep_only(&mut chosen, &wanted);
    }
    if let Some(indices) = &select.indices {
        let wanted: Vec<u32> = indices.iter().map(crate::Index::get).collect();
        check_indices(&indices.span(), &wanted, count)?;
        keep_only(&mut chosen, &wanted);
    }
    if let Some(corners) = &select.in_box {
        let (min, max) = (corners.min.get(), corners.max.get());
        let inside = |x: Vec3| (0..3).all(|axis| min[axis] <= x[axis] && x[axis] <= max[axis]);
        for (chosen, x) in chosen.iter_mut().zip(&mesh.positions) {
            *chosen &= inside(*x);
        }
    }
    if select.boundary.is_some() {
        keep_only(&mut chosen, &boundary(mesh));
    }
    if let Some(name) = &select.group {
        let Some(group) = mesh.group(name) else {
            return Err(no_such_group(name, mesh));
        };
        keep_only(&mut chosen, &group.vertices);
    }
    let chosen: Vec<u32> = (0..).zip(chosen).filter(|(_, chosen)| *chosen).map(|(v, _)| v).collect();
    let Some(point) = &select.nearest else {
        return Ok(chosen);
    };
    let distance = |v: &u32| (mesh.positions[*v as usize] - point.get()).length();
    let nearest = chosen.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
    Ok(nearest.into_iter().collect())
}

fn check_indices(span: &crate::at::Span, wanted: &[u32], count: usize) -> Result<(), Problem> {
    match wanted.iter().find(|v| **v as usize >= count) {
        Some(&index) => Err(no_such_vertex(span, index, count)),
        None => Ok(()),
    }
}

fn keep_only(chosen: &mut [bool], vertices: &[u32]) {
    let mut among = vec![false; chosen.len()];
    for v in vertices {
        if let Some(among) = among.get_mut(*v as usize) {
            *among = true;
        }
    }
    for (chosen, among) in chosen.iter_mut().zip(among) {
        *chosen &= among;
    }
}

fn no_such_group(name: &At<String>, mesh: &Mesh) -> Problem {
    let names: Vec<&str> = mesh.groups.iter().map(|group| group.name.as_str()).collect();
    let problem = Problem::new(&name.span(), format!("the shape has no group \"{name}\""));
    match spelling::nearest(name, names.iter().copied()) {
        Some(near) => problem.help(format!("did you mean \"{near}\"?")),
        None if names.is_empty() => problem.help("it has none; select by box, boundary or nearest"),
        None => problem.help(format!("its groups are \"{}\"", names.join("\", \""))),
    }
}

/// The rim of a sheet, the free ends of a rod, the skin of a solid.
fn boundary(mesh: &Mesh) -> Vec<u32> {
    if !mesh.triangles.is_empty() {
        return Topology::new(&mesh.triangles).map(|t| t.boundary_vertices).unwrap_or_default();
    }
    let mut vertices: Vec<u32> = boundary_of_tets(&mesh.tets).into_iter().flatten().collect();
    let mut ends = vec![0_u32; mesh.positions.len()];
    for v in mesh.edges.iter().flatten() {
        ends[*v as usize] += 1;
    }
    vertices.extend((0..).zip(&ends).filter(|(_, ends)| **ends == 1).map(|(v, _)| v));
    vertices
}
