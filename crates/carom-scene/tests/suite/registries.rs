//! Keys that registered kinds bring along read, fail and describe themselves as keys of the format do.

use carom_model::{Absent, LAWS};
use carom_scene::format::{FIELDS, MATERIALS};
use carom_scene::{BodyMaterial, InMemory, KeyValue, LOADS, PROBES, Scene, build, keys};

const GOOD: &str = r#"format = 1
time.end = 1.0
[contact]
thickness = 1e-3
friction = 0.3
[[body]]
name = "sheet"
shape.grid = { size = [1.0, 1.0], edge = 0.25 }
material.shell = { thickness = 1e-3, young = 1e7, poisson = 0.3, density = 1000, membrane = "stvk" }
[[pair]]
lennard-jones = { depth = 1e-9, diameter = 0.1 }
[[load]]
body = "sheet"
select.all = true
pressure = 1.0
"#;

/// The error of the good scene with `from` replaced by `to`.
fn with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    Scene::parse("scene.toml", &GOOD.replace(from, to)).err().map_or_else(String::new, |e| e.to_string())
}

#[test]
fn a_misspelt_key_or_choice_of_a_registered_kind_is_recognised() {
    for (from, to, message) in [
        (
            "friction",
            "frction",
            "scene.toml:5:1: `frction` is not a key of `contact`; did you mean `friction`?",
        ),
        ("depth", "dpth", "`dpth` is not a key of `pair.0.lennard-jones`; did you mean `depth`?"),
        (
            "lennard-jones",
            "lenard-jones",
            "`lenard-jones` is not a key of `pair.0`; did you mean `lennard-jones`?",
        ),
        ("pressure", "presure", "`presure` is not a key of `load.0`; did you mean `pressure`?"),
        ("stvk", "stkv", "`stkv` is not a choice of `body.0.material.shell.membrane`; did you mean `stvk`?"),
        (
            "\"stvk\"",
            "\"rubber\", bending = \"none\"",
            "`rubber` is not a choice of `body.0.material.shell.membrane`; there is: `neo-hookean`, `stvk`",
        ),
    ] {
        let error = with(from, to);
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_bad_or_missing_number_of_a_registered_kind_is_explained_where_it_is() {
    for (from, to, message) in [
        (
            "= 0.3\n",
            "= -0.3\n",
            "scene.toml:5:12: `contact.friction`: expected a number of 0 or more, found -0.3; `friction`: Coulomb",
        ),
        (
            "depth = 1e-9",
            "depth = 0",
            "`pair.0.lennard-jones.depth`: expected a number greater than 0, found 0",
        ),
        (
            "depth = 1e-9, ",
            "",
            "`pair.0.lennard-jones` has no `depth`, which it needs; `depth`: Depth of the well, in J.",
        ),
        ("pressure = 1.0", "force = [1, 2]", "expected a list of 3 values"),
    ] {
        let error = with(from, to);
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn a_scene_written_out_reads_as_it_was() {
    let scene = Scene::parse("scene.toml", GOOD).unwrap();
    let built = build(&scene, &InMemory::default()).unwrap();
    let again = Scene::parse("scene.toml", &scene.resolved_toml(&built)).unwrap();
    assert_eq!(again.file.contact, scene.file.contact);
    assert_eq!((&again.file.pairs, &again.file.loads), (&scene.file.pairs, &scene.file.loads));
    assert_eq!(again.file.bodies, scene.file.bodies);
}

#[test]
fn a_body_is_as_stiff_as_its_stiffest_part_and_an_obstacle_has_no_modulus() {
    let text = format!(
        "{GOOD}[[part]]\nbody = \"sheet\"\nselect.box = {{ min = [-1, -1, -1], max = [0, 1, 1] }}\nyoung = 3e7\ndensity = 500\n\
         [[body]]\nname = \"floor\"\nobstacle = true\nposition = [0, 0, -1]\nshape.grid = {{ size = [1.0, 1.0], edge = 0.5 }}\n\
         material.shell = {{ thickness = 1e-3, young = 1e7, poisson = 0.3, density = 1000 }}\n"
    );
    let built = build(&Scene::parse("scene.toml", &text).unwrap(), &InMemory::default()).unwrap();
    assert_eq!(built.materials, [in_bulk([Some(3e7), Some(500.0), Some(1e-3)]), BodyMaterial::default()]);
}

fn in_bulk([modulus_pa, density_kg_m3, thickness_or_radius_m]: [Option<f64>; 3]) -> BodyMaterial {
    BodyMaterial { modulus_pa, density_kg_m3, thickness_or_radius_m }
}

#[test]
fn every_material_says_the_numbers_that_it_has_in_bulk() {
    const HEAD: &str = "format = 1\ntime.end = 1.0\ngravity.acceleration = [0, 0, -9.81]\n";
    let box_of_tets = "shape.box = { size = [1, 1, 1], cells = [1, 1, 1] }";
    let rod = "shape.rod = { from = [0, 0, 0], to = [1, 0, 0], segments = 4 }";
    let points = "shape.points = { positions = [[0, 0, 0], [1, 0, 0]] }";
    let grains = "shape.grains.table.file = \"grains.txt\"";
    let table = InMemory([("grains.txt".to_owned(), b"0 0 0 0.2\n1 0 0 0.1\n".to_vec())].into());
    let cases = [
        (rod, "rod = { radius = 2e-3, young = 1e8, density = 900 }", [Some(1e8), Some(900.0), Some(2e-3)]),
        (
            box_of_tets,
            "solid = { young = 1e6, poisson = 0.0, density = 800 }",
            [Some(1e6), Some(800.0), None],
        ),
        (points, "points = { mass = 0.1 }", [None, None, None]),
        (grains, "grains = { density = 2500 }", [None, Some(2500.0), Some(0.1)]),
        (
            grains,
            "grains = { density = 2500, hertz = { young = 3e6, poisson = -0.5 } }",
            [Some(4e6), Some(2500.0), Some(0.1)],
        ),
    ];
    for (shape, material, expected) in cases {
        let text = format!("{HEAD}[[body]]\nname = \"one\"\n{shape}\nmaterial.{material}\n");
        let built = build(&Scene::parse("scene.toml", &text).unwrap(), &table).unwrap();
        assert_eq!(built.materials, [in_bulk(expected)], "{material}");
    }
}

/// The keys at `path` of the format, with what is said of each.
fn keys_at(path: &str) -> Vec<(String, String)> {
    let found = path.split('.').fold(keys(), |all, name| {
        let key = all.into_iter().find(|key| key.name == name).unwrap_or_else(|| panic!("{path}: {name}"));
        match key.value {
            KeyValue::Table(table) | KeyValue::Tables(table) => table.keys,
            KeyValue::Choice(kinds) => kinds,
            KeyValue::Plain(_) => panic!("{path}: {name} is a value"),
        }
    });
    found.into_iter().map(|key| (key.name, key.about)).collect()
}

#[test]
fn fields_materials_and_loads_are_the_keys_of_their_tables_in_the_same_words() {
    let owned = |name: &str, about: &str| (name.to_owned(), about.to_owned());
    let fields: Vec<_> = FIELDS.iter().map(|kind| owned(kind.name, kind.about)).collect();
    let mut in_velocities = keys_at("body.velocity_field");
    assert_eq!(in_velocities.pop().map(|(name, _)| name).as_deref(), Some("balanced"));
    assert_eq!(in_velocities, fields);
    let of_places = FIELDS.iter().filter(|kind| kind.is_of_places);
    assert_eq!(
        keys_at("body.start.displace"),
        of_places.map(|kind| owned(kind.name, kind.about)).collect::<Vec<_>>()
    );
    let materials: Vec<_> = MATERIALS.iter().map(|kind| owned(kind.name, kind.about)).collect();
    assert_eq!(keys_at("body.material"), materials);
    let of_load = keys_at("load");
    for load in LOADS {
        assert_eq!(of_load.iter().filter(|key| **key == owned(load.name, load.about)).count(), 1);
        assert!(load.about.contains(&format!(" in {}", load.unit)), "{}", load.about);
    }
    for (name, about) in fields.iter().chain(&materials) {
        assert!(about.ends_with('.'), "{name}: {about}");
    }
}

#[test]
fn every_probe_has_a_name_and_columns_of_its_own_and_a_key_that_asks_for_it() {
    let of_probe = keys_at("probe");
    for probe in PROBES {
        assert_eq!(PROBES.iter().filter(|other| other.name == probe.name).count(), 1, "{}", probe.name);
        assert_eq!(PROBES.iter().filter(|other| other.key == probe.key).count(), 1, "{}", probe.key);
        assert!(of_probe.iter().any(|(name, _)| name == probe.key), "{}", probe.key);
        for column in probe.columns {
            let same = probe.columns.iter().filter(|other| other.name == column.name);
            assert_eq!(same.count(), 1, "{} of {}", column.name, probe.name);
        }
    }
}

#[test]
fn what_names_no_field_says_which_there_are() {
    let empty = |key: &str| with("material.shell", &format!("{key} = {{}}\nmaterial.shell"));
    let of_start = empty("start.displace");
    assert!(of_start.contains("`displace` says nothing; give `bump` or `sine`"), "{of_start}");
    let of_velocities = empty("velocity_field");
    assert!(
        of_velocities.contains("`velocity_field` says nothing; give `bump`, `sine` or `noise`"),
        "{of_velocities}"
    );
}

#[test]
fn every_contact_law_has_a_page_in_the_book_that_names_its_key_and_a_default_that_reads() {
    for law in LAWS {
        let page = format!("{}/../../docs/guide/{}.md", env!("CARGO_MANIFEST_DIR"), law.page);
        let text = std::fs::read_to_string(&page).unwrap_or_else(|why| panic!("{page}: {why}"));
        let name = law.parameter.name;
        assert!(text.contains(&format!("`contact.{name}`")), "{page} does not name `contact.{name}`");
        let Absent::Means(default) = law.parameter.absent else { panic!("{name} has no default") };
        assert_eq!(with("friction = 0.3\n", &format!("{name} = {default:?}\n")), "");
    }
}
