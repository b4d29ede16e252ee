//! Wavefront OBJ.
//!
//! Read are vertices (`v`), faces (`f`), lines (`l`) and the groups, objects and materials (`g`, `o`, `usemtl`) they
//! belong to. Numbers count from 1, or backward from the last vertex if negative. Statements of
//! textures, normals and free-form curves carry no mesh and are passed over; a word
//! that is no statement at all is an error.

use std::borrow::Cow;
use std::collections::BTreeMap;

use carom_geometry::{Group, Mesh};

use super::polygon::Polygons;
use super::text::{self, quoted};
use super::{Fault, remedy};

/// Statements without geometry of ours.
const PASSED_OVER: &[&str] = &[
    "p",
    "vp",
    "s",
    "mg",
    "mtllib",
    "usemap",
    "maplib",
    "lod",
    "bevel",
    "c_interp",
    "d_interp",
    "shadow_obj",
    "trace_obj",
    "ctech",
    "stech",
    "cstype",
    "deg",
    "bmat",
    "step",
    "curv",
    "curv2",
    "surf",
    "parm",
    "trim",
    "hole",
    "scrv",
    "sp",
    "end",
    "con",
    "call",
    "csh",
    "cdc",
    "cdp",
    "bzp",
    "bsp",
    "res",
];

/// The most groups one element may belong to; past this a file is taken for damaged.
const MOST_GROUPS: usize = 64;

pub fn read(bytes: &[u8]) -> Result<Mesh, Fault> {
    let mut file = File::default();
    for (line, statement) in statements(bytes) {
        file.statement(line, &statement)?;
    }
    file.finish()
}

/// The lines, with those that end in a backslash joined to the next; numbered by their first.
fn statements(bytes: &[u8]) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut lines = text::lines(bytes);
    core::iter::from_fn(move || {
        let (number, mut statement) = lines.next()?;
        while let Some(start) = statement.trim_end().strip_suffix('\\') {
            let start = start.to_owned();
            let next = lines.next().map_or(Cow::Borrowed(""), |(_, line)| line);
            statement = Cow::Owned(start + " " + &next);
        }
        Some((number, statement))
    })
}

#[derive(Default)]
struct File {
    mesh: Mesh,
    faces: Polygons,
    /// Edges as named, with their line: a vertex may be defined after it is named.
    lines: Vec<(usize, [u64; 2])>,
    object: Option<String>,
    material: Option<String>,
    groups: Vec<String>,
    members: BTreeMap<String, Vec<u64>>,
    /// The names of the groups, in the order of their first element.
    names: Vec<String>,
}

impl File {
    fn statement(&mut self, line: usize, statement: &str) -> Result<(), Fault> {
        let statement = statement.split('#').next().unwrap_or_default();
        let mut words = statement.split_whitespace();
        let Some(keyword) = words.next() else { return Ok(()) };
        match keyword {
            "v" => self.mesh.positions.push(text::point(line, &mut words)?),
            "vn" => {
                text::point(line, &mut words)?;
            }
            "vt" => {
                let word = words.next().unwrap_or_default();
                text::number(line, word)?;
            }
            "f" => self.face(line, words)?,
            "l" => self.polyline(line, words)?,
            "g" => self.groups = words.map(str::to_owned).collect(),
            "o" => self.object = Some(words.collect::<Vec<_>>().join(" ")),
            "usemtl" => self.material = Some(words.collect::<Vec<_>>().join(" ")),
            passed if PASSED_OVER.contains(&passed) => {}
            other => {
                return Err(Fault::at(
                    line,
                    format!("{} is no statement of an OBJ file", quoted(other)),
                    remedy::DAMAGED,
                ));
            }
        }
        if self.groups.len() > MOST_GROUPS {
            return Err(Fault::at(line, "more than 64 groups at once", remedy::DAMAGED));
        }
        Ok(())
    }

    fn face<'a>(&mut self, line: usize, words: impl Iterator<Item = &'a str>) -> Result<(), Fault> {
        let corners = words.map(|word| self.vertex(line, word)).collect::<Result<Vec<_>, _>>()?;
        if corners.len() < 3 {
            let message = format!("a face has {} vertices, but it needs three", corners.len());
            return Err(Fault::at(line, message, "remove the face, or write edges as `l`"));
        }
        self.join_groups(&corners);
        self.faces.push(Some(line), corners);
        Ok(())
    }

    fn polyline<'a>(&mut self, line: usize, words: impl Iterator<Item = &'a str>) -> Result<(), Fault> {
        let ends = words.map(|word| self.vertex(line, word)).collect::<Result<Vec<_>, _>>()?;
        if ends.len() < 2 {
            return Err(Fault::at(line, "a line needs two vertices", remedy::CUT));
        }
        self.join_groups(&ends);
        self.lines.extend(ends.windows(2).map(|pair| (line, [pair[0], pair[1]])));
        Ok(())
    }

    /// The vertex, counted from 0, that `5`, `5/2`, `5//3`, `5/2/3` or `-1` names.
    fn vertex(&self, line: usize, word: &str) -> Result<u64, Fault> {
        let position = word.split('/').next().unwrap_or_default();
        let number = text::whole(line, position)?;
        let count = self.mesh.positions.len().cast_signed() as i64;
        match number {
            1.. => Ok(number as u64 - 1),
            0 => Err(Fault::at(line, "a vertex has the number 0, but they count from 1", remedy::INDICES)),
            _ if count + number >= 0 => Ok((count + number) as u64),
            _ => Err(Fault::at(
                line,
                format!("{number} counts back before the first vertex, with {count} so far"),
                remedy::INDICES,
            )),
        }
    }

    fn join_groups(&mut self, vertices: &[u64]) {
        for name in self.object.iter().chain(&self.groups).chain(&self.material) {
            if !self.members.contains_key(name) {
                self.members.insert(name.clone(), Vec::new());
                self.names.push(name.clone());
            }
            if let Some(members) = self.members.get_mut(name) {
                members.extend(vertices);
            }
        }
    }

    fn finish(mut self) -> Result<Mesh, Fault> {
        let count = self.mesh.positions.len() as u64;
        self.mesh.triangles = self.faces.triangulate(&self.mesh.positions, 1)?;
        for (line, ends) in &self.lines {
            if let Some(stray) = ends.iter().find(|v| **v >= count) {
                let message = format!("a line names vertex {}, but there are {count}", stray + 1);
                return Err(Fault::at(*line, message, remedy::INDICES));
            }
            self.mesh.edges.push(ends.map(|v| v as u32));
        }
        let members = &self.members;
        let group = |name: &String| Group::new(name, members[name].iter().map(|v| *v as u32));
        self.mesh.groups = self.names.iter().map(group).collect();
        Ok(self.mesh)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec3;

    const HOUSE: &str = "\
# a square, a roof and a line
o house
v 0 0 0
v 1 0 0 1.0
v 1 1 0 0.5 0.5 0.5
v 0 1 .0
v .5 1.5 0
vn 0 0 1
vt 0
usemtl brick
g wall
f 1/1/1 2//1 3/1 4
g roof top
f -2 -3 \\
  -1
l 1 2 3
";

    fn refused(file: &str) -> (Option<usize>, String) {
        let fault = read(file.as_bytes()).unwrap_err();
        (fault.line, fault.message)
    }

    #[test]
    fn faces_lines_and_groups_are_read() {
        let mesh = read(HOUSE.as_bytes()).unwrap();
        assert_eq!(mesh.positions[4], Vec3::new(0.5, 1.5, 0.0));
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3], [3, 2, 4]]);
        assert_eq!(mesh.edges, [[0, 1], [1, 2]]);
        let groups: Vec<_> = mesh.groups.iter().map(|g| (g.name.as_str(), g.vertices.as_slice())).collect();
        assert_eq!(
            groups,
            [
                ("house", &[0, 1, 2, 3, 4][..]),
                ("wall", &[0, 1, 2, 3]),
                ("brick", &[0, 1, 2, 3, 4]),
                ("roof", &[0, 1, 2, 3, 4]),
                ("top", &[0, 1, 2, 3, 4])
            ]
        );
    }

    #[test]
    fn an_error_names_the_line_and_the_number() {
        assert_eq!(
            refused("v 0 0 0\nf 1 2 3"),
            (Some(2), "face 0 names vertex 2, but there is 1".to_owned())
        );
        assert_eq!(
            refused("v 0 0 0\nv 1 0 0\nf 1 2"),
            (Some(3), "a face has 2 vertices, but it needs three".to_owned())
        );
        assert_eq!(
            refused("f -4 -3 -2"),
            (Some(1), "-4 counts back before the first vertex, with 0 so far".to_owned())
        );
        assert_eq!(
            refused("f 0 1 2"),
            (Some(1), "a vertex has the number 0, but they count from 1".to_owned())
        );
        assert_eq!(refused("v 0 0 0\nl 1 9"), (Some(2), "a line names vertex 9, but there are 1".to_owned()));
        assert_eq!(refused("v 0 0\n"), (Some(1), "a point needs three coordinates, here are 2".to_owned()));
        assert_eq!(refused("v 0 0 x"), (Some(1), "`x` is not a number".to_owned()));
        assert_eq!(refused("\nhello"), (Some(2), "`hello` is no statement of an OBJ file".to_owned()));
        assert_eq!(refused("f 9223372036854775807 1 1").0, Some(1));
        assert_eq!(refused("f -9223372036854775808 1 1").0, Some(1));
    }

    #[test]
    fn a_vertex_may_be_named_before_it_is_defined() {
        assert_eq!(read(b"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0").unwrap().triangles, [[0, 1, 2]]);
    }
}
