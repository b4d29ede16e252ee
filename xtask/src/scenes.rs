//! `cargo xtask scenes`: the scenes marked for the tests, through the release program.
//!
//! A scene is marked by a section `[small]`, and then its small variant is run, or by a comment line of its own, `# ci`, anywhere in its
//! file; `# ci relax` brings it to rest instead of running it. Its `[expect]` section is the test: the program exits with 0 when everything
//! in it was met.
//!
//! Scenes with external files name them by `$CAROM_DATA/…`; where neither that variable nor the folder `shared/data` beside the project
//! is there, they are skipped.

use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::steps::{Outcome, carom, human, release_program};

/// A marked scene takes seconds; one that takes this long hangs.
const LIMIT: Duration = Duration::from_mins(3);

/// Runs every marked scene.
pub fn run(root: &Path) -> Result<(), String> {
    run_all(root).map(drop)
}

/// Runs every marked scene, or says that there is none.
pub fn run_all(root: &Path) -> Result<Outcome, String> {
    let scenes = marked(&root.join("scenes")).map_err(|e| format!("   scenes/: {e}"))?;
    if scenes.is_empty() {
        return Ok(Outcome::Skipped("no scene has a section `[small]` or a line `# ci`".into()));
    }
    release_program(root)?;
    let data = data_folder(root);
    let failures: Vec<String> =
        scenes.iter().filter_map(|scene| run_one(root, scene, data.as_deref()).err()).collect();
    if failures.is_empty() { Ok(Outcome::Passed) } else { Err(failures.join("\n")) }
}

/// The marked scenes below `folder`, sorted; none if there is no such folder.
fn marked(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    if folder.is_dir() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                found.extend(marked(&path)?);
            } else if path.extension().is_some_and(|e| e == "toml")
                && is_marked(&std::fs::read_to_string(&path)?)
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_marked(scene: &str) -> bool {
    scene.lines().any(|line| line.trim() == "# ci")
        || is_for_rest(scene)
        || has_small(scene)
        || must_stop(scene)
}

/// Whether the scene is one that cannot go on: it must stop with a Fault.
fn must_stop(scene: &str) -> bool {
    scene.lines().any(|line| line.trim() == "# must stop")
}

/// Whether the scene has a small variant.
fn has_small(scene: &str) -> bool {
    scene.lines().any(|line| line.trim() == "[small]")
}

/// Whether the scene is brought to rest instead of run.
fn is_for_rest(scene: &str) -> bool {
    scene.lines().any(|line| line.trim() == "# ci relax")
}

/// The folder of external files, which lies beside the project and not inside it.
fn data_folder(root: &Path) -> Option<PathBuf> {
    let default = || root.join("../shared/data");
    let folder = std::env::var_os("CAROM_DATA").map_or_else(default, PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// Whether the scene names external files.
fn needs_data(scene: &str) -> bool {
    scene.contains("\"$CAROM_DATA/")
}

/// Runs one scene into a fresh folder below `target/`, unless it needs data that is not there.
fn run_one(root: &Path, scene: &Path, data: Option<&Path>) -> Result<(), String> {
    let scene = scene.strip_prefix(root).unwrap_or(scene);
    let text =
        std::fs::read_to_string(root.join(scene)).map_err(|e| format!("   {}: {e}", scene.display()))?;
    if needs_data(&text) && data.is_none() {
        eprintln!("   {} skipped: no data folder; CAROM_DATA names it", scene.display());
        return Ok(());
    }
    let out = PathBuf::from("target/scenes")
        .join(scene.with_extension("").components().skip(1).collect::<PathBuf>());
    // The program never overwrites a run.
    if root.join(&out).exists() {
        std::fs::remove_dir_all(root.join(&out)).map_err(|e| format!("   {}: {e}", out.display()))?;
    }
    let mut command = carom(root);
    command.envs(data.map(|folder| ("CAROM_DATA", folder)));
    let verb = if is_for_rest(&text) { "relax" } else { "run" };
    let small: &[&str] = if has_small(&text) { &["--small"] } else { &[] };
    command.arg(verb).arg(scene).args(small);
    command.args(["--quiet", "--out"]).arg(&out).stdin(Stdio::null());

    let start = Instant::now();
    let child = command.spawn().map_err(|e| format!("   the program cannot be started: {e}"))?;
    let ended = wait(child).map_err(|e| format!("   {}: {e}", scene.display()))?;
    let took = human(start.elapsed());
    let wanted = if must_stop(&text) { 3 } else { 0 };
    let verdict = match ended.map(|status| status.code()) {
        Some(Some(code)) if code == wanted => {
            eprintln!("   {} as expected, in {took}", scene.display());
            return Ok(());
        }
        Some(Some(0)) => "the run should have stopped with a Fault".to_owned(),
        Some(Some(1)) => "an expectation failed, or the energy is off".to_owned(),
        Some(Some(2)) => "the scene was refused".to_owned(),
        Some(Some(3)) => "the run stopped with a Fault".to_owned(),
        Some(code) => format!("the program ended with {code:?}"),
        None => format!("still running after {}, stopped", human(LIMIT)),
    };
    Err(format!(
        "   {}: {verdict}, after {took}\n   carom {verb} {} {} --out {}",
        scene.display(),
        scene.display(),
        small.join(" "),
        out.display()
    ))
}

/// How the program ended; `None` where it outlasted [`LIMIT`] and was stopped.
fn wait(mut child: Child) -> std::io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    while start.elapsed() < LIMIT {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_is_marked_by_a_line_of_its_own() {
        assert!(is_marked("# A drum.\n# ci\nformat = 1\n"));
        assert!(!is_marked("# A drum, not for ci.\nformat = 1\n"));
        assert!(!is_marked("title = \"# ci\"\n"));
        assert!(is_marked("[small]\n\"time.end\" = 1.0\n") && !is_marked("# [small]\n"));
        assert!(is_marked("# must stop\n") && must_stop("# must stop\n") && !must_stop("# must stop here\n"));
        assert!(is_marked("# ci relax\n") && is_for_rest("# ci relax\n") && !is_for_rest("# ci\n"));
    }

    #[test]
    fn a_scene_needs_data_where_it_names_a_file_of_it() {
        assert!(needs_data("shape.mesh = { file = \"$CAROM_DATA/a.msh\" }"));
        assert!(!needs_data("# Like those of $CAROM_DATA/a.msh.\nshape.mesh = { file = \"data/a.msh\" }"));
    }

    #[test]
    fn a_tree_without_scenes_has_no_marked_scene() {
        assert!(marked(Path::new("no/such/folder")).unwrap().is_empty());
    }
}
