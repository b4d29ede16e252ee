//! Gmsh meshes: versions 2.2 and 4.1, text and binary.
//!
//! A file is a row of sections `$Name … $EndName`. Sections that hold no mesh (data, periodicity,
//! what other programs add) are passed over. A node's number may be any; vertices keep the order
//! of the file. A physical group becomes a [`Group`] of all vertices of its elements, called by
//! its name, or `physical-dimension-number` if it has none.

mod numbers;
mod v2;
mod v4;
mod write;

use std::collections::BTreeMap;

use carom_geometry::{Group, Mesh};
use carom_math::Vec3;

use super::polygon::Polygons;
use super::text::quoted;
use super::{Fault, remedy};
use numbers::{Encoding, Numbers};
pub use write::to_gmsh;

const OTHER_VERSION: &str = "convert it with `gmsh file.msh -save -format msh41`";

pub fn read(bytes: &[u8]) -> Result<Mesh, Fault> {
    let mut numbers = Numbers::new(bytes);
    let mut file = File::default();
    let mut version = None;
    while let Some(section) = numbers.cursor.word() {
        match (section, &version) {
            ("$MeshFormat", _) => version = Some(format(&mut numbers)?),
            (section, None) => {
                let message = format!("{} where `$MeshFormat` should be", quoted(section));
                return Err(numbers.cursor.fault(message, remedy::DAMAGED));
            }
            ("$PhysicalNames", _) => file.names(&mut numbers)?,
            ("$Nodes", Some(Version::V2)) => v2::nodes(&mut numbers, &mut file)?,
            ("$Nodes", Some(Version::V4)) => v4::nodes(&mut numbers, &mut file)?,
            ("$Elements", Some(Version::V2)) => v2::elements(&mut numbers, &mut file)?,
            ("$Elements", Some(Version::V4)) => v4::elements(&mut numbers, &mut file)?,
            ("$Entities", Some(Version::V4)) => v4::entities(&mut numbers, &mut file)?,
            (other, _) => {
                let name = other.strip_prefix('$').ok_or_else(|| {
                    let message = format!("{} where a section should start", quoted(other));
                    numbers.cursor.fault(message, remedy::DAMAGED)
                })?;
                if !numbers.cursor.skip_past(&format!("$End{name}")) {
                    let message = format!("the section {} has no end", quoted(other));
                    return Err(numbers.cursor.fault(message, remedy::CUT));
                }
                continue;
            }
        }
        numbers.end_of_section(section)?;
    }
    file.finish()
}

enum Version {
    V2,
    V4,
}

/// Reads the format's section and makes `numbers` read what it says.
fn format(numbers: &mut Numbers<'_>) -> Result<Version, Fault> {
    let cursor = &mut numbers.cursor;
    let version = match cursor.expect_word("the version")? {
        "2.2" | "2" | "2.1" => Version::V2,
        "4.1" => Version::V4,
        other => {
            let message = format!("the version {} is not read, only 2.2 and 4.1", quoted(other));
            return Err(cursor.fault(message, OTHER_VERSION));
        }
    };
    let binary = cursor.whole("the kind of file")?;
    let size = cursor.whole("the size of numbers")?;
    if !matches!(binary, 0 | 1) || size != 8 {
        let message = format!("the kind of file {binary} with numbers of {size} bytes is not read");
        return Err(cursor.fault(message, OTHER_VERSION));
    }
    if binary == 1 {
        cursor.rest_of_line();
        numbers.encoding = match cursor.raw::<4>("the format")? {
            [1, 0, 0, 0] => Encoding::LITTLE,
            [0, 0, 0, 1] => Encoding::BIG,
            _ => return Err(Fault::new("the mark of the byte order is damaged", remedy::DAMAGED)),
        };
    }
    Ok(version)
}

/// What has been read so far.
#[derive(Default)]
struct File {
    mesh: Mesh,
    faces: Polygons,
    /// The numbers of the nodes, in the order of the file until they are sorted.
    nodes: Vec<(u64, u32)>,
    nodes_are_sorted: bool,
    /// The physical groups of an entity, by its dimension and number (version 4).
    entities: BTreeMap<(i64, i64), Vec<i64>>,
    names: BTreeMap<(i64, i64), String>,
    groups: BTreeMap<(i64, i64), Vec<u32>>,
}

impl File {
    fn names(&mut self, numbers: &mut Numbers<'_>) -> Result<(), Fault> {
        // This section is text in binary files too.
        let cursor = &mut numbers.cursor;
        for _ in 0..cursor.count("the count of names")? {
            let key = (cursor.whole("a dimension")?, cursor.whole("a number")?);
            let name = cursor.rest_of_line();
            self.names.insert(key, name.trim_matches('"').to_owned());
        }
        Ok(())
    }

    fn add_node(&mut self, tag: u64, place: Vec3) {
        self.nodes.push((tag, self.mesh.positions.len() as u32));
        self.nodes_are_sorted = false;
        self.mesh.positions.push(place);
    }

    /// The vertex that an element names.
    fn vertex(&mut self, numbers: &Numbers<'_>, tag: u64) -> Result<u32, Fault> {
        if !self.nodes_are_sorted {
            self.nodes.sort_unstable();
            if let Some(twice) = self.nodes.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(Fault::new(format!("node {} is defined twice", twice[0].0), remedy::DAMAGED));
            }
            self.nodes_are_sorted = true;
        }
        match self.nodes.binary_search_by_key(&tag, |(tag, _)| *tag) {
            Ok(found) => Ok(self.nodes[found].1),
            Err(_) => {
                Err(numbers
                    .fault(format!("an element names node {tag}, which does not exist"), remedy::INDICES))
            }
        }
    }

    fn add_element(
        &mut self,
        numbers: &Numbers<'_>,
        kind: Kind,
        nodes: &[u64],
        groups: &[i64],
    ) -> Result<(), Fault> {
        let mut vertices = Vec::new();
        for tag in nodes {
            vertices.push(self.vertex(numbers, *tag)?);
        }
        for group in groups {
            // A negative number says that the entity is used the other way round.
            self.groups.entry((kind.dimension(), group.wrapping_abs())).or_default().extend(&vertices);
        }
        match (kind, vertices.as_slice()) {
            (Kind::Line, [a, b]) => self.mesh.edges.push([*a, *b]),
            (Kind::Tet, [a, b, c, d]) => self.mesh.tets.push([*a, *b, *c, *d]),
            (Kind::Triangle | Kind::Quadrangle, face) => {
                self.faces.push(numbers.line(), face.iter().map(|v| u64::from(*v)));
            }
            (Kind::Point, _) => {}
            _ => unreachable!("the number of nodes follows from the kind"),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Mesh, Fault> {
        self.mesh.triangles = self.faces.triangulate(&self.mesh.positions, 0)?;
        for ((dimension, number), vertices) in core::mem::take(&mut self.groups) {
            let name = self.names.get(&(dimension, number)).cloned();
            let name = name.unwrap_or_else(|| format!("physical-{dimension}-{number}"));
            self.mesh.groups.push(Group::new(name, vertices));
        }
        Ok(self.mesh)
    }
}

/// The kinds of elements we read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Point,
    Line,
    Triangle,
    Quadrangle,
    Tet,
}

impl Kind {
    fn of(numbers: &Numbers<'_>, number: i64) -> Result<Self, Fault> {
        let unread = match number {
            1 => return Ok(Self::Line),
            2 => return Ok(Self::Triangle),
            3 => return Ok(Self::Quadrangle),
            4 => return Ok(Self::Tet),
            15 => return Ok(Self::Point),
            5 => "hexahedra",
            6 => "prisms",
            7 => "pyramids",
            8..=14 | 16..=140 => {
                let message = format!("elements of a higher order (type {number}) are not read");
                return Err(numbers.fault(message, "mesh with first-order elements: `gmsh -order 1`"));
            }
            _ => return Err(numbers.fault(format!("{number} is no type of an element"), remedy::DAMAGED)),
        };
        Err(numbers.fault(format!("{unread} are not read"), "mesh with triangles and tetrahedra"))
    }

    /// Its number in files.
    const fn number(self) -> i32 {
        match self {
            Self::Point => 15,
            Self::Line => 1,
            Self::Triangle => 2,
            Self::Quadrangle => 3,
            Self::Tet => 4,
        }
    }

    const fn nodes(self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
            Self::Quadrangle | Self::Tet => 4,
        }
    }

    const fn dimension(self) -> i64 {
        match self {
            Self::Point => 0,
            Self::Line => 1,
            Self::Triangle | Self::Quadrangle => 2,
            Self::Tet => 3,
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
