//! A mesh from a file.

use core::cell::RefCell;

use carom_geometry::Mesh;
use serde::{Deserialize, Serialize};

use super::{MadeShape, Order, ShapeKind};
use crate::at::At;
use crate::files::OpenFiles;
use crate::number::Positive;
use crate::report::Problem;

/// A mesh from a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MeshFile {
    /// The file, beside the scene unless it is an absolute path or begins with an environment variable that names a folder, `$NAME/…`.
    pub file: At<String>,
    /// Length of a unit of the file, in m.
    #[serde(default = "one")]
    pub scale: Positive,
}

fn one() -> Positive {
    Positive::nowhere(1.0)
}

impl ShapeKind for MeshFile {
    fn make(&self, order: &mut Order<'_, '_>) -> Result<MadeShape, Problem> {
        self.read(order.files).map(MadeShape::from)
    }

    fn mesh_file(&self) -> Option<&At<String>> {
        Some(&self.file)
    }

    fn files(&mut self) -> Vec<&mut At<String>> {
        vec![&mut self.file]
    }
}

impl MeshFile {
    /// The mesh of the file, with lengths in m; the file and those that it names are kept.
    pub(crate) fn read(&self, files: &mut OpenFiles<'_>) -> Result<Mesh, Problem> {
        let name = self.file.as_str();
        let bytes = files.read(&self.file)?;
        let companions = RefCell::new(Vec::new());
        let open = |companion: &str| {
            let bytes = files.read_beside(name, companion)?;
            companions.borrow_mut().push((companion.to_owned(), bytes.clone()));
            Some(bytes)
        };
        let mesh = carom_mesh_io::read(name, &bytes, &open).map_err(|error| {
            let line = error.line.map(|l| format!(", line {l}")).unwrap_or_default();
            let message = format!("{}{line}: {}", error.file, error.message);
            Problem::new(&self.file.span(), message).help(error.remedy)
        })?;
        files.keep(name, bytes, companions.into_inner());
        let scale = self.scale.get();
        let mesh = if scale == 1.0 { mesh } else { mesh.scaled(scale) };
        if mesh.positions.iter().any(|p| !p.is_finite()) {
            let message = format!("a scale of {scale} makes the mesh infinite");
            return Err(Problem::new(&self.scale.span(), message));
        }
        Ok(mesh)
    }
}
