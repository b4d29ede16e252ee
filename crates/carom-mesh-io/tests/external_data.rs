//! Files of other projects: malformed ones must be refused with a message, valid ones must load.
//!
//! The files lie outside the project, at `$CAROM_DATA` or in `shared/data` beside it; where they
//! are absent these tests say that they were skipped.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use carom_geometry::{Defect, Mesh, Topology, check};
use carom_mesh_io::ImportError;

/// The folder of that name, if the data is there.
fn data(folder: &str) -> Option<PathBuf> {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = std::env::var_os("CAROM_DATA").map_or_else(default, PathBuf::from).join(folder);
    if path.is_dir() {
        return Some(path);
    }
    // Not `println!`, which a test that passes keeps to itself.
    let _ =
        writeln!(std::io::stderr(), "skipped: no data at {}; CAROM_DATA names its folder", path.display());
    None
}

fn read(path: &Path) -> Result<Mesh, ImportError> {
    let folder = path.parent().unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let start = Instant::now();
    let result =
        carom_mesh_io::read(name, &fs::read(path).unwrap(), &|name| fs::read(folder.join(name)).ok());
    assert!(start.elapsed() < Duration::from_secs(1), "{name} took {:?}", start.elapsed());
    result
}

/// What is wrong, for files whose faults the list names.
fn expected_words(file: &str) -> &'static str {
    match file {
        "assimp_empty.obj" | "assimp_empty.ply" | "gltfvalidator_glb_empty_file.glb" => "the file is empty",
        "trimesh_empty.stl" | "trimesh_stl_empty_ascii.stl" => "the mesh is empty",
        "assimp_malformed.obj" => "28: a vertex has the number 0",
        "assimp_OutOfMemory.off" => "vertex 8 of 353535235358",
        "tinyobjloader_invalid-face-definition.obj" => "a face has 1 vertices",
        "trimesh_notenoughindices.obj" => "a face has 2 vertices",
        "tinyobjloader_invalid-relative-vertex-index.obj" => "counts back before the first vertex",
        "tinyobjloader_issue-140-zero-face-idx.obj" => "the number 0",
        "tobj_invalid_index.obj" => "names vertex 7, but there are 6",
        "trimesh_ply_empty_header.ply" => "the header announces no vertices",
        "cgal_invalid_cut.obj" => "three coordinates, here are 2",
        "cgal_invalid_cut.ply" => "the row ends early",
        "cgal_invalid_header.stl" => "1: the header is missing",
        "cgal_invalid_nv.off" => "too many vertices",
        "gltf_minimal_accessor_invalid.gltf" => "a bound has 2 numbers",
        "derived_truncated.msh" => "the file ends where a coordinate should be",
        "derived_nan.msh" => "`nan` is not a finite number",
        "derived_inf.msh" => "`1e400` is not a finite number",
        "derived_no_end.msh" => "`$Surface` where `$EndElements` should be",
        "gltfvalidator_glb_bom.glb" => "the JSON is damaged",
        "gltfvalidator_glb_invalid_magic.glb" => "does not start with `glTF`",
        "gltfvalidator_glb_truncated_chunk_data.glb" => "announces",
        "gltfvalidator_glb_zero_length.glb" => "announces 0 bytes",
        "gltfvalidator_accessor_invalid_sparse_count_and_stride.gltf" => "2 elements of 1 are replaced",
        "gltfvalidator_accessor_data_invalid_elements_float.gltf" => "infinite or not a number",
        "gltfvalidator_buffer_wrong_bytelength.glb" => "announces 17 bytes, but there are 16",
        "gltfvalidator_node_node_loop.gltf" => "loop",
        "gltfvalidator_mesh_accessor_unequal_count.gltf" => "has 3 elements, others have 4",
        other => panic!("{other} was refused, and nobody said why it should be"),
    }
}

/// Whether the list, or the validator's report beside the file, wants it refused.
fn is_to_be_refused(path: &Path, expectation: &str) -> bool {
    if expectation.starts_with("issue codes") {
        let report = fs::read_to_string(format!("{}.report.json", path.display())).unwrap();
        return !report.contains("\"numErrors\": 0");
    }
    expectation.starts_with("reject") || expectation.starts_with("report empty")
}

#[test]
fn malformed_files_are_refused_in_words_and_odd_ones_are_read() {
    let Some(folder) = data("badinput") else { return };
    let list = fs::read_to_string(folder.join("EXPECT.tsv")).unwrap();
    let mut files = 0;
    for line in list.lines().skip(1) {
        let (file, expectation) = line.split_once('\t').unwrap();
        if expectation.starts_with("buffer of") {
            continue;
        }
        files += 1;
        let path = folder.join(file);
        match (read(&path), is_to_be_refused(&path, expectation)) {
            (Err(error), true) => {
                let message = error.to_string();
                println!("{message}");
                assert!(message.starts_with(file) && message.contains("; "), "{message}");
                assert!(message.contains(expected_words(file)), "{message}");
            }
            (Ok(mesh), false) => println!("{file}: {} defects", check(&mesh).len()),
            (Err(error), false) => panic!("{error}, but the list says: {expectation}"),
            (Ok(_), true) => panic!("{file} was read, but the list says: {expectation}"),
        }
    }
    assert!(files >= 40, "only {files} files in the list");
}

#[test]
fn what_is_read_but_cannot_be_simulated_is_reported_by_the_check() {
    let Some(folder) = data("badinput") else { return };
    let defects = |file: &str| check(&read(&folder.join(file)).unwrap());
    let has = |file: &str, wanted: fn(&Defect) -> bool| assert!(defects(file).iter().any(wanted), "{file}");
    has("cgal_all_degen.off", |d| matches!(d, Defect::Flat { .. }));
    // Despite its name every vertex of this file has a triangle.
    assert_eq!(defects("cgal_isolated_vertices.off"), []);
    has("gltfvalidator_mesh_data_index_buffer_degenerate_triangle.gltf", |d| {
        matches!(d, Defect::RepeatedVertex { .. })
    });
    let soup = read(&folder.join("trimesh_soup.stl")).unwrap();
    assert!(!Topology::new(&soup.triangles).unwrap().is_closed(), "a soup holds no water");
}

#[test]
fn meshes_of_every_format_load() {
    let Some(folder) = data("meshes") else { return };
    let mut files: Vec<PathBuf> = ["codim", "tet", "tri"]
        .iter()
        .flat_map(|sub| fs::read_dir(folder.join(sub)).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() > 60);
    for path in files {
        let mesh = read(&path).unwrap_or_else(|error| panic!("{error}"));
        println!(
            "{}: {} vertices, {} edges, {} triangles, {} tetrahedra, {} groups; {:?}",
            path.file_name().unwrap().display(),
            mesh.positions.len(),
            mesh.edges.len(),
            mesh.triangles.len(),
            mesh.tets.len(),
            mesh.groups.len(),
            check(&mesh).iter().map(ToString::to_string).collect::<Vec<_>>()
        );
        assert!(!check(&mesh).iter().any(|d| matches!(d, Defect::OutOfRange { .. })));
    }
}

#[test]
fn the_encodings_of_one_gmsh_mesh_agree() {
    let Some(folder) = data("meshes") else { return };
    let read = |name: &str| read(&folder.join("tet").join(name)).unwrap();
    let mesh = read("polyfem_22_ascii.msh");
    assert_eq!((mesh.positions.len(), mesh.tets.len(), mesh.groups.len()), (8, 5, 3));
    assert_eq!(read("polyfem_22_binary.msh"), mesh);
    // Version 4 lists nodes entity by entity, so only the shape is the same.
    let blocks = read("polyfem_41_ascii.msh");
    assert_eq!(read("polyfem_41_binary.msh"), blocks);
    assert_eq!(blocks.volume(), mesh.volume());
}
