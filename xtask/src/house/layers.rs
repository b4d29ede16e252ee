//! Layers: a crate depends only on crates below it.

use super::tree::{Finding, Tree};

/// The crates from the lowest layer to the highest; each may use those before it.
const LAYERS: [&str; 18] = [
    "carom-math",
    "carom-time",
    "carom-geometry",
    "carom-model",
    "carom-elastic",
    "carom-contact",
    "carom-engine",
    "carom-verify",
    "carom-mesh-io",
    "carom-scene",
    "carom-draw",
    "carom-output",
    "carom-audit",
    "carom-ccd",
    "carom",
    "carom-cli",
    "carom-python",
    "carom-bench",
];

/// Dependencies that point down and are still refused, with the reason.
const REFUSED: [(&str, &str, &str); 2] = [
    ("carom-engine", "carom-elastic", "the engine knows no concrete element"),
    ("carom-audit", "carom-contact", "the judge shares no code with the judged"),
];

/// Every dependency points to a lower layer. What only tests use may point anywhere.
pub fn point_down(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for name in tree.crates() {
        let path = format!("crates/{name}/Cargo.toml");
        let mut found = |line: usize, what: String| findings.push(Finding { path: path.clone(), line, what });
        let Some(layer) = LAYERS.iter().position(|known| *known == name) else {
            found(0, format!("`{name}` has no layer: give it one in xtask/src/house/layers.rs"));
            continue;
        };
        for (line, used) in dependencies(tree.text(&path).unwrap_or_default()) {
            if let Some((.., reason)) =
                REFUSED.iter().find(|(user, refused, _)| *user == name && *refused == used)
            {
                found(line, format!("`{name}` may not use `{used}`: {reason}"));
            } else if LAYERS.iter().position(|known| *known == used).is_none_or(|below| below >= layer) {
                found(line, format!("`{name}` may not use `{used}`, which is not below it"));
            }
        }
    }
    findings
}

/// Line and name of the crates of ours under `[dependencies]`.
fn dependencies(manifest: &str) -> Vec<(usize, &str)> {
    let mut inside = false;
    let mut found = Vec::new();
    for (n, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            inside = line == "[dependencies]" || line == "[build-dependencies]";
        } else if inside {
            let name = line.split(['.', '=', ' ']).next().unwrap_or_default();
            if name == "carom" || name.starts_with("carom-") {
                found.push((n + 1, name));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(name: &str, manifest: &str) -> Vec<Finding> {
        point_down(&Tree::of([(format!("crates/{name}/Cargo.toml").as_str(), manifest)]))
    }

    #[test]
    fn a_dependency_that_points_down_is_fine() {
        assert_eq!(
            findings("carom-model", "[dependencies]\ncarom-math.workspace = true\nserde = \"1\"\n"),
            []
        );
    }

    #[test]
    fn a_dependency_that_points_up_is_found_where_it_stands() {
        let found = findings("carom-math", "[package]\n[dependencies]\ncarom-model.workspace = true\n");
        assert_eq!((found.len(), found[0].line), (1, 3));
    }

    #[test]
    fn the_engine_may_not_know_an_element_but_its_tests_may() {
        let found = findings("carom-engine", "[dependencies]\ncarom-elastic = { path = \"..\" }\n");
        assert!(found[0].what.contains("no concrete element"), "{}", found[0]);
        assert_eq!(findings("carom-engine", "[dev-dependencies]\ncarom-elastic.workspace = true\n"), []);
    }

    #[test]
    fn a_crate_without_a_layer_is_found() {
        assert!(findings("carom-new", "[package]\n")[0].what.contains("has no layer"));
    }
}
