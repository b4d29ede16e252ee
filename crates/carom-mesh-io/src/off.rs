//! Object File Format.
//!
//! A vertex stands on one line, its three coordinates first; what follows them (a normal, a
//! colour, texture coordinates) is passed over. A face stands on one line, the number of its
//! vertices first, what follows them is its colour. Only a header that says so (`C`, `N` or `ST`
//! before `OFF`) may leave vertex lines of odd lengths: in a plain file they mean that the count
//! of vertices is wrong and faces are being read as vertices.

use carom_geometry::Mesh;

use super::polygon::Polygons;
use super::text::{self, quoted};
use super::{Fault, remedy};

pub fn read(bytes: &[u8]) -> Result<Mesh, Fault> {
    let mut lines = text::lines_of_data(bytes);
    let mut mesh = Mesh::default();
    let mut faces = Polygons::default();

    let Some((line, first)) = lines.next() else {
        return Err(Fault::new("the file has no header", remedy::CUT));
    };
    let mut words = first.split_whitespace();
    let plain = header(line, words.next().unwrap_or_default())?;
    let mut counts: Vec<String> = words.map(str::to_owned).collect();
    let mut line_of_counts = line;
    if counts.first().is_some_and(|word| word == "BINARY") {
        return Err(Fault::at(line, "binary OFF files are not read", "save it as text, or as PLY"));
    }
    if counts.is_empty() {
        let Some((line, second)) = lines.next() else {
            return Err(Fault::at(line, "the counts of vertices and faces are missing", remedy::CUT));
        };
        line_of_counts = line;
        counts = second.split_whitespace().map(str::to_owned).collect();
    }
    let count = |i: usize, what: &str| match counts.get(i) {
        Some(word) => text::count(line_of_counts, word),
        None => Err(Fault::at(line_of_counts, format!("the count of {what} is missing"), remedy::CUT)),
    };
    let (vertex_count, face_count) = (count(0, "vertices")?, count(1, "faces")?);

    while (mesh.positions.len() as u64) < vertex_count {
        let Some((line, data)) = lines.next() else {
            let found = mesh.positions.len();
            return Err(ends_early(line_of_counts, &format!("{vertex_count} vertices"), found));
        };
        let numbers = data.split_whitespace().count();
        if plain && matches!(numbers, 4 | 5) {
            let message = format!(
                "{numbers} numbers where vertex {} of {vertex_count} should be: \
                 the header announces too many vertices, or this line is damaged",
                mesh.positions.len()
            );
            return Err(Fault::at(line, message, remedy::COUNTS));
        }
        mesh.positions.push(text::point(line, &mut data.split_whitespace())?);
    }
    while (faces.len() as u64) < face_count {
        let Some((line, data)) = lines.next() else {
            return Err(ends_early(line_of_counts, &format!("{face_count} faces"), faces.len()));
        };
        let mut words = data.split_whitespace();
        let size = text::count(line, words.next().unwrap_or_default())?;
        let corners: Vec<&str> = words.take(usize::try_from(size).unwrap_or(usize::MAX)).collect();
        if (corners.len() as u64) < size {
            let message = format!("a face of {size} vertices names {}", corners.len());
            return Err(Fault::at(line, message, remedy::CUT));
        }
        let corners = corners.into_iter().map(|word| text::count(line, word));
        faces.push(Some(line), corners.collect::<Result<Vec<_>, _>>()?);
    }
    text::nothing_follows(lines, &format!("the last of {face_count} faces"))?;
    mesh.triangles = faces.triangulate(&mesh.positions, 0)?;
    Ok(mesh)
}

/// Reads the first word; returns whether it announces plain vertices.
fn header(line: usize, word: &str) -> Result<bool, Fault> {
    let Some(prefix) = word.strip_suffix("OFF") else {
        let message = format!("the file starts with {}, not with OFF", quoted(word));
        return Err(Fault::at(line, message, remedy::DAMAGED));
    };
    if prefix.contains(['4', 'n']) {
        let message = format!("{} has vertices that are not in space", quoted(word));
        return Err(Fault::at(line, message, "export it with three coordinates"));
    }
    if prefix.chars().all(|c| "STCN".contains(c)) {
        return Ok(prefix.is_empty());
    }
    Err(Fault::at(line, format!("{} is no header of an OFF file", quoted(word)), remedy::DAMAGED))
}

fn ends_early(line_of_counts: usize, announced: &str, found: usize) -> Fault {
    let message = format!("{announced} are announced here, but the file ends after {found}");
    Fault::at(line_of_counts, message, remedy::COUNTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = "\
OFF # a square
4 1 0

0 0 0
1 0 0
1 1 0
0 1 0 # the last
4 0 1 2 3 255 0 0
";

    fn message(file: &str) -> String {
        read(file.as_bytes()).unwrap_err().message
    }

    #[test]
    fn a_square_becomes_two_triangles() {
        let mesh = read(SQUARE.as_bytes()).unwrap();
        assert_eq!((mesh.positions.len(), mesh.triangles), (4, vec![[0, 1, 2], [0, 2, 3]]));
    }

    #[test]
    fn counts_may_stand_beside_the_header_and_colours_or_normals_may_follow() {
        let file = "COFF 3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 0 0 0\n0 1 0 1\n3 0 1 2";
        assert_eq!(read(file.as_bytes()).unwrap().triangles, [[0, 1, 2]]);
        let file = "OFF\n3 1 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n0 1 0 0 0 1\n3 0 1 2";
        assert_eq!(read(file.as_bytes()).unwrap().triangles, [[0, 1, 2]]);
    }

    #[test]
    fn wrong_counts_are_refused_without_reserving_them() {
        assert_eq!(
            message(&SQUARE.replace("4 1 0\n", "9999999999999999 1 0\n")),
            "9999999999999999 vertices are announced here, but the file ends after 5"
        );
        assert_eq!(
            message(&SQUARE.replace("4 1 0\n", "4 7 0\n")),
            "7 faces are announced here, but the file ends after 1"
        );
        assert_eq!(message(&SQUARE.replace("4 1 0\n", "4 0 0\n")), "more follows after the last of 0 faces");
        assert_eq!(
            message("OFF\n2 1 0\n0 0 0\n3 0 0 0\n"),
            "4 numbers where vertex 1 of 2 should be: the header announces too many vertices, or this line is damaged"
        );
    }

    #[test]
    fn what_is_no_off_file_is_refused() {
        assert_eq!(message("FOO\n1 1 1"), "the file starts with `FOO`, not with OFF");
        assert_eq!(message("4OFF\n1 1 1"), "`4OFF` has vertices that are not in space");
        assert_eq!(message("OFF BINARY\n"), "binary OFF files are not read");
        assert_eq!(message("OFF"), "the counts of vertices and faces are missing");
        assert_eq!(message("OFF\n3"), "the count of faces is missing");
        assert_eq!(message("OFF\n-1 0 0"), "`-1` is not a count");
    }

    #[test]
    fn a_face_must_name_as_many_vertices_as_it_says() {
        assert_eq!(message("OFF\n1 1 0\n0 0 0\n3 0 0"), "a face of 3 vertices names 2");
        assert_eq!(message("OFF\n1 1 0\n0 0 0\n3 0 0 1"), "face 0 names vertex 1, but there is 1");
    }
}
