//! Prescribed motion: the paths that keys make, and what is refused.

use carom_math::Vec3;
use carom_model::Path;
use carom_scene::{Built, InMemory, Scene, build};

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";

/// A square, rotated and moved, that is driven as `drive` says; keys of the scene itself come first.
fn scene(top: &str, drive: &str) -> Result<(Scene, InMemory), String> {
    let text = format!(
        "format = 1\n{top}\n[time]\nend = 1.0\n[clocks]\nstep = 0.0078125\n[[body]]\nname = \"door\"\nobstacle = true\n\
         shape.mesh.file = \"flat.obj\"\nrotation = {{ axis = [1, 0, 0], degrees = 90 }}\nposition = [0, 0, 2]\n\
         [[drive]]\nbody = \"door\"\n{drive}\n"
    );
    let bent = SQUARE.replace("v 1 1 0", "v 1 1 0.5");
    let more = format!("v 9 9 9\n{SQUARE}");
    let list = [("flat.obj", SQUARE), ("bent.obj", bent.as_str()), ("more.obj", more.as_str())];
    let files = InMemory(list.iter().map(|(n, t)| ((*n).to_owned(), t.as_bytes().to_vec())).collect());
    Ok((Scene::parse("scene.toml", &text).map_err(|e| e.to_string())?, files))
}

fn tried(top: &str, drive: &str) -> Result<Built, String> {
    let (scene, files) = scene(top, drive)?;
    build(&scene, &files).map_err(|e| e.to_string())
}

/// The path that these keys make, and where the door starts.
fn path(drive: &str) -> (Path, Vec<Vec3>) {
    let built = tried("", drive).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(built.system.paths.len(), 1);
    (built.system.paths[0].clone(), built.state.positions.clone())
}

fn refused(drive: &str) -> String {
    tried("", drive).err().expect("it is refused")
}

#[test]
fn keys_are_reached_on_time_from_where_the_body_starts() {
    let (path, start) =
        path("keys = [{ time = 0.25, shift = [0, 0, 1] }, { time = 1.0, shift = [2, 0, 1] }]");
    assert_eq!(path.vertices, [0, 1, 2, 3]);
    let whole = path.ticks[2].0;
    assert_eq!(path.ticks.iter().map(|t| t.0).collect::<Vec<_>>(), [0, whole / 4, whole]);
    for (places, shift) in path.places.iter().zip([Vec3::ZERO, Vec3::Z, Vec3::new(2.0, 0.0, 1.0)]) {
        assert_eq!(*places, start.iter().map(|x| *x + shift).collect::<Vec<_>>());
    }
}

#[test]
fn a_turn_keeps_its_distance_from_the_axis_and_the_door_its_shape() {
    let (path, start) = path("pace = \"smooth\"\nkeys = [{ time = 1.0, degrees = 90 }]");
    assert_eq!(path.ticks.len(), 91, "a piece for each degree");
    let off = |places: &[Vec3], x: fn(Vec3) -> f64| {
        places.iter().zip(&start).map(|(a, b)| (x(*a) - x(*b)).abs()).fold(0.0, f64::max)
    };
    for places in &path.places {
        assert!(off(places, |x| x.x.hypot(x.y)) < 1e-15 && off(places, |x| x.z) < 1e-15);
    }
    let end = path.places[90][1];
    assert!((end - Vec3::new(0.0, 1.0, 2.0)).length() < 1e-15, "{end:?}");
    // From rest to rest: the way gone in the first and the last piece is a small part of that in the middle.
    let way = |i: usize| (path.places[i + 1][1] - path.places[i][1]).length();
    assert!(way(0) < 0.05 * way(45) && way(89) < 0.05 * way(45));
}

#[test]
fn a_sequence_of_meshes_is_placed_as_the_body_is() {
    let (path, start) = path(
        "keys = [{ time = 0.5, mesh.file = \"bent.obj\" }, { time = 1.0, mesh.file = \"flat.obj\", shift = [0, 0, 1] }]",
    );
    let [first, bent, last] = path.places.as_slice() else { panic!("{} corners", path.places.len()) };
    assert_eq!(*first, start);
    // What is above the mesh's plane is in front of the door that stands upright.
    let moved: Vec<f64> = bent.iter().zip(&start).map(|(a, b)| (*a - *b).length()).collect();
    assert_eq!(moved, [0.0, 0.0, 0.5, 0.0]);
    assert!((bent[2] - Vec3::new(1.0, -0.5, 3.0)).length() < 1e-15, "{:?}", bent[2]);
    assert!(last.iter().zip(&start).all(|(a, b)| (*a - *b - Vec3::Z).length() < 1e-15), "{last:?}");
}

#[test]
fn the_folder_of_a_run_has_the_meshes_of_keys_under_the_names_of_its_scene() {
    let (scene, files) = scene("", "keys = [{ time = 1.0, mesh.file = \"bent.obj\" }]").unwrap();
    let built = build(&scene, &files).unwrap();
    let again = Scene::parse("scene.toml", &scene.resolved_toml(&built)).unwrap();
    let kept = InMemory(built.files.iter().map(|file| (file.path.clone(), file.bytes.clone())).collect());
    let rebuilt = build(&again, &kept).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(rebuilt.system.paths, built.system.paths);
}

#[test]
fn a_selection_drives_its_own_vertices_alone() {
    let (path, _) =
        path("select.indices = [3, 1]\nkeys = [{ time = 1.0, mesh.file = \"bent.obj\", shift = [0, 0, 1] }]");
    assert_eq!(path.vertices.len(), 2);
    assert!(path.vertices.contains(&1) && path.vertices.contains(&3));
}

#[test]
fn keys_that_make_no_way_are_refused() {
    let order = refused("keys = [{ time = 0.5 }, { time = 0.25, shift = [1, 0, 0] }]");
    assert!(order.contains("the key at 0.25 s comes after one at 0.5 s"), "{order}");
    let jump = refused("keys = [{ time = 0.0, shift = [1, 0, 0] }]");
    assert!(jump.contains("a key at 0 s cannot move anything"), "{jump}");
    let none = refused("keys = []");
    assert!(none.contains("there are no keys"), "{none}");
    let axis = refused("axis = [0, 0, 0]\nkeys = [{ time = 1.0, degrees = 3 }]");
    assert!(axis.contains("an axis without length"), "{axis}");
}

#[test]
fn a_mesh_of_other_vertices_is_refused() {
    let more = refused("keys = [{ time = 1.0, mesh.file = \"more.obj\" }]");
    assert!(more.starts_with("scene.toml:15:35"), "{more}");
    assert!(more.contains("more.obj has 5 vertices, the rest shape 4"), "{more}");
}

#[test]
fn nobody_is_told_twice() {
    let twice = refused(
        "keys = [{ time = 1.0 }]\n[[drive]]\nbody = \"door\"\nselect.index = 2\nkeys = [{ time = 1.0 }]",
    );
    assert!(twice.starts_with("scene.toml:17:8"), "{twice}");
    assert!(twice.contains("are driven already"), "{twice}");
}

#[test]
fn dcr_knows_no_prescribed_motion() {
    let dcr = tried("method = \"dcr\"", "keys = [{ time = 1.0 }]").err().expect("it is refused");
    assert!(dcr.contains("`method = \"dcr\"` does not support prescribed motion"), "{dcr}");
}

#[test]
fn an_axis_or_a_centre_is_refused_where_nothing_turns() {
    let shift = "keys = [{ time = 0.5, shift = [0, 0, 1] }]";
    for key in ["axis = [0, 0, 1]", "centre = [1, 0, 0]"] {
        let error = refused(&format!("{shift}\n{key}"));
        assert!(error.contains("is for rotations, and no key has `degrees`"), "{error}");
        tried("", &format!("keys = [{{ time = 0.5, degrees = 10 }}]\n{key}")).unwrap();
    }
}

#[test]
fn a_vertex_that_is_pinned_cannot_be_told_where_to_go() {
    let told = |vertices: &str| {
        let text = format!(
            "format = 1\ntime.end = 1.0\n[[body]]\nname = \"rod\"\n\
             shape.rod = {{ from = [0, 0, 0], to = [1, 0, 0], segments = 4 }}\n\
             material.rod = {{ radius = 0.01, young = 1e6, density = 1000 }}\n\
             [[pin]]\nbody = \"rod\"\nselect.index = 2\naxes = \"z\"\n\
             [[drive]]\nbody = \"rod\"\nselect.indices = {vertices}\nkeys = [{{ time = 0.5, shift = [0, 0, 1] }}]\n"
        );
        let scene = Scene::parse("scene.toml", &text).map_err(|e| e.to_string())?;
        build(&scene, &InMemory::default()).map(|_| ()).map_err(|e| e.to_string())
    };
    let error = told("[0, 2]").unwrap_err();
    assert!(error.contains("vertex 2 of \"rod\" is pinned and driven"), "{error}");
    told("[0, 1]").unwrap();
}
