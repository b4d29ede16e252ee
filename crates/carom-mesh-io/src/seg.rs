//! Segments: vertices `v x y z` and edges `s a b`, counted from 1.

use carom_geometry::Mesh;

use super::text::{self, quoted};
use super::{Fault, remedy};

pub fn read(bytes: &[u8]) -> Result<Mesh, Fault> {
    let mut mesh = Mesh::default();
    let mut segments = Vec::new();
    for (line, data) in text::lines_of_data(bytes) {
        let mut words = data.split_whitespace();
        match words.next() {
            Some("v") => mesh.positions.push(text::point(line, &mut words)?),
            Some("s") => {
                let mut end = || text::count(line, words.next().unwrap_or_default());
                segments.push((line, [end()?, end()?]));
            }
            other => {
                let message = format!("{} is neither `v` nor `s`", quoted(other.unwrap_or_default()));
                return Err(Fault::at(line, message, remedy::DAMAGED));
            }
        }
    }
    let count = mesh.positions.len() as u64;
    for (line, ends) in segments {
        if let Some(stray) = ends.iter().find(|v| !(1..=count).contains(v)) {
            let message = format!("a segment names vertex {stray}, but they go from 1 to {count}");
            return Err(Fault::at(line, message, remedy::INDICES));
        }
        mesh.edges.push(ends.map(|v| (v - 1) as u32));
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_and_segments_are_read() {
        let mesh = read(b"v 0 0 0\nv 1 0 0\nv 2 0 0\ns 1 2\ns 2 3").unwrap();
        assert_eq!((mesh.positions.len(), mesh.edges), (3, vec![[0, 1], [1, 2]]));
    }

    #[test]
    fn a_segment_to_nowhere_is_refused_with_its_line() {
        let fault = read(b"v 0 0 0\ns 1 0").unwrap_err();
        assert_eq!(
            (fault.line, fault.message.as_str()),
            (Some(2), "a segment names vertex 0, but they go from 1 to 1")
        );
        assert_eq!(read(b"v 0 0 0\ns 1").unwrap_err().line, Some(2));
        assert_eq!(read(b"w 0 0 0").unwrap_err().message, "`w` is neither `v` nor `s`");
    }
}
