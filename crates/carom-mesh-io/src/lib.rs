//! Mesh files of other programs.
//!
//! | extension | format | read |
//! | --- | --- | --- |
//! | `obj` | Wavefront | `v f l g o usemtl`; polygons are cut into triangles |
//! | `off` | Object File Format | plain, and with colours, normals or texture coordinates |
//! | `ply` | Stanford | ascii and binary of both byte orders; vertices, faces, edges; colours become groups |
//! | `stl` | stereolithography | ascii and binary; equal corners become one vertex |
//! | `msh` | Gmsh 2.2 and 4.1 | ascii and binary; lines, triangles, quadrangles, tetrahedra, physical groups |
//! | `gltf` `glb` | Khronos glTF 2.0 | the default scene, placed; equal corners of a mesh become one vertex |
//! | `vtk` | legacy VTK | ascii; unstructured grids and surfaces |
//! | `node` `ele` | TetGen | vertices and tetrahedra |
//! | `seg` | segments | `v s` |
//!
//! Lengths are taken as they stand in the file. What comes out has finite coordinates and elements
//! whose vertices exist; [`carom_geometry::check`] says whether it can be simulated.
//!
//! A reader never trusts a count in a file: counts are checked against the bytes that follow before memory is reserved for them. Nothing is
//! skipped silently except data without geometry (normals, texture coordinates).
//!
//! **Never here:** opening files (bytes come in); repairs; units.

mod cursor;
#[cfg(test)]
mod fuzz;
mod gltf;
mod gmsh;
mod obj;
mod off;
mod ply;
mod polygon;
mod seg;
mod stl;
mod tetgen;
mod text;
mod vtk;
mod weld;

use carom_geometry::Mesh;
pub use gmsh::to_gmsh;

/// Why a file gave no mesh.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}{}: {message}; {remedy}", line.map(|l| format!(":{l}")).unwrap_or_default())]
pub struct ImportError {
    /// The file, as it was named to us.
    pub file: String,
    /// The line, counted from 1, in a text file.
    pub line: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
}

/// What a reader of one format finds wrong; the file's name is added by [`read`].
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fault {
    line: Option<usize>,
    message: String,
    remedy: &'static str,
}

impl Fault {
    fn new(message: impl Into<String>, remedy: &'static str) -> Self {
        Self { line: None, message: message.into(), remedy }
    }

    fn at(line: usize, message: impl Into<String>, remedy: &'static str) -> Self {
        Self { line: Some(line), message: message.into(), remedy }
    }
}

/// Remedies that many formats share.
mod remedy {
    pub const CUT: &str = "the file seems cut short; export or download it again";
    pub const DAMAGED: &str = "the file is damaged or not of this format; export it again";
    pub const FINITE: &str = "coordinates must be finite numbers; export the mesh again";
    pub const INDICES: &str = "check how the program that wrote it counts vertices";
    pub const COUNTS: &str = "check the counts at the head of the file";
}

/// The other files a mesh names: the bytes of a file, named relative to the mesh's own folder.
pub type Companions<'a> = dyn Fn(&str) -> Option<Vec<u8>> + 'a;

/// The mesh in `bytes`; the extension of `name` says which format they are in.
///
/// ```
/// let file = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let mesh = carom_mesh_io::read("corner.obj", file, &|_| None).unwrap();
/// assert_eq!(mesh.triangles, [[0, 1, 2]]);
///
/// let error = carom_mesh_io::read("corner.obj", b"v 0 0 0\nf 1 2 3\n", &|_| None).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "corner.obj:2: face 0 names vertex 2, but there is 1; check how the program that wrote it counts vertices"
/// );
/// ```
pub fn read(name: &str, bytes: &[u8], companions: &Companions<'_>) -> Result<Mesh, ImportError> {
    let fault_in_file = |fault: Fault| ImportError {
        file: name.to_owned(),
        line: fault.line,
        message: fault.message,
        remedy: fault.remedy.to_owned(),
    };
    dispatch(name, bytes, companions).and_then(accept).map_err(fault_in_file)
}

fn dispatch(name: &str, bytes: &[u8], companions: &Companions<'_>) -> Result<Mesh, Fault> {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let stem = stem.rsplit(['/', '\\']).next().unwrap_or(stem);
    if bytes.is_empty() {
        return Err(Fault::new("the file is empty", "check that it was written to the end"));
    }
    match extension.to_ascii_lowercase().as_str() {
        "obj" => obj::read(bytes),
        "off" => off::read(bytes),
        "ply" => ply::read(bytes),
        "stl" => stl::read(bytes),
        "msh" => gmsh::read(bytes),
        "gltf" => gltf::read_json(bytes, companions),
        "glb" => gltf::read_binary(bytes, companions),
        "vtk" => vtk::read(bytes),
        "node" => tetgen::read_nodes(stem, bytes, companions),
        "ele" => tetgen::read_elements(stem, bytes, companions),
        "seg" => seg::read(bytes),
        _ => Err(Fault::new(
            format!("the extension {} is of no format we read", text::quoted(extension)),
            "convert it to obj, off, ply, stl, msh, gltf, glb, vtk, node + ele or seg",
        )),
    }
}

/// The last gate, whatever the format: there are vertices, they are finite, and elements name them.
fn accept(mesh: Mesh) -> Result<Mesh, Fault> {
    let count = mesh.positions.len();
    if count == 0 {
        return Err(Fault::new("the mesh is empty: it has no vertices", "check that the export had a mesh"));
    }
    if u32::try_from(count).is_err() {
        return Err(Fault::new(format!("{count} vertices are too many"), "at most 2^32 - 1 can be numbered"));
    }
    if let Some(v) = mesh.positions.iter().position(|p| !p.is_finite()) {
        return Err(Fault::new(
            format!("vertex {v} has a coordinate that is infinite or not a number"),
            remedy::FINITE,
        ));
    }
    let vertices = mesh.edges.as_flattened().iter().chain(mesh.triangles.as_flattened());
    match vertices.chain(mesh.tets.as_flattened()).find(|v| **v as usize >= count) {
        Some(v) => Err(Fault::new(
            format!("an element names vertex {v} (counted from 0), but there are {count}"),
            remedy::INDICES,
        )),
        None => Ok(mesh),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_extension_is_answered_with_the_known_ones() {
        let error = read("a.fbx", b"x", &|_| None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.fbx: the extension `fbx` is of no format we read; \
             convert it to obj, off, ply, stl, msh, gltf, glb, vtk, node + ele or seg"
        );
    }

    #[test]
    fn the_extension_may_be_in_capitals_and_folders_may_have_dots() {
        let mesh = read("my.folder/A.OBJ", b"v 0 0 0", &|_| None).unwrap();
        assert_eq!(mesh.positions.len(), 1);
    }
}
