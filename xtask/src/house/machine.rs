//! Traces of one machine: its folders, its package registry.

use super::tree::{Finding, Tree};

/// Folders of particular machines. Written in two parts: this file is checked too.
const FOLDERS: [&str; 5] = [
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
    concat!("C:\\", "Users\\"),
];

/// The only source of packages that the lock file may name.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// No file names a folder of one machine, and packages come from the public registry.
pub fn leaves_no_trace(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.all() {
        for (n, line) in text.lines().enumerate() {
            let what = if let Some(folder) = FOLDERS.iter().find(|folder| names(line, folder)) {
                format!("`{folder}` is a folder of one machine")
            } else if path == "Cargo.lock" && line.starts_with("source = ") && !line.contains(REGISTRY) {
                "a package that does not come from crates.io".to_owned()
            } else if path == ".cargo/config.toml" && line.starts_with("[source") {
                "a package source of one machine".to_owned()
            } else {
                continue;
            };
            findings.push(Finding { path: path.into(), line: n + 1, what });
        }
    }
    findings
}

/// Whether `line` has an absolute path through `folder`, not a relative one that contains it.
fn names(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "._-/:)>}".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_one_machine_is_found_where_it_stands() {
        for folder in FOLDERS {
            let text = format!("fine\nsee {folder}somebody/file\n");
            let found = leaves_no_trace(&Tree::of([("docs/a.md", &text)]));
            assert_eq!((found.len(), found[0].line), (1, 2), "{folder}");
        }
    }

    #[test]
    fn a_relative_path_or_an_address_is_no_trace() {
        let text = format!("docs{0}a https://example.org{0}b\n", FOLDERS[0]);
        assert_eq!(leaves_no_trace(&Tree::of([("docs/a.md", &text)])), []);
    }

    #[test]
    fn a_private_registry_is_found() {
        let lock = "source = \"registry+https://packages.example/index\"\n";
        assert_eq!(leaves_no_trace(&Tree::of([("Cargo.lock", lock)])).len(), 1);
        let lock = format!("source = \"{REGISTRY}\"\n");
        assert_eq!(leaves_no_trace(&Tree::of([("Cargo.lock", &lock)])), []);
        let config = "[source.crates-io]\nreplace-with = \"near\"\n";
        assert_eq!(leaves_no_trace(&Tree::of([(".cargo/config.toml", config)])).len(), 1);
    }
}
