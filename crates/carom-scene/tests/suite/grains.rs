//! Grains and periodic boxes: what is built, and what is refused.

use std::collections::BTreeMap;

use carom_math::Vec3;
use carom_scene::{Built, InMemory, Scene, build};

fn with_files(text: &str, files: &[(&str, &str)]) -> Result<Built, String> {
    let held = files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let files = InMemory(held.collect::<BTreeMap<_, _>>());
    let scene = Scene::parse("grains.toml", text).map_err(|e| e.to_string())?;
    build(&scene, &files).map_err(|e| e.to_string())
}

/// A scene with these keys of contact, shape and material.
fn scene(contact: &str, shape: &str, material: &str) -> String {
    format!(
        "format = 1\ntime.end = 1.0\n[contact]\nthickness = 0.01\n{contact}\n[[body]]\nname = \"grains\"\nshape.grains = {{ {shape} }}\n\
         material.grains = {{ {material} }}\n"
    )
}

fn refusal(contact: &str, shape: &str, material: &str) -> String {
    with_files(&scene(contact, shape, material), &[]).err().expect("it is refused")
}

const BOX: &str = "count = 200, size = [2.0, 2.0, 2.0]";

#[test]
fn grains_weigh_what_their_radii_and_density_say_and_touch_with_those_radii() {
    let shape = format!("{BOX}, radii.uniform = {{ from = 0.02, to = 0.08 }}, seed = 5");
    let built = with_files(&scene("", &shape, "density = 3.0"), &[]).unwrap();
    let vertices = &built.system.contact.as_ref().unwrap().vertices;
    assert_eq!((vertices.len(), built.radii.len()), (200, 200));
    for ((v, mass), radius) in vertices.iter().zip(&built.system.masses).zip(&built.radii) {
        assert!((0.02..=0.08).contains(radius) && v.radius == *radius && v.soft_radius == 0.0);
        let expected = 3.0 * 4.0 / 3.0 * core::f64::consts::PI * radius.powi(3);
        assert!((mass / expected - 1.0).abs() < 1e-14);
    }
    let sizes: f64 = built.radii.iter().sum::<f64>() / 200.0;
    assert!((sizes - 0.05).abs() < 0.005 && built.radii[0] != built.radii[1], "{sizes}");
}

#[test]
fn another_seed_gives_other_grains_and_the_same_seed_the_same() {
    let place = |seed: u32| {
        let shape = format!("{BOX}, radius = 0.05, arrange = \"random\", seed = {seed}");
        with_files(&scene("", &shape, "density = 1.0"), &[]).unwrap().state.positions
    };
    assert_eq!(place(1), place(1));
    assert_ne!(place(1), place(2));
}

#[test]
fn soft_grains_have_a_hard_core_and_layers_of_their_own() {
    let material = "density = 1.0, hertz = { young = 1e6, poisson = 0.25, core = 0.75 }";
    let built = with_files(&scene("", &format!("{BOX}, radius = 0.04"), material), &[]).unwrap();
    let contact = built.system.contact.as_ref().unwrap();
    assert!(contact.vertices.iter().all(|v| v.radius == 0.03 && v.soft_radius == 0.04));
    let soft = contact.layers[contact.soft_layers_between(0, 0).unwrap() as usize];
    // Two of the same: E* = E/(1 − ν²)/2.
    assert!((soft.stiffness - 0.5e6 / 0.9375).abs() < 1e-6 && (soft.thickness - 0.02).abs() < 1e-15);
}

#[test]
fn a_table_gives_places_radii_and_velocities() {
    let text = scene("", "table.file = \"grains.txt\"", "density = 1.0");
    let table = "x y z r vx vy vz\n0 0 0 0.1 1 2 3\n1 0 0 0.2 0 0 0\n";
    let built = with_files(&text, &[("grains.txt", table)]).unwrap();
    assert_eq!(built.radii, [0.1, 0.2]);
    assert_eq!(built.state.velocities[0], Vec3::new(1.0, 2.0, 3.0));
    let wrong = with_files(&text, &[("grains.txt", "0 0 0 0.1\n0 0 0\n")]).err().unwrap();
    assert!(wrong.contains("line 2: a line needs 4 or 7 numbers"), "{wrong}");
    let flat = with_files(&text, &[("grains.txt", "0 0 0 -0.1\n")]).err().unwrap();
    assert!(flat.contains("grain 1 has the radius -0.1"), "{flat}");
}

#[test]
fn grains_in_a_periodic_box_start_apart_through_its_border_too() {
    let shape = "count = 400, size = [1.0, 1.0, 1.0], radius = 0.04, arrange = \"random\"";
    let built = with_files(&scene("period = [1, 1, 1]", shape, "density = 1.0"), &[]).unwrap();
    assert_eq!(built.system.contact.as_ref().unwrap().period, Vec3::splat(1.0));
    let border = built.state.positions.iter().filter(|x| x.max_abs() > 0.46).count();
    assert!(border > 50, "{border} grains reach through the border");
}

#[test]
fn what_does_not_fit_or_contradicts_itself_is_refused_with_the_remedy() {
    let dense = "density = 1.0";
    for (contact, shape, words) in [
        ("", "count = 200, size = [1.0, 1.0, 1.0], radius = 0.2", "do not fit: neighbours are"),
        (
            "",
            "count = 200, size = [1.0, 1.0, 1.0], radius = 0.1, arrange = \"random\"",
            "no place is left for the next",
        ),
        ("", "count = 1, size = [1.0, 1.0, 1.0], radius = 0.6", "larger than the box"),
        ("", "count = 5, radius = 0.1", "need a box of some `size`"),
        ("", "positions = [[0, 0, 0]]", "exactly one of `radius`, `radii`"),
        ("", "positions = [[0, 0, 0]], radii.uniform = { from = 2.0, to = 1.0 }", "below the smallest"),
        ("", "positions = [[0, 0, 0]], radii.list = { values = [1.0], shares = [0.0] }", "must be above 0"),
        ("period = [0, 0, 0]", "positions = [[0, 0, 0]], radius = 0.1", "without any length"),
        ("period = [0, 0.4, 0]", "positions = [[0, 0, 0]], radius = 0.1", "must be wider than"),
        ("radius = 1.0", "positions = [[0, 0, 0]], radius = 0.1", "radius"),
    ] {
        let refused = refusal(contact, shape, dense);
        assert!(refused.contains(words), "{words}: {refused}");
        assert!(refused.contains("grains.toml:"), "{refused}");
    }
}

#[test]
fn only_grains_may_be_in_a_periodic_box() {
    let text = format!(
        "{}\n[[body]]\nname = \"wall\"\nobstacle = true\nshape.room = {{ size = [1, 1, 1] }}\n",
        scene("period = [1, 1, 1]", "positions = [[0, 0, 0]], radius = 0.1", "density = 1.0")
    );
    let refused = with_files(&text, &[]).err().unwrap();
    assert!(refused.contains("\"wall\" cannot be in a periodic box"), "{refused}");
    let walled = with_files(&text.replace("period = [1, 1, 1]", ""), &[]).unwrap();
    assert_eq!(walled.system.contact.unwrap().faces.len(), 12);
}

#[test]
fn a_room_leaves_out_the_walls_that_are_open() {
    let text = "format = 1\ntime.end = 1.0\ncontact.thickness = 0.01\n[[body]]\nname = \"box\"\nobstacle = true\n\
                shape.room = { size = [2, 4, 6], open = [\"z-max\", \"x-min\"] }\n[[body]]\nname = \"grain\"\n\
                shape.grains = { positions = [[0, 0, 0]], radius = 0.1 }\nmaterial.grains = { density = 1.0 }\n";
    let built = with_files(text, &[]).unwrap();
    assert_eq!(built.topology.triangles.len(), 8);
    let area: f64 = built.system.contact.unwrap().faces.iter().map(|f| f.area).sum();
    // y walls 2 · 12, one x wall 24, one z wall 8.
    assert!((area - (24.0 + 24.0 + 8.0)).abs() < 1e-12, "{area}");
}

#[test]
fn what_says_how_to_fill_a_box_is_refused_where_grains_have_their_places() {
    let places = "positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], radius = 0.1";
    for (key, value) in [("arrange", "\"fcc\""), ("arrange", "\"cubic\""), ("jitter", "0.5"), ("gap", "0.01")]
    {
        let error = refusal("", &format!("{places}, {key} = {value}"), "density = 1.0");
        assert!(error.contains(&format!("`{key}` is for grains that are put into a box")), "{error}");
    }
    let text = scene("", places, "density = 1.0");
    let parsed = Scene::parse("grains.toml", &text).unwrap();
    let resolved = parsed.resolved_toml(&with_files(&text, &[]).unwrap());
    with_files(&resolved, &[]).unwrap();
}
