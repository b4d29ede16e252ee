//! A square of two triangles with a split edge, written out as text, as text with a file beside
//! it, and as one binary file.

use super::*;
use carom_math::Vec3;

/// Six corners of two triangles, then six indices.
fn buffer() -> Vec<u8> {
    let corners = [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]];
    let mut bytes = Vec::new();
    for [x, y] in corners {
        for value in [x as f32, y as f32, 0.0] {
            bytes.extend(value.to_le_bytes());
        }
    }
    for index in 0..6_u16 {
        bytes.extend(index.to_le_bytes());
    }
    bytes
}

fn document(uri: &str) -> String {
    format!(
        r#"{{
  "asset": {{ "version": "2.0" }},
  "scene": 0,
  "scenes": [ {{ "nodes": [0] }} ],
  "nodes": [
    {{ "translation": [0, 0, 5], "children": [1, 2] }},
    {{ "mesh": 0, "name": "left", "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476] }},
    {{ "mesh": 0, "name": "right", "scale": [-2, 1, 1] }}
  ],
  "meshes": [ {{ "primitives": [ {{ "attributes": {{ "POSITION": 0 }}, "indices": 1 }} ] }} ],
  "buffers": [ {{ "byteLength": 84 {uri} }} ],
  "bufferViews": [
    {{ "buffer": 0, "byteLength": 72 }},
    {{ "buffer": 0, "byteOffset": 72, "byteLength": 12 }}
  ],
  "accessors": [
    {{ "bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3",
       "min": [0, 0, 0], "max": [1, 1, 0] }},
    {{ "bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR" }}
  ]
}}"#
    )
}

/// The document with its buffer inside, as base64 of hexadecimal patience.
pub fn text() -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let base64: String = buffer()
        .chunks_exact(3)
        .flat_map(|b| {
            let bits = u32::from_be_bytes([0, b[0], b[1], b[2]]);
            [18, 12, 6, 0].map(|shift| char::from(LETTERS[(bits >> shift & 63) as usize]))
        })
        .collect();
    document(&format!(r#", "uri": "data:application/octet-stream;base64,{base64}""#))
}

pub fn binary() -> Vec<u8> {
    let mut json = document("").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let chunks = [(*b"JSON", json), (*b"BIN\0", buffer())];
    let length = 12 + chunks.iter().map(|(_, chunk)| 8 + chunk.len()).sum::<usize>();
    let mut file = b"glTF".to_vec();
    file.extend(2_u32.to_le_bytes());
    file.extend((length as u32).to_le_bytes());
    for (kind, chunk) in chunks {
        file.extend((chunk.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(chunk);
    }
    file
}

fn message(json: &str) -> String {
    read_json(json.as_bytes(), &|_| None).unwrap_err().message
}

#[test]
fn nodes_place_turn_mirror_and_name_their_meshes() {
    let mesh = read_json(text().as_bytes(), &|_| None).unwrap();
    assert_eq!(mesh.positions.len(), 8, "corners in the same place are one vertex");
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3], [4, 6, 5], [4, 7, 6]]);
    assert!((mesh.positions[1] - Vec3::new(0.0, 1.0, 5.0)).length() < 1e-15);
    assert_eq!(mesh.positions[6], Vec3::new(-2.0, 1.0, 5.0));
    assert_eq!(mesh.group("right").unwrap().vertices, [4, 5, 6, 7]);
    for t in &mesh.triangles {
        assert!(carom_geometry::mesh::area_normal(mesh.corners(t)).z > 0.0);
    }
}

#[test]
fn bytes_inside_beside_and_in_one_file_give_the_same_mesh() {
    let mesh = read_json(text().as_bytes(), &|_| None).unwrap();
    let beside = document(r#", "uri": "a%20b.bin""#);
    let companions = |name: &str| (name == "a b.bin").then(buffer);
    assert_eq!(read_json(beside.as_bytes(), &companions).unwrap(), mesh);
    assert_eq!(read_binary(&binary(), &|_| None).unwrap(), mesh);
    assert_eq!(message(&beside), "there is no file `a%20b.bin`");
}

#[test]
fn a_binary_file_that_ends_early_is_refused_wherever_it_ends() {
    let file = binary();
    for length in 0..file.len() {
        assert!(read_binary(&file[..length], &|_| None).is_err());
    }
}

#[test]
fn claims_about_bytes_are_proved_before_they_are_believed() {
    let with = |old: &str, new: &str| message(&text().replacen(old, new, 1));
    assert_eq!(
        with(r#""count": 6"#, r#""count": 7"#),
        "accessor 0: 7 elements reach past the end of buffer view 0"
    );
    assert_eq!(
        with(r#""count": 6"#, r#""count": 999999999999999999"#),
        "accessor 0: 999999999999999999 elements reach past the end of buffer view 0"
    );
    assert_eq!(
        with(r#""byteLength": 84"#, r#""byteLength": 85"#),
        "buffer 0 announces 85 bytes, but there are 84"
    );
    assert_eq!(
        with(r#""byteOffset": 72"#, r#""byteOffset": 73"#),
        "accessor 1: buffer view 1 reaches past the end of its buffer"
    );
    assert_eq!(
        with(
            r#""bufferView": 0, "componentType": 5126, "count": 6"#,
            r#""componentType": 5126, "count": 9999999"#
        ),
        "accessor 0: 9999999 elements are announced, but it has no bytes"
    );
    assert_eq!(with("[1, 1, 0]", "[1, 1]"), "accessor 0: a bound has 2 numbers, its elements 3");
    assert_eq!(with("5126", "5124"), "accessor 0: 5124 is no type of a component");
    assert_eq!(
        with(r#""byteLength": 72"#, r#""byteLength": 72, "byteStride": 4"#),
        "accessor 0: elements of 12 bytes are 4 bytes apart"
    );
    assert_eq!(
        with(r#""componentType": 5123, "count": 6"#, r#""componentType": 5126, "count": 3"#),
        "mesh 0: the indices are not whole numbers"
    );
}

#[test]
fn replaced_elements_must_be_among_those_there_are() {
    let sparse = |offset: u32| {
        let replaced = format!(
            r#""type": "VEC3", "sparse": {{ "count": 1,
              "indices": {{ "bufferView": 0, "componentType": 5125, "byteOffset": {offset} }},
              "values": {{ "bufferView": 0, "byteOffset": 24 }} }}"#
        );
        read_json(text().replacen(r#""type": "VEC3""#, &replaced, 1).as_bytes(), &|_| None)
    };
    // The bits of 0.0 are element 0, which goes where the third corner is; the bits of 1.0 are far beyond.
    assert_eq!(sparse(0).unwrap().positions[0], Vec3::new(-1.0, 1.0, 5.0));
    assert_eq!(
        sparse(12).unwrap_err().message,
        "accessor 0: element 1065353216 is replaced, but there are 6"
    );
}

#[test]
fn nodes_must_form_a_tree() {
    let with = |old: &str, new: &str| message(&text().replacen(old, new, 1));
    assert_eq!(with(r#""name": "left""#, r#""children": [0]"#), "node 0 is part of a loop");
    assert_eq!(with(r#""name": "left""#, r#""children": [2]"#), "node 2 has two parents, 0 and 1");
    assert_eq!(with("[1, 2]", "[1, 9]"), "node 0 has the child 9, which does not exist");
    assert_eq!(with(r#""scene": 0"#, r#""scene": 3"#), "the default scene does not exist");
}

#[test]
fn damaged_json_has_a_line_and_what_we_cannot_read_a_remedy() {
    let fault = read_json(text().replacen("[0] }", "[0 }", 1).as_bytes(), &|_| None).unwrap_err();
    assert_eq!(fault.line, Some(4));
    let compressed =
        text().replacen(r#""scene""#, r#""extensionsRequired": ["KHR_draco_mesh_compression"], "scene""#, 1);
    assert_eq!(message(&compressed), "the extension `KHR_draco_mesh_compression` is needed to read it");
}

#[test]
fn strips_fans_and_lines_are_joined_as_the_mode_says() {
    let with = |mode: u32| {
        let json = text().replacen(r#""indices": 1"#, &format!(r#""indices": 1, "mode": {mode}"#), 1);
        read_json(json.as_bytes(), &|_| None)
    };
    assert_eq!(with(1).unwrap().edges.len(), 2 * 3);
    assert_eq!(with(2).unwrap().edges.len(), 2 * 6);
    assert_eq!(with(3).unwrap().edges.len(), 2 * 5);
    assert_eq!(with(5).unwrap().triangles.len(), 2 * 4);
    assert_eq!(with(6).unwrap().triangles.len(), 2 * 4);
    assert!(with(0).unwrap().triangles.is_empty());
    assert!(with(7).is_err());
}
