//! The meshes of a document: places, and how they are joined.

use carom_geometry::Mesh;
use carom_math::Vec3;

use super::buffers::Buffers;
use super::document::{Document, Primitive};
use crate::weld::weld;
use crate::{Fault, remedy};

/// Checks that all attributes of a primitive have as many elements, used or not.
pub fn check_counts(document: &Document) -> Result<(), Fault> {
    for (number, mesh) in document.meshes.iter().enumerate() {
        for primitive in &mesh.primitives {
            let mut first = None;
            for (name, accessor) in &primitive.attributes {
                let Some(accessor) = document.accessors.get(*accessor) else {
                    let message = format!("mesh {number}: accessor {accessor} does not exist");
                    return Err(Fault::new(message, remedy::DAMAGED));
                };
                let count = *first.get_or_insert(accessor.count);
                if accessor.count != count {
                    let message =
                        format!("mesh {number}: {name} has {} elements, others have {count}", accessor.count);
                    return Err(Fault::new(message, remedy::DAMAGED));
                }
            }
        }
    }
    Ok(())
}

/// Builds one mesh; corners in the same place become one vertex.
pub fn build(document: &Document, buffers: &Buffers<'_>, number: usize) -> Result<Mesh, Fault> {
    let Some(mesh) = document.meshes.get(number) else {
        return Err(Fault::new(format!("mesh {number} does not exist"), remedy::DAMAGED));
    };
    let in_mesh = |fault: Fault| Fault { message: format!("mesh {number}: {}", fault.message), ..fault };
    let mut corners = Vec::new();
    let mut built = Mesh::default();
    for primitive in &mesh.primitives {
        add(document, buffers, primitive, &mut corners, &mut built).map_err(in_mesh)?;
    }
    let (positions, numbers) = weld(&corners);
    built.positions = positions;
    for vertex in built.triangles.as_flattened_mut().iter_mut().chain(built.edges.as_flattened_mut()) {
        *vertex = numbers[*vertex as usize];
    }
    Ok(built)
}

fn add(
    document: &Document,
    buffers: &Buffers<'_>,
    primitive: &Primitive,
    corners: &mut Vec<Vec3>,
    mesh: &mut Mesh,
) -> Result<(), Fault> {
    let Some(places) = primitive.attributes.get("POSITION") else {
        return Err(Fault::new("a primitive has no POSITION", remedy::DAMAGED));
    };
    let (layout, numbers) = buffers.numbers(document, *places)?;
    if !layout.holds_places() {
        return Err(Fault::new("POSITION is not three floats", remedy::DAMAGED));
    }
    let (base, count) = (corners.len(), layout.count);
    corners.extend(numbers.chunks_exact(3).map(|p| Vec3::new(p[0], p[1], p[2])));
    let vertices: Vec<u32> = match primitive.indices {
        None => (0..count).map(|v| (base + v) as u32).collect(),
        Some(indices) => {
            let (layout, numbers) = buffers.numbers(document, indices)?;
            if !layout.holds_indices() {
                return Err(Fault::new("the indices are not whole numbers", remedy::DAMAGED));
            }
            if let Some(stray) = numbers.iter().find(|v| **v >= count as f64) {
                let message = format!("an index is {stray}, but there are {count} vertices");
                return Err(Fault::new(message, remedy::INDICES));
            }
            numbers.iter().map(|v| (base + *v as usize) as u32).collect()
        }
    };
    join(primitive.mode.unwrap_or(4), &vertices, mesh)
}

/// Joins vertices as the primitive's mode says.
fn join(mode: u32, v: &[u32], mesh: &mut Mesh) -> Result<(), Fault> {
    let whole = |size: usize| match v.len() % size {
        0 => Ok(()),
        _ => {
            Err(Fault::new(format!("{} vertices do not make whole elements of {size}", v.len()), remedy::CUT))
        }
    };
    match mode {
        0 => {}
        1 => {
            whole(2)?;
            mesh.edges.extend(v.chunks_exact(2).map(|e| [e[0], e[1]]));
        }
        2 | 3 => {
            mesh.edges.extend(v.windows(2).map(|e| [e[0], e[1]]));
            if let (2, [first, .., last]) = (mode, v) {
                mesh.edges.push([*last, *first]);
            }
        }
        4 => {
            whole(3)?;
            mesh.triangles.extend(v.chunks_exact(3).map(|t| [t[0], t[1], t[2]]));
        }
        5 => {
            let strip = v.windows(3).enumerate();
            mesh.triangles
                .extend(strip.map(|(i, t)| if i % 2 == 0 { [t[0], t[1], t[2]] } else { [t[0], t[2], t[1]] }));
        }
        6 => {
            if let [hub, rest @ ..] = v {
                mesh.triangles.extend(rest.windows(2).map(|t| [*hub, t[0], t[1]]));
            }
        }
        _ => return Err(Fault::new(format!("{mode} is no mode of a primitive"), remedy::DAMAGED)),
    }
    Ok(())
}
