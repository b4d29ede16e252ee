//! Khronos glTF 2.0, as text (`.gltf` and its buffers) and as one binary file (`.glb`).
//!
//! The nodes of the default scene are placed one after the other, each with the translation, rotation and scale of itself and its parents;
//! a file without scenes gives all root nodes, one without
//! nodes all meshes. Animations, skins and morphing are ignored: only the shape at rest is read. Corners of a mesh in the same place become
//! one vertex, because the format splits vertices
//! wherever a texture or a normal jumps. A node's name, or its mesh's, becomes a group.
//!
//! Everything the file says about its own bytes is checked before it is used: [`document`] only parses numbers, [`buffers`] validates them.

mod buffers;
mod container;
mod document;
mod nodes;
mod primitives;

use carom_geometry::{Group, Mesh};

use super::{Companions, Fault, remedy};
use buffers::Buffers;
use document::Document;

/// The most vertices or elements after all nodes are placed: a few bytes of nodes can place a
/// mesh any number of times.
const MOST_PLACED: usize = 1 << 24;

/// Reads a `.gltf` file.
pub fn read_json(bytes: &[u8], companions: &Companions<'_>) -> Result<Mesh, Fault> {
    read(bytes, None, companions)
}

/// Reads a `.glb` file.
pub fn read_binary(bytes: &[u8], companions: &Companions<'_>) -> Result<Mesh, Fault> {
    let parts = container::open(bytes)?;
    read(parts.json, parts.binary, companions)
}

fn read(json: &[u8], binary: Option<&[u8]>, companions: &Companions<'_>) -> Result<Mesh, Fault> {
    let document: Document = serde_json::from_slice(json)
        .map_err(|error| Fault::at(error.line(), format!("the JSON is damaged: {error}"), remedy::DAMAGED))?;
    if !document.asset.version.starts_with("2.") {
        let message = format!("version {} of glTF is not read", super::text::quoted(&document.asset.version));
        return Err(Fault::new(message, "export it as glTF 2.0"));
    }
    if let Some(extension) = document.extensions_required.first() {
        let message = format!("the extension {} is needed to read it", super::text::quoted(extension));
        return Err(Fault::new(message, "export without compression and quantisation"));
    }
    let buffers = Buffers::load(&document, binary, json.len(), companions)?;
    buffers.check_all(&document)?;
    primitives::check_counts(&document)?;

    let mut mesh = Mesh::default();
    for placed in nodes::placed_meshes(&document)? {
        let part = primitives::build(&document, &buffers, placed.mesh)?;
        let total = mesh.positions.len() + part.positions.len();
        let elements = mesh.triangles.len() + part.triangles.len() + mesh.edges.len() + part.edges.len();
        if total > MOST_PLACED || elements > MOST_PLACED {
            let message =
                format!("with all nodes placed there are more than {MOST_PLACED} vertices or elements");
            return Err(Fault::new(message, "import its parts one by one"));
        }
        let mut part = part.mapped(|p| placed.transform.apply(p));
        if placed.transform.mirrors() {
            part.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        if let Some(name) = placed.name {
            part.groups = vec![Group::new(name, 0..part.positions.len() as u32)];
        }
        append(&mut mesh, &part);
    }
    Ok(mesh)
}

/// Appends a part; groups of the same name become one.
fn append(mesh: &mut Mesh, part: &Mesh) {
    let before = mesh.groups.len();
    mesh.append(part);
    for added in mesh.groups.split_off(before) {
        match mesh.groups.iter_mut().find(|g| g.name == added.name) {
            Some(group) => group.vertices.extend(added.vertices),
            None => mesh.groups.push(added),
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
