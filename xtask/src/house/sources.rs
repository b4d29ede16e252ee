//! What the sources may not contain.

use super::code::{Struct, code, code_without_tests, has_word, structs};
use super::tree::{Finding, Tree};

/// Lines a file may have, tests included.
const LONGEST: usize = 700;

/// Lines a file may have without the tests at its end; files that are all tests are not asked.
const LONGEST_WITHOUT_TESTS: usize = 500;

/// Fields a struct may have.
const MOST_FIELDS: usize = 16;

/// Structs in these places have the keys of a file or the flags of a command, as many as there are.
const HAVE_KEYS: [&str; 3] = [
    "crates/carom-scene/src/format/",
    "crates/carom-output/src/summary.rs",
    "crates/carom-cli/src/render.rs",
];

/// Programs may print; nothing else does.
const SPEAKS: [&str; 2] = ["carom-bench", "carom-cli"];

/// The crates that may open files: those that read scenes and write runs, and the programs.
const OPENS_FILES: [&str; 4] = ["carom-scene", "carom-output", "carom-bench", "carom-cli"];

/// The crate with the `unsafe` code.
const UNSAFE: &str = "carom-math";

/// Lines above an `unsafe` in which its reason must begin.
const REASON_WITHIN: usize = 4;

/// Rust files below `crates/`, with the name of their crate.
fn rust(tree: &Tree) -> impl Iterator<Item = (&str, &str, &str)> {
    tree.rust().filter_map(|(path, text)| {
        let (name, _) = path.strip_prefix("crates/")?.split_once('/')?;
        Some((name, path, text))
    })
}

/// Sources that are compiled into a crate, and not only into its tests.
fn shipped(tree: &Tree) -> impl Iterator<Item = (&str, &str, &str)> {
    rust(tree).filter(|(name, path, _)| path.starts_with(&format!("crates/{name}/src/")))
}

/// One finding for each line of `code` with one of `words`.
fn lines_with(path: &str, code: &str, words: &[&str], what: impl Fn(&str) -> String) -> Vec<Finding> {
    let lines = code.lines().enumerate();
    let found = lines.filter_map(|(n, line)| Some((n, words.iter().find(|word| has_word(line, word))?)));
    found.map(|(n, word)| Finding { path: path.into(), line: n + 1, what: what(word) }).collect()
}

/// No file is too long, with its tests or without; generated ones are in a folder `generated/`.
pub fn are_short(tree: &Tree) -> Vec<Finding> {
    let written = tree.rust().filter(|(path, _)| !path.contains("/generated/"));
    written
        .filter_map(|(path, text)| {
            let without_tests = if is_test(path) { 0 } else { code_without_tests(text).lines().count() };
            let (lines, limit) = match text.lines().count() {
                all if all > LONGEST => (all, format!("{LONGEST} is the limit")),
                _ if without_tests > LONGEST_WITHOUT_TESTS => {
                    (without_tests, format!("tests not counted, {LONGEST_WITHOUT_TESTS} is the limit"))
                }
                _ => return None,
            };
            let what = format!("{lines} lines, {limit}: which idea can have a file of its own?");
            Some(Finding { path: path.into(), line: 0, what })
        })
        .collect()
}

/// Whether a file is compiled into tests alone.
fn is_test(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs")
}

/// No struct has too many fields.
pub fn structs_are_small(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let has_keys = |path: &str| HAVE_KEYS.iter().any(|keys| path.starts_with(keys));
    for (_, path, text) in shipped(tree).filter(|(_, path, _)| !has_keys(path)) {
        for Struct { name, line, fields } in structs(&code_without_tests(text)) {
            if fields > MOST_FIELDS {
                let what = format!(
                    "`{name}` has {fields} fields, {MOST_FIELDS} is the limit: which of them are one thing?"
                );
                findings.push(Finding { path: path.into(), line, what });
            }
        }
    }
    findings
}

/// Libraries return values and errors; printing is the program's.
pub fn libraries_are_silent(tree: &Tree) -> Vec<Finding> {
    let words = ["println!", "eprintln!", "print!", "eprint!", "dbg!"];
    let libraries = shipped(tree).filter(|(name, ..)| !SPEAKS.contains(name));
    libraries
        .flat_map(|(_, path, text)| {
            lines_with(path, &code_without_tests(text), &words, |word| format!("`{word}` in a library"))
        })
        .collect()
}

/// `unsafe` stands in one crate, and each says why it is sound.
pub fn unsafe_is_confined(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, path, text) in rust(tree) {
        let found = lines_with(path, &code(text), &["unsafe"], |word| format!("`{word}` outside {UNSAFE}"));
        if name != UNSAFE {
            findings.extend(found);
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        findings.extend(found.into_iter().filter_map(|finding| {
            let above = &lines[finding.line.saturating_sub(1 + REASON_WITHIN)..finding.line];
            let has_reason = above.iter().any(|line| line.contains("SAFETY:"));
            (!has_reason)
                .then(|| Finding { what: "`unsafe` without a `SAFETY:` reason above it".into(), ..finding })
        }));
    }
    findings
}

/// Files are opened where scenes come in and runs go out.
pub fn files_are_opened_above(tree: &Tree) -> Vec<Finding> {
    let words = ["std::fs", "File::open", "File::create", "OpenOptions"];
    shipped(tree)
        .filter(|(name, ..)| !OPENS_FILES.contains(name))
        .flat_map(|(name, path, text)| {
            let what = |word: &str| format!("`{word}` in {name}: take bytes or a reader instead");
            lines_with(path, &code_without_tests(text), &words, what)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn planted(path: &str, text: &str) -> Tree {
        Tree::of([(path, text)])
    }

    #[test]
    fn a_long_file_is_found_and_a_generated_one_is_not() {
        let text = "//\n".repeat(LONGEST + 1);
        assert_eq!(are_short(&planted("crates/a/src/b.rs", &text)).len(), 1);
        assert_eq!(are_short(&planted("crates/a/src/generated/b.rs", &text)), []);
        assert_eq!(are_short(&planted("crates/a/tests/b.rs", &"//\n".repeat(LONGEST))), []);
    }

    #[test]
    fn tests_at_the_end_of_a_file_make_it_no_longer() {
        let short = "//\n".repeat(LONGEST_WITHOUT_TESTS);
        let tested = format!("{short}#[cfg(test)]\nmod tests {{}}\n");
        assert_eq!(are_short(&planted("crates/a/src/b.rs", &tested)), []);
        let long = format!("//\n{tested}");
        let found = are_short(&planted("crates/a/src/b.rs", &long));
        assert!(found.len() == 1 && found[0].what.starts_with("501 lines, tests not counted"), "{found:?}");
        assert_eq!(are_short(&planted("crates/a/src/b/tests.rs", &long)), []);
    }

    #[test]
    fn a_struct_with_too_many_fields_is_found_where_it_begins() {
        let of = |fields: usize| {
            let field = "    /// Of all.\n    pub field: [u8; 2],\n".repeat(fields);
            format!("//! A file.\n\npub struct Many<'a> {{\n{field}}}\n")
        };
        let path = "crates/a/src/b.rs";
        assert_eq!(structs_are_small(&planted(path, &of(MOST_FIELDS))), []);
        let found = structs_are_small(&planted(path, &of(MOST_FIELDS + 1)));
        assert_eq!((found.len(), found[0].line), (1, 3));
        assert!(found[0].what.starts_with("`Many` has 17 fields"), "{}", found[0].what);
        assert_eq!(structs_are_small(&planted(HAVE_KEYS[1], &of(MOST_FIELDS + 1))), []);
    }

    #[test]
    fn a_library_that_prints_is_found_where_it_does() {
        let found =
            libraries_are_silent(&planted("crates/a/src/b.rs", "fn f() {\n    println!(\"{}\", 1);\n}\n"));
        assert_eq!((found.len(), found[0].line), (1, 2));
        assert_eq!(libraries_are_silent(&planted("crates/a/src/b.rs", "fn f() { eprintln!() }")).len(), 1);
    }

    #[test]
    fn the_program_tests_and_examples_in_comments_may_print() {
        for (path, text) in [
            ("crates/carom-cli/src/main.rs", "fn f() { println!() }"),
            ("crates/a/tests/b.rs", "fn f() { println!() }"),
            ("crates/a/src/b.rs", "/// println!()\nfn f() {}\n"),
            ("crates/a/src/b.rs", "#[cfg(test)]\nmod tests { fn f() { println!() } }\n"),
        ] {
            assert_eq!(libraries_are_silent(&planted(path, text)), []);
        }
    }

    #[test]
    fn unsafe_outside_the_numbers_is_found_even_in_tests() {
        let text = "#[cfg(test)]\nmod tests { fn f() { unsafe { g() } } }\n";
        assert_eq!(unsafe_is_confined(&planted("crates/a/src/b.rs", text)).len(), 1);
        assert_eq!(
            unsafe_is_confined(&planted("crates/a/src/b.rs", "// unsafe\n#![deny(unsafe_code)]\n")),
            []
        );
    }

    #[test]
    fn unsafe_without_its_reason_is_found() {
        let path = "crates/carom-math/src/b.rs";
        assert_eq!(unsafe_is_confined(&planted(path, "unsafe { f() }\n")).len(), 1);
        assert_eq!(unsafe_is_confined(&planted(path, "// SAFETY: detected.\nunsafe { f() }\n")), []);
    }

    #[test]
    fn a_file_opened_by_a_lower_layer_is_found() {
        let text = "use std::fs;\n";
        assert_eq!(files_are_opened_above(&planted("crates/carom-model/src/b.rs", text)).len(), 1);
        assert_eq!(files_are_opened_above(&planted("crates/carom-scene/src/b.rs", text)), []);
        assert_eq!(files_are_opened_above(&planted("crates/carom-model/tests/b.rs", text)), []);
    }
}
