//! The map: what `ARCHITECTURE.md` and the other front pages name must exist.
//!
//! Of what stands between backticks, these are names: paths, crates, `crate_name::Item`, types
//! and constants by their spelling, and commands `cargo xtask …`.

use std::path::Path;

use super::code::{code, code_without_tests, has_word};
use super::tree::{Finding, Tree};

const MAP: &str = "ARCHITECTURE.md";

/// Pages whose paths must exist; types are checked on the map alone.
const FRONT_PAGES: [&str; 3] = [MAP, "README.md", "CONTRIBUTING.md"];

/// What a run, a build or a chore makes: named, but no part of the tree.
const MADE: [&str; 4] = ["runs", "target", "site", ".venv"];

/// Endings that make a word a path even without a slash.
const ENDINGS: [&str; 7] = [".rs", ".md", ".toml", ".cff", ".bib", ".yml", ".svg"];

/// Every path, type and command named on the map exists, and every path on the other front pages.
pub fn names_exist(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in FRONT_PAGES {
        let Some(text) = tree.text(page) else {
            findings.push(Finding { path: page.into(), line: 0, what: "the page is missing".into() });
            continue;
        };
        for (line, word) in named(text) {
            let name = classify(word);
            let counts = page == MAP || matches!(name, Name::Path(_) | Name::Chore(_));
            if counts && let Some(what) = missing(tree, &name) {
                findings.push(Finding { path: page.into(), line, what });
            }
        }
    }
    findings
}

/// Every path into the code that a page of the book names exists.
pub fn the_book_points_at_code(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (page, text) in tree.below("docs").filter(|(path, _)| is_page(path)) {
        for (line, word) in named(text) {
            let into_code = word.starts_with("crates/") || word.starts_with("xtask/");
            if into_code && let Some(what) = missing(tree, &classify(word)) {
                findings.push(Finding { path: page.into(), line, what });
            }
        }
    }
    findings
}

/// Every file of `carom-elastic` with an element in it is named by a page of `docs/elements/`.
pub fn elements_have_pages(tree: &Tree) -> Vec<Finding> {
    let pages: String = tree.below("docs/elements").map(|(_, text)| text).collect();
    let elements = tree
        .below("crates/carom-elastic/src")
        .filter(|(_, text)| code_without_tests(text).lines().any(|line| line.starts_with("impl Element<")));
    let without = elements.filter(|(path, _)| !pages.contains(&format!("`{path}`")));
    without
        .map(|(path, _)| Finding {
            path: path.into(),
            line: 0,
            what: "no page of docs/elements names it".into(),
        })
        .collect()
}

/// Every crate of the workspace is named on the map.
pub fn crates_are_named(tree: &Tree) -> Vec<Finding> {
    let named: Vec<&str> =
        named(tree.text(MAP).unwrap_or_default()).into_iter().map(|(_, word)| word).collect();
    let unnamed = tree.crates().filter(|name| !named.contains(name));
    unnamed
        .map(|name| Finding { path: MAP.into(), line: 0, what: format!("`{name}` is not on the map") })
        .collect()
}

/// Every link and picture of the front pages that is no address leads to a file.
pub fn links_lead_somewhere(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for page in FRONT_PAGES {
        for (n, line) in tree.text(page).unwrap_or_default().lines().enumerate() {
            for target in line.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
                let path = target.0.split('#').next().unwrap_or_default();
                if !path.is_empty() && !path.contains("://") && !is_there(tree, path) {
                    let what = format!("a link to `{path}`, which is not there");
                    findings.push(Finding { path: page.into(), line: n + 1, what });
                }
            }
        }
    }
    findings
}

/// What a word between backticks names.
#[derive(Debug, PartialEq)]
enum Name<'a> {
    /// A file or folder.
    Path(&'a str),
    /// A crate, `carom-model`.
    Crate(&'a str),
    /// An item in a crate and its members, `carom_model::System::locate`.
    Item { home: String, names: Vec<&'a str> },
    /// A type or constant of some crate, with members, `State::position_at`.
    Type(Vec<&'a str>),
    /// A command of ours, `cargo xtask test`.
    Chore(&'a str),
    /// Anything else.
    Other,
}

/// Whether a path is a page of text.
fn is_page(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|kind| kind == "md")
}

/// Line and content of what stands between backticks, and the words of fenced blocks that look like paths.
fn named(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (n, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            let words = line
                .split_whitespace()
                .filter(|word| matches!(classify(word), Name::Path(_) | Name::Item { .. }));
            found.extend(words.map(|word| (n + 1, word)));
        } else {
            found.extend(line.split('`').skip(1).step_by(2).map(|word| (n + 1, word)));
        }
    }
    found
}

fn classify(word: &str) -> Name<'_> {
    if let Some(rest) = word.strip_prefix("cargo xtask") {
        return rest.split_whitespace().next().map_or(Name::Other, Name::Chore);
    }
    let word = word.trim_start_matches('&').trim_end_matches("()");
    let word = word.split('<').next().unwrap_or_default();
    if word.is_empty() || !word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:*".contains(c)) {
        return Name::Other;
    }
    let parts: Vec<&str> = word.split("::").collect();
    let in_crate = parts[0] == "carom" || parts[0].starts_with("carom_");
    if parts.len() > 1 && in_crate {
        return Name::Item { home: parts[0].replace('_', "-"), names: parts[1..].to_vec() };
    }
    if word.contains(':') && parts.len() == 1 {
        return Name::Other;
    }
    if parts.len() == 1 && (word.contains('/') || ENDINGS.iter().any(|ending| word.ends_with(ending))) {
        return Name::Path(word);
    }
    if word.starts_with("carom-") {
        return Name::Crate(word);
    }
    let is_type = parts[0].starts_with(|c: char| c.is_ascii_uppercase()) && parts[0].len() > 1;
    if is_type && !word.contains(['-', '.', '*']) { Name::Type(parts) } else { Name::Other }
}

/// What is wrong with a name, if anything.
fn missing(tree: &Tree, name: &Name) -> Option<String> {
    match name {
        Name::Path(path) => (!is_there(tree, path)).then(|| format!("`{path}` is not there")),
        Name::Crate(name) => {
            (!is_there(tree, &format!("crates/{name}"))).then(|| format!("there is no crate `{name}`"))
        }
        Name::Item { home, names } => {
            let folder = format!("crates/{home}/src");
            let holds = tree.below(&folder).any(|(_, text)| declares(&code(text), names[0]))
                && names[1..]
                    .iter()
                    .all(|member| tree.below(&folder).any(|(_, text)| has_word(&code(text), member)));
            (!holds).then(|| format!("`{home}` has no `{}`", names.join("::")))
        }
        Name::Type(names) => {
            let mut homes = tree.below("crates").filter(|(path, _)| path.contains("/src/"));
            let holds = homes.any(|(_, text)| {
                let code = code(text);
                declares(&code, names[0]) && names[1..].iter().all(|member| has_word(&code, member))
            });
            (!holds).then(|| format!("no crate has a public `{}`", names.join("::")))
        }
        Name::Chore(name) => {
            let known = crate::COMMANDS.iter().any(|(known, ..)| known == name);
            (!known).then(|| format!("there is no `cargo xtask {name}`"))
        }
        Name::Other => None,
    }
}

/// Whether a named path is in the tree, is made from it, or is awaited. A `*` stands for anything.
fn is_there(tree: &Tree, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    let whole = path.split('*').next().unwrap_or_default();
    let path = if whole == path { path } else { whole.rsplit_once('/').map_or("", |(folder, _)| folder) };
    let within = |folder: &str| path == folder || path.starts_with(&format!("{folder}/"));
    path.is_empty() || tree.exists(path) || MADE.iter().any(|folder| within(folder))
}

/// Whether `code` declares a public item called `name`, or passes one on.
fn declares(code: &str, name: &str) -> bool {
    let kinds = ["struct", "enum", "trait", "fn", "const", "static", "type", "mod", "union"];
    code.lines().any(|line| {
        let Some(item) = line.trim_start().strip_prefix("pub ") else { return false };
        let words: Vec<&str> =
            item.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).collect();
        match words.first() {
            Some(&"use") => words.contains(&name),
            _ => words.windows(2).any(|pair| kinds.contains(&pair[0]) && pair[1] == name),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIBRARY: &str = "mod state;\npub use state::State;\npub struct System<'a> {\n    x: &'a u8,\n}\n\
                           impl System<'_> {\n    pub const fn locate() {}\n}\npub const LIMIT: u8 = 1;\n\
                           // pub struct Commented;\npub enum Start {\n    HalfKick,\n}\n";

    fn tree(map: &str) -> Tree {
        let manifest = ("crates/carom-model/Cargo.toml", "");
        Tree::of([
            manifest,
            ("crates/carom-model/src/lib.rs", LIBRARY),
            (MAP, map),
            ("README.md", ""),
            ("CONTRIBUTING.md", ""),
        ])
    }

    #[test]
    fn what_exists_is_fine() {
        for name in [
            "crates/carom-model/src/lib.rs",
            "crates/carom-model/",
            "crates/*",
            "carom-model",
            "carom_model::System",
            "carom_model::System::locate",
            "carom_model::System::locate()",
            "System",
            "&State",
            "Start::HalfKick",
            "LIMIT",
            "cargo xtask test",
            "runs/<scene>/<n>",
            "clocks.per",
            "Ξ",
            "cargo run --release -- run drum",
        ] {
            assert_eq!(names_exist(&tree(&format!("See `{name}`.\n"))), [], "{name}");
        }
    }

    #[test]
    fn what_does_not_exist_is_found_where_it_is_named() {
        for name in [
            "crates/carom-model/src/gone.rs",
            "crates/gone/*",
            "GONE.md",
            "carom-gone",
            "carom_model::Gone",
            "carom_model::Commented",
            "carom_model::System::gone",
            "carom_gone::System",
            "Gone",
            "&Gone",
            "System::gone",
            "GONE_LIMIT",
            "cargo xtask gone",
        ] {
            let found = names_exist(&tree(&format!("Fine.\nSee `{name}`.\n")));
            assert_eq!(found.iter().map(|f| f.line).collect::<Vec<_>>(), [2], "{name}");
        }
    }

    #[test]
    fn a_path_in_a_fenced_block_is_checked_too() {
        assert_eq!(names_exist(&tree("```text\ncrates/carom-model  fine\n```\n")), []);
        assert_eq!(names_exist(&tree("```text\ncrates/carom-gone  gone\n```\n")).len(), 1);
    }

    #[test]
    fn a_missing_front_page_is_found() {
        assert_eq!(names_exist(&Tree::of([(MAP, "")])).len(), FRONT_PAGES.len() - 1);
    }

    #[test]
    fn a_page_that_points_at_gone_code_is_found() {
        let tree = |word: &str| {
            Tree::of([("crates/a/src/b.rs", ""), ("docs/x.md", &format!("`mine.toml`\n`{word}`\n"))])
        };
        assert_eq!(the_book_points_at_code(&tree("crates/a/src/b.rs")), []);
        assert_eq!(the_book_points_at_code(&tree("crates/a/src/c.rs"))[0].line, 2);
    }

    #[test]
    fn an_element_without_a_page_is_found() {
        let path = "crates/carom-elastic/src/b.rs";
        let tree =
            |page: &str| Tree::of([(path, "impl Element<2, 2> for B {}\n"), ("docs/elements/b.md", page)]);
        assert_eq!(elements_have_pages(&tree(&format!("Code: `{path}`.\n"))), []);
        assert_eq!(elements_have_pages(&tree("Code: elsewhere.\n"))[0].path, path);
        assert_eq!(elements_have_pages(&Tree::of([(path, "pub fn helper() {}\n")])), []);
    }

    #[test]
    fn a_crate_that_is_not_on_the_map_is_found() {
        assert_eq!(crates_are_named(&tree("`carom-model`\n")), []);
        assert_eq!(crates_are_named(&tree("carom-model without ticks\n")).len(), 1);
    }

    #[test]
    fn a_dead_link_is_found() {
        assert_eq!(
            links_lead_somewhere(&tree("[a](README.md#top) [b](https://example.org/x) [c](#here)\n")),
            []
        );
        let found = links_lead_somewhere(&tree("![picture](docs/images/gone.svg)\n"));
        assert!(found[0].what.contains("gone.svg"), "{}", found[0]);
    }
}
