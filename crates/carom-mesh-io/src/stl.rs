//! Stereolithography files, text and binary.
//!
//! A binary file has its number of triangles in the header, and its length must agree; only a file whose length does not agree is parsed as
//! text, because binary files may start with the word
//! `solid` too. Normals are ignored: the order of the corners determines them.

use carom_geometry::Mesh;
use carom_math::Vec3;

use super::cursor::Cursor;
use super::text::quoted;
use super::weld::weld;
use super::{Fault, remedy};

const HEADER: usize = 80;
const TRIANGLE: u64 = 50;

pub fn read(bytes: &[u8]) -> Result<Mesh, Fault> {
    let corners = match binary_count(bytes) {
        Some(count) if bytes.len() as u64 == 84 + TRIANGLE * u64::from(count) => read_binary(bytes)?,
        count => {
            let mut cursor = Cursor::new(bytes);
            if cursor.peek().is_some_and(|word| word.eq_ignore_ascii_case("solid")) {
                read_text(&mut cursor)?
            } else {
                return Err(neither(bytes, count));
            }
        }
    };
    let (positions, numbers) = weld(&corners);
    let triangles = numbers.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    Ok(Mesh { positions, triangles, ..Mesh::default() })
}

fn binary_count(bytes: &[u8]) -> Option<u32> {
    let raw = bytes.get(HEADER..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*raw))
}

/// What to say of a file that is no text by its first word and not binary by its length.
fn neither(bytes: &[u8], count: Option<u32>) -> Fault {
    let looks_like_text = bytes.iter().take(200).all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace());
    match count {
        Some(count) if !looks_like_text => Fault::new(
            format!(
                "the file does not start with `solid`, and as a binary file of {count} triangles \
                 it would have {} bytes, not {}",
                84 + TRIANGLE * u64::from(count),
                bytes.len()
            ),
            remedy::DAMAGED,
        ),
        _ => Fault::at(1, "the header is missing: a text file starts with `solid`", remedy::DAMAGED),
    }
}

fn read_binary(bytes: &[u8]) -> Result<Vec<Vec3>, Fault> {
    let mut corners = Vec::new();
    let number = |raw: &[u8]| f64::from(f32::from_le_bytes([raw[0], raw[1], raw[2], raw[3]]));
    for (triangle, record) in bytes[HEADER + 4..].chunks_exact(TRIANGLE as usize).enumerate() {
        for corner in record[12..48].chunks_exact(12) {
            let p = Vec3::new(number(corner), number(&corner[4..]), number(&corner[8..]));
            if !p.is_finite() {
                let message =
                    format!("triangle {triangle} has a coordinate that is infinite or not a number");
                return Err(Fault::new(message, remedy::FINITE));
            }
            corners.push(p);
        }
    }
    Ok(corners)
}

/// The corners of all triangles of all solids.
fn read_text(cursor: &mut Cursor<'_>) -> Result<Vec<Vec3>, Fault> {
    let mut corners = Vec::new();
    while let Some(word) = cursor.word() {
        if !word.eq_ignore_ascii_case("solid") {
            let message = format!("{} where `solid` should be", quoted(word));
            return Err(cursor.fault(message, remedy::DAMAGED));
        }
        cursor.rest_of_line();
        loop {
            let word = cursor.expect_word("`facet` or `endsolid`")?;
            match word.to_ascii_lowercase().as_str() {
                "endsolid" => break,
                "facet" => read_facet(cursor, &mut corners)?,
                _ => {
                    let message = format!("{} where `facet` or `endsolid` should be", quoted(word));
                    return Err(cursor.fault(message, remedy::DAMAGED));
                }
            }
        }
        cursor.rest_of_line();
    }
    Ok(corners)
}

fn read_facet(cursor: &mut Cursor<'_>, corners: &mut Vec<Vec3>) -> Result<(), Fault> {
    keyword(cursor, "normal")?;
    for _ in 0..3 {
        // Some programs write the normal of a flat triangle as nan.
        cursor.expect_word("a normal")?;
    }
    keyword(cursor, "outer")?;
    keyword(cursor, "loop")?;
    for _ in 0..3 {
        keyword(cursor, "vertex")?;
        let mut coordinate = || cursor.number("a coordinate");
        corners.push(Vec3::new(coordinate()?, coordinate()?, coordinate()?));
    }
    keyword(cursor, "endloop")?;
    keyword(cursor, "endfacet")
}

fn keyword(cursor: &mut Cursor<'_>, expected: &str) -> Result<(), Fault> {
    let word = cursor.expect_word(&quoted(expected))?;
    if word.eq_ignore_ascii_case(expected) {
        return Ok(());
    }
    Err(cursor.fault(format!("{} where {} should be", quoted(word), quoted(expected)), remedy::DAMAGED))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) const PAIR: &str = "\
solid pair of triangles
facet normal 0 0 1
  outer loop
    vertex 0 0 0
    vertex 1 0 0
    vertex 0 1 0
  endloop
endfacet
facet normal nan 0 1
  outer loop
    vertex 1 0 0
    vertex 1 1 0
    vertex -0 1 0
  endloop
endfacet
endsolid pair of triangles
";

    /// The same pair as a binary file, with the misleading word in its header.
    pub(crate) fn binary_pair() -> Vec<u8> {
        let mesh = read(PAIR.as_bytes()).unwrap();
        let mut bytes = b"solid".to_vec();
        bytes.resize(HEADER, b' ');
        bytes.extend(2_u32.to_le_bytes());
        for t in &mesh.triangles {
            bytes.extend([0; 12]);
            let numbers = mesh.corners(t).into_iter().flat_map(Vec3::to_array);
            bytes.extend(numbers.flat_map(|x| (x as f32).to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    #[test]
    fn text_and_binary_give_the_same_mesh_with_shared_vertices() {
        let mesh = read(PAIR.as_bytes()).unwrap();
        assert_eq!(mesh.positions.len(), 4);
        assert_eq!(mesh.triangles, [[0, 1, 2], [1, 3, 2]]);
        assert_eq!(read(&binary_pair()).unwrap(), mesh);
    }

    #[test]
    fn a_binary_file_of_the_wrong_length_is_refused() {
        let mut bytes = binary_pair();
        bytes[0] = b'S' + 1;
        bytes.pop();
        assert_eq!(
            read(&bytes).unwrap_err().message,
            "the file does not start with `solid`, and as a binary file of 2 triangles it would have 184 bytes, not 183"
        );
        let mut bytes = binary_pair();
        bytes[HEADER + 4 + 12..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(
            read(&bytes).unwrap_err().message,
            "triangle 0 has a coordinate that is infinite or not a number"
        );
    }

    #[test]
    fn a_text_file_is_refused_where_it_breaks_off_or_goes_wrong() {
        let cut = read(PAIR.split_inclusive('\n').take(6).collect::<String>().as_bytes()).unwrap_err();
        assert_eq!((cut.line, cut.message.as_str()), (Some(6), "the file ends where `endloop` should be"));
        let odd = read(PAIR.replace("outer loop", "inner loop").as_bytes()).unwrap_err();
        assert_eq!((odd.line, odd.message.as_str()), (Some(3), "`inner` where `outer` should be"));
        assert_eq!(read(b"facet").unwrap_err().line, Some(1));
    }

    #[test]
    fn an_empty_solid_has_no_vertices() {
        assert!(read(b"solid\nendsolid").unwrap().positions.is_empty());
    }
}
