//! The files of the workspace, as texts by path.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::Path;

/// Folders of generated files, which are no part of the tree.
const MADE: [&str; 6] = [".git", ".venv", "__pycache__", "node_modules", "runs", "site"];

/// Every file, by its path from the root (with `/`). A file that is no text has the text "".
pub struct Tree {
    files: BTreeMap<String, String>,
}

/// One violation of a rule.
#[derive(Debug, PartialEq)]
pub struct Finding {
    /// The file.
    pub path: String,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// What is wrong and what to do.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.what),
            line => write!(f, "{}:{line}: {}", self.path, self.what),
        }
    }
}

impl Tree {
    /// Reads the tree below `root`, without what is made from it.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        collect(root, "", &mut files)?;
        Ok(Self { files })
    }

    /// Number of files.
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Whether there is such a file or folder.
    pub fn exists(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.files.contains_key(path) || self.below(path).next().is_some()
    }

    /// Path and text of every file.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Path and text of every file below a folder.
    pub fn below(&self, folder: &str) -> impl Iterator<Item = (&str, &str)> {
        let prefix = format!("{folder}/");
        self.all().filter(move |(path, _)| path.starts_with(&prefix))
    }

    /// Path and text of every Rust file.
    pub fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all().filter(|(path, _)| Path::new(path).extension().is_some_and(|kind| kind == "rs"))
    }

    /// The names of the crates: folders of `crates/` with a manifest.
    pub fn crates(&self) -> impl Iterator<Item = &str> {
        self.below("crates").filter_map(|(path, _)| {
            let (name, file) = path.strip_prefix("crates/")?.split_once('/')?;
            (file == "Cargo.toml").then_some(name)
        })
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, String>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if MADE.contains(&name.as_str()) || name.starts_with("target") {
            continue;
        }
        let path = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &path, files)?;
        } else {
            let bytes = std::fs::read(entry.path())?;
            files.insert(path, String::from_utf8(bytes).unwrap_or_default());
        }
    }
    Ok(())
}

#[cfg(test)]
impl Tree {
    /// A tree for tests.
    pub fn of<const N: usize>(files: [(&str, &str); N]) -> Self {
        Self { files: files.map(|(path, text)| (path.to_owned(), text.to_owned())).into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_exists_through_its_files() {
        let tree =
            Tree::of([("crates/a/Cargo.toml", ""), ("crates/a/src/lib.rs", ""), ("crates/notes.md", "")]);
        assert!(tree.exists("crates/a") && tree.exists("crates/a/") && tree.exists("crates/a/src/lib.rs"));
        assert!(!tree.exists("crates/b") && !tree.exists("crate"));
        assert_eq!(tree.crates().collect::<Vec<_>>(), ["a"]);
    }
}
