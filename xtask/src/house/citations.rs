//! Citations: a key with its place, `[Key2001, §2]`, and the key in `docs/references.bib`.

use std::collections::BTreeSet;

use super::tree::{Finding, Tree};

const BIBLIOGRAPHY: &str = "docs/references.bib";

/// Every citation names a key of the bibliography and a place in it; no key is there twice.
pub fn are_known(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut keys = BTreeSet::new();
    for (n, line) in tree.text(BIBLIOGRAPHY).unwrap_or_default().lines().enumerate() {
        if let Some(key) = entry(line)
            && !keys.insert(key)
        {
            let what = format!("`{key}` is in the bibliography twice");
            findings.push(Finding { path: BIBLIOGRAPHY.into(), line: n + 1, what });
        }
    }
    for (path, text) in tree.all().filter(|(path, _)| cites(path)) {
        for (n, line) in text.lines().enumerate() {
            for (key, has_place) in citations(line) {
                let what = if !keys.contains(key) {
                    format!("`{key}` is not in {BIBLIOGRAPHY}")
                } else if !has_place {
                    format!("`{key}` is cited without its place: write [{key}, §…]")
                } else {
                    continue;
                };
                findings.push(Finding { path: path.into(), line: n + 1, what });
            }
        }
    }
    findings
}

/// Whether citations in a file are checked.
fn cites(path: &str) -> bool {
    let kind = path.rsplit_once('.').map_or("", |(_, kind)| kind);
    ["rs", "md", "toml", "py"].contains(&kind) && !path.starts_with("xtask/")
}

/// The key of a line that opens an entry, `@article{Key2001,`.
fn entry(line: &str) -> Option<&str> {
    line.trim().strip_prefix('@')?.split_once('{')?.1.strip_suffix(',').map(str::trim)
}

/// The keys cited in a line, and whether a place follows each.
fn citations(line: &str) -> impl Iterator<Item = (&str, bool)> {
    line.split('[').skip(1).filter_map(|rest| {
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let digits = rest[letters..].bytes().take_while(u8::is_ascii_digit).count();
        let suffix = rest[letters + digits..].bytes().take_while(u8::is_ascii_lowercase).count();
        let (key, after) = rest.split_at(letters + digits + suffix);
        let looks_like_a_key =
            letters >= 2 && digits == 4 && suffix <= 1 && key.starts_with(char::is_uppercase);
        let ends = after.starts_with([',', ']']) && !after.starts_with("](");
        (looks_like_a_key && ends).then_some((key, after.starts_with(',')))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOK: (&str, &str) = (BIBLIOGRAPHY, "@article{Known2001,\n  title = {T},\n}\n");

    fn findings(source: &str) -> Vec<Finding> {
        are_known(&Tree::of([BOOK, ("crates/a/src/lib.rs", source)]))
    }

    #[test]
    fn a_known_key_with_its_place_is_fine() {
        assert_eq!(findings("//! As in [Known2001, §2] and [Known2001, eq. 3].\n"), []);
    }

    #[test]
    fn an_unknown_key_is_found_where_it_stands() {
        let found = findings("//! Fine.\n//! As in [Unknown1999, §2].\n");
        assert_eq!((found.len(), found[0].line), (1, 2));
        assert!(found[0].what.contains("Unknown1999"), "{}", found[0]);
    }

    #[test]
    fn a_bare_key_is_found() {
        assert!(findings("/// As in [Known2001].\n")[0].what.contains("without its place"));
    }

    #[test]
    fn a_doubled_entry_is_found() {
        let tree = Tree::of([(BIBLIOGRAPHY, "@book{Known2001,\n}\n@article{Known2001,\n}\n")]);
        assert_eq!(are_known(&tree)[0].line, 3);
    }

    #[test]
    fn arrays_links_and_types_are_no_citations() {
        assert_eq!(findings("let a = [Vec3; 2]; // [`Tick`] [text](x) [X2020](y) [0.1, 2]\n"), []);
    }
}
