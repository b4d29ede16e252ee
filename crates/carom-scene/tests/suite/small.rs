//! The small variant of a scene: `[small]` and `--small`.

use carom_scene::{Override, Scene};

const SPRING: &str = r#"
format = 1
[time]
end = 2.0
[[body]]
name = "masses"
shape.points = { positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]] }
material.points = { mass = 1.0 }
[[spring]]
between = ["masses:0", "masses:1"]
stiffness = 10.0
[[compare.line]]
name = "stiff"
set = { "spring.0.stiffness" = 20.0 }
"#;

fn read(small: &str, overrides: &[Override]) -> Result<Scene, String> {
    let text = format!("{SPRING}\n{small}");
    Scene::parse_with("scene.toml", &text, overrides).map_err(|error| error.to_string())
}

#[test]
fn the_small_variant_has_the_values_of_its_section_and_is_compared_with_nothing() {
    let small = "[small]\n\"time.end\" = 0.5\n\"body.masses.material.points.mass\" = 3.0\n";
    assert_eq!(read(small, &[]).unwrap().file.time.end.get(), 2.0);
    let scene = read(small, &[Override::small()]).unwrap();
    assert_eq!(scene.file.time.end.get(), 0.5);
    assert!(scene.file.compare.is_none() && scene.file.small.is_empty());
}

#[test]
fn the_command_line_has_the_last_word_over_the_small_variant() {
    let changes = [Override::small(), Override::set("time.end=0.1")];
    assert_eq!(read("[small]\n\"time.end\" = 0.5\n", &changes).unwrap().file.time.end.get(), 0.1);
}

#[test]
fn a_scene_without_a_small_variant_says_so() {
    let said = read("", &[Override::small()]).unwrap_err();
    assert!(said.contains("no small variant") && said.contains("[small]"), "{said}");
}

#[test]
fn what_is_wrong_with_the_small_variant_is_found_before_anyone_runs_it() {
    let said = read("[small]\n\"time.ned\" = 0.5\n", &[]).unwrap_err();
    assert!(said.contains("the small variant") && said.contains("did you mean `end`"), "{said}");
    let said = read("[small]\n\"compare.line\" = []\n", &[]).unwrap_err();
    assert!(said.contains("cannot change `compare`"), "{said}");
}
