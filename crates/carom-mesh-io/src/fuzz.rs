//! Damaged files of every format: whatever comes in, a mesh or an error comes out.

use proptest::prelude::*;

use super::cursor::Order;
use super::{gltf, gmsh, ply, read, stl, tetgen, vtk};

/// One small valid file of each format and encoding.
fn good_files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("a.obj", b"o a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng b\nf 1/1/1 2 3 -1\nl 1 2\n".to_vec()),
        ("a.off", b"OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3 9 9\n".to_vec()),
        ("a.seg", b"v 0 0 0\nv 1 0 0\ns 1 2\n".to_vec()),
        ("a.ply", ply::tests::SQUARE.into()),
        ("b.ply", ply::tests::binary_square(Order::Little)),
        ("c.ply", ply::tests::binary_square(Order::Big)),
        ("a.stl", stl::tests::PAIR.into()),
        ("b.stl", stl::tests::binary_pair()),
        ("a.msh", gmsh::tests::V2.into()),
        ("b.msh", gmsh::tests::V4.into()),
        ("c.msh", gmsh::tests::binary_v2(false)),
        ("d.msh", gmsh::tests::binary_v4(true)),
        ("a.gltf", gltf::tests::text().into()),
        ("a.glb", gltf::tests::binary()),
        ("a.vtk", vtk::tests::GRID.into()),
        ("a.node", tetgen::tests::NODES.into()),
        ("a.ele", tetgen::tests::TETS.into()),
    ]
}

/// The file beside a TetGen file.
fn beside(name: &str) -> Option<Vec<u8>> {
    match name {
        "a.node" => Some(tetgen::tests::NODES.into()),
        "a.ele" => Some(tetgen::tests::TETS.into()),
        _ => None,
    }
}

/// A way to damage a file.
#[derive(Clone, Debug)]
enum Damage {
    Set(prop::sample::Index, u8),
    Remove(prop::sample::Index, usize),
    Repeat(prop::sample::Index, usize),
    Insert(prop::sample::Index, &'static str),
    Cut(prop::sample::Index),
}

fn damage() -> impl Strategy<Value = Damage> {
    // Words that readers have stumbled over before.
    let words = prop::sample::select(vec![
        "0",
        "-1",
        "9",
        "4294967296",
        "18446744073709551615",
        "1e400",
        "nan",
        "#",
        "\n",
        " ",
        "\\",
        "/",
        "$End",
        "\"",
        "[",
        "}",
        "\u{0}",
        "é",
    ]);
    let place = any::<prop::sample::Index>;
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        (place(), 1..40_usize).prop_map(|(at, length)| Damage::Remove(at, length)),
        (place(), 1..40_usize).prop_map(|(at, length)| Damage::Repeat(at, length)),
        (place(), words).prop_map(|(at, word)| Damage::Insert(at, word)),
        place().prop_map(Damage::Cut),
    ]
}

impl Damage {
    fn apply(&self, file: &mut Vec<u8>) {
        if file.is_empty() {
            return;
        }
        match self {
            Self::Set(at, byte) => {
                let at = at.index(file.len());
                file[at] = *byte;
            }
            Self::Remove(at, length) => {
                let start = at.index(file.len());
                file.drain(start..(start + length).min(file.len()));
            }
            Self::Repeat(at, length) => {
                let start = at.index(file.len());
                let again = file[start..(start + length).min(file.len())].to_vec();
                file.splice(start..start, again);
            }
            Self::Insert(at, word) => {
                let start = at.index(file.len());
                file.splice(start..start, word.bytes());
            }
            Self::Cut(at) => file.truncate(at.index(file.len())),
        }
    }
}

/// Reads the file; what comes out must keep the promises of [`read`].
fn read_and_check(name: &str, file: &[u8]) {
    if let Ok(mesh) = read(name, file, &beside) {
        assert!(!mesh.positions.is_empty() && mesh.positions.iter().all(|p| p.is_finite()));
        let defects = carom_geometry::check(&mesh);
        let stray = defects.iter().find(|d| matches!(d, carom_geometry::Defect::OutOfRange { .. }));
        assert!(stray.is_none(), "{stray:?}");
    }
}

#[test]
fn the_good_files_are_good() {
    for (name, file) in good_files() {
        read(name, &file, &beside).unwrap_or_else(|error| panic!("{error}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_damaged_file_gives_a_mesh_or_an_error(damages in prop::collection::vec(damage(), 1..6)) {
        for (name, mut file) in good_files() {
            for damage in &damages {
                damage.apply(&mut file);
            }
            read_and_check(name, &file);
        }
    }

    #[test]
    fn random_bytes_give_a_mesh_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for (name, file) in good_files() {
            read_and_check(name, &bytes);
            // Behind a good beginning random bytes get further.
            read_and_check(name, &[&file[..file.len() / 2], &bytes].concat());
        }
    }
}
