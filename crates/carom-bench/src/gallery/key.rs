//! What makes a run another run: what the program is built from, the scene, and the files that the scene names.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

/// Name of the key in the folder of a run.
pub const FILE: &str = "gallery.key";

/// The key of a run: equal keys, equal runs.
///
/// `engine` is what [`of_sources`] says; `data` is the folder of external files.
pub fn of(engine: u64, text: &str, folder: &Path, data: Option<&Path>) -> Result<String, String> {
    let mut hash = DefaultHasher::new();
    engine.hash(&mut hash);
    without_remarks(text).hash(&mut hash);
    for name in files_named(text) {
        let path = match (name.strip_prefix("$CAROM_DATA/"), data) {
            (Some(name), Some(data)) => data.join(name),
            _ => folder.join(name),
        };
        of_file(&path)?.hash(&mut hash);
    }
    Ok(format!("{:016x}", hash.finish()))
}

/// A number made from all that the program is built from, below the root of the workspace: what it computes can change with any of it. This crate only
/// runs it. The program itself would not do: every scene is built into it, and one that changes would make all runs others.
pub fn of_sources(root: &Path) -> Result<u64, String> {
    let mut paths = vec![root.join("Cargo.lock"), root.join("Cargo.toml")];
    for entry in entries(&root.join("crates"))? {
        if entry.file_name().is_some_and(|name| name != "carom-bench") {
            sources_below(&entry.join("src"), &mut paths)?;
        }
    }
    let mut hash = DefaultHasher::new();
    for path in paths {
        of_file(&path)?.hash(&mut hash);
    }
    Ok(hash.finish())
}

fn sources_below(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    for path in entries(folder)? {
        if path.is_dir() {
            sources_below(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

/// Entries of a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let say = |e: std::io::Error| format!("{}: {e}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(say)?.map(|entry| Ok(entry?.path()));
    let mut entries: Vec<PathBuf> = entries.collect::<Result<_, _>>().map_err(say)?;
    entries.sort();
    Ok(entries)
}

/// A number made from all bytes of a file.
fn of_file(path: &Path) -> Result<u64, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut hash = DefaultHasher::new();
    bytes.hash(&mut hash);
    Ok(hash.finish())
}

/// Whether the run in `folder` has this key.
pub fn is_kept(folder: &Path, key: &str) -> bool {
    std::fs::read_to_string(path(folder)).is_ok_and(|kept| kept == key)
}

/// Path of the key of the run in `folder`.
pub fn path(folder: &Path) -> PathBuf {
    folder.join(FILE)
}

/// A scene without comments and descriptions.
fn without_remarks(text: &str) -> String {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .fold(String::new(), |all, line| all + line + "\n")
}

/// The files that a scene names, in its order.
fn files_named(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(|line| line.split("file = \"").skip(1).filter_map(|rest| rest.split('"').next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "# A ball.\nformat = 1\nshape.mesh = { file = \"data/a.b.obj\", scale = 2.0 }\n";

    /// A folder of its own with the file that the scene names.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("carom-key-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("data")).unwrap();
        std::fs::write(folder.join("data/a.b.obj"), "v 0 0 0\n").unwrap();
        folder
    }

    #[test]
    fn a_run_is_another_if_its_program_its_scene_or_a_file_of_it_is() {
        let folder = folder("differs");
        let key = |engine, text: &str| of(engine, text, &folder, None).unwrap();
        let first = key(1, SCENE);
        assert_eq!(
            key(1, &SCENE.replace("# A ball.", "# A ball that falls.\n")),
            first,
            "remarks change nothing"
        );
        assert_ne!(key(2, SCENE), first);
        assert_ne!(key(1, &SCENE.replace("2.0", "3.0")), first);
        std::fs::write(folder.join("data/a.b.obj"), "v 0 0 1\n").unwrap();
        assert_ne!(key(1, SCENE), first);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_engine_is_another_if_any_source_of_it_is_but_not_by_what_only_runs_it() {
        let root = folder("sources");
        for name in ["carom-engine", "carom-bench"] {
            std::fs::create_dir_all(root.join("crates").join(name).join("src/deep")).unwrap();
        }
        let write = |name: &str, text: &str| std::fs::write(root.join(name), text).unwrap();
        write("Cargo.lock", "");
        write("Cargo.toml", "");
        write("crates/carom-engine/src/deep/kick.rs", "h");
        write("crates/carom-bench/src/main.rs", "");
        let first = of_sources(&root).unwrap();
        write("crates/carom-bench/src/main.rs", "fn main() {}");
        assert_eq!(of_sources(&root).unwrap(), first);
        write("crates/carom-engine/src/deep/kick.rs", "h / 2");
        assert_ne!(of_sources(&root).unwrap(), first);
        std::fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn files_of_other_people_are_found_where_they_are_and_a_missing_one_is_named() {
        let folder = folder("data");
        let text = SCENE.replace("data/", "$CAROM_DATA/");
        assert!(of(1, &text, Path::new("nowhere"), Some(&folder.join("data"))).is_ok());
        let said = of(1, SCENE, Path::new("nowhere"), None).unwrap_err();
        assert!(said.contains("a.b.obj"), "{said}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn runs_whose_names_differ_after_a_dot_have_keys_of_their_own() {
        assert_ne!(path(Path::new("runs/sheet.1")), path(Path::new("runs/sheet.2")));
    }
}
