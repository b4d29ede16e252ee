//! Whatever is written in a scene file, the result is a scene or an error, never a panic.

use carom_scene::{InMemory, Override, Scene, build};
use proptest::prelude::*;

/// A little of everything, with few vertices.
const SCENE: &str = r#"format = 1
title = "everything"
about = """
two
lines"""
method = "reference"

[time]
end = 1.0

[clocks]
kind = "exact"
per = "element"
start = "paper"
safety = 0.5
step = 1e-4
force = true

[gravity]
acceleration = [0.0, 0.0, -9.81]

[[body]]
name = "sheet"
shape.grid = { size = [1.0, 0.5], edge = 0.25, pattern = "right" }
material.shell = { thickness = 1e-3, young = 1e7, poisson = 0.3, density = 1000, membrane = "stvk", bending = "hinge" }
position = [0, 0, 1]
rotation = { axis = [1, 1, 0], degrees = 30 }
velocity = [1, 0, 0]
spin = [0, 1, 0]
start = { scale = [1.1, 1, 1], displace.bump = { amplitude = [0, 0, 0.1], centre = [0, 0, 0], radius = 0.5 } }
velocity_field = { sine = { amplitude = [0, 0, 1], from = [-1, 0, 0], to = [1, 0, 0], half_waves = 2 }, balanced = true }
step = 1e-5

[[body]]
name = "rod"
shape.rod = { from = [0, 0, 3], to = [1, 0, 3], segments = 4 }
material.rod = { radius = 1e-2, young = 1e8, density = 1000, bend = true }

[[body]]
name = "box"
shape.box = { size = [1, 1, 1], cells = [1, 2, 1], split = "six" }
material.solid = { young = 1e6, poisson = 0.2, density = 500, law = "stvk" }

[[body]]
name = "gas"
shape.points = { positions = [[5, 0, 0], [6, 0, 0], [5, 1, 0]] }
material.points = { mass = 0.1 }
start.table = { file = "gas.csv" }

[[spring]]
between = ["rod:4", "gas:0"]
stiffness = 10
rest_length = 0.5

[[spring]]
from = { body = "sheet", select.group = "left" }
to = { body = "gas", select.index = 1 }
stiffness = 1.0

[[pair]]
bodies = ["gas"]
lennard-jones = { depth = 1e-3, diameter = 0.5 }

[[pair]]
bodies = ["gas"]
inverse-distance = { gravitation = 1.0, closest = 0.1 }

[[pin]]
name = "clamp"
body = "rod"
select = { boundary = true, box = { min = [-1, -1, 0], max = [0.1, 1, 9] } }
axes = "xz"

[compare]
name = "ours"
beside = ["other"]

[[compare.line]]
name = "other"
method = "synchronous"
set = { "time.end" = 0.5, "body.sheet.step" = 2e-5 }

[[load]]
body = "box"
select.nearest = [0.5, 0.5, 0.5]
force = [0, 0, 1]
share = "each"

[[probe]]
name = "tip"
vertex = "rod:4"

[[probe]]
name = "clamp"
pin = "clamp"

[expect]
energy_band = 0.1
momentum = 1e-9

[[expect.probe]]
name = "tip"
column = "z"
statistic = "mean"
value = 3
absolute = 0.1

[output]
frames = 10
rows = 100
"#;

const TABLE: &str = "5 0 0\n6 0 0\n5 1 0\n";

/// Tokens that occur in valid and damaged files.
const TOKENS: &[&str] = &[
    "nan",
    "-inf",
    "inf",
    "0",
    "-0.0",
    "-1",
    "1e308",
    "-1e308",
    "1e-308",
    "3",
    "0.5",
    "4000000000",
    "true",
    "false",
    "\"\"",
    "\"é\"",
    "\"sheet\"",
    "\"rod:4\"",
    "\"rod:-1\"",
    "\"x\"",
    "[]",
    "[1]",
    "[0, 0, 0]",
    "[1, 2, 3, 4]",
    "{}",
    "{ x = 1 }",
    "1979-05-27",
    "0x10",
    "'''",
    "[[",
    "]]",
    "=",
    "#",
    "\u{0}",
    "\u{feff}",
    "\r",
    "\t",
    "🥁",
    "9223372036854775808",
];

#[derive(Clone, Debug)]
enum Mutation {
    ReplaceWord { at: usize, token: usize },
    DeleteLine { at: usize },
    RepeatLine { at: usize, to: usize },
    Insert { at: usize, token: usize },
    Cut { at: usize },
    SwapWords { a: usize, b: usize },
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let place = 0..10_000_usize;
    let token = 0..TOKENS.len();
    prop_oneof![
        8 => (place.clone(), token.clone()).prop_map(|(at, token)| Mutation::ReplaceWord { at, token }),
        2 => place.clone().prop_map(|at| Mutation::DeleteLine { at }),
        2 => (place.clone(), place.clone()).prop_map(|(at, to)| Mutation::RepeatLine { at, to }),
        2 => (place.clone(), token).prop_map(|(at, token)| Mutation::Insert { at, token }),
        1 => place.clone().prop_map(|at| Mutation::Cut { at }),
        4 => (place.clone(), place).prop_map(|(a, b)| Mutation::SwapWords { a, b }),
    ]
}

/// Where the words of a text are: keys, values, single brackets.
fn words(text: &str) -> Vec<core::ops::Range<usize>> {
    let mut words = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let inside = c.is_alphanumeric() || "-_.\":".contains(c);
        match (inside, start) {
            (true, None) => start = Some(i),
            (false, Some(from)) => {
                words.push(from..i);
                start = None;
            }
            _ => {}
        }
    }
    words
}

fn apply(text: &str, mutation: &Mutation) -> String {
    let words = words(text);
    let lines: Vec<&str> = text.lines().collect();
    let mut out = text.to_owned();
    match *mutation {
        Mutation::ReplaceWord { at, token } if !words.is_empty() => {
            out.replace_range(words[at % words.len()].clone(), TOKENS[token]);
        }
        Mutation::SwapWords { a, b } if !words.is_empty() => {
            let (a, b) = (words[a % words.len()].clone(), words[b % words.len()].clone());
            out.replace_range(a, &text[b]);
        }
        Mutation::DeleteLine { at } if !lines.is_empty() => {
            let mut lines = lines;
            lines.remove(at % lines.len());
            out = lines.join("\n");
        }
        Mutation::RepeatLine { at, to } if !lines.is_empty() => {
            let mut lines = lines;
            lines.insert(to % lines.len(), lines[at % lines.len()]);
            out = lines.join("\n");
        }
        Mutation::Insert { at, token } => {
            let at = (0..=at % (text.len() + 1)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
            out.insert_str(at, TOKENS[token]);
        }
        Mutation::Cut { at } => {
            let at = (0..=at % (text.len() + 1)).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
            out.truncate(at);
        }
        _ => {}
    }
    out
}

/// Reads and builds; an error must have words and a picture.
fn survives(text: &str, table: &str, overrides: &[Override]) {
    let files = InMemory([("gas.csv".to_owned(), table.as_bytes().to_vec())].into());
    let result = Scene::parse_with("mutant.toml", text, overrides).and_then(|scene| {
        let built = build(&scene, &files)?;
        let _ = built.warnings.render(true);
        Scene::parse("resolved.toml", &scene.resolved_toml(&built)).expect("a resolved scene reads");
        Ok(())
    });
    if let Err(error) = result {
        assert!(!error.to_string().is_empty());
        assert!(error.report().lines().all(|line| !line.contains('\n')));
        assert!(error.render(false).contains("error"));
        let _ = error.render(true);
    }
}

#[test]
fn the_scene_itself_is_built() {
    let files = InMemory([("gas.csv".to_owned(), TABLE.as_bytes().to_vec())].into());
    let scene = Scene::parse("scene.toml", SCENE).unwrap_or_else(|e| panic!("{}", e.render(false)));
    build(&scene, &files).unwrap_or_else(|e| panic!("{}", e.render(false)));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_mutated_scene_is_a_scene_or_an_error(mutations in proptest::collection::vec(mutation(), 1..4)) {
        let text = mutations.iter().fold(SCENE.to_owned(), |text, m| apply(&text, m));
        survives(&text, TABLE, &[]);
    }

    #[test]
    fn a_mutated_table_is_a_table_or_an_error(mutations in proptest::collection::vec(mutation(), 1..4)) {
        let table = mutations.iter().fold(TABLE.to_owned(), |text, m| apply(&text, m));
        survives(SCENE, &table, &[]);
    }

    #[test]
    fn a_mutated_flag_is_an_override_or_an_error(
        flag in 0..5_usize, mutations in proptest::collection::vec(mutation(), 1..4),
    ) {
        let flags = [
            "body.0.material.shell.thickness=0.01",
            "body.rod.shape.rod.segments=3",
            "time.end=2",
            "gravity.acceleration=[0, 0, 1]",
            "expect.probe.0.value=7",
        ];
        let flag = mutations.iter().fold(flags[flag].to_owned(), |text, m| apply(&text, m));
        survives(SCENE, TABLE, &[Override::set(&flag)]);
    }

    #[test]
    fn any_text_is_refused_politely(text in "\\PC*") {
        survives(&text, "", &[]);
        survives(&format!("format = 1\n{text}"), "", &[Override::set(&text)]);
    }
}
