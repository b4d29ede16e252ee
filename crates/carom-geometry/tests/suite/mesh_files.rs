//! Just enough of OFF, OBJ and binary PLY to read the triangles of the test data.

use std::fs;
use std::path::Path;

use carom_math::Vec3;

/// Vertices and triangles of a file; polygons are cut into fans.
pub fn read(path: &Path) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    match path.extension().and_then(|e| e.to_str()) {
        Some("off") => off(core::str::from_utf8(&bytes).unwrap()),
        Some("obj") => obj(core::str::from_utf8(&bytes).unwrap()),
        Some("ply") => ply(&bytes),
        other => panic!("no reader for {other:?}"),
    }
}

fn fan(polygon: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    polygon.windows(2).skip(1).map(|pair| [polygon[0], pair[0], pair[1]])
}

fn off(text: &str) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let lines = text.lines().map(|l| l.split('#').next().unwrap_or(""));
    let mut words = lines.flat_map(str::split_whitespace);
    // NOFF has a normal after each position.
    let extra = if words.next() == Some("NOFF") { 3 } else { 0 };
    let mut number = || words.next().unwrap().parse::<f64>().unwrap();
    let (vertices, faces, _) = (number() as usize, number() as usize, number());
    let mut positions = Vec::new();
    for _ in 0..vertices {
        positions.push(Vec3::new(number(), number(), number()));
        for _ in 0..extra {
            number();
        }
    }
    let mut triangles = Vec::new();
    for _ in 0..faces {
        let corners = number() as usize;
        let polygon: Vec<u32> = (0..corners).map(|_| number() as u32).collect();
        triangles.extend(fan(&polygon));
    }
    (positions, triangles)
}

fn obj(text: &str) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.split_first() {
            Some((&"v", rest)) => {
                let [x, y, z] = [0, 1, 2].map(|k| rest[k].parse().unwrap());
                positions.push(Vec3::new(x, y, z));
            }
            Some((&"f", rest)) => {
                let index = |w: &&str| w.split('/').next().unwrap().parse::<u32>().unwrap() - 1;
                let polygon: Vec<u32> = rest.iter().map(index).collect();
                triangles.extend(fan(&polygon));
            }
            _ => {}
        }
    }
    (positions, triangles)
}

/// Little-endian, three doubles a vertex, a byte and 32-bit numbers a face.
fn ply(bytes: &[u8]) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    const END: &[u8] = b"end_header\n";
    let start = bytes.windows(END.len()).position(|w| w == END).unwrap() + END.len();
    let header = core::str::from_utf8(&bytes[..start]).unwrap();
    assert!(header.contains("binary_little_endian") && header.contains("property double x"), "{header}");
    let count = |name: &str| -> usize {
        let line = header.lines().find_map(|l| l.strip_prefix(name)).unwrap();
        line.trim().parse().unwrap()
    };
    let mut rest = &bytes[start..];
    let mut take = |n: usize| {
        let (head, tail) = rest.split_at(n);
        rest = tail;
        head
    };
    let mut positions = Vec::new();
    for _ in 0..count("element vertex ") {
        let [x, y, z] = [0, 1, 2].map(|_| f64::from_le_bytes(take(8).try_into().unwrap()));
        positions.push(Vec3::new(x, y, z));
    }
    let mut triangles = Vec::new();
    for _ in 0..count("element face ") {
        let corners = take(1)[0];
        let polygon: Vec<u32> =
            (0..corners).map(|_| u32::from_le_bytes(take(4).try_into().unwrap())).collect();
        triangles.extend(fan(&polygon));
    }
    (positions, triangles)
}
