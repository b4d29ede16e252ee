//! From a frame to the bytes of a `.vtu` file.

use std::fmt::Write as _;

use carom_math::Vec3;
use carom_model::{Field, Frame, GhostFrame};

use super::{BODY, CELL_TYPES, GHOST_BODY, GHOST_POSITION, GHOST_VELOCITY, TICK, TIME, VELOCITY, blocks};
use crate::OutputError;
use crate::xml::escape;

/// The bytes of a `.vtu` file.
pub fn encode(frame: &Frame) -> Result<Vec<u8>, OutputError> {
    frame.check()?;
    refuse_taken_names(&frame.vertex_fields, &[VELOCITY, BODY])?;
    refuse_taken_names(&frame.cell_fields, &[BODY])?;
    let mut file = File::default();
    file.line("<?xml version=\"1.0\"?>");
    file.line(
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">",
    );
    file.line("<UnstructuredGrid>");
    file.line("<FieldData>");
    file.tuples(TIME, "Float64", 1, &frame.time_s.to_le_bytes());
    file.tuples(TICK, "UInt64", 1, &frame.tick.0.to_le_bytes());
    ghosts(&mut file, &frame.ghosts);
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

fn ghosts(file: &mut File, ghosts: &GhostFrame) {
    let count = ghosts.bodies.len();
    if count == 0 {
        return;
    }
    let bodies: Vec<u8> = ghosts.bodies.iter().flat_map(|b| b.to_le_bytes()).collect();
    file.tuples(GHOST_BODY, "UInt32", count, &bodies);
    for (name, values) in [(GHOST_POSITION, &ghosts.positions), (GHOST_VELOCITY, &ghosts.velocities)] {
        let shape = format!("NumberOfComponents=\"3\" NumberOfTuples=\"{count}\" ");
        file.data_array(name, "Float64", &shape, &plain(values));
    }
}

fn plain(values: &[Vec3]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_array()).flat_map(f64::to_le_bytes).collect()
}

fn points(file: &mut File, frame: &Frame) {
    file.line(&format!("<PointData Vectors=\"{VELOCITY}\">"));
    file.vectors(VELOCITY, &frame.velocities);
    let bodies = frame.topology.vertex_body.iter().flat_map(|b| b.to_le_bytes());
    file.scalars(BODY, "UInt32", &bodies.collect::<Vec<u8>>());
    file.fields(&frame.vertex_fields);
    file.line("</PointData>");
    file.line("<Points>");
    file.vectors("Points", &frame.positions);
    file.line("</Points>");
}

fn cells_of(file: &mut File, frame: &Frame) {
    let topology = &frame.topology;
    file.line("<CellData>");
    file.scalars(BODY, "UInt32", &topology.cell_bodies().flat_map(u32::to_le_bytes).collect::<Vec<u8>>());
    file.fields(&frame.cell_fields);
    file.line("</CellData>");

    let vertices = topology.stencils().flatten();
    let connectivity: Vec<u8> = vertices.flat_map(|&v| i64::from(v).to_le_bytes()).collect();
    let mut end = 0_i64;
    let offsets = topology.stencils().flat_map(|stencil| {
        end += stencil.len() as i64;
        end.to_le_bytes()
    });
    let offsets: Vec<u8> = offsets.collect();
    let kind = |vertices: usize| CELL_TYPES[vertices - 1].0;
    let types: Vec<u8> = topology.stencils().map(|stencil| kind(stencil.len())).collect();
    file.line("<Cells>");
    file.scalars("connectivity", "Int64", &connectivity);
    file.scalars("offsets", "Int64", &offsets);
    file.scalars("types", "UInt8", &types);
    file.line("</Cells>");
}

/// A file as it grows: the tags, and the arrays that will be appended to them.
#[derive(Default)]
struct File {
    tags: String,
    appended: Vec<u8>,
}

impl File {
    fn line(&mut self, tag: &str) {
        self.tags.push_str(tag);
        self.tags.push('\n');
    }

    fn scalars(&mut self, name: &str, kind: &str, plain: &[u8]) {
        // One component goes unsaid: said, meshio makes a matrix of one column of it.
        self.data_array(name, kind, "", plain);
    }

    fn vectors(&mut self, name: &str, values: &[Vec3]) {
        self.data_array(name, "Float64", "NumberOfComponents=\"3\" ", &plain(values));
    }

    /// An array of field data: those count tuples, since no piece says how many there are.
    fn tuples(&mut self, name: &str, kind: &str, count: usize, plain: &[u8]) {
        self.data_array(name, kind, &format!("NumberOfTuples=\"{count}\" "), plain);
    }

    fn data_array(&mut self, name: &str, kind: &str, shape: &str, plain: &[u8]) {
        let (name, offset) = (escape(name), self.appended.len());
        let _ = writeln!(
            self.tags,
            "<DataArray type=\"{kind}\" Name=\"{name}\" {shape}format=\"appended\" offset=\"{offset}\"/>"
        );
        blocks::append(&mut self.appended, plain);
    }

    fn fields(&mut self, fields: &[Field]) {
        for field in fields {
            let plain: Vec<u8> = field.values.iter().flat_map(|v| v.to_le_bytes()).collect();
            self.scalars(&field.name, "Float64", &plain);
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
