//! Wavefront OBJ: surfaces, lines and points, for modellers and renderers.
//!
//! All vertices of a frame, with positions in m to the bit, then for each body an object `body-0`, `body-1`, … in the order of the scene with
//! its points, edges, triangles, and the skin of its tetrahedra. Velocities and fields are left out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use carom_model::Frame;

use super::{Exporter, Numbered};

/// The format.
pub const EXPORTER: Exporter = Exporter {
    name: "obj",
    about: "Wavefront OBJ: positions, points, lines and surfaces, an object for each body",
    page: "output",
    create: |folder| Ok(Numbered::create(folder, "obj", encode)),
};

fn encode(frame: &Frame) -> Vec<u8> {
    let mut text = format!("# {} s\n", frame.time_s);
    for x in &frame.positions {
        let _ = writeln!(text, "v {:?} {:?} {:?}", x.x, x.y, x.z);
    }
    let mut bodies: BTreeMap<u32, String> = BTreeMap::new();
    let topology = &frame.topology;
    let mut add = |letter: &str, vertices: &[u32]| {
        let lines = bodies.entry(topology.vertex_body[vertices[0] as usize]).or_default();
        lines.push_str(letter);
        // OBJ counts from 1.
        for v in vertices {
            let _ = write!(lines, " {}", v + 1);
        }
        lines.push('\n');
    };
    topology.points.iter().for_each(|point| add("p", &[*point]));
    topology.edges.iter().for_each(|edge| add("l", edge));
    topology.triangles.iter().for_each(|triangle| add("f", triangle));
    for triangle in skin(&topology.tets) {
        add("f", &triangle);
    }
    for (body, lines) in bodies {
        let _ = write!(text, "o body-{body}\n{lines}");
    }
    text.into_bytes()
}

/// The faces of tetrahedra that belong to one alone, facing outward.
fn skin(tets: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let faces = tets.iter().flat_map(|&[a, b, c, d]| [[a, c, b], [a, b, d], [a, d, c], [b, c, d]]);
    let mut outer: BTreeMap<[u32; 3], Option<[u32; 3]>> = BTreeMap::new();
    for face in faces {
        let mut corners = face;
        corners.sort_unstable();
        outer.entry(corners).and_modify(|seen| *seen = None).or_insert(Some(face));
    }
    outer.into_values().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::Vec3;
    use carom_model::Topology;
    use carom_time::Tick;

    #[test]
    fn each_body_is_an_object_with_the_skin_of_its_tetrahedra() {
        let topology = Topology {
            points: vec![5],
            triangles: vec![[0, 1, 2]],
            tets: vec![[0, 1, 2, 3], [1, 2, 3, 4]],
            vertex_body: vec![0, 0, 0, 0, 0, 1],
            ..Topology::default()
        };
        let positions =
            vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::X + Vec3::Y + Vec3::Z, Vec3::X * 0.1];
        let frame = Frame {
            tick: Tick(1),
            time_s: 0.25,
            velocities: vec![Vec3::ZERO; 6],
            positions,
            topology: topology.into(),
            vertex_fields: Vec::new(),
            cell_fields: Vec::new(),
            auxiliary_dofs: carom_model::AuxiliaryFrame::default(),
        };
        let text = String::from_utf8(encode(&frame)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[..2], ["# 0.25 s", "v 0.0 0.0 0.0"]);
        assert_eq!(lines[6..8], ["v 0.1 0.0 0.0", "o body-0"]);
        // The triangle, and of eight faces the six that no other tetrahedron has.
        assert_eq!(lines.iter().filter(|line| line.starts_with("f ")).count(), 7);
        assert!(lines.contains(&"f 1 2 3") && !lines.contains(&"f 2 3 4"), "{text}");
        assert_eq!(lines[lines.len() - 2..], ["o body-1", "p 6"]);
    }
}
