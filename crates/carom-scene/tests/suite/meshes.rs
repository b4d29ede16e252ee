//! Scenes with meshes from files: what is wrong with a file is said at the line that names it.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use carom_scene::{Built, Folder, InMemory, Scene, SceneError, build};

const SHELL: &str = "material.shell = { thickness = 0.01, young = 1e6, poisson = 0.3, density = 1000 }";
const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng left\nf 1 2 3\nf 1 3 4\n";

fn scene(file: &str, more: &str) -> Scene {
    let text = format!(
        "format = 1\ntime.end = 1\n[[body]]\nname = \"m\"\nshape.mesh.file = \"{file}\"\n{SHELL}\n{more}\n"
    );
    Scene::parse("scene.toml", &text).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

fn files(list: &[(&str, &str)]) -> InMemory {
    InMemory(list.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect())
}

fn refused(text: &str) -> String {
    let error: SceneError = build(&scene("m.obj", ""), &files(&[("m.obj", text)])).err().unwrap();
    error.to_string()
}

#[test]
fn a_mesh_is_read_scaled_and_kept_by_its_contents() {
    let scene = scene("parts/m.obj", "shape.mesh.scale = 2\nstart.mesh.file = \"bent.obj\"");
    let bent = SQUARE.replace("v 1 1 0", "v 1 1 0.3");
    let built = build(&scene, &files(&[("parts/m.obj", SQUARE), ("bent.obj", &bent)])).unwrap();
    assert!((built.system.masses.iter().sum::<f64>() - 1000.0 * 0.01 * 4.0).abs() < 1e-9);
    assert_eq!(built.state.positions[2].z, 0.3);
    assert_eq!(built.files.len(), 2);
    repeats(&scene, &built);
}

/// The resolved scene and the kept files give the same system.
fn repeats(scene: &Scene, built: &Built) {
    let kept: BTreeMap<String, Vec<u8>> =
        built.files.iter().map(|f| (f.path.clone(), f.bytes.clone())).collect();
    let resolved = scene.resolved_toml(built);
    let again = build(&Scene::parse("resolved.toml", &resolved).unwrap(), &InMemory(kept)).unwrap();
    assert_eq!(again.state.fingerprint(), built.state.fingerprint());
    assert_eq!(again.system.masses, built.system.masses);
    assert_eq!(again.system.schedules, built.system.schedules);
}

#[test]
fn a_mesh_that_names_another_file_can_be_repeated_from_its_folder() {
    // Three floats a vertex, then one triangle, in a buffer beside the glTF.
    let positions: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut buffer: Vec<u8> = positions.iter().flat_map(|x| x.to_le_bytes()).collect();
    buffer.extend([0_u16, 1, 2].iter().flat_map(|i| i.to_le_bytes()));
    let gltf = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
        "buffers":[{"uri":"data.bin","byteLength":42}],
        "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
                     {"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}]}"#;
    let mut in_memory = files(&[("in/m.gltf", gltf)]);
    in_memory.0.insert("in/data.bin".to_owned(), buffer);
    let scene = scene("in/m.gltf", "");
    let built = build(&scene, &in_memory).unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert_eq!(built.files.len(), 2);
    repeats(&scene, &built);
}

#[test]
fn what_is_wrong_with_a_mesh_is_said_with_its_file_and_line() {
    let line = refused(&SQUARE.replace("f 1 3 4", "f 1 3 9"));
    assert!(line.starts_with("scene.toml:5:19: m.obj, line 7: "), "{line}");
    let line = refused(&SQUARE.replace("v 1 1 0", "v 2 0 0"));
    assert!(line.starts_with("scene.toml:5:1: m.obj: ") && line.contains("has no area"), "{line}");
    let line = refused(&(SQUARE.to_owned() + "v 0 0 1\nf 1 3 5\n"));
    assert!(line.contains("more than two triangles; split the surface there"), "{line}");
    let line = refused(&(SQUARE.to_owned() + "v 0 0 1\n"));
    assert!(line.contains("no element, hence no mass"), "{line}");
    let line = refused(&SQUARE.replace("f 1 3 4", "f 1 4 3"));
    assert!(line.contains("face opposite sides"), "{line}");
    let line = refused("v 0 0 0\nv 1 0 0\nl 1 2\n");
    assert!(line.contains("a shell cannot be made of this shape"), "{line}");
}

#[test]
fn a_start_mesh_has_the_vertices_of_the_rest_shape() {
    let scene = scene("m.obj", "start.mesh.file = \"other.obj\"");
    let error = build(&scene, &files(&[("m.obj", SQUARE), ("other.obj", "v 0 0 0\n")])).err().unwrap();
    assert!(error.to_string().contains("other.obj has 1 vertices, the rest shape 4"), "{error}");
}

#[test]
fn a_soup_of_triangles_is_built_with_a_warning() {
    let soup = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\nv 5 0 0\nv 6 0 0\nv 6 1 0\nf 4 5 6\n";
    let built = build(&scene("m.obj", ""), &files(&[("m.obj", soup)])).unwrap();
    let warnings: Vec<String> = built.warnings.lines().collect();
    assert!(warnings[0].contains("no two of the 2 triangles of m.obj share an edge"), "{warnings:?}");
}

#[test]
fn malformed_files_of_others_are_refused_at_the_line_that_names_them() {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var_os("CAROM_DATA").map_or_else(default, PathBuf::from).join("badinput");
    let Ok(list) = std::fs::read_to_string(folder.join("EXPECT.tsv")) else {
        // Not `println!`, which a test that passes keeps to itself.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: no data at {}; CAROM_DATA names its folder",
            folder.display()
        );
        return;
    };
    let mut refused = 0;
    for line in list.lines().skip(1) {
        let (file, expectation) = line.split_once('\t').unwrap();
        if expectation.starts_with("buffer of") {
            continue;
        }
        let start = Instant::now();
        let result = build(&scene(file, ""), &Folder(folder.clone()));
        assert!(start.elapsed() < Duration::from_secs(1), "{file} took {:?}", start.elapsed());
        match result {
            Ok(_) => assert!(!expectation.starts_with("reject"), "{file} was accepted"),
            Err(error) => {
                assert!(error.to_string().starts_with("scene.toml:"), "{error}");
                assert!(!error.render(false).is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused >= 20, "only {refused} files were refused");
    let error = build(&scene("cgal_all_degen.off", ""), &Folder(folder)).err().unwrap().to_string();
    assert!(error.contains("no area"), "{error}");
}
