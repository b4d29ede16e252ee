//! Runs every scene in full, audited at every instant, and writes the page of the gallery.
//!
//! Scenes run through the program itself, one a core, and leave their runs below `target/gallery/`. A run is kept as long as
//! what the program is built from, its scene and the files of that are the same: an interrupted gallery continues where it stopped. `cargo
//! xtask gallery` builds the program and calls this.
//!
//! Scenes with external files name them by `$CAROM_DATA/…`; where neither that variable nor the folder `shared/data` beside the project
//! is there, they are skipped.

mod key;
mod page;

use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::Instant;

use carom_output::{Summary, Verdict};

use crate::workers;

/// Folder of the scenes, from the root of the workspace.
const SCENES: &str = "scenes";
/// Folder of their runs.
const RUNS: &str = "target/gallery";
/// Folder of external files, unless `CAROM_DATA` says otherwise.
const DATA: &str = "../shared/data";
/// Exit code of a run that ended in a Fault.
const FAULT: i32 = 3;

/// A scene of the gallery.
#[derive(Clone, Debug)]
struct Scene {
    /// `curtains`, or `outside/chain`.
    name: String,
    path: PathBuf,
    text: String,
}

impl Scene {
    /// Whether it shows how a run ends that cannot go on: a line of its own says so.
    fn must_stop(&self) -> bool {
        self.text.lines().any(|line| line.trim() == "# must stop")
    }
}

/// A scene and what came of it.
struct Shown {
    scene: Scene,
    outcome: Result<Summary, String>,
}

/// `gallery [--page FILE --dated WORDS] [NAME…]`: runs all scenes, or those named; writes the page if asked to.
pub fn main(arguments: &[String]) -> ExitCode {
    match run(arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<bool, String> {
    let (mut page, mut dated, mut names) = (None, String::new(), Vec::new());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--page" => page = Some(PathBuf::from(value()?)),
            "--dated" => dated.clone_from(value()?),
            name => names.push(name.to_owned()),
        }
    }
    let mut scenes = scenes_below(Path::new(SCENES)).map_err(|e| format!("{SCENES}: {e}"))?;
    if let Some(unknown) = names.iter().find(|name| scenes.iter().all(|scene| scene.name != **name)) {
        return Err(format!("there is no {SCENES}/{unknown}.toml"));
    }
    scenes.retain(|scene| names.is_empty() || names.contains(&scene.name));
    if data_folder().is_none() {
        scenes.retain(|scene| {
            let is_skipped = scene.text.contains("\"$CAROM_DATA/");
            if is_skipped {
                eprintln!("{:<12} {:<24} no data folder; CAROM_DATA names it", "skipped", scene.name);
            }
            !is_skipped
        });
    }
    let engine = key::of_sources(Path::new(""))?;
    let shown = run_all(scenes, engine);
    for Shown { scene, outcome } in &shown {
        if let Err(why) = outcome {
            eprintln!("FAILED  {}: {why}", scene.name);
        }
    }
    if let Some(page) = page {
        page::write(&page, &dated, &shown)?;
    }
    Ok(shown.iter().all(|shown| shown.outcome.is_ok()))
}

/// The scenes below a folder, by name; folders of data hold none.
fn scenes_below(folder: &Path) -> std::io::Result<Vec<Scene>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(scenes_below(&path)?);
        } else if path.extension().is_some_and(|e| e == "toml") {
            let name = path.strip_prefix(SCENES).unwrap_or(&path).with_extension("");
            let text = std::fs::read_to_string(&path)?;
            found.push(Scene { name: name.to_string_lossy().into_owned(), path, text });
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The folder of external files, which lies beside the project and not inside it.
fn data_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("CAROM_DATA").map_or_else(|| PathBuf::from(DATA), PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// Runs the scenes with the engine of this hash, one a core; results are in the order of scenes.
fn run_all(scenes: Vec<Scene>, engine: u64) -> Vec<Shown> {
    workers::at_once(scenes, workers::cores(), |scene| {
        let started = Instant::now();
        let (outcome, was_there) = outcome_of(&scene, engine);
        let how = if outcome.is_ok() { "as expected" } else { "FAILED" };
        let took =
            if was_there { "kept".to_owned() } else { format!("{:.0} s", started.elapsed().as_secs_f64()) };
        eprintln!("{how:<12} {:<24} {took}", scene.name);
        Shown { scene, outcome }
    })
}

/// The summary of a run as it was expected to be, and whether it was there already.
fn outcome_of(scene: &Scene, engine: u64) -> (Result<Summary, String>, bool) {
    let folder = Path::new(RUNS).join(&scene.name);
    let beside = scene.path.parent().unwrap_or(Path::new(""));
    let key = match key::of(engine, &scene.text, beside, data_folder().as_deref()) {
        Ok(key) => key,
        Err(why) => return (Err(why), false),
    };
    if key::is_kept(&folder, &key)
        && let Ok(summary) = good_summary(scene, &folder)
    {
        return (Ok(summary), true);
    }
    (run_one(scene, &folder, &key), false)
}

fn run_one(scene: &Scene, folder: &Path, key: &str) -> Result<Summary, String> {
    let say = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(say)?;
    }
    std::fs::create_dir_all(folder.parent().expect("a run is below the folder of runs")).map_err(say)?;
    let mut command = crate::program()?;
    command.envs(data_folder().map(|folder| ("CAROM_DATA", folder)));
    let is_for_rest = scene.text.lines().any(|line| line.trim() == "# ci relax");
    if is_for_rest {
        command.arg("relax").arg(&scene.path);
    } else {
        command.args(["run", "--no-compare"]).arg(&scene.path);
        // Without contact bodies may pass through each other.
        if scene.text.lines().any(|line| line.trim() == "[contact]") {
            command.arg("--audit");
        }
    }
    command.args(["--quiet", "--out"]).arg(folder).stdin(Stdio::null());
    let ended = command.output().map_err(|e| format!("the program cannot be started: {e}"))?;
    let stopped = scene.must_stop() && ended.status.code() == Some(FAULT);
    if !ended.status.success() && !stopped {
        let said = String::from_utf8_lossy(&ended.stderr);
        return Err(said
            .lines()
            .filter(|line| !line.starts_with("warning"))
            .take(3)
            .collect::<Vec<_>>()
            .join("; "));
    }
    std::fs::write(key::path(folder), key).map_err(say)?;
    good_summary(scene, folder)
}

/// The summary of a run that kept its promises.
fn good_summary(scene: &Scene, folder: &Path) -> Result<Summary, String> {
    let summary = Summary::read(&folder.join("summary.json")).map_err(|e| e.to_string())?;
    let is_good =
        if scene.must_stop() { summary.verdict == Verdict::Fault } else { summary.verdict.is_good() };
    if !is_good {
        return Err(summary.verdict_in_words());
    }
    if summary.audit.as_ref().is_some_and(|audit| !audit.is_clean()) {
        return Err("the audit found something".to_owned());
    }
    Ok(summary)
}
