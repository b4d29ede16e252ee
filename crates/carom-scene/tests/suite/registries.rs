//! Keys that registered kinds bring along read, fail and describe themselves as keys of the format do.

use carom_scene::{InMemory, Scene, build};

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
        "{GOOD}[[part]]\nbody = \"sheet\"\nselect.box = {{ min = [-1, -1, -1], max = [0, 1, 1] }}\nyoung = 3e7\n\
         [[body]]\nname = \"floor\"\nobstacle = true\nposition = [0, 0, -1]\nshape.grid = {{ size = [1.0, 1.0], edge = 0.5 }}\n"
    );
    let built = build(&Scene::parse("scene.toml", &text).unwrap(), &InMemory::default()).unwrap();
    assert_eq!(built.moduli_pa, [Some(3e7), None]);
}
