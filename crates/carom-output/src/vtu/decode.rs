//! From the bytes of a `.vtu` file to the frame it was made from.

use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{AuxiliaryFrame, Field, Frame, Topology};
use carom_time::Tick;

use super::{BODY, CELL_TYPES, GHOST_BODY, GHOST_POSITION, GHOST_VELOCITY, TICK, TIME, VELOCITY, blocks};
use crate::xml::{Tag, tags};

/// The frame in the bytes of a `.vtu` file, or what is wrong with them.
pub fn decode(bytes: &[u8]) -> Result<Frame, String> {
    let file = File::open(bytes)?;
    let n = file.vertices;
    let positions = file.vectors("Points", "Points", n)?;
    let velocities = file.vectors("PointData", VELOCITY, n)?;
    let vertex_body = file.numbers("PointData", BODY, n, u32::from_le_bytes)?;
    let topology = Topology { vertex_body, ..file.topology()? };
    let tick = file.numbers("FieldData", TICK, 1, u64::from_le_bytes)?;
    let time_s = file.numbers("FieldData", TIME, 1, f64::from_le_bytes)?;
    let frame = Frame {
        tick: Tick(tick[0]),
        time_s: time_s[0],
        positions,
        velocities,
        topology: Arc::new(topology),
        vertex_fields: file.fields("PointData", n)?,
        cell_fields: file.fields("CellData", file.cells)?,
        auxiliary_dofs: file.auxiliary_dofs()?,
    };
    frame.check().map_err(|e| e.to_string())?;
    Ok(frame)
}

/// An array that the tags promise.
struct Array<'a> {
    section: &'a str,
    name: String,
    kind: String,
    offset: usize,
    /// Number of tuples as declared; only field data declare it.
    tuples: Option<usize>,
}

/// The tags, read, and the appended data, untouched.
struct File<'a> {
    vertices: usize,
    cells: usize,
    arrays: Vec<Array<'a>>,
    appended: &'a [u8],
}

impl<'a> File<'a> {
    fn open(bytes: &'a [u8]) -> Result<Self, String> {
        const MARK: &[u8] = b"<AppendedData encoding=\"raw\">";
        const NOT_OURS: &str = "not a .vtu file with raw appended data, as carom writes them";
        let at = bytes.windows(MARK.len()).position(|w| w == MARK).ok_or(NOT_OURS)?;
        let text = std::str::from_utf8(&bytes[..at]).map_err(|_| NOT_OURS)?;
        let after = &bytes[at + MARK.len()..];
        let underscore = after.iter().position(|&b| b == b'_').ok_or(NOT_OURS)?;

        let (mut section, mut counts, mut arrays) = ("", None, Vec::new());
        for tag in tags(text) {
            match tag.name {
                "VTKFile" => check_header(tag)?,
                "FieldData" | "PointData" | "CellData" | "Points" | "Cells" => section = tag.name,
                "Piece" => {
                    counts = Some((whole(tag, "NumberOfPoints")?, whole(tag, "NumberOfCells")?));
                }
                "DataArray" => arrays.push(Array {
                    section,
                    name: text_of(tag, "Name")?,
                    kind: text_of(tag, "type")?,
                    offset: whole(tag, "offset")?,
                    tuples: tag.attribute("NumberOfTuples").and_then(|count| count.parse().ok()),
                }),
                _ => {}
            }
        }
        let (vertices, cells) = counts.ok_or("the grid has no <Piece>")?;
        Ok(Self { vertices, cells, arrays, appended: &after[underscore + 1..] })
    }

    /// `count` numbers of `SIZE` bytes.
    fn numbers<T: Number, const SIZE: usize>(
        &self,
        section: &str,
        name: &str,
        count: usize,
        from: fn([u8; SIZE]) -> T,
    ) -> Result<Vec<T>, String> {
        let found = self.arrays.iter().find(|a| a.section == section && a.name == name);
        let array = found.ok_or_else(|| format!("{section} has no array {name}"))?;
        if array.kind != T::KIND {
            return Err(format!("array {name} is of type {}, not {}", array.kind, T::KIND));
        }
        let length = count.checked_mul(SIZE).ok_or_else(|| format!("array {name} is too long"))?;
        let plain =
            blocks::extract(self.appended, array.offset, length).map_err(|e| format!("array {name}: {e}"))?;
        let (chunks, _) = plain.as_chunks::<SIZE>();
        Ok(chunks.iter().map(|&bytes| from(bytes)).collect())
    }

    fn vectors(&self, section: &str, name: &str, count: usize) -> Result<Vec<Vec3>, String> {
        let count = count.checked_mul(3).ok_or_else(|| format!("array {name} is too long"))?;
        let flat = self.numbers(section, name, count, f64::from_le_bytes)?;
        let (chunks, _) = flat.as_chunks::<3>();
        Ok(chunks.iter().map(|&v| Vec3::from(v)).collect())
    }

    /// The arrays of a section that are not in every frame.
    fn fields(&self, section: &str, count: usize) -> Result<Vec<Field>, String> {
        let own = |a: &&Array<'_>| a.section == section && a.name != VELOCITY && a.name != BODY;
        let fields = self.arrays.iter().filter(own).map(|a| {
            let values = self.numbers(section, &a.name, count, f64::from_le_bytes)?;
            Ok(Field::new(a.name.clone(), values))
        });
        fields.collect()
    }

    /// The auxiliary degrees of freedom; empty if the frame has none.
    fn auxiliary_dofs(&self) -> Result<AuxiliaryFrame, String> {
        let Some(bodies) = self.arrays.iter().find(|a| a.section == "FieldData" && a.name == GHOST_BODY)
        else {
            return Ok(AuxiliaryFrame::default());
        };
        let count = bodies.tuples.ok_or_else(|| format!("array {GHOST_BODY} does not say how long it is"))?;
        Ok(AuxiliaryFrame {
            bodies: self.numbers("FieldData", GHOST_BODY, count, u32::from_le_bytes)?,
            positions: self.vectors("FieldData", GHOST_POSITION, count)?,
            velocities: self.vectors("FieldData", GHOST_VELOCITY, count)?,
        })
    }

    fn topology(&self) -> Result<Topology, String> {
        let types = self.numbers("Cells", "types", self.cells, u8::from_le_bytes)?;
        let mut counts = [0_usize; 4];
        for (cell, kind) in types.iter().enumerate() {
            let slot = CELL_TYPES.iter().position(|(t, _)| t == kind);
            let slot = slot.ok_or_else(|| format!("cell {cell} is of the unknown type {kind}"))?;
            if counts[slot + 1..].iter().any(|&n| n > 0) {
                return Err(format!("cell {cell} is out of order: points, edges, triangles, tetrahedra"));
            }
            counts[slot] += 1;
        }
        let total = CELL_TYPES.iter().zip(counts).map(|((_, size), count)| size * count).sum();
        let connectivity = self.numbers("Cells", "connectivity", total, i64::from_le_bytes)?;
        let vertices: Result<Vec<u32>, _> = connectivity.into_iter().map(u32::try_from).collect();
        let vertices = vertices.map_err(|_| "a cell names a vertex that cannot be")?;
        let (points, rest) = vertices.split_at(counts[0]);
        let (edges, rest) = rest.split_at(2 * counts[1]);
        let (triangles, tets) = rest.split_at(3 * counts[2]);
        Ok(Topology {
            points: points.to_vec(),
            edges: edges.as_chunks().0.to_vec(),
            triangles: triangles.as_chunks().0.to_vec(),
            tets: tets.as_chunks().0.to_vec(),
            vertex_body: Vec::new(),
        })
    }
}

fn check_header(tag: Tag<'_>) -> Result<(), String> {
    let expected = [
        ("type", "UnstructuredGrid"),
        ("byte_order", "LittleEndian"),
        ("header_type", "UInt64"),
        ("compressor", "vtkZLibDataCompressor"),
    ];
    for (key, value) in expected {
        let found = text_of(tag, key)?;
        if found != value {
            return Err(format!("{key} is {found}: only {value} is read here"));
        }
    }
    Ok(())
}

fn text_of(tag: Tag<'_>, key: &str) -> Result<String, String> {
    tag.attribute(key).ok_or_else(|| format!("<{}> has no {key}", tag.name))
}

fn whole(tag: Tag<'_>, key: &str) -> Result<usize, String> {
    let text = text_of(tag, key)?;
    text.parse().map_err(|_| format!("{key}=\"{text}\" is no whole number"))
}

/// A number that VTK has a name for.
trait Number {
    const KIND: &'static str;
}

impl Number for u8 {
    const KIND: &'static str = "UInt8";
}
impl Number for u32 {
    const KIND: &'static str = "UInt32";
}
impl Number for u64 {
    const KIND: &'static str = "UInt64";
}
impl Number for i64 {
    const KIND: &'static str = "Int64";
}
impl Number for f64 {
    const KIND: &'static str = "Float64";
}
