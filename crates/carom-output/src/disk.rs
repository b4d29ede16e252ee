//! Atomic writing of files.
//!
//! A file is written under another name in the same folder and then renamed, which replaces the
//! old one in a single step: a reader gets all of the old or all of the new, also when
//! the program is killed in between.

use std::fs;
use std::path::{Path, PathBuf};

use crate::OutputError;

/// Writes `bytes` to `path`, replacing what was there at once or not at all.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let part = part_name(path);
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    written.map_err(|source| {
        // Nothing more can be done if this fails as well: the first error is the one to report.
        let _ = fs::remove_file(&part);
        OutputError::io("write", path)(source)
    })
}

/// Reads all of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, OutputError> {
    fs::read(path).map_err(OutputError::io("read", path))
}

/// Reads all of a text file.
pub fn read_text(path: &Path) -> Result<String, OutputError> {
    fs::read_to_string(path).map_err(OutputError::io("read", path))
}

/// A folder and all folders above it.
pub fn make_folder(path: &Path) -> Result<(), OutputError> {
    fs::create_dir_all(path).map_err(OutputError::io("create the folder", path))
}

fn part_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.part"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = Scratch::new();
        let path = folder.path().join("a.txt");
        replace(&path, b"old").unwrap();
        replace(&path, b"new").unwrap();
        assert_eq!(read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_in_the_way_is_an_error_that_names_the_path() {
        let folder = Scratch::new();
        let path = folder.path().join("taken");
        make_folder(&path.join("inside")).unwrap();
        let error = replace(&path, b"new").unwrap_err();
        assert!(error.to_string().contains("taken"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
