//! Errors are the product: each names the place, the thing and what to do.

use carom_scene::{Override, Scene, SceneError};

/// The smallest scene that reads.
const GOOD: &str = r#"format = 1
[time]
end = 1.0
[[body]]
name = "sheet"
shape.grid = { size = [1.0, 1.0], edge = 0.1 }
material.shell = { thickness = 1e-3, young = 1e7, poisson = 0.3, density = 1000 }
"#;

fn refused(text: &str) -> SceneError {
    match Scene::parse("scene.toml", text) {
        Ok(_) => panic!("this was read as a scene:\n{text}"),
        Err(error) => error,
    }
}

/// The error of the good scene with `from` replaced by `to`.
fn with(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    refused(&GOOD.replace(from, to)).to_string()
}

/// The error of the good scene with something added at the end.
fn adding(text: &str) -> String {
    refused(&format!("{GOOD}{text}")).to_string()
}

#[test]
fn the_good_scene_is_read() {
    Scene::parse("scene.toml", GOOD).unwrap();
}

#[test]
fn a_slip_of_syntax_is_shown_where_it_is() {
    let line = with("end = 1.0", "end = = 1.0");
    assert!(line.starts_with("scene.toml:3:7: this is not TOML:"), "{line}");
}

#[test]
fn unknown_keys_are_all_reported_with_what_was_meant() {
    let text = GOOD.replace("thickness", "thicknes").replace("[time]", "titel = \"x\"\n[time]");
    let error = refused(&text);
    let lines: Vec<String> = error.report().lines().collect();
    assert_eq!(
        lines,
        [
            "scene.toml:2:1: `titel` is not a key of a scene; did you mean `title`?",
            "scene.toml:8:20: `thicknes` is not a key of `body.0.material.shell`; did you mean `thickness`?",
        ]
        .map(str::to_owned)
    );
}

#[test]
fn an_unknown_choice_lists_what_there_is() {
    let line = with("shape.grid", "shape.gird");
    assert_eq!(line, "scene.toml:6:7: `gird` is not a choice of `body.0.shape`; did you mean `grid`?");
    let line = with("edge = 0.1", "edge = 0.1, pattern = \"hexagonal\"");
    assert_eq!(
        line,
        "scene.toml:6:57: `hexagonal` is not a choice of `body.0.shape.grid.pattern`; \
         there is: `equilateral`, `right`, `alternating`"
    );
}

#[test]
fn a_number_out_of_bounds_names_the_key_and_the_bound() {
    assert_eq!(
        with("1e-3", "-1e-3"),
        "scene.toml:7:32: `body.0.material.shell.thickness`: expected a number greater than 0, found -0.001; \
         `thickness`: Thickness, in m."
    );
    for (value, found) in [("nan", "NaN"), ("inf", "inf"), ("0", "0")] {
        let line = with("young = 1e7", &format!("young = {value}"));
        assert!(line.contains(&format!("expected a number greater than 0, found {found}")), "{line}");
    }
    let line = with("poisson = 0.3", "poisson = 0.5");
    assert!(line.contains("less than 0.5, found 0.5"), "{line}");
}

#[test]
fn bad_values_of_dcr_name_the_line_the_bound_and_the_choices() {
    assert_eq!(
        adding("[dcr]\nrestitution = 1.5\n"),
        "scene.toml:9:15: `dcr.restitution`: expected a number from 0 to 1, found 1.5; \
         `restitution`: Coefficient of restitution: 1 reflects, 0 sticks."
    );
    for (line, words) in [
        ("step = 0.0", "`dcr.step`: expected a number greater than 0, found 0"),
        ("friction = -0.1", "`dcr.friction`: expected a number of 0 or more, found -0.1"),
        ("penetration = \"volume\"", "there is: `nearest`, `intersection`"),
        ("setp = 1e-7", "`setp` is not a key of `dcr`; did you mean `step`?"),
    ] {
        let error = adding(&format!("[dcr]\n{line}\n"));
        assert!(error.starts_with("scene.toml:9:") && error.contains(words), "{error}");
    }
}

#[test]
fn every_table_is_read_and_its_first_problem_reported() {
    let text = GOOD.replace("1e-3", "-1e-3").replace("end = 1.0", "end = nan")
        + "[[body]]\nname = 3\n[[pin]]\nbody = \"sheet\"\nselect.index = -1\n";
    let error = refused(&text);
    let lines: Vec<String> = error.report().lines().collect();
    assert_eq!(lines.len(), 4, "{error}");
    assert!(
        lines[0].contains("`time.end`") && lines[1].contains("`body.0.material.shell.thickness`"),
        "{error}"
    );
    assert!(lines[2].contains("`body.1.name`") && lines[3].contains("`pin.0.select.index`"), "{error}");
}

#[test]
fn a_wrong_type_says_what_was_expected() {
    let line = with("end = 1.0", "end = \"soon\"");
    assert!(
        line.starts_with("scene.toml:3:7: `time.end`: invalid type: string \"soon\", expected a number"),
        "{line}"
    );
    let line = with("size = [1.0, 1.0]", "size = [1.0, 1.0, 1.0]");
    assert!(line.contains("expected a list of 2 values, found 3"), "{line}");
    let line = adding("position = [0.0, \"up\", 0.0]\n");
    assert!(line.starts_with("scene.toml:8:18: `body.0.position.1`"), "{line}");
}

#[test]
fn a_missing_key_is_explained() {
    let line = with("[time]\nend = 1.0", "[time]");
    assert_eq!(line, "scene.toml:2:1: `time` has no `end`, which it needs; `end`: When the run ends, in s.");
    let line = with("format = 1\n", "");
    assert!(
        line.contains("has no `format`, which it needs; `format`: The version of the format: 1."),
        "{line}"
    );
}

#[test]
fn another_format_is_refused_by_its_number() {
    assert!(with("format = 1", "format = 2").contains("this program reads format 1, not 2"));
}

#[test]
fn two_shapes_at_once_are_refused() {
    let line = with("name = ", "shape.disc = { radius = 1.0, edge = 0.1 }\nname = ");
    assert!(line.contains("`body.0.shape` must have exactly one of its choices"), "{line}");
}

#[test]
fn names_clash_and_references_dangle() {
    let again = "[[body]]\nname = \"sheet\"\nshape.drum = { radius = 1.0 }\nmaterial.points.mass = 1.0\n";
    let line = adding(again);
    assert!(line.contains("there is another body called \"sheet\""), "{line}");
    let line = adding("[[pin]]\nbody = \"shet\"\nselect.all = true\n");
    assert_eq!(line, "scene.toml:9:8: there is no body called \"shet\"; did you mean \"sheet\"?");
    let line = adding("[[probe]]\nname = \"p\"\npin = \"clamp\"\n");
    assert!(line.contains("there is no pin called \"clamp\"; this scene has no named pin"), "{line}");
}

#[test]
fn keys_that_exclude_each_other_are_told_apart() {
    let line = with("edge = 0.1", "edge = 0.1, cells = [3, 3]");
    assert!(line.contains("a grid needs exactly one of `edge`, `cells`; it has edge and cells"), "{line}");
    let line = adding("[[spring]]\nstiffness = 1.0\n");
    assert!(line.contains("a spring needs exactly one of `between`, `from`, `edges`; it has none"), "{line}");
    let line = adding("[[pair]]\ninverse-distance = {}\n");
    assert!(line.contains("exactly one of `strength`, `gravitation`"), "{line}");
}

#[test]
fn selections_that_choose_nothing_are_noticed_before_any_mesh_is_made() {
    assert!(adding("[[pin]]\nbody = \"sheet\"\nselect = {}\n").contains("`select` chooses nothing"));
    let line = adding("[[pin]]\nbody = \"sheet\"\nselect.box = { min = [1, 0, 0], max = [0, 1, 1] }\n");
    assert!(line.contains("holds nothing"), "{line}");
    assert!(adding("[[pin]]\nbody = \"sheet\"\nselect.all = false\n").contains("leave the key out"));
}

#[test]
fn a_zoom_that_ends_before_it_begins_is_an_error() {
    let line = adding("[output]\nzoom = { from = 0.02, to = 0.01, rows = 10 }\n");
    assert!(line.contains("a zoom ends after it begins"), "{line}");
}

#[test]
fn expectations_are_checked_against_their_probes() {
    let probe = "[[probe]]\nname = \"all\"\nbody = \"sheet\"\n[[expect.probe]]\nname = \"all\"\n";
    let line = adding(&format!("{probe}column = \"kinetics\"\nvalue = 1.0\nrelative = 0.1\n"));
    assert!(line.contains("has no column \"kinetics\"; did you mean \"kinetic\"?"), "{line}");
    let line = adding(&format!("{probe}column = \"kinetic\"\nvalue = 0\nrelative = 0.1\n"));
    assert!(line.contains("nothing is relative to a value of 0"), "{line}");
    let line = adding("[output]\nrows = 100\n[expect]\nenergy_drift = 1e-7\n");
    assert!(line.contains("a drift below 1e-6 cannot be measured with 100 rows"), "{line}");
}

#[test]
fn an_override_replaces_a_value_by_number_or_name() {
    let scene = Scene::parse("scene.toml", GOOD).unwrap();
    let thin = scene.set("body.0.material.shell.thickness=0.01").unwrap().set("time.end=2").unwrap();
    assert_eq!(thin.file.time.end.get(), 2.0);
    let material = thin.file.bodies[0].material.as_deref();
    let Some(carom_scene::format::Material::Shell(shell)) = material else { panic!() };
    assert_eq!(shell.thickness.get(), 0.01);
    assert_eq!(
        thin.file,
        scene.set("body.sheet.material.shell.thickness=0.01").unwrap().set("time.end=2").unwrap().file
    );
    assert!(scene.set("clocks.kind=exact").is_ok(), "a bare word is a string");
    let careful = scene.set("clocks.safety=0.1").unwrap();
    assert_eq!(
        careful.set("clocks.safety=default").unwrap().file,
        scene.set("clocks.kind=dyadic").unwrap().file
    );
    assert!(scene.set("gravity.acceleration=[0, 0, -9.81]").is_ok(), "a missing table is made");
}

#[test]
fn what_is_wrong_with_an_override_is_reported_under_its_flag() {
    let scene = Scene::parse("scene.toml", GOOD).unwrap();
    let line = scene.set("time.end=-1").unwrap_err().to_string();
    assert!(
        line.starts_with("--set time.end=-1: `time.end`: expected a number greater than 0, found -1"),
        "{line}"
    );
    let line = scene.with(Override::flag("--end", "time.end", "never")).unwrap_err().to_string();
    assert!(line.starts_with("--end never: `time.end`: invalid type"), "{line}");
    let line = scene.set("time.ned=1").unwrap_err().to_string();
    assert_eq!(line, "--set time.ned=1: `ned` is not a key of `time`; did you mean `end`?");
    let line = scene.set("body.shete.name=x").unwrap_err().to_string();
    assert_eq!(line, "--set body.shete.name=x: `body` has no item `shete`; did you mean `body.sheet`?");
    let line = scene.set("body.7.name=x").unwrap_err().to_string();
    assert!(line.contains("its items are numbered 0 to 0"), "{line}");
    assert!(scene.set("time.end").unwrap_err().to_string().contains("--set needs a value"));
    assert!(scene.set("time.end=[1").unwrap_err().to_string().contains("is not a TOML value"));
    assert!(scene.set("time..end=1").unwrap_err().to_string().contains("a part between its dots is empty"));
    assert!(
        scene.set("time.end.x=1").unwrap_err().to_string().contains("`time.end` is a value and has no keys")
    );
}

#[test]
fn the_picture_underlines_the_value() {
    let picture = refused(&GOOD.replace("1e-3", "-1e-3")).render(false);
    let lines: Vec<&str> = picture.lines().collect();
    assert!(lines[0].starts_with("error: `body.0.material.shell.thickness`"), "{picture}");
    assert!(lines[1].contains("scene.toml:7:32"), "{picture}");
    let source = lines.iter().position(|l| l.starts_with("7 |")).expect("the source line is shown");
    assert_eq!(lines[source].find("-1e-3"), lines[source + 1].find("^^^^^"), "{picture}");
}

#[test]
fn a_picture_names_bodies_that_exist_and_an_angle_one_can_look_from() {
    let error = adding("[picture]\nsee_through = [\"shet\"]\nview = [10.0, 95.0]\n");
    assert!(
        error.contains("scene.toml:9:16: there is no body called \"shet\"; did you mean \"sheet\"?"),
        "{error}"
    );
    assert!(error.contains("scene.toml:10:15: nobody looks from 95 degrees above the horizon"), "{error}");
    Scene::parse("scene.toml", &format!("{GOOD}[picture]\nview = [10.0, 90.0]\ncolour = \"speed\"\n"))
        .unwrap();
}

#[test]
fn a_key_that_no_scene_has_cannot_be_set_to_its_default() {
    let good = Scene::parse("scene.toml", GOOD).unwrap();
    let error = |assignment: &str| good.set(assignment).unwrap_err().to_string();
    let misspelt = error("clocks.safty=default");
    assert!(misspelt.contains("`safty` is not a key of `clocks`; did you mean `safety`?"), "{misspelt}");
    let misspelt = error("body.sheet.material.shell.thicknes=default");
    assert!(misspelt.contains("did you mean `thickness`?"), "{misspelt}");
    assert!(error("titel=default").contains("`titel` is not a key of a scene; did you mean `title`?"));
    // What is there by default anyway stays as it is, in tables that the file does not have too.
    for known in
        ["contact.friction=default", "body.0.start.twist=default", "clocks.safety=default", "about=default"]
    {
        assert_eq!(good.set(known).unwrap().file, good.file, "{known}");
    }
}
