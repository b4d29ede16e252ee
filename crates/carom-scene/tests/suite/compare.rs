//! Comparisons: lines change the scene they belong to, and errors in them point at the line.

use carom_scene::{Override, Scene};

const SCENE: &str = r#"format = 1
[time]
end = 1.0
[[body]]
name = "sheet"
shape.grid = { size = [1.0, 1.0], edge = 0.5 }
material.shell = { thickness = 1e-3, young = 1e7, poisson = 0.3, density = 1000 }
[compare]
beside = ["one clock"]
[[compare.line]]
name = "one clock"
method = "synchronous"
[[compare.line]]
name = "short"
set = { "time.end" = 0.25, "body.sheet.material.shell.thickness" = 2e-3 }
"#;

/// The error of the scene with `from` replaced by `to`.
fn with(from: &str, to: &str) -> String {
    assert!(SCENE.contains(from), "{from}");
    Scene::parse("scene.toml", &SCENE.replace(from, to)).expect_err("it should be refused").to_string()
}

#[test]
fn a_line_is_the_scene_with_its_changes_and_nothing_to_compare() {
    let scene = Scene::parse("scene.toml", SCENE).unwrap();
    assert_eq!(scene.file.own_line(), "carom");
    let line = scene.line("one clock").unwrap();
    assert_eq!((line.file.method.name(), line.file.time.end.get()), ("synchronous", 1.0));
    let short = scene.line("short").unwrap();
    assert_eq!((short.file.method.name(), short.file.time.end.get()), ("carom", 0.25));
    assert!(short.file.compare.is_none());
    let material = short.file.bodies[0].material.as_ref().unwrap();
    assert!(format!("{material:?}").contains("0.002"), "{material:?}");
}

#[test]
fn flags_change_every_line_and_what_a_line_sets_wins() {
    let flags = [Override::set("time.end=3"), Override::set("clocks.safety=0.1")];
    let scene = Scene::parse_with("scene.toml", SCENE, &flags).unwrap();
    assert_eq!(scene.line("one clock").unwrap().file.time.end.get(), 3.0);
    let short = scene.line("short").unwrap();
    assert_eq!((short.file.time.end.get(), short.file.clocks.safety.get()), (0.25, 0.1));
    let variant = scene.variant(&[Override::assign("--line", "clocks.safety=0.2")]).unwrap();
    assert_eq!((variant.file.clocks.safety.get(), variant.file.compare), (0.2, None));
}

#[test]
fn an_unknown_line_is_named_with_what_was_meant() {
    assert_eq!(
        with("[\"one clock\"]", "[\"one clok\"]"),
        "scene.toml:9:11: there is no line called \"one clok\"; did you mean \"one clock\"?"
    );
    let scene = Scene::parse("scene.toml", SCENE).unwrap();
    assert!(scene.line("other").unwrap_err().to_string().contains("no line \"other\""));
}

#[test]
fn a_key_that_a_line_sets_and_that_does_not_exist_is_pointed_at() {
    assert_eq!(
        with("\"time.end\"", "\"time.edn\""),
        "scene.toml:15:9: line \"short\": `edn` is not a key of `time`; did you mean `end`?"
    );
    let wrong = with("= 0.25", "= -0.25");
    assert!(
        wrong.starts_with("scene.toml:15:22: line \"short\": `time.end`: expected a number greater"),
        "{wrong}"
    );
    let nested = with("\"time.end\" = 0.25", "\"compare.name\" = \"x\"");
    assert!(nested.contains("a variant of the scene cannot change `compare`"), "{nested}");
    let nobody = with("body.sheet", "body.shet");
    assert!(nobody.contains("`body` has no item `shet`; did you mean `body.sheet`?"), "{nobody}");
}

#[test]
fn names_are_names_of_folders_and_of_one_line_each() {
    assert!(with("\"short\"", "\"one clock\"").contains("there is another line called \"one clock\""));
    for name in ["../up", "a/b", ".hidden", "dot."] {
        let error = with("\"short\"", &format!("\"{name}\""));
        assert!(error.contains(&format!("\"{name}\" cannot be the name of a line")), "{error}");
    }
    let taken = with("\"short\"", "\"carom\"");
    assert!(taken.starts_with("scene.toml:14:8: \"carom\" is what the line of the scene itself"), "{taken}");
    assert!(taken.contains("`compare.name`"), "{taken}");
    let ours = SCENE.replace("\"short\"", "\"carom\"").replace("[compare]", "[compare]\nname = \"ours\"");
    assert_eq!(Scene::parse("scene.toml", &ours).unwrap().file.own_line(), "ours");
}

#[test]
fn a_method_from_the_command_line_may_be_that_of_a_line() {
    let text = SCENE.replace("one clock", "synchronous");
    let scene =
        Scene::parse_with("scene.toml", &text, &[Override::flag("--method", "method", "synchronous")]);
    assert_eq!(scene.unwrap().file.own_line(), "synchronous");
}
