//! Legacy VTK, text: unstructured grids and surfaces.
//!
//! Cells are read in both ways the format has had: each with its count before its vertices, and
//! (from version 5 on) as offsets into one list. Data on points and cells is passed over.

use carom_geometry::Mesh;
use carom_math::Vec3;

use super::cursor::Cursor;
use super::polygon::Polygons;
use super::text::quoted;
use super::{Fault, remedy};

/// Cells as lists of vertices, with the line each stands in.
type Cells = Vec<(usize, Vec<u64>)>;

pub fn read(bytes: &[u8]) -> Result<Mesh, Fault> {
    let mut cursor = Cursor::new(bytes);
    if !cursor.rest_of_line().starts_with("# vtk DataFile Version") {
        return Err(Fault::at(1, "the file does not start with `# vtk DataFile Version`", remedy::DAMAGED));
    }
    cursor.rest_of_line();
    match cursor.expect_word("`ASCII`")? {
        "ASCII" => {}
        "BINARY" => {
            return Err(cursor.fault("binary VTK files are not read", "save it as ASCII"));
        }
        other => {
            return Err(cursor.fault(format!("{} where `ASCII` should be", quoted(other)), remedy::DAMAGED));
        }
    }
    cursor.keyword("DATASET")?;
    let dataset = cursor.expect_word("the kind of data set")?;
    if !matches!(dataset, "UNSTRUCTURED_GRID" | "POLYDATA") {
        let message = format!("data sets of the kind {} are not read", quoted(dataset));
        return Err(cursor.fault(message, "save it as UNSTRUCTURED_GRID or POLYDATA"));
    }
    let mut file = File::default();
    while let Some(word) = cursor.word() {
        match word {
            "POINTS" => file.points(&mut cursor)?,
            "CELLS" => file.cells = cells(&mut cursor)?,
            "CELL_TYPES" => file.types = types(&mut cursor)?,
            "POLYGONS" => file.faces.extend(cells(&mut cursor)?),
            "LINES" => file.lines.extend(cells(&mut cursor)?),
            "VERTICES" => {
                cells(&mut cursor)?;
            }
            "METADATA" => {
                cursor.rest_of_line();
                while !cursor.rest_of_line().is_empty() {}
            }
            "POINT_DATA" | "CELL_DATA" | "FIELD" => break,
            other => {
                let message = format!("{} is no part of a data set we read", quoted(other));
                return Err(cursor.fault(message, remedy::DAMAGED));
            }
        }
    }
    file.finish()
}

/// Cells, however they are written.
fn cells(cursor: &mut Cursor<'_>) -> Result<Cells, Fault> {
    let count = cursor.count("the count of cells")?;
    cursor.count("the size of the list of cells")?;
    let mut cells = Cells::new();
    if cursor.peek() != Some("OFFSETS") {
        for _ in 0..count {
            let size = cursor.count("the size of a cell")?;
            let mut cell = Vec::new();
            for _ in 0..size {
                cell.push(cursor.count("a vertex of a cell")?);
            }
            cells.push((cursor.line(), cell));
        }
        return Ok(cells);
    }
    // Here `count` is the number of offsets, one more than there are cells.
    cursor.keyword("OFFSETS")?;
    cursor.expect_word("a type")?;
    let mut offsets = Vec::new();
    for _ in 0..count {
        offsets.push(cursor.count("an offset")?);
    }
    cursor.keyword("CONNECTIVITY")?;
    cursor.expect_word("a type")?;
    for pair in offsets.windows(2) {
        let Some(size) = pair[1].checked_sub(pair[0]) else {
            return Err(cursor.fault("the offsets of cells do not rise", remedy::DAMAGED));
        };
        let mut cell = Vec::new();
        for _ in 0..size {
            cell.push(cursor.count("a vertex of a cell")?);
        }
        cells.push((cursor.line(), cell));
    }
    Ok(cells)
}

fn types(cursor: &mut Cursor<'_>) -> Result<Vec<u64>, Fault> {
    let count = cursor.count("the count of types")?;
    let mut types = Vec::new();
    for _ in 0..count {
        types.push(cursor.count("the type of a cell")?);
    }
    Ok(types)
}

#[derive(Default)]
struct File {
    mesh: Mesh,
    cells: Cells,
    types: Vec<u64>,
    faces: Cells,
    lines: Cells,
}

impl File {
    fn points(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let count = cursor.count("the count of points")?;
        cursor.expect_word("the type of the points")?;
        for _ in 0..count {
            let mut coordinate = || cursor.number("a coordinate");
            self.mesh.positions.push(Vec3::new(coordinate()?, coordinate()?, coordinate()?));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Mesh, Fault> {
        if self.types.len() != self.cells.len() {
            let message =
                format!("there are {} cells but {} types of cells", self.cells.len(), self.types.len());
            return Err(Fault::new(message, remedy::CUT));
        }
        let mut faces = Polygons::default();
        for ((line, cell), kind) in core::mem::take(&mut self.cells).into_iter().zip(&self.types) {
            match (kind, cell.len()) {
                // Points.
                (1 | 2, _) => {}
                (3, 2) | (4, 2..) => self.lines.push((line, cell)),
                (5, 3) | (9, 4) | (7, 3..) => faces.push(Some(line), cell),
                (10, 4) => self.mesh.tets.push(self.existing(line, &cell)?),
                (3 | 4 | 5 | 7 | 9 | 10, size) => {
                    let message = format!("a cell of type {kind} has {size} vertices");
                    return Err(Fault::at(line, message, remedy::DAMAGED));
                }
                _ => {
                    let message = format!("cells of type {kind} are not read");
                    return Err(Fault::at(line, message, "use lines, triangles and linear tetrahedra"));
                }
            }
        }
        for (line, cell) in core::mem::take(&mut self.faces) {
            faces.push(Some(line), cell);
        }
        for (line, cell) in core::mem::take(&mut self.lines) {
            for pair in cell.windows(2) {
                let edge = self.existing(line, pair)?;
                self.mesh.edges.push(edge);
            }
        }
        self.mesh.triangles = faces.triangulate(&self.mesh.positions, 0)?;
        Ok(self.mesh)
    }

    /// The vertices of an element, which must exist.
    fn existing<const N: usize>(&self, line: usize, cell: &[u64]) -> Result<[u32; N], Fault> {
        let mut element = [0; N];
        for (vertex, named) in element.iter_mut().zip(cell) {
            if *named >= self.mesh.positions.len() as u64 {
                let message =
                    format!("a cell names vertex {named}, but there are {}", self.mesh.positions.len());
                return Err(Fault::at(line, message, remedy::INDICES));
            }
            *vertex = *named as u32;
        }
        Ok(element)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) const GRID: &str = "\
# vtk DataFile Version 3.0
one of each
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 double
0 0 0 1 0 0
0 1 0 0 0 1
METADATA
INFORMATION 0

CELLS 4 16
4 0 1 2 3
3 0 1 2
4 0 1 2 3
1 0
CELL_TYPES 4
10 5 4 1
POINT_DATA 4
SCALARS anything float
";

    fn message(file: &str) -> String {
        read(file.as_bytes()).unwrap_err().message
    }

    #[test]
    fn cells_of_each_kind_are_read() {
        let mesh = read(GRID.as_bytes()).unwrap();
        assert_eq!(mesh.positions.len(), 4);
        assert_eq!(mesh.tets, [[0, 1, 2, 3]]);
        assert_eq!(mesh.triangles, [[0, 1, 2]]);
        assert_eq!(mesh.edges, [[0, 1], [1, 2], [2, 3]]);
    }

    #[test]
    fn cells_as_offsets_and_surfaces_are_read() {
        let file = GRID.replace(
            "CELLS 4 16\n4 0 1 2 3\n3 0 1 2\n4 0 1 2 3\n1 0\n",
            "CELLS 5 12\nOFFSETS vtktypeint64\n0 4 7 11 12\nCONNECTIVITY vtktypeint64\n0 1 2 3 0 1 2 0 1 2 3 0\n",
        );
        assert_eq!(read(file.as_bytes()).unwrap(), read(GRID.as_bytes()).unwrap());
        let surface = "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n\
                       0 0 0 1 0 0 0 1 0\nPOLYGONS 1 4\n3 0 1 2\nLINES 1 3\n2 0 1\n";
        let mesh = read(surface.as_bytes()).unwrap();
        assert_eq!((mesh.triangles, mesh.edges), (vec![[0, 1, 2]], vec![[0, 1]]));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(message(&GRID.replace("10 5 4 1", "12 5 4 1")), "cells of type 12 are not read");
        assert_eq!(message(&GRID.replace("10 5 4 1", "10 10 4 1")), "a cell of type 10 has 3 vertices");
        assert_eq!(
            message(&GRID.replace("CELL_TYPES 4\n10 5 4 1", "CELL_TYPES 1\n10")),
            "there are 4 cells but 1 types of cells"
        );
        assert_eq!(
            message(&GRID.replace("4 0 1 2 3\n3", "4 0 1 2 9\n3")),
            "a cell names vertex 9, but there are 4"
        );
        assert_eq!(message(&GRID.replace("ASCII", "BINARY")), "binary VTK files are not read");
        assert_eq!(message(&GRID.replace("POINTS 4", "POINTS 4000000000")), "`METADATA` is not a number");
        assert_eq!(message("# vtk"), "the file does not start with `# vtk DataFile Version`");
    }
}
