//! Stanford PLY, text and binary.
//!
//! The header says which elements follow and what each is made of; read are the places of
//! vertices, the corners of faces and the ends of edges, and everything else is skipped by its declared size. An element without properties
//! has no bytes, so its count is never iterated over.

use std::collections::BTreeMap;

use carom_geometry::{Group, Mesh};
use carom_math::Vec3;

use super::cursor::{Cursor, Order};
use super::polygon::Polygons;
use super::text::{self, quoted};
use super::{Fault, remedy};

/// The types of numbers.
#[derive(Clone, Copy)]
enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

struct Property {
    name: String,
    value: Scalar,
    /// The type of its length, if it is a list.
    length: Option<Scalar>,
}

struct Element {
    name: String,
    count: u64,
    properties: Vec<Property>,
}

/// The data after the header.
enum Body<'a> {
    /// One row a line; the words left of the row, and its line.
    Text {
        cursor: Cursor<'a>,
        row: Vec<String>,
        line: usize,
    },
    Raw {
        cursor: Cursor<'a>,
        order: Order,
    },
}

pub fn read(bytes: &[u8]) -> Result<Mesh, Fault> {
    let mut cursor = Cursor::new(bytes);
    let (order, elements) = header(&mut cursor)?;
    if !elements.iter().any(|e| e.name == "vertex") {
        return Err(Fault::new("the header announces no vertices", remedy::CUT));
    }
    let mut body = match order {
        None => Body::Text { cursor, row: Vec::new(), line: 0 },
        Some(order) => Body::Raw { cursor, order },
    };
    let mut mesh = Mesh::default();
    let mut faces = Polygons::default();
    let mut colours = Colours::default();
    for element in elements.iter().filter(|e| !e.properties.is_empty()) {
        match element.name.as_str() {
            "vertex" => read_vertices(&mut body, element, &mut mesh, &mut colours)?,
            "face" => read_faces(&mut body, element, &mut faces, &mut colours)?,
            "edge" => read_edges(&mut body, element, &mut mesh)?,
            "tristrips" => {
                return Err(Fault::new("strips of triangles are not read", "export plain triangles"));
            }
            _ => {
                for _ in 0..element.count {
                    body.row(element, |_, _| Ok(()))?;
                }
            }
        }
    }
    body.nothing_follows()?;
    mesh.triangles = faces.triangulate(&mesh.positions, 0)?;
    let count = mesh.positions.len();
    mesh.groups = colours.groups(count as u64);
    match mesh.edges.iter().position(|e| e.iter().any(|v| *v as usize >= count)) {
        Some(edge) => Err(Fault::new(
            format!("edge {edge} names a vertex that does not exist (there are {count})"),
            remedy::INDICES,
        )),
        None => Ok(mesh),
    }
}

fn header(cursor: &mut Cursor<'_>) -> Result<(Option<Order>, Vec<Element>), Fault> {
    if cursor.word() != Some("ply") {
        return Err(cursor.fault("the file does not start with `ply`", remedy::DAMAGED));
    }
    let mut order = None;
    let mut elements: Vec<Element> = Vec::new();
    loop {
        match cursor.expect_word("the end of the header")? {
            "comment" | "obj_info" => {
                cursor.rest_of_line();
            }
            "format" => {
                order = match cursor.expect_word("a format")? {
                    "ascii" => None,
                    "binary_little_endian" => Some(Order::Little),
                    "binary_big_endian" => Some(Order::Big),
                    other => {
                        let message = format!("{} is no format of a PLY file", quoted(other));
                        return Err(cursor.fault(message, remedy::DAMAGED));
                    }
                };
                cursor.expect_word("a version")?;
            }
            "element" => {
                let name = cursor.expect_word("the name of an element")?.to_owned();
                let count = cursor.count("the count of an element")?;
                elements.push(Element { name, count, properties: Vec::new() });
            }
            "property" => {
                let property = property(cursor)?;
                let Some(element) = elements.last_mut() else {
                    return Err(cursor.fault("a property before any element", remedy::DAMAGED));
                };
                element.properties.push(property);
            }
            "end_header" => {
                cursor.rest_of_line();
                return Ok((order, elements));
            }
            other => {
                let message = format!("{} is no word of a header", quoted(other));
                return Err(cursor.fault(message, remedy::DAMAGED));
            }
        }
    }
}

fn property(cursor: &mut Cursor<'_>) -> Result<Property, Fault> {
    let mut kind = cursor.expect_word("the type of a property")?;
    let mut length = None;
    if kind == "list" {
        length = Some(scalar(cursor, "the type of a length")?);
        kind = cursor.expect_word("the type of a list")?;
    }
    let value = scalar_named(cursor, kind)?;
    let name = cursor.expect_word("the name of a property")?.to_owned();
    Ok(Property { name, value, length })
}

fn scalar(cursor: &mut Cursor<'_>, what: &str) -> Result<Scalar, Fault> {
    let name = cursor.expect_word(what)?;
    scalar_named(cursor, name)
}

fn scalar_named(cursor: &Cursor<'_>, name: &str) -> Result<Scalar, Fault> {
    Ok(match name {
        "char" | "int8" => Scalar::I8,
        "uchar" | "uint8" => Scalar::U8,
        "short" | "int16" => Scalar::I16,
        "ushort" | "uint16" => Scalar::U16,
        "int" | "int32" => Scalar::I32,
        "uint" | "uint32" => Scalar::U32,
        "float" | "float32" => Scalar::F32,
        "double" | "float64" => Scalar::F64,
        _ => {
            let message = format!("{} is no type of a number", quoted(name));
            return Err(cursor.fault(message, remedy::DAMAGED));
        }
    })
}

impl Body<'_> {
    /// Reads one row, handing each value over with the number of its property.
    fn row(
        &mut self,
        element: &Element,
        mut take: impl FnMut(usize, f64) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.next_row(element)?;
        for (number, property) in element.properties.iter().enumerate() {
            let values = match property.length {
                None => 1,
                Some(length) => self.length(length, property)?,
            };
            for _ in 0..values {
                take(number, self.value(property.value)?)?;
            }
        }
        Ok(())
    }

    fn next_row(&mut self, element: &Element) -> Result<(), Fault> {
        if let Self::Text { cursor, row, line } = self {
            // Peeking at the first word skips blank lines.
            if cursor.peek().is_none() {
                let message = format!("the file ends before all of {} {}", element.count, element.name);
                return Err(cursor.fault(message, remedy::CUT));
            }
            let first = cursor.expect_word("a row")?.to_owned();
            *line = cursor.line();
            let rest = cursor.rest_of_line();
            *row = core::iter::once(first).chain(rest.split_whitespace().map(str::to_owned)).collect();
            row.reverse();
        }
        Ok(())
    }

    fn length(&mut self, kind: Scalar, property: &Property) -> Result<u64, Fault> {
        let length = self.value(kind)?;
        if length < 0.0 || length.fract() != 0.0 {
            let message = format!("the list {} has the length {length}", quoted(&property.name));
            return Err(self.fault(message, remedy::DAMAGED));
        }
        Ok(length as u64)
    }

    fn value(&mut self, kind: Scalar) -> Result<f64, Fault> {
        match self {
            Self::Text { row, line, .. } => match row.pop() {
                Some(word) => text::number(*line, &word),
                None => Err(Fault::at(*line, "the row ends early", remedy::CUT)),
            },
            Self::Raw { cursor, order } => raw_value(cursor, *order, kind),
        }
    }

    fn fault(&self, message: String, remedy: &'static str) -> Fault {
        match self {
            Self::Text { line, .. } => Fault::at(*line, message, remedy),
            Self::Raw { cursor, .. } => {
                Fault::new(format!("{message} (before byte {})", cursor.offset()), remedy)
            }
        }
    }

    /// Refuses what follows the rows of the header: it would be lost in silence.
    fn nothing_follows(&self) -> Result<(), Fault> {
        let (Self::Text { cursor, .. } | Self::Raw { cursor, .. }) = self;
        match cursor.peek() {
            None => Ok(()),
            Some(_) => Err(self.fault("more follows after the last row".to_owned(), remedy::COUNTS)),
        }
    }

    fn line(&self) -> Option<usize> {
        match self {
            Self::Text { line, .. } => Some(*line),
            Self::Raw { .. } => None,
        }
    }
}

fn raw_value(cursor: &mut Cursor<'_>, order: Order, kind: Scalar) -> Result<f64, Fault> {
    const WHERE: &str = "the rows that the header announces";
    Ok(match kind {
        Scalar::I8 => f64::from(i8::from_le_bytes(cursor.raw(WHERE)?)),
        Scalar::U8 => f64::from(u8::from_le_bytes(cursor.raw(WHERE)?)),
        Scalar::I16 => f64::from(i16::from_le_bytes(order.little(cursor.raw(WHERE)?))),
        Scalar::U16 => f64::from(u16::from_le_bytes(order.little(cursor.raw(WHERE)?))),
        Scalar::I32 => f64::from(i32::from_le_bytes(order.little(cursor.raw(WHERE)?))),
        Scalar::U32 => f64::from(u32::from_le_bytes(order.little(cursor.raw(WHERE)?))),
        Scalar::F32 => f64::from(f32::from_le_bytes(order.little(cursor.raw(WHERE)?))),
        Scalar::F64 => f64::from_le_bytes(order.little(cursor.raw(WHERE)?)),
    })
}

/// The number of the property called one of `names`.
fn property_number(element: &Element, names: &[&str]) -> Result<usize, Fault> {
    element.properties.iter().position(|p| names.contains(&p.name.as_str())).ok_or_else(|| {
        let message = format!("the element `{}` has no property {}", element.name, quoted(names[0]));
        Fault::new(message, remedy::DAMAGED)
    })
}

fn read_vertices(
    body: &mut Body<'_>,
    element: &Element,
    mesh: &mut Mesh,
    colours: &mut Colours,
) -> Result<(), Fault> {
    let paint = Paint::of(element);
    let axes = [
        property_number(element, &["x"])?,
        property_number(element, &["y"])?,
        property_number(element, &["z"])?,
    ];
    for vertex in 0..element.count {
        let mut place = [0.0; 3];
        let mut colour = [0.0; 3];
        body.row(element, |property, value| {
            paint.take(property, value, &mut colour);
            if let Some(axis) = axes.iter().position(|a| *a == property) {
                place[axis] = value;
            }
            Ok(())
        })?;
        let place = Vec3::from(place);
        if !place.is_finite() {
            let message = format!("vertex {vertex} has a coordinate that is infinite or not a number");
            return Err(body.fault(message, remedy::FINITE));
        }
        colours.add(&paint, colour, &[vertex]);
        mesh.positions.push(place);
    }
    Ok(())
}

/// Which properties of an element are its colour.
struct Paint {
    channels: Option<[usize; 3]>,
    /// The value of full brightness.
    full: f64,
}

impl Paint {
    fn of(element: &Element) -> Self {
        let number = |name: &str| property_number(element, &[name, &format!("diffuse_{name}")]).ok();
        let channels = match (number("red"), number("green"), number("blue")) {
            (Some(r), Some(g), Some(b)) => Some([r, g, b]),
            _ => None,
        };
        let is_float =
            channels.is_some_and(|[r, ..]| matches!(element.properties[r].value, Scalar::F32 | Scalar::F64));
        Self { channels, full: if is_float { 1.0 } else { 255.0 } }
    }

    fn take(&self, property: usize, value: f64, colour: &mut [f64; 3]) {
        let channel = self.channels.and_then(|channels| channels.iter().position(|c| *c == property));
        if let Some(channel) = channel {
            colour[channel] = value / self.full;
        }
    }
}

/// The vertices of each colour. Few colours are marks, and become groups called `#rrggbb`; many are a picture.
#[derive(Default)]
struct Colours(BTreeMap<[u8; 3], Vec<u64>>);

/// The most colours that are taken for marks.
const MOST_COLOURS: usize = 256;

impl Colours {
    fn add(&mut self, paint: &Paint, colour: [f64; 3], vertices: &[u64]) {
        if paint.channels.is_some() && self.0.len() <= MOST_COLOURS {
            let colour = colour.map(|c| (255.0 * c).round().clamp(0.0, 255.0) as u8);
            self.0.entry(colour).or_default().extend(vertices);
        }
    }

    fn groups(self, count: u64) -> Vec<Group> {
        if self.0.len() > MOST_COLOURS {
            return Vec::new();
        }
        let group = |([r, g, b], vertices): ([u8; 3], Vec<u64>)| {
            Group::new(
                format!("#{r:02x}{g:02x}{b:02x}"),
                vertices.into_iter().filter(|v| *v < count).map(|v| v as u32),
            )
        };
        self.0.into_iter().map(group).collect()
    }
}

fn read_faces(
    body: &mut Body<'_>,
    element: &Element,
    faces: &mut Polygons,
    colours: &mut Colours,
) -> Result<(), Fault> {
    let paint = Paint::of(element);
    let list = property_number(element, &["vertex_indices", "vertex_index"])?;
    let mut corners = Vec::new();
    for _ in 0..element.count {
        corners.clear();
        let mut colour = [0.0; 3];
        body.row(element, |property, value| {
            paint.take(property, value, &mut colour);
            if property == list {
                corners.push(index(value)?);
            }
            Ok(())
        })
        .map_err(|fault| Fault { line: fault.line.or(body.line()), ..fault })?;
        colours.add(&paint, colour, &corners);
        faces.push(body.line(), corners.iter().copied());
    }
    Ok(())
}

fn read_edges(body: &mut Body<'_>, element: &Element, mesh: &mut Mesh) -> Result<(), Fault> {
    let ends = [property_number(element, &["vertex1"])?, property_number(element, &["vertex2"])?];
    for _ in 0..element.count {
        let mut edge = [0_u32; 2];
        body.row(element, |property, value| {
            if let Some(end) = ends.iter().position(|e| *e == property) {
                edge[end] = u32::try_from(index(value)?).unwrap_or(u32::MAX);
            }
            Ok(())
        })
        .map_err(|fault| Fault { line: fault.line.or(body.line()), ..fault })?;
        mesh.edges.push(edge);
    }
    Ok(())
}

fn index(value: f64) -> Result<u64, Fault> {
    if value >= 0.0 && value.fract() == 0.0 {
        return Ok(value as u64);
    }
    Err(Fault::new(format!("{value} is no number of a vertex"), remedy::INDICES))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) const SQUARE: &str = "\
ply
format ascii 1.0
comment a square and one of its edges
element vertex 4
property double x
property double y
property double z
property uchar red
element face 1
property list uchar int vertex_indices
element nothing 999999999999
element edge 1
property int vertex1
property int vertex2
end_header
0 0 0 9
1 0 0 9

1 1 0 9
0 1 0 9
4 0 1 2 3
2 3
";

    /// The same square as a binary file.
    pub(crate) fn binary_square(order: Order) -> Vec<u8> {
        let (name, big) = match order {
            Order::Little => ("binary_little_endian", false),
            Order::Big => ("binary_big_endian", true),
        };
        let end = SQUARE.find("end_header\n").unwrap() + "end_header\n".len();
        let mut bytes = SQUARE[..end].replace("ascii", name).into_bytes();
        let mut put = |mut raw: Vec<u8>| {
            if big {
                raw.reverse();
            }
            bytes.extend(raw);
        };
        for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0_f64)] {
            for value in [x, y, 0.0_f64] {
                put(value.to_le_bytes().to_vec());
            }
            put(vec![9]);
        }
        put(vec![4]);
        for v in [0, 1, 2, 3, 2, 3_i32] {
            put(v.to_le_bytes().to_vec());
        }
        bytes
    }

    fn refused(file: &str) -> (Option<usize>, String) {
        let fault = read(file.as_bytes()).unwrap_err();
        (fault.line, fault.message)
    }

    #[test]
    fn text_and_both_byte_orders_give_the_same_mesh() {
        let mesh = read(SQUARE.as_bytes()).unwrap();
        assert_eq!(mesh.positions.len(), 4);
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.edges, [[2, 3]]);
        for order in [Order::Little, Order::Big] {
            assert_eq!(read(&binary_square(order)).unwrap(), mesh);
        }
    }

    #[test]
    fn colours_of_vertices_and_faces_become_groups() {
        let file = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                    property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n\
                    property list uchar int vertex_indices\nproperty float red\nproperty float green\nproperty float blue\n\
                    end_header\n0 0 0 255 0 0\n1 0 0 255 0 0\n0 1 0 0 0 128\n3 0 1 2 0 1 0\n";
        let groups = read(file.as_bytes()).unwrap().groups;
        let expected =
            [Group::new("#000080", [2]), Group::new("#00ff00", [0, 1, 2]), Group::new("#ff0000", [0, 1])];
        assert_eq!(groups, expected);
    }

    #[test]
    fn a_file_that_ends_early_is_refused_wherever_it_ends() {
        for order in [Order::Little, Order::Big] {
            let bytes = binary_square(order);
            for length in 1..bytes.len() {
                assert!(read(&bytes[..length]).is_err(), "{length} bytes");
            }
        }
        // A number cut short is still a number: text is refused as soon as a word is missing.
        let cut = SQUARE.len() - 3;
        assert_eq!(refused(&SQUARE[..cut]), (Some(22), "the row ends early".to_owned()));
        assert_eq!(refused(&SQUARE[..cut - 2]).1, "the file ends before all of 1 edge");
    }

    #[test]
    fn huge_counts_are_refused_without_reserving_them() {
        let huge = SQUARE.replace("vertex 4", "vertex 4000000000000");
        assert_eq!(refused(&huge), (Some(22), "the row ends early".to_owned()));
        assert_eq!(refused(&SQUARE.replace("4 0 1 2 3", "4e9 0 1 2 3")).1, "the row ends early");
        assert_eq!(
            refused(&SQUARE.replace("4 0 1 2 3", "-1 0")).1,
            "the list `vertex_indices` has the length -1"
        );
    }

    #[test]
    fn rows_that_the_header_does_not_announce_are_refused() {
        assert_eq!(refused(&format!("{SQUARE}3 4\n")).1, "more follows after the last row");
        let longer = [binary_square(Order::Little), vec![7]].concat();
        assert!(
            read(&longer).unwrap_err().message.starts_with("more follows after the last row (before byte")
        );
        assert!(read(&[binary_square(Order::Little), vec![b'\n']].concat()).is_ok());
    }

    #[test]
    fn numbers_of_vertices_must_be_whole_and_exist() {
        assert_eq!(
            refused(&SQUARE.replace("4 0 1 2 3", "4 0 1 2 7")),
            (Some(21), "face 0 names vertex 7, but there are 4".to_owned())
        );
        assert_eq!(
            refused(&SQUARE.replace("4 0 1 2 3", "4 0 1 2 -3")),
            (Some(21), "-3 is no number of a vertex".to_owned())
        );
        assert_eq!(
            refused(&SQUARE.replace("\n2 3", "\n2 9")).1,
            "edge 0 names a vertex that does not exist (there are 4)"
        );
    }

    #[test]
    fn a_damaged_header_is_refused_with_its_line() {
        assert_eq!(refused("plY").1, "the file does not start with `ply`");
        assert_eq!(refused("ply\nformat ascii 1.0\nend_header\n").1, "the header announces no vertices");
        assert_eq!(refused("ply\nproperty int x"), (Some(2), "a property before any element".to_owned()));
        assert_eq!(refused(&SQUARE.replace("double y", "quad y")).1, "`quad` is no type of a number");
        assert_eq!(
            refused(&SQUARE.replace("double y", "double w")).1,
            "the element `vertex` has no property `y`"
        );
        assert_eq!(
            refused("ply\nelement vertex 3\n").1,
            "the file ends where the end of the header should be"
        );
    }
}
