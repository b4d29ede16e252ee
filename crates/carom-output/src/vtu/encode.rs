//! From a frame to the bytes of a `.vtu` file.

use std::fmt::Write as _;

use carom_math::Vec3;
use carom_model::{AuxiliaryFrame, Field, Frame};

use super::blocks::Compressor;
use super::{BODY, CELL_TYPES, GHOST_BODY, GHOST_POSITION, GHOST_VELOCITY, TICK, TIME, VELOCITY};
use crate::OutputError;
use crate::xml::escape;

/// Compresses the arrays of successive frames: an array that is the same as in the frame before is not compressed again.
#[derive(Debug, Default)]
pub struct Packer {
    /// The arrays of the last frame, in order, plain and compressed.
    arrays: Vec<[Vec<u8>; 2]>,
    compressor: Compressor,
}

impl Packer {
    /// Array `index` of a frame, compressed.
    fn pack(&mut self, index: usize, plain: Vec<u8>) -> &[u8] {
        if self.arrays.get(index).is_none_or(|[last, _]| *last != plain) {
            let mut packed = Vec::new();
            self.compressor.append(&mut packed, &plain);
            self.arrays.splice(index..self.arrays.len().min(index + 1), [[plain, packed]]);
        }
        &self.arrays[index][1]
    }
}

/// The bytes of a `.vtu` file.
pub fn encode(frame: &Frame, packer: &mut Packer) -> Result<Vec<u8>, OutputError> {
    frame.check()?;
    refuse_taken_names(&frame.vertex_fields, &[VELOCITY, BODY])?;
    refuse_taken_names(&frame.cell_fields, &[BODY])?;
    let mut file = File { tags: String::new(), appended: Vec::new(), arrays: 0, packer };
    file.line("<?xml version=\"1.0\"?>");
    file.line(
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">",
    );
    file.line("<UnstructuredGrid>");
    file.line("<FieldData>");
    file.tuples(TIME, "Float64", 1, frame.time_s.to_le_bytes().to_vec());
    file.tuples(TICK, "UInt64", 1, frame.tick.0.to_le_bytes().to_vec());
    auxiliary_dofs(&mut file, &frame.auxiliary_dofs);
    file.line("</FieldData>");
    let (vertices, cells) = (frame.positions.len(), frame.topology.cells());
    file.line(&format!("<Piece NumberOfPoints=\"{vertices}\" NumberOfCells=\"{cells}\">"));
    points(&mut file, frame);
    cells_of(&mut file, frame);
    file.line("</Piece>");
    file.line("</UnstructuredGrid>");
    Ok(file.finish())
}

fn refuse_taken_names(fields: &[Field], taken: &[&str]) -> Result<(), OutputError> {
    for (i, field) in fields.iter().enumerate() {
        let twice = fields[..i].iter().any(|f| f.name == field.name);
        if twice || taken.contains(&field.name.as_str()) {
            return Err(OutputError::NameTaken { name: field.name.clone() });
        }
    }
    Ok(())
}

fn auxiliary_dofs(file: &mut File<'_>, auxiliary_dofs: &AuxiliaryFrame) {
    let count = auxiliary_dofs.bodies.len();
    if count == 0 {
        return;
    }
    file.tuples(GHOST_BODY, "UInt32", count, plain(auxiliary_dofs.bodies.iter().map(|b| b.to_le_bytes())));
    for (name, values) in
        [(GHOST_POSITION, &auxiliary_dofs.positions), (GHOST_VELOCITY, &auxiliary_dofs.velocities)]
    {
        let shape = format!("NumberOfComponents=\"3\" NumberOfTuples=\"{count}\" ");
        file.data_array(name, "Float64", &shape, plain_vectors(values));
    }
}

/// The bytes of all numbers, number by number: byte by byte takes as long as packing them.
fn plain<const BYTES: usize>(numbers: impl Iterator<Item = [u8; BYTES]>) -> Vec<u8> {
    let mut plain = Vec::with_capacity(numbers.size_hint().0 * BYTES);
    numbers.for_each(|number| plain.extend_from_slice(&number));
    plain
}

fn plain_vectors(values: &[Vec3]) -> Vec<u8> {
    plain(values.iter().flat_map(|v| v.to_array()).map(f64::to_le_bytes))
}

fn points(file: &mut File<'_>, frame: &Frame) {
    file.line(&format!("<PointData Vectors=\"{VELOCITY}\">"));
    file.vectors(VELOCITY, &frame.velocities);
    file.scalars(BODY, "UInt32", plain(frame.topology.vertex_body.iter().map(|b| b.to_le_bytes())));
    file.fields(&frame.vertex_fields);
    file.line("</PointData>");
    file.line("<Points>");
    file.vectors("Points", &frame.positions);
    file.line("</Points>");
}

fn cells_of(file: &mut File<'_>, frame: &Frame) {
    let topology = &frame.topology;
    file.line("<CellData>");
    file.scalars(BODY, "UInt32", plain(topology.cell_bodies().map(u32::to_le_bytes)));
    file.fields(&frame.cell_fields);
    file.line("</CellData>");

    let vertices = topology.stencils().flatten();
    let mut end = 0_i64;
    let offsets = topology.stencils().map(|stencil| {
        end += stencil.len() as i64;
        end.to_le_bytes()
    });
    let types = topology.stencils().map(|stencil| CELL_TYPES[stencil.len() - 1].0);
    file.line("<Cells>");
    file.scalars("connectivity", "Int64", plain(vertices.map(|&v| i64::from(v).to_le_bytes())));
    file.scalars("offsets", "Int64", plain(offsets));
    file.scalars("types", "UInt8", types.collect());
    file.line("</Cells>");
}

/// A file as it grows: the tags, and the arrays that will be appended to them.
struct File<'a> {
    tags: String,
    appended: Vec<u8>,
    /// Number of arrays so far.
    arrays: usize,
    packer: &'a mut Packer,
}

impl File<'_> {
    fn line(&mut self, tag: &str) {
        self.tags.push_str(tag);
        self.tags.push('\n');
    }

    fn scalars(&mut self, name: &str, kind: &str, plain: Vec<u8>) {
        // One component goes unsaid: said, meshio makes a matrix of one column of it.
        self.data_array(name, kind, "", plain);
    }

    fn vectors(&mut self, name: &str, values: &[Vec3]) {
        self.data_array(name, "Float64", "NumberOfComponents=\"3\" ", plain_vectors(values));
    }

    /// An array of field data: those count tuples, since no piece says how many there are.
    fn tuples(&mut self, name: &str, kind: &str, count: usize, plain: Vec<u8>) {
        self.data_array(name, kind, &format!("NumberOfTuples=\"{count}\" "), plain);
    }

    fn data_array(&mut self, name: &str, kind: &str, shape: &str, plain: Vec<u8>) {
        let (name, offset) = (escape(name), self.appended.len());
        let _ = writeln!(
            self.tags,
            "<DataArray type=\"{kind}\" Name=\"{name}\" {shape}format=\"appended\" offset=\"{offset}\"/>"
        );
        self.appended.extend_from_slice(self.packer.pack(self.arrays, plain));
        self.arrays += 1;
    }

    fn fields(&mut self, fields: &[Field]) {
        for field in fields {
            self.scalars(&field.name, "Float64", plain(field.values.iter().map(|v| v.to_le_bytes())));
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.tags.push_str("<AppendedData encoding=\"raw\">\n_");
        let mut bytes = self.tags.into_bytes();
        bytes.extend(self.appended);
        // meshio finds the end of the data by the line break before the closing tag.
        bytes.extend(b"\n</AppendedData>\n</VTKFile>\n");
        bytes
    }
}
