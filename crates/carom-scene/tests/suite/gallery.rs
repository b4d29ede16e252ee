//! Every scene that comes with the program reads, builds, and can be repeated from its resolved form.

use carom_scene::{BuiltIn, Files, GALLERY, InMemory, Scene, build, template};

fn check(name: &str, scene: &Scene, files: &dyn Files) {
    let built = build(scene, files).unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert!(built.warnings.is_empty(), "{}", built.warnings.render(false));
    assert!(!scene.file.title.is_empty(), "{name} has no title");

    let resolved = scene.resolved_toml(&built);
    let again = Scene::parse("resolved.toml", &resolved)
        .unwrap_or_else(|e| panic!("{resolved}\n{}", e.render(false)));
    let kept = InMemory(built.files.iter().map(|kept| (kept.path.clone(), kept.bytes.clone())).collect());
    let rebuilt = build(&again, &kept).unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert_eq!(built.state.fingerprint(), rebuilt.state.fingerprint(), "{name}");
    assert_eq!(built.system.masses, rebuilt.system.masses, "{name}");
    assert_eq!(built.system.schedules, rebuilt.system.schedules, "{name}");
    assert_eq!(built.system.contact, rebuilt.system.contact, "{name}");
    assert_eq!(built.system.paths, rebuilt.system.paths, "{name}");
    assert_eq!(
        (built.schedule.end, built.schedule.rows, built.schedule.frames),
        (rebuilt.schedule.end, rebuilt.schedule.rows, rebuilt.schedule.frames)
    );
    assert_eq!(built.expectations, rebuilt.expectations);
    assert_eq!(
        again.resolved_toml(&rebuilt).lines().skip(1).collect::<String>(),
        resolved.lines().skip(1).collect::<String>()
    );
}

#[test]
fn every_scene_of_the_gallery_can_be_repeated_from_its_resolved_form() {
    for built_in in GALLERY {
        let loaded = Scene::load(built_in.name, &[]).unwrap_or_else(|e| panic!("{}", e.render(false)));
        check(built_in.name, &loaded.scene, &*loaded.files);
    }
}

#[test]
fn the_template_is_a_scene() {
    let scene = Scene::parse("template.toml", &template()).unwrap_or_else(|e| panic!("{}", e.render(false)));
    check("template.toml", &scene, &InMemory::default());
}

#[test]
fn every_file_in_the_folder_is_in_the_gallery_and_says_what_it_shows_and_expects() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, GALLERY.iter().map(|b| b.name).collect::<Vec<_>>());
    for built_in in GALLERY {
        assert!(built_in.text.starts_with("# "), "{} does not say what it shows", built_in.name);
        assert!(built_in.text.contains("[expect]"), "{} expects nothing", built_in.name);
    }
}

#[test]
fn a_scene_is_loaded_by_path_or_by_name_and_a_slip_is_answered() {
    let loaded = Scene::load("drum", &[]).unwrap();
    assert_eq!(loaded.name, "drum");
    let error = Scene::load("drumm", &[]).err().unwrap().to_string();
    assert!(error.contains("did you mean the built-in scene `drum`?"), "{error}");
    assert_eq!(BuiltIn::called("no such scene"), None);

    let path = std::env::temp_dir().join(format!("carom-scene-{}.toml", std::process::id()));
    std::fs::write(&path, template()).unwrap();
    let loaded = Scene::load(path.to_str().unwrap(), &[]).unwrap();
    assert!(loaded.name.starts_with("carom-scene-"));
    std::fs::write(&path, b"format = 1\ntitle = \"\xff\"\n").unwrap();
    let error = Scene::load(path.to_str().unwrap(), &[]).err().unwrap();
    assert!(error.to_string().contains(":2:10: this is not text"), "{error}");
    assert!(!error.render(false).is_empty());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn the_folder_of_a_run_is_loaded_as_its_scene_and_keeps_its_name() {
    let folder = std::env::temp_dir().join(format!("carom-scene-run-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let drum = Scene::load("drum", &[]).unwrap();
    let built = build(&drum.scene, drum.files.as_ref()).unwrap();
    std::fs::write(folder.join("scene.toml"), drum.scene.resolved_toml(&built)).unwrap();
    let loaded = Scene::load(folder.to_str().unwrap(), &[]).unwrap();
    assert_eq!(loaded.name, "drum");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_drum_has_three_sizes_of_clocks_at_least() {
    let loaded = Scene::load("drum", &[]).unwrap();
    let built = build(&loaded.scene, loaded.files.as_ref()).unwrap();
    let membranes = built.system.families.iter().position(|f| f.kind().starts_with("membrane")).unwrap();
    assert!(built.system.schedules[membranes].rungs.len() >= 3);
}

#[test]
fn the_equal_edges_of_the_string_share_one_clock() {
    let loaded = Scene::load("string", &[]).unwrap();
    let built = build(&loaded.scene, loaded.files.as_ref()).unwrap();
    assert_eq!(built.system.schedules[0].rungs.len(), 1);
}
